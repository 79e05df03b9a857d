"""Terrain from bumps, images and meshes."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.errors import InvalidInput, MalformedFile
from gambol.files.grey_image import read_grey_image
from gambol.files.mesh_file import read_mesh
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.world.mesh_surfaces import Grid, highest_surface
from gambol.world.terrain import Terrain

Bounds = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y
MAX_POINTS = 1 << 22  # points of a terrain's grid; more are refused


@dataclass(frozen=True)
class Bump:
    """A round hill, or a hollow if its height is negative: a cosine bell, level at its top and foot.

    With `flat_m` its top is a plateau, and the bell's flank is the ramp around it.
    """

    at: tuple[float, float]  # its middle: x, y in metres
    radius_m: float  # > flat_m: its foot
    height_m: float  # its top's height; negative for a hollow
    flat_m: float = 0.0  # >= 0: radius of the plateau

    def __post_init__(self) -> None:
        if not all(math.isfinite(value) for value in (*self.at, self.radius_m, self.height_m, self.flat_m)):
            raise InvalidInput("a bump's numbers must be finite")
        if not 0.0 <= self.flat_m < self.radius_m:
            raise InvalidInput(
                f"a bump's radius must be positive and greater than its plateau's, "
                f"not {self.radius_m} around {self.flat_m}"
            )

    @property
    def steepest(self) -> float:
        """Greatest rise per metre, which is half-way up its flank."""
        return 0.5 * math.pi * abs(self.height_m) / (self.radius_m - self.flat_m)

    def height(self, x: FloatArray, y: FloatArray) -> FloatArray:
        """Return the height that it adds to the ground at points."""
        distance = np.hypot(x - self.at[0], y - self.at[1])
        down = np.clip((distance - self.flat_m) / (self.radius_m - self.flat_m), 0.0, 1.0)
        return 0.5 * self.height_m * (1.0 + np.cos(np.pi * down))


def terrain_from_bumps(bounds: Bounds, bumps: Iterable[Bump], *, cell_m: float = 0.1) -> Terrain:
    """Return the sum of bumps on level ground at height 0."""
    x, y = _points(bounds, cell_m)
    heights = np.zeros((len(y), len(x)))
    for bump in bumps:
        heights += bump.height(x[None, :], y[:, None])
    return Terrain((float(x[0]), float(y[0])), cell_m, heights)


def terrain_from_image(
    path: Path | str, bounds: Bounds, *, heights_m: tuple[float, float], cell_m: float | None = None
) -> Terrain:
    """Return terrain from a grey image spread over bounds: black is the first height, white the second.

    The image is seen from above with x to the right and y up; the centres of its outermost pixels lie on the bounds.
    Without a cell size the grid is as fine as the pixels.  Eight bits give steps of a 255th of the range, which feet
    notice: prefer sixteen.
    """
    low, high = heights_m
    if not (math.isfinite(low) and math.isfinite(high)):
        raise InvalidInput(f"heights of black and white must be finite, not {heights_m}")
    values = low + (high - low) * read_grey_image(path)[::-1]
    rows, columns = values.shape
    if rows < 2 or columns < 2:
        raise MalformedFile(f"a height map needs at least 2 x 2 pixels, not {columns} x {rows}", path=path)
    _check_bounds(bounds)
    spacing = ((bounds[2] - bounds[0]) / (columns - 1), (bounds[3] - bounds[1]) / (rows - 1))
    if cell_m is None and math.isclose(*spacing, rel_tol=1e-9):
        return Terrain(bounds[:2], spacing[0], values)
    x, y = _points(bounds, min(spacing) if cell_m is None else cell_m)
    along_x = np.clip((x - bounds[0]) / spacing[0], 0.0, columns - 1.0)
    along_y = np.clip((y - bounds[1]) / spacing[1], 0.0, rows - 1.0)
    grid = np.stack(np.broadcast_arrays(along_x[None, :], along_y[:, None]), axis=-1)
    pixels = Terrain((0.0, 0.0), 1.0, values)
    return Terrain((float(x[0]), float(y[0])), float(x[1] - x[0]), pixels.height(grid))


def terrain_from_mesh(
    path: Path | str,
    *,
    pose: tuple[float, float, float] = (0.0, 0.0, 0.0),
    scale: float = 1.0,
    up: str | None = None,
    cell_m: float = 0.1,
) -> Terrain:
    """Return the upper surface of a mesh; beyond its outline the ground continues at the height of the nearest point.

    pose: where the file's origin lies and which way its x axis points.
    up, scale: as in `read_mesh`.

    A hole in the surface is an error.
    """
    mesh = read_mesh(path, up=up, scale=scale)
    least, greatest = mesh.vertices[:, :2].min(axis=0), mesh.vertices[:, :2].max(axis=0)
    if np.any(greatest - least < 2.0 * cell_m):
        raise MalformedFile(
            f"a mesh of {greatest[0] - least[0]:.3g} x {greatest[1] - least[1]:.3g} m in plan "
            f"is too small for terrain of cells of {cell_m} m",
            path=path,
        )
    # Points lie slightly inside: a point exactly on the rim may or may not be on a triangle.
    inset = 1e-6 * float((greatest - least).max())
    x, y = _points((*(least + inset).tolist(), *(greatest - inset).tolist()), cell_m, beyond=False)
    heights = highest_surface(mesh.vertices, mesh.triangles, Grid(float(x[0]), float(y[0]), cell_m, len(y), len(x)))
    bare = np.isneginf(heights)
    if bare.all():
        raise MalformedFile("the mesh has no surface that faces up or down, so no ground", path=path)
    inside = bare & np.asarray(scipy.ndimage.binary_fill_holes(~bare))
    if inside.any():
        row, column = np.argwhere(inside)[0]
        raise MalformedFile(
            f"the ground has holes, for instance at ({x[column]:.2f}, {y[row]:.2f}) of the mesh: "
            f"{inside.mean():.2%} of its plan has no surface",
            path=path,
        )
    return placed_terrain(Terrain((float(x[0]), float(y[0])), cell_m, filled_from_nearest(heights, bare)), pose)


def filled_from_nearest(heights: FloatArray, bare: NDArray[np.bool_]) -> FloatArray:
    """Return heights in which each bare point has the height of the nearest point that is not bare."""
    nearest = scipy.ndimage.distance_transform_edt(bare, return_distances=False, return_indices=True)
    return heights[tuple(np.asarray(nearest))]


def placed_terrain(terrain: Terrain, pose: tuple[float, float, float]) -> Terrain:
    """Return terrain moved to a pose; if it turns, it is sampled again on a grid along the world's axes."""
    if pose[2] == 0.0:
        return Terrain((terrain.origin[0] + pose[0], terrain.origin[1] + pose[1]), terrain.cell_m, terrain.heights_m)
    rows, columns = terrain.heights_m.shape
    reach = terrain.cell_m * np.array([columns - 1, rows - 1])
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]) * reach + terrain.origin
    placed = planar.apply(pose, corners)
    x, y = _points((*placed.min(axis=0).tolist(), *placed.max(axis=0).tolist()), terrain.cell_m)
    points = np.stack(np.broadcast_arrays(x[None, :], y[:, None]), axis=-1)
    return Terrain(
        (float(x[0]), float(y[0])), terrain.cell_m, terrain.height(planar.apply(planar.invert(pose), points))
    )


def _check_bounds(bounds: Bounds) -> None:
    if not (np.isfinite(bounds).all() and bounds[0] < bounds[2] and bounds[1] < bounds[3]):
        raise InvalidInput(f"bounds are (least x, least y, greatest x, greatest y), not {bounds}")


def _points(bounds: Bounds, cell_m: float, *, beyond: bool = True) -> tuple[FloatArray, FloatArray]:
    """Return a grid's x and y from the least bounds up to the greatest, or less than a cell `beyond` them."""
    _check_bounds(bounds)
    if not (math.isfinite(cell_m) and cell_m > 0.0):
        raise InvalidInput(f"a cell's size must be positive, not {cell_m}")
    axes, count = [], 1.0
    for least, greatest in ((bounds[0], bounds[2]), (bounds[1], bounds[3])):
        cells = (greatest - least) / cell_m
        whole = math.ceil(cells - 1e-9) if beyond else math.floor(cells + 1e-9)
        count *= whole + 1.0
        if count > MAX_POINTS:
            raise InvalidInput(f"cells of {cell_m} m over {bounds} are more than the {MAX_POINTS:,} allowed")
        axes.append(least + cell_m * np.arange(max(whole, 1) + 1))
    return axes[0], axes[1]
