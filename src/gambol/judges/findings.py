"""Join contacts in single frames to findings that last."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.judges.report import Place
from gambol.judges.rows import DEPTH, MOMENT, PLACE, ROW_SIZE, TIME

LAST = ROW_SIZE  # column of the last frame, tick or slice; MOMENT is the first
MOST_ROWS = 200_000  # rows, >= 1, to collect before they are joined; more takes more memory


class Findings:
    """Rows of contacts, as kernels write them; contacts in consecutive frames become one, at its deepest."""

    def __init__(self) -> None:
        self._rows: list[FloatArray] = []
        self._count = 0

    def add(self, rows: FloatArray) -> None:
        """Add rows (R, 10) of single frames, ticks or slices."""
        if len(rows):
            self._rows.append(np.column_stack((rows, rows[:, MOMENT])))
            self._count += len(rows)
        if self._count > MOST_ROWS:
            self._rows = [self.joined()]
            self._count = 0  # joined contacts are few, or all of them are needed

    def joined(self) -> FloatArray:
        """Return rows (R, 11) with the last frame, tick or slice, ordered by time."""
        rows = np.concatenate([np.empty((0, ROW_SIZE + 1)), *self._rows])
        rows = rows[np.lexsort((rows[:, MOMENT], rows[:, 1], rows[:, 0]))]
        if not len(rows):
            return rows
        begins = np.ones(len(rows), dtype=bool)
        begins[1:] = np.any(np.diff(rows[:, :2], axis=0) != 0.0, axis=1) | (rows[1:, MOMENT] > rows[:-1, LAST] + 1.0)
        first = np.flatnonzero(begins)
        group = np.cumsum(begins) - 1
        deepest = np.lexsort((-rows[:, DEPTH], group))[first]
        kept = rows[deepest]
        kept[:, MOMENT] = rows[first, MOMENT]
        kept[:, LAST] = np.maximum.reduceat(rows[:, LAST], first)
        return kept[np.lexsort((kept[:, 1], kept[:, 0], kept[:, TIME]))]


def place_of(row: FloatArray) -> Place:
    return float(row[PLACE]), float(row[PLACE + 1]), float(row[PLACE + 2])
