"""The independent judge of a climb by a three-dimensional body."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gambol.body.capsules import Body
from gambol.climb.climb import ClimbMotion
from gambol.climb.figure import FREE, LIMBS
from gambol.climb.problem import ClimbProblem
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.judges.climb_report import BODY_LIMIT_CM, BodyReport, Worst
from gambol.judges.climb_solids import Solids
from gambol.motion.motion import Motion

PLANE = (0, 2)  # the axes x and z: polygons extend without end in depth
LIMB_JOINTS = ("LeftHand", "RightHand", "LeftFoot", "RightFoot")
TOES = {"LeftFoot": "LeftToeBase", "RightFoot": "RightToeBase"}


def judge_climb_body(problem: ClimbProblem, motion: Motion, climb: ClimbMotion | None = None) -> BodyReport:
    """Say how deep any part of a body is in the polygons, in frames and half-way between them.

    climb: the planar climb of the same frames; if given, slides of holding hands and feet are measured too.
    """
    body = Body.from_skeleton(motion.skeleton)
    starts, ends = (places[:, :, PLANE] for places in body.place(motion))
    starts, ends = _with_middles(starts), _with_middles(ends)
    solids = Solids(problem.environment.polygons)
    radii = np.broadcast_to(body.radius, starts.shape[:2])
    clear = solids.clearances(starts.reshape(-1, 2), ends.reshape(-1, 2), radii.ravel()).reshape(radii.shape)
    row, part = (int(index) for index in np.unravel_index(np.argmin(clear), clear.shape))
    x, z = solids.nearest_point(starts[row, part], ends[row, part])
    depth = -100.0 * clear.min(axis=1)
    deepest = depth[::2].copy()
    np.maximum(deepest[:-1], depth[1::2], out=deepest[:-1])
    return BodyReport(
        frames=motion.frame_count,
        collisions=int(np.sum(deepest > BODY_LIMIT_CM)),
        touches=int(np.sum((deepest > 0.0) & (deepest <= BODY_LIMIT_CM))),
        entry_cm=Worst(float(-100.0 * clear[row, part]), 0.5 * row, motion.skeleton.names[body.joint[part]], x, z),
        slide_cm=Worst() if climb is None else _worst_slide(motion, climb),
    )


def _with_middles(places: FloatArray) -> FloatArray:
    """Return places (F, C, 2) and those half-way between frames, in order, as (2 F - 1, C, 2)."""
    among = np.empty((2 * len(places) - 1, *places.shape[1:]))
    among[::2] = places
    among[1::2] = 0.5 * (places[1:] + places[:-1])
    return among


def _worst_slide(motion: Motion, climb: ClimbMotion) -> Worst:
    """Return the largest slide in the plane of a hand or foot since it took hold.

    A foot may roll over its toes and a hand over its palm, so the steadiest point counts: of ankle and toes, or of
    wrist, palm and fingers.
    """
    if motion.frame_count != len(climb.path):
        raise InvalidInput(f"a body of {len(climb.path)} frames expected, like the climb, not of {motion.frame_count}")
    worst = Worst()
    for limb, joint in enumerate(LIMB_JOINTS):
        places = _points_of(motion, joint)
        # During a turn feet step in place, which the planar climb does not show.
        grasps = np.where(np.abs(climb.path.facings) < 1.0, FREE, climb.path.grasps[:, limb])
        starts = [0, *(np.flatnonzero(np.diff(grasps)) + 1).tolist(), len(grasps)]
        for first, after in pairwise(starts):
            if grasps[first] == FREE:
                continue
            moved = np.linalg.norm(places[first:after] - places[first], axis=2)  # (frames, points)
            steadiest = int(np.argmin(moved.max(axis=0)))
            frame = int(np.argmax(moved[:, steadiest]))
            value = 100.0 * float(moved[frame, steadiest])
            if value > worst.value:
                x, z = places[first + frame, steadiest]
                worst = Worst(value, first + frame, f"{LIMBS[limb]} on point {grasps[first]}", float(x), float(z))
    return worst


def _points_of(motion: Motion, joint: str) -> FloatArray:
    """Return the points (F, P, 2) of a hand or foot that may rest on a hold."""
    names = motion.skeleton.names
    if joint not in names:
        raise InvalidInput(f"a body that holds needs a joint {joint!r}, as the built-in human has")
    places = [motion.world_positions[:, names.index(joint)]]
    if joint in TOES and TOES[joint] in names:
        places.append(motion.world_positions[:, names.index(TOES[joint])])
    else:
        tips = np.flatnonzero(motion.skeleton.tip_parents == names.index(joint))
        places += [0.5 * (places[0] + motion.tip_positions[:, tip]) for tip in tips]
        places += [motion.tip_positions[:, tip] for tip in tips]
    return np.stack(places, axis=1)[:, :, PLANE]
