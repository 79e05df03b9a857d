"""Plots of a bake: outcomes of tasks, seconds they took, and what each worker did when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.pictures.crowd_plots import Panel, draw_panel
from gambol.pictures.figure import LEFT, RIGHT, faded
from gambol.pictures.lettering import INK
from gambol.pictures.mesh import Color
from gambol.pictures.page import Page
from gambol.pictures.png import write_png
from gambol.pictures.quality_plots import RULE, SLATE, SMALL_PT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH_PX = 1100  # pixels: width of the page
ROW_PX = 22  # pixels: height of a row of a plot
LEAST_PX = 190  # pixels: least height of a plot of more than four rows
MOST_PX = 900  # pixels: greatest height of a plot
MOST_ROWS = 30  # rows of a plot, for workers or groups of tasks; further ones are left out
GREEN: Color = (0.0, 0.62, 0.451)
PURPLE: Color = (0.8, 0.475, 0.655)
OCHRE: Color = (0.70, 0.55, 0.0)
SKY: Color = (0.337, 0.706, 0.914)
COLORS: tuple[Color, ...] = (LEFT, OCHRE, GREEN, PURPLE, SKY, SLATE)  # colors of kinds of tasks, in order
FAILED: Color = RIGHT
WELL = ("found", "grown", "learned", "answered")  # outcomes of tasks that went well
LONGEST_LABEL = 44  # letters: longer names of rows are cut
FINEST = 1000  # >= 1: parts into which the time is divided; no bar is narrower than one
NARROWEST = 2  # parts of the time: bars in a row that span less than this become one; larger joins more
MOST_DOTS = 2000  # dots of a group at most; with more tasks, some stand for all


class Stint(NamedTuple):
    """One attempt at a task."""

    kind: str
    worker: str
    begun_s: float  # since the bake began
    ended_s: float
    failed: bool


class Group(NamedTuple):
    """Tasks that differ by their seed alone."""

    name: str
    kind: str
    outcomes: Mapping[str, int]  # number of tasks by outcome
    seconds: tuple[float, ...]  # time of each task, where known


def bake_plots(path: Path | str, stints: Sequence[Stint], groups: Sequence[Group]) -> None:
    """Write a PNG of a bake: the stints of its latest run, and the groups of all its tasks."""
    kinds = list(dict.fromkeys(group.kind for group in groups))
    colors = {kind: COLORS[number % len(COLORS)] for number, kind in enumerate(kinds)}
    panels = _panels(stints, groups, colors)
    heights = [height for height, _ in panels]
    page = Page(WIDTH_PX, sum(heights))
    page.canvas.set_layout_engine("constrained", w_pad=0.12, h_pad=0.08)
    grid = page.canvas.add_gridspec(len(panels), 1, height_ratios=heights)
    for row, (_, panel) in enumerate(panels):
        draw_panel(page.canvas.add_subplot(grid[row, 0]), panel)
    write_png(page.pixels(), path)


def _panels(stints: Sequence[Stint], groups: Sequence[Group], colors: Mapping[str, Color]) -> list[tuple[int, Panel]]:
    """Return those plots that have something to show, with their heights in pixels."""
    shown = list(groups[:MOST_ROWS])
    more = "" if len(shown) == len(groups) else f"; the first {len(shown)} of {len(groups):,} groups"
    panels = [(_height(len(shown)), Panel(f"what came of the tasks{more}", lambda axes: _draw_outcomes(axes, shown)))]
    timed = [group for group in shown if group.seconds]
    if timed:
        draw = Panel(f"seconds a task{more}", lambda axes: _draw_seconds(axes, timed, colors))
        panels.append((_height(len(timed)), draw))
    if stints:
        workers = sorted({stint.worker for stint in stints})
        title = f"who worked at what, over {max(stint.ended_s for stint in stints):.0f} seconds"
        if len(workers) > MOST_ROWS:
            title += f"; {MOST_ROWS} of {len(workers):,} workers"
        draw = Panel(title, lambda axes: _draw_workers(axes, stints, workers[:MOST_ROWS], colors))
        panels.append((_height(min(len(workers), MOST_ROWS)), draw))
        panels.append((LEAST_PX, Panel("tasks done, over the seconds", lambda axes: _draw_done(axes, stints))))
    return panels


def _height(rows: int) -> int:
    return int(np.clip(90 + ROW_PX * rows, LEAST_PX if rows > 4 else 150, MOST_PX))


def _draw_outcomes(axes: Axes, groups: Sequence[Group]) -> None:
    from matplotlib.ticker import MaxNLocator

    names = list(dict.fromkeys(outcome for group in groups for outcome in group.outcomes))
    others = sorted((name for name in names if name not in WELL), key=lambda name: (name == "failed", name))
    well = [name for name in WELL if name in names]
    alike: list[list[str]] = [*([well] if well else []), *([name] for name in others)]
    left = np.zeros(len(groups))
    for number, together in enumerate(alike):
        counts = np.array([sum(group.outcomes.get(name, 0) for name in together) for group in groups], dtype=float)
        label = ", ".join(together).replace("_", " ")
        axes.barh(
            np.arange(len(groups)), counts, 0.7, left=left, color=_outcome_color(together[0], number), label=label
        )
        left += counts
    _name_rows(axes, [group.name for group in groups])
    axes.set_xlim(0.0, max(left.max(), 1.0))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _legend(axes)


def _outcome_color(name: str, number: int) -> Color:
    if name == "failed":
        return FAILED
    if name in WELL:
        return GREEN
    return faded((OCHRE, PURPLE, SKY, SLATE)[number % 4], (1.0, 1.0, 1.0), 0.15)


def _draw_seconds(axes: Axes, groups: Sequence[Group], colors: Mapping[str, Color]) -> None:
    """Draw every task as a dot, and the median of each group."""
    rng = np.random.default_rng(0)
    longest = max(max(group.seconds) for group in groups)
    shortest = min(min(group.seconds) for group in groups)
    for row, group in enumerate(groups):
        shown = np.linspace(0, len(group.seconds) - 1, min(len(group.seconds), MOST_DOTS)).astype(int)
        seconds = np.maximum(np.sort(group.seconds)[shown], 1e-4)
        spread = rng.uniform(-0.22, 0.22, len(seconds)) if len(seconds) > 1 else 0.0
        axes.plot(seconds, row + spread, "o", markersize=5.0, alpha=0.7, color=colors[group.kind], mew=0.0)
        if len(seconds) > 2:
            axes.plot([np.median(seconds)] * 2, [row - 0.38, row + 0.38], color=INK, linewidth=1.0)
    _name_rows(axes, [group.name for group in groups])
    if longest > 30.0 * max(shortest, 1e-4):
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter("{x:g}")
        axes.tick_params(axis="x", which="minor", length=2, color=RULE)
    else:
        axes.set_xlim(0.0, 1.05 * longest)


def _draw_workers(axes: Axes, stints: Sequence[Stint], workers: Sequence[str], colors: Mapping[str, Color]) -> None:
    """Draw what each worker did when; failed attempts have a color of their own."""
    there = {stint.kind for stint in stints if not stint.failed}
    for kind in [kind for kind in colors if kind in there]:
        own = [stint for stint in stints if stint.kind == kind and not stint.failed and stint.worker in workers]
        _draw_stints(axes, own, workers, colors.get(kind, SLATE), kind)
    bad = [stint for stint in stints if stint.failed and stint.worker in workers]
    if bad:
        _draw_stints(axes, bad, workers, FAILED, "failed")
    _name_rows(axes, workers)
    axes.set_xlim(0.0, max(stint.ended_s for stint in stints))
    _legend(axes)


def _draw_stints(axes: Axes, stints: Sequence[Stint], workers: Sequence[str], color: Color, label: str) -> None:
    """Draw bars in a row for each worker; bars too narrow to be seen apart become one."""
    narrow = max(stint.ended_s for stint in stints) / FINEST
    for row, worker in enumerate(workers):
        own = _joined(sorted((one.begun_s, one.ended_s) for one in stints if one.worker == worker), narrow)
        bars = [(begun, max(ended - begun, narrow)) for begun, ended in own]
        axes.broken_barh(
            bars, (row - 0.36, 0.72), color=color, alpha=0.85, edgecolor="white", linewidth=0.4, label=label
        )
        label = "_"  # the legend names it only once


def _joined(spans: Sequence[tuple[float, float]], narrow: float) -> list[tuple[float, float]]:
    """Join spans of time that follow each other at once and are too narrow to be seen apart."""
    found: list[tuple[float, float]] = []
    for begun, ended in spans:
        if found and begun - found[-1][1] < narrow and ended - found[-1][0] < NARROWEST * narrow:
            found[-1] = found[-1][0], ended
        else:
            found.append((begun, ended))
    return found


def _draw_done(axes: Axes, stints: Sequence[Stint]) -> None:
    from matplotlib.ticker import MaxNLocator

    times = np.sort([stint.ended_s for stint in stints if not stint.failed])
    end = max(stint.ended_s for stint in stints)
    axes.step(
        np.concatenate(([0.0], times, [end])),
        np.append(np.arange(len(times) + 1), len(times)),
        where="post",
        color=SLATE,
        linewidth=1.4,
    )
    axes.annotate(
        f"{60.0 * len(times) / max(end, 1e-9):.3g} a minute",
        (0.01, 0.95),
        xycoords="axes fraction",
        va="top",
        fontsize=SMALL_PT,
        color=INK,
    )
    axes.set_xlim(0.0, end)
    axes.set_ylim(bottom=0.0)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    short = [name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1]}…" for name in names]
    axes.set_yticks(range(len(names)), short, fontsize=SMALL_PT, color=INK, parse_math=False)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=RULE, linewidth=0.5)


def _legend(axes: Axes) -> None:
    axes.legend(
        fontsize=SMALL_PT, frameon=False, labelcolor=INK, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=8,
        borderaxespad=0.1, handlelength=1.0, handleheight=0.8, columnspacing=1.2,
    )  # fmt: skip
