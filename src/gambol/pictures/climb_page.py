"""Pages with pictures of climbs: panels of one scale in metres, a title above and a legend below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.climb.modes import Mode
from gambol.pictures.climb_environment import HELD, MARKS
from gambol.pictures.climb_figure import MODE_COLORS, Shades
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_paths import GOAL, START
from gambol.world.environment import GRASP_KINDS, Environment

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

Pixels = NDArray[np.uint8]
Extent = tuple[float, float, float, float]  # least x and z, greatest x and z

DPI = 120
EDGES_PX = (42, 26, 14, 26)  # left of a panel, below, right, above
TITLE_PX, LEGEND_PX = 40, 30
GOAL_PX = 190  # of what is said of the goal, where there is room
LETTERS_PT = (13.0, 8.5, 7.5)  # of titles, of what panels are called, of legends


class Page:
    """A white page that grows to the size asked for; places are in pixels from its upper left corner."""

    def __init__(self, width_px: int, height_px: int) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure as Canvas

        self.width, self.height = width_px, height_px
        self.canvas: Canvas = Canvas(figsize=(width_px / DPI, height_px / DPI), dpi=DPI, facecolor="white")
        self._agg = FigureCanvasAgg(self.canvas)

    def axes(self, left: float, top: float, width: float, height: float, *, share: Axes | None = None) -> Axes:
        place = (left / self.width, 1.0 - (top + height) / self.height, width / self.width, height / self.height)
        return self.canvas.add_axes(place, sharex=share)

    def write(
        self, x: float, y: float, words: str, *, level: int = 1, color: object = INK, align: str = "left"
    ) -> float:
        """Write a line whose middle is at a height; return how wide it is."""
        text = self.canvas.text(
            x / self.width, 1.0 - y / self.height, words, fontsize=LETTERS_PT[level], color=color, ha=align,
            va="center", parse_math=False,
        )  # fmt: skip
        return float(text.get_window_extent(renderer=self._agg.get_renderer()).width)

    def pixels(self) -> Pixels:
        self._agg.draw()
        return np.asarray(self._agg.buffer_rgba())[..., :3].copy()


def scale_for(extent: Extent, room_px: tuple[int, int], most: float = 150.0) -> float:
    """Return pixels a metre, so that an extent fits into a room."""
    low_x, low_z, high_x, high_z = extent
    return min(room_px[0] / (high_x - low_x), room_px[1] / (high_z - low_z), most)


def size_px(extent: Extent, scale: float) -> tuple[int, int]:
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
    """Write what colors and marks mean, in a row; return where it ends."""
    axes = page.axes(0.0, y - 0.5 * LEGEND_PX, page.width, LEGEND_PX)
    axes.set_axis_off()
    axes.set_xlim(0.0, page.width)
    axes.set_ylim(LEGEND_PX, 0.0)
    x, middle = left, 0.5 * LEGEND_PX

    def say(words: str) -> None:
        nonlocal x
        text = axes.text(x, middle, words, fontsize=LETTERS_PT[2], color=PALE_INK, va="center", parse_math=False)
        x += text.get_window_extent(renderer=page._agg.get_renderer()).width + 18.0  # pyright: ignore[reportPrivateUsage]

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
