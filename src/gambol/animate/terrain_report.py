"""How well a figure stands on a terrain, in numbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.animate.ground.soles import Sole, standing_soles
from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import ContactPoint, Contacts, point_positions, runs
from gambol.motion.figure import board_of
from gambol.motion.motion import Motion
from gambol.motion.quality import SLIDE_WINDOW_S
from gambol.motion.skeleton import Skeleton
from gambol.world.terrain import Terrain

HALF_WIDTH_M = 0.04  # m, > 0: half the width of a sole; a wider sole averages the ground's slope over more
DOWN_M = 0.005  # m, > 0: a wheel lower than this over level ground rolls on it; larger counts lifted wheels too


@dataclass(frozen=True)
class SoleReport:
    """The largest errors of one foot, hoof or hand in a motion."""

    name: str  # "left foot", "right hand", "left_hind hoof"
    planted_frames: int  # number of frames with a planted point
    height_error_cm: float  # distance of a planted point from its resting height above the ground below it
    flat_error_cm: float  # the same, only while heel and toe are both planted
    tilt_deg: float  # angle between sole and ground while heel and toe are both planted
    slide_cm_s: float  # speed of a planted point along the ground, over windows of 1/30 s
    swing_depth_cm: float  # depth of the deepest point in the ground while no point is planted


@dataclass(frozen=True)
class TerrainContactReport:
    """How feet, hooves and hands stand on a terrain."""

    soles: tuple[SoleReport, ...]
    wheel_error_cm: float | None  # distance of wheels from the ground while all are down; None where unknown

    def worst(self, figure: str) -> float:
        """Return the largest value of a figure, such as "height_error_cm", over all soles; zero without soles."""
        return max((float(getattr(sole, figure)) for sole in self.soles), default=0.0)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, ready for JSON."""
        return {"soles": [asdict(sole) for sole in self.soles], "wheel_error_cm": self.wheel_error_cm}


def terrain_contact_report(
    motion: Motion, contacts: Contacts, terrain: Terrain, *, level: Motion | None = None
) -> TerrainContactReport:
    """Measure how well planted points stand on the ground in every frame, and how deep swinging feet sink into it.

    Heights are measured square to the ground below each point.  Joints lie inside the body, so a resting
    point is expected as high above the ground as in the rest pose; a wrist, at its median height over its
    own contacts.

    level: the same motion on level ground.  If given, only differences from it count as errors, frame by
    frame: errors of the capture do not count.
    """
    if len(contacts.planted) != motion.frame_count or (level and level.frame_count != motion.frame_count):
        raise InvalidInput(f"contacts and a level motion of {motion.frame_count} frames expected, like the motion")
    soles = [_measure(motion, sole, terrain, level) for sole in standing_soles(motion.skeleton, contacts)]
    return TerrainContactReport(tuple(soles), None if level is None else _wheel_error(motion, terrain, level))


def _measure(motion: Motion, sole: Sole, terrain: Terrain, level: Motion | None) -> SoleReport:
    ends = (sole.front,) if sole.back is None else (sole.front, sole.back)
    points = point_positions(motion, ends)
    planted = sole.planted[:, : len(ends)]
    slopes = _gradient(terrain, points)
    heights = (points[..., 2] - terrain.height(points)) / np.sqrt(1.0 + np.sum(slopes**2, axis=-1))
    if level is not None:
        heights = heights - point_positions(level, ends)[..., 2]
    elif sole.is_arm:
        heights = heights - np.median(heights[planted])
    else:
        heights = heights - _resting_heights(motion.skeleton, ends)
    errors = 100.0 * np.where(planted, np.abs(heights), 0.0)
    flat = planted.all(axis=1) & (len(ends) == 2)
    lowest = point_positions(motion, sole.lowest)
    depths = terrain.height(lowest) - lowest[..., 2]
    if level is not None:
        depths = depths - np.maximum(-point_positions(level, sole.lowest)[..., 2], 0.0)
    swinging = ~planted.any(axis=1)
    kind = "hand" if sole.is_arm else "foot" if sole.joint == sole.limb.end else "hoof"
    return SoleReport(
        name=f"{sole.limb.side} {kind}",
        planted_frames=int(np.count_nonzero(~swinging)),
        height_error_cm=float(errors.max(initial=0.0)),
        flat_error_cm=float(errors[flat].max(initial=0.0)),
        tilt_deg=float(np.degrees(_tilts(motion, sole, terrain, level, points)[flat].max(initial=0.0))),
        slide_cm_s=100.0 * max(_slide(points[:, p], planted[:, p], terrain, motion.rate_hz) for p in range(len(ends))),
        swing_depth_cm=0.0 if sole.is_arm else 100.0 * max(0.0, float(depths[swinging].max(initial=0.0))),
    )


