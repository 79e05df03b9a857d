"""Plots and numbers of a quality report."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.motion.contacts import runs
from gambol.motion.motion import Motion
from gambol.motion.quality import Quality
from gambol.motion.travel import path_length
from gambol.pictures.figure import LEFT, RIGHT
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.page import Page
from gambol.pictures.pixels import Pixels
from gambol.pictures.quality_tracks import FootTrack, Tracks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE_COLORS = {"left": LEFT, "right": RIGHT}
SLATE = (0.30, 0.33, 0.38)
RULE = (0.86, 0.85, 0.84)
TEXT_PT = 8.5  # points: letters
SMALL_PT = 7.5  # points: small letters
NONE = "–"  # stands for a missing number
LONGEST_NAME = 22  # letters: longer names of joints are cut
SPIKE_PERCENTILE = 97.0  # 0 to 100: the usual height of a curve is this percentile
SPIKE = 4.0  # usual heights: a curve is cut off above this


def draw_plots(motion: Motion, quality: Quality, tracks: Tracks, *, width_px: int) -> Pixels:
    """Return time plots, one below the other, with the report's numbers to their right, as pixels (H, W, 3)."""
    panels = _panels(quality, tracks)
    ratios = [ratio for ratio, _ in panels]
    height_px = 60 + round(140 * sum(ratios))
    page = Page(width_px, height_px)
    figure = page.canvas
    figure.set_layout_engine("constrained", rect=(0.006, 0.0, 0.98, 1.0))
    grid = figure.add_gridspec(len(panels), 2, width_ratios=(3.1, 1.0), height_ratios=ratios)
    first: Axes | None = None
    for row, (_, draw) in enumerate(panels):
        axes = figure.add_subplot(grid[row, 0], sharex=first)
        first = axes if first is None else first
        _style(axes, tracks, is_last=row == len(panels) - 1)
        draw(axes)
    figure.align_ylabels()
    _write_numbers(figure, grid[:, 1], _numbers(motion, quality))
    return page.pixels()


def _panels(quality: Quality, tracks: Tracks) -> list[tuple[float, Callable[[Axes], None]]]:
    """Return the plots to draw from top to bottom, with their relative heights."""
    panels: list[tuple[float, Callable[[Axes], None]]] = [
        (1.0, lambda axes: _draw_line(axes, tracks, tracks.root_speed_m_s, "root speed\nm/s")),
        (1.0, lambda axes: _draw_turns(axes, tracks, quality)),
    ]
    if not tracks.feet:
        return [(1.0, lambda axes: _draw_line(axes, tracks, tracks.lowest_cm, "lowest joint\ncm")), *panels]
    return [
        (0.42, lambda axes: _draw_stances(axes, tracks)),
        (1.0, lambda axes: _draw_foot_heights(axes, tracks)),
        (1.0, lambda axes: _draw_slides(axes, tracks, quality)),
        *panels,
    ]


def _style(axes: Axes, tracks: Tracks, *, is_last: bool) -> None:
    axes.set_xlim(float(tracks.times_s[0]) - tracks.half_frame_s, float(tracks.times_s[-1]) + tracks.half_frame_s)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(RULE)
    axes.tick_params(labelsize=SMALL_PT, colors=PALE_INK, length=3, color=RULE, labelbottom=is_last)
    axes.grid(axis="both", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)
    if is_last:
        axes.set_xlabel("time, s", fontsize=TEXT_PT, color=INK)


def _label(axes: Axes, words: str) -> None:
    axes.set_ylabel(words, fontsize=TEXT_PT, color=INK)


def _shade(axes: Axes, tracks: Tracks, foot: FootTrack, *, alpha: float, low: float = 0.0, high: float = 1.0) -> None:
    """Mark a foot's stances; low and high are shares of the plot's height."""
    for start, end in runs(foot.planted):
        left = float(tracks.times_s[start]) - tracks.half_frame_s
        right = float(tracks.times_s[end]) + tracks.half_frame_s
        axes.axvspan(left, right, low, high, color=SIDE_COLORS[foot.side], alpha=alpha, linewidth=0)


def _draw_stances(axes: Axes, tracks: Tracks) -> None:
    """Draw a bar for each stance, in a row for each foot."""
    axes.grid(visible=False)
    axes.set_ylim(0.0, 1.0)
    count = len(tracks.feet)
    places = [1.0 - (row + 0.5) / count for row in range(count)]
    for foot, place in zip(tracks.feet, places, strict=True):
        _shade(axes, tracks, foot, alpha=0.9, low=place - 0.36 / count, high=place + 0.36 / count)
    axes.set_yticks(places, [foot.side for foot in tracks.feet], fontsize=TEXT_PT)
    for foot, tick in zip(tracks.feet, axes.get_yticklabels(), strict=True):
        tick.set_color(SIDE_COLORS[foot.side])
    axes.tick_params(axis="y", length=0)
    axes.set_title("feet on the ground", fontsize=TEXT_PT, color=INK, loc="left", pad=4)


def _draw_foot_heights(axes: Axes, tracks: Tracks) -> None:
    for foot in tracks.feet:
        _shade(axes, tracks, foot, alpha=0.10)
        _plot(axes, tracks, foot.height_cm, SIDE_COLORS[foot.side])
    axes.axhline(0.0, color=PALE_INK, linewidth=0.8)
    _label(axes, "foot height\ncm")


