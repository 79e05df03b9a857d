"""Planar poses `(x, y, heading)` as arrays of shape (..., 3), and their angles."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gambol.geometry.arrays import FloatArray


def wrap_angle(angle_rad: ArrayLike) -> FloatArray:
    """Bring angles into [-pi, pi)."""
    return (np.asarray(angle_rad, dtype=np.float64) + np.pi) % (2.0 * np.pi) - np.pi


def compose(world_from_a: ArrayLike, a_from_b: ArrayLike) -> FloatArray:
    """Return world_from_b; headings add up without wrapping, so that whole turns stay."""
    outer = np.asarray(world_from_a, dtype=np.float64)
    inner = np.asarray(a_from_b, dtype=np.float64)
    position = apply(outer, inner[..., :2])
    return np.concatenate((position, outer[..., 2:] + inner[..., 2:]), axis=-1)


def invert(a_from_b: ArrayLike) -> FloatArray:
    """Return b_from_a."""
    pose = np.asarray(a_from_b, dtype=np.float64)
    position = -rotate(-pose[..., 2], pose[..., :2])
    return np.concatenate((position, -pose[..., 2:]), axis=-1)


def relative(world_from_a: ArrayLike, world_from_b: ArrayLike) -> FloatArray:
    """Return a_from_b."""
    return compose(invert(world_from_a), world_from_b)


def apply(world_from_a: ArrayLike, points_in_a: ArrayLike) -> FloatArray:
    """Place points (..., 2) given in a's frame."""
    pose = np.asarray(world_from_a, dtype=np.float64)
    return pose[..., :2] + rotate(pose[..., 2], points_in_a)


def rotate(angle_rad: ArrayLike, points: ArrayLike) -> FloatArray:
    """Turn points (..., 2) counter-clockwise about the origin."""
    angle = np.asarray(angle_rad, dtype=np.float64)
    x, y = np.moveaxis(np.asarray(points, dtype=np.float64), -1, 0)
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack((cosine * x - sine * y, sine * x + cosine * y), axis=-1)
