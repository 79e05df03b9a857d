"""Turn a mesh into obstacles and terrain by its geometry."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely

from gambol.errors import InvalidInput, MalformedFile
from gambol.files.mesh_file import FileMesh, read_mesh
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.world.convex_parts import convex_parts
from gambol.world.mesh_columns import HAIR_M, LOW_M, Solid, column_solids, fill_columns
from gambol.world.mesh_components import Component, split_mesh
from gambol.world.mesh_ground import find_ground, plain
from gambol.world.mesh_prisms import Prism, recognise_prisms
from gambol.world.mesh_surfaces import Grid
from gambol.world.terrain import Terrain
from gambol.world.terrain_sources import placed_terrain
from gambol.world.world import Footprint, Obstacle, Piece, Pose

MAX_CELLS = 1 << 22  # cells of the grid; cells grow where there would be more
EVEN_CELLS = 2.0  # cells: a prism stays one prism if the ground rises by at most this below it; larger: less exact
THIN_CELLS = 3.0  # cells: lower convex things become the prism around them; larger: fewer, coarser obstacles
TALL_M = 2.5  # metres: no body gets over things this high, so uneven ground below them does not matter


@dataclass(frozen=True, eq=False)
class MeshParts:
    """A mesh as obstacles and terrain."""

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
    """Return the obstacles and the terrain of a mesh file.

    pose: where the file's origin lies and which way its x axis points.
    scale, up: as in `read_mesh`.
    cell_m: size of the cells that cut up everything but upright prisms; smaller is more exact.
    step_m: steps up to this height connect surfaces; see `find_ground` for what is ground.
    ceiling_m: parts of the mesh higher above the ground are left out, as no body reaches them.
    name: obstacles are called `name/0` and so on.

    Obstacles hold every part of the mesh that is more than 2 cm above the ground, and nothing more than two cells
    away from the mesh, except the insides of closed surfaces.  Upright prisms are exact.  Level ground at a height
    other than 0 becomes terrain of that height.  Without ground, heights count from 0.
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


def _grid(mesh: FileMesh, cell_m: float) -> Grid:
    """Return cells that cover the mesh, with borders on whole multiples of their size."""
    least, greatest = mesh.vertices[:, :2].min(axis=0), mesh.vertices[:, :2].max(axis=0)
    while True:
        first = np.floor(least / cell_m + 1e-3).astype(np.int64)
        past = np.maximum(np.ceil(greatest / cell_m - 1e-3).astype(np.int64), first + 2)
        columns, rows = (int(count) for count in past - first)
        if rows * columns <= MAX_CELLS:
            return Grid(float(first[0] * cell_m), float(first[1] * cell_m), cell_m, rows, columns)
        cell_m *= 1.25


class _Cutter:
    """Turns components into solids above one ground."""

    def __init__(self, grid: Grid, pose: Pose, terrain: Terrain | None, ceiling_m: float) -> None:
        self.grid, self.pose, self.terrain, self.ceiling_m = grid, pose, terrain, ceiling_m
        self.notes: list[str] = []
        self._ground_low, self._ground_high = self._ground_of_cells()

    def solids(self, components: Iterable[Component]) -> list[Solid]:
        """Return components that are prisms as such, and the others by columns of the grid."""
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
        for component in others:
            solids, too_high = self._columns(component)
            found += solids
            high += too_high
        if high:
            self.notes.append(f"what is more than {self.ceiling_m:g} m above the ground is left out")
        return found

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
        # Nine points in each cell: the terrain is bilinear between some of them, or nearly so where it was turned.
        nine = [heights[a : a + 2 * grid.rows : 2, b : b + 2 * grid.columns : 2] for a in range(3) for b in range(3)]
        return np.min(nine, axis=0), np.max(nine, axis=0)

    def _above_ground(self, prism: Prism) -> tuple[float, float] | None:
        """Return bottom and top above the ground, or None if the ground varies too much below the prism."""
        if self.terrain is None:
            return prism.bottom, prism.top
        low, high = _ground_below(self.terrain, self.pose, prism.outline)
        bottom, top = prism.bottom - high, prism.top - low
        if top <= LOW_M:
            return bottom, top
        even = high - low <= EVEN_CELLS * self.grid.cell_m
        tall_on_ground = bottom <= 0.0 and prism.bottom - low <= LOW_M and prism.top - high >= TALL_M
        return (bottom, top) if even or tall_on_ground else None

    def _columns(self, component: Component) -> tuple[list[Solid], bool]:
        """Return solids that hold a component of any shape, and whether some of it was too high to count."""
        window, first_row, first_column = self._window(component)
        here = np.s_[first_row : first_row + window.rows, first_column : first_column + window.columns]
        ground = self._ground_low[here].reshape(-1), self._ground_high[here].reshape(-1)
        columns = fill_columns(component, window, ground, ceiling_m=self.ceiling_m)
        return column_solids(columns, window), columns.too_high

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
    # All corners of the bilinear patches below the outline; beyond the terrain, points on its rim.
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


def _placed(pieces: list[FloatArray], mesh_pose: Pose) -> tuple[Footprint, Pose]:
    """Return a footprint around its own middle, and the pose that puts it back into the placed mesh."""
    corners = np.concatenate(pieces)
    middle = 0.5 * (corners.min(axis=0) + corners.max(axis=0))
    footprint = Footprint(tuple(Piece(piece - middle, 0.0) for piece in pieces))
    x, y = planar.apply(mesh_pose, middle)
    return footprint, (float(x), float(y), float(mesh_pose[2]))
