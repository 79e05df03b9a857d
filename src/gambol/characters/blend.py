"""Blend two clips where one follows the other.

Around the join, joint rotations and the root's height pass from the first clip, which continues into its
margin, to the second, which begins in its margin.  The weights have soft ends [LK05 3.4].  The root in the
ground plane is not blended: it follows the first clip up to the join, then the second, so the motion goes
where the plan says; only a corner between two speeds is rounded, by less than a centimetre.  Planted feet
and hands stay where one of the clips plants them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.characters.motion_table import (
    MotionTable,
    room_for_joins,
    struct_of_clips,
    struct_of_limbs,
    tabulate_clips,
    tabulate_limbs,
)
from gambol.core import lib, pointer, struct
from gambol.errors import InvalidInput
from gambol.geometry.arrays import Int64Array
from gambol.motion.contacts import Contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion

MOST_PAIRS = 2_000_000  # pairs of clips: the most to blend beforehand; each takes a millisecond


@dataclass(frozen=True, eq=False)
class Blend:
    """The frames around a join, seen from the join's pose: the join is at the origin, facing +X."""

    window: int  # number of frames on either side of the join
    motion: Motion  # 2 * window + 1 frames, the join in the middle; the first frame is a's own, the last b's
    contacts: Contacts


def blend_join(a: Clip, b: Clip, *, clean_feet: bool = True) -> Blend:
    """Blend the end of one clip with the beginning of the next.

    The window is as long as the shorter margin, and at most half of the shorter clip: the two windows of a
    short clip never overlap.

    clean_feet: plant feet and hands and round the root's corner; otherwise only blend.
    """
    table = tabulate_clips((a, b))
    windows = join_windows(table, np.array([[0, 1]]))
    frames, joints = 2 * int(windows[0]) + 1, a.motion.skeleton.joint_count
    rigid = len(table.offsets) == 1
    roots, rotations = np.empty((frames, 3)), np.empty((frames, joints, 4))
    offsets = np.empty((1 if rigid else frames, joints, 3))
    planted = np.empty((frames, table.planted.shape[1]), dtype=bool)
    mixed = struct("gb_window", frames=frames, roots=roots, rotations=rotations, offsets=offsets, planted=planted)
    clips, limbs = struct_of_clips(table), struct_of_limbs(tabulate_limbs(a.motion.skeleton, a.contacts.points))
    room = room_for_joins(clips, windows)
    lib.gb_join_blend(clips.c, limbs.c, 0, 1, clean_feet, pointer(room, "double"), mixed.c)
    motion = Motion(a.motion.skeleton, a.motion.rate_hz, roots, rotations, None if rigid else offsets)
    return Blend(motion.frame_count // 2, motion, Contacts(a.contacts.points, planted, Ground(0.0)))


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
