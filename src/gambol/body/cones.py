"""Rounded cones: what bodies are made of."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray


class Cones(NamedTuple):
    """Rounded cones: two spheres and the hull around them."""

    start: FloatArray  # (C, 3)
    end: FloatArray  # (C, 3)
    start_radius: FloatArray  # (C,)
    end_radius: FloatArray  # (C,)

    def select(self, which: NDArray | list[int]) -> Cones:
        """Return some of the cones, by a mask (C,) or by indices."""
        return Cones(*(values[which] for values in self))


def cone_distance(points: FloatArray, cones: Cones, cone: int) -> tuple[FloatArray, FloatArray]:
    """Return the signed distances of points (P, 3) from one cone, negative inside, and unit vectors out of it.

    A rounded cone is all the balls along its axis; what counts is the one that reaches farthest
    towards the point, whose centre is where the flank's normal through the point meets the axis.
    """
    axis = cones.end[cone] - cones.start[cone]
    length = float(np.linalg.norm(axis))
    start_radius, taper = float(cones.start_radius[cone]), float(cones.end_radius[cone] - cones.start_radius[cone])
    outward = points - cones.start[cone]
    if length > abs(taper):
        along = outward @ (axis / length)
        aside = np.sqrt(np.maximum(np.einsum("ij,ij->i", outward, outward) - along * along, 0.0))
        slant = taper / np.sqrt(length * length - taper * taper)
        share = np.clip((along + slant * aside) / length, 0.0, 1.0)
    else:
        # One end holds the other.
        share = np.full(len(points), 1.0 if taper > 0.0 else 0.0)
    outward -= share[:, None] * axis
    away = np.sqrt(np.einsum("ij,ij->i", outward, outward))
    outward /= np.maximum(away, 1e-300)[:, None]
    return away - (start_radius + share * taper), outward
