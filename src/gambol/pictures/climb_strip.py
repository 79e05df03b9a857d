"""Climbs as strips: the whole course, and before and after smoothing [KP00 figures 1, 10, 11]."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gambol.climb.climb import ClimbPath
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray
from gambol.pictures.climb_environment import draw_ends, draw_environment, draw_reason, extent_of
from gambol.pictures.climb_figure import MODE_COLORS, draw_shapes, draw_sticks, posed
from gambol.pictures.climb_page import EDGES_PX, LEGEND_PX, TITLE_PX, TITLE_Y, Extent, draw_legend, scale_for, size_px
from gambol.pictures.climb_track import Track
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.page import Page
from gambol.pictures.pixels import Pixels

if TYPE_CHECKING:
    from matplotlib.axes import Axes


ROOM_PX = (1240, 640)  # pixels: greatest width and height of a panel
SPACING = (0.42, 0.85)  # statures from figure to figure of a course, across and up; larger: fewer figures
STROBE = 0.075  # statures: mean way of the figure's points from figure to figure of a strip; larger: fewer figures
NEAREST = 0.7  # 0 to 1: a figure within this share of the spacing of a figure already shown is left out
SIDE_BY_SIDE = 1.5  # width / height: strips of environments up to this stand side by side
AROUND_M = 0.55  # metres shown around the figures of a strip


def course_page(track: Track, title: str, about: str | None = None, reason: tuple[str, str] | None = None) -> Pixels:
    """Draw a whole climb.

    about: words beside the title; by default the way's length.
    reason: heading and words that say why the goal was not reached.
    """
    extent = extent_of(track.problem.environment)
    scale = scale_for(extent, ROOM_PX)
    width, height = size_px(extent, scale)
    left, below, right, _ = EDGES_PX
    page = Page(max(left + width + right, 620), TITLE_PX + height + below + LEGEND_PX)
    page.write(left, TITLE_Y, title, level=0)
    words = f"{track.gone_m[-1]:.1f} m" if about is None else about
    page.write(page.width - right, TITLE_Y, words, color=PALE_INK, align="right")
    axes = page.axes(0.5 * (page.width - width) if page.width > left + width + right else left, TITLE_PX, width, height)
    draw_course(axes, track)
    if reason is not None:
        draw_reason(axes, *reason)
    legend_for(page, track, left)
    return page.pixels()


def legend_for(page: Page, track: Track, left: float) -> None:
    """Write the meaning of a climb's colors and marks at the foot of a page."""
    modes = [mode for mode in Mode if mode in set(track.path.modes.tolist())]
    draw_legend(page, left, page.height - 0.5 * LEGEND_PX, modes, track.problem.environment)


def draw_course(axes: Axes, track: Track) -> None:
    """Draw an environment with figures along the way, start and goal."""
    draw_environment(axes, track.problem.environment)
    draw_along(axes, track)
    draw_ends(axes, track.problem)


def draw_along(axes: Axes, track: Track) -> None:
    """Draw figures along the way, evenly spaced, and the way of the centre of mass."""
    chosen = spaced(track)
    for number, index in enumerate(chosen):
        draw_shapes(axes, posed(track, index), line=0.5, order=10.0 + number / len(chosen))
    _draw_way(axes, track)


def draw_strobe(axes: Axes, track: Track, indices: Sequence[int], extent: Extent) -> None:
    """Draw configurations as lines, later ones in front; first and last with a body."""
    draw_environment(axes, track.problem.environment, extent=extent)
    draw_sticks(axes, track, indices)
    for index in (0, len(track) - 1):
        draw_shapes(axes, posed(track, index), line=0.5, order=11.0)
    draw_ends(axes, track.problem)


def spaced(track: Track) -> list[int]:
    """Return configurations evenly spaced along the way of the centre of mass, none near a later one."""
    places = track.centres / (np.array(SPACING) * track.problem.figure.stature_m)
    gone = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))))
    chosen: list[int] = []
    for index in reversed(evenly(gone, max(1, round(float(gone[-1]))) + 1)):
        away = np.linalg.norm(places[chosen] - places[index], axis=1) if chosen else np.array([np.inf])
        if float(away.min()) >= NEAREST:
            chosen.append(index)
    return chosen[::-1]


