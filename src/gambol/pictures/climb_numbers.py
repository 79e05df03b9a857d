"""Plots of a climb over time: modes, holds of each limb, balance, speeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gambol.climb.environment_table import grasp_table
from gambol.climb.figure import FREE, LIMBS
from gambol.climb.kernels.gravity import held_span
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray
from gambol.pictures.climb_figure import MODE_COLORS, WHITE
from gambol.pictures.climb_page import TITLE_PX
from gambol.pictures.climb_strip import mode_runs
from gambol.pictures.climb_track import Track
from gambol.pictures.figure import LEFT, RIGHT, faded
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_paths import GOAL
from gambol.pictures.page import Page
from gambol.pictures.pixels import Pixels
from gambol.pictures.quality_plots import RULE, SLATE, SMALL_PT, TEXT_PT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WIDTH_PX = 1296  # pixels: width of the page
LABELS_PX = 132  # pixels left of the panels, for their names
RIGHT_PX = 106  # pixels right of the panels, for remarks
GAP_PX = 12  # pixels between panels
AXIS_PX = 46  # pixels below the panels, for the axis of time
#: Parts of the body: name, columns of a configuration, color.
PARTS = (
    ("trunk", (2, 3), SLATE),
    ("arms", (4, 5, 6, 7), RIGHT),
    ("legs", (8, 9, 10, 11), LEFT),
)
MOST_OUT_M = 0.45  # metres: balance is cut off above this
MOST_IN_M = -0.35  # metres: balance is cut off below this
LETTER_PX = 6.2  # pixels: width of a digit of a grasp point's number
LIMB_NAMES = tuple(limb.replace("_", " ") for limb in LIMBS)


def numbers_page(
    track: Track, title: str | None, *, width_px: int = WIDTH_PX, forbidden: Sequence[tuple[int, int]] = ()
) -> Pixels:
    """Draw panels below each other, over one axis of time.

    forbidden: first and last frames of stretches that gravity does not allow, as the judge lists them.
    """
    outside = outside_span(track)
    panels: list[tuple[int, Callable[[Axes], None]]] = [
        (20, lambda axes: _draw_modes(axes, track)),
        (96, lambda axes: _draw_holds(axes, track, width_px - LABELS_PX - RIGHT_PX)),
        (92, lambda axes: _draw_balance(axes, track, outside, forbidden)),
        (92, lambda axes: _draw_joints(axes, track)),
        (72, lambda axes: _draw_going(axes, track)),
    ]
    top = TITLE_PX if title is not None else 18
    page = Page(width_px, top + sum(height + GAP_PX for height, _ in panels) + AXIS_PX)
    if title is not None:
        page.write(14.0, 22.0, title, level=0)
    first: Axes | None = None
    for number, (height, draw) in enumerate(panels):
        axes = page.axes(LABELS_PX, top, width_px - LABELS_PX - RIGHT_PX, height, share=first)
        first = axes if first is None else first
        _style(axes, track, is_last=number == len(panels) - 1)
        draw(axes)
        top += height + GAP_PX
    return page.pixels()


def outside_span(track: Track) -> FloatArray:
    """Return the distance (N,) of the centre of mass outside the span that the grasps hold at rest; inside: < 0."""
    problem, path = track.problem, track.path
    table = grasp_table(problem.environment, problem.figure)
    outside = np.empty(len(track))
    for index in range(len(track)):
        low, high = held_span(
            problem.figure.table, table.anchor, table.surface, bool(path.modes[index] != Mode.CRAWL),
            float(path.facings[index]), path.grasps[index], -1,
        )  # fmt: skip
        x = float(track.centres[index, 0])
        outside[index] = max(low - x, x - high)
    return outside


def _times(track: Track) -> FloatArray:
    return np.arange(len(track)) / track.rate_hz


def _style(axes: Axes, track: Track, *, is_last: bool) -> None:
    axes.set_xlim(0.0, max(len(track) - 1, 1) / track.rate_hz)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(RULE)
    axes.tick_params(labelsize=SMALL_PT, colors=PALE_INK, length=3 if is_last else 0, color=RULE, labelbottom=is_last)
    axes.grid(axis="both", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)
    if is_last:
        axes.set_xlabel("time, s", fontsize=TEXT_PT, color=INK)


def _label(axes: Axes, words: str) -> None:
    axes.text(
        -LABELS_PX + 14.0, 0.0, words, transform=_left_middle(axes), fontsize=TEXT_PT, color=INK, va="center",
        linespacing=1.3,
    )  # fmt: skip


def _left_middle(axes: Axes) -> object:
    """Return a transform whose origin is the middle of the left edge of axes, in pixels."""
    from matplotlib.transforms import Affine2D

    box = axes.get_window_extent()
    return Affine2D().translate(box.x0, 0.5 * (box.y0 + box.y1))


def _draw_modes(axes: Axes, track: Track) -> None:
    """Draw a band in the colors of the modes, with their names where there is room."""
    axes.set_axis_off()
    axes.set_ylim(0.0, 1.0)
    end = (len(track) - 1) / track.rate_hz
    for first, last, mode in mode_runs(track.path):
        start, stop = first / track.rate_hz, min(last + 1, len(track) - 1) / track.rate_hz
        axes.axvspan(start, stop, color=MODE_COLORS[mode], linewidth=0)
        if (stop - start) / max(end, 1e-9) > 0.012 * len(mode.label):
            axes.text(
                0.5 * (start + stop), 0.47, mode.label, fontsize=SMALL_PT, color="white", ha="center", va="center"
            )
    for first, _, _ in mode_runs(track.path)[1:]:
        axes.axvline(first / track.rate_hz, color="white", lw=1.5)
    _label(axes, "mode")


def _draw_holds(axes: Axes, track: Track, width_px: int) -> None:
    """Draw a bar for each hold in a row for each limb, with its grasp point's number where there is room."""
    axes.grid(visible=False)
    axes.set_ylim(-0.5, 3.5)
    axes.invert_yaxis()
    end = max((len(track) - 1) / track.rate_hz, 1e-9)
    for limb in range(4):
        holds = track.path.grasps[:, limb]
        edges = [0, *(np.flatnonzero(np.diff(holds)) + 1).tolist(), len(track)]
        color = RIGHT if limb % 2 else LEFT
        for number, (first, stop) in enumerate(pairwise(edges)):
            hold = int(holds[first])
            if hold == FREE:
                continue
            start = first / track.rate_hz
            lasts = (min(stop, len(track) - 1) - first) / track.rate_hz
            shade = faded(color, WHITE, 0.30 if number % 2 else 0.42)
            axes.barh(limb, lasts, left=start, height=0.72, color=shade, edgecolor="white", linewidth=0.8)
            if lasts / end * width_px > LETTER_PX * len(str(hold)) + 4.0:
                middle = start + 0.5 * lasts
                axes.text(middle, limb, str(hold), fontsize=6.0, color=INK, ha="center", va="center_baseline")
    _draw_changes(axes, track)
    axes.set_yticks(range(4), LIMB_NAMES, fontsize=SMALL_PT)
    axes.tick_params(length=0)
    for limb, tick in enumerate(axes.get_yticklabels()):
        tick.set_color(faded(RIGHT if limb % 2 else LEFT, INK, 0.3))


