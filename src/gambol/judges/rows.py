"""Rows in which the core's judge notes what it finds, and the findings that they join to where they last."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gambol.core import Struct, lib, struct
from gambol.geometry.arrays import FloatArray
from gambol.judges.report import Place

# Columns of a row.  The first two name who meets: two bodies, or a body and a thing.  The moment is the number of a
# frame, a tick or a slice of time; rows of consecutive moments are joined.  A place takes three columns.
FIRST: int = lib.GB_CHECK_FIRST
SECOND: int = lib.GB_CHECK_SECOND
MOMENT: int = lib.GB_CHECK_MOMENT
TIME: int = lib.GB_CHECK_TIME
DEPTH: int = lib.GB_CHECK_DEPTH
PLACE: int = lib.GB_CHECK_PLACE
CAPSULE: int = lib.GB_CHECK_CAPSULE
OTHER_CAPSULE: int = lib.GB_CHECK_OTHER_CAPSULE
ROW_SIZE: int = lib.GB_CHECK_COLUMNS
LEAVES: int = lib.GB_CHECK_LEAVES  # number of the bounds among the things
AXIS_SIZE = 6  # x, y, z of an axis's start and end
TRACK_SIZE = 16  # an axis at two moments, and a ball around it
LAST = ROW_SIZE  # column of the last frame, tick or slice of joined rows; MOMENT is the first
MOST_ROWS = 200_000  # rows, >= 1, to collect before they are joined; more takes more memory
SOME_ROWS = 4096  # findings, >= 1: the room at first; if there are more, the core looks again with more room


def work_room(capsules: int) -> Struct:
    """Return room to work in, for one thread and bodies of at most some capsules."""
    return struct(
        "gb_check_room",
        capsules=capsules,
        axes=np.empty((2, capsules, AXIS_SIZE)),
        tracks=np.empty((2, capsules, TRACK_SIZE)),
        near=np.empty(capsules, dtype=np.int32),
    )


def all_rows(find: Callable[[Any], int]) -> FloatArray:
    """Return all rows that a function finds; it writes rows while there is room, and returns their number."""
    rows = np.empty((SOME_ROWS, ROW_SIZE))
    count = find(struct("gb_check_rows", room=len(rows), rows=rows).c)
    if count > len(rows):
        rows = np.empty((count, ROW_SIZE))
        find(struct("gb_check_rows", room=count, rows=rows).c)
    return rows[:count].copy()


class Findings:
    """Rows of contacts, as the core writes them; contacts in consecutive frames become one, at its deepest."""

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
