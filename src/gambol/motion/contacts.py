"""The points of a body that may rest on the ground, and when they do, by their heights and speeds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray, frozen_array
from gambol.geometry.smoothing import gaussian
from gambol.motion.ground import LEVEL_PERCENTILE, Ground, fit_tilt, resting_levels
from gambol.motion.joint_names import Limb, arms, legs
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

ADULT_LEG_M = 0.8  # metres from hip to ankle of an adult
# Skeletons have no heel: it is placed as in a foot of average shape.
HEEL_BEHIND = 0.35  # how far behind the ankle the heel is, as a share of the way from ankle to ball over the ground
HEEL_BELOW = 0.20  # how far below the ball joint the heel is, as a share of the same way


class ContactPoint(NamedTuple):
    """A point fixed to a joint."""

    name: str  # "left_heel", "left_toe", "right_heel", "right_toe", "left_hand", "right_hand"
    joint: int
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)  # metres, in the joint's frame

    @property
    def is_hand(self) -> bool:
        return self.name.endswith("_hand")


def contact_points(skeleton: Skeleton) -> tuple[ContactPoint, ...]:
    """Return the points of a skeleton's feet and hands that may touch the ground, feet first."""
    feet = [point for leg in legs(skeleton) for point in foot_points(skeleton, leg)]
    return (*feet, *(ContactPoint(f"{arm.side}_hand", arm.end) for arm in arms(skeleton)))


def foot_points(skeleton: Skeleton, leg: Limb) -> tuple[ContactPoint, ...]:
    """Return a foot's heel and toe (its ball joint), or only its ankle, as heel, where nothing hangs on that.

    The heel is placed as in a foot of average shape that stands flat in the rest pose: a landing foot rolls on the
    heel, not about the ankle.
    """
    toe = _toe(skeleton, leg)
    if toe is None:
        return (ContactPoint(f"{leg.side}_heel", leg.end),)
    ball = skeleton.rest_positions[toe.joint] + np.array(toe.offset) - skeleton.rest_positions[leg.end]
    below = float(ball[2] - HEEL_BELOW * np.hypot(ball[0], ball[1]))
    heel = (float(-HEEL_BEHIND * ball[0]), float(-HEEL_BEHIND * ball[1]), below)
    return ContactPoint(f"{leg.side}_heel", leg.end, heel), toe


def sole_points(skeleton: Skeleton, leg: Limb) -> tuple[ContactPoint, ...]:
    """Return the points whose lowest is the foot's lowest: heel, toe and the tips beyond the toe."""
    below = skeleton.is_below(leg.end)
    tips = [
        ContactPoint(f"{leg.side}_tip", int(joint), _triple(offset))
        for joint, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True)
        if below[joint]
    ]
    return (*foot_points(skeleton, leg), *tips)


def point_positions(motion: Motion, points: tuple[ContactPoint, ...]) -> FloatArray:
    """Return the places of points in the world, (F, P, 3)."""
    joints = np.array([point.joint for point in points], dtype=np.intp)
    offsets = np.array([point.offset for point in points]).reshape(-1, 3)
    return motion.world_positions[:, joints] + quaternion.rotate(motion.world_rotations[:, joints], offsets)


def leg_length(skeleton: Skeleton) -> float:
    """Return the longest leg's length from hip to ankle; an adult's for a figure without legs."""
    rest = skeleton.rest_positions
    lengths = [
        np.linalg.norm(rest[leg.middle] - rest[leg.root]) + np.linalg.norm(rest[leg.end] - rest[leg.middle])
        for leg in legs(skeleton)
    ]
    return float(max(lengths, default=0.0)) or ADULT_LEG_M


def _toe(skeleton: Skeleton, leg: Limb) -> ContactPoint | None:
    """Find the ball of a foot: the toe joint by name, else any joint or tip that hangs on the ankle."""
    name = f"{leg.side}_toe"
    if leg.toe >= 0 and skeleton.parents[leg.toe] == leg.end:
        return ContactPoint(name, leg.toe)
    for child in skeleton.children(leg.end):
        if skeleton.bone_lengths[child] > 0.0:
            return ContactPoint(name, int(child))
    for joint, offset in zip(skeleton.tip_parents, skeleton.tip_offsets, strict=True):
        if joint == leg.end and np.any(offset != 0.0):
            return ContactPoint(name, leg.end, _triple(offset))
    return None


def _triple(offset: FloatArray) -> tuple[float, float, float]:
    x, y, z = (float(value) for value in offset)
    return x, y, z


