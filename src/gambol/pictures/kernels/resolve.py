"""Turn samples into pixels: light surfaces, show the floor elsewhere, average."""

from __future__ import annotations

from typing import NamedTuple

from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import threaded_kernel
from gambol.pictures.kernels.floor import Backdrop, FloorLight, floor_color, look_up
from gambol.pictures.kernels.inlining import inlined
from gambol.pictures.kernels.lighting import (
    Lamps,
    Surfaces,
    facing,
    ground_openness,
    key_share,
    lit_color,
    normal_at,
    openness,
)
from gambol.pictures.kernels.raster import Bytes, Float32Array, Ray, Triple, View, depth_of, dot, ray_through
from gambol.pictures.pixels import Pixels

SUNK_M = 0.01  # metres: the ground hides surfaces deeper than this
PAINTED_M = 0.01  # metres: surfaces this near to the ground receive its shadows
SAME_PLACE_M = 0.05  # metres: samples of a pixel farther apart in depth are lit on their own; larger: faster, coarser
SMOOTH = 0.94  # -1 to 1: surfaces are smooth where the cosine between normals is above this (20 degrees)


class SceneArrays(NamedTuple):
    """Everything that a pixel's color depends on, besides the samples themselves."""

    seen_from: View
    surfaces: Surfaces
    lamps: Lamps
    backdrop: Backdrop
    floor: FloorLight
    lit_from: View  # the key lamp
    light_nearness: Float32Array  # the key lamp's map
    pattern: FloatArray  # (K, 2) places in the unit disc, where occlusion looks
    bytes_of_light: Bytes  # sRGB bytes of linear light from 0 to 1, evenly spaced


@inlined
def to_byte(table: Bytes, linear: float) -> int:
    """Encode linear light as an sRGB byte."""
    last = table.shape[0] - 1
    return table[int(min(1.0, max(0.0, linear)) * last + 0.5)]


@inlined
def surface_color(
    scene: SceneArrays,
    nearness: Float32Array,
    numbers: Int32Array,
    number: int,
    depth: float,
    ray: Ray,
    height: float,
    normal: Triple,
) -> Triple:
    """Return the color of a triangle where a ray meets it, `height` metres above the ground."""
    ox, oy, oz, dx, dy, dz = ray
    px, py, pz = ox + depth * dx, oy + depth * dy, oz + depth * dz
    nx, ny, nz = normal
    owner = scene.surfaces.owners[number]
    is_ground = scene.surfaces.is_ground[owner]
    key_amount = facing(scene.lamps.key, nx, ny, nz)
    if key_amount > 0.0 and not is_ground:
        share = key_share(scene.lit_from, scene.light_nearness, px, py, pz, nx, ny, nz)
        key_amount *= key_amount * share
    ambient = openness(scene.seen_from, nearness, numbers, scene.pattern, px, py, pz, nx, ny, nz)
    ambient *= ground_openness(height, nz)
    color = scene.surfaces.colors[owner]
    r, g, b = lit_color(color, scene.lamps, nx, ny, nz, dx, dy, dz, ambient, key_amount)
    if is_ground or abs(height) < PAINTED_M:
        lit = look_up(scene.floor, px, py)
        return r * lit, g * lit, b * lit
    return r, g, b


@inlined
def is_same_surface(surfaces: Surfaces, number: int, before: int, normal: Triple) -> bool:
    """Tell whether a triangle smoothly continues the triangle of the sample before, which has a given normal."""
    if number == before:
        return True
    if before < 0 or surfaces.owners[number] != surfaces.owners[before]:
        return False
    if number >= surfaces.triangles.shape[0]:
        return True
    corner = surfaces.triangles[number, 0]
    normals = surfaces.normals
    return abs(dot(normal, normals[corner, 0], normals[corner, 1], normals[corner, 2])) > SMOOTH


