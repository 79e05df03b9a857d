"""Pages with pictures of climbs: panels of one scale in metres, a title above and a legend below."""

from __future__ import annotations

from collections.abc import Sequence

from gambol.climb.modes import Mode
from gambol.pictures.climb_environment import HELD, MARKS
from gambol.pictures.climb_figure import MODE_COLORS, Shades
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_paths import GOAL, START
from gambol.pictures.page import LETTERS_PT, Page
from gambol.world.environment import GRASP_KINDS, Environment

Extent = tuple[float, float, float, float]  # least x and z, greatest x and z

EDGES_PX = (42, 26, 14, 26)  # pixels left of a panel, below, right, above
TITLE_PX = 40  # pixels: height of the title
TITLE_Y = 22  # pixels: height of a title's middle below the page's upper edge
LEGEND_PX = 30  # pixels: height of the legend
GOAL_PX = 190  # pixels: room that the legend's long words for the goal need


def scale_for(extent: Extent, room_px: tuple[int, int], most: float = 150.0) -> float:
    """Return the scale in pixels a metre at which an extent fits into a room, at most `most`."""
    low_x, low_z, high_x, high_z = extent
    return min(room_px[0] / (high_x - low_x), room_px[1] / (high_z - low_z), most)


def size_px(extent: Extent, scale: float) -> tuple[int, int]:
    """Return width and height of an extent at a scale."""
    low_x, low_z, high_x, high_z = extent
    return round(scale * (high_x - low_x)), round(scale * (high_z - low_z))


def draw_legend(
    page: Page,
    left: float,
    y: float,
    modes: Sequence[Mode],
    environment: Environment,
    *,
    ends: bool = True,
    held: bool = False,
) -> float:
    """Write the meaning of colors and marks in a row; return the x where it ends."""
    axes = page.axes(0.0, y - 0.5 * LEGEND_PX, page.width, LEGEND_PX)
    axes.set_axis_off()
    axes.set_xlim(0.0, page.width)
    axes.set_ylim(LEGEND_PX, 0.0)
    x, middle = left, 0.5 * LEGEND_PX

    def say(words: str) -> None:
        nonlocal x
        text = axes.text(x, middle, words, fontsize=LETTERS_PT[2], color=PALE_INK, va="center", parse_math=False)
        x += page.width_of(text) + 18.0

    for mode in modes:
        shades = Shades.of(MODE_COLORS[mode])
        axes.plot([x + 5.0], [middle], "s", ms=6.5, mfc=shades.trunk, mec=shades.edge, mew=0.6)
        x += 15.0
        say(mode.label)
    for kind in GRASP_KINDS:
        if not any(point.kind == kind for point in environment.grasp_points):
            continue
        mark = MARKS[kind]
        axes.plot([x + 4.0], [middle], mark.marker, ms=4.6 * mark.size, mfc=mark.fill, mec=mark.edge, mew=0.7)
        x += 13.0
        say(kind)
    if held:
        axes.plot([x + 4.0], [middle], "o", ms=6.0, mfc=HELD, mec=INK, mew=0.5)
        x += 14.0
        say("held")
    if ends:
        axes.plot([x + 4.0], [middle], ">", ms=6.0, mfc=START, mec="white", mew=0.6)
        x += 13.0
        say("start")
        axes.plot([x + 5.0], [middle], "o", ms=7.5, mfc="none", mec=GOAL, mew=1.0)
        axes.plot([x + 5.0], [middle], "+", ms=4.5, mec=GOAL, mew=1.0)
        x += 15.0
        say("goal of the centre of mass" if x + GOAL_PX < page.width else "goal")
    return x
