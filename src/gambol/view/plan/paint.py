"""Lines, dots, squares and words on the ground of a scene, each kind in one message."""

from __future__ import annotations

import math

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray
from gambol.pictures.mesh import Color
from gambol.view.stage import bytes_of
from gambol.world.terrain import Terrain
from gambol.world.world import World

Colors = Color | NDArray[np.uint8]  # one color, or a row of bytes for each thing
CLEAR_M = 0.015  # m, > 0: height of paint above flat ground; smaller: the ground hides it
TERRAIN_M = 0.06  # m, > 0: height of paint above hills, whose triangles may rise above straight lines
RIM = 32  # >= 3: corners of a disc; larger: rounder
SMALL_WORLD_M = 30.0  # m, > 0: worlds up to this, from corner to corner, have the smallest dots
MOST_LARGER = 2.5  # >= 1: dots in the largest worlds are this many times larger
UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])  # the quaternion wxyz of no turn


def on_ground(places: FloatArray, terrain: Terrain | None, above_m: float = 0.0) -> FloatArray:
    """Return places (..., 2) with their height (..., 3), a little above the ground."""
    heights = np.zeros(places.shape[:-1]) if terrain is None else terrain.height(places)
    clear_m = CLEAR_M if terrain is None else TERRAIN_M
    return np.concatenate((places, (heights + clear_m + above_m)[..., None]), axis=-1)


def enlarged(world: World) -> float:
    """Return how many times larger dots are than in a small world: a large world is seen from farther away."""
    x0, y0, x1, y1 = world.bounds
    return min(max(1.0, math.hypot(x1 - x0, y1 - y0) / SMALL_WORLD_M), MOST_LARGER)


def joined(points: FloatArray) -> FloatArray:
    """Return the segments (..., N - 1, 2, D) of lines through points (..., N, D)."""
    return np.stack((points[..., :-1, :], points[..., 1:, :]), axis=-2)


def circle(x: float, y: float, radius_m: float) -> FloatArray:
    """Return the segments (RIM, 2, 2) of a circle."""
    turn = np.linspace(0.0, 2.0 * np.pi, RIM + 1)
    return joined(np.column_stack((x + radius_m * np.cos(turn), y + radius_m * np.sin(turn))))


def draw_lines(scene: viser.SceneApi, name: str, segments: FloatArray, color: Colors, width_px: float) -> None:
    """Draw segments (S, 2, 3) with a width on the screen."""
    if len(segments):
        shades = bytes_of(color) if isinstance(color, tuple) else np.repeat(color[:, None], 2, axis=1)
        points = segments.astype(np.float32)
        scene.add_line_segments(name, points, shades, thickness=width_px, thickness_units="screen")


def draw_dots(scene: viser.SceneApi, name: str, points: FloatArray, color: Colors, size_m: float) -> None:
    """Draw dots above points (N, 3): they face the camera, and on the points would be half buried."""
    if len(points):
        shades = bytes_of(color) if isinstance(color, tuple) else color
        raised = points + (0.0, 0.0, 0.5 * size_m)
        scene.add_point_cloud(
            name, raised.astype(np.float32), shades, point_size=0.5 * size_m, point_shape="circle",
            point_shading="flat", precision="float32",
        )  # fmt: skip


def draw_squares(
    scene: viser.SceneApi, name: str, colors: NDArray[np.uint8], corner: tuple[float, float], square_m: float,
    terrain: Terrain | None,
) -> None:  # fmt: skip
    """Draw squares of RGBA bytes (rows, columns, 4) from a corner on, those that can be seen: on hills as dots."""
    rows, columns = colors.shape[:2]
    if terrain is None:
        image = np.ascontiguousarray(colors[::-1])  # turned to face up, its first row is the last in y
        width, depth = columns * square_m, rows * square_m
        middle = on_ground(np.array([corner[0] + 0.5 * width, corner[1] + 0.5 * depth]), None, -0.005)
        scene.add_image(
            f"{name}/cells", image, width, depth, format="png", cast_shadow=False, receive_shadow=False,
            wxyz=(0.0, 1.0, 0.0, 0.0), position=tuple(middle),
        )  # fmt: skip
        return
    seen = np.argwhere(colors[..., 3] > 0)
    places = np.array(corner) + square_m * (seen[:, ::-1].astype(np.float64) + 0.5)
    shades = np.ascontiguousarray(colors[tuple(seen.T)][:, :3])
    draw_dots(scene, f"{name}/cells", on_ground(places, terrain, -0.5 * square_m), shades, square_m)


def write(scene: viser.SceneApi, name: str, words: str, point: FloatArray, *, scale: float = 1.0) -> None:
    """Write words above a point (3,)."""
    scene.add_label(name, words, position=tuple(point), anchor="bottom-center", font_screen_scale=scale)
