"""How the root rises and tilts with the ground.

An upright trunk stays upright and leans a little into the slope.  The closer a trunk is to level, as on
all fours, the more it tilts with the ground.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gambol.animate.ground.plane import Plane, plane_under, smooth, smoothstep, tilt
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion import joint_names
from gambol.motion.contacts import ADULT_LEG_M, leg_length
from gambol.motion.figure import hoofed_legs
from gambol.motion.joint_names import Limb
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.world.terrain import Terrain

SMOOTHING_S = 0.10  # s, > 0: standard deviation that smooths the root's rise and tilt; larger ignores bumps
AROUND_M = 0.25  # m, > 0: radius around an adult's root in which the ground counts; larger averages more ground
LEAN = -0.20  # share of the slope, -1..1: tilt of an upright trunk; below 0 it leans forward where the ground rises
UPRIGHT = 0.80  # sine of a trunk's elevation, PRONE..1: a trunk as steep as this is upright
PRONE = 0.35  # sine of a trunk's elevation, 0..UPRIGHT: a trunk as flat as this is on all fours
ROLL = 0.7  # share of the sideways slope, 0..1: roll of a trunk on all fours; larger rolls more
BOARD_LEAN = 0.4  # share of a board's tilt, 0..1: tilt of the rider; larger leans more with the board
LEVEL_HEAD = 0.6  # share of the trunk's tilt, 0..1: how much of it the neck undoes; larger keeps the head more level
KNEELING_M = (
    0.10,
    0.18,
)  # m: an adult's knee at or below the first height is on the ground, above the second it is not
# A body on all fours tilts about its root, and the root keeps its place.  Hands, knees and hooves must go uphill for
# limbs to stay as square to the ground as before.  These shares of that shift are applied: 0..1, larger shifts more.
KNEELING_SQUARE = 1.0
HOOFED_SQUARE = 0.5


class Carriage(NamedTuple):
    """How the ground moves the root."""

    rise: FloatArray  # (F,) metres
    lean: FloatArray  # (F, 2) rise per metre along x and y of a plane that tilts with the root
    ahead: FloatArray  # (F, 2) unit vector: where the figure faces
    shift: FloatArray  # (F, 3) metres, level: how far limbs on all fours go uphill


def carriage(motion: Motion, terrain: Terrain, board: Plane | None) -> Carriage:
    """Return how the root follows the ground, whether legs reach or not; board is the plane below a board's wheels."""
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
    # The root stays as high above the ground as before, measured square to it; limbs move uphill to stay square too.
    longer = np.sqrt(1.0 + np.sum(slope**2, axis=1))
    height = _squareness(motion) * motion.root_positions[:, 2]
    shift = np.column_stack(((height / longer)[:, None] * slope, np.zeros(motion.frame_count)))
    return Carriage(smooth(rise, sigma) + (longer - 1.0) * height, smooth(lean, sigma), ahead, shift)


def carried(motion: Motion, borne: Carriage) -> Motion:
    """Return the motion with its root raised and tilted in place, and the head more level than the trunk."""
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
    """Return the length of the legs as a multiple of an adult's."""
    hoofed = hoofed_legs(skeleton)
    length = float(skeleton.rest_positions[hoofed[0].root, 2]) if hoofed else leg_length(skeleton)
    return length / ADULT_LEG_M


def kneeling(motion: Motion, leg: Limb) -> FloatArray:
    """Return whether a knee is on the ground (F,), smoothly from 0 (no) to 1 (yes); a horse's knee never is."""
    if leg not in joint_names.legs(motion.skeleton):
        return np.zeros(motion.frame_count)
    low, high = KNEELING_M
    heights = motion.world_positions[:, leg.middle, 2] / size_of(motion.skeleton)
    return 1.0 - smoothstep((heights - low) / (high - low))


def trunk_of(motion: Motion) -> FloatArray:
    """Return the vector from mid-hips to mid-shoulders (F, 3); straight up for a figure without them."""
    hoofed = hoofed_legs(motion.skeleton)
    hind, fore = hoofed[:2], hoofed[2:]
    if not hoofed:
        hind, fore = joint_names.legs(motion.skeleton), joint_names.arms(motion.skeleton)
    if not hind or not fore:
        return np.tile([0.0, 0.0, 1.0], (motion.frame_count, 1))
    ends = [motion.world_positions[:, [limb.root for limb in limbs]].mean(axis=1) for limbs in (hind, fore)]
    return ends[1] - ends[0]


def _lean(trunk: FloatArray, ahead: FloatArray, slope: FloatArray) -> FloatArray:
    """Return how a trunk leans (F, 2) on a slope (F, 2): upright, into the slope; on all fours, along it."""
    left = np.column_stack((-ahead[:, 1], ahead[:, 0]))
    along, across = (np.sum(slope * axis, axis=1, keepdims=True) for axis in (ahead, left))
    rising = trunk[:, 2:] / np.maximum(np.linalg.norm(trunk, axis=1, keepdims=True), 1e-9)
    prone = smoothstep((UPRIGHT - rising) / (UPRIGHT - PRONE))
    return (LEAN + (1.0 - LEAN) * prone) * along * ahead + ROLL * prone * across * left


def _squareness(motion: Motion) -> FloatArray:
    """Return how square to the ground limbs stay (F,): 0 upright as before, 1 as square to the ground as before."""
    if hoofed_legs(motion.skeleton):
        return np.full(motion.frame_count, HOOFED_SQUARE)
    knees = [kneeling(motion, leg) for leg in joint_names.legs(motion.skeleton)]
    return KNEELING_SQUARE * np.max(knees, axis=0) if knees else np.zeros(motion.frame_count)
