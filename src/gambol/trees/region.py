"""A region of any shape and size to grow a tree in: square cells that belong to it or do not."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput

if TYPE_CHECKING:
    from gambol.characters.character import Character
    from gambol.trees.tree import SearchTree

REACH_M = 16.0  # [LK06 figure 4]
REGION_CELL_M = 0.2  # [LK06 3, L09 4.3: 14 to 28 cm]
MOST_CELLS = 50_000_000
BEHIND_M = 0.5  # a first step may sway back a little


@dataclass(frozen=True, eq=False)
class Region:
    """Cells around a tree's root, which stands at (0, 0) and faces along x.

    Cell (row, column) begins at (x0 + column * cell_m, y0 + row * cell_m).
    """

    mask: NDArray[np.bool_]  # (rows, columns) which cells belong to it
    x0: float
    y0: float
    cell_m: float
    shape: str = "any"  # in words, for people

    def __post_init__(self) -> None:
        mask = np.array(self.mask, dtype=bool)
        if mask.ndim != 2 or not mask.any():
            raise InvalidInput("a region is a table of rows and columns with at least one cell in it")
        if not (math.isfinite(self.cell_m) and self.cell_m > 0.0):
            raise InvalidInput(f"a region's cells must have a positive size, not {self.cell_m} m")
        if not (math.isfinite(self.x0) and math.isfinite(self.y0)):
            raise InvalidInput(f"a region must begin at a finite place, not ({self.x0}, {self.y0})")
        mask.flags.writeable = False
        object.__setattr__(self, "mask", mask)

    @staticmethod
    def disc(radius_m: float = REACH_M, *, cell_m: float = REGION_CELL_M) -> Region:
        """Return all around the root."""
        _check_size("radius", radius_m)
        box = (-radius_m, -radius_m, radius_m, radius_m)
        return _of(f"disc of {radius_m:g} m", box, cell_m, lambda x, y: np.hypot(x, y) <= radius_m)

    @staticmethod
    def half_disc(radius_m: float = REACH_M, *, behind_m: float = BEHIND_M, cell_m: float = REGION_CELL_M) -> Region:
        """Return what is ahead of the root, for those who only go forward [LK06 figure 4]."""
        _check_size("radius", radius_m)
        box = (-behind_m, -radius_m, radius_m, radius_m)
        return _of(
            f"half disc of {radius_m:g} m", box, cell_m, lambda x, y: (np.hypot(x, y) <= radius_m) & (x >= -behind_m)
        )

    @staticmethod
    def rectangle(x_min: float, y_min: float, x_max: float, y_max: float, *, cell_m: float = REGION_CELL_M) -> Region:
        if not (x_min < x_max and y_min < y_max):
            raise InvalidInput(f"a rectangle goes from its least to its greatest, not {(x_min, y_min, x_max, y_max)}")
        words = f"rectangle from ({x_min:g}, {y_min:g}) to ({x_max:g}, {y_max:g}) m"
        return _of(
            words, (x_min, y_min, x_max, y_max), cell_m,
            lambda x, y: (x >= x_min) & (x <= x_max) & (y >= y_min) & (y <= y_max),
        )  # fmt: skip

    @staticmethod
    def polygon(points: Sequence[Sequence[float]], *, cell_m: float = REGION_CELL_M) -> Region:
        """Return the inside of a closed polygon, convex or not, and crossing itself where it must."""
        corners = np.asarray(points, dtype=np.float64)
        if corners.ndim != 2 or corners.shape[1] != 2 or len(corners) < 3 or not np.isfinite(corners).all():
            raise InvalidInput(f"a polygon has at least three finite corners (x, y), not {points!r}")
        box = (*corners.min(axis=0), *corners.max(axis=0))
        return _of(f"polygon of {len(corners)} corners", box, cell_m, lambda x, y: _inside(corners, x, y))

    @staticmethod
    def covered_by(tree: SearchTree, character: Character, *, cell_m: float = REGION_CELL_M) -> Region:
        """Return the cells that the paths of a tree pass."""
        from gambol.trees.density import path_frequency

        covered = path_frequency(tree, character, cell_m=cell_m)
        mask = covered.count > 0
        return Region(mask, covered.x0, covered.y0, cell_m, f"covered by a tree of {len(tree):,} nodes")

    @property
    def cells(self) -> NDArray[np.int64]:
        """The cells that belong to it, by row, then column: row * columns + column."""
        return np.flatnonzero(self.mask)

    @property
    def area_m2(self) -> float:
        return float(self.mask.sum()) * self.cell_m**2

    def contains(self, x: float, y: float) -> bool:
        """Return whether a place is in one of its cells."""
        row, column = math.floor((y - self.y0) / self.cell_m), math.floor((x - self.x0) / self.cell_m)
        rows, columns = self.mask.shape
        return 0 <= row < rows and 0 <= column < columns and bool(self.mask[row, column])

    def facts(self) -> dict[str, Any]:
        """Return plain values that tell it from others."""
        digest = hashlib.sha256(np.packbits(self.mask).tobytes()).hexdigest()[:16]
        return {
            "shape": self.shape, "cell_m": self.cell_m, "x0": self.x0, "y0": self.y0,
            "rows": self.mask.shape[0], "columns": self.mask.shape[1], "digest": digest,
        }  # fmt: skip


Inside = Callable[[NDArray[Any], NDArray[Any]], NDArray[np.bool_]]


def _of(words: str, box: Sequence[float], cell_m: float, inside: Inside) -> Region:
    """Return the cells of a box whose middles are inside; cells begin at multiples of their size."""
    if not (math.isfinite(cell_m) and cell_m > 0.0):
        raise InvalidInput(f"a region's cells must have a positive size, not {cell_m} m")
    if not np.isfinite(box).all():
        raise InvalidInput(f"a region must be finite, not {tuple(box)}")
    left, bottom = math.floor(box[0] / cell_m), math.floor(box[1] / cell_m)
    right, top = math.ceil(box[2] / cell_m), math.ceil(box[3] / cell_m)
    if (right - left) * (top - bottom) > MOST_CELLS:
        cells = (right - left) * (top - bottom)
        raise InvalidInput(f"a region of {cells:,} cells is too large; take a smaller one or larger cells")
    x = (np.arange(left, right) + 0.5) * cell_m
    y = (np.arange(bottom, top) + 0.5) * cell_m
    mask = inside(*np.meshgrid(x, y))
    if not mask.any():
        raise InvalidInput(f"a {words} holds the middle of no cell of {cell_m:g} m; it is too small")
    return Region(mask, left * cell_m, bottom * cell_m, cell_m, words)


def _inside(corners: NDArray[np.float64], x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which points have an odd number of edges to their right."""
    odd = np.zeros(x.shape, dtype=bool)
    for (x1, y1), (x2, y2) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y1 != y2:
            odd ^= ((y1 > y) != (y2 > y)) & (x < x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    return odd


def _check_size(what: str, value: float) -> None:
    if not (math.isfinite(value) and value > 0.0):
        raise InvalidInput(f"a region's {what} must be positive, not {value} m")
