"""Climbs as strips: the whole course, before and after smoothing, a change of mode [KP00 figures 1, 10, 11, 13]."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import ClimbMotion, ClimbPath
from gambol.climb.figure import FREE
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.pictures.climb_environment import draw_ends, draw_environment, draw_reason, extent_of
from gambol.pictures.climb_figure import MODE_COLORS, draw_shapes, draw_sticks, posed
from gambol.pictures.climb_page import EDGES_PX, LEGEND_PX, TITLE_PX, Extent, Page, draw_legend, scale_for, size_px
from gambol.pictures.climb_track import Track
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.png import write_png

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Pixels = NDArray[np.uint8]

ROOM_PX = (1240, 640)  # of a panel, at most
SPACING = (0.42, 0.85)  # from figure to figure of a course, across and up, in statures
STROBE = 0.075  # from figure to figure of a strip: how far points move in the mean, in statures
NEAREST = 0.7  # of the spacing: figures nearer to one that is shown already are left out
SIDE_BY_SIDE = 1.5  # times as wide as high at most are environments whose strips stand side by side
AROUND_M = 0.55  # of those in a strip
MOST_BYTES = 300_000
WIDELY = 1.6  # frames of a transition show one part of the environment, unless it is so many times what one needs
FRAMES = 9
CHANGES = 3  # of hold before and after a change of mode that are shown
TITLE_Y = 22


def climb_course(
    path: Path | str, problem: ClimbProblem, planned: ClimbPath | ClimbMotion, *, title: str = "climb"
) -> None:
    """Write a PNG of a whole climb: figures evenly spaced, the way of the centre of mass, start and goal."""
    track = Track.of(problem, planned)
    write_png(course_page(track, title), path, most_bytes=MOST_BYTES, keeps_rare=True)


def climb_strip(
    path: Path | str, problem: ClimbProblem, planned: ClimbPath | ClimbMotion, motion: ClimbMotion | None = None, *,
    title: str = "climb", every: tuple[int, int] | None = None,
) -> None:  # fmt: skip
    """Write a PNG with every so-manyth configuration drawn over the others: of one path, or before and after smoothing.

    every: how many configurations apart, before and after; by default such as look equally different.
    """
    tracks = [Track.of(problem, planned)] + ([] if motion is None else [Track.of(problem, motion)])
    write_png(strip_page(tracks, title, every=every), path, most_bytes=MOST_BYTES, keeps_rare=True)


def climb_transition(
    path: Path | str, problem: ClimbProblem, planned: ClimbPath | ClimbMotion, *,
    frame: int | None = None, count: int = FRAMES, title: str = "climb",
) -> None:  # fmt: skip
    """Write a PNG with a row of enlarged frames around a change of mode.

    frame: in the middle; by default the first change from climbing to walking.
    """
    track = Track.of(problem, planned)
    middle = transition_of(track.path) if frame is None else frame
    if middle is None:
        raise InvalidInput("the climb keeps to one mode: there is no change to show")
    if not 0 <= middle < len(track) or count < 2:
        raise InvalidInput(f"a transition is around one of {len(track)} frames, in two pictures or more")
    write_png(transition_page(track, middle, count, title), path, most_bytes=MOST_BYTES, keeps_rare=True)


def course_page(track: Track, title: str, about: str | None = None, reason: tuple[str, str] | None = None) -> Pixels:
    """Draw a whole climb.

    about: what to say beside the title; by default how far it goes.
    reason: what is missing, and why.
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
    """Draw configurations as lines over the ones before; first and last with a body."""
    draw_environment(axes, track.problem.environment, extent=extent)
    draw_sticks(axes, track, indices)
    for index in (0, len(track) - 1):
        draw_shapes(axes, posed(track, index), line=0.5, order=11.0)
    draw_ends(axes, track.problem)


def spaced(track: Track) -> list[int]:
    """Return configurations evenly spaced along the way of the centre of mass, none near to a later one."""
    places = track.centres / (np.array(SPACING) * track.problem.figure.stature_m)
    gone = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(places, axis=0), axis=1))))
    chosen: list[int] = []
    for index in reversed(evenly(gone, max(1, round(float(gone[-1]))) + 1)):
        away = np.linalg.norm(places[chosen] - places[index], axis=1) if chosen else np.array([np.inf])
        if float(away.min()) >= NEAREST:
            chosen.append(index)
    return chosen[::-1]


def evenly(gone: FloatArray, count: int) -> list[int]:
    """Return indices at which what grows (N,) has grown by equal amounts, from the first to the last."""
    wanted = np.searchsorted(gone, np.linspace(0.0, float(gone[-1]), count) - 1e-9)
    return sorted({int(index) for index in wanted.clip(0, len(gone) - 1)})