def _draw_slides(axes: Axes, tracks: Tracks, quality: Quality) -> None:
    for foot in tracks.feet:
        _shade(axes, tracks, foot, alpha=0.10)
        _plot(axes, tracks, foot.slide_cm_s, SIDE_COLORS[foot.side])
    if quality.foot_slide_mean_cm_s is not None:
        axes.axhline(quality.foot_slide_mean_cm_s, color=PALE_INK, linewidth=0.9, dashes=(4, 3))
        axes.annotate(
            "mean", (1.0, quality.foot_slide_mean_cm_s), (3, 0), xycoords=("axes fraction", "data"),
            textcoords="offset points", fontsize=SMALL_PT, color=PALE_INK, va="center", annotation_clip=False,
        )  # fmt: skip
    axes.set_ylim(bottom=0.0)
    _label(axes, "planted slide\ncm/s")


def _draw_line(axes: Axes, tracks: Tracks, values: NDArray[np.float64], words: str) -> None:
    _plot(axes, tracks, values, SLATE)
    if float(values.min()) >= 0.0:
        axes.set_ylim(bottom=0.0)
    _label(axes, words)


def _draw_turns(axes: Axes, tracks: Tracks, quality: Quality) -> None:
    """Draw the fastest turn of any joint, cut off where a spike would flatten the rest."""
    _draw_line(axes, tracks, tracks.turn_deg_s, "fastest turn\n°/s")
    peak = max(quality.joint_peaks, key=lambda peak: peak.turn_rad_s)
    time, value = float(tracks.times_s[peak.turn_frame]), float(np.degrees(peak.turn_rad_s))
    usual = float(np.percentile(tracks.turn_deg_s, SPIKE_PERCENTILE))
    top = max(min(value, SPIKE * usual), 1.0)
    axes.set_ylim(top=1.25 * top)
    words = _short(peak.joint) if value <= top else f"{_short(peak.joint)}, {value:,.0f} °/s"
    middle = 0.5 * float(tracks.times_s[0] + tracks.times_s[-1])
    _note(axes, time, min(value, top), words, align="left" if time <= middle else "right")
    if value <= top:
        axes.plot([time], [value], "o", color=SLATE, markersize=3.5)


def _plot(axes: Axes, tracks: Tracks, values: NDArray[np.float64], color: tuple[float, float, float]) -> None:
    axes.plot(tracks.times_s, values, color=color, linewidth=1.4, marker="o" if len(values) == 1 else None)


def _note(axes: Axes, x: float, y: float, words: str, *, align: str) -> None:
    offset = (5 if align == "left" else -5, 3)
    axes.annotate(
        words, (x, y), offset, textcoords="offset points", fontsize=SMALL_PT, color=PALE_INK, ha=align, va="bottom",
        bbox={"facecolor": "white", "alpha": 0.6, "linewidth": 0, "pad": 0.5}, parse_math=False,
    )  # fmt: skip


def _numbers(motion: Motion, quality: Quality) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return headings, each with labels and values."""
    fastest = quality.fastest
    hardest = max(quality.joint_peaks, key=lambda peak: peak.acceleration_m_s2)
    turning = max(quality.joint_peaks, key=lambda peak: peak.turn_rad_s)
    drops = len(quality.zero_root_frames)
    return [
        ("Motion", [
            ("frames", f"{quality.frames:,}"),
            ("rate", f"{quality.rate_hz:g} Hz"),
            ("duration", f"{quality.duration_s:.2f} s"),
            ("way over the ground", f"{path_length(motion):.2f} m"),
        ]),
        ("Planted feet", [
            ("contacts", str(len(quality.contacts))),
            ("mean slide", _value(quality.foot_slide_mean_cm_s, "cm/s")),
            ("largest slide", _value(quality.foot_slide_max_cm_s, "cm/s")),
            ("deepest below ground", _value(quality.ground_penetration_cm, "cm")),
        ]),
        ("Peaks", [
            (_short(fastest.joint), f"{fastest.speed_m_s:.1f} m/s"),
            (_short(hardest.joint), f"{hardest.acceleration_m_s2:.0f} m/s²"),
            (_short(turning.joint), f"{np.degrees(turning.turn_rad_s):.0f} °/s"),
        ]),
        ("Skeleton", [
            ("joints", str(motion.skeleton.joint_count)),
            ("bone length change", _value(quality.bone_length_drift_mm, "mm")),
            ("root drop-outs", f"{drops} frames" if drops else "none"),
        ]),
    ]  # fmt: skip


def _short(joint: str) -> str:
    """Return a joint's name; a long one is cut in the middle."""
    return joint if len(joint) <= LONGEST_NAME else f"{joint[:8]}…{joint[9 - LONGEST_NAME :]}"


def _value(number: float | None, unit: str) -> str:
    return NONE if number is None else f"{number:.1f} {unit}"


def _write_numbers(figure: Figure, place: object, groups: list[tuple[str, list[tuple[str, str]]]]) -> None:
    """Write numbers as a column of short tables."""
    axes = figure.add_subplot(place)  # pyright: ignore[reportArgumentType,reportCallIssue]
    axes.set_axis_off()
    lines = sum(len(rows) + 1.9 for _, rows in groups) - 0.9
    axes.set_ylim(lines, 0.0)
    axes.set_xlim(0.0, 1.0)
    y = 0.0
    for heading, rows in groups:
        axes.text(0.06, y + 0.5, heading, fontsize=TEXT_PT + 1, fontweight="bold", color=INK, va="center")
        axes.plot([0.06, 1.0], [y + 1.05, y + 1.05], color=RULE, linewidth=0.8, clip_on=False)
        y += 1.2
        for label, value in rows:
            # Dollar signs in names of joints must not start formulas.
            axes.text(0.06, y + 0.5, label, fontsize=TEXT_PT, color=PALE_INK, va="center", parse_math=False)
            axes.text(1.0, y + 0.5, value, fontsize=TEXT_PT, color=INK, va="center", ha="right")
            y += 1.0
        y += 0.7
