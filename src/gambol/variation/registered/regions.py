"""Parts of the body that vary partly on their own.

Four examples deviate in three directions only: by them alone, a foot would determine a hand.  Correlations of numbers
far from each other are mostly chance where examples are few, so they count in part: arms and the rest of the body share
one half of their variance; the other half is their own.  Ensembles of weather forecasts are localised for this reason.
"""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.motion.joint_names import arms
from gambol.motion.skeleton import Skeleton
from gambol.variation.encoding import Encoding

SHARED = 0.5  # 0 to 1: share of the weights' variance that all parts of the body have in common
BODY = 0  # region of everything but the arms
FIRST_ARM = 1  # region of the first arm; the others follow


def joint_regions(skeleton: Skeleton) -> Int64Array:
    """Return the part of the body of each joint (J,): one for each arm, and one for all that balances on the feet."""
    regions = np.full(skeleton.joint_count, BODY, dtype=np.int64)
    for index, limb in enumerate(arms(skeleton)):
        regions[skeleton.is_below(limb.root)] = FIRST_ARM + index
    return regions


def number_regions(encoding: Encoding, points: int) -> Int64Array:
    """Return the part of the body (C + 1,) of each number, then of each point's numbers, and last of the pace."""
    own = joint_regions(encoding.skeleton)[encoding.joints]
    return np.concatenate((own, np.full(3 * points + 1, BODY)))


def localised(weights: FloatArray, regions: int) -> FloatArray:
    """Return weights (N, R, L) of the body's parts, from independent weights (N, (1 + R) L), the shared ones first."""
    parts = weights.reshape(len(weights), 1 + regions, -1)
    return np.sqrt(SHARED) * parts[:, :1] + np.sqrt(1.0 - SHARED) * parts[:, 1:]
