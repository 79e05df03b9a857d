"""A search tree seen from above, colored by cost as in LK05 figure 4, and the region that it reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

from gambol.search.plan import SearchTrace

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap


#: From blue through violet to red: easy to order, and visible on white.
RAMP = ((0.10, 0.38, 0.74), (0.33, 0.43, 0.78), (0.56, 0.38, 0.66), (0.76, 0.30, 0.42), (0.86, 0.21, 0.17))
MOST_EDGES = 1_500  # edges: larger trees are drawn without edges
MOST_POINTS = 80_000  # nodes drawn at most
CELL_M = 0.2  # metres: cells of the map of reached places
REACH_M = 0.5  # metres: places this near to a node count as reached
REACHED = (0.45, 0.66, 0.86)


def cost_colors() -> Colormap:
    """Return the colors of costs, from none to the highest."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("cost", RAMP)


def draw_tree(axes: Axes, trace: SearchTrace, highest_cost: float) -> None:
    """Draw nodes as points colored by their cost, expanded ones stronger, and edges where they are few."""
    from matplotlib.collections import LineCollection

    colors = cost_colors()
    poses, costs = trace.poses, trace.costs
    share = np.clip(costs / max(highest_cost, 1e-9), 0.0, 1.0)
    children = np.flatnonzero(trace.parents >= 0)
    if len(children) <= MOST_EDGES:
        ends = np.stack((poses[trace.parents[children], :2], poses[children, :2]), axis=1)
        axes.add_collection(
            LineCollection(list(ends), colors=colors(share[children]), linewidths=0.45, alpha=0.28, zorder=2.8)
        )
    step = max(1, -(-len(poses) // MOST_POINTS))
    scale = float(np.clip(90.0 / np.sqrt(len(poses)), 0.72, 2.4))  # points are larger if there are few
    for is_expanded, alpha, size in ((False, 0.34, 0.75), (True, 0.9, 1.25)):
        chosen = np.flatnonzero(trace.expanded == is_expanded)[::step]
        axes.scatter(
            poses[chosen, 0], poses[chosen, 1], s=(size * scale) ** 2, c=colors(share[chosen]), alpha=alpha,
            linewidths=0, zorder=2.9 + 0.05 * is_expanded,
        )  # fmt: skip


def draw_reached(axes: Axes, trace: SearchTrace, bounds: tuple[float, float, float, float]) -> None:
    """Shade and outline the region that the search reached."""
    x0, y0, x1, y1 = bounds
    cell = max(CELL_M, max(x1 - x0, y1 - y0) / 600)
    columns, rows = (int(np.ceil((high - low) / cell)) + 1 for low, high in ((x0, x1), (y0, y1)))
    column = np.clip(((trace.poses[:, 0] - x0) / cell).astype(int), 0, columns - 1)
    row = np.clip(((trace.poses[:, 1] - y0) / cell).astype(int), 0, rows - 1)
    reached = np.zeros((rows, columns), dtype=bool)
    reached[row, column] = True
    reach = max(1, round(REACH_M / cell))
    y, x = np.ogrid[-reach : reach + 1, -reach : reach + 1]
    disc = x * x + y * y <= reach * reach
    padded = np.pad(reached, 3 * reach)
    region = scipy.ndimage.binary_closing(scipy.ndimage.binary_dilation(padded, disc), disc)[
        3 * reach : -3 * reach, 3 * reach : -3 * reach
    ]
    smooth = scipy.ndimage.gaussian_filter(np.asarray(region, dtype=np.float64), 0.8)
    places = x0 + cell * (np.arange(columns) + 0.5), y0 + cell * (np.arange(rows) + 0.5)
    axes.contourf(*places, smooth, levels=[0.5, 2.0], colors=[REACHED], alpha=0.20, zorder=1.2)
    axes.contour(*places, smooth, levels=[0.5], colors=[REACHED], linewidths=1.0, zorder=1.3)