def _draw_changes(axes: Axes, track: Track) -> None:
    """Mark where the mode changes."""
    for first, _, _ in mode_runs(track.path)[1:]:
        axes.axvline(first / track.rate_hz, color=PALE_INK, lw=0.7, linestyle=(0, (3, 3)), zorder=1.5)


def _draw_balance(axes: Axes, track: Track, outside: FloatArray, forbidden: Sequence[tuple[int, int]]) -> None:
    """Draw the distance of the centre of mass outside the span that grasps hold at rest, red where it is outside.

    Momentum carries most of that; bars mark stretches that gravity forbids nevertheless.
    """
    for first, last in forbidden:
        axes.axvspan((first - 0.5) / track.rate_hz, (last + 0.5) / track.rate_hz, color=GOAL, alpha=0.85, linewidth=0)
    times, shown = _times(track), 100.0 * np.clip(outside, MOST_IN_M, MOST_OUT_M)
    axes.fill_between(
        times, 0.0, shown, where=(shown > 0.0).tolist(), color=GOAL, alpha=0.35, linewidth=0, interpolate=True
    )
    axes.plot(times, shown, color=SLATE, lw=1.1)
    axes.axhline(0.0, color=INK, lw=0.8)
    low, high = min(float(shown.min()), -5.0), max(float(shown.max()), 5.0)
    axes.set_ylim(low - 0.1 * (high - low), high + 0.1 * (high - low))
    _draw_changes(axes, track)
    _label(axes, "outside of\nwhat is held,\ncm")
    _aside(axes, 0.86, "would topple", faded(GOAL, WHITE, 0.25))
    _aside(axes, 0.68, "at rest", faded(GOAL, WHITE, 0.25))
    if forbidden:
        _aside(axes, 0.45, "barred: falls", GOAL)
    _aside(axes, 0.20, "held at rest", SLATE)


def _aside(axes: Axes, height: float, words: str, color: object) -> None:
    """Write to the right of a plot."""
    axes.annotate(
        words, (1.0, height), (7, 0), xycoords="axes fraction", textcoords="offset points", fontsize=SMALL_PT,
        color=color, va="center", annotation_clip=False,
    )  # fmt: skip


def _draw_joints(axes: Axes, track: Track) -> None:
    """Draw the speed of the fastest joint of each part of the body."""
    speeds = np.abs(np.diff(track.path.configurations, axis=0)) * track.rate_hz
    times = _times(track)[:-1] + 0.5 / track.rate_hz
    for number, (name, columns, color) in enumerate(PARTS):
        axes.plot(times, speeds[:, columns].max(axis=1), color=color, lw=0.9, alpha=0.9)
        _aside(axes, 0.82 - 0.22 * number, name, color)
    axes.set_ylim(0.0, max(1.0, 1.08 * float(speeds[:, 2:].max(initial=0.0))))
    _draw_changes(axes, track)
    _label(axes, "fastest\njoint, rad/s")


def _draw_going(axes: Axes, track: Track) -> None:
    """Draw the speed of the centre of mass."""
    speed = np.linalg.norm(np.diff(track.centres, axis=0), axis=1) * track.rate_hz
    axes.plot(_times(track)[:-1] + 0.5 / track.rate_hz, speed, color=SLATE, lw=1.1)
    axes.set_ylim(0.0, max(0.5, 1.1 * float(speed.max(initial=0.0))))
    _draw_changes(axes, track)
    _label(axes, "centre of\nmass, m/s")
