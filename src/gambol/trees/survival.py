"""Random worlds of boxes over a tree, and in which of them its paths survive."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.trees.candidates import PathCells, path_cells, paths_of
from gambol.trees.levels import level_slices, of_own_cells
from gambol.trees.tree import SearchTree

MOST_WORLDS = 65_536
WORD_BITS = 64


class Boxes(NamedTuple):
    """B boxes and the worlds that they are in."""

    boxes: np.ndarray  # (B, 5) x, y of the centre, angle, half length, half width
    world: np.ndarray  # (B,) int64


@dataclass(frozen=True, eq=False)
class SurvivalMap:
    """Of the random worlds in which a cell is free, the share in which some path of a tree gets there.

    Cell (row, column) begins at (x0 + column * cell_m, y0 + row * cell_m).
    """

    share: NDArray[np.float64]  # (rows, columns) NaN where no path passes
    x0: float
    y0: float
    cell_m: float

    @property
    def mean(self) -> float:
        """The mean over all cells that paths pass."""
        return float(np.nanmean(self.share))


def random_boxes(
    cells: PathCells, *, worlds: int, most: int, sizes_m: tuple[float, float], rng: np.random.Generator
) -> Boxes:
    """Draw worlds like random queries have [L09 4.7.2]: number, places, angles and sizes of boxes at random.

    A box holds some point of the region that the paths pass: each overlaps it.
    """
    least, greatest = sizes_m
    if not (1 <= worlds <= MOST_WORLDS and most >= 1):
        raise InvalidInput(f"1 to {MOST_WORLDS:,} worlds of one box or more expected, not {worlds} of up to {most}")
    if not 0.0 < least <= greatest < math.inf:
        raise InvalidInput(f"sizes of boxes must be (least, greatest) in metres, not {sizes_m}")
    region = np.unique(cells.cell)
    shape = (worlds, most)
    is_there = np.arange(most) < rng.integers(1, most + 1, size=worlds)[:, None]
    cell = region[rng.integers(len(region), size=shape)]
    x = cells.x0 + (cell % cells.columns + rng.random(shape)) * cells.cell_m
    y = cells.y0 + (cell // cells.columns + rng.random(shape)) * cells.cell_m
    angle = rng.uniform(0.0, math.pi, size=shape)
    half_length, half_width = rng.uniform(0.5 * least, 0.5 * greatest, size=(2, *shape))
    along, across = half_length * rng.uniform(-1.0, 1.0, size=shape), half_width * rng.uniform(-1.0, 1.0, size=shape)
    x = x + np.cos(angle) * along - np.sin(angle) * across
    y = y + np.sin(angle) * along + np.cos(angle) * across
    columns = np.stack((x, y, angle, half_length, half_width), axis=-1)
    return Boxes(np.ascontiguousarray(columns[is_there]), np.nonzero(is_there)[0])


def survival_bits(parent: np.ndarray, cells: PathCells, boxes: Boxes, *, worlds: int, radius_m: float) -> np.ndarray:
    """Return for each node (N, words) a bit for each world in which the path to it survives.

    It does if no cell on it has its middle within a radius of a box.  Boxes so near to the root are left out.
    """
    if not (math.isfinite(radius_m) and radius_m >= 0.0):
        raise InvalidInput(f"a radius must be finite and not negative, not {radius_m}")
    return _survival(parent, cells, boxes, worlds, radius_m)[0]


def survival_map(
    tree: SearchTree,
    character: Character,
    *,
    worlds: int = 256,
    boxes: int = 40,
    sizes_m: tuple[float, float] = (0.5, 3.0),
    radius_m: float = 0.3,
    cell_m: float = 0.28,
    seed: int = 0,
) -> SurvivalMap:
    """Draw random worlds over a tree and see where its paths still lead [after Erickson and LaValle]."""
    paths = paths_of(tree, character)
    cells = path_cells(paths, cell_m)
    drawn = random_boxes(cells, worlds=worlds, most=boxes, sizes_m=sizes_m, rng=np.random.default_rng(seed))
    survives, shut = _survival(paths.parent, cells, drawn, worlds, radius_m)
    reached = _reached(cells, survives)
    passed = np.zeros(len(shut), dtype=bool)
    passed[cells.cell] = True
    open_worlds = worlds - np.bitwise_count(shut).sum(axis=1, dtype=np.int64)
    share = np.bitwise_count(reached).sum(axis=1, dtype=np.int64) / np.maximum(open_worlds, 1)
    share = np.where(passed & (open_worlds > 0), share, np.nan).reshape(cells.rows, cells.columns)
    return SurvivalMap(share, cells.x0, cells.y0, cells.cell_m)


def _survival(
    parent: np.ndarray, cells: PathCells, boxes: Boxes, worlds: int, radius_m: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the bits of the worlds in which paths survive (N, words), and in which cells are shut (cells, words)."""
    shut = shut_cells(cells, boxes, worlds, radius_m)
    survives = np.empty((len(parent), shut.shape[1]), dtype=np.uint64)
    survives[0] = ~np.uint64(0)
    if worlds % WORD_BITS:
        survives[0, -1] = (np.uint64(1) << np.uint64(worlds % WORD_BITS)) - np.uint64(1)
    for word in range(shut.shape[1]):
        own = of_own_cells(np.bitwise_or, cells, shut[:, word])
        for level in level_slices(parent):
            survives[level, word] = survives[parent[level], word] & ~own[level]
    return survives, shut


