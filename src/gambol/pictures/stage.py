"""A world and its characters at an instant, in three dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from gambol.body.capsules import Body
from gambol.body.mannequin import cone_meshes
from gambol.body.skin import Skin, skin_around
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.pictures.camera import Camera
from gambol.pictures.flock import MeshFlock
from gambol.pictures.mesh import Mesh, Polyline
from gambol.pictures.pixels import Pixels
from gambol.pictures.render import render
from gambol.pictures.shown import Shown
from gambol.pictures.skin_levels import shaded_figure
from gambol.pictures.studio import Studio
from gambol.pictures.world_meshes import (
    MoverModel,
    base_ground,
    contour_lines,
    obstacle_mesh,
    terrain_meshes,
)
from gambol.world.world import World

Point2 = tuple[float, float]

MOST_SKINS = 12  # characters: with more, each is a doll of few triangles
DOLL = (6, 2)  # vertices around a part of a doll, and circles on each cap
CUT_M = 1.0  # metres: walls are cut off at this height, so that characters behind them are visible
SHADOW_REACH = 2.5  # picture heights: things this near to the camera's target cast shadows
SEEN_REACH = 7.0  # picture heights: things farther from the camera's target are not drawn
AROUND_M = 1.0  # metres shown around ways
OVERVIEW = (0.22, 0.80, -0.66)  # direction of the view of a whole world: +X to the right, +Y away
FIELD_OF_VIEW_RAD = math.radians(26.0)  # radians from top to bottom


class _Thing(NamedTuple):
    """A mesh in the world."""

    mesh: Mesh
    unshaded: Mesh  # that casts no shadow
    low: Point2  # least x, y
    high: Point2  # greatest x, y

    @classmethod
    def of(cls, mesh: Mesh) -> _Thing:
        x, y = mesh.vertices[:, 0], mesh.vertices[:, 1]
        low, high = (float(x.min()), float(y.min())), (float(x.max()), float(y.max()))
        return cls(mesh, mesh.unshaded(), low, high)


@dataclass(frozen=True, eq=False)
class PictureStage:
    """Everything that pictures of a world share, made once."""

    world: World
    things: tuple[Mesh, ...]  # obstacles
    ground: tuple[Mesh, ...]  # terrain
    lines: tuple[Polyline, ...]
    movers: tuple[MoverModel, ...]
    studio: Studio

    @classmethod
    def of(cls, world: World, *, cut_m: float | None = CUT_M) -> PictureStage:
        """Build a world; `cut_m` as in `obstacle_mesh`."""
        things = tuple(obstacle_mesh(obstacle, terrain=world.terrain, cut_m=cut_m) for obstacle in world.obstacles)
        movers = tuple(MoverModel.of(mover, world.terrain) for mover in world.movers)
        lines = (*contour_lines(world), *([] if world.terrain is not None else [_border(world)]))
        studio = replace(Studio(), ground=base_ground(world), terrain=world.terrain)
        return cls(world, things, tuple(terrain_meshes(world)), lines, movers, studio)

    def picture(
        self, shown: Sequence[Shown], skins: Sequence[Skin], time_s: float, camera: Camera, size: tuple[int, int]
    ) -> Pixels:
        """Render characters, one skin each, in the world at a time."""
        figures = [
            _figure(one, one.motion, skin, time_s, camera, size)
            for one, skin in zip(shown, skins, strict=True)
            if one.motion is not None
        ]
        meshes = [*self.ground, *_around(camera, self._things_at(time_s)), *_around(camera, map(_Thing.of, figures))]
        return render(meshes, camera, size, polylines=self.lines, studio=self.studio.lit_for(camera))

    def crowd_picture(
        self, flocks: Sequence[MeshFlock], time_s: float, camera: Camera, size: tuple[int, int]
    ) -> Pixels:
        """Render many characters in the world at a time."""
        meshes = [*self.ground, *_around(camera, self._things_at(time_s))]
        return render(meshes, camera, size, polylines=self.lines, flocks=flocks, studio=self.studio.lit_for(camera))

    def _things_at(self, time_s: float) -> Iterator[_Thing]:
        """Yield obstacles, and movers at a time; what does not move is placed once."""
        yield from self._standing
        for number, model in enumerate(self.movers):
            place = model.place_at(time_s)
            if number not in self._moving or self._moving[number][0] != place:
                mesh = model.mesh(time_s, terrain=self.world.terrain)
                self._moving[number] = place, _Thing.of(mesh)
            yield self._moving[number][1]

    @cached_property
    def _standing(self) -> tuple[_Thing, ...]:
        return tuple(map(_Thing.of, self.things))

    @cached_property
    def _moving(self) -> dict[int, tuple[tuple[float, ...], _Thing]]:
        return {}  # by a mover's number: where it was last, and its mesh there

    def overview(self, aspect: float, points: FloatArray | None = None) -> Camera:
        """Return a camera that shows the whole world, or the part of it around points (N, 2)."""
        x0, y0, x1, y1 = self.world.bounds
        if points is not None and len(points):
            x0, y0 = np.maximum((x0, y0), points.min(axis=0) - AROUND_M)
            x1, y1 = np.minimum((x1, y1), points.max(axis=0) + AROUND_M)
        corners = np.array([(x, y) for x in (x0, x1) for y in (y0, y1)])
        heights = np.zeros(4) if self.world.terrain is None else self.world.terrain.height(corners)
        frame = np.concatenate([np.column_stack((corners, heights + above)) for above in (0.0, 1.0)])
        return Camera.framing(frame, OVERVIEW, aspect=aspect, margin=0.03, field_of_view_rad=FIELD_OF_VIEW_RAD)


def skins_for(shown: Sequence[Shown]) -> list[Skin]:
    """Return a skin for each character; characters with one skeleton share a skin."""
    made: list[tuple[Skeleton, Skin]] = []
    skins = []
    for one in shown:
        skeleton = one.plan.character.skeleton
        skin = next((skin for known, skin in made if known is skeleton), None)
        if skin is None:
            skin = skin_around(skeleton) if len(shown) <= MOST_SKINS else doll(Body.from_skeleton(skeleton))
            made.append((skeleton, skin))
        skins.append(skin)
    return skins


def _figure(
    shown: Shown, motion: Motion, skin: Skin, time_s: float, camera: Camera, size: tuple[int, int]
) -> Mesh:  # fmt: skip
    frame = shown.frame_at(time_s)
    return shaded_figure(skin, motion, frame, shown.color, camera.metre_px(motion.root_positions[frame], size))


def doll(body: Body) -> Skin:
    """Return a skin with few triangles: a closed piece around each part of a body."""
    sides, rings = DOLL
    cones = body.rest_cones
    vertices, triangles, owners = cone_meshes(cones, sides=sides, rings=rings)
    joints = np.zeros((len(vertices), 4), dtype=np.int32)
    joints[:, 0] = body.joint[owners]
    weights = np.zeros((len(vertices), 4))
    weights[:, 0] = 1.0
    outward = vertices - 0.5 * (cones.start + cones.end)[owners]
    normals = outward / np.maximum(np.linalg.norm(outward, axis=1, keepdims=True), 1e-12)
    return Skin(body.skeleton, vertices, normals, triangles, joints, weights)


def _around(camera: Camera, things: Iterable[_Thing]) -> list[Mesh]:
    """Return the things near enough to be seen; the nearest of them cast shadows."""
    seen = 2.0 * math.dist(camera.eye, camera.target) * math.tan(0.5 * camera.field_of_view_rad)
    x, y, _ = camera.target
    kept = []
    for thing in things:
        (low_x, low_y), (high_x, high_y) = thing.low, thing.high
        away = math.hypot(max(0.0, low_x - x, x - high_x), max(0.0, low_y - y, y - high_y))
        if away < SEEN_REACH * seen:
            kept.append(thing.mesh if away < SHADOW_REACH * seen else thing.unshaded)
    return kept


def _border(world: World) -> Polyline:
    x0, y0, x1, y1 = world.bounds
    corners = [(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0), (x0, y0, 0.0)]
    return Polyline(np.array(corners), (0.62, 0.62, 0.63), 1.2)
