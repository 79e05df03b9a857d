"""Put clips one after the other, where their labels agree, as one clip."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from tools.authoring.authored import AuthoredClip

from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.motion.contacts import Contacts
from gambol.motion.motion import Motion


def joined(name: str, clips: Sequence[AuthoredClip]) -> AuthoredClip:
    """Return one clip that does what some clips do in turn; each must end at the label where the next begins."""
    for before, after in pairwise(clips):
        if before.ends != after.begins:
            raise InvalidInput(f"{before.name!r} ends at {before.ends}, but {after.name!r} begins at {after.begins}")
    world_from_start = np.zeros(3)
    paths, roots, rotations, planted = [], [], [], []
    for number, clip in enumerate(clips):
        count = clip.motion.frame_count
        first = 0 if number == 0 else clip.margin + 1
        last = count if number == len(clips) - 1 else count - clip.margin
        frames = slice(first, last)
        paths.append(planar.compose(world_from_start, clip.path[frames]))
        turned = np.array(clip.motion.rotations[frames])
        turned[:, 0] = quaternion.multiply(quaternion.from_heading(world_from_start[2]), turned[:, 0])
        rotations.append(turned)
        roots.append(np.column_stack((paths[-1][:, :2], clip.motion.root_positions[frames, 2])))
        planted.append(clip.contacts.planted[frames])
        world_from_start = planar.compose(world_from_start, clip.path[count - 1 - clip.margin])
    motion = Motion(clips[0].motion.skeleton, clips[0].motion.rate_hz, np.vstack(roots), np.concatenate(rotations))
    contacts = Contacts(clips[0].contacts.points, np.vstack(planted), clips[0].contacts.ground)
    return AuthoredClip(name, clips[0].begins, clips[-1].ends, motion, np.vstack(paths), contacts)
