"""Shadows: the view from the key lamp, and the light that reaches the ground."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.motion.ground import Ground
from gambol.pictures.camera import make_view, view_axes
from gambol.pictures.samples import Samples, Triple, View, draw_triangles
from gambol.world.terrain import Terrain

MOST_TEXELS = 700  # texels along a map's longer side, about; in wide scenes texels grow
KEY_TEXEL_M = 0.012  # metres: side of a texel of the key lamp's map; larger: coarser shadows
KEY_BLUR_M = 0.028  # metres: blur of shadows on bodies; larger: softer
KEY_MARGIN_M = 0.08  # metres around everything in the key lamp's map
FLOOR_TEXEL_M = 0.015  # metres: side of a texel of the ground's map
FLOOR_MARGIN_M = 0.5  # metres around shadows in the ground's map, for their soft edges
KEY_DARKNESS = 0.36  # 0 to 1: share of light missing on the ground in a full shadow
CONTACT_DARKNESS = 0.50  # 0 to 1: share of light missing right below a body that touches the ground
CONTACT_REACH_M = 0.10  # metres: below a body this high, the share is smaller by the factor 1/e
CONTACT_BLUR_M = 0.035  # metres: blur of that shade
SUNK_M = 0.01  # metres: parts of a body deeper in the ground cast no shadow on it
#: Height of the body that casts a shadow, and blur of the shadow, in metres: as under a large lamp.
PENUMBRA = ((0.0, 0.015), (0.35, 0.05), (1.0, 0.11), (1.8, 0.19))


class FloorLight(NamedTuple):
    """The share of light that reaches the ground around the figures; 1 beyond the array."""

    x: float  # metres: center of the first texel
    y: float  # metres
    texels_per_m: float
    share: FloatArray  # (rows along y, columns along x) 0 to 1


def key_map(vertices: FloatArray, triangles: Int32Array, key: Triple) -> tuple[View, NDArray[np.float32]]:
    """Return the view from the key lamp, and the nearness of the surfaces in it, blurred for soft shadows."""
    axes = view_axes(-np.array(key))
    low, high = _bounds(vertices @ axes.T)
    low, high = low - KEY_MARGIN_M, high + KEY_MARGIN_M
    texel, columns, rows = _map_size(high[:2] - low[:2], KEY_TEXEL_M)
    view = make_view(low @ axes, axes, 1.0 / texel, center=(0.0, 0.0), near_m=0.0, is_perspective=False)
    nearness = _draw(view, vertices, triangles, rows, columns)
    # Empty texels get the far end: blurred edges lean back, so that no surface shades itself there.
    nearness = np.maximum(nearness, low[2] - high[2])
    blurred = scipy.ndimage.gaussian_filter(nearness, KEY_BLUR_M / texel, mode="nearest", truncate=2.0)
    return view, np.asarray(blurred, dtype=np.float32)


def floor_light(
    vertices: FloatArray, triangles: Int32Array, key: Triple, ground: Ground, terrain: Terrain | None = None
) -> FloorLight:
    """Return the share of light that reaches the ground around triangles, from the key lamp and from all around.

    terrain: replaces the plane; each shadow falls on it as if it were level there.
    """
    if terrain is None:
        heights = vertices[:, 2] - ground.heights(vertices)
    else:
        heights, ground = vertices[:, 2] - terrain.height(vertices), Ground(0.0)
    # Project along the key's direction onto the ground.
    fall = np.maximum(heights, 0.0) / (key[2] - ground.slope_x * key[0] - ground.slope_y * key[1])
    along_key = np.column_stack((vertices[:, :2] - fall[:, None] * np.array(key[:2]), heights))
    straight_down = np.column_stack((vertices[:, :2], heights))
    low, high = _bounds(np.concatenate((along_key, straight_down)))
    low, high = low - FLOOR_MARGIN_M, high + FLOOR_MARGIN_M
    texel, columns, rows = _map_size(high[:2] - low[:2], FLOOR_TEXEL_M)
    # The view is upward from the ground: the lowest surface is the nearest, and sunk parts are cut off.
    eye = np.array([low[0] - 0.5 * texel, low[1] - 0.5 * texel, -SUNK_M])
    upward = make_view(eye, np.eye(3), 1.0 / texel, center=(0.0, 0.0), near_m=0.0, is_perspective=False)
    key_heights = -SUNK_M - _draw(upward, along_key, triangles, rows, columns)
    contact_heights = -SUNK_M - _draw(upward, straight_down, triangles, rows, columns)
    share = (1.0 - KEY_DARKNESS * _soft(key_heights, texel)) * (1.0 - _contact(contact_heights, texel))
    return FloorLight(float(low[0]), float(low[1]), 1.0 / texel, share)


def _bounds(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and the highest coordinates of points (N, 3); the origin if there are none."""
    if len(points) == 0:
        return np.zeros(3), np.zeros(3)
    # By columns, because numpy reduces short rows slowly.
    return np.array([column.min() for column in points.T]), np.array([column.max() for column in points.T])


def _map_size(extents: FloatArray, finest_m: float) -> tuple[float, int, int]:
    """Return the texels' side in metres, and their numbers of columns and rows."""
    texel = max(finest_m, float(extents.max()) / MOST_TEXELS)
    return texel, math.ceil(extents[0] / texel) + 2, math.ceil(extents[1] / texel) + 2


def _draw(view: View, vertices: FloatArray, triangles: Int32Array, rows: int, columns: int) -> NDArray[np.float32]:
    samples = Samples.empty(rows, columns)
    draw_triangles(view, vertices, triangles, samples)
    return samples.nearness


def _soft(heights: NDArray[np.float32], texel: float) -> FloatArray:
    """Return a shadow (0 to 1) from the heights of the bodies that cast it: the higher, the softer; inf casts none."""
    levels = np.array([height for height, _ in PENUMBRA])
    covered = np.isfinite(heights)
    position = np.interp(np.where(covered, heights, 0.0), levels, np.arange(len(levels)))
    total = np.zeros(heights.shape)
    for index, (_, blur_m) in enumerate(PENUMBRA):
        weight = np.maximum(0.0, 1.0 - np.abs(position - index)) * covered
        if np.any(weight):
            total += scipy.ndimage.gaussian_filter(weight, blur_m / texel, mode="constant", truncate=2.5)
    return np.minimum(total, 1.0)


def _contact(heights: NDArray[np.float32], texel: float) -> FloatArray:
    near = np.exp(-np.maximum(heights, 0.0) / CONTACT_REACH_M)
    return CONTACT_DARKNESS * scipy.ndimage.gaussian_filter(near, CONTACT_BLUR_M / texel, mode="constant", truncate=2.5)