# Heights are an adult's, and scale with the skeleton's legs; pairs are for feet and hands.
TOLERANCE_M = (0.02, 0.07)  # metres: a planted point is at most this much above its resting height; wrists roll up
HIGHEST_REST_M = (0.16, 0.24)  # metres above the ground: no point rests higher; ankles, wrists over fingertips
UNEQUAL_SIDES_M = 0.06  # metres: the resting heights of left and right differ by no more, even with bent toes
SMOOTHING_S = 0.02  # seconds: standard deviation that removes marker noise, and keeps the edges of a stance of 0.1 s
SWING_PERCENTILE = 95.0  # percentile of a point's speeds that is its swing, robust against spikes
SWING_M_S = (2.0, 6.5)  # metres a second: slowest and fastest swing believed, for standing feet and for sprinters
SLOW_SHARE = 0.10  # share of its swing: a resting point is slower; larger: more contacts
STILL = 0.35  # share of its speed limit below which a point is more and more still, and stands on something
STILL_TOLERANCE = 3.0  # times the height tolerance: allowed to a point quite still, for feet captured at a wrong pitch
LEAVING = 1.3  # times a limit at which a contact ends; larger: contacts last longer
GAP_S = 0.08  # seconds: shorter gaps in a contact are closed, as no foot lifts, steps and lands in this time
BRIDGING = 2.6  # times the speed limit: a gap with a faster point stays open


class ContactInterval(NamedTuple):
    """The frames from `first` to `last`, both included, in which a point rests on the ground."""

    name: str
    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Contacts:
    """The points that rest on the ground in each frame, and the ground."""

    points: tuple[ContactPoint, ...]  # P
    planted: BoolArray  # (F, P)
    ground: Ground

    def __post_init__(self) -> None:
        object.__setattr__(self, "planted", frozen_array(self.planted, np.bool_))
        if self.planted.ndim != 2 or self.planted.shape[1] != len(self.points):
            raise InvalidInput(f"planted must be of shape (F, {len(self.points)}), not {self.planted.shape}")

    def intervals(self) -> tuple[ContactInterval, ...]:
        """List the unbroken contacts in the order in which they begin."""
        found = [
            ContactInterval(point.name, first, last)
            for index, point in enumerate(self.points)
            for first, last in runs(self.planted[:, index])
        ]
        return tuple(sorted(found, key=lambda interval: interval.first))

    def index(self, name: str) -> int:
        """Return the column of a point, or -1 where there is none of this name."""
        return next((index for index, point in enumerate(self.points) if point.name == name), -1)


def detect_contacts(
    motion: Motion,
    *,
    ground_height_m: float | None = None,
    tolerance_m: float | None = None,
    slow_m_s: float | None = None,
    shortest_s: float = 0.07,
) -> Contacts:
    """Find when heels, toes (ball joints) and hands (wrists) rest on the ground.

    A contact begins when a point is both low and slow, and goes on until it passes either limit by 30 %.  Low is
    relative to the point's own resting height, as joints lie inside the body; slow is relative to its own swing, so
    that the quick stances of a jog count too.

    ground_height_m: the height of level ground; None estimates a plane, tilted by at most five per cent.
    tolerance_m: how far above its resting height a planted foot may be; None is 2 cm for an adult.
    slow_m_s: a point below this speed rests; None is 10 % of its swing's speed.
    shortest_s: shorter contacts are dropped.
    """
    points = contact_points(motion.skeleton)
    size = leg_length(motion.skeleton) / ADULT_LEG_M
    kinds = np.array([int(point.is_hand) for point in points], dtype=np.intp)
    positions = _smooth(point_positions(motion, points), SMOOTHING_S * motion.rate_hz)
    speeds = _speeds(positions, motion.rate_hz)
    limits = _speed_limits(speeds, size) if slow_m_s is None else np.full(len(points), slow_m_s)
    slow = speeds < limits
    ground = _estimate_ground(motion, positions, slow, size) if ground_height_m is None else Ground(ground_height_m)

    heights = positions[..., 2] - ground.heights(positions)
    levels = resting_levels(heights, slow & (heights < size * np.array(HIGHEST_REST_M)[kinds]))
    levels = _agreed_levels(points, levels, UNEQUAL_SIDES_M * size)
    tolerances = size * np.array(TOLERANCE_M)[kinds]
    if tolerance_m is not None:
        tolerances[kinds == 0] = tolerance_m
    above = (heights - levels) / tolerances  # NaN where a point never rests: never below a limit
    planted = np.zeros(slow.shape, dtype=bool)
    for p in range(len(points)):
        resting = _resting(speeds[:, p] / limits[p], above[:, p], motion.rate_hz)
        planted[:, p] = _lasting(resting, motion.rate_hz, shortest_s)
    return Contacts(points, planted, ground)


def runs(mask: BoolArray) -> list[tuple[int, int]]:
    """List the first and last index of each unbroken run of True."""
    edges = np.diff(np.concatenate(([0], mask.astype(np.int8), [0])))
    firsts, afters = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return [(int(first), int(after) - 1) for first, after in zip(firsts, afters, strict=True)]


