"""A change of mode in a climb as a row of enlarged frames [KP00 figure 13]."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import ClimbPath
from gambol.climb.figure import FREE
from gambol.climb.modes import Mode
from gambol.pictures.climb_environment import draw_environment
from gambol.pictures.climb_figure import MODE_COLORS, draw_shapes, posed
from gambol.pictures.climb_page import EDGES_PX, LEGEND_PX, TITLE_PX, Extent, draw_legend, scale_for, size_px
from gambol.pictures.climb_strip import TITLE_Y, evenly
from gambol.pictures.climb_track import Track
from gambol.pictures.lettering import PALE_INK
from gambol.pictures.page import Page

WIDELY = 1.6  # >= 1: frames that together need more than this many times the room of one show their own part
CHANGES = 3  # changes of hold shown before and after the change of mode


def transition_of(path: ClimbPath) -> int | None:
    """Return where a path first changes from climbing to walking or crawling; if nowhere, where it changes its mode."""
    changes = np.flatnonzero(np.diff(path.modes)) + 1
    wanted = [at for at in changes.tolist() if path.modes[at - 1] == Mode.CLIMB]
    return (wanted or [int(at) for at in changes] or [None])[0]


def transition_page(track: Track, middle: int, count: int, title: str) -> NDArray[np.uint8]:
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

    A climber that crawls onto a wall's top is shown until it walks.
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
