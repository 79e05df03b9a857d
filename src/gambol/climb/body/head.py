"""The head: as the planar figure holds it, but pitched out of the way of what it would enter."""

from __future__ import annotations

import numpy as np

from gambol.body.capsules import Body
from gambol.climb.body.curves import least_way, rounded
from gambol.climb.body.kernels import pitch
from gambol.climb.body.kernels.pitch import Balls
from gambol.climb.body.planar import PlanarPoses
from gambol.climb.kernels.field import DistanceField

NECK_SHARE = 0.75  # of the head's bend from the trunk
ANGLES = np.radians(np.arange(-60.0, 61.0, 5.0))
WANTING_RAD, PACE_RAD_S, EASE_S = 0.2, 2.0, 0.06  # being, and nodding, so much or so fast off costs one
HASTES = (1.0, 2.5, 6.0)  # times these: the next is taken where a head would still enter something
ENTERED = 1.0  # the price of entering from which on it would


def head_balls(body: Body) -> Balls:
    """Return what stands for neck and head in the plane, from the body's own capsules."""
    skeleton = body.skeleton
    joints = (skeleton.index("Neck"), skeleton.index("Head"))
    rows: set[tuple[float, float, float, bool]] = set()
    for part in np.flatnonzero(np.isin(body.joint, joints)):
        for share in (0.0, 0.5, 1.0):
            x, _, z = (1.0 - share) * body.start[part] + share * body.end[part]
            is_head = bool(body.joint[part] == joints[1])
            rows.add((round(float(x), 4), round(float(z), 4), round(float(body.radius[part]), 4), is_head))
    ahead, up, radius, bends = (np.array(column) for column in zip(*sorted(rows), strict=True))
    hinge = skeleton.offsets[joints[1]]
    return Balls(ahead, up, radius, bends.astype(np.bool_), float(hinge[0]), float(hinge[2]))


def head_out_of_the_way(
    field: DistanceField, balls: Balls, poses: PlanarPoses, torso_m: float, rate_hz: float
) -> PlanarPoses:
    """Return poses with heads pitched so that neither neck nor head enters anything, if that helps.

    Where a usual nod comes too late, as for the edge of a low ceiling, a quicker one is tried.
    """
    x = poses.pelvis[:, 0] + poses.facing * torso_m * np.sin(poses.lean)
    z = poses.pelvis[:, 1] + torso_m * np.cos(poses.lean)
    best, least = poses, np.inf
    for haste in HASTES:
        price = np.empty((len(x), len(ANGLES)))
        pitch.price_heads(
            field, balls, x, z, poses.facing, poses.lean, poses.head, NECK_SHARE, haste * WANTING_RAD, ANGLES, price
        )  # fmt: skip
        chosen = least_way(price, ANGLES[:, None], pace=haste * PACE_RAD_S / rate_hz)
        off = rounded(ANGLES[chosen], np.ones(len(x)), frames=EASE_S * rate_hz / haste)
        pitched, left = poses._replace(head=poses.head + off), np.empty((len(x), 1))
        pitch.price_heads(
            field, balls, x, z, poses.facing, poses.lean, pitched.head, NECK_SHARE, 1.0, np.zeros(1), left
        )  # fmt: skip
        if left.max() < least:
            best, least = pitched, float(left.max())
        if least <= ENTERED:
            break
    return best
