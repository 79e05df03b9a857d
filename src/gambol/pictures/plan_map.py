"""The map of a plan: world, search tree, ways, poses and words."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

import numpy as np
import shapely

from gambol.geometry.arrays import FloatArray
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_labels import place_labels
from gambol.pictures.map_paths import (
    GOAL,
    NAMED,
    behavior_labels,
    draw_bodies,
    draw_ends,
    draw_ways,
)
from gambol.pictures.map_tree import draw_reached, draw_tree
from gambol.pictures.map_world import draw_ground, draw_movers, draw_obstacles
from gambol.pictures.shown import Shown
from gambol.search.plan import Outcome
from gambol.world.world import Obstacle, World

if TYPE_CHECKING:
    from matplotlib.axes import Axes


OUTLINE_M = 0.12  # metres, > 0: spacing of the points of outlines that words avoid; smaller is slower
MARGIN = 0.02  # shares of the bounds' longer side shown around them
SCALE_BARS_M = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)  # metres: lengths of scale bars, the longest that suits
UNPLANNED_S = 6.0  # seconds for which movers are shown if no character moves
REASON_LETTERS = 62  # letters in a line of a reason
OUTCOMES = {
    Outcome.FOUND: "found",
    Outcome.PARTIAL: "interrupted",
    Outcome.UNREACHABLE: "unreachable",
    Outcome.START_BLOCKED: "start blocked",
    Outcome.GOAL_BLOCKED: "goal blocked",
    Outcome.OUT_OF_BUDGET: "out of budget",
}


def map_extent(world: World) -> tuple[float, float, float, float]:
    """Return least x, least y, greatest x and greatest y of the map of a world."""
    x0, y0, x1, y1 = world.bounds
    margin = MARGIN * max(x1 - x0, y1 - y0)
    return x0 - margin, y0 - margin, x1 + margin, y1 + margin


def draw_map(axes: Axes, world: World, cast: Sequence[Shown], *, trace: bool) -> None:
    """Draw the whole map; the axes must have the shape of `map_extent`."""
    begin_map(axes, world)
    ways = np.concatenate([one.path[:, :2] for one in cast]) if len(cast) <= NAMED else np.empty((0, 2))
    labels = draw_obstacles(axes, world.obstacles, ways)
    labels += draw_movers(axes, world.movers, max(one.ends_s for one in cast) or UNPLANNED_S)
    if trace:
        _draw_searches(axes, world, cast)
    draw_ways(axes, cast)
    bodies = draw_bodies(axes, cast)
    labels += draw_ends(axes, cast)
    labels += behavior_labels(cast)
    limit_map(axes, world)
    draw_scale_bar(axes)
    place_labels(axes, labels, np.concatenate((ways, bodies, *(_around(obstacle) for obstacle in world.obstacles))))
    if len(cast) == 1 and not cast[0].plan.found:
        _draw_reason(axes, cast[0])


def draw_world(axes: Axes, world: World) -> None:
    """Draw a world in which nobody has a plan yet, with names and heights."""
    x0, y0, x1, y1 = map_extent(world)
    axes.set(xlim=(x0, x1), ylim=(y0, y1), aspect="equal")
    style_map(axes)
    draw_ground(axes, world)
    labels = draw_obstacles(axes, world.obstacles, np.empty((0, 2)))
    labels += draw_movers(axes, world.movers, UNPLANNED_S)
    axes.set(xlim=(x0, x1), ylim=(y0, y1))
    draw_scale_bar(axes)
    place_labels(axes, labels, np.concatenate((np.empty((0, 2)), *(_around(one) for one in world.obstacles))))


def _around(obstacle: Obstacle) -> FloatArray:
    """Return points along an obstacle's outline, for words to avoid."""
    region = obstacle.footprint.region(obstacle.pose)
    step = max(OUTLINE_M, float(shapely.length(region)) / 60.0)
    return shapely.get_coordinates(shapely.segmentize(region, step))


def highest_cost(cast: Sequence[Shown]) -> float:
    """Return the greatest cost of an expanded node."""
    traces = [one.plan.trace for one in cast if one.plan.trace is not None]
    return max((float(trace.costs[trace.expanded].max()) for trace in traces if trace.expanded.any()), default=0.0)


def _draw_searches(axes: Axes, world: World, cast: Sequence[Shown]) -> None:
    most = highest_cost(cast)
    for one in cast:
        if one.plan.trace is None or len(one.plan.trace.poses) == 0:
            continue
        if not one.plan.found:
            draw_reached(axes, one.plan.trace, world.bounds)
        if len(cast) <= NAMED:
            draw_tree(axes, one.plan.trace, most)


def begin_map(axes: Axes, world: World) -> None:
    """Prepare axes for the map of a world, and draw its ground."""
    limit_map(axes, world)
    axes.set_aspect("equal")
    style_map(axes)
    draw_ground(axes, world)


def limit_map(axes: Axes, world: World) -> None:
    """Limit axes to a map's extent, also after drawing: things beyond the bounds must not widen the map."""
    x0, y0, x1, y1 = map_extent(world)
    axes.set_xlim(x0, x1)
    axes.set_ylim(y0, y1)


def style_map(axes: Axes, across: str = "x, m", up: str = "y, m") -> None:
    """Give axes the look of a map, with round numbers and words along its edges."""
    from matplotlib.ticker import MaxNLocator

    axes.spines[:].set_visible(False)
    axes.tick_params(labelsize=7.0, colors=PALE_INK, length=0, pad=3)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 2, 5, 10]))
        axis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", "\u2212"))
    axes.set_xlabel(across, fontsize=7.5, color=PALE_INK, labelpad=2)
    axes.set_ylabel(up, fontsize=7.5, color=PALE_INK, labelpad=2)


def draw_scale_bar(axes: Axes) -> None:
    """Draw a scale bar below the map, at its right end."""
    low, high = axes.get_xlim()
    length = max((bar for bar in SCALE_BARS_M if bar <= 0.22 * (high - low)), default=SCALE_BARS_M[0])
    share = length / (high - low)
    y = -0.034 * 700.0 / max(axes.get_window_extent().height, 1.0)
    for x in ((1.0 - share, 1.0), (1.0, 1.0), (1.0 - share, 1.0 - share)):
        tick = 0.0 if x[0] != x[1] else 5.0 / max(axes.get_window_extent().height, 1.0)
        axes.plot(x, (y - tick, y + tick), transform=axes.transAxes, color=INK, lw=1.3, clip_on=False)
    axes.text(
        1.0 - share - 0.008, y, f"{length:g} m", transform=axes.transAxes, fontsize=7.5, color=INK, ha="right",
        va="center",
    )  # fmt: skip


def _draw_reason(axes: Axes, shown: Shown) -> None:
    """Say in the map why there is no plan."""
    words = fill(shown.plan.reason or "no reason given", REASON_LETTERS)
    head = "Partial plan" if shown.plan.steps else "No plan"
    axes.text(
        0.5, 0.965, f"{head}: {OUTCOMES[shown.plan.outcome]}\n{words}", transform=axes.transAxes, ha="center",
        va="top", fontsize=9.5, color=INK, linespacing=1.45, zorder=30, parse_math=False,
        bbox={"boxstyle": "round,pad=0.6", "facecolor": "white", "edgecolor": GOAL, "linewidth": 1.2, "alpha": 0.94},
    )  # fmt: skip
