"""A climber's environment from the side: solids, grasp points by kind, start and goal."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from textwrap import fill
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import shapely

from gambol.climb.problem import ClimbProblem
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_paths import GOAL, START
from gambol.pictures.mesh import Color
from gambol.world.environment import GRASP_KINDS, Environment, GraspKind

if TYPE_CHECKING:
    from matplotlib.axes import Axes


AIR: Color = (0.988, 0.988, 0.988)
SOLID: Color = (0.815, 0.82, 0.835)
SOLID_EDGE: Color = (0.45, 0.46, 0.49)
BEYOND: Color = (0.905, 0.905, 0.905)
HELD: Color = (0.96, 0.74, 0.06)
MARK: Color = (0.26, 0.28, 0.33)
MARK_M = 0.055  # metres: size of a grasp point's mark
LEAST_MARK_PT = 1.6  # points: least size of a mark
MOST_MARK_PT = 5.0  # points: greatest size of a mark
AROUND_M = 0.06  # metres shown beyond the bounds
REASON_LETTERS = 64  # letters in a line of a reason


class Mark(NamedTuple):
    """How grasp points of a kind look."""

    marker: str
    size: float  # 1 is the usual size
    fill: Color
    edge: Color


MARKS: Mapping[GraspKind, Mark] = MappingProxyType(
    {
        "load-bearing": Mark("s", 0.92, MARK, MARK),
        "pendent": Mark("o", 1.10, (1.0, 1.0, 1.0), MARK),
        "hybrid": Mark("D", 0.95, (0.62, 0.68, 0.76), MARK),
    }
)


def extent_of(environment: Environment) -> tuple[float, float, float, float]:
    """Return what a picture shows: least x and z, greatest x and z."""
    low_x, low_z, high_x, high_z = environment.bounds
    return low_x - AROUND_M, low_z - AROUND_M, high_x + AROUND_M, high_z + AROUND_M


def draw_environment(
    axes: Axes,
    environment: Environment,
    *,
    extent: tuple[float, float, float, float] | None = None,
    held: Collection[int] = (),
    ticks: bool = True,
) -> None:
    """Draw polygons and grasp points within an extent; held points are highlighted."""
    from matplotlib.patches import Rectangle

    low_x, low_z, high_x, high_z = extent_of(environment) if extent is None else extent
    axes.set_xlim(low_x, high_x)
    axes.set_ylim(low_z, high_z)
    axes.set_facecolor(BEYOND)
    bounds = environment.bounds
    size = (bounds.high_x - bounds.low_x, bounds.high_z - bounds.low_z)
    axes.add_patch(Rectangle((bounds.low_x, bounds.low_z), *size, facecolor=AIR, edgecolor="none", zorder=0.5))
    _draw_solid(axes, environment)
    draw_grasp_points(axes, environment, held=held)
    axes.spines[:].set_visible(False)
    if not ticks:
        axes.set_xticks([])
        axes.set_yticks([])
        return
    from matplotlib.ticker import MaxNLocator

    axes.tick_params(labelsize=7.0, colors=PALE_INK, length=0, pad=3)
    for axis, span in ((axes.xaxis, high_x - low_x), (axes.yaxis, high_z - low_z)):
        axis.set_major_locator(MaxNLocator(nbins=int(np.clip(span, 2, 10)), steps=[1, 2, 5, 10], integer=span > 2.0))
        axis.set_major_formatter(lambda value, _: f"{value:g}".replace("-", "\u2212"))
    axes.set_ylabel("z, m", fontsize=7.5, color=PALE_INK, labelpad=2)


def _draw_solid(axes: Axes, environment: Environment) -> None:
    """Fill all solids as one, without lines where polygons meet."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    box = shapely.box(*environment.bounds)
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in environment.polygons])
    inside = shapely.intersection(solid, box)
    if inside.is_empty:
        return
    for part in shapely.get_parts(inside):
        if not isinstance(part, shapely.Polygon):
            continue
        rings = [np.asarray(ring.coords) for ring in (part.exterior, *part.interiors)]
        outline = Path.make_compound_path(*(Path(ring, closed=True) for ring in rings))
        axes.add_patch(PathPatch(outline, facecolor=SOLID, edgecolor="none", zorder=1.0))
    # Where the bounds cut through a solid there is no surface.
    surface = shapely.difference(shapely.boundary(inside), shapely.buffer(shapely.boundary(box), 1e-6))
    for line in shapely.get_parts(shapely.line_merge(surface)):
        x, z = np.asarray(line.coords).T
        axes.plot(x, z, color=SOLID_EDGE, lw=1.1, zorder=1.2, solid_capstyle="round", solid_joinstyle="round")


