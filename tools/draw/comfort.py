"""What each comfort heuristic asks for [KP00 table 1]: a comfortable posture, an uncomfortable one, and its value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from tools.draw.postures import CASES, FIGURE, Case

from gambol.climb.climb import ClimbPath
from gambol.climb.environment_table import distance_field, grasp_table
from gambol.climb.figure import POINTS
from gambol.climb.kernels.comfort import USAGE, heuristic
from gambol.climb.kernels.field import DistanceField
from gambol.climb.kernels.gravity import held_span
from gambol.climb.kernels.kinematics import centre_of_mass, place
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbGoal, ClimbProblem, ClimbStart
from gambol.geometry.arrays import FloatArray
from gambol.pictures.climb_environment import draw_environment
from gambol.pictures.climb_figure import MODE_COLORS, draw_shapes, posed
from gambol.pictures.climb_page import size_px
from gambol.pictures.climb_track import Track
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_paths import GOAL, START
from gambol.pictures.page import Page
from gambol.pictures.quality_plots import RULE, SLATE, SMALL_PT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


COLUMNS = 3  # heuristics side by side
SHOWN = (-0.72, -0.1, 0.72, 2.2)  # metres: least x, least z, greatest x, greatest z of the part of the plane shown
SCALE = 86.0  # pixels a metre
CELL_PX = (440, 256)  # pixels: width and height of a cell
HEAD_PX = 34  # pixels above a cell's pictures
EDGE_PX = 16  # pixels left of them
GAP_PX = 4  # pixels between them
SAMPLES = 61  # points of a curve


def comfort_page(cases: tuple[Case, ...] = CASES) -> NDArray[np.uint8]:
    """Draw a cell for each heuristic."""
    rows = -(-len(cases) // COLUMNS)
    page = Page(COLUMNS * CELL_PX[0], rows * CELL_PX[1] + 8)
    for number, case in enumerate(cases):
        row, column = divmod(number, COLUMNS)
        _draw_case(page, case, column * CELL_PX[0] + EDGE_PX, row * CELL_PX[1])
    return page.pixels()


def values(case: Case, numbers: FloatArray) -> FloatArray:
    """Return a heuristic's values (N,), 1 being ideal, as the number that bends its posture changes."""
    field, table = distance_field(case.environment), grasp_table(case.environment, FIGURE)
    return np.array([_value(case, case.pose(float(number)), field, table.anchor, table.surface) for number in numbers])


def _value(case: Case, q: FloatArray, field: DistanceField, anchor: FloatArray, surface: NDArray[np.int32]) -> float:
    points, grasps = np.empty((len(POINTS), 2)), np.array(case.grasps, dtype=np.int32)
    place(FIGURE.table, 1.0, q, points)
    x, _ = centre_of_mass(FIGURE.table, points)
    low, high = held_span(FIGURE.table, anchor, surface, case.mode is not Mode.CRAWL, 1.0, grasps, -1)
    return float(np.exp(heuristic(case.which, FIGURE.table, field, int(case.mode), q, points, x, low, high, grasps)))


def _draw_case(page: Page, case: Case, left: float, top: float) -> None:
    page.write(left, top + 0.55 * HEAD_PX, case.name, level=1)
    x = left + CELL_PX[0] - 2.0 * EDGE_PX
    for mode in reversed(Mode):
        weight = USAGE[case.which][mode]
        if weight > 0.0:
            words = f"{mode.label} {weight:g}"
            x -= 10.0 + page.write(x, top + 0.55 * HEAD_PX, words, level=2, color=MODE_COLORS[mode], align="right")
    width, height = size_px(SHOWN, SCALE)
    both = np.array([case.good, case.bad])
    for number, (bend, value) in enumerate(zip(both.tolist(), values(case, both).tolist(), strict=True)):
        at = left + number * (width + GAP_PX)
        axes = page.axes(at, top + HEAD_PX, width, height)
        held = sorted({hold for hold in case.grasps if hold >= 0})
        draw_environment(axes, case.environment, extent=SHOWN, held=held, ticks=False)
        draw_shapes(axes, posed(_still(case, bend), 0), line=0.6)
        words = f"{value:.2g}" if value < 99.5 else f"{value:.0f}"
        axes.text(0.05, 0.95, words, transform=axes.transAxes, fontsize=8.5, color=_tone(number), va="top", zorder=30)
    used = 2.0 * (width + GAP_PX) + 30.0
    axes = page.axes(left + used, top + HEAD_PX + 6.0, CELL_PX[0] - used - 2.4 * EDGE_PX, height - 46.0)
    _draw_curve(axes, case)


def _still(case: Case, bend: float) -> Track:
    """Return one posture as a track of one configuration."""
    problem = ClimbProblem(case.environment, ClimbStart(0.0, 0.0), ClimbGoal(0.0, 1.0), FIGURE)
    one = np.zeros(1, dtype=np.int32)
    return Track.of(
        problem, ClimbPath(case.pose(bend)[None], np.ones(1), one + int(case.mode), np.array([case.grasps]), one)
    )


def _tone(number: int) -> object:
    return (START, GOAL)[number]


def _draw_curve(axes: Axes, case: Case) -> None:
    """Draw a heuristic's value over the number that bends the posture, both postures marked."""
    numbers = np.linspace(case.low, case.high, SAMPLES)
    axes.plot(numbers, values(case, numbers), color=SLATE, lw=1.3)
    both = np.array([case.good, case.bad])
    for number, (bend, value) in enumerate(zip(both.tolist(), values(case, both).tolist(), strict=True)):
        axes.plot([bend], [value], "o", ms=5.0, mfc=_tone(number), mec="white", mew=0.7, zorder=5)
    axes.set_yscale("log")
    axes.set_ylim(0.85, max(3.0, 1.4 * float(values(case, numbers).max())))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_minor_formatter(lambda value, _: "")
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(RULE)
    axes.tick_params(which="both", labelsize=6.5, colors=PALE_INK, length=2, color=RULE, pad=2)
    axes.locator_params(axis="x", nbins=4)
    axes.grid(axis="both", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel(case.about, fontsize=SMALL_PT - 0.8, color=INK, labelpad=2)
