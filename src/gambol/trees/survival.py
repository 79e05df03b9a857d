"""Random worlds of boxes over a tree, and in which of them its paths survive."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.trees.candidates import path_cells, paths_of
from gambol.trees.kernels.choosing import PathCells
from gambol.trees.kernels.choosing_survivors import WORD_BITS, reach_cells, shut_cells, surviving
from gambol.trees.tree import SearchTree

MOST_WORLDS = 65_536


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
    reached = np.zeros_like(shut)
    reach_cells(cells, survives, reached)
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
    words = -(-worlds // WORD_BITS)
    shut = np.zeros((cells.rows * cells.columns, words), dtype=np.uint64)
    shut_cells(cells, boxes.boxes, boxes.world, radius_m, shut)
    survives = np.zeros((len(parent), words), dtype=np.uint64)
    survives[0] = ~np.uint64(0)
    if worlds % WORD_BITS:
        survives[0, -1] = (np.uint64(1) << np.uint64(worlds % WORD_BITS)) - np.uint64(1)
    surviving(parent, cells, shut, survives)
    return survives, shut