def draw_grasp_points(axes: Axes, environment: Environment, *, held: Collection[int] = ()) -> None:
    """Draw grasp points as small boxes, rings or diamonds by kind, bars with a dot inside, held points in yellow."""
    size = mark_size(axes)
    points = environment.grasp_points
    for kind in GRASP_KINDS:
        mark = MARKS[kind]
        places = np.array([(p.x, p.z) for p in points if p.kind == kind]).reshape(-1, 2)
        axes.plot(
            *places.T, linestyle="none", marker=mark.marker, ms=mark.size * size, mfc=mark.fill, mec=mark.edge,
            mew=0.16 * size, zorder=3.0,
        )  # fmt: skip
    rods = np.array([(p.x, p.z) for p in points if p.is_bar]).reshape(-1, 2)
    axes.plot(*rods.T, linestyle="none", marker="o", ms=0.42 * size, mfc=MARK, mec="none", zorder=3.1)
    places = np.array([(points[hold].x, points[hold].z) for hold in held]).reshape(-1, 2)
    axes.plot(
        *places.T, linestyle="none", marker="o", ms=1.7 * size, mfc=HELD, mec=INK, mew=0.5, zorder=24.0, alpha=0.95
    )


def mark_size(axes: Axes) -> float:
    """Return the size of grasp points' marks in points: a size in metres, within limits."""
    low, high = axes.get_xlim()
    width = axes.get_window_extent().width
    points_per_m = width / (high - low) * 72.0 / axes.figure.dpi
    return float(np.clip(MARK_M * points_per_m, LEAST_MARK_PT, MOST_MARK_PT))


def draw_ends(axes: Axes, problem: ClimbProblem) -> None:
    """Mark the climber's start, and the goal of its centre of mass."""
    from matplotlib.patches import Circle

    start, goal = problem.start, problem.goal
    axes.plot(
        [start.x], [start.z], linestyle="none", marker=">" if start.facing > 0 else "<", ms=7.0, mfc=START, mec="white",
        mew=0.8, zorder=26.0, clip_on=False,
    )  # fmt: skip
    ring = Circle((goal.x, goal.z), goal.tolerance_m, facecolor=(*faded(GOAL, (1, 1, 1), 0.3), 0.10), edgecolor=GOAL,
                  linewidth=1.2, linestyle=(0, (4, 2)), zorder=25.0)  # fmt: skip
    axes.add_patch(ring)
    axes.plot([goal.x], [goal.z], linestyle="none", marker="+", ms=7.0, mec=GOAL, mew=1.4, zorder=26.0)


def draw_reason(axes: Axes, head: str, reason: str) -> None:
    """Say in the picture why there is no way to the goal."""
    words = fill((reason[:1].upper() + reason[1:]) or "No reason given", REASON_LETTERS)
    axes.text(
        0.5, 0.955, f"{head}\n{words}", transform=axes.transAxes, ha="center",
        va="top", fontsize=9.0, color=INK, linespacing=1.45, zorder=30, parse_math=False,
        bbox={"boxstyle": "round,pad=0.6", "facecolor": "white", "edgecolor": GOAL, "linewidth": 1.2, "alpha": 0.94},
    )  # fmt: skip
