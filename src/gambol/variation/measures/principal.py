"""Principal directions of motions' numbers: a few of them describe nearly all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.variation.encoding import ROOT_COUNT, Encoding

ENERGY = 0.99  # share of the energy that the directions should keep [L09 5.6.1]


@dataclass(frozen=True, eq=False)
class PrincipalDirections:
    """The directions along which joints' numbers (in radians) spread the most, the widest first."""

    mean: FloatArray  # (N,)
    directions: FloatArray  # (K, N) unit, K = N or the number of frames if that is less
    energies: FloatArray  # (K,) shares of all squares about the mean; they sum to 1

    def __post_init__(self) -> None:
        for name in ("mean", "directions", "energies"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))

    def needed(self, share: float = ENERGY) -> int:
        """Return how many directions keep a share of the energy."""
        return int(np.searchsorted(np.cumsum(self.energies), share - 1e-12) + 1)

    def project(self, values: FloatArray, count: int) -> FloatArray:
        """Return how far a motion's numbers (F, D) lie along the first directions, (F, count)."""
        return (_joints(values) - self.mean) @ self.directions[:count].T

    def kept(self, values: FloatArray, count: int) -> float:
        """Return the share of a motion's squares about the mean that the first directions keep."""
        about = _joints(values) - self.mean
        total = float(np.sum(about**2))
        return float(np.sum((about @ self.directions[:count].T) ** 2)) / total if total > 0.0 else 1.0


def principal_directions(encoding: Encoding, motions: Sequence[FloatArray]) -> PrincipalDirections:
    """Return the directions of all frames of motions (F, D); the root's numbers, in other units, are left out."""
    values = np.concatenate([_joints(motion) for motion in motions])
    if encoding.count == ROOT_COUNT:  # nothing but the root moves
        return PrincipalDirections(np.zeros(0), np.zeros((0, 0)), np.zeros(0))
    mean = values.mean(axis=0)
    _, widths, directions = np.linalg.svd(values - mean, full_matrices=False)
    return PrincipalDirections(mean, directions, widths**2 / np.sum(widths**2))


def _joints(values: FloatArray) -> FloatArray:
    return values[:, ROOT_COUNT:]
