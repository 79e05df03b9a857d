"""Meshes turned into obstacles and terrain by their geometry."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.errors import InvalidInput, MalformedFile
from gambol.geometry import planar
from gambol.io.mesh_file import Mesh, read_mesh
from gambol.world.convex_parts import convex_parts
from gambol.world.footprint import Footprint, Piece
from gambol.world.kernels.boxes import cover_with_boxes
from gambol.world.kernels.spans import Grid, filled_spans, merge_spans, touches
from gambol.world.mesh_components import Component, split_mesh
from gambol.world.mesh_ground import find_ground, plain, walkable_triangles
from gambol.world.mesh_prisms import Prism, recognise_prisms
from gambol.world.obstacle import Obstacle, Pose
from gambol.world.terrain import Terrain
from gambol.world.terrain_sources import placed_terrain

FloatArray = NDArray[np.float64]
MAX_CELLS = 1 << 22  # of the grid; cells grow where there would be more
LOW_M = 0.02  # what rises less above the ground is part of it: sills, carpets, cables
HAIR_M = 1e-4  # by which a closed surface may reach into a cell without being there
GAP_CELLS = 2.0  # gaps of so many cells between spans are closed: no body gets in
THIN_CELLS = 3.0
TALL_M = 2.5  # nobody gets over what is so high, so a little more does not matter


@dataclass(frozen=True, eq=False)
class MeshParts:
    """What a mesh is to characters."""

    obstacles: tuple[Obstacle, ...]
    terrain: Terrain | None  # None: the mesh has no ground of its own, or it is level at height 0
    notes: tuple[str, ...] = ()


def mesh_world_parts(
    path: Path | str,
    *,
    pose: Pose = (0.0, 0.0, 0.0),
    scale: float = 1.0,
    up: str | None = None,
    cell_m: float = 0.05,
    step_m: float = 0.25,
    ceiling_m: float = 4.0,
    name: str = "mesh",
) -> MeshParts:
    """Return the obstacles and the terrain that a mesh file amounts to.

    pose: where the file's origin lies and which way its x axis points.
    scale, up: as in `read_mesh`.
    cell_m: how finely that is cut up which is no upright prism.
    step_m: surfaces are connected by steps up to this high; see `find_ground` for what is ground.
    ceiling_m: what is higher above the ground everywhere is left out, as no body reaches it.
    name: obstacles are called `name/0` and so on.

    All of the mesh that is more than 2 cm above the ground is inside obstacles, and only what is within two cells
    of the mesh, or inside a closed surface.  Upright prisms come out exactly.  Ground that is level at
    some other height than 0 is a terrain of that height.  Without ground, heights count from 0.
    """
    for what, value in (("cell", cell_m), ("ceiling", ceiling_m)):
        if not (math.isfinite(value) and value > 0.0):
            raise InvalidInput(f"a mesh's {what} must be positive, not {value}")
    if not (math.isfinite(step_m) and step_m >= 0.0):
        raise InvalidInput(f"a step must not be negative, not {step_m}")
    if len(pose) != 3 or not np.isfinite(pose).all():
        raise InvalidInput(f"a pose is (x, y, heading), all finite, not {pose}")
    mesh = read_mesh(path, up=up, scale=scale)
    grid = _grid(mesh, cell_m)
    notes = list(mesh.notes)
    if grid.cell_m > cell_m:
        notes.append(f"cells are {grid.cell_m:.3g} m: of {cell_m} m there would be more than {MAX_CELLS:,}")
    components = split_mesh(mesh)
    if not components:
        raise MalformedFile("all its triangles are only lines", path=path)
    own_ground, said = find_ground(components, grid, step_m)
    notes += said
    terrain = None if own_ground is None else plain(placed_terrain(own_ground, pose))
    cutter = _Cutter(grid, pose, terrain, ceiling_m)
    solids = cutter.solids(components)
    obstacles = tuple(
        Obstacle(f"{name}/{number}", *_placed(pieces, pose), bottom, top)
        for number, (pieces, bottom, top) in enumerate(solids)
    )
    return MeshParts(obstacles, terrain, (*notes, *cutter.notes))


def _grid(mesh: Mesh, cell_m: float) -> Grid:
    """Return cells that cover the mesh, with borders on whole multiples of their size."""
    least, greatest = mesh.vertices[:, :2].min(axis=0), mesh.vertices[:, :2].max(axis=0)
    while True:
        first = np.floor(least / cell_m + 1e-3).astype(np.int64)
        past = np.maximum(np.ceil(greatest / cell_m - 1e-3).astype(np.int64), first + 2)
        columns, rows = (int(count) for count in past - first)
        if rows * columns <= MAX_CELLS:
            return Grid(float(first[0] * cell_m), float(first[1] * cell_m), cell_m, rows, columns)
        cell_m *= 1.25


Solid = tuple[list[FloatArray], float, float]  # convex pieces in the mesh's frame; bottom and top above the ground


class _Cutter:
    """Turns components into solids above one ground."""

    def __init__(self, grid: Grid, pose: Pose, terrain: Terrain | None, ceiling_m: float) -> None:
        self.grid, self.pose, self.terrain, self.ceiling_m = grid, pose, terrain, ceiling_m
        self.notes: list[str] = []
        self._ground_low, self._ground_high = self._ground_of_cells()

    def solids(self, components: Iterable[Component]) -> list[Solid]:
        """Return prisms where components are such, and boxes along the grid for all the others together."""
        found: list[Solid] = []
        others: list[Component] = []
        high = 0
        for component in components:
            prisms = recognise_prisms(component, thin_m=THIN_CELLS * self.grid.cell_m)
            spans = None if prisms is None else [self._above_ground(prism) for prism in prisms]
            if prisms is None or spans is None or any(span is None for span in spans):
                others.append(component)
                continue
            for prism, span in zip(prisms, spans, strict=True):
                assert span is not None
                bottom, top = span
                high += bottom > self.ceiling_m
                if top > LOW_M and bottom <= self.ceiling_m:
                    found.append((convex_parts(prism.outline), max(bottom, 0.0), top))
        boxes, too_high = self._boxes(others)
        if high or too_high:
            self.notes.append(f"what is more than {self.ceiling_m:g} m above the ground is left out")
        return found + boxes

    def _ground_of_cells(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and greatest height of the ground in each cell (rows, columns)."""
        grid = self.grid
        if self.terrain is None:
            level = np.zeros((grid.rows, grid.columns))
            return level, level
        x = grid.x0 + 0.5 * grid.cell_m * np.arange(2 * grid.columns + 1)
        y = grid.y0 + 0.5 * grid.cell_m * np.arange(2 * grid.rows + 1)
        points = np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1)
        heights = self.terrain.height(planar.apply(self.pose, points))
        # Nine points a cell: the terrain is bilinear between some of them, or nearly so where it was turned.
        nine = [heights[a : a + 2 * grid.rows : 2, b : b + 2 * grid.columns : 2] for a in range(3) for b in range(3)]
        return np.min(nine, axis=0), np.max(nine, axis=0)

    def _above_ground(self, prism: Prism) -> tuple[float, float] | None:
        """Return bottom and top above the ground, or None where that varies too much below the prism."""
        if self.terrain is None:
            return prism.bottom, prism.top
        low, high = _ground_below(self.terrain, self.pose, prism.outline)
        bottom, top = prism.bottom - high, prism.top - low
        if top <= LOW_M:
            return bottom, top
        even = high - low <= GAP_CELLS * self.grid.cell_m
        tall_on_ground = bottom <= 0.0 and prism.bottom - low <= LOW_M and prism.top - high >= TALL_M
        return (bottom, top) if even or tall_on_ground else None

    def _boxes(self, components: list[Component]) -> tuple[list[Solid], bool]:
        """Return boxes that hold the components' spans, and whether any span was too high to count."""
        grid = self.grid
        if not components:
            return [], False
        cells, bottoms, tops = map(np.concatenate, zip(*map(self._spans, components), strict=True))
        bottoms = bottoms - self._ground_high.reshape(-1)[cells]
        tops = tops - self._ground_low.reshape(-1)[cells]
        counts = (tops > LOW_M) & (bottoms <= self.ceiling_m)
        too_high = bool(np.any(bottoms > self.ceiling_m))
        cells, bottoms, tops = cells[counts], np.maximum(bottoms[counts], 0.0), tops[counts]
        gap_m = GAP_CELLS * grid.cell_m
        bottoms[bottoms <= gap_m] = 0.0
        order = np.lexsort((tops, bottoms, cells))
        cells, bottoms, tops = merge_spans(cells[order], bottoms[order], tops[order], gap_m)
        starts = np.searchsorted(cells, np.arange(grid.rows * grid.columns + 1))
        boxes = cover_with_boxes(starts, bottoms, tops, grid.rows, grid.columns, grid.cell_m)
        return [_box_solid(grid, box) for box in boxes], too_high

    def _spans(self, component: Component) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
        """Return the cells, bottoms and tops, in the mesh's heights, of what a component fills."""
        vertices, triangles = component.vertices, component.triangles
        # A closed surface on the border of two cells has its inside in one of them; an open one is in both.
        grow_m = -HAIR_M if component.solid else HAIR_M
        window, first_row, first_column = self._window(component)
        starts, owners, lows, highs = touches(vertices, triangles, window, grow_m)
        cell = np.repeat(np.arange(window.rows * window.columns), np.diff(starts))
        order = np.lexsort((highs, lows, cell))
        owners, lows, highs = owners[order], lows[order], highs[order]
        here = (first_row + cell // window.columns) * self.grid.columns + first_column + cell % window.columns
        is_ground = (
            walkable_triangles(vertices, triangles)[owners]
            & (lows - LOW_M <= self._ground_high.reshape(-1)[here])
            & (highs + LOW_M >= self._ground_low.reshape(-1)[here])
        )
        cells, bottoms, tops = filled_spans(
            vertices, triangles, component.solid, is_ground, starts, owners, lows, highs, window
        )
        row, column = np.divmod(cells, window.columns)
        return (first_row + row) * self.grid.columns + first_column + column, bottoms, tops

    def _window(self, component: Component) -> tuple[Grid, int, int]:
        """Return the part of the grid around a component, and its first row and column."""
        grid = self.grid
        least = (component.corners[..., :2].min(axis=(0, 1)) - HAIR_M - (grid.x0, grid.y0)) / grid.cell_m
        most = (component.corners[..., :2].max(axis=(0, 1)) + HAIR_M - (grid.x0, grid.y0)) / grid.cell_m
        limits = (grid.columns, grid.rows)
        first = [min(max(math.floor(value), 0), limit - 1) for value, limit in zip(least, limits, strict=True)]
        past = [min(max(math.floor(value), 0), limit - 1) + 1 for value, limit in zip(most, limits, strict=True)]
        x0, y0 = grid.x0 + first[0] * grid.cell_m, grid.y0 + first[1] * grid.cell_m
        return Grid(x0, y0, grid.cell_m, past[1] - first[1], past[0] - first[0]), first[1], first[0]


def _ground_below(terrain: Terrain, pose: Pose, outline: shapely.Polygon) -> tuple[float, float]:
    """Return the least and greatest height of terrain below an outline in the mesh's frame."""
    cell_m = terrain.cell_m
    placed = shapely.transform(outline.buffer(1.5 * cell_m), lambda points: planar.apply(pose, points))
    rows, columns = terrain.heights_m.shape
    least_x, least_y, most_x, most_y = placed.bounds
    # All points that the bilinear patches below the outline hang on; beyond the terrain, those on its rim.
    i = np.arange(
        math.floor((least_x - terrain.origin[0]) / cell_m), math.ceil((most_x - terrain.origin[0]) / cell_m) + 1
    )
    j = np.arange(
        math.floor((least_y - terrain.origin[1]) / cell_m), math.ceil((most_y - terrain.origin[1]) / cell_m) + 1
    )
    x, y = np.meshgrid(terrain.origin[0] + cell_m * i, terrain.origin[1] + cell_m * j)
    near = shapely.contains_xy(placed, x, y)
    heights = terrain.heights_m[np.clip(j, 0, rows - 1)[:, None], np.clip(i, 0, columns - 1)[None, :]][near]
    return float(heights.min()), float(heights.max())


def _box_solid(grid: Grid, box: FloatArray) -> Solid:
    row, column, rows, columns, bottom, top = (float(value) for value in box)
    left, right = grid.x0 + column * grid.cell_m, grid.x0 + (column + columns) * grid.cell_m
    near, far = grid.y0 + row * grid.cell_m, grid.y0 + (row + rows) * grid.cell_m
    return [np.array([[left, near], [right, near], [right, far], [left, far]])], bottom, top


def _placed(pieces: list[FloatArray], mesh_pose: Pose) -> tuple[Footprint, Pose]:
    """Return a footprint around its own middle, and the pose that puts it where the mesh has it."""
    corners = np.concatenate(pieces)
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    footprint = Footprint(tuple(Piece(piece - middle, 0.0) for piece in pieces))
    x, y = planar.apply(mesh_pose, middle)
    return footprint, (float(x), float(y), float(mesh_pose[2]))
