"""Shadows: the view from the key lamp, and the light that reaches the ground."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.core import lib, pointer
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.motion.ground import Ground
from gambol.pictures.camera import make_view, view_axes
from gambol.pictures.samples import Float32Array, Samples, Triple, View, draw_triangles
from gambol.pictures.scratch import scratch
from gambol.world.terrain import Terrain

MOST_TEXELS = 700  # texels along a map's longer side, about; in wide scenes texels grow
KEY_TEXEL_M = 0.012  # metres: side of a texel of the key lamp's map; larger: coarser shadows
KEY_BLUR_M = 0.028  # metres: blur of shadows on bodies; larger: softer
KEY_MARGIN_M = 0.08  # metres around everything in the key lamp's map
FLOOR_TEXEL_M = 0.015  # metres: side of a texel of the ground's map
FLOOR_MARGIN_M = 0.5  # metres around shadows in the ground's map, for their soft edges
SUNK_M = 0.01  # metres: parts of a body deeper in the ground cast no shadow on it


class FloorLight(NamedTuple):
    """The share of light that reaches the ground around the figures; 1 beyond the array."""

    x: float  # metres: center of the first texel
    y: float  # metres
    texels_per_m: float
    share: Float32Array  # (rows along y, columns along x) 0 to 1


def key_map(vertices: FloatArray, triangles: Int32Array, key: Triple) -> tuple[View, Float32Array]:
    """Return the view from the key lamp, and the nearness of the surfaces in it, blurred for soft shadows."""
    axes = view_axes(-np.array(key))
    low, high = _bounds(vertices @ axes.T)
    low, high = low - KEY_MARGIN_M, high + KEY_MARGIN_M
    texel, columns, rows = _map_size(high[:2] - low[:2], KEY_TEXEL_M)
    view = make_view(low @ axes, axes, 1.0 / texel, center=(0.0, 0.0), near_m=0.0, is_perspective=False)
    nearness = _draw("lamp", view, vertices, triangles, rows, columns)
    # Empty texels get the far end: blurred edges lean back, so that no surface shades itself there.
    far, room = float(low[2] - high[2]), scratch("lamp room", nearness.shape, np.float32)
    lib.gb_picture_soften_lamp(
        pointer(nearness, "float"), rows, columns, KEY_BLUR_M / texel, far, pointer(room, "float")
    )  # fmt: skip
    return view, nearness


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
    key_heights, contact_heights = (
        _draw(name, upward, points, triangles, rows, columns)
        for name, points in (("key", along_key), ("contact", straight_down))
    )
    for heights in (key_heights, contact_heights):
        np.subtract(np.float32(-SUNK_M), heights, out=heights)
    return FloorLight(float(low[0]), float(low[1]), 1.0 / texel, shade(key_heights, contact_heights, texel))


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


def _draw(name: str, view: View, vertices: FloatArray, triangles: Int32Array, rows: int, columns: int) -> Float32Array:
    samples = Samples.map(name, rows, columns)
    draw_triangles(view, vertices, triangles, samples)
    return samples.nearness


def shade(key_heights: Float32Array, contact_heights: Float32Array, texel_m: float) -> Float32Array:
    """Return the share of light below bodies, by their heights toward the lamp and straight above; inf: none."""
    rows, columns = key_heights.shape
    room = scratch("floor room", (lib.gb_picture_floor_room(rows, columns),), np.float32)
    share = scratch("floor", (rows, columns), np.float32)
    lib.gb_picture_shade_floor(
        pointer(key_heights, "float"), pointer(contact_heights, "float"), rows, columns, texel_m,
        pointer(room, "float"), pointer(share, "float"),
    )  # fmt: skip
    return share
