"""Room to work for the judges' kernels, and the rows in which they note what they find."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray

# Columns of a row.  The first two name who meets: two bodies, or a body and a thing.  The moment is the number of a
# frame, a tick or a slice of time; rows of consecutive moments are joined.  A place takes three columns.
FIRST, SECOND, MOMENT, TIME, DEPTH, PLACE, CAPSULE, OTHER_CAPSULE = 0, 1, 2, 3, 4, 5, 8, 9
ROW_SIZE = 10
LEAVES = -1  # number of the bounds among the things
# Columns of a capsule's track in a stretch of time: x, y, z of both ends of its axis at the beginning, the same TO
# columns later at the end; then a ball around all of it.
START, END, TO, BALL, BALL_RADIUS = 0, 3, 6, 12, 15
TRACK_SIZE = 16
# Columns of a case, an axis and a prism in a stretch of time: after the axis come the prism's pose and its heights, at
# the beginning (FROM) and at the end (TO).
POSE_FROM, POSE_TO, HEIGHTS_FROM, HEIGHTS_TO = 12, 15, 18, 20
CASE_SIZE = 22
STACK_SIZE = 128  # rows of the stack for halvings: half for times, half for pieces of axes
SOME_ROWS = 4096  # findings, >= 1: the room at first; if there are more, the kernel looks again with more room


class Bench(NamedTuple):
    """Room for intermediate results about one body or two."""

    starts: np.ndarray  # (2, C, 3) starts of a body's axes at two frames
    ends: np.ndarray  # (2, C, 3)
    ball: np.ndarray  # (5,) x, y, z and radius of a ball around these axes; the greatest radius of a capsule
    mine: np.ndarray  # (C, TRACK_SIZE)
    others: np.ndarray  # (C, TRACK_SIZE)
    boxes: np.ndarray  # (2, 6) around both: least x, y, z, greatest x, y, z
    near: np.ndarray  # (C,)
    parts: np.ndarray  # (K, 3) parts of things that are close
    stack: np.ndarray  # (STACK_SIZE, 6)
    case: np.ndarray  # (CASE_SIZE,)
    row: np.ndarray  # (ROW_SIZE,)


def make_bench(capsules: int, parts: int) -> Bench:
    """Make room for bodies of at most some capsules, and for some parts of things."""
    return Bench(
        starts=np.empty((2, capsules, 3)),
        ends=np.empty((2, capsules, 3)),
        ball=np.empty(5),
        mine=np.empty((capsules, TRACK_SIZE)),
        others=np.empty((capsules, TRACK_SIZE)),
        boxes=np.empty((2, 6)),
        near=np.empty(capsules, dtype=np.int64),
        parts=np.empty((parts, 3), dtype=np.int64),
        stack=np.empty((STACK_SIZE, 6)),
        case=np.empty(CASE_SIZE),
        row=np.empty(ROW_SIZE),
    )


@allocation_free_kernel
def begin_row(row: FloatArray, first: int, second: int, moment: int):
    row[FIRST], row[SECOND], row[MOMENT], row[DEPTH] = first, second, moment, -math.inf


@allocation_free_kernel
def keep_row(row: FloatArray, rows: FloatArray, count: int):
    """Copy a row with a depth to the others if there is room; return the number of rows with or without room."""
    if row[DEPTH] == -math.inf:
        return count
    if count < len(rows):
        for column in range(ROW_SIZE):
            rows[count, column] = row[column]
    return count + 1


def all_rows(find: Callable[[FloatArray], int]) -> FloatArray:
    """Return all rows that a kernel finds; the kernel writes rows while there is room, and returns their number."""
    rows = np.empty((SOME_ROWS, ROW_SIZE))
    count = find(rows)
    if count > len(rows):
        rows = np.empty((count, ROW_SIZE))
        find(rows)
    return rows[:count].copy()