def strobe_indices(track: Track, every: int | None) -> list[int]:
    """Return every so-manyth configuration; with None, configurations that look equally different."""
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
    """Return first and last configuration of each stretch in one mode, and which."""
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
    """Return the part of the environment in which somebody is, and some room around."""
    whole = np.array(extent_of(tracks[0].problem.environment))
    points = np.concatenate([track.points.reshape(-1, 2) for track in tracks])
    low, high = points.min(axis=0) - AROUND_M, points.max(axis=0) + AROUND_M
    return (*np.maximum(whole[:2], low).tolist(), *np.minimum(whole[2:], high).tolist())


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th") if number % 100 not in (11, 12, 13) else "th"
    return f"{number}{ending}"


def transition_of(path: ClimbPath) -> int | None:
    """Return where a path first changes from climbing to walking or crawling; if nowhere, where it changes its mode."""
    changes = np.flatnonzero(np.diff(path.modes)) + 1
    wanted = [at for at in changes.tolist() if path.modes[at - 1] == Mode.CLIMB]
    return (wanted or [int(at) for at in changes] or [None])[0]


def transition_page(track: Track, middle: int, count: int, title: str) -> Pixels:
    """Draw a row of frames around one, all of the same part of the environment."""
    frames = transition_frames(track, middle, count)
    extents = transition_extents(track, frames)
    gap, (left, _, right, above) = 8, EDGES_PX
    width, height = size_px(extents[0], scale_for(extents[0], ((1400 - left - right) // count - gap, 460), 260.0))
    page = Page(left + right + count * (width + gap) - gap, TITLE_PX + above + height + LEGEND_PX + 6)
    page.write(left, TITLE_Y, title, level=0)
    words = f"{Mode(int(track.path.modes[frames[0]])).label} to {Mode(int(track.path.modes[frames[-1]])).label}"
    page.write(page.width - right, TITLE_Y, words, color=PALE_INK, align="right")
    for number, (frame, extent) in enumerate(zip(frames, extents, strict=True)):
        x = left + number * (width + gap)
        axes = page.axes(x, TITLE_PX + above, width, height)
        held = [int(hold) for hold in track.path.grasps[frame] if hold != FREE]
        draw_environment(axes, track.problem.environment, extent=extent, held=held, ticks=False)
        draw_shapes(axes, posed(track, frame), line=0.8)
        mode = Mode(int(track.path.modes[frame]))
        page.write(x, TITLE_PX + 0.5 * above, f"{frame / track.rate_hz:.2f} s", level=1)
        page.write(x + width, TITLE_PX + 0.5 * above, mode.label, color=MODE_COLORS[mode], align="right")
    modes = sorted({Mode(int(mode)) for mode in track.path.modes[frames]})
    draw_legend(page, left, page.height - 0.5 * LEGEND_PX, modes, track.problem.environment, ends=False, held=True)
    return page.pixels()


def transition_frames(track: Track, middle: int, count: int) -> list[int]:
    """Return frames from some changes of hold before a change of mode to some after, equally different.

    Who crawls onto a wall's top is shown until it walks.
    """
    path, changes = track.path, track.path.grasp_changes
    arrived = middle
    if path.modes[middle] == Mode.CRAWL:
        other = np.flatnonzero(path.modes[middle:] != Mode.CRAWL)
        arrived = middle + int(other[0]) if len(other) and path.modes[middle + other[0]] == Mode.WALK else middle
    before, after = int(np.searchsorted(changes, middle)), int(np.searchsorted(changes, arrived))
    first = int(changes[before - CHANGES]) if before >= CHANGES else 0
    last = int(changes[after + CHANGES]) if after + CHANGES < len(changes) else len(track) - 1
    moved = track.moved_m[first : last + 1] - track.moved_m[first]
    return [first + index for index in evenly(moved, count)]


def transition_extents(track: Track, frames: list[int]) -> list[Extent]:
    """Return what each frame shows, all of one size: the same for all if they are near together."""
    room = 0.16 * track.problem.figure.scale
    low, high = track.points[frames].min(axis=1) - room, track.points[frames].max(axis=1) + room
    each, whole = (high - low).max(axis=0), high.max(axis=0) - low.min(axis=0)
    size = np.where(whole > WIDELY * each, each, whole)
    middles = np.where(whole > WIDELY * each, 0.5 * (low + high), 0.5 * (low.min(axis=0) + high.max(axis=0)))
    return [(x - 0.5 * size[0], z - 0.5 * size[1], x + 0.5 * size[0], z + 0.5 * size[1]) for x, z in middles.tolist()]
