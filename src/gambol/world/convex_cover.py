"""A region of grid cells covered with few convex polygons."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.world.hull import convex_hull, hull_area, hull_fits

CUTS = (0.3, 0.5, 0.7)  # shares of a region's length, 0 to 1: where cuts are tried; more of them give smaller hulls


def convex_cover(
    cells: Int64Array, points: FloatArray, cell_of_point: Int64Array, *, cell_m: float, most: int
) -> list[FloatArray] | None:
    """Return at most `most` convex hulls that together hold all points, or None.

    cells: rows and columns (N, 2) of cells of a grid; cell (0, 0) begins at (0, 0).
    points: (P, 2), each in or on the cell that `cell_of_point` (P,) names.

    Hulls reach into the given cells and their neighbours only.  A part that does not fit is cut in two, where the
    hulls of both halves are smallest, until all parts fit.
    """
    first = cells.min(axis=0) - 1
    occupied = np.zeros(cells.max(axis=0) + 2 - first, dtype=bool)
    occupied[tuple((cells - first).T)] = True
    allowed = np.asarray(scipy.ndimage.binary_dilation(occupied), dtype=bool)
    order = np.lexsort((points[:, 1], points[:, 0]))
    waiting = [(points[order], cell_of_point[order])]
    done: list[FloatArray] = []
    while waiting:
        part, owner = waiting.pop()
        hull = convex_hull(part)
        if np.all(owner == owner[0]) or hull_fits(hull, allowed, int(first[0]), int(first[1]), cell_m):
            done.append(hull)
        else:
            side = _best_side(part, np.asarray((cells[owner][:, ::-1] + 0.5) * cell_m, dtype=np.float64))
            waiting += [(part[side], owner[side]), (part[~side], owner[~side])]
        if len(done) + len(waiting) > most:
            return None
    return done


def _best_side(points: FloatArray, middles: FloatArray) -> NDArray[np.bool_]:
    """Return which points lie on one side of the best cut between cells: the two hulls have the least area."""
    axes = np.linalg.eigh(np.cov(middles.T))[1].T
    best, least = np.zeros(len(points), dtype=bool), np.inf
    for axis in axes:
        along = middles @ axis
        low, high = along.min(), along.max()
        for share in CUTS:
            side = along < low + share * (high - low) + 1e-9
            if not side.all() and side.any():
                area = hull_area(points[side]) + hull_area(points[~side])
                if area < least:
                    best, least = side, area
    return best
