"""What all kernels that grow trees share: what may follow a node, and which clip it plays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.characters.kernels.clip_choice import choose_clip, scramble
from gambol.kernels.jit import allocation_free_kernel


class Branching(NamedTuple):
    """B behaviors, C clips; rows of what may follow, one for each behavior and then one for the root."""

    inner: np.ndarray  # behaviors to go on with, by row
    first_inner: np.ndarray  # (B + 2,) where each row begins in `inner`
    ending: np.ndarray  # behaviors after which nothing comes, by row
    first_ending: np.ndarray  # (B + 2,) where each row begins in `ending`
    is_ending: np.ndarray  # (B,)
    behavior_clips: np.ndarray  # (B + 1,) first clip of each behavior
    clip_behavior: np.ndarray  # (C,)
    displacement: np.ndarray  # (C, 3) x, y, heading


@allocation_free_kernel
def clip_of_child(branching, seed, parent, behavior):
    """Return the clip that a behavior plays after a node; a hash of the seed and of both, whoever asks."""
    first = branching.behavior_clips[behavior]
    count = branching.behavior_clips[behavior + 1] - first
    if count == 1:
        return first
    return first + choose_clip(seed, scramble(parent & 0xFFFFFFFF), behavior, count)


@allocation_free_kernel
def row_of(branching, node, clip):
    """Return the row of what may follow a node."""
    return len(branching.is_ending) if node == 0 else np.int64(branching.clip_behavior[clip[node]])
