"""Plots of a crowd's speeds, waits, arrivals, flow and computing time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.crowd.recording import Recording
from gambol.crowd.recording_statistics import WAIT_EDGES_S, RecordingStatistics, done_frames, statistics
from gambol.geometry.arrays import FloatArray
from gambol.pictures.crowd_flow import Crossings, Line, busiest, crossings, going_speeds, passage_lines, reported_done
from gambol.pictures.figure import LEFT, RIGHT
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.quality_plots import RULE, SLATE, SMALL_PT, TEXT_PT
from gambol.stages.crowd_report import RunReport
from gambol.world.world import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Draw = Callable[["Axes"], None]

SPEED_BIN_M_S = 0.2  # metres a second: width of a bar
TOP_SPEED_M_S = 5.0  # metres a second: higher speeds count into the last bar
FLOW_BINS = 30  # bars of the flow at most
LEAST_BIN_S = 2.0  # seconds: least width of a bar of the flow


class Panel(NamedTuple):
    """A plot to be drawn."""

    title: str
    draw: Draw


def crowd_panels(
    recording: Recording,
    *,
    report: RunReport | None = None,
    world: World | None = None,
    line: Line | None = None,
) -> list[Panel]:
    """Return those plots that have something to show.

    report: of the run, for what it counted and the time it took.
    world: to find the passage that most characters went through.  line: to count crossings of this line instead.
    """
    counted = statistics(recording) if report is None else report.statistics
    speeds = going_speeds(recording, done_frames(recording) if report is None else reported_done(recording, report))
    panels = [
        Panel("speed while going, m/s", lambda axes: draw_speeds(axes, speeds, counted.mean_speed_m_s)),
        Panel("characters by longest wait, s", lambda axes: draw_waits(axes, counted)),
    ]
    if len(recording.arrivals):
        panels.append(Panel("goals reached, over the seconds", lambda axes: draw_arrivals(axes, recording)))
    flow = crossings(recording, line) if line is not None else None
    gate = "the line" if line is not None else "the busiest passage"
    if flow is None and world is not None:
        flow = busiest(recording, passage_lines(world))
    if flow is not None and len(flow.times_s):
        known = flow
        panels.append(Panel(f"through {gate}, a minute", lambda axes: draw_flow(axes, known, recording.duration_s)))
    if report is not None and any(report.run.stage_ms.values()):
        stages = report.run.stage_ms
        panels.append(
            Panel(f"{report.run.ms_per_frame:.2g} ms a frame, by stage", lambda axes: draw_stages(axes, stages))
        )
    return panels


def draw_panel(axes: Axes, panel: Panel) -> None:
    """Draw a plot with its title in the house's style."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(RULE)
    axes.tick_params(labelsize=SMALL_PT, colors=PALE_INK, length=3, color=RULE)
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)
    panel.draw(axes)
    axes.set_title(panel.title, fontsize=TEXT_PT, color=INK, loc="left", pad=5)


def draw_speeds(axes: Axes, speeds: FloatArray, mean_m_s: float) -> None:
    """Draw the distribution of speeds, and their mean."""
    speeds = np.minimum(speeds, TOP_SPEED_M_S - 1e-9)
    edges = np.arange(0.0, TOP_SPEED_M_S + 1e-9, SPEED_BIN_M_S)
    counts, _ = np.histogram(speeds, edges)
    axes.bar(edges[:-1], 100.0 * counts / max(len(speeds), 1), SPEED_BIN_M_S, align="edge", color=LEFT, alpha=0.75)
    axes.axvline(mean_m_s, color=INK, linewidth=1.0, linestyle=(0, (4, 3)))
    axes.annotate(
        f"mean {mean_m_s:.2f}", (mean_m_s, 1.0), (4, -2),
        xycoords=("data", "axes fraction"), textcoords="offset points", va="top", fontsize=SMALL_PT, color=INK,
    )  # fmt: skip
    axes.set_xlim(0.0, TOP_SPEED_M_S)
    axes.yaxis.set_major_formatter("{x:.0f} %")


def draw_waits(axes: Axes, counted: RecordingStatistics) -> None:
    """Draw the number of characters by their longest wait."""
    places = np.arange(len(counted.waits))
    axes.bar(places, counted.waits, 0.85, color=RIGHT, alpha=0.75)
    axes.set_xticks(places - 0.5, [f"{edge:g}" for edge in WAIT_EDGES_S[:-1]])
    axes.annotate(
        f"longest {counted.longest_wait_s:.0f} s", (1.0, 1.0), xycoords="axes fraction", ha="right", va="top",
        fontsize=SMALL_PT, color=INK,
    )  # fmt: skip


def draw_arrivals(axes: Axes, recording: Recording) -> None:
    """Draw the number of goals reached over time."""
    from matplotlib.ticker import MaxNLocator

    times = np.sort(recording.arrivals[:, 1]) / recording.rate_hz
    axes.step(
        np.concatenate(([0.0], times, [recording.duration_s])),
        np.append(np.arange(len(times) + 1), len(times)),
        where="post",
        color=SLATE,
        linewidth=1.4,
    )
    rate = 60.0 * len(times) / max(recording.duration_s, 1e-9)
    axes.annotate(
        f"{rate:.0f} a minute", (0.03, 0.97), xycoords="axes fraction", va="top", fontsize=SMALL_PT, color=INK
    )
    axes.set_xlim(0.0, recording.duration_s)
    axes.set_ylim(bottom=0.0)
    axes.yaxis.set_major_locator(MaxNLocator(nbins=5, integer=True))


def draw_flow(axes: Axes, flow: Crossings, duration_s: float) -> None:
    """Draw crossings a minute, forth above the line and back below it."""
    bin_s = max(LEAST_BIN_S, duration_s / FLOW_BINS)
    edges = np.arange(0.0, duration_s + bin_s, bin_s)
    for chosen, sign, color, word in ((flow.forth, 1.0, LEFT, "forth"), (~flow.forth, -1.0, RIGHT, "back")):
        counts, _ = np.histogram(flow.times_s[chosen], edges)
        label = f"{word}: {int(chosen.sum())}"
        axes.bar(edges[:-1], sign * counts * 60.0 / bin_s, bin_s, align="edge", color=color, alpha=0.75, label=label)
    axes.axhline(0.0, color=PALE_INK, linewidth=0.8)
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.45 * (high - low))  # leaves room for the legend
    axes.yaxis.set_major_formatter(lambda value, _: f"{abs(value):g}")
    axes.set_xlim(0.0, duration_s)
    axes.legend(fontsize=SMALL_PT, frameon=False, labelcolor=INK, loc="upper left", ncols=2, borderaxespad=0.0)


def draw_stages(axes: Axes, stage_ms: Mapping[str, float]) -> None:
    """Draw the milliseconds of each stage of a planning frame."""
    names = list(stage_ms)
    places = np.arange(len(names))[::-1]
    axes.barh(places, [stage_ms[name] for name in names], 0.7, color=SLATE, alpha=0.75)
    axes.set_yticks(places, [name.replace("_", " ") for name in names], fontsize=SMALL_PT)
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", color=RULE, linewidth=0.5)
