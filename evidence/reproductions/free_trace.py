"""Free-space searches that remember all they did, and pictures of what they remember [KP00 3.3, figure 6]."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.climb import FREE, POINTS, ClimbGoal, ClimbPath, ClimbProblem, ClimbStart, FreeProblem, smoothed_path
from gambol.climb.filters.tables import filter_tables
from gambol.climb.paper.free import _FreeSearch
from gambol.pictures import (
    INK,
    PALE_INK,
    Color,
    Page,
    Track,
    climb_page,
    draw_along,
    draw_environment,
    draw_shapes,
    extent_of,
    faded,
    posed,
)
from gambol.pictures.map_paths import GOAL

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FloatArray = NDArray[np.float64]
Pixels = NDArray[np.uint8]

DESCENT_COLOR: Color = (0.0, 0.447, 0.698)
WALK_COLOR: Color = (0.84, 0.55, 0.25)
#: Of the five figures that are numbered.
FIGURE_COLORS: tuple[Color, ...] = (
    (0.45, 0.47, 0.52), (0.72, 0.38, 0.60), (0.80, 0.25, 0.20), (0.0, 0.62, 0.451), (0.45, 0.47, 0.52),
)  # fmt: skip
LABEL_M = 0.33  # of numbers above heads
SMALL_PX, LARGE_PX = (560, 360), (1000, 560)  # room of a panel
LEGEND_PX = 34


class Act(StrEnum):
    DESCENT = "descent"
    WALK = "random walk"
    BACK = "going back"


@dataclass(frozen=True, eq=False)
class Piece:
    """Something that a search did: the rows it added, or from where to where it went back."""

    act: Act
    rows: FloatArray  # (N, 12), the one that was there before included
    at: int = -1  # going back: how many rows of the way are kept


@dataclass(frozen=True, eq=False)
class Traced:
    """A free-space search and what it did."""

    problem: FreeProblem
    found: bool
    pieces: tuple[Piece, ...]
    path: ClimbPath  # the way in the end

    @property
    def descents(self) -> int:
        """How often it went down, however many pieces that took."""
        acts = [piece.act for piece in self.pieces]
        return sum(act == Act.DESCENT and (n == 0 or acts[n - 1] != Act.DESCENT) for n, act in enumerate(acts))

    def count(self, act: Act) -> int:
        return sum(piece.act == act for piece in self.pieces)

    def rows_of(self, act: Act) -> int:
        """How many configurations it made in this way, kept or not."""
        return sum(len(piece.rows) - 1 for piece in self.pieces if piece.act == act)


class _Remembering(_FreeSearch):
    def __init__(self, problem: FreeProblem) -> None:
        super().__init__(problem)
        self.pieces: list[Piece] = []

    def _descends(self) -> bool:
        before = len(self.rows)
        goes_down = super()._descends()
        if goes_down:
            self.pieces.append(Piece(Act.DESCENT, np.array(self.rows[before - 1 :])))
        return goes_down

    def _walks(self) -> None:
        before = len(self.rows)
        super()._walks()
        self.pieces.append(Piece(Act.WALK, np.array(self.rows[before - 1 :])))

    def _goes_back(self) -> None:
        dead_end = self.rows[-1]
        super()._goes_back()
        self.pieces.append(Piece(Act.BACK, np.array([dead_end, self.rows[-1]]), len(self.rows)))


def traced(problem: FreeProblem) -> Traced:
    """Search as `solve_free` does, from a start and to a goal that are free, and remember it all."""
    search = _Remembering(problem)
    found = search.run()
    return Traced(problem, found, tuple(search.pieces), search.path())


def backtracking_page(trace: Traced) -> Pixels:
    """Draw the last time of going back as figure 6 does: from 3 back to 2, by a random walk to 4, and on to 5.

    1 is the start.  What was tried since the time before is drawn too.
    """
    backs = [n for n, piece in enumerate(trace.pieces) if piece.act == Act.BACK]
    last = backs[-1]
    since = trace.pieces[(backs[-2] + 1) if len(backs) > 1 else 0 : last]
    kept = trace.pieces[last].at
    final = trace.path.configurations
    after = len(trace.pieces[last + 1].rows) - 1  # the random walk from where it went back to
    shown = {
        "1": final[0], "2": trace.pieces[last].rows[1], "3": trace.pieces[last].rows[0],
        "4": final[min(kept - 1 + after, len(final) - 1)], "5": final[-1],
    }  # fmt: skip
    page, axes = _page(trace, LARGE_PX, "figure 6, the last time of going back")
    for piece in since:
        color = DESCENT_COLOR if piece.act == Act.DESCENT else WALK_COLOR
        axes.plot(*piece.rows[:, :2].T, color=color, lw=0.7, alpha=0.55, zorder=8.0)
    for first, stop, source in _runs(trace.path.sources):
        color = DESCENT_COLOR if source == 1 else WALK_COLOR
        axes.plot(*final[max(0, first - 1) : stop, :2].T, color=color, lw=1.7, zorder=22.0)
    from_here, to_there = trace.pieces[last].rows[:, :2]
    axes.plot(*zip(from_here, to_there, strict=True), color=GOAL, lw=1.8, linestyle=":", zorder=24.0)
    track = _track(trace, np.array(list(shown.values())))
    for number, (name, color) in enumerate(zip(shown, FIGURE_COLORS, strict=True)):
        draw_shapes(axes, posed(track, number, color), line=0.6, order=10.0 + number)
        x, z = track.points[number, POINTS.index("head")]
        dark = faded(color, INK, 0.4)
        axes.text(x, z + LABEL_M, f"#{name}", color=dark, fontsize=10, ha="center", va="center", zorder=26.0)
    left = climb_page.EDGES_PX[0]
    x, y = float(left), page.height - 0.5 * LEGEND_PX
    for words, color in (("descent", DESCENT_COLOR), ("random walk", WALK_COLOR), ("going back (dotted)", GOAL),
                         ("thin: tried since the time before", PALE_INK)):  # fmt: skip
        x += page.write(x, y, words, color=color) + 24.0
    return page.pixels()


def smoothed_page(trace: Traced, title: str) -> Pixels:
    """Draw the way of a free-space search after the paper's filters, from A to B."""
    page, axes = _page(trace, SMALL_PX, title)
    climb = _climb(trace.problem)
    track = Track.of(climb, smoothed_path(filter_tables(climb), trace.path, trace.problem.seed))
    draw_along(axes, track)
    for letter, head in zip("AB", track.points[[0, -1], POINTS.index("head")], strict=True):
        axes.text(head[0], head[1] + LABEL_M, letter, color=INK, fontsize=10, ha="center", va="center", zorder=26.0)
    return page.pixels()


