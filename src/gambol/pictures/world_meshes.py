"""Obstacles, movers and terrain as meshes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.motion.ground import Ground
from gambol.pictures.figure import faded
from gambol.pictures.mesh import Color, Mesh, Polyline
from gambol.pictures.world_colors import CONTOUR, TERRAIN, THING_COLORS, kind_of
from gambol.world.terrain import Terrain
from gambol.world.world import Footprint, Mover, Obstacle, World

ROUND_M = 0.004  # metres, >= 0: tolerance of round outlines; larger: fewer corners
SPACING_M = 0.4  # metres, > 0: spacing of points along outlines on uneven ground; smaller follows it better
MOST_POINTS = 160  # cells along each side of a terrain's mesh at most
MARGIN_M = 1.0  # metres of terrain shown around the bounds
SKIRT_M = 0.05  # metres: a terrain's edge reaches this far below its lowest point
CONTOURS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0)  # metres between contours, the least that suits
MOST_CONTOURS = 12  # contours at most, about
PLAIN = 0.05  # 0 to 1: a level has no contour if this share of the ground lies within this share of a step from it
PAINT_M = 0.006  # metres: contours are drawn this far above the ground


@dataclass(frozen=True, eq=False)
class Prism:
    """A footprint as a solid of height one in its own frame, to be placed any number of times."""

    points: FloatArray  # (V, 2) metres
    levels: FloatArray  # (V,) 0 at the bottom, 1 at the top
    normals: FloatArray  # (V, 3)
    triangles: Int32Array  # (T, 3)

    @classmethod
    def of(cls, footprint: Footprint, *, spacing_m: float = np.inf) -> Prism:
        """Return a footprint's prism; with `spacing_m`, its outline has enough points to follow uneven ground."""
        points, levels, normals, triangles = [], [], [], []
        count = 0
        for polygon in _polygons(footprint):
            for ring in (polygon.exterior, *polygon.interiors):
                side = _side(_dense(np.asarray(ring.coords)[:, :2], spacing_m))
                for items, item in zip((points, levels, normals), side[:3], strict=True):
                    items.append(item)
                triangles.append(side[3] + count)
                count += len(side[0])
            corners = _triangulated(polygon, spacing_m)
            for level in (0.0, 1.0):
                points.append(corners)
                levels.append(np.full(len(corners), level))
                normals.append(np.tile([0.0, 0.0, 2.0 * level - 1.0], (len(corners), 1)))
                triangles.append(np.arange(count, count + len(corners), dtype=np.int32).reshape(-1, 3))
                count += len(corners)
        return cls(*(np.concatenate(items) for items in (points, levels, normals, triangles)))  # type: ignore[arg-type]

    def mesh(
        self,
        pose: Sequence[float] | FloatArray,
        heights_m: tuple[float, float],
        color: Color,
        *,
        terrain: Terrain | None = None,
        casts_shadow: bool = True,
    ) -> Mesh:
        """Return the prism at a pose (x, y, heading), between two heights above the local ground."""
        x, y, heading = (float(value) for value in pose)
        cosine, sine = np.cos(heading), np.sin(heading)
        turn = np.array([[cosine, sine], [-sine, cosine]])
        places = self.points @ turn + (x, y)
        bottom, top = heights_m
        heights = bottom + self.levels * (top - bottom)
        if terrain is not None:
            heights = heights + terrain.height(places)
        normals = np.column_stack((self.normals[:, :2] @ turn, self.normals[:, 2]))
        return Mesh(np.column_stack((places, heights)), normals, self.triangles, color, casts_shadow)


@dataclass(frozen=True, eq=False)
class MoverModel:
    """A mover ready to be placed at any time."""

    mover: Mover
    prism: Prism

    @classmethod
    def of(cls, mover: Mover, terrain: Terrain | None) -> MoverModel:
        return cls(mover, Prism.of(mover.footprint, spacing_m=np.inf if terrain is None else SPACING_M))

    def place_at(self, time_s: float) -> tuple[float, ...]:
        """Return where the mover is at a time: x, y, heading, bottom and top."""
        pose, heights = self.mover.trajectory.at(time_s)
        return (*pose.tolist(), *heights.tolist())

    def mesh(self, time_s: float, *, color: Color = THING_COLORS["mover"], terrain: Terrain | None = None) -> Mesh:
        pose, heights = self.mover.trajectory.at(time_s)
        return self.prism.mesh(pose, (float(heights[0]), float(heights[1])), color, terrain=terrain)


