"""How high a body goes over the ground, and how far it tilts with it.

An upright trunk stays upright and leans a little into the slope; the closer a trunk is to lying
along the ground, on all fours, the more it tilts with it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gambol.animate.ground.plane import Plane, plane_under, smooth, smoothstep, tilt
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion import joint_names
from gambol.motion.contact_points import ADULT_LEG_M, leg_length
from gambol.motion.figure import hoofed_legs
from gambol.motion.joint_names import Limb
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.world.terrain import Terrain

SMOOTHING_S = 0.10  # standard deviation of the smoothing of the root's elevation and tilt in time
AROUND_M = 0.25  # how far around an adult's root the ground counts
LEAN = -0.20  # of the slope, that an upright trunk tilts: forward where the ground rises
UPRIGHT, PRONE = 0.80, 0.35  # rise of a trunk per metre from hips to shoulders at and beyond which it is either
ROLL = 0.7  # of the slope across, that a trunk on all fours tilts
BOARD_LEAN = 0.4  # of a board's tilt, that who rides on it takes up
LEVEL_HEAD = 0.6  # of the trunk's tilt, that the neck takes back
KNEELING_M = (0.10, 0.18)  # height of an adult's knee, at and below which it is on the ground, and above which not
# A body on all fours tilts about its root, which keeps its place.  So hands, knees and hooves are set farther
# uphill, by these shares of what would keep limbs as square to the ground as they were.
KNEELING_SQUARE, HOOFED_SQUARE = 1.0, 0.5


class Carriage(NamedTuple):
    """What the ground does to the root."""

    rise: FloatArray  # (F,) metres
    lean: FloatArray  # (F, 2) gradient of what would be level, were it fixed to the root
    ahead: FloatArray  # (F, 2) where the figure faces
    shift: FloatArray  # (F, 3) metres, level: what stands on all fours is set that much uphill


def carriage(motion: Motion, terrain: Terrain, board: Plane | None) -> Carriage:
    """Return how the root follows the ground, before any leg is asked; board is what a board rolls on."""
    margin = AROUND_M * size_of(motion.skeleton)
    sigma = SMOOTHING_S * motion.rate_hz
    way = motion.root_positions[:, :2]
    ring = np.arange(8) * (0.25 * np.pi)
    around = margin * np.column_stack((np.cos(ring), np.sin(ring)))
    rise = 0.5 * terrain.height(way) + 0.5 * terrain.height(way[:, None] + around).mean(axis=1)
    heading = quaternion.heading(motion.world_rotations[:, 0])
    ahead = np.column_stack((np.cos(heading), np.sin(heading)))
    trunk = trunk_of(motion)
    reach = np.maximum(np.sum(trunk[:, :2] * ahead, axis=1, keepdims=True), 0.0)
    slope = plane_under(terrain, way - margin * ahead, way + (reach + margin) * ahead, margin).gradient
    lean = _lean(trunk, ahead, slope) if board is None else BOARD_LEAN * board.gradient
    slope = smooth(slope, sigma)
    # As high above the ground as it was, square to it; and what it stands on where that takes it, square to it too.
    longer = np.sqrt(1.0 + np.sum(slope**2, axis=1))
    height = _squareness(motion) * motion.root_positions[:, 2]
    shift = np.column_stack(((height / longer)[:, None] * slope, np.zeros(motion.frame_count)))
    return Carriage(smooth(rise, sigma) + (longer - 1.0) * height, smooth(lean, sigma), ahead, shift)


def carried(motion: Motion, borne: Carriage) -> Motion:
    """Return the motion with its root raised and tilted in place, and its head held more level than its trunk."""
    positions, rotations = np.array(motion.root_positions), np.array(motion.rotations)
    positions[:, 2] += borne.rise
    turns = tilt(borne.lean)
    rotations[:, 0] = quaternion.multiply(turns, rotations[:, 0])
    neck = joint_names.find(motion.skeleton, "Neck")
    if neck > 0:
        above = quaternion.multiply(turns, motion.world_rotations[:, motion.skeleton.parents[neck]])
        back = quaternion.multiply(tilt(-LEVEL_HEAD * borne.lean), quaternion.multiply(above, rotations[:, neck]))
        rotations[:, neck] = quaternion.multiply(quaternion.conjugate(above), back)
    return replace(motion, root_positions=positions, rotations=rotations)


def size_of(skeleton: Skeleton) -> float:
    """Return how long legs are, in those of an adult."""
    hoofed = hoofed_legs(skeleton)
    length = float(skeleton.rest_positions[hoofed[0].root, 2]) if hoofed else leg_length(skeleton)
    return length / ADULT_LEG_M


def kneeling(motion: Motion, leg: Limb) -> FloatArray:
    """Tell how far a knee is on the ground (F,), from 0 to 1; a horse's never is."""
    if leg not in joint_names.legs(motion.skeleton):
        return np.zeros(motion.frame_count)
    low, high = KNEELING_M
    heights = motion.world_positions[:, leg.middle, 2] / size_of(motion.skeleton)
    return 1.0 - smoothstep((heights - low) / (high - low))


def trunk_of(motion: Motion) -> FloatArray:
    """Return the way from the middle of the hips to that of the shoulders (F, 3); straight up where there are none."""
    hoofed = hoofed_legs(motion.skeleton)
    hind, fore = hoofed[:2], hoofed[2:]
    if not hoofed:
        hind, fore = joint_names.legs(motion.skeleton), joint_names.arms(motion.skeleton)
    if not hind or not fore:
        return np.tile([0.0, 0.0, 1.0], (motion.frame_count, 1))
    ends = [motion.world_positions[:, [limb.root for limb in limbs]].mean(axis=1) for limbs in (hind, fore)]
    return ends[1] - ends[0]


def _lean(trunk: FloatArray, ahead: FloatArray, slope: FloatArray) -> FloatArray:
    """Return how a trunk leans (F, 2) on ground of a slope (F, 2): against it upright, with it on all fours."""
    left = np.column_stack((-ahead[:, 1], ahead[:, 0]))
    along, across = (np.sum(slope * axis, axis=1, keepdims=True) for axis in (ahead, left))
    rising = trunk[:, 2:] / np.maximum(np.linalg.norm(trunk, axis=1, keepdims=True), 1e-9)
    prone = smoothstep((UPRIGHT - rising) / (UPRIGHT - PRONE))
    return (LEAN + (1.0 - LEAN) * prone) * along * ahead + ROLL * prone * across * left


def _squareness(motion: Motion) -> FloatArray:
    """Return how far limbs stay as square to the ground as they were, rather than upright (F,): on all fours."""
    if hoofed_legs(motion.skeleton):
        return np.full(motion.frame_count, HOOFED_SQUARE)
    knees = [kneeling(motion, leg) for leg in joint_names.legs(motion.skeleton)]
    return KNEELING_SQUARE * np.max(knees, axis=0) if knees else np.zeros(motion.frame_count)
