"""Planes that lie on the ground, and smooth curves over time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.geometry.smoothing import gaussian
from gambol.world.terrain import Terrain

GRIP = 1e6  # > 0: cost of missing a held value, relative to bending between frames; larger misses by less


class Plane(NamedTuple):
    """A plane through `origin`; level ground is turned onto it about the origin."""

    origin: FloatArray  # (..., 3)
    gradient: FloatArray  # (..., 2) rise per metre along x and y

    def carry(self, points: FloatArray) -> FloatArray:
        """Return points (..., 3) over level ground at height zero, moved onto the plane."""
        below = self.origin * np.array([1.0, 1.0, 0.0])
        return self.origin + quaternion.rotate(tilt(self.gradient), points - below)

    def heights(self, points: FloatArray) -> FloatArray:
        """Return the plane's heights (...) at points (..., 2 or 3)."""
        return self.origin[..., 2] + np.sum(self.gradient * (points[..., :2] - self.origin[..., :2]), axis=-1)


def tilt(gradient: FloatArray) -> FloatArray:
    """Return the smallest turns (..., 4) from level ground onto planes with gradients (..., 2)."""
    size = np.linalg.norm(gradient, axis=-1, keepdims=True)
    scale = np.where(size > 1e-12, np.arctan(size) / np.where(size > 1e-12, size, 1.0), 1.0)
    turn = scale * gradient
    return quaternion.exp(np.stack((turn[..., 1], -turn[..., 0], np.zeros(turn.shape[:-1])), axis=-1))


def plane_under(terrain: Terrain, back: FloatArray, front: FloatArray, half_width_m: float) -> Plane:
    """Return planes through the ground at back and front (..., 2), with the ground's sideways slope in between."""
    ahead = front - back
    length = np.linalg.norm(ahead, axis=-1, keepdims=True)
    ahead = ahead / length
    left = np.stack((-ahead[..., 1], ahead[..., 0]), axis=-1)
    middle = 0.5 * (front + back)
    height = terrain.height(front)
    along = (height - terrain.height(back))[..., None] / length
    across = terrain.height(middle + half_width_m * left) - terrain.height(middle - half_width_m * left)
    gradient = along * ahead + across[..., None] / (2.0 * half_width_m) * left
    return Plane(np.concatenate((front, height[..., None]), axis=-1), gradient)


def smooth(tracks: FloatArray, sigma_frames: float) -> FloatArray:
    """Smooth along the first axis; past their ends tracks continue as their own point reflection."""
    reach = min(len(tracks) - 1, int(np.ceil(4.0 * sigma_frames)))
    if reach < 1:
        return tracks
    padding = ((reach, reach), *((0, 0),) * (tracks.ndim - 1))
    padded = np.pad(tracks, padding, mode="reflect", reflect_type="odd")
    return gaussian(padded, sigma_frames)[reach:-reach]


def bridge(values: FloatArray, held: BoolArray, fade_frames: float) -> FloatArray:
    """Keep values (F, C) in the held frames and continue them over the others, smoothly and fading to zero.

    The curve c has the least sum of grip |c - values|^2 + |c''|^2 + |c|^2 / fade^4.
    """
    frames = len(values)
    if not held.any():
        return np.zeros_like(values)
    if frames < 3:
        return np.where(held[:, None], values, 0.0)
    grip = np.where(held, GRIP, 0.0)
    bands = np.zeros((3, frames))  # the upper half of a symmetric matrix: second, first, main diagonal
    bands[2] = grip + 1.0 / fade_frames**4
    for shift, weight in ((0, 1.0), (1, 4.0), (2, 1.0)):
        bands[2, shift : frames - 2 + shift] += weight
    bands[1, 1 : frames - 1] -= 2.0
    bands[1, 2:] -= 2.0
    bands[0, 2:] += 1.0
    return scipy.linalg.solveh_banded(bands, grip[:, None] * np.where(held[:, None], values, 0.0))


def smoothstep(share: FloatArray) -> FloatArray:
    """Rise from 0 at 0 to 1 at 1, with no speed at either end."""
    share = np.clip(share, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)
