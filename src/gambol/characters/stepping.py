"""Make steps out of a stand: turn in place, step aside or back, foot after foot, to the same stand elsewhere.

Captures of standing people are common, captures of single steps are rare.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gambol.body.capsules import Body
from gambol.characters.clip import Clip
from gambol.characters.hip_sink import Footing, sink_hips
from gambol.characters.make_clip import finish_clip
from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion import joint_names
from gambol.motion.contacts import ADULT_LEG_M, Contacts, leg_length
from gambol.motion.motion import Motion
from gambol.motion.two_bone_ik import reach_targets

STANDS_WITHIN_M = 0.10  # m, >= 0: a clip whose root travels farther is no stand
TURN_A_PAIR_RAD = np.radians(60.0)  # rad, > 0: how far two footfalls turn a figure; larger makes fewer footfalls
WAY_A_PAIR_M = 0.45  # m, > 0: how far two footfalls move a figure; larger makes fewer footfalls
SHORTEST_SWING_S = 0.25  # s, > 0: a foot is in the air at least this long
SWING_SHARE = 0.70  # share of the time between two footfalls, 0..1: how long a foot is in the air
LEAD_SHARE = 0.12  # share of the clip, 0..0.5: time before the first foot rises, and after the last one is down
LIFT_M = 0.06  # m, > 0: how high an adult lifts a foot
SWAY = 0.5  # share of half the distance between the feet, 0..1: how far the root moves over the standing foot


@dataclass(frozen=True)
class Way:
    """The displacement from one stand to the next, seen from the first."""

    forward_m: float = 0.0
    left_m: float = 0.0
    turn_rad: float = 0.0  # counter-clockwise
    footfalls: int | None = None  # an even number; None: as many as the displacement needs

    @property
    def pose(self) -> FloatArray:
        return np.array([self.forward_m, self.left_m, self.turn_rad])

    @property
    def footfall_count(self) -> int:
        if self.footfalls is not None:
            return self.footfalls
        pairs = max(abs(self.turn_rad) / TURN_A_PAIR_RAD, np.hypot(self.forward_m, self.left_m) / WAY_A_PAIR_M)
        return 2 * max(1, int(np.ceil(pairs - 1e-9)))

    @property
    def first_foot(self) -> int:
        """The foot on the side to which the figure steps or turns: 0 is left, 1 is right."""
        return 1 if self.left_m < 0.0 or (self.left_m == 0.0 and self.turn_rad < 0.0) else 0


class Swing(NamedTuple):
    """The time that one foot is in the air."""

    foot: int  # 0 is left, 1 is right
    first: float  # frame
    last: float  # frame
    start: float  # share of the way, 0..1, at which the foot stands before
    end: float  # share of the way at which the foot stands after


def step_from_stand(clip: Clip, way: Way, *, body: Body | None = None) -> Clip:
    """Return a clip of the same length that steps along a way and ends in the stand's last pose."""
    motion, skeleton = clip.motion, clip.motion.skeleton
    limbs = joint_names.legs(skeleton)
    if len(limbs) != 2:
        raise InvalidInput(f"clip {clip.name!r}: only a figure with two legs can step")
    if clip.path_length_m > STANDS_WITHIN_M:
        raise InvalidInput(
            f"clip {clip.name!r}: steps are made out of a stand, not out of a clip that travels "
            f"{clip.path_length_m:.2f} m"
        )
    if way.footfall_count % 2 != 0:
        raise InvalidInput(
            f"clip {clip.name!r}: both feet step: an even number of footfalls expected, not {way.footfall_count}"
        )
    swings = plan_swings(clip, way)
    frames = np.arange(motion.frame_count, dtype=np.float64)
    lead = LEAD_SHARE * clip.duration * clip.frames_per_step
    feet = [_foot_shares(frames, swings, foot, lead=0.0) for foot in (0, 1)]
    progress = np.mean([_foot_shares(frames, swings, foot, lead=lead) for foot in (0, 1)], axis=0)
    lift = LIFT_M * leg_length(skeleton) / ADULT_LEG_M
    footings, rotations = [], []
    for foot, leg in enumerate(limbs):
        poses = feet[foot][:, None] * way.pose
        ankles = np.array(motion.world_positions[:, leg.end])
        ankles[:, :2] = planar.apply(poses, ankles[:, :2])
        ankles[:, 2] += lift * _lifts(frames, swings, foot)
        footings.append(Footing(leg, ankles))
        turn = quaternion.from_heading(poses[:, 2])
        rotations.append(quaternion.multiply(turn, motion.world_rotations[:, leg.end]))
    span = (clip.margin, motion.frame_count - 1 - clip.margin)
    result = sink_hips(_moved_root(motion, way, progress, swings, lead), footings, before=motion, span=span)
    for (leg, ankles), turned in zip(footings, rotations, strict=True):
        result = reach_targets(result, leg, ankles, end_rotations=turned)
    instants = np.arange(clip.margin, motion.frame_count - clip.margin, clip.frames_per_step)
    headings = np.interp(frames, instants, clip.path[:, 2]) + progress * way.turn_rad
    return finish_clip(
        clip.name, result, np.column_stack((result.root_positions[:, :2], headings)), _contacts(clip, swings),
        margin=clip.margin, frames_per_step=clip.frames_per_step,
        body=body or Body.from_skeleton(skeleton), event=clip.event, recorded=clip.recorded,
    )  # fmt: skip


