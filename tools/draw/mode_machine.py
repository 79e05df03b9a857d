"""The finite-state machine of modes as a picture [KP00 figure 8]: the thicker an edge, the sooner it is taken."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.climb.modes import Mode
from gambol.climb.stances.machine import COSTS
from gambol.geometry.arrays import FloatArray
from gambol.pictures.climb_figure import MODE_COLORS, WHITE
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.page import Page

if TYPE_CHECKING:
    from matplotlib.axes import Axes


SIZE_PX = (760, 600)  # pixels: width and height
#: Middles of modes, in pixels from the lower left corner.
PLACES: Mapping[Mode, tuple[float, float]] = {
    Mode.WALK: (210.0, 150.0),
    Mode.CLIMB: (210.0, 430.0),
    Mode.SWING: (550.0, 430.0),
    Mode.CRAWL: (550.0, 150.0),
}
RADIUS_PX = 46.0  # pixels: radius of a mode's disc
APART_PX = 13.0  # pixels: half the distance from an edge to the edge that leads back
LINES_PT = (0.8, 6.0)  # points: width of the least and of the most preferred edge
LOOP_PX = 31.0  # pixels: radius of a loop
SHARE = 0.36  # 0 to 1: share of an edge at which its cost stands; not 0.5, as edges cross in the middle


def machine_page(costs: Mapping[tuple[Mode, Mode], float] = COSTS) -> NDArray[np.uint8]:
    """Draw the modes and their edges."""
    page = Page(*SIZE_PX)
    axes = page.axes(0.0, 0.0, *SIZE_PX)
    axes.set_axis_off()
    axes.set_xlim(0.0, SIZE_PX[0])
    axes.set_ylim(0.0, SIZE_PX[1])
    low, high = (math.log(value) for value in (min(costs.values()), max(costs.values())))
    for (source, target), cost in costs.items():
        share = 1.0 if high <= low else (high - math.log(cost)) / (high - low)
        width = LINES_PT[0] + share * (LINES_PT[1] - LINES_PT[0])
        color = faded(faded(MODE_COLORS[source], INK, 0.15), WHITE, 0.45 * (1.0 - share))
        if source is target:
            _draw_loop(axes, source, cost, width, color)
        else:
            _draw_edge(axes, source, target, cost, width, color)
    for mode in Mode:
        _draw_mode(axes, mode)
    words = "Numbers: what a change of hold costs, in metres of way.  The thicker, the sooner it is taken."
    page.write(0.5 * SIZE_PX[0], SIZE_PX[1] - 20.0, words, level=2, color=PALE_INK, align="center")
    return page.pixels()


def _draw_mode(axes: Axes, mode: Mode) -> None:
    from matplotlib.patches import Circle

    color = MODE_COLORS[mode]
    axes.add_patch(
        Circle(PLACES[mode], RADIUS_PX, facecolor=faded(color, WHITE, 0.80), edgecolor=color, lw=1.8, zorder=5)
    )
    axes.text(*PLACES[mode], mode.label, fontsize=13, color=faded(color, INK, 0.55), ha="center", va="center", zorder=6)


def _draw_edge(axes: Axes, source: Mode, target: Mode, cost: float, width: float, color: object) -> None:
    """Draw a straight edge to the right of the line between two modes, seen along it."""
    start, end = np.array(PLACES[source]), np.array(PLACES[target])
    along = (end - start) / np.linalg.norm(end - start)
    beside = APART_PX * np.array([along[1], -along[0]])
    inset = math.sqrt(RADIUS_PX**2 - APART_PX**2)
    tail, tip = start + beside + (inset + 1.0) * along, end + beside - (inset + 3.0) * along
    _arrow(axes, tail, tip, width, color)
    place = tail + SHARE * (tip - tail) + (1.05 * beside + 0.5 * width * beside / APART_PX)
    _write_cost(axes, place, cost)


def _draw_loop(axes: Axes, mode: Mode, cost: float, width: float, color: object) -> None:
    """Draw a loop on the outer side of a mode."""
    middle = np.array(PLACES[mode])
    outward = np.sign(middle - 0.5 * np.array(SIZE_PX)) / math.sqrt(2.0)
    centre = middle + (RADIUS_PX + 0.62 * LOOP_PX) * outward
    away = math.atan2(outward[1], outward[0])
    # The loop is seen where it is outside of the mode.
    reach = float(np.linalg.norm(centre - middle))
    hidden = math.acos((reach**2 + LOOP_PX**2 - RADIUS_PX**2) / (2.0 * LOOP_PX * reach))
    turns = np.linspace(away - (math.pi - hidden), away + (math.pi - hidden), 60)
    ring = centre + LOOP_PX * np.column_stack((np.cos(turns), np.sin(turns)))
    head = 4.0 + 1.6 * width
    keep = int(np.argmax(np.linalg.norm(ring - ring[-1], axis=1)[::-1] > head))
    axes.plot(*ring[: len(ring) - keep].T, color=color, lw=width, solid_capstyle="butt", zorder=3)
    _head(axes, ring[-1], ring[-1] - ring[len(ring) - keep - 1], width, color)
    _write_cost(axes, centre + (LOOP_PX + 17.0 + 0.5 * width) * outward, cost)


def _arrow(axes: Axes, tail: FloatArray, tip: FloatArray, width: float, color: object) -> None:
    along = (tip - tail) / np.linalg.norm(tip - tail)
    end = tip - (4.0 + 1.6 * width) * along
    axes.plot(*np.array([tail, end]).T, color=color, lw=width, solid_capstyle="butt", zorder=3)
    _head(axes, tip, along, width, color)


def _head(axes: Axes, tip: FloatArray, along: FloatArray, width: float, color: object) -> None:
    from matplotlib.patches import Polygon

    along = along / np.linalg.norm(along)
    beside = np.array([along[1], -along[0]])
    length, half = 5.0 + 1.7 * width, 3.6 + 1.25 * width
    corners = np.array([tip, tip - length * along + half * beside, tip - length * along - half * beside])
    axes.add_patch(Polygon(corners, facecolor=color, edgecolor="none", zorder=4))


def _write_cost(axes: Axes, place: FloatArray, cost: float) -> None:
    axes.text(
        float(place[0]), float(place[1]), f"{cost:g}", fontsize=8.5, color=INK, ha="center", va="center", zorder=7,
        bbox={"boxstyle": "round,pad=0.12", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
    )  # fmt: skip