def obstacle_mesh(obstacle: Obstacle, *, terrain: Terrain | None = None, cut_m: float | None = None) -> Mesh:
    """Return an obstacle in the color of its kind.

    cut_m: things on the ground are cut off at this height, and beams are at most a third of it thick, so that
    characters behind and below are visible.
    """
    bottom, top = obstacle.bottom_m, obstacle.top_m
    kind = kind_of(obstacle)
    color = THING_COLORS[kind]
    if cut_m is not None:
        top = min(top, bottom + cut_m / 3.0 if kind == "beam" else max(cut_m, bottom + 0.1))
    if top < obstacle.top_m:
        color = faded(color, (0.2, 0.2, 0.22), 0.12)
    prism = Prism.of(obstacle.footprint, spacing_m=np.inf if terrain is None else SPACING_M)
    return prism.mesh(obstacle.pose, (bottom, top), color, terrain=terrain)


def terrain_meshes(world: World) -> list[Mesh]:
    """Return the ground of a hilly world as a block with straight sides; nothing for a flat world."""
    if world.terrain is None:
        return []
    x, y = _grid_lines(world)
    across, along = np.meshgrid(x, y)
    places = np.column_stack((across.ravel(), along.ravel()))
    heights = world.terrain.height(places)
    slopes = world.terrain.gradient(places)
    normals = np.column_stack((-slopes, np.ones(len(places))))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    first = (np.arange(len(y) - 1)[:, None] * len(x) + np.arange(len(x) - 1)).ravel()
    lower = np.column_stack((first, first + 1, first + 1 + len(x)))
    upper = np.column_stack((first, first + 1 + len(x), first + len(x)))
    top = Mesh(
        np.column_stack((places, heights)),
        normals,
        np.concatenate((lower, upper)),
        TERRAIN,
        casts_shadow=False,
        is_ground=True,
    )
    return [top, _skirt(world.terrain, x, y, base_ground(world).height_m)]


def base_ground(world: World) -> Ground:
    """Return the studio's floor for a world: at height 0, or just below the whole terrain."""
    if world.terrain is None:
        return Ground(0.0)
    x, y = _grid_lines(world)
    return Ground(float(world.terrain.height(np.stack(np.meshgrid(x, y), axis=-1)).min()) - SKIRT_M)


def contour_lines(world: World, *, width_px: float = 1.0) -> list[Polyline]:
    """Return lines of equal height on a hilly world's ground."""
    from contourpy import contour_generator

    if world.terrain is None:
        return []
    x, y = _grid_lines(world)
    heights = world.terrain.height(np.stack(np.meshgrid(x, y), axis=-1))
    generator = contour_generator(x, y, heights)
    lines = []
    for level in contour_levels(heights):
        for line in generator.lines(level):
            points = np.column_stack((np.asarray(line), np.full(len(line), level + PAINT_M)))
            lines.append(Polyline(points, CONTOUR, width_px))
    return lines


def contour_levels(heights_m: FloatArray) -> FloatArray:
    """Return about a dozen round heights within a ground's heights, without those of its plains."""
    lowest_m, highest_m = float(heights_m.min()), float(heights_m.max())
    span = highest_m - lowest_m
    step = next((step for step in CONTOURS if span / step <= MOST_CONTOURS), span / MOST_CONTOURS)
    if not span > 1e-3:
        return np.empty(0)
    levels = step * np.arange(np.floor(lowest_m / step), np.ceil(highest_m / step) + 1)
    between = levels[(levels > lowest_m + 1e-6) & (levels < highest_m - 1e-6)]
    is_plain = [float(np.mean(np.abs(heights_m - level) < PLAIN * step)) > PLAIN for level in between]
    return between[~np.array(is_plain, dtype=bool)]


