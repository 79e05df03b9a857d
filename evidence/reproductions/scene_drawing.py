"""Pictures of played scenes: instants in the round, maps side by side, pages one below the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.pictures import (
    INK,
    PALE_INK,
    PictureStage,
    Shown,
    Text,
    draw_map,
    draw_texts,
    map_extent,
    show_all,
    skins_for,
)
from gambol.stages import PlanPerformance
from gambol.world import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Pixels = NDArray[np.uint8]

WIDTH_PX = 1560
ASPECT = 1.9  # of an instant in the round
GAP_PX = 8
TEXT_PX = 17
DPI = 120
EDGE_IN, HEAD_IN = 0.42, 0.3  # beside and above a map: for metres, and for its title


class MapPanel(NamedTuple):
    """A world seen from above, and who is in it."""

    title: str
    world: World
    cast: Sequence[Shown]
    trace: bool = False
    draw_more: Callable[[Axes], None] | None = None


def shown_of(performance: PlanPerformance) -> tuple[Shown, ...]:
    """Return the cast of a performance for pictures, each in a color of its own."""
    return show_all(performance.plans, performance.realized, performance.problems, performance.names)


def draw_instants(
    performance: PlanPerformance,
    instants: Sequence[tuple[float, str]],
    *,
    across: int = 3,
    aspect: float = ASPECT,
    near: NDArray[np.float64] | None = None,
    follow: tuple[int, float] | None = None,
) -> Pixels:
    """Return a scene in the round at some times, words under each.

    near: places (N, 2) that the camera looks at; by default the whole world.
    follow: the number of one of the cast whom it follows, and how many metres around are seen.
    """
    cast = [one for one in shown_of(performance) if one.motion is not None]
    stage, skins = PictureStage.of(performance.scene.world), skins_for(cast)
    width = (WIDTH_PX - GAP_PX * (across - 1)) // across
    size = (width, round(width / aspect))
    pictures = []
    for time_s, words in instants:
        places = near if follow is None else _around(cast[follow[0]], time_s, follow[1])
        camera = stage.overview(aspect, places)
        picture = stage.picture(cast, skins, time_s, camera, size)
        below = np.full((round(1.9 * TEXT_PX), width, 3), 255, dtype=np.uint8)
        texts = [
            Text(words, 4, 1.3 * TEXT_PX, TEXT_PX, INK),
            Text(f"{time_s:.1f} s", width - 4, 1.3 * TEXT_PX, TEXT_PX, PALE_INK, "rs"),
        ]
        pictures.append(np.concatenate((picture, draw_texts(below, texts))))
    return tiled(pictures, across=across)


def _around(shown: Shown, time_s: float, around_m: float) -> NDArray[np.float64]:
    """Return the corners of the square around where somebody is at a time."""
    place = [float(np.interp(time_s, shown.times_s, shown.path[:, axis])) for axis in range(2)]
    return np.array([[place[0] + x, place[1] + y] for x in (-around_m, around_m) for y in (-around_m, around_m)])


def draw_maps(panels: Sequence[MapPanel], *, across: int) -> Pixels:
    """Return maps side by side, of worlds that have one shape."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    x0, y0, x1, y1 = map_extent(panels[0].world)
    width_in = WIDTH_PX / DPI / across
    map_in = width_in - 2 * EDGE_IN
    tall_in = map_in * (y1 - y0) / (x1 - x0)
    panel_in = tall_in + HEAD_IN + 1.2 * EDGE_IN
    down = -(-len(panels) // across)
    figure = Figure(figsize=(WIDTH_PX / DPI, panel_in * down), dpi=DPI, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    for number, panel in enumerate(panels):
        left = (number % across) * width_in + 1.2 * EDGE_IN
        bottom = panel_in * (down - 1 - number // across) + 1.1 * EDGE_IN
        axes = figure.add_axes(
            (left / (WIDTH_PX / DPI), bottom / (panel_in * down), map_in / (WIDTH_PX / DPI), tall_in / panel_in / down)
        )
        draw_map(axes, panel.world, panel.cast, trace=panel.trace)
        if panel.draw_more is not None:
            panel.draw_more(axes)
        axes.set_title(panel.title, fontsize=9, color=INK, loc="left")
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def tiled(pictures: Sequence[Pixels], *, across: int) -> Pixels:
    """Return pictures of one size in rows, left to right."""
    height, width = pictures[0].shape[:2]
    down = -(-len(pictures) // across)
    page = np.full((down * height + GAP_PX * (down - 1), across * width + GAP_PX * (across - 1), 3), 255, np.uint8)
    for number, picture in enumerate(pictures):
        top, left = (number // across) * (height + GAP_PX), (number % across) * (width + GAP_PX)
        page[top : top + height, left : left + width] = picture
    return page


def stacked(pictures: Sequence[Pixels]) -> Pixels:
    """Return pictures one below the other, on white as wide as the widest."""
    widest = max(picture.shape[1] for picture in pictures)
    rows = []
    for picture in pictures:
        wide = np.full((picture.shape[0] + GAP_PX, widest, 3), 255, dtype=np.uint8)
        wide[: picture.shape[0], : picture.shape[1]] = picture
        rows.append(wide)
    return np.concatenate(rows)


def pixels_of(write: Callable[[Path], None]) -> Pixels:
    """Return the picture that a function writes as a file."""
    from PIL import Image

    with TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        write(path)
        with Image.open(path) as image:
            return np.array(image.convert("RGB"))
