"""Numbers and a legend beside the map of a plan."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import numpy as np

from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_paths import GOAL, POSED, START, way_color
from gambol.pictures.map_tree import REACHED, cost_colors
from gambol.pictures.map_world import patch_of
from gambol.pictures.plan_map import OUTCOMES, highest_cost
from gambol.pictures.quality_plots import RULE, SMALL_PT, TEXT_PT
from gambol.pictures.shown import Shown
from gambol.pictures.world_colors import kind_of
from gambol.search.plan import Plan
from gambol.world.world import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE_PX = 21  # pixels: height of a line
GAP_PX = 16  # pixels between blocks
MOST_ROWS = 12  # characters in the table; with more there is only a summary
MOST_REASONS = 6  # characters whose reasons are written
REASON_LETTERS = 44  # letters in a line of a reason
THINGS = {
    "wall": "wall, darker where higher",
    "hurdle": "to pass over",
    "beam": "to pass below",
    "annotated": "annotated: near and within",
    "mover": "moves; paler is earlier",
}


class Column:
    """Lines written from top to bottom."""

    def __init__(self, axes: Axes, width_px: int, height_px: int) -> None:
        self.axes, self.width, self.y = axes, width_px, 4.0
        axes.set_axis_off()
        axes.set_xlim(0.0, width_px)
        axes.set_ylim(height_px, 0.0)

    def heading(self, words: str) -> None:
        self.write(0.0, words, size=TEXT_PT + 1, bold=True, color=INK)
        self.y += LINE_PX
        self.axes.plot([0.0, self.width], [self.y + 1, self.y + 1], color=RULE, lw=0.8, clip_on=False)
        self.y += 7

    def row(self, label: str, value: str) -> None:
        self.write(0.0, label, color=PALE_INK)
        self.write(self.width, value, color=INK, align="right")
        self.y += LINE_PX

    def gap(self) -> None:
        self.y += GAP_PX

    def write(
        self, x: float, words: str, *, color: object, size: float = TEXT_PT, bold: bool = False, align: str = "left"
    ) -> None:
        self.axes.text(
            x, self.y + 0.5 * LINE_PX, words, fontsize=size, color=color, va="center", ha=align,
            fontweight="bold" if bold else "normal", parse_math=False,
        )  # fmt: skip


def draw_numbers(axes: Axes, world: World, cast: Sequence[Shown], size_px: tuple[int, int], *, trace: bool) -> float:
    """Write numbers and legend; return their height in pixels."""
    column = Column(axes, *size_px)
    if len(cast) == 1:
        _write_plan(column, cast[0])
    elif len(cast) <= MOST_ROWS:
        _write_table(column, cast)
    else:
        _write_summary(column, cast)
    column.gap()
    _write_search(column, cast)
    column.gap()
    _write_legend(column, world, cast, trace=trace)
    return column.y


def _write_plan(column: Column, shown: Shown) -> None:
    plan = shown.plan
    column.heading("Plan")
    column.row("outcome", OUTCOMES[plan.outcome])
    if plan.steps:
        column.row("cost", f"{plan.cost:.2f}")
        column.row("bound", _bound(plan))
        column.row("lasts", f"{plan.duration_s:.1f} s")
        length = float(np.linalg.norm(np.diff(shown.path[:, :2], axis=0), axis=1).sum())
        column.row("way", f"{length:.1f} m")
        column.row("behaviors", f"{len(plan.steps)}")


def _bound(plan: Plan) -> str:
    if not np.isfinite(plan.bound):
        return "none"
    return f"at most {plan.bound:.2f} × the best"


def _write_table(column: Column, cast: Sequence[Shown]) -> None:
    column.heading("Plans")
    for one in cast:
        column.axes.plot([5.0], [column.y + 0.5 * LINE_PX], "o", ms=5.5, mfc=one.color, mec=way_color(one), mew=0.8)
        column.write(16.0, one.name, color=INK)
        if one.plan.steps:
            column.write(0.68 * column.width, f"{one.plan.cost:.1f}", color=INK, align="right")
            column.write(column.width, f"{one.ends_s:.1f} s", color=INK, align="right")
        else:
            column.write(column.width, OUTCOMES[one.plan.outcome], color=GOAL, align="right")
        column.y += LINE_PX
    column.write(0.68 * column.width, "cost", color=PALE_INK, size=SMALL_PT, align="right")
    column.write(column.width, "arrives", color=PALE_INK, size=SMALL_PT, align="right")
    column.y += LINE_PX
    _write_reasons(column, cast)


def _write_summary(column: Column, cast: Sequence[Shown]) -> None:
    found = [one for one in cast if one.plan.found]
    column.heading("Plans")
    column.row("found", f"{len(found)} of {len(cast)}")
    if found:
        column.row("cost", _range([one.plan.cost for one in found], ".1f", ""))
        column.row("arrive", _range([one.ends_s for one in found], ".1f", " s"))
        column.row("motion", f"{sum(one.plan.duration_s for one in found):.0f} s in all")
    _write_reasons(column, cast)


def _range(values: list[float], form: str, unit: str) -> str:
    return f"{min(values):{form}} to {max(values):{form}}{unit}"


def _write_reasons(column: Column, cast: Sequence[Shown]) -> None:
    """List characters without a plan, and the reasons."""
    failed = [one for one in cast if not one.plan.found]
    for one in failed[:MOST_REASONS]:
        for line in wrap(f"{one.name}: {one.plan.reason or OUTCOMES[one.plan.outcome]}", REASON_LETTERS)[:3]:
            column.write(0.0, line, color=GOAL, size=SMALL_PT)
            column.y += 0.8 * LINE_PX
    if len(failed) > MOST_REASONS:
        column.write(0.0, f"and {len(failed) - MOST_REASONS} more", color=GOAL, size=SMALL_PT)
        column.y += LINE_PX


def _write_search(column: Column, cast: Sequence[Shown]) -> None:
    statistics = [one.plan.statistics for one in cast]
    column.heading("Search")
    for label, key in _counted([one.plan for one in cast]):
        column.row(label, f"{sum(getattr(one, key) for one in statistics):,}")
    seconds = sum(one.time_s for one in statistics)
    if seconds > 0.0:  # 0: the picture shows no time
        column.row("time", _time(seconds))
        if len(cast) > 1:
            column.row("a character", _time(seconds / len(cast)))


def _counted(plans: Sequence[Plan]) -> list[tuple[str, str]]:
    """Return words and names of the statistics to show, which depend on whether plans came by look-up or by search."""
    looked_up = any(plan.statistics.look_ups > 0 for plan in plans)
    searched = any(plan.statistics.expansions > 0 for plan in plans) or not looked_up
    by_look_up = [("look-ups", "look_ups"), ("nodes traced", "generated")] if looked_up else []
    by_search = [("expansions", "expansions"), ("nodes", "nodes")] if searched else []
    return by_look_up + by_search + ([] if looked_up else [("successors", "generated")])


def _time(seconds: float) -> str:
    return f"{1000.0 * seconds:.1f} ms" if seconds < 1.0 else f"{seconds:.2f} s"


def _write_legend(column: Column, world: World, cast: Sequence[Shown], *, trace: bool) -> None:
    column.heading("Map")
    _write_marks(column, cast)
    if len(cast) == 1 and cast[0].plan.steps:
        _write_kinds(column, cast[0])
    kinds = {kind_of(obstacle) for obstacle in world.obstacles} | ({"mover"} if world.movers else set())
    for kind, words in THINGS.items():
        if kind in kinds:
            _swatch(column, kind)
            column.write(34.0, words, color=PALE_INK)
            column.y += LINE_PX
    traces = [one.plan.trace for one in cast if one.plan.trace is not None]
    if trace and traces:
        if any(not one.plan.found and one.plan.trace is not None for one in cast):
            _rectangle(column, (*REACHED, 0.25), REACHED)
            column.write(34.0, "reached by the search", color=PALE_INK)
            column.y += LINE_PX
        if len(cast) <= 3:
            _write_costs(column, highest_cost(cast))


def _write_marks(column: Column, cast: Sequence[Shown]) -> None:
    lone = len(cast) == 1
    middle = column.y + 0.5 * LINE_PX
    axes = column.axes
    axes.plot([13.0], [middle], "o", ms=6.0, mfc=START if lone else PALE_INK, mec="white", mew=0.8)
    column.write(34.0, "start", color=PALE_INK)
    goal = GOAL if lone else PALE_INK
    x = 0.42 * column.width
    axes.plot([x], [middle], "o", ms=9.0, mfc=(*goal, 0.14), mec=goal, mew=1.0)
    axes.plot([x], [middle], "+", ms=5.0, color=goal, mew=1.1)
    column.write(x + 16, "goal and tolerance", color=PALE_INK)
    column.y += LINE_PX
    if any(one.motion is not None for one in cast):
        axes.plot([13.0], [middle + LINE_PX], "o" if len(cast) <= POSED else ".", ms=7.0 if len(cast) <= POSED else 4.0,
                  mfc=cast[0].color, mec=way_color(cast[0]), mew=0.6)  # fmt: skip
        column.write(34.0, "where the body is, every second", color=PALE_INK)
        column.y += LINE_PX


def _write_kinds(column: Column, shown: Shown) -> None:
    """Write the kinds of behaviors used in their colors, three in a line."""
    kinds = [kind for kind in KIND_COLORS if any(run.kind == kind for run in shown.runs)]
    for index, kind in enumerate(kinds):
        x = 0.0 if index % 3 == 0 else index % 3 * 0.345 * column.width
        middle = column.y + 0.5 * LINE_PX
        column.axes.plot([x + 2, x + 22], [middle, middle], color=KIND_COLORS[kind], lw=2.4, solid_capstyle="round")
        column.write(x + 30, kind, color=PALE_INK)
        if index % 3 == 2 or index == len(kinds) - 1:
            column.y += LINE_PX


def _swatch(column: Column, kind: str) -> None:
    patch = patch_of(kind)
    _rectangle(column, patch.face, patch.edge, hatch=patch.hatch, dashed=patch.dashed)


def _rectangle(column: Column, face: object, edge: object, *, hatch: str | None = None, dashed: bool = False) -> None:
    from matplotlib.patches import Rectangle

    column.axes.add_patch(
        Rectangle((2.0, column.y + 4.5), 22.0, LINE_PX - 9.0, facecolor=face, edgecolor=edge, lw=0.8, hatch=hatch,
                  hatch_linewidth=0.5, ls=(0, (4, 2)) if dashed else "-")
    )  # fmt: skip


def _write_costs(column: Column, most: float) -> None:
    """Draw the colors of the search tree, from no cost to the greatest."""
    ramp = np.linspace(0.0, 1.0, 128)[None]
    left, right = 0.0, column.width
    top = column.y + 6.0
    column.axes.imshow(
        ramp, extent=(left, right, top + 8.0, top), aspect="auto", cmap=cost_colors(), vmin=0.0, vmax=1.0, zorder=1
    )
    column.axes.set_xlim(0.0, column.width)
    column.y += LINE_PX
    column.write(0.0, "0", color=PALE_INK, size=SMALL_PT)
    column.write(0.5 * column.width, "cost of the search tree's nodes", color=PALE_INK, size=SMALL_PT, align="center")
    column.write(column.width, f"{most:.1f}", color=PALE_INK, size=SMALL_PT, align="right")
    column.y += LINE_PX
