"""Blend two clips where one follows the other.

Around the join, joint rotations and the root's height pass from the first clip, which continues into its
margin, to the second, which begins in its margin.  The weights have soft ends [LK05 3.4].  The root in the
ground plane is not blended: it follows the first clip up to the join, then the second, so the motion goes
where the plan says; only a corner between two speeds is rounded, by less than a centimetre.  Planted feet
and hands stay where one of the clips plants them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.characters.clip import Clip
from gambol.characters.motion_table import (
    join_windows,
    room_for_joins,
    struct_of_clips,
    struct_of_limbs,
    tabulate_clips,
    tabulate_limbs,
)
from gambol.core import lib, pointer, struct
from gambol.motion.contacts import Contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion


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