def plan_swings(clip: Clip, way: Way) -> list[Swing]:
    """Spread the footfalls evenly over the clip."""
    count = way.footfall_count
    length = clip.duration * clip.frames_per_step
    slot = length * (1.0 - 2.0 * LEAD_SHARE) / count
    if SWING_SHARE * slot < SHORTEST_SWING_S * clip.motion.rate_hz:
        least = count * SHORTEST_SWING_S / SWING_SHARE / (1.0 - 2.0 * LEAD_SHARE)
        raise InvalidInput(
            f"clip {clip.name!r}: {count} footfalls need {least:.2f} s, the stand lasts {clip.duration_s:.2f} s"
        )
    pairs = count // 2
    swings = []
    for number in range(count):
        middle = clip.margin + LEAD_SHARE * length + (number + 0.5) * slot
        half = 0.5 * SWING_SHARE * slot
        pair = number // 2
        foot = (way.first_foot + number) % 2
        swings.append(Swing(foot, middle - half, middle + half, pair / pairs, (pair + 1) / pairs))
    return swings


def _foot_shares(frames: FloatArray, swings: list[Swing], foot: int, *, lead: float) -> FloatArray:
    """Return the share of the way that a foot has gone in each frame; lead (frames) widens each swing on both sides."""
    shares = np.zeros(len(frames))
    for swing in swings:
        if swing.foot == foot:
            start, end = swing.first - lead, swing.last + lead
            shares += (swing.end - swing.start) * _ease((frames - start) / (end - start))
    return shares


def _lifts(frames: FloatArray, swings: list[Swing], foot: int) -> FloatArray:
    """Return how high a foot is lifted in each frame, 0..1."""
    lifts = np.zeros(len(frames))
    for swing in swings:
        if swing.foot == foot:
            lifts += np.sin(np.pi * np.clip((frames - swing.first) / (swing.last - swing.first), 0.0, 1.0)) ** 2
    return lifts


def _moved_root(motion: Motion, way: Way, progress: FloatArray, swings: list[Swing], lead: float) -> Motion:
    """Move the root along the way and towards the standing foot."""
    frames = np.arange(motion.frame_count, dtype=np.float64)
    poses = progress[:, None] * way.pose
    positions = np.array(motion.root_positions)
    positions[:, :2] = planar.apply(poses, positions[:, :2])
    aside = np.zeros(len(frames))
    for swing in swings:
        up = _ease((frames - swing.first + lead) / lead) - _ease((frames - swing.last) / lead)
        aside += up * (-1.0 if swing.foot == 0 else 1.0)
    left, right = (motion.world_positions[:, leg.end, :2] for leg in joint_names.legs(motion.skeleton))
    half = 0.5 * np.linalg.norm(left - right, axis=1)
    directions = planar.rotate(poses[:, 2], np.array([0.0, 1.0]))
    positions[:, :2] += (SWAY * half * aside)[:, None] * directions
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quaternion.multiply(quaternion.from_heading(poses[:, 2]), rotations[:, 0])
    return replace(motion, root_positions=positions, rotations=rotations)


def _contacts(clip: Clip, swings: list[Swing]) -> Contacts:
    """Return contacts in which each foot stands except during its swings."""
    planted = np.array(clip.contacts.planted)
    frames = np.arange(len(planted))
    for foot, leg in enumerate(joint_names.legs(clip.motion.skeleton)):
        airborne = np.zeros(len(planted), dtype=bool)
        for swing in swings:
            if swing.foot == foot:
                airborne |= (frames > swing.first) & (frames < swing.last)
        for p, point in enumerate(clip.contacts.points):
            if point.joint in (leg.end, leg.toe):
                planted[:, p] = ~airborne
    return Contacts(clip.contacts.points, planted, clip.contacts.ground)


def _ease(share: FloatArray) -> FloatArray:
    """Rise from 0 to 1 with no speed and no acceleration at either end."""
    share = np.clip(share, 0.0, 1.0)
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