def _page(trace: Traced, room: tuple[int, int], title: str) -> tuple[Page, Axes]:
    extent = extent_of(trace.problem.environment)
    width, height = climb_page.size_px(extent, climb_page.scale_for(extent, room))
    left, below, right, _ = climb_page.EDGES_PX
    page = Page(left + width + right, climb_page.TITLE_PX + height + below + LEGEND_PX)
    page.write(left, 0.5 * climb_page.TITLE_PX, title, level=0)
    axes = page.axes(left, climb_page.TITLE_PX, width, height)
    draw_environment(axes, trace.problem.environment)
    return page, axes


def _climb(problem: FreeProblem) -> ClimbProblem:
    start, goal = ClimbStart(*problem.start[:2]), ClimbGoal(*problem.goal[:2])
    return ClimbProblem(problem.environment, start, goal, problem.figure)


def _track(trace: Traced, rows: FloatArray) -> Track:
    count = len(rows)
    path = ClimbPath(
        rows,
        np.full(count, float(trace.problem.facing)),
        np.zeros(count, np.int32),
        np.full((count, 4), FREE),
        np.ones(count, np.int32),
    )
    return Track.of(_climb(trace.problem), path)


def _runs(sources: NDArray[np.int32]) -> list[tuple[int, int, int]]:
    """Return (first, stop, source) of stretches that one source made."""
    edges = [0, *(np.flatnonzero(np.diff(sources)) + 1).tolist(), len(sources)]
    return [(a, b, int(sources[a])) for a, b in pairwise(edges)]
