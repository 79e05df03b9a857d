"""What moves, as flat arrays: what the look-ups in kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

# Columns of `TrafficTable.records`: the circle around all of it, then how its shape is placed.
CIRCLE_X, CIRCLE_Y, CIRCLE_RADIUS, LOWEST, HIGHEST, ORIGIN_X, ORIGIN_Y, COSINE, SINE, GROWTH = range(10)
RECORD_COLUMNS = 10
# Columns of `TrafficTable.prisms`.
PRISM_RADIUS, PRISM_LOW, PRISM_HIGH = range(3)
# Columns of `TrafficTable.things`.
FIRST_FRAME, LAST_FRAME, FIRST_SLOT, GONE_AFTER = range(4)
THING_COLUMNS = 4
# Columns of `TrafficTable.cells` and `TrafficTable.marks`: a hash table's key, then what it holds.
KEY, HEAD = range(2)
RESTS_AFTER, RESTS_BEFORE = 1, 2
# Columns of `TrafficTable.entries`.
THING, NEXT = range(2)

CELL_M = 2.0
BLOCK_FRAMES = 8
#: A look-up of at most this radius visits one cell: things are entered this far around themselves.
QUERY_RADIUS_M = 1.0
MARK_CELL_M = 4.0
MARK_BLOCK_FRAMES = 32


class TrafficTable(NamedTuple):
    """Things (movers and bodies) by frame, and a hash table over space and time that finds them.

    A thing has *slots*, one for each frame from its first to its last; before and after these it
    rests as in the first or last one, unless it is gone after the last.  A slot holds one or more
    *records*: shapes placed in the world that together cover the thing from half a frame before to half a
    frame after.  A *shape* is a few prisms in its own frame, shared by records.  *Cells* (`CELL_M`
    squares by `BLOCK_FRAMES` frames) lead to the things that come near them; *marks*, coarser ones, only
    say whether any do.
    """

    things: np.ndarray  # (T, THING_COLUMNS) int64: first frame, last frame, first slot, frame after which it is gone
    slots: np.ndarray  # (S, 2) int64: first record and one past the last
    records: np.ndarray  # (R, RECORD_COLUMNS) float64
    record_shapes: np.ndarray  # (R,) int64
    shape_prisms: np.ndarray  # (H, 2) int64: first prism and one past the last
    prisms: np.ndarray  # (P, 3) float64: rounding radius, low, high
    prism_corners: np.ndarray  # (P, 2) int64: first corner and one past the last
    corner_x: np.ndarray  # (C,) in the shape's own frame
    corner_y: np.ndarray  # (C,)
    cells: np.ndarray  # (a power of two, 2) int64: key, first entry; key -1: free
    entries: np.ndarray  # (E, 2) int64: thing, next entry or -1
    marks: np.ndarray  # (a power of two, 3) int64: key; frames after and before which something rests
    horizon: int  # last frame to which what never stops is laid out
    is_endless: bool  # whether anything still moves after the horizon
    last_change: int  # after this frame nothing moves any more, as far as it is laid out
    has_giants: bool  # whether anything is so large that it is listed as being everywhere
