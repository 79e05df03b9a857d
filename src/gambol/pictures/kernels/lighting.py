"""Light surfaces: two soft lamps, light from all around, creases and cast shadows."""

from __future__ import annotations

import math
from typing import NamedTuple

from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.pictures.kernels.floor import interpolated
from gambol.pictures.kernels.inlining import inlined
from gambol.pictures.kernels.raster import Float32Array, Triple, View, depth_of, dot, to_view

WRAP = 0.35  # >= 0: light reaches around a form by this cosine; larger: softer, as from larger lamps
SHEEN = 0.10  # >= 0: share of light that a matte surface returns at grazing angles; larger: brighter outlines
OCCLUSION_RADIUS_M = 0.16  # metres: surfaces within this darken each other; larger: wider dark creases
OCCLUSION_STRENGTH = 1.9  # >= 0: larger: darker creases
LARGEST_STEP = 40.0  # samples: occlusion looks no farther, so that close-ups stay fast
GROUND_REACH_M = 0.35  # metres: the ground darkens surfaces that face it, by 1/e of its full effect at this height
SHADOW_OFFSET_M = 0.015  # metres: surfaces look for shadows this far (and 1.5 texels) above themselves
SHADOW_FROM_M = 0.01  # metres: a body this much nearer to the lamp begins to cast a shadow
SHADOW_OVER_M = 0.12  # metres: a body nearer by this much more casts a full shadow; larger: softer


class Surfaces(NamedTuple):
    """All triangles and strokes of a picture; strokes are numbered after the triangles."""

    vertices: FloatArray  # (V, 3) metres
    normals: FloatArray  # (V, 3) unit
    triangles: Int32Array  # (T, 3) indices of vertices
    owners: Int32Array  # (T + S,) index of the color
    colors: FloatArray  # (M, 3) linear
    is_ground: BoolArray  # (M,) whether surfaces of the color are ground


class Lamps(NamedTuple):
    """Two distant lamps and the light from all around."""

    key: Triple  # unit, toward the lamp
    key_color: Triple  # linear
    fill: Triple  # unit, toward the lamp
    fill_color: Triple  # linear
    sky_color: Triple  # linear, from above
    bounce_color: Triple  # linear, from the ground


@inlined
def weights_in(surfaces: Surfaces, number: int, px: float, py: float, pz: float) -> Triple:
    """Return the barycentric weights of a triangle's point near p, in the triangle's plane."""
    vertices = surfaces.vertices
    a, b, c = surfaces.triangles[number, 0], surfaces.triangles[number, 1], surfaces.triangles[number, 2]
    ux, uy, uz = vertices[b, 0] - vertices[a, 0], vertices[b, 1] - vertices[a, 1], vertices[b, 2] - vertices[a, 2]
    vx, vy, vz = vertices[c, 0] - vertices[a, 0], vertices[c, 1] - vertices[a, 1], vertices[c, 2] - vertices[a, 2]
    wx, wy, wz = px - vertices[a, 0], py - vertices[a, 1], pz - vertices[a, 2]
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    wu, wv = wx * ux + wy * uy + wz * uz, wx * vx + wy * vy + wz * vz
    scale = uu * vv - uv * uv
    if scale <= 0.0:
        return 1.0, 0.0, 0.0
    at_b = min(1.0, max(0.0, (vv * wu - uv * wv) / scale))
    at_c = min(1.0 - at_b, max(0.0, (uu * wv - uv * wu) / scale))
    return 1.0 - at_b - at_c, at_b, at_c


@inlined
def normal_at(
    surfaces: Surfaces, number: int, px: float, py: float, pz: float, dx: float, dy: float, dz: float
) -> Triple:
    """Return the unit normal at a point of a triangle, on the side that a ray d meets."""
    at_a, at_b, at_c = weights_in(surfaces, number, px, py, pz)
    a, b, c = surfaces.triangles[number, 0], surfaces.triangles[number, 1], surfaces.triangles[number, 2]
    normals, vertices = surfaces.normals, surfaces.vertices
    x = at_a * normals[a, 0] + at_b * normals[b, 0] + at_c * normals[c, 0]
    y = at_a * normals[a, 1] + at_b * normals[b, 1] + at_c * normals[c, 1]
    z = at_a * normals[a, 2] + at_b * normals[b, 2] + at_c * normals[c, 2]
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-12:
        return 0.0, 0.0, 1.0
    # At an outline, smooth normals may lean away from the viewer: the flat triangle decides the side.
    ux, uy, uz = vertices[b, 0] - vertices[a, 0], vertices[b, 1] - vertices[a, 1], vertices[b, 2] - vertices[a, 2]
    vx, vy, vz = vertices[c, 0] - vertices[a, 0], vertices[c, 1] - vertices[a, 1], vertices[c, 2] - vertices[a, 2]
    fx, fy, fz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    is_behind = (fx * dx + fy * dy + fz * dz) * (fx * x + fy * y + fz * z) > 0.0
    scale = -1.0 / length if is_behind else 1.0 / length
    return x * scale, y * scale, z * scale


