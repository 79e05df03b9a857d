"""A climb and the ways on the ground before and after it, as one motion."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy

from gambol.characters.splice import fading
from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.joint_names import legs
from gambol.motion.motion import Motion
from gambol.motion.skeleton import same_bones
from gambol.motion.two_bone_ik import reach_targets

STEP_S, SETTLE_S = 0.45, 0.30  # one foot's step, and a change of posture without any
STILL_M = 0.004  # a foot that is off by less does not step
LOWEST_STEP_M, HIGHEST_STEP_M, STEP_RISE = 0.02, 0.07, 0.25  # how high feet are lifted, by how far they go
EASY_REACH = 0.975  # of a leg's length: a straighter one lets the hips down
SPREAD_S = 0.12  # of being let down
SPEED_S = 0.25  # in which the speeds at the ends die away
FARTHEST_M = 1.0  # feet that are farther off belong to motions that do not meet


def join(approach: Motion | None, climb: Motion, onward: Motion | None) -> Motion:
    """Return one motion: the approach, the climb, and the way onward, each as it is.

    Between them the figure settles from one posture into the other.  Its feet stay where they stand; one that stands
    elsewhere in the next part takes a step there, first the one that has farther to go.
    """
    parts = [part for part in (approach, climb, onward) if part is not None]
    for part in parts:
        if not same_bones(part.skeleton, climb.skeleton) or part.rate_hz != climb.rate_hz:
            raise InvalidInput("motions to join must be of one skeleton, at one rate")
        if part.translations is not None:
            raise InvalidInput("only motions with rigid bones can be joined")
    joined = parts[0]
    for part in parts[1:]:
        joined = _appended(joined, settle(joined, part), part)
    return joined


def settle(before: Motion, after: Motion) -> Motion:
    """Return the frames between the last one of a motion and the first one of another, both included."""
    rate_hz = before.rate_hz
    ends = [(before.world_positions[-1, leg.end], after.world_positions[0, leg.end]) for leg in legs(before.skeleton)]
    off = [float(np.linalg.norm(there - here)) for here, there in ends]
    if max(off) > FARTHEST_M:
        raise InvalidInput(f"motions to join must meet: a foot is {max(off):.2f} m from where it should go on")
    order = [leg for leg in np.argsort(off)[::-1].tolist() if off[leg] > STILL_M]
    duration_s = SETTLE_S + STEP_S * len(order)
    frames = round(duration_s * rate_hz) + 1
    t = np.arange(frames) / rate_hz
    steps: list[_Step] = []
    for number, (here, there) in enumerate(ends):
        waits = 0.5 * SETTLE_S + STEP_S * order.index(number) if number in order else 0.0
        share = np.clip((t - waits) / STEP_S, 0.0, 1.0) if number in order else t / t[-1]
        height = np.clip(STEP_RISE * off[number], LOWEST_STEP_M, HIGHEST_STEP_M) if number in order else 0.0
        share, lift = _eased(share), height * np.sin(np.pi * share) ** 2
        steps.append(_Step(share, here + share[:, None] * (there - here) + lift[:, None] * (0.0, 0.0, 1.0)))
    bridge = _lowered(_between(before, after, t / t[-1]), steps)
    for leg, step in zip(legs(before.skeleton), steps, strict=True):
        turned = quaternion.slerp(before.world_rotations[-1, leg.end], after.world_rotations[0, leg.end], step.share)
        bridge = reach_targets(bridge, leg, step.ankles, end_rotations=turned, reach=1.0)
    return bridge


class _Step(NamedTuple):
    """Where a foot is from one posture to the next."""

    share: FloatArray  # (F,) of its way
    ankles: FloatArray  # (F, 3)


def _between(before: Motion, after: Motion, t: FloatArray) -> Motion:
    """Go over from one posture to another along eased curves that leave and arrive at the motions' own speeds."""
    share = _eased(t)
    _, leaving = fading(len(t), SPEED_S * before.rate_hz)
    arriving = -leaving[::-1]
    roots = before.root_positions[-1] + share[:, None] * (after.root_positions[0] - before.root_positions[-1])
    rotations = quaternion.slerp(before.rotations[-1], after.rotations[0], share[:, None])
    for curve, motion, frames in ((leaving, before, (-2, -1)), (arriving, after, (0, 1))):
        if motion.frame_count < 2:
            continue
        first, second = frames
        roots = roots + curve[:, None] * (motion.root_positions[second] - motion.root_positions[first])
        turn = quaternion.multiply(quaternion.conjugate(motion.rotations[first]), motion.rotations[second])
        rotations = quaternion.multiply(rotations, quaternion.exp(curve[:, None, None] * quaternion.log(turn)))
    return replace(before, root_positions=roots, rotations=rotations)


def _lowered(bridge: Motion, steps: list[_Step]) -> Motion:
    """Let the hips down as far as both legs need to reach their feet without being straighter than at the ends."""
    down = np.zeros(bridge.frame_count)
    for leg, step in zip(legs(bridge.skeleton), steps, strict=True):
        length = float(bridge.skeleton.bone_lengths[[leg.middle, leg.end]].sum())
        way = step.ankles - bridge.world_positions[:, leg.root]
        ends = np.linalg.norm(way[[0, -1]], axis=1) / length
        most = length * np.maximum(EASY_REACH, ends[0] + step.share * (ends[1] - ends[0]))
        needed = np.sqrt(np.maximum(most**2 - np.sum(way[:, :2] ** 2, axis=1), 0.0))
        down = np.maximum(down, -way[:, 2] - needed)
    reach = round(SPREAD_S * bridge.rate_hz)
    wide = scipy.ndimage.maximum_filter1d(down, 2 * reach + 1)
    from_ends = np.minimum(np.arange(len(down)), np.arange(len(down))[::-1]) / max(reach, 1)
    eased = scipy.ndimage.gaussian_filter1d(wide, 0.5 * reach) * _eased(np.clip(from_ends, 0.0, 1.0))
    roots = bridge.root_positions - np.maximum(down, eased)[:, None] * (0.0, 0.0, 1.0)
    return replace(bridge, root_positions=roots)


def _eased(t: FloatArray) -> FloatArray:
    return t**3 * (10.0 - 15.0 * t + 6.0 * t**2)


def _appended(joined: Motion, bridge: Motion, part: Motion) -> Motion:
    """Put a bridge and a part behind a motion; the bridge's own ends are theirs."""
    return replace(
        joined,
        root_positions=np.concatenate((joined.root_positions, bridge.root_positions[1:-1], part.root_positions)),
        rotations=np.concatenate((joined.rotations, bridge.rotations[1:-1], part.rotations)),
    )