def _resting_heights(skeleton: Skeleton, points: tuple[ContactPoint, ...]) -> FloatArray:
    """Return the heights of points above the lowest of them in the rest pose."""
    heights = np.array([skeleton.rest_positions[point.joint, 2] + point.offset[2] for point in points])
    return heights - heights.min()


def _tilts(motion: Motion, sole: Sole, terrain: Terrain, level: Motion | None, points: FloatArray) -> FloatArray:
    """Return the angles (F,), radians, between a sole and the mean slope of the ground below it."""
    turns = motion.world_rotations[:, sole.joint]
    if level is not None:
        turns = quaternion.multiply(turns, quaternion.conjugate(level.world_rotations[:, sole.joint]))
    soles = quaternion.rotate(turns, np.array([0.0, 0.0, 1.0]))
    front, back = points[:, 0, :2], points[:, -1, :2]
    aside = (front - back)[:, ::-1] * [-1.0, 1.0]
    aside = HALF_WIDTH_M * aside / np.maximum(np.linalg.norm(aside, axis=1, keepdims=True), 1e-9)
    samples = [back + share * (front - back) + side * aside for share in np.linspace(0, 1, 5) for side in (-1, 0, 1)]
    gradients = terrain.gradient(np.stack(samples, axis=1)).mean(axis=1)
    normals = np.column_stack((-gradients, np.ones(len(gradients))))
    cosines = np.sum(soles * normals, axis=1) / np.linalg.norm(normals, axis=1)
    return np.arccos(np.clip(cosines, -1.0, 1.0))


def _slide(points: FloatArray, planted: NDArray[np.bool_], terrain: Terrain, rate_hz: float) -> float:
    """Return the highest speed of a point (F, 3) along the ground while it is planted, metres a second."""
    half = max(1, round(0.5 * SLIDE_WINDOW_S * rate_hz))
    worst = 0.0
    for first, last in runs(planted):
        if last == first:
            continue
        frames = np.arange(first, last + 1)
        before, after = np.maximum(frames - half, first), np.minimum(frames + half, last)
        normal = np.array([*-_gradient(terrain, points[frames].mean(axis=0)), 1.0])
        normal /= np.linalg.norm(normal)
        ways = points[after] - points[before]
        ways = ways - (ways @ normal)[:, None] * normal
        worst = max(worst, float((np.linalg.norm(ways, axis=1) * rate_hz / (after - before)).max()))
    return worst


def _gradient(terrain: Terrain, points: FloatArray) -> FloatArray:
    """Return the mean gradient (..., 2) of the ground around points (..., 3)."""
    steps = HALF_WIDTH_M * np.eye(2)
    around = points[..., None, :2]
    return (terrain.height(around + steps) - terrain.height(around - steps)) / (2.0 * HALF_WIDTH_M)


def _wheel_error(motion: Motion, terrain: Terrain, level: Motion) -> float | None:
    """Return the largest distance of wheels from the ground while all are down, centimetres; None without a board."""
    skeleton = motion.skeleton
    board = board_of(skeleton)
    trucks = [] if board is None else [skeleton.index(name) for name in board.trucks]
    wheels = np.isin(skeleton.tip_parents, trucks)
    if not wheels.any():
        return None
    places = motion.tip_positions[:, wheels]
    before = level.tip_positions[:, wheels, 2]
    down = np.all(before < DOWN_M, axis=1)
    errors = np.abs(places[..., 2] - terrain.height(places) - before)
    return 100.0 * float(errors[down].max(initial=0.0))
