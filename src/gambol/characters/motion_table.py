"""Clips as flat arrays of frames, which are blended and played, and the joins that a character allows between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.core import Struct, lib, struct_of
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.motion import joint_names
from gambol.motion.contacts import ContactPoint, sole_points
from gambol.motion.figure import board_joint, hoofed_legs
from gambol.motion.joint_names import Limb
from gambol.motion.skeleton import Skeleton
from gambol.motion.two_bone_ik import hinge_axis

MOST_PAIRS = 2_000_000  # pairs of clips: the most to blend beforehand; each takes a millisecond


class MotionTable(NamedTuple):
    """C clips with M frames in all, margins included; J joints, P contact points, L limbs."""

    rate_hz: float
    first: np.ndarray  # (C,) row of each clip's first frame: the first of its margin
    margin: np.ndarray  # (C,) frames
    recorded: np.ndarray  # (C, 2) number of captured frames in the margins before and after
    steps: np.ndarray  # (C,) frames from the clip's first to its last, without margins
    end: np.ndarray  # (C, 3) the path's last pose
    root_positions: np.ndarray  # (M, 3) metres
    rotations: np.ndarray  # (M, J, 4) local
    offsets: np.ndarray  # (M, J, 3) metres, or (1, J, 3) where all bones are rigid
    planted: np.ndarray  # (M, P) whether each contact point rests
    hinges: np.ndarray  # (C, L, 3) see `hinge_axis`


class LimbTable(NamedTuple):
    """L limbs, legs first, with P contact points and S points of soles; all points are fixed to joints."""

    parents: np.ndarray  # (J,)
    joints: np.ndarray  # (L, 3) root, middle and end of each limb
    is_leg: np.ndarray  # (L,)
    support: int  # joint of a moving board that the legs stand on, -1 for none
    is_own: np.ndarray  # (L, J) whether a joint is the limb's root or below it, to toes and fingers
    point_limb: np.ndarray  # (P,) the limb of each contact point, -1 for none
    point_joint: np.ndarray  # (P,)
    point_offset: np.ndarray  # (P, 3) metres, in the joint's frame
    sole_limb: np.ndarray  # (S,) the leg of each point that must not sink into the ground
    sole_joint: np.ndarray  # (S,)
    sole_offset: np.ndarray  # (S, 3) metres, in the joint's frame


def tabulate_clips(clips: Sequence[Clip]) -> MotionTable:
    """Put the frames of all clips of one skeleton into one table."""
    skeleton = clips[0].motion.skeleton
    _check_alike(clips)
    limbs = (*_legs(skeleton), *joint_names.arms(skeleton))
    counts = [clip.motion.frame_count for clip in clips]
    rigid = all(clip.motion.translations is None for clip in clips)
    shapes = [(count, skeleton.joint_count, 3) for count in counts]
    hinges = [[hinge_axis(clip.motion, limb) for limb in limbs] for clip in clips]
    return MotionTable(
        rate_hz=clips[0].motion.rate_hz,
        first=np.concatenate(([0], np.cumsum(counts[:-1]))).astype(np.int64),
        margin=np.array([clip.margin for clip in clips], dtype=np.int64),
        recorded=np.array([clip.recorded or (clip.margin, clip.margin) for clip in clips], dtype=np.int64),
        steps=np.array([clip.duration * clip.frames_per_step for clip in clips], dtype=np.int64),
        end=np.array([clip.displacement for clip in clips]),
        root_positions=np.concatenate([clip.motion.root_positions for clip in clips]),
        rotations=np.concatenate([clip.motion.rotations for clip in clips]),
        offsets=np.array(skeleton.offsets[None])
        if rigid
        else np.concatenate(
            [np.broadcast_to(clip.motion.local_offsets, shape) for clip, shape in zip(clips, shapes, strict=True)]
        ),
        planted=np.concatenate([clip.contacts.planted for clip in clips]),
        hinges=np.array(hinges).reshape(len(clips), len(limbs), 3),
    )


def tabulate_limbs(skeleton: Skeleton, points: Sequence[ContactPoint]) -> LimbTable:
    """Collect the legs and arms of a skeleton with their contact points."""
    legs, arms = _legs(skeleton), joint_names.arms(skeleton)
    limbs = (*legs, *arms)
    owners = {f"{leg.side}_{part}": index for index, leg in enumerate(legs) for part in ("heel", "toe", "hoof")}
    owners |= {f"{arm.side}_hand": len(legs) + index for index, arm in enumerate(arms)}
    soles = [(index, point) for index, leg in enumerate(legs) for point in sole_points(skeleton, leg)]
    joints = np.array([(limb.root, limb.middle, limb.end) for limb in limbs], dtype=np.int64).reshape(-1, 3)
    own = np.array([skeleton.is_below(limb.root) for limb in limbs], dtype=bool).reshape(-1, skeleton.joint_count)
    return LimbTable(
        parents=skeleton.parents,
        joints=joints,
        is_leg=np.arange(len(limbs)) < len(legs),
        support=board_joint(skeleton),
        is_own=own,
        point_limb=np.array([owners.get(point.name, -1) for point in points], dtype=np.int64),
        point_joint=np.array([point.joint for point in points], dtype=np.int64),
        point_offset=np.array([point.offset for point in points], dtype=np.float64).reshape(-1, 3),
        sole_limb=np.array([index for index, _ in soles], dtype=np.int64),
        sole_joint=np.array([point.joint for _, point in soles], dtype=np.int64),
        sole_offset=np.array([point.offset for _, point in soles], dtype=np.float64).reshape(-1, 3),
    )


def _legs(skeleton: Skeleton) -> tuple[Limb, ...]:
    return (*joint_names.legs(skeleton), *hoofed_legs(skeleton))


def _check_alike(clips: Sequence[Clip]) -> None:
    """Refuse clips that cannot be joined: their joints, rates or contact points differ."""
    one = clips[0]
    for other in clips[1:]:
        for what, its, expected in (
            ("skeleton", other.motion.skeleton.names, one.motion.skeleton.names),
            ("rate", other.motion.rate_hz, one.motion.rate_hz),
            ("frames per step", other.frames_per_step, one.frames_per_step),
            ("contact points", [p.name for p in other.contacts.points], [p.name for p in one.contacts.points]),
        ):
            if its != expected:
                raise InvalidInput(f"clips {one.name!r} and {other.name!r} cannot be joined: they differ in {what}")


def struct_of_clips(table: MotionTable) -> Struct:
    """Return the frames of clips as the core reads them."""
    return struct_of(
        "gb_clip_frames",
        table,
        joints=table.rotations.shape[1],
        points=table.planted.shape[1],
        is_rigid=len(table.offsets) == 1,
    )


def struct_of_limbs(limbs: LimbTable) -> Struct:
    """Return legs and arms as the core reads them."""
    return struct_of(
        "gb_limbs",
        limbs,
        joints=len(limbs.parents),
        limbs=len(limbs.joints),
        points=len(limbs.point_limb),
        soles=len(limbs.sole_limb),
        chain=limbs.joints,
    )


def room_for_joins(clips: Struct, windows: Int64Array) -> FloatArray:
    """Return room to blend as many frames on either side of a join as the widest of some windows has."""
    return np.empty(lib.gb_join_room(clips.c, int(windows.max(initial=0))))


def join_windows(table: MotionTable, pairs: Int64Array) -> Int64Array:
    """Return for pairs (N, 2) of clips how many frames on either side of their join are blended."""
    one, two = pairs.T
    margin = np.minimum(table.margin[one], table.margin[two])
    return np.minimum(margin, np.minimum(table.steps[one], table.steps[two]) // 2)


def distinct_clips(character: Character) -> tuple[tuple[Clip, ...], tuple[Int64Array, ...]]:
    """Return a character's clips, each object once, and for each behavior the numbers of its clips."""
    numbers: dict[int, int] = {}
    clips: list[Clip] = []
    members = []
    for behavior in character.behaviors:
        for clip in behavior.clips:
            if id(clip) not in numbers:
                numbers[id(clip)] = len(clips)
                clips.append(clip)
        members.append(np.array([numbers[id(clip)] for clip in behavior.clips], dtype=np.int64))
    return tuple(clips), tuple(members)


def allowed_pairs(character: Character, members: Sequence[Int64Array]) -> Int64Array:
    """Return pairs (N, 2) of distinct clips that may follow one another, each pair once, in ascending order."""
    own = [np.unique(numbers) for numbers in members]
    count = 1 + max(int(numbers[-1]) for numbers in own)
    transitions = np.argwhere(np.isfinite(character.transition_costs))
    sizes = np.array([len(numbers) for numbers in own])
    if (most := int(sizes[transitions].prod(axis=1).sum())) > MOST_PAIRS:
        raise InvalidInput(
            f"character {character.name!r} has up to {most:,} pairs of clips; at most {MOST_PAIRS:,} can be blended "
            "beforehand"
        )
    keys = [np.empty(0, dtype=np.int64)]
    for source, target in transitions:
        keys.append((own[source][:, None] * count + own[target]).ravel())
    return np.column_stack(np.divmod(np.unique(np.concatenate(keys)), count))