def evenly(gone: FloatArray, count: int) -> list[int]:
    """Return indices, from the first to the last, between which a growing value (N,) grows by equal amounts."""
    wanted = np.searchsorted(gone, np.linspace(0.0, float(gone[-1]), count) - 1e-9)
    return sorted({int(index) for index in wanted.clip(0, len(gone) - 1)})


def strobe_indices(track: Track, every: int | None) -> list[int]:
    """Return one configuration in `every`; with None, configurations that look equally different."""
    if every is not None:
        return list(range(0, len(track), every))
    gone = track.moved_m
    return evenly(gone, 2 + round(float(gone[-1]) / (STROBE * track.problem.figure.stature_m)))


def _draw_way(axes: Axes, track: Track) -> None:
    """Draw the way of the centre of mass in the colors of the modes, on white."""
    axes.plot(*track.centres.T, color="white", lw=2.6, zorder=22.0, alpha=0.85, solid_capstyle="round")
    for first, last, mode in mode_runs(track.path):
        part = track.centres[first : min(last + 2, len(track))]
        axes.plot(*part.T, color=faded(MODE_COLORS[mode], INK, 0.25), lw=1.3, zorder=23.0, solid_capstyle="round")


def mode_runs(path: ClimbPath) -> list[tuple[int, int, Mode]]:
    """Return first configuration, last configuration and mode of each stretch in one mode."""
    edges = [0, *(np.flatnonzero(np.diff(path.modes)) + 1).tolist(), len(path)]
    return [(first, end - 1, Mode(int(path.modes[first]))) for first, end in pairwise(edges) if end > first]


def strip_page(tracks: list[Track], title: str | None, *, every: tuple[int, int] | None = None) -> Pixels:
    """Draw strips below each other, or side by side where the environment is high."""
    extent = strip_extent(tracks)
    is_high = SIDE_BY_SIDE * (extent[3] - extent[1]) > extent[2] - extent[0]
    columns = len(tracks) if is_high else 1
    rows = len(tracks) // columns
    left, below, right, above = EDGES_PX
    room = (ROOM_PX[0] // columns - (columns - 1) * left, ROOM_PX[1])
    width, height = size_px(extent, scale_for(extent, room))
    cell = (left + width + right, above + height + below)
    top = TITLE_PX if title is not None else 0
    page = Page(max(columns * cell[0], 620), top + rows * cell[1] + (LEGEND_PX if title is not None else 0))
    if title is not None:
        page.write(left, TITLE_Y, title, level=0)
    names = ("as planned", "smoothed and in time") if len(tracks) > 1 else ("",)
    for number, track in enumerate(tracks):
        step = None if every is None else every[min(number, 1)]
        indices = strobe_indices(track, step)
        shown = f"{len(indices)} of {len(track)}" if step is None else f"every {_ordinal(step)} of {len(track)}"
        x, y = number % columns * cell[0] + left, top + number // columns * cell[1]
        page.write(x, y + 0.45 * above, f"{names[number]}: {shown} configurations".lstrip(": "))
        travel = f"joints turn by {track.path.joint_travel:.0f} rad in all"
        page.write(x + width, y + 0.45 * above, travel, level=2, color=PALE_INK, align="right")
        draw_strobe(page.axes(x, y + above, width, height), track, indices, extent)
    if title is not None:
        legend_for(page, tracks[0], left)
    return page.pixels()


def strip_extent(tracks: list[Track]) -> Extent:
    """Return the part of the environment around all figures."""
    whole = np.array(extent_of(tracks[0].problem.environment))
    points = np.concatenate([track.points.reshape(-1, 2) for track in tracks])
    low, high = points.min(axis=0) - AROUND_M, points.max(axis=0) + AROUND_M
    return (*np.maximum(whole[:2], low).tolist(), *np.minimum(whole[2:], high).tolist())


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"
