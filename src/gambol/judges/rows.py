"""Rows in which the core's judge notes what it finds, and room for it to work in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gambol.core import Struct, lib, struct
from gambol.geometry.arrays import FloatArray

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
