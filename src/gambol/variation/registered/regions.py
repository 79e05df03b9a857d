"""Parts of the body that vary partly on their own.

Four examples deviate in three directions only: by them alone, a foot would tell where a hand is.  What few examples say
of numbers far from each other is mostly chance, so it is believed in part: arms and the rest of the body share one half
of their variance, and have the other to themselves.  Ensembles of weather forecasts are localised for the same reason.
"""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.motion.joint_names import arms
from gambol.motion.skeleton import Skeleton
from gambol.variation.encoding import Encoding

SHARED = 0.5  # of the variance of weights, by all parts of the body
BODY, FIRST_ARM = 0, 1


def joint_regions(skeleton: Skeleton) -> Int64Array:
    """Return the part of the body of each joint (J,): one for each arm, and one for all that balances on the feet."""
    regions = np.full(skeleton.joint_count, BODY, dtype=np.int64)
    for index, limb in enumerate(arms(skeleton)):
        regions[skeleton.is_below(limb.root)] = FIRST_ARM + index
    return regions


def number_regions(encoding: Encoding, points: int) -> Int64Array:
    """Return the part of the body of each number (D,), of each point's (3 P,) and of the pace: the last (C + 1,)."""
    own = joint_regions(encoding.skeleton)[encoding.joints]
    return np.concatenate((own, np.full(3 * points + 1, BODY)))


def localised(weights: FloatArray, regions: int) -> FloatArray:
    """Return weights (N, R, L) of parts of the body, from independent ones (N, (1 + R) L): the shared ones first."""
    parts = weights.reshape(len(weights), 1 + regions, -1)
    return np.sqrt(SHARED) * parts[:, :1] + np.sqrt(1.0 - SHARED) * parts[:, 1:]
