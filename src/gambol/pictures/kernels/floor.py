"""An endless floor with a grid, lit and shaded, that fades into the background."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.pictures.kernels.inlining import inlined
from gambol.pictures.kernels.raster import Float32Array, Ray, Triple, View


class Backdrop(NamedTuple):
    """An endless floor that fades into a background."""

    ground: Triple  # height at the origin, slope along x, slope along y
    center_x: float  # metres: the floor is visible around this place
    center_y: float  # metres
    per_fade: float  # 1 / distance from the center at which the floor has faded away
    per_spacing: float  # grid lines per metre
    line: float  # width of grid lines as a share of their spacing
    floor_color: Triple  # linear
    line_color: Triple  # linear
    top_color: Triple  # linear
    bottom_color: Triple  # linear


class FloorLight(NamedTuple):
    """The share of light that reaches the ground around the figures; 1 beyond the array."""

    x: float  # metres: center of the first texel
    y: float  # metres
    texels_per_m: float
    share: FloatArray  # (rows along y, columns along x) 0 to 1


@inlined
def interpolated(values: FloatArray | Float32Array, x: float, y: float, beyond: float) -> float:
    """Return an array's value at column x and row y, bilinear between four entries, or `beyond` outside of it."""
    rows, columns = values.shape
    if x < 0.0 or y < 0.0 or x >= columns - 1 or y >= rows - 1:
        return beyond
    column, row = int(x), int(y)
    u, v = x - column, y - row
    upper = values[row, column] + u * (values[row, column + 1] - values[row, column])
    lower = values[row + 1, column] + u * (values[row + 1, column + 1] - values[row + 1, column])
    return upper + v * (lower - upper)


@inlined
def look_up(floor: FloorLight, x: float, y: float) -> float:
    """Return the share of light at a ground position."""
    return interpolated(floor.share, (x - floor.x) * floor.texels_per_m, (y - floor.y) * floor.texels_per_m, 1.0)


@inlined
def line_cover(position: float, line: float, pixel: float) -> float:
    """Return the share of a pixel, of width `pixel`, that a line of width `line` around a whole number covers."""
    reach = 0.5 * (line + pixel) - abs(position - np.floor(position + 0.5))
    return min(reach, line, pixel) / pixel if reach > 0.0 else 0.0


@inlined
def background_color(backdrop: Backdrop, down_share: float) -> Triple:
    """Return the background's color at a share of the picture's height."""
    top_r, top_g, top_b = backdrop.top_color
    r, g, b = backdrop.bottom_color
    return top_r + down_share * (r - top_r), top_g + down_share * (g - top_g), top_b + down_share * (b - top_b)


@inlined
def floor_color(view: View, backdrop: Backdrop, floor: FloorLight, pixel: float, down_share: float, ray: Ray) -> Triple:
    """Return the color of floor or background along the ray through the middle of a pixel.

    pixel: a pixel's side, in units of the view's focal length.
    """
    r, g, b = background_color(backdrop, down_share)
    ox, oy, oz, dx, dy, dz = ray
    height, slope_x, slope_y = backdrop.ground
    falling = slope_x * dx + slope_y * dy - dz
    above = oz - height - slope_x * ox - slope_y * oy
    if falling <= 1e-9 or above <= 0.0:
        return r, g, b
    per_falling = 1.0 / falling
    depth = above * per_falling
    x, y = ox + depth * dx, oy + depth * dy
    from_x, from_y = (x - backdrop.center_x) * backdrop.per_fade, (y - backdrop.center_y) * backdrop.per_fade
    seen = 1.0 - from_x * from_x - from_y * from_y
    if seen <= 0.0 or depth < view.near:
        return r, g, b
    seen *= seen
    # Metres on the ground in a step of one pixel, to the side and down the picture.
    span = pixel * (depth if view.is_perspective else 1.0) * backdrop.per_spacing
    down_x, down_y, down_z = view.down
    rise = (slope_x * down_x + slope_y * down_y - down_z) * per_falling
    step_x = span * (abs(view.right[0]) + abs(down_x - rise * dx)) + 1e-9
    step_y = span * (abs(view.right[1]) + abs(down_y - rise * dy)) + 1e-9
    line = max(
        line_cover(x * backdrop.per_spacing, backdrop.line, step_x),
        line_cover(y * backdrop.per_spacing, backdrop.line, step_y),
    )
    lit = look_up(floor, x, y)
    base_r, base_g, base_b = backdrop.floor_color
    ink_r, ink_g, ink_b = backdrop.line_color
    return (
        r + seen * ((base_r + line * (ink_r - base_r)) * lit - r),
        g + seen * ((base_g + line * (ink_g - base_g)) * lit - g),
        b + seen * ((base_b + line * (ink_b - base_b)) * lit - b),
    )
