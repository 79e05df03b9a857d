"""Sums over paths, level by level: of nodes in the order of growth, parents never decrease."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.trees.candidates import PathCells


def level_slices(parent: NDArray[np.integer]) -> list[slice]:
    """Return the nodes of each level but the root's."""
    levels: list[slice] = []
    first, last = 1, int(np.searchsorted(parent, 1))
    while first < last:
        levels.append(slice(first, last))
        first, last = last, int(np.searchsorted(parent, last))
    return levels


def of_own_cells(how: np.ufunc, cells: PathCells, values: NDArray) -> NDArray:
    """Return, for each node (N,), what values (cells,) of the cells that it is the first to pass come to; 0: no cell.

    how: np.add or np.bitwise_or.
    """
    found = np.zeros(len(cells.first) - 1, dtype=values.dtype)
    some = np.flatnonzero(np.diff(cells.first))
    found[some] = how.reduceat(values[cells.cell], cells.first[some])
    return found