def _reached(cells: PathCells, survives: np.ndarray) -> np.ndarray:
    """Return the bits of the worlds (cells, words) in which some path that passes a cell survives."""
    reached = np.zeros((cells.rows * cells.columns, survives.shape[1]), dtype=np.uint64)
    order = np.argsort(cells.cell, kind="stable")
    node = np.repeat(np.arange(len(survives)), np.diff(cells.first))[order]
    passed, begins = np.unique(cells.cell[order], return_index=True)
    for word in range(survives.shape[1]):
        reached[passed, word] = np.bitwise_or.reduceat(survives[node, word], begins)
    return reached


def shut_cells(cells: PathCells, boxes: Boxes, worlds: int, radius_m: float) -> np.ndarray:
    """Return for each cell (cells, words) a bit for each world in which its middle is at most a radius from a box.

    A box that shuts the root's cell is left out.
    """
    shut = np.zeros((cells.rows, cells.columns, -(-worlds // WORD_BITS)), dtype=np.uint64)
    x = cells.x0 + (np.arange(cells.columns) + 0.5) * cells.cell_m
    y = cells.y0 + (np.arange(cells.rows)[:, None] + 0.5) * cells.cell_m
    row, column = divmod(int(cells.cell[0]), cells.columns)
    root = np.s_[row : row + 1, column : column + 1]
    for box, world in zip(boxes.boxes.tolist(), boxes.world.tolist(), strict=True):
        if _near_box(box, x, y, root, radius_m).any():
            continue
        window = _window(cells, box, radius_m)
        near = _near_box(box, x, y, window, radius_m)
        shut[*window, world // WORD_BITS] |= near.astype(np.uint64) << np.uint64(world % WORD_BITS)
    return shut.reshape(cells.rows * cells.columns, -1)


Window = tuple[slice, slice]  # rows and columns


def _window(cells: PathCells, box: list[float], radius_m: float) -> Window:
    """Return the cells that may be within a radius of a box."""
    x, y, angle, half_length, half_width = box
    cosine, sine = abs(math.cos(angle)), abs(math.sin(angle))
    slices: list[slice] = []
    for middle, start, count, reach in (
        (y, cells.y0, cells.rows, sine * half_length + cosine * half_width),
        (x, cells.x0, cells.columns, cosine * half_length + sine * half_width),
    ):
        first, last = (
            math.floor((middle + side - start) / cells.cell_m) for side in (-reach - radius_m, reach + radius_m)
        )
        slices.append(slice(max(first, 0), max(min(last, count - 1) + 1, 0)))
    return slices[0], slices[1]


def _near_box(box: list[float], x: np.ndarray, y: np.ndarray, window: Window, radius_m: float) -> NDArray[np.bool_]:
    """Return which of the cells in a window have their middle within a radius of a box."""
    centre_x, centre_y, angle, half_length, half_width = box
    cosine, sine = math.cos(angle), math.sin(angle)
    dx, dy = x[window[1]] - centre_x, y[window[0]] - centre_y
    along = np.maximum(0.0, np.abs(cosine * dx + sine * dy) - half_length)
    across = np.maximum(0.0, np.abs(cosine * dy - sine * dx) - half_width)
    return along * along + across * across <= radius_m * radius_m
