"""How well poses and velocities of two clips fit where one follows the other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.motion import joint_names
from gambol.motion.skeleton import Skeleton

VELOCITY_S = 1.0 / 30.0  # s, > 0: velocities are means over this time on either side of the join


class Ends(NamedTuple):
    """Positions and velocities of a clip's joints at its first or last frame, seen from the path's pose there."""

    positions: FloatArray  # (J, 3) metres
    velocities: FloatArray  # (J, 3) metres a second


class Mismatch(NamedTuple):
    """The differences between one clip's end and another's beginning, as means over the joints."""

    source: str  # behavior
    target: str  # behavior
    pose_m: float  # mean distance of joints, for the pair of clips where it is largest
    velocity_m_s: float  # mean difference of velocities, for the pair of clips where it is largest
    speed_m_s: float  # mean speed of the joints in the fastest clip at the join
    source_clip: str  # the clips with the largest distance of joints
    target_clip: str


def join_mismatches(character: Character) -> list[Mismatch]:
    """Return the mismatch of the worst pair of clips for every allowed transition."""
    joints = compared_joints(character.skeleton)
    firsts: dict[int, Ends] = {}
    lasts: dict[int, Ends] = {}
    distinct: list[list[Clip]] = []
    for behavior in character.behaviors:
        clips = list({id(clip): clip for clip in behavior.clips}.values())
        distinct.append(clips)
        for clip in clips:
            firsts[id(clip)] = clip_ends(clip, joints, at_last=False)
            lasts[id(clip)] = clip_ends(clip, joints, at_last=True)
    found = []
    for row, column in zip(*np.nonzero(np.isfinite(character.transition_costs)), strict=True):
        source, target = character.behaviors[row], character.behaviors[column]
        ends, beginnings = [lasts[id(c)] for c in distinct[row]], [firsts[id(c)] for c in distinct[column]]
        pose, velocity = _distances(ends, beginnings)
        speed = max(float(np.linalg.norm(end.velocities, axis=-1).mean()) for end in (*ends, *beginnings))
        a, b = np.unravel_index(np.argmax(pose), pose.shape)
        clips = distinct[row][a].name, distinct[column][b].name
        found.append(Mismatch(source.name, target.name, float(pose.max()), float(velocity.max()), speed, *clips))
    return found


def clip_ends(clip: Clip, joints: NDArray[np.intp], *, at_last: bool) -> Ends:
    """Return a clip's joints at its first or last frame, seen from the path's pose there."""
    motion = clip.motion
    frame = motion.frame_count - 1 - clip.margin if at_last else clip.margin
    reach = max(1, round(VELOCITY_S * motion.rate_hz))
    # Frames that were not captured are guesses and do not count.
    before, after = (clip.margin, clip.margin) if clip.recorded is None else clip.recorded
    low = frame - min(reach, frame if at_last else before)
    high = frame + min(reach, after if at_last else motion.frame_count - 1 - frame)
    positions = np.array(motion.world_positions[[low, frame, high]][:, joints])
    pose = clip.path[-1 if at_last else 0]
    positions[..., :2] = planar.apply(planar.invert(pose), positions[..., :2])
    return Ends(positions[1], (positions[2] - positions[0]) * motion.rate_hz / max(high - low, 1))


def compared_joints(skeleton: Skeleton) -> NDArray[np.intp]:
    """Return the joints to compare poses by: those with a bone of their own, without fingers."""
    is_finger = np.zeros(skeleton.joint_count, dtype=bool)
    for arm in joint_names.arms(skeleton):
        is_finger |= skeleton.is_below(arm.end)
        is_finger[arm.end] = False
    joints = np.flatnonzero((skeleton.bone_lengths > 0.0) & ~is_finger)
    return joints if len(joints) > 0 else np.array([0])


def _distances(ends: list[Ends], beginnings: list[Ends]) -> tuple[FloatArray, FloatArray]:
    """Return mean distances and mean differences of velocity of all pairs, (A, B) each."""

    def pairs(a: list[FloatArray], b: list[FloatArray]) -> FloatArray:
        return np.stack([np.linalg.norm(np.stack(b) - one, axis=-1).mean(axis=1) for one in a])

    return (
        pairs([end.positions for end in ends], [beginning.positions for beginning in beginnings]),
        pairs([end.velocities for end in ends], [beginning.velocities for beginning in beginnings]),
    )
