"""Units of length, and guesses for files that do not say theirs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from gambol.errors import InvalidInput, UnknownName
from gambol.motion.skeleton import Skeleton

#: Metres in one file unit.  CMU's captures count in inches times 0.45.
METRES: Mapping[str, float] = MappingProxyType(
    {"m": 1.0, "cm": 0.01, "mm": 0.001, "inch": 0.0254, "cmu": 0.0254 / 0.45}
)
AUTO = "auto"  # in place of a unit: guess it
ADULT_CHAIN_M = 1.2  # metres along an adult's bones from the hips: about 1.1 to the toes, 1.4 to the fingers
PLAUSIBLE_CHAIN_M = (0.62, 3.0)  # metres: shortest and longest such chain believed in the common units, cm and m


def metres_per_unit(unit: str | float) -> float:
    """Return the metres in a unit, given by name or as a number."""
    if isinstance(unit, str):
        if unit not in METRES:
            raise UnknownName("unit", unit, tuple(METRES))
        return METRES[unit]
    if not (math.isfinite(unit) and unit > 0.0):
        raise InvalidInput(f"a unit must be a positive number of metres, not {unit}")
    return float(unit)


def guess_unit(skeleton: Skeleton) -> str:
    """Return the name of the unit in which a skeleton, read without scaling, is nearest to an adult's size.

    The size is measured along the bones, so that it does not depend on the rest pose.
    """
    chain = longest_chain(skeleton)
    if chain <= 0.0:
        return "cm"
    for common in ("cm", "m"):  # the units of most files, of children and giants too
        if PLAUSIBLE_CHAIN_M[0] <= chain * METRES[common] <= PLAUSIBLE_CHAIN_M[1]:
            return common
    return min(METRES, key=lambda unit: abs(math.log(chain * METRES[unit] / ADULT_CHAIN_M)))


def longest_chain(skeleton: Skeleton) -> float:
    """Return the length of the longest chain of bones from the root to a tip, in the file's unit."""
    reach = np.array(skeleton.bone_lengths)
    for joint in range(1, skeleton.joint_count):
        reach[joint] += reach[skeleton.parents[joint]]
    tips = reach[skeleton.tip_parents] + np.linalg.norm(skeleton.tip_offsets, axis=1)
    return float(max(reach.max(), tips.max(initial=0.0)))
