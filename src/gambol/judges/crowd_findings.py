"""Join contacts in single frames to findings that last."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.judges.kernels.crowd_figures import ROW_SIZE

FIRST = 2  # column of the first frame or tick
DEPTH = 4  # column of the depth
LAST = ROW_SIZE  # column of the last frame or tick
MOST_ROWS = 200_000  # rows, >= 1, to collect before they are joined; more takes more memory


class Findings:
    """Rows (see `ROW_SIZE`) of a crowd's contacts; contacts in consecutive frames become one, at its deepest."""

    def __init__(self) -> None:
        self._rows: list[FloatArray] = []
        self._count = 0

    def add(self, rows: FloatArray) -> None:
        """Add rows (R, 10) of single frames or ticks."""
        if len(rows):
            self._rows.append(np.column_stack((rows, rows[:, FIRST])))
            self._count += len(rows)
        if self._count > MOST_ROWS:
            self._rows = [self.joined()]
            self._count = 0  # joined contacts are few, or all of them are needed

    def joined(self) -> FloatArray:
        """Return rows (R, 11) with the last frame or tick, ordered by time."""
        rows = np.concatenate([np.empty((0, ROW_SIZE + 1)), *self._rows])
        rows = rows[np.lexsort((rows[:, FIRST], rows[:, 1], rows[:, 0]))]
        if not len(rows):
            return rows
        begins = np.ones(len(rows), dtype=bool)
        begins[1:] = np.any(np.diff(rows[:, :2], axis=0) != 0.0, axis=1) | (rows[1:, FIRST] > rows[:-1, LAST] + 1.0)
        first = np.flatnonzero(begins)
        group = np.cumsum(begins) - 1
        deepest = np.lexsort((-rows[:, DEPTH], group))[first]
        kept = rows[deepest]
        kept[:, FIRST] = rows[first, FIRST]
        kept[:, LAST] = np.maximum.reduceat(rows[:, LAST], first)
        return kept[np.lexsort((kept[:, 1], kept[:, 0], kept[:, 3]))]
