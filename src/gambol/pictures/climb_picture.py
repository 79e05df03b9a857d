"""A climb as one picture: the whole course, before and after smoothing, and what happens over time."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap

import numpy as np

from gambol.climb.climb import Climb
from gambol.climb.problem import ClimbProblem
from gambol.judges.climb_report import ClimbReport
from gambol.pictures.climb_environment import draw_ends, draw_environment, draw_reason, extent_of
from gambol.pictures.climb_numbers import WIDTH_PX, numbers_page
from gambol.pictures.climb_page import EDGES_PX, LEGEND_PX, TITLE_PX, TITLE_Y, draw_legend, scale_for, size_px
from gambol.pictures.climb_strip import ROOM_PX, course_page, strip_page
from gambol.pictures.climb_track import Track
from gambol.pictures.lettering import PALE_INK
from gambol.pictures.page import Page
from gambol.pictures.pixels import Pixels
from gambol.pictures.plan_map import OUTCOMES
from gambol.pictures.png import write_png
from gambol.search.plan import Outcome

MOST_BYTES = 900_000  # bytes of a picture; colors become fewer above that
LINE_PX = 19  # pixels: height of a line of the report
LETTERS = 150  # letters in a line of the report


def climb_picture(path: Path | str, climb: Climb, report: ClimbReport | None = None, *, title: str = "climb") -> None:
    """Write a PNG of a climb, or of the environment if no way was found.

    report: what the judge found, written below the picture.
    """
    planned = None if climb.planned is None else Track.of(climb.problem, climb.planned)
    motion = None if climb.motion is None else Track.of(climb.problem, climb.motion)
    shown = motion or planned
    if shown is None:
        parts = [_empty_page(climb.problem, title, _about(climb), climb.reason)]
    else:
        head = "As near as it came" if len(shown) > 1 else "No way found"
        reason = None if climb.outcome is Outcome.FOUND else (head, climb.reason)
        parts = [course_page(shown, title, _about(climb), reason)]
    if planned is not None and motion is not None:
        parts.append(strip_page([planned, motion], None))
    if motion is not None:
        parts.append(numbers_page(motion, None, forbidden=() if report is None else report.gravity.stretches))
    if report is not None:
        parts.append(_words_page(report.lines()))
    width = max(part.shape[1] for part in parts)
    write_png(np.concatenate([_widened(part, width) for part in parts]), path, most_bytes=MOST_BYTES, keeps_rare=True)


def _about(climb: Climb) -> str:
    """Sum up the climb in a line."""
    said = [OUTCOMES[climb.outcome], f"core {climb.core}"]
    if climb.motion is not None:
        said.append(f"{climb.motion.duration_s:.1f} s")
    if climb.plan_time_s > 0.0:  # 0: the picture shows no time
        said.append(f"planned in {climb.plan_time_s:.2f} s")
    return ", ".join(said)


def _empty_page(problem: ClimbProblem, title: str, about: str, reason: str) -> Pixels:
    """Draw an environment in which no way was found."""
    extent = extent_of(problem.environment)
    width, height = size_px(extent, scale_for(extent, ROOM_PX))
    left, below, right, _ = EDGES_PX
    page = Page(max(left + width + right, 620), TITLE_PX + height + below + LEGEND_PX)
    page.write(left, TITLE_Y, title, level=0)
    page.write(page.width - right, TITLE_Y, about, color=PALE_INK, align="right")
    axes = page.axes(left, TITLE_PX, width, height)
    draw_environment(axes, problem.environment)
    draw_ends(axes, problem)
    draw_reason(axes, "No way found", reason)
    draw_legend(page, left, page.height - 0.5 * LEGEND_PX, [], problem.environment)
    return page.pixels()


def _words_page(lines: list[str]) -> Pixels:
    wrapped = [part for line in lines for part in wrap(line, LETTERS, subsequent_indent="    ") or [""]]
    page = Page(WIDTH_PX, LINE_PX * len(wrapped) + 22)
    for number, line in enumerate(wrapped):
        page.write(EDGES_PX[0], 10.0 + LINE_PX * (number + 0.5), line, level=2)
    return page.pixels()


def _widened(pixels: Pixels, width: int) -> Pixels:
    room = width - pixels.shape[1]
    return np.pad(pixels, ((0, 0), (room // 2, room - room // 2), (0, 0)), constant_values=255)