@inlined
def pixel_surfaces(
    scene: SceneArrays, nearness: Float32Array, numbers: Int32Array, row: int, column: int, per_pixel: int
) -> tuple[float, float, float, int]:
    """Return the summed color of a pixel's samples that show surfaces, and their number.

    Samples of one smooth surface share the color of the first: outlines and edges are sampled finely, shading is not.
    """
    view, surfaces = scene.seen_from, scene.surfaces
    height, slope_x, slope_y = scene.backdrop.ground
    is_above = view.eye[2] > height + slope_x * view.eye[0] + slope_y * view.eye[1]
    red, green, blue, count = 0.0, 0.0, 0.0, 0
    color, normal = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    before, before_depth = -1, 0.0
    for i in range(per_pixel * per_pixel):
        y, x = row * per_pixel + i // per_pixel, column * per_pixel + i % per_pixel
        number = numbers[y, x]
        if number < 0:
            continue
        depth = depth_of(view, nearness[y, x])
        ray = ray_through(view, x + 0.5, y + 0.5)
        px, py, pz = ray[0] + depth * ray[3], ray[1] + depth * ray[4], ray[2] + depth * ray[5]
        above = pz - height - slope_x * px - slope_y * py
        if is_above and above < -SUNK_M:
            continue
        if abs(depth - before_depth) > SAME_PLACE_M or not is_same_surface(surfaces, number, before, normal):
            if number >= surfaces.triangles.shape[0]:
                own = surfaces.colors[surfaces.owners[number]]
                color = (own[0], own[1], own[2])
            else:
                normal = normal_at(surfaces, number, px, py, pz, ray[3], ray[4], ray[5])
                color = surface_color(scene, nearness, numbers, number, depth, ray, above, normal)
            before, before_depth = number, depth
        red, green, blue, count = red + color[0], green + color[1], blue + color[2], count + 1
    return red, green, blue, count


@inlined
def is_covered(numbers: Int32Array, row: int, column: int, per_pixel: int) -> bool:
    """Tell whether any sample of a pixel shows a surface."""
    for y in range(row * per_pixel, (row + 1) * per_pixel):
        for x in range(column * per_pixel, (column + 1) * per_pixel):
            if numbers[y, x] >= 0:
                return True
    return False


@inlined
def floor_pixel(
    view: View, backdrop: Backdrop, floor: FloorLight, row: int, column: int, rows: int, per_pixel: int
) -> Triple:
    """Return the color of floor or background in the middle of a pixel."""
    ray = ray_through(view, (column + 0.5) * per_pixel, (row + 0.5) * per_pixel)
    return floor_color(view, backdrop, floor, per_pixel * view.per_focal, (row + 0.5) / rows, ray)


@threaded_kernel
def paint_floor(
    view: View,
    backdrop: Backdrop,
    floor: FloorLight,
    table: Bytes,
    numbers: Int32Array,
    per_pixel: int,
    picture: Pixels,
) -> None:
    """Fill the pixels of a picture (H, W, 3) in which no sample shows a surface."""
    for row in range(picture.shape[0]):
        for column in range(picture.shape[1]):
            if not is_covered(numbers, row, column, per_pixel):
                r, g, b = floor_pixel(view, backdrop, floor, row, column, picture.shape[0], per_pixel)
                picture[row, column, 0] = to_byte(table, r)
                picture[row, column, 1] = to_byte(table, g)
                picture[row, column, 2] = to_byte(table, b)


@threaded_kernel
def paint_surfaces(
    scene: SceneArrays, nearness: Float32Array, numbers: Int32Array, per_pixel: int, picture: Pixels
) -> None:
    """Fill the pixels of a picture (H, W, 3) in which some of `per_pixel` by `per_pixel` samples show surfaces."""
    view, backdrop, floor, table = scene.seen_from, scene.backdrop, scene.floor, scene.bytes_of_light
    samples = per_pixel * per_pixel
    for row in range(picture.shape[0]):
        for column in range(picture.shape[1]):
            if is_covered(numbers, row, column, per_pixel):
                red, green, blue, count = pixel_surfaces(scene, nearness, numbers, row, column, per_pixel)
                if count < samples:
                    r, g, b = floor_pixel(view, backdrop, floor, row, column, picture.shape[0], per_pixel)
                    rest = samples - count
                    red, green, blue = red + rest * r, green + rest * g, blue + rest * b
                picture[row, column, 0] = to_byte(table, red / samples)
                picture[row, column, 1] = to_byte(table, green / samples)
                picture[row, column, 2] = to_byte(table, blue / samples)