def _smooth(tracks: FloatArray, sigma_frames: float) -> FloatArray:
    """Smooth along the first axis; past the ends a point reflection continues tracks at their own speed."""
    reach = min(len(tracks) - 1, int(np.ceil(4.0 * sigma_frames)))
    if reach < 1:
        return tracks
    padded = np.pad(tracks, ((reach, reach), (0, 0), (0, 0)), mode="reflect", reflect_type="odd")
    return gaussian(padded, sigma_frames)[reach:-reach]


def _speeds(positions: FloatArray, rate_hz: float) -> FloatArray:
    if len(positions) < 2:
        return np.zeros(positions.shape[:2])
    return np.linalg.norm(np.gradient(positions, axis=0), axis=-1) * rate_hz


def _speed_limits(speeds: FloatArray, size: float) -> FloatArray:
    # Walking speeds grow with the square root of leg length (equal Froude numbers).
    slowest, fastest = np.sqrt(size) * np.array(SWING_M_S)
    return SLOW_SHARE * np.clip(np.percentile(speeds, SWING_PERCENTILE, axis=0), slowest, fastest)


def _estimate_ground(motion: Motion, positions: FloatArray, slow: BoolArray, size: float) -> Ground:
    """Return the plane of the lowest points of resting feet; if none rest, of the lowest joints."""
    tolerance = TOLERANCE_M[0] * size
    lowest: list[FloatArray] = []
    columns = {point.name: p for p, point in enumerate(contact_points(motion.skeleton))}
    feet = [p for name, p in columns.items() if not name.endswith("_hand")]
    tilt = fit_tilt(positions[:, feet], slow[:, feet], tolerance_m=2.0 * tolerance)
    heights = positions[..., 2] - tilt.heights(positions)
    levels = _agreed_levels(contact_points(motion.skeleton), resting_levels(heights, slow), UNEQUAL_SIDES_M * size)
    resting = slow & (heights < levels + tolerance)
    for leg in legs(motion.skeleton):
        own = [p for name, p in columns.items() if name in (f"{leg.side}_heel", f"{leg.side}_toe")]
        soles = point_positions(motion, sole_points(motion.skeleton, leg))[resting[:, own].any(axis=1)]
        lowest.append((soles[..., 2] - tilt.heights(soles)).min(axis=1))
    rest = np.concatenate(lowest) if lowest else np.empty(0)
    if len(rest) == 0:
        rest = motion.world_positions[..., 2].min(axis=1)
    return tilt._replace(height_m=float(np.percentile(rest, LEVEL_PERCENTILE)))


def _agreed_levels(points: tuple[ContactPoint, ...], levels: FloatArray, most_apart_m: float) -> FloatArray:
    """Compare left and right: a foot that never comes down must not seem to rest in the air."""
    agreed = np.array(levels)
    for p, point in enumerate(points):
        part = point.name.rsplit("_", 1)[-1]
        same = [levels[q] for q, other in enumerate(points) if other.name.endswith(part) and not np.isnan(levels[q])]
        if same and levels[p] > min(same) + most_apart_m:
            agreed[p] = min(same)
    return agreed


def _resting(speeds: FloatArray, heights: FloatArray, rate_hz: float) -> BoolArray:
    """Return when a point rests (F,), from its speeds and its heights above rest in units of their limits."""
    stillness = np.clip(1.0 - speeds / STILL, 0.0, 1.0)
    heights = heights / (1.0 + (STILL_TOLERANCE - 1.0) * stillness)
    strict = (speeds < 1.0) & (heights < 1.0)
    kept = np.zeros_like(strict)
    for first, last in runs((speeds < LEAVING) & (heights < LEAVING)):
        kept[first : last + 1] = strict[first : last + 1].any()
    return _bridged(kept, speeds < BRIDGING, rate_hz)


def _bridged(mask: BoolArray, slowish: BoolArray, rate_hz: float) -> BoolArray:
    """Close short gaps between runs in which the point hardly moves."""
    result = np.array(mask)
    for first, last in runs(~mask):
        is_inner = first > 0 and last < len(mask) - 1
        if is_inner and last - first + 1 <= GAP_S * rate_hz and slowish[first : last + 1].all():
            result[first : last + 1] = True
    return result


def _lasting(mask: BoolArray, rate_hz: float, shortest_s: float) -> BoolArray:
    """Drop short runs; half the time is enough where the motion cuts a run off."""
    result = np.array(mask)
    for first, last in runs(mask):
        is_cut_off = first == 0 or last == len(mask) - 1
        # A run of n frames may last up to half a frame longer.
        if last - first + 1.5 < shortest_s * rate_hz * (0.5 if is_cut_off else 1.0):
            result[first : last + 1] = False
    return result
