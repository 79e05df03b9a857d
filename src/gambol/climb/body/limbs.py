"""Arms and legs in space: two bones from a joint to where their end shall be, bent to one side."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray

STRAIGHTEST = 1.0 - 1e-7  # of the two bones' length


class LimbPose(NamedTuple):
    """Orientations of both bones in the body's space, and where joint and end come."""

    upper: FloatArray  # (F, 4)
    lower: FloatArray  # (F, 4)
    middle: FloatArray  # (F, 3)
    end: FloatArray  # (F, 3)
    upper_direction: FloatArray  # (F, 3)
    lower_direction: FloatArray  # (F, 3)


def unit(vectors: FloatArray) -> FloatArray:
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12)


def across(vectors: FloatArray, axis: FloatArray) -> FloatArray:
    """Return the directions of what is left of vectors at right angles to unit axes."""
    return unit(vectors - np.sum(vectors * axis, axis=-1, keepdims=True) * axis)


def frames_between(along: FloatArray, aside: FloatArray, rest_along: FloatArray, rest_aside: FloatArray) -> FloatArray:
    """Return the rotations (F, 4) that take two directions at right angles at rest to others (F, 3)."""
    rest = np.stack((rest_along, rest_aside, np.cross(rest_along, rest_aside)), axis=-1)
    there = np.stack((along, aside, np.cross(along, aside)), axis=-1)
    return quaternion.continuous(quaternion.from_matrix(there @ rest.T))


def bend_limb(
    root: FloatArray,
    end: FloatArray,
    lengths: tuple[float, float],
    to_middle: FloatArray,
    rest: tuple[FloatArray, FloatArray],
) -> LimbPose:
    """Bend limbs so that their ends come to points (F, 3), or as near as they reach.

    to_middle: (F, 3) where knee or elbow stands off the line from root to end.
    rest: the bones' direction at rest, and the axis about which the lower one bends there.
    """
    upper, lower = lengths
    way = end - root
    distance = np.linalg.norm(way, axis=-1, keepdims=True)
    line = way / np.maximum(distance, 1e-9)
    span = np.clip(distance, abs(upper - lower) + 1e-6, STRAIGHTEST * (upper + lower))
    aside = across(to_middle, line)
    cosine = np.clip((upper**2 + span**2 - lower**2) / (2.0 * upper * span), -1.0, 1.0)
    first = cosine * line + np.sqrt(1.0 - cosine**2) * aside
    middle = root + upper * first
    reached = root + span * line
    second = unit(reached - middle)
    hinge: FloatArray = np.asarray(np.cross(aside, line), dtype=np.float64)
    return LimbPose(
        frames_between(first, hinge, *rest), frames_between(second, hinge, *rest), middle, reached, first, second
    )


def turned_about(directions: FloatArray, axis: FloatArray, angle: FloatArray) -> FloatArray:
    """Turn directions (F, 3) at right angles to unit axes about them."""
    return np.cos(angle)[:, None] * directions + np.sin(angle)[:, None] * np.cross(axis, directions)
