"""A climb in three dimensions: the full body among polygons extruded in depth, as a video or a picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import scipy
import shapely
from numpy.typing import NDArray

from gambol.body.skin import Skin
from gambol.climb.climb import ClimbMotion
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.errors import InvalidInput, UnknownName
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.pictures.camera import Camera, Point
from gambol.pictures.climb_environment import MARK
from gambol.pictures.climb_figure import MODE_COLORS, WHITE
from gambol.pictures.climb_video import frame_count
from gambol.pictures.figure import faded, figure, skin_of
from gambol.pictures.lettering import INK, PALE_INK, Text, draw_texts
from gambol.pictures.mesh import Color, Mesh
from gambol.pictures.pixels import Pixels
from gambol.pictures.plan_video import brightened
from gambol.pictures.render import render
from gambol.pictures.shapes import box, capsule
from gambol.pictures.studio import Studio
from gambol.pictures.video import RATE_HZ, SIZE, check_size, counted, write_video
from gambol.world.environment import Environment, GraspPoint

#: Directions of the view: the climb's x is to the right, and y leads away.
VIEWS: Mapping[str, Point] = MappingProxyType(
    {
        "side": (0.0, 1.0, -0.07),
        "three-quarter": (0.36, 0.93, -0.17),
    }
)
DEPTH_M = (-0.42, 0.75)  # metres: solids reach from this y, before the figure, to that, behind it
HOLDS_M = (-0.34, 0.34)  # metres: rods of grasp points reach from this y to that
CUT: Color = (0.74, 0.745, 0.765)
SURFACE: Color = (0.86, 0.855, 0.84)
BAR: Color = (0.50, 0.53, 0.58)
BAR_M = 0.017  # metres: radius of a bar
HOLD_M = 0.014  # metres: radius of a hold
BODIES_HIGH = 2.1  # statures: height of the picture
FIELD_OF_VIEW_RAD = math.radians(24.0)  # radians from top to bottom
SMOOTH_S = 0.7  # seconds: the camera's path is smoothed over this time; larger: calmer
SHADOW_REACH_M = 4.5  # metres: a body's shadow may fall this far behind it
PALE = 0.30  # 0 to 1: the body is this much whiter than its mode's color


@dataclass(frozen=True, eq=False)
class Diorama:
    """An environment in three dimensions, made once for all pictures of it."""

    meshes: tuple[Mesh, ...]
    studio: Studio

    @classmethod
    def of(cls, environment: Environment) -> Diorama:
        meshes = drawn_out(environment)
        meshes += [_hold(point) for point in environment.grasp_points]
        # Only the body casts a shadow: a large environment would leave too few samples for it.
        meshes = [replace(mesh, casts_shadow=False) for mesh in meshes]
        return cls(tuple(meshes), replace(Studio(), ground=Ground(environment.bounds.low_z - 0.004)))

    def picture(self, body: Mesh, camera: Camera, size: tuple[int, int]) -> Pixels:
        """Render the environment with a body in it."""
        studio = self.studio.lit_for(camera)
        # The lamp's map of shadows ends with the farthest thing that casts one: a speck extends it behind the body.
        behind = body.vertices.mean(axis=0) - SHADOW_REACH_M * np.array(studio.key)
        speck = Mesh(
            np.tile(behind, (3, 1)), np.tile((0.0, 0.0, 1.0), (3, 1)), np.array([[0, 1, 2]], np.int32), SURFACE
        )
        return render([*self.meshes, body, speck], camera, size, studio=studio)


def climb_film(
    path: Path | str,
    problem: ClimbProblem,
    climbed: ClimbMotion,
    motion: Motion,
    *,
    view: str = "three-quarter",
    size: tuple[int, int] = SIZE,
    rate_hz: float = RATE_HZ,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write an .mp4 of a full body that climbs.

    motion: of the full body, with the same frames as `climbed`.
    progress: called with the number of frames done and the number of all.
    """
    check_size(size)
    count = frame_count(climbed, rate_hz)
    frames = film_frames(problem, climbed, motion, view=view, size=size, rate_hz=rate_hz)
    write_video(counted(frames, count, progress), path, size, rate_hz=rate_hz)


def film_frames(
    problem: ClimbProblem, climbed: ClimbMotion, motion: Motion, *,
    view: str = "three-quarter", size: tuple[int, int] = SIZE, rate_hz: float = RATE_HZ,
) -> Iterator[Pixels]:  # fmt: skip
    """Render the frames of a film one by one."""
    if motion.frame_count != len(climbed.path):
        raise InvalidInput(f"the body has {motion.frame_count} frames, the climb {len(climbed.path)}")
    stage, skin = Diorama.of(problem.environment), skin_of(motion)
    indices = np.round(np.arange(frame_count(climbed, rate_hz)) * climbed.rate_hz / rate_hz).astype(np.intp)
    indices = indices.clip(0, motion.frame_count - 1)
    cameras = _cameras(problem, climbed, indices, view, rate_hz)
    letter = max(11, round(size[1] / 22))
    for number, (index, camera) in enumerate(zip(indices.tolist(), cameras, strict=True)):
        mode = Mode(int(climbed.path.modes[index]))
        picture = stage.picture(_body(skin, motion, index, mode), camera, size)
        time_s = min(number / rate_hz, climbed.duration_s)
        texts = [
            Text(mode.label, letter, size[1] - letter, letter, faded(MODE_COLORS[mode], INK, 0.2)),
            Text(f"{time_s:.1f} s", size[0] - letter, size[1] - letter, letter, PALE_INK, "rs"),
        ]
        yield draw_texts(brightened(picture, texts), texts)


