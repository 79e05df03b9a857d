"""Parts of the body that vary partly on their own.

Four examples deviate in three directions only: by them alone, a neck would tell where a hand is.  What few examples say
of numbers far from each other is mostly chance, so it is believed in part: parts of the body share one half of their
variance, and have the other to themselves.  Samples of the weather are localised likewise, for the same reason.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.motion.joint_names import arms
from gambol.motion.skeleton import Skeleton
from gambol.variation.encoding import Encoding

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
SHARED = 0.5  # of the variance of weights, by all parts of the body
LOWER, TRUNK, FIRST_ARM = 0, 1, 2


def joint_regions(skeleton: Skeleton) -> IntArray:
    """Return the part of the body of each joint (J,): root and legs, trunk and head, one for each arm."""
    regions = np.full(skeleton.joint_count, LOWER, dtype=np.int64)
    limbs = arms(skeleton)
    for joint in range(1, skeleton.joint_count):
        below = skeleton.is_below(joint)
        if any(below[limb.root] for limb in limbs) or regions[skeleton.parents[joint]] == TRUNK:
            regions[joint] = TRUNK
    for index, limb in enumerate(limbs):
        regions[skeleton.is_below(limb.root)] = FIRST_ARM + index
    return regions


def number_regions(encoding: Encoding, points: int) -> IntArray:
    """Return the part of the body of each number (D,), of each point's (3 P,) and of the pace: the last (C + 1,)."""
    own = joint_regions(encoding.skeleton)[encoding.joints]
    return np.concatenate((own, np.full(3 * points + 1, LOWER)))


def localised(weights: FloatArray, regions: int) -> FloatArray:
    """Return weights (N, R, L) of parts of the body, from independent ones (N, (1 + R) L): the shared ones first."""
    parts = weights.reshape(len(weights), 1 + regions, -1)
    return np.sqrt(SHARED) * parts[:, :1] + np.sqrt(1.0 - SHARED) * parts[:, 1:]
