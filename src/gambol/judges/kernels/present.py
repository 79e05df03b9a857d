"""Check the capsules of bodies at one instant against each other and against standing things."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gambol.judges.kernels.distance import segment_distance
from gambol.kernels.jit import allocation_free_kernel
from gambol.world.kernels.geometry import disc_meets_piece

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray, Int64Array
    from gambol.world.table import Pieces

LOOKS = 3  # points, >= 2, of a capsule's axis to check against standing things; more is more exact


@allocation_free_kernel
def list_touches(
    starts: FloatArray,
    ends: FloatArray,
    radius: FloatArray,
    count: Int64Array,
    middle: FloatArray,
    reach: FloatArray,
    near: Int64Array,
    pairs: Int64Array,
):
    """List pairs of touching bodies while there is room; return the number of all such pairs.

    starts, ends (N, C, 3) and radius (N, C): capsules, of which the first `count` (N,) are a body's.
    middle (N, 2), reach (N,): circles around the bodies.  near (P, 2): pairs whose circles may meet.
    """
    total = 0
    for pair in range(near.shape[0]):
        one, other = near[pair, 0], near[pair, 1]
        if math.hypot(middle[one, 0] - middle[other, 0], middle[one, 1] - middle[other, 1]) > reach[one] + reach[other]:
            continue
        touch = False
        for i in range(count[one]):
            for j in range(count[other]):
                if not touch:
                    distance, _, _ = segment_distance(
                        starts[one, i, 0], starts[one, i, 1], starts[one, i, 2],
                        ends[one, i, 0], ends[one, i, 1], ends[one, i, 2],
                        starts[other, j, 0], starts[other, j, 1], starts[other, j, 2],
                        ends[other, j, 0], ends[other, j, 1], ends[other, j, 2],
                    )  # fmt: skip
                    touch = distance < radius[one, i] + radius[other, j]
        if touch:
            if total < pairs.shape[0]:
                pairs[total, 0], pairs[total, 1] = one, other
            total += 1
    return total


@allocation_free_kernel
def list_entries(
    starts: FloatArray,
    ends: FloatArray,
    radius: FloatArray,
    count: Int64Array,
    middle: FloatArray,
    reach: FloatArray,
    pieces: Pieces,
    depth: float,
    found: Int64Array,
):
    """List bodies that are in a thing deeper than `depth` while there is room; return the number of all entries.

    Each capsule is checked by balls at some points of its axis.  A body in several pieces is listed for each piece.
    """
    total = 0
    for who in range(starts.shape[0]):
        for piece in range(pieces.radius.size):
            if not disc_meets_piece(pieces, piece, middle[who, 0], middle[who, 1], reach[who]):
                continue
            is_in = False
            for i in range(count[who]):
                for look in range(LOOKS):
                    share = look / (LOOKS - 1.0)
                    x = starts[who, i, 0] + share * (ends[who, i, 0] - starts[who, i, 0])
                    y = starts[who, i, 1] + share * (ends[who, i, 1] - starts[who, i, 1])
                    z = starts[who, i, 2] + share * (ends[who, i, 2] - starts[who, i, 2])
                    away = max(max(pieces.bottom[piece] - z, z - pieces.top[piece]), 0.0)
                    within = radius[who, i] - depth
                    if within > away:
                        is_in = is_in or disc_meets_piece(pieces, piece, x, y, math.sqrt(within * within - away * away))
            if is_in:
                if total < found.shape[0]:
                    found[total, 0], found[total, 1] = who, np.int64(pieces.obstacle[piece])
                total += 1
    return total
