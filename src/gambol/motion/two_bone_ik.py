"""Bend an arm or a leg so that its end goes where it should: two bones, in closed form.

The bend stays in the plane of the limb's present bend, always on the side to which its knee or elbow can bend.  The
limb stretches softly: the nearer to 99.6 % of its length (a knee of ten degrees), the less it follows the target, so
that nothing pops where a leg gets straight.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gambol.core import lib, pointer
from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.joint_names import Limb, legs
from gambol.motion.motion import Motion

REACH = 0.996  # share of the limb's length that it stretches to at most, unless a pose is straighter already
SOFT_FROM = 0.97  # share of the limb's length above which the limb follows its target less and less
LEAST_BEND = 0.02  # mean sine of a bend (one degree): a limb that bends less does not show its hinge
BACK = np.array([-1.0, 0.0, 0.0])  # direction in which shins fold in a figure that faces +X; forearms fold forward


class LimbTurns(NamedTuple):
    """Rotations in the world to multiply from the left with the bones' own, and the end's new place."""

    root_turns: FloatArray  # (N, 4)
    middle_turns: FloatArray  # (N, 4)
    reached: FloatArray  # (N, 3) metres


def solve_two_bone(
    roots: ArrayLike,
    middles: ArrayLike,
    ends: ArrayLike,
    targets: ArrayLike,
    hinges: ArrayLike,
    *,
    reach: float = REACH,
) -> LimbTurns:
    """Turn upper and lower bones, given by their three joints (N, 3), so that the ends meet the targets.

    hinges: (N, 3) or (3,) unit vectors; a limb bends forward when it turns counter-clockwise about them.  They choose
    the side, and the plane too where a limb is nearly straight.
    reach: share of the limb's length, in (0.97, 1], beyond which no limb stretches; a limb that is straighter already
    may stay as it is.

    If a limb cannot meet its target, it approaches it along the line from the root.  Bone lengths are those of the
    given joints; a limb with a bone of zero length does not change.
    """
    if not SOFT_FROM < reach <= 1.0:
        raise InvalidInput(f"reach must be above {SOFT_FROM} and at most 1, not {reach}")
    root, middle, end, target = (_rows(points) for points in (roots, middles, ends, targets))
    count = len(root)
    if not len(middle) == len(end) == len(target) == count:
        raise InvalidInput(f"equal numbers expected, not {count}, {len(middle)}, {len(end)} and {len(target)}")
    hinge = np.ascontiguousarray(np.broadcast_to(np.asarray(hinges, dtype=np.float64), (count, 3)))
    joints, turns, reached = np.stack((root, middle, end), axis=1), np.empty((count, 2, 4)), np.empty((count, 3))
    lib.gb_limb_reach(
        pointer(joints, "double"), pointer(target, "double"), pointer(hinge, "double"), count, reach,
        pointer(turns, "double"), pointer(reached, "double"),
    )  # fmt: skip
    return LimbTurns(turns[:, 0], turns[:, 1], reached)


def hinge_axis(motion: Motion, limb: Limb) -> FloatArray:
    """Return the unit axis, in the frame of the limb's root joint, about which its middle joint bends.

    It is the mean axis of the motion's own bends; larger bends weigh more.  For a limb that is straight throughout,
    the rest pose decides, and if it is straight there too, anatomy: shins fold away from the toes, forearms toward the
    front.
    """
    root, middle, end = (motion.world_positions[:, joint] for joint in (limb.root, limb.middle, limb.end))
    shown = _bend(root, middle, end)
    local = quaternion.rotate(quaternion.conjugate(motion.world_rotations[:, limb.root]), shown).mean(axis=0)
    rest = motion.skeleton.rest_positions
    for axis in (local, _bend(rest[limb.root], rest[limb.middle], rest[limb.end])):
        size = float(np.linalg.norm(axis))
        if size > LEAST_BEND:
            return axis / size
    return _anatomical_hinge(motion, limb)


def reach_targets(
    motion: Motion, limb: Limb, targets: ArrayLike, *, end_rotations: ArrayLike | None = None, reach: float = REACH
) -> Motion:
    """Return the motion with a limb's end joint at targets (F, 3), as far as it can reach.

    The end joint (foot, hand) keeps its orientation in the world, or takes that of `end_rotations` (F, 4).  Root,
    middle and end joint turn; all other local rotations stay.
    """
    rotations = np.array(motion.rotations)
    joints = (limb.root, limb.middle, limb.end)
    rotations[:, joints] = limb_rotations(motion, limb, targets, end_rotations=end_rotations, reach=reach)
    return motion.with_rotations(rotations)


def limb_rotations(
    motion: Motion, limb: Limb, targets: ArrayLike, *, end_rotations: ArrayLike | None = None, reach: float = REACH
) -> FloatArray:
    """Return the local rotations (F, 3, 4) of root, middle and end joint that `reach_targets` sets."""
    positions, rotations = motion.world_positions, motion.world_rotations
    hinges = quaternion.rotate(rotations[:, limb.root], hinge_axis(motion, limb))
    roots, middles, ends = positions[:, limb.root], positions[:, limb.middle], positions[:, limb.end]
    turns = solve_two_bone(roots, middles, ends, targets, hinges, reach=reach)
    parents = motion.skeleton.parents
    root = quaternion.multiply(turns.root_turns, rotations[:, limb.root])
    middle = quaternion.multiply(turns.middle_turns, rotations[:, limb.middle])
    end = rotations[:, limb.end] if end_rotations is None else np.asarray(end_rotations, dtype=np.float64)
    # Joints between two joints of the limb (twist bones, zero-length ones) turn with the bone above.
    above_root = rotations[:, parents[limb.root]] if limb.root > 0 else quaternion.identity(motion.frame_count)
    above_middle = quaternion.multiply(turns.root_turns, rotations[:, parents[limb.middle]])
    above_end = quaternion.multiply(turns.middle_turns, rotations[:, parents[limb.end]])
    pairs = ((above_root, root), (above_middle, middle), (above_end, end))
    return np.stack([quaternion.multiply(quaternion.conjugate(a), b) for a, b in pairs], axis=1)


def _rows(points: ArrayLike) -> FloatArray:
    rows = np.ascontiguousarray(np.atleast_2d(np.asarray(points, dtype=np.float64)))
    if rows.ndim != 2 or rows.shape[1] != 3 or not np.all(np.isfinite(rows)):
        raise InvalidInput(f"joint positions and targets must be finite and of shape (N, 3), not {rows.shape}")
    return rows


def _bend(root: FloatArray, middle: FloatArray, end: FloatArray) -> FloatArray:
    """Return the axis of the bend times its sine (..., 3); zero where a bone has no length."""
    upper, lower = middle - root, end - middle
    size = np.linalg.norm(upper, axis=-1, keepdims=True) * np.linalg.norm(lower, axis=-1, keepdims=True)
    return np.cross(upper, lower) / np.where(size > 0.0, size, 1.0)


def _anatomical_hinge(motion: Motion, limb: Limb) -> FloatArray:
    skeleton = motion.skeleton
    rest = skeleton.rest_positions
    fold = -BACK
    if limb in legs(skeleton):
        toes = np.array(rest[limb.toe] - rest[limb.end]) if limb.toe >= 0 else np.zeros(3)
        toes[2] = 0.0
        fold = -toes / np.linalg.norm(toes) if np.linalg.norm(toes) > 1e-6 else BACK
    axis = np.cross(rest[limb.end] - rest[limb.root], fold)
    size = float(np.linalg.norm(axis))
    return axis / size if size > 1e-9 else np.array([0.0, 1.0, 0.0])
