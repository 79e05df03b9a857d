"""What the characters of a running crowd play at its present frame, as columns for `place_joints`."""

from __future__ import annotations

import numpy as np

from gambol.crowd.kernels.poses import NO_CLIP
from gambol.kernels.jit import allocation_free_kernel


@allocation_free_kernel
def gather_present(clips, flock, count, now, clip, before, after, phase, pose):
    """Fill columns (N,) and poses (N, 3), by place, for all who are there; clips are numbered within their kind.

    After the last clip of a trajectory comes standing.  Which of the clips of standing makes no difference to how the
    one before it ends.
    """
    for place in range(count):
        if not flock.taken[place]:
            continue
        kind = flock.kind[place]
        first = clips.first_clip[kind]
        following = clips.stand[clips.first_stand[kind]]
        if flock.count[place] > 1:
            following = flock.clip[place, 1]
        clip[place] = flock.clip[place, 0] - first
        after[place] = following - first
        before[place] = flock.before[place] - first if flock.before[place] >= 0 else NO_CLIP
        phase[place] = now - flock.frame[place, 0]
        for axis in range(3):
            pose[place, axis] = flock.pose[place, 0, axis]


@allocation_free_kernel
def list_kind(flock, ids, count, kind, places, whose):
    """List the places taken by a kind, and the numbers of those who are there; return how many there are."""
    total = np.int64(0)
    for place in range(count):
        if flock.taken[place] and flock.kind[place] == kind:
            places[total], whose[total] = place, ids[place]
            total += 1
    return total
