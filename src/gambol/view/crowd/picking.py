"""Whom a user means: by a line of sight, or by a rectangle on the screen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.geometry.arrays import FloatArray

NEAR_M = 0.28  # of a joint: a click there means its body
NEAR_RAD = 0.012  # from the eye: one who is small in the picture is meant by a click so near, if nobody else is met
LEAST_AHEAD_M = 0.05


class Eye(NamedTuple):
    """From where a browser looks, and how."""

    position: FloatArray  # (3,)
    look_at: FloatArray  # (3,)
    up: FloatArray  # (3,)
    fov_rad: float  # from the lower to the upper edge
    aspect: float  # width divided by height


def pick(origin: ArrayLike, direction: ArrayLike, positions: NDArray[np.floating]) -> int | None:
    """Return which of N bodies (N, J, 3) a line of sight meets first, or else nearly meets; None if there is none."""
    if not len(positions):
        return None
    eye, way = np.asarray(origin, dtype=float), np.asarray(direction, dtype=float)
    way = way / np.linalg.norm(way)
    to_joints = positions.astype(np.float64) - eye
    along = to_joints @ way
    away = np.linalg.norm(to_joints - along[..., None] * way, axis=-1)
    ahead = along > LEAST_AHEAD_M
    first = np.where(ahead & (away < NEAR_M), along, np.inf).min(axis=1)
    if np.isfinite(first).any():
        return int(np.argmin(first))
    aside = np.where(ahead, away / np.maximum(along, LEAST_AHEAD_M), np.inf).min(axis=1)
    nearest = int(np.argmin(aside))
    return nearest if aside[nearest] < NEAR_RAD else None


def on_screen(eye: Eye, points: ArrayLike) -> FloatArray:
    """Return where points (N, 3) are seen (N, 2), from (0, 0) above left to (1, 1) below right; nan behind the eye."""
    ahead = eye.look_at - eye.position
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(ahead, eye.up)
    right = right / np.linalg.norm(right)
    above = np.cross(right, ahead)
    ways = np.asarray(points, dtype=float) - eye.position
    depth = ways @ ahead
    scale = 0.5 / np.tan(0.5 * eye.fov_rad)
    with np.errstate(divide="ignore", invalid="ignore"):
        x, y = scale * (ways @ right) / depth / eye.aspect, scale * (ways @ above) / depth
    seen = np.stack((0.5 + x, 0.5 - y), axis=-1)
    seen[depth < LEAST_AHEAD_M] = np.nan
    return seen


def in_rectangle(eye: Eye, points: ArrayLike, corner: ArrayLike, other: ArrayLike) -> NDArray[np.int64]:
    """Return which of some points (N, 3) are seen within a rectangle of the screen."""
    seen = on_screen(eye, points)
    low, high = np.minimum(corner, other), np.maximum(corner, other)
    return np.flatnonzero(((seen >= low) & (seen <= high)).all(axis=1))