@inlined
def openness(
    view: View,
    nearness: Float32Array,
    numbers: Int32Array,
    pattern: FloatArray,
    px: float,
    py: float,
    pz: float,
    nx: float,
    ny: float,
    nz: float,
) -> float:
    """Return the share of light from all around that reaches a point, by the surfaces near it on the screen."""
    right, down, depth = to_view(view, px, py, pz)
    across, under, away = dot(view.right, nx, ny, nz), dot(view.down, nx, ny, nz), dot(view.forward, nx, ny, nz)
    scale = view.focal / depth if view.is_perspective else view.focal
    reach = min(LARGEST_STEP, OCCLUSION_RADIUS_M * scale)
    center_x, center_y = view.center_x + scale * right, view.center_y + scale * down
    rows, columns = nearness.shape
    blocked = 0.0
    for k in range(pattern.shape[0]):
        sample_x, sample_y = center_x + reach * pattern[k, 0], center_y + reach * pattern[k, 1]
        column, row = int(sample_x), int(sample_y)
        if column < 0 or row < 0 or column >= columns or row >= rows or numbers[row, column] < 0:
            continue
        other = depth_of(view, nearness[row, column])
        back = other * view.per_focal if view.is_perspective else view.per_focal
        vx = (column + 0.5 - view.center_x) * back - right
        vy = (row + 0.5 - view.center_y) * back - down
        vz = other - depth
        square = vx * vx + vy * vy + vz * vz + 1e-8
        near = 1.0 - square / (OCCLUSION_RADIUS_M * OCCLUSION_RADIUS_M)
        if near > 0.0:
            facing = (vx * across + vy * under + vz * away) / math.sqrt(square)
            blocked += near * max(0.0, facing - 0.12)
    return max(0.25, 1.0 - OCCLUSION_STRENGTH * blocked / pattern.shape[0])


@inlined
def ground_openness(height: float, nz: float) -> float:
    """Return the share of light from all around that the ground leaves to a surface at a height."""
    return 1.0 - 0.55 * (0.5 - 0.5 * nz) * math.exp(-max(0.0, height) / GROUND_REACH_M)


@inlined
def key_share(
    light: View, light_nearness: Float32Array, px: float, py: float, pz: float, nx: float, ny: float, nz: float
) -> float:
    """Return the share of the key lamp's light that reaches a point, by the lamp's blurred map.

    It is soft in depth as well: a surface barely nearer than the point is the point's own.
    """
    offset = SHADOW_OFFSET_M + 1.5 * light.per_focal
    right, down, depth = to_view(light, px + offset * nx, py + offset * ny, pz + offset * nz)
    before = depth + interpolated(
        light_nearness,
        light.center_x + light.focal * right - 0.5,
        light.center_y + light.focal * down - 0.5,
        -depth,
    )
    return 1.0 - min(1.0, max(0.0, (before - SHADOW_FROM_M) * (1.0 / SHADOW_OVER_M)))


@inlined
def facing(toward: Triple, nx: float, ny: float, nz: float) -> float:
    """Return the share of a large lamp's light that falls on a surface; it reaches a little around the edge."""
    return max(0.0, (dot(toward, nx, ny, nz) + WRAP) / (1.0 + WRAP))


@inlined
def lit_channel(
    albedo: float,
    sky: float,
    bounce: float,
    key: float,
    fill: float,
    up: float,
    ambient: float,
    key_amount: float,
    fill_amount: float,
) -> float:
    """Return one channel of a matte color under both lamps and the light from above and below."""
    return albedo * (ambient * (bounce + up * (sky - bounce)) + key_amount * key + fill_amount * fill)


@inlined
def lit_color(
    color: FloatArray,
    lamps: Lamps,
    nx: float,
    ny: float,
    nz: float,
    dx: float,
    dy: float,
    dz: float,
    ambient: float,
    key_amount: float,
) -> Triple:
    """Return the color of a matte surface under both lamps and the light from all around."""
    fill_amount = facing(lamps.fill, nx, ny, nz) * (0.5 + 0.5 * ambient)
    up = 0.5 + 0.5 * nz
    grazing = 1.0 + (nx * dx + ny * dy + nz * dz) / math.sqrt(dx * dx + dy * dy + dz * dz)
    grazing = min(1.0, max(0.0, grazing))
    sheen = SHEEN * grazing * grazing * grazing * ambient
    sky, bounce, key, fill = lamps.sky_color, lamps.bounce_color, lamps.key_color, lamps.fill_color
    r = lit_channel(color[0], sky[0], bounce[0], key[0], fill[0], up, ambient, key_amount, fill_amount)
    g = lit_channel(color[1], sky[1], bounce[1], key[1], fill[1], up, ambient, key_amount, fill_amount)
    b = lit_channel(color[2], sky[2], bounce[2], key[2], fill[2], up, ambient, key_amount, fill_amount)
    return r + sheen * sky[0], g + sheen * sky[1], b + sheen * sky[2]