def _grid_lines(world: World) -> tuple[FloatArray, FloatArray]:
    """Return x and y of the points of a terrain's mesh: its own grid around the bounds, or fewer points."""
    terrain = world.terrain
    assert terrain is not None
    lines = []
    for axis in (0, 1):
        low, high = world.bounds[axis] - MARGIN_M, world.bounds[axis + 2] + MARGIN_M
        count = int(np.clip(np.ceil((high - low) / terrain.cell_m), 2, MOST_POINTS))
        lines.append(np.linspace(low, high, count + 1))
    return lines[0], lines[1]


def _skirt(terrain: Terrain, x: FloatArray, y: FloatArray, base_m: float) -> Mesh:
    """Close the edge of a terrain down to the floor."""
    edges = (
        np.column_stack((x, np.full(len(x), y[0]))),
        np.column_stack((np.full(len(y), x[-1]), y)),
        np.column_stack((x[::-1], np.full(len(x), y[-1]))),
        np.column_stack((np.full(len(y), x[0]), y[::-1])),
    )
    outward = ((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    vertices, normals, triangles, count = [], [], [], 0
    for edge, normal in zip(edges, outward, strict=True):
        size = len(edge)
        upper = np.column_stack((edge, terrain.height(edge)))
        lower = np.column_stack((edge, np.full(size, base_m)))
        vertices += [upper, lower]
        normals.append(np.tile(normal, (2 * size, 1)))
        here = count + np.arange(size - 1)
        triangles += [
            np.column_stack((here, here + size, here + 1)),
            np.column_stack((here + 1, here + size, here + size + 1)),
        ]
        count += 2 * size
    color = faded(TERRAIN, (0.2, 0.2, 0.2), 0.10)
    return Mesh(np.concatenate(vertices), np.concatenate(normals), np.concatenate(triangles), color)


def _polygons(footprint: Footprint) -> list[shapely.Polygon]:
    """Return the polygons that a footprint covers, with few corners on round parts."""
    region = shapely.simplify(footprint.region(), ROUND_M)
    parts = shapely.get_parts(region)
    return [part for part in parts if isinstance(part, shapely.Polygon) and part.area > 0.0]


def _dense(ring: FloatArray, spacing_m: float) -> FloatArray:
    """Return a closed ring (R, 2), whose last point is its first, with points at most `spacing_m` apart."""
    if not np.isfinite(spacing_m):
        return ring
    pieces = []
    for start, end in pairwise(ring):
        count = max(1, int(np.ceil(np.linalg.norm(end - start) / spacing_m)))
        pieces.append(start + (end - start) * (np.arange(count) / count)[:, None])
    return np.concatenate((*pieces, ring[-1:]))


def _side(ring: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, Int32Array]:
    """Return points, levels, normals and triangles of the walls along a closed ring, flat from corner to corner."""
    start, end = ring[:-1], ring[1:]
    along = end - start
    outward = np.column_stack((along[:, 1], -along[:, 0])) / np.linalg.norm(along, axis=1, keepdims=True)
    signed = 0.5 * float(np.sum(start[:, 0] * end[:, 1] - end[:, 0] * start[:, 1]))
    outward = outward if signed > 0.0 else -outward
    count = len(start)
    points = np.stack((start, end, end, start), axis=1).reshape(-1, 2)
    levels = np.tile([0.0, 0.0, 1.0, 1.0], count)
    normals = np.repeat(np.column_stack((outward, np.zeros(count))), 4, axis=0)
    first = 4 * np.arange(count)
    triangles = np.concatenate(
        (np.column_stack((first, first + 1, first + 2)), np.column_stack((first, first + 2, first + 3)))
    )
    return points, levels, normals, triangles.astype(np.int32)


def _triangulated(polygon: shapely.Polygon, spacing_m: float) -> FloatArray:
    """Return the corners (3 T, 2) of triangles that cover a polygon."""
    dense = shapely.segmentize(polygon, spacing_m) if np.isfinite(spacing_m) else polygon
    parts = shapely.get_parts(shapely.constrained_delaunay_triangles(dense))
    return np.concatenate([np.asarray(part.exterior.coords)[:3, :2] for part in parts])