def _body(skin: Skin, motion: Motion, index: int, mode: Mode) -> Mesh:
    return figure(skin, skin.deform(motion, [index])[0], faded(MODE_COLORS[mode], WHITE, PALE))


def _cameras(
    problem: ClimbProblem, climbed: ClimbMotion, indices: NDArray[np.intp], view: str, rate_hz: float
) -> list[Camera]:
    """Return cameras that follow the pelvis smoothly."""
    if view not in VIEWS:
        raise UnknownName("view", view, tuple(VIEWS))
    stature = problem.figure.stature_m
    places = scipy.ndimage.gaussian_filter1d(
        climbed.path.configurations[indices, :2], SMOOTH_S * rate_hz, axis=0, mode="nearest"
    )
    direction = np.array(VIEWS[view])
    direction /= np.linalg.norm(direction)
    away = 0.5 * BODIES_HIGH * stature / math.tan(0.5 * FIELD_OF_VIEW_RAD)
    targets = np.column_stack((places[:, 0], np.zeros(len(places)), places[:, 1]))
    return [
        Camera(tuple((target - away * direction).tolist()), tuple(target.tolist()), FIELD_OF_VIEW_RAD)
        for target in targets
    ]


def drawn_out(environment: Environment, depth_m: tuple[float, float] = DEPTH_M) -> list[Mesh]:
    """Return solids extruded in depth, from before the plane to behind it: surfaces and cuts."""
    return [mesh for part in _solids(environment) for mesh in _drawn_out(part, depth_m)]


def _solids(environment: Environment) -> list[shapely.Polygon]:
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in environment.polygons])
    parts = shapely.get_parts(shapely.intersection(solid, shapely.box(*environment.bounds)))
    return [part for part in parts if isinstance(part, shapely.Polygon) and part.area > 0.0]


def _drawn_out(polygon: shapely.Polygon, depth_m: tuple[float, float]) -> list[Mesh]:
    """Return a polygon of the plane extruded in depth: its surfaces, and the cuts at both ends."""
    near, far = depth_m
    polygon = shapely.orient_polygons(polygon)
    corners, normals = [], []
    # Outlines run counter-clockwise, holes clockwise: the solid is to their left.
    for ring in (polygon.exterior, *polygon.interiors):
        places = np.asarray(ring.coords)
        start, end = places[:-1], places[1:]
        along = end - start
        outward = np.column_stack((along[:, 1], -along[:, 0])) / np.linalg.norm(along, axis=1, keepdims=True)
        for (ax, az), (bx, bz), (nx, nz) in zip(start.tolist(), end.tolist(), outward.tolist(), strict=True):
            corners.append(((ax, near, az), (bx, near, bz), (bx, far, bz), (ax, far, az)))
            normals.append((nx, 0.0, nz))
    first = 4 * np.arange(len(corners))[:, None]
    triangles = np.concatenate((first + (0, 1, 2), first + (0, 2, 3)))
    surfaces = Mesh(np.array(corners).reshape(-1, 3), np.repeat(normals, 4, axis=0), triangles, SURFACE)
    parts = shapely.get_parts(shapely.constrained_delaunay_triangles(polygon))
    flat = np.concatenate([np.asarray(part.exterior.coords)[:3, :2] for part in parts])
    cuts = [
        Mesh(
            np.column_stack((flat[:, 0], np.full(len(flat), y), flat[:, 1])),
            np.tile((0.0, side, 0.0), (len(flat), 1)),
            np.arange(len(flat), dtype=np.int32).reshape(-1, 3),
            CUT,
        )
        for y, side in ((near, -1.0), (far, 1.0))
    ]
    return [surfaces, *cuts]


def _hold(point: GraspPoint) -> Mesh:
    """Return a grasp point as a rod across the plane: bars as deep as the solids, holds shorter."""
    if point.is_bar:
        near, far = DEPTH_M
        return capsule((point.x, near, point.z), (point.x, far, point.z), BAR_M, BAR_M, BAR, sides=10)
    near, far = HOLDS_M
    if point.is_floor:
        half, lift = 0.012, 0.004
        return box(
            (point.x - half, near, point.z - 0.02), (point.x + half, far, point.z + lift), faded(MARK, WHITE, 0.35)
        )
    return capsule((point.x, near, point.z), (point.x, far, point.z), HOLD_M, HOLD_M, faded(MARK, WHITE, 0.2), sides=8)
