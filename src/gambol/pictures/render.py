"""Draw meshes and lines in a studio, as an array of pixels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gambol.core import Struct, lib, pointer, struct, struct_of
from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, FloatArray, Int32Array
from gambol.pictures.camera import Camera
from gambol.pictures.flock import MeshFlock
from gambol.pictures.mesh import Caster, Mesh, Polyline, to_linear, to_screen_color
from gambol.pictures.pixels import Pixels
from gambol.pictures.samples import Samples, View, draw_strokes, draw_triangles, struct_of_view
from gambol.pictures.shadow import floor_light, key_map
from gambol.pictures.studio import Studio

LARGEST_SIDE = 8192  # pixels: greatest side of a picture
PER_PIXEL = 2  # >= 1: samples along each side of a pixel; larger: smoother edges, slower
LINE_LIFT_M = 0.01  # metres: lines are drawn this much nearer, so that lines on a surface are visible

#: Sixteen places spread evenly over the unit disc (a sunflower's spiral).
PATTERN: FloatArray = np.array(
    [
        (math.sqrt((k + 0.5) / 16) * math.cos(2.399963 * k), math.sqrt((k + 0.5) / 16) * math.sin(2.399963 * k))
        for k in range(16)
    ]
)
BYTES_OF_LIGHT = np.round(255.0 * to_screen_color(np.linspace(0.0, 1.0, 8193))).astype(np.uint8)


class Surfaces(NamedTuple):
    """All triangles and strokes of a picture; strokes are numbered after the triangles."""

    vertices: FloatArray  # (V, 3) metres
    normals: FloatArray  # (V, 3) unit
    triangles: Int32Array  # (T, 3) indices of vertices
    owners: Int32Array  # (T + S,) index of the color
    colors: FloatArray  # (M, 3) linear
    is_ground: BoolArray  # (M,) whether surfaces of the color are ground


def render(
    meshes: Sequence[Mesh],
    camera: Camera,
    size: tuple[int, int],
    *,
    polylines: Sequence[Polyline] = (),
    flocks: Sequence[MeshFlock] = (),
    studio: Studio | None = None,
) -> Pixels:
    """Return a picture (height, width, 3) in sRGB; size is (width, height).

    The same input gives the same bytes.  Each pixel averages four samples.
    """
    width, height = size
    if not (1 <= width <= LARGEST_SIDE and 1 <= height <= LARGEST_SIDE):
        raise InvalidInput(f"a picture's sides are 1 to {LARGEST_SIDE} pixels, not {width} x {height}")
    studio = Studio() if studio is None else studio
    view = camera.view(size, per_pixel=PER_PIXEL)
    surfaces = _join(meshes, flocks, polylines)
    samples = Samples.empty(height * PER_PIXEL, width * PER_PIXEL)
    draw_triangles(view, surfaces.vertices, surfaces.triangles, samples)
    draw_strokes(view, *_segments(polylines), len(surfaces.triangles), LINE_LIFT_M, samples)
    picture = _light(meshes, flocks, surfaces, view, size, camera, studio)
    pixels = np.empty((height, width, 3), dtype=np.uint8)
    lib.gb_picture_paint(picture.c, samples.struct.c, pointer(pixels, "uint8_t"))
    return pixels


def _light(
    meshes: Sequence[Mesh],
    flocks: Sequence[MeshFlock],
    surfaces: Surfaces,
    view: View,
    size: tuple[int, int],
    camera: Camera,
    studio: Studio,
) -> Struct:
    """Set up lamps and shadows; return all that pixels depend on, as the core reads it."""
    casting = _casters(meshes, flocks)
    lit_from, light_nearness = key_map(*casting, studio.key)
    floor = floor_light(*casting, studio.key, studio.ground, studio.terrain)
    return struct(
        "gb_picture",
        rows=size[1],
        columns=size[0],
        per_pixel=PER_PIXEL,
        view=struct_of_view(view),
        surfaces=struct_of("gb_surfaces", surfaces, triangle_count=len(surfaces.triangles)),
        lamps=struct_of("gb_lamps", studio.lamps()),
        backdrop=struct_of("gb_backdrop", studio.backdrop(camera)),
        floor=struct_of("gb_floor_light", floor, rows=floor.share.shape[0], columns=floor.share.shape[1]),
        lamp_view=struct_of_view(lit_from),
        lamp_rows=light_nearness.shape[0],
        lamp_columns=light_nearness.shape[1],
        lamp_nearness=light_nearness,
        pattern_count=len(PATTERN),
        pattern=PATTERN,
        byte_count=len(BYTES_OF_LIGHT),
        bytes_of_light=BYTES_OF_LIGHT,
    )


def _casters(meshes: Sequence[Mesh], flocks: Sequence[MeshFlock]) -> Caster:
    """Join all that casts shadows."""
    casters = [mesh.caster or Caster(mesh.vertices, mesh.triangles) for mesh in meshes if mesh.casts_shadow]
    casters += [flock.shadow() for flock in flocks if flock.casts_shadow]
    firsts = np.cumsum([0, *(len(caster.vertices) for caster in casters)])
    return Caster(
        np.concatenate([np.empty((0, 3)), *(caster.vertices for caster in casters)]),
        np.concatenate(
            [np.empty((0, 3), np.int32), *(one.triangles + first for one, first in zip(casters, firsts, strict=False))]
        ).astype(np.int32),
    )


def _join(meshes: Sequence[Mesh], flocks: Sequence[MeshFlock], polylines: Sequence[Polyline]) -> Surfaces:
    """Join all meshes into one table; the lines' segments are numbered after all triangles."""
    sizes = [len(mesh.vertices) for mesh in meshes] + [
        flock.vertices.shape[0] * flock.vertices.shape[1] for flock in flocks
    ]
    firsts = np.cumsum([0, *sizes])
    triangles = [mesh.triangles for mesh in meshes] + [flock.all_triangles() for flock in flocks]
    counts = [len(mesh.triangles) for mesh in meshes]
    counts += [len(flock.triangles) for flock in flocks for _ in range(len(flock))]
    counts += [max(0, len(line.points) - 1) for line in polylines]
    colors = [
        np.array([item.color for item in meshes]).reshape(-1, 3),
        *(flock.colors for flock in flocks),
        np.array([item.color for item in polylines]).reshape(-1, 3),
    ]
    is_ground = np.zeros(len(counts), dtype=np.bool_)
    is_ground[: len(meshes)] = [mesh.is_ground for mesh in meshes]
    return Surfaces(
        vertices=np.concatenate([np.empty((0, 3)), *(item.vertices.reshape(-1, 3) for item in (*meshes, *flocks))]),
        normals=np.concatenate([np.empty((0, 3)), *(item.normals.reshape(-1, 3) for item in (*meshes, *flocks))]),
        triangles=np.concatenate(
            [np.empty((0, 3), np.int32), *(own + first for own, first in zip(triangles, firsts, strict=False))]
        ).astype(np.int32),
        owners=np.repeat(np.arange(len(counts), dtype=np.int32), counts),
        colors=to_linear(np.concatenate(colors)),
        is_ground=is_ground,
    )


def _segments(polylines: Sequence[Polyline]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the starts and ends (S, 3) of all lines' segments, and half their widths (S,) in samples."""
    starts = np.concatenate([np.empty((0, 3)), *(line.points[:-1] for line in polylines)])
    ends = np.concatenate([np.empty((0, 3)), *(line.points[1:] for line in polylines)])
    half_widths = [np.full(max(0, len(line.points) - 1), 0.5 * PER_PIXEL * line.width_px) for line in polylines]
    return starts, ends, np.concatenate([np.empty(0), *half_widths])
