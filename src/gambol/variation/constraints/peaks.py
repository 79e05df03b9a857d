"""Keep accelerations hardly higher than in the examples: where a joint is jerked, smooth its movers for a moment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.motion.motion import Motion
from gambol.variation.encoding import ROOT_COUNT, Encoding
from gambol.variation.examples import Examples

MOST_SHARPER = 1.15  # times the examples' highest acceleration of a joint: only higher ones are smoothed
OWN_SHARE = 0.5  # share of a peak: a limb is blamed if it accelerates by more than this relative to the root
ROUNDS = 20  # the most rounds of smoothing
AROUND_S = 0.03  # seconds: standard deviation of the bell that is smoothed around a peak
FIRST_STEP = 0.05  # frames to the fourth: stiffness added around a peak in the first round
STEP_GROWTH = 1.4  # factor from the stiffness that one round adds to that of the next
SECOND = (1.0, -2.0, 1.0)  # weights of a second difference
CACHED = 8  # sets of examples whose peaks are kept


@dataclass(frozen=True, eq=False)
class Peaks:
    """The highest acceleration of each joint in the world."""

    encoding: Encoding
    highest_m_s2: FloatArray  # (J,)

    def __post_init__(self) -> None:
        object.__setattr__(self, "highest_m_s2", frozen_array(self.highest_m_s2))
        if self.highest_m_s2.shape != (self.encoding.skeleton.joint_count,):
            raise InvalidInput(f"one acceleration for each of {self.encoding.skeleton.joint_count} joints expected")

    def sharper(self, motion: Motion) -> FloatArray:
        """Return a motion's accelerations as multiples of these (F - 2, J)."""
        return accelerations(motion) / np.maximum(self.highest_m_s2, 1e-9)

    def calmed(self, values: FloatArray, *, most: float = MOST_SHARPER) -> FloatArray:
        """Return numbers (F, D) whose motion is nowhere much sharper than this, as far as smoothing can do it.

        Where a joint accelerates sharply relative to the root, the joints between them are smoothed, and the root
        otherwise.  Numbers that move nothing too sharply stay as they are.
        """
        calm, stiffness = np.array(values), np.zeros((max(len(values) - 2, 0), self.encoding.count))
        around, step = AROUND_S * self.encoding.rate_hz, FIRST_STEP
        for _ in range(ROUNDS):
            motion = self.encoding.decode(calm)
            over = self.sharper(motion) > most  # (F - 2, J)
            if not over.any():
                break
            own = np.linalg.norm(np.diff(_from_root(motion), n=2, axis=0), axis=-1) * motion.rate_hz**2
            by_limb = own > OWN_SHARE * most * self.highest_m_s2
            blamed = (over & by_limb).astype(np.float64) @ self._moved_by
            blamed[:, :ROOT_COUNT] += (over & ~by_limb).any(axis=1)[:, None]
            near = scipy.ndimage.gaussian_filter1d(np.minimum(blamed, 1.0), around, axis=0, mode="nearest")
            stiffness += step * np.sqrt(2.0 * np.pi) * around * near
            step *= STEP_GROWTH
            for column in np.flatnonzero(stiffness.any(axis=0)):
                calm[:, column] = _stiffened(values[:, column], stiffness[:, column])
        return calm

    @property
    def _moved_by(self) -> FloatArray:
        """Return which numbers move each joint relative to the root (J, D): those of the joints above it."""
        skeleton, joints = self.encoding.skeleton, self.encoding.joints
        moved = np.zeros((skeleton.joint_count, self.encoding.count))
        for joint in range(1, skeleton.joint_count):
            parent = int(skeleton.parents[joint])
            if parent > 0:
                moved[joint] = moved[parent] + (joints == parent)
        return moved


@lru_cache(maxsize=CACHED)
def peaks_of(examples: Examples) -> Peaks:
    """Return the highest acceleration of each joint over all examples."""
    highest = np.max([accelerations(item.motion).max(axis=0) for item in examples.items], axis=0)
    return Peaks(examples.encoding, highest)


def accelerations(motion: Motion) -> FloatArray:
    """Return each joint's acceleration in the world (F - 2, J), metres a second squared."""
    return np.linalg.norm(np.diff(motion.world_positions, n=2, axis=0), axis=-1) * motion.rate_hz**2


def _from_root(motion: Motion) -> FloatArray:
    """Return where joints are, seen from the root (F, J, 3)."""
    back = quaternion.conjugate(motion.world_rotations[:, :1])
    return quaternion.rotate(back, motion.world_positions - motion.world_positions[:, :1])


def _stiffened(curve: FloatArray, stiffness: FloatArray) -> FloatArray:
    """Return the curve y (F,) near x with the least sum of |y - x|^2 and of stiffness (F - 2,) |y''|^2."""
    count = len(curve)
    bands = np.zeros((3, count))
    bands[0] = 1.0
    for i, one in enumerate(SECOND):
        for j in range(i + 1):
            bands[i - j, j : count - 2 + j] += stiffness * one * SECOND[j]
    return scipy.linalg.solveh_banded(bands, curve, lower=True, check_finite=False)
