"""What grasps can hold: the stretch of x in which the centre of mass may rest."""

from __future__ import annotations

import numpy as np

from gambol.climb.figure import FigureTable
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel

ADULT_M = 1.75
HEEL_M, BALL_M = 0.06, 0.16  # an adult's sole bears behind and ahead of the ankle
ONE_HAND_PULL, TWO_HANDS_PULL = 0.45, 0.8  # how hard hands pull or push level, in body weights
HANGING_M = 0.10  # beside the hands that an adult hangs from
FLOOR, WALL = 0, 1


@kernel
def held_span(
    figure: FigureTable,
    anchor: FloatArray,
    surface: Int32Array,
    pulls: bool,
    facing: float,
    grasps: Int32Array,
    left_out: int,
) -> tuple[float, float]:
    """Return the least and greatest x at which the grasps can hold the centre of mass at rest.

    Feet bear what is above their soles.  Hands that pull add the moment of their pull: with a share of the weight
    p and a height h between hands and feet, the centre of mass may be p h beside them.  Hands alone bear what
    hangs below them.  Nothing held: (inf, -inf).

    anchor: (2, G, 2, 2) as in GraspTable.
    pulls: whether hands can pull; in crawling they press.
    left_out: a limb that does not count, or -1.
    """
    scale = figure.stature / ADULT_M
    side = 0 if facing > 0.0 else 1
    low, high = np.inf, -np.inf
    hands, feet = 0, 0
    top, bottom = -np.inf, np.inf
    for limb in range(4):
        g = grasps[limb]
        if g < 0 or limb == left_out:
            continue
        if limb < 2:
            hands += 1
            x = anchor[side, g, 0, 0]
            top = max(top, anchor[side, g, 0, 1])
            low, high = min(low, x), max(high, x)
        else:
            feet += 1
            x = anchor[side, g, 1, 0]
            bottom = min(bottom, anchor[side, g, 1, 1])
            if surface[g] == WALL:
                low, high = min(low, x), max(high, x)
            else:
                behind, ahead = scale * HEEL_M, scale * BALL_M
                low = min(low, x - (behind if facing > 0.0 else ahead))
                high = max(high, x + (ahead if facing > 0.0 else behind))
    if hands > 0 and feet == 0:
        return low - scale * HANGING_M, high + scale * HANGING_M
    if hands > 0 and pulls:
        arm = (ONE_HAND_PULL if hands == 1 else TWO_HANDS_PULL) * max(0.0, top - bottom)
        return low - arm, high + arm
    return low, high
