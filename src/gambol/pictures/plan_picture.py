"""Plans as one picture: a map from above, and the motions from the side below it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gambol.motion.motion import Motion
from gambol.pictures.lettering import PALE_INK, Text, draw_texts, text_width
from gambol.pictures.map_paths import NAMED
from gambol.pictures.page import Page
from gambol.pictures.pixels import Pixels
from gambol.pictures.plan_map import draw_map, map_extent
from gambol.pictures.plan_numbers import draw_numbers
from gambol.pictures.png import write_png
from gambol.pictures.shown import Shown, show_all
from gambol.pictures.side_strip import draw_side_strips
from gambol.pictures.stage import PictureStage, skins_for
from gambol.search.plan import Plan
from gambol.search.problem import Problem
from gambol.world.world import World

MAP_PX = (1030, 860)  # pixels: greatest width and height of the map
LEAST_MAP_PX = 520  # pixels: least width kept for the map
COLUMN_PX = 290  # pixels: width of the column of numbers
EDGES_PX = (62, 50, 26, 14)  # pixels left of the map, below it, on both sides of the numbers, above
TITLE_PX = 24  # pixels: size of the title's letters
MOST_BYTES = 400_000  # bytes of a picture; colors become fewer above that
SNAPSHOT_ASPECT = 2.3  # width / height of the picture in three dimensions


def plan_picture(
    path: Path | str,
    world: World,
    plans: Sequence[Plan],
    motions: Sequence[Motion | None],
    *,
    problems: Sequence[Problem] | None = None,
    names: Sequence[str] | None = None,
    trace: bool = True,
    title: str | None = None,
) -> None:
    """Write a PNG with a map of world, search and ways, the numbers, and the motions from the side.

    motions: the motion made from each plan; None for a plan without steps.
    problems: give goals and way-points to be shown.
    trace: whether to show search trees of plans that have them.
    """
    cast = show_all(plans, motions, problems, names)
    top = _map_page(world, cast, trace=trace)
    width = top.shape[1]
    parts = [_title(title or _default_title(cast), cast, width), top]
    acting = [one for one in cast if one.motion is not None]
    if 0 < len(acting) <= NAMED:
        parts.append(draw_side_strips(world, acting, width_px=width))
    elif acting:
        parts.append(_snapshot(world, acting, width))
    write_png(np.concatenate(parts), path, most_bytes=MOST_BYTES, keeps_rare=True)


def _default_title(cast: Sequence[Shown]) -> str:
    kinds = sorted({one.plan.character.name for one in cast})
    return f"plan of {cast[0].name}" if len(cast) == 1 else f"plans of {len(cast)} characters ({', '.join(kinds)})"


def _title(words: str, cast: Sequence[Shown], width: int) -> Pixels:
    """Return a title, with the outcome at its right end."""
    head = np.full((round(2.1 * TITLE_PX), width, 3), 255, dtype=np.uint8)
    name = Text(words, 14, 1.4 * TITLE_PX, TITLE_PX)
    found = sum(one.plan.found for one in cast)
    lone = "found" if found else "partial plan" if cast[0].plan.steps else "no plan"
    said = lone if len(cast) == 1 else f"{found} of {len(cast)} found"
    about = Text(said, width - 14, 1.4 * TITLE_PX, round(0.7 * TITLE_PX), PALE_INK, "rs")
    fits = text_width(name) + text_width(about) + 2 * TITLE_PX < width
    return draw_texts(head, [name, about] if fits else [name])


def _map_page(world: World, cast: Sequence[Shown], *, trace: bool) -> Pixels:
    """Return map and numbers side by side."""
    x0, y0, x1, y1 = map_extent(world)
    scale = min(MAP_PX[0] / (x1 - x0), MAP_PX[1] / (y1 - y0))
    map_width, map_height = round(scale * (x1 - x0)), round(scale * (y1 - y0))
    left, below, between, above = EDGES_PX
    room = max(map_width, LEAST_MAP_PX)
    width = left + room + between + COLUMN_PX + between
    # Numbers are drawn first: the page must be at least as high as they are.
    needed = _numbers_height(world, cast, trace=trace)
    height = max(map_height + below, needed) + above
    page = Page(width, height)
    numbers = page.axes(left + room + between, above, COLUMN_PX, needed)
    draw_numbers(numbers, world, cast, (COLUMN_PX, needed), trace=trace)
    axes = page.axes(left + (room - map_width) // 2, above, map_width, map_height)
    draw_map(axes, world, cast, trace=trace)
    return page.pixels()


def _numbers_height(world: World, cast: Sequence[Shown], *, trace: bool) -> int:
    from matplotlib.figure import Figure

    axes = Figure(figsize=(1.0, 1.0)).add_axes((0.0, 0.0, 1.0, 1.0))
    return round(draw_numbers(axes, world, cast, (COLUMN_PX, 1000), trace=trace)) + 8


def _snapshot(world: World, cast: Sequence[Shown], width: int) -> Pixels:
    """Return a picture of all characters in three dimensions, at half of the time."""
    stage = PictureStage.of(world)
    size = (width, round(width / SNAPSHOT_ASPECT))
    half_s = 0.5 * max(one.ends_s for one in cast)
    ways = np.concatenate([one.path[:, :2] for one in cast])
    camera = stage.overview(SNAPSHOT_ASPECT, ways)
    picture = stage.picture(cast, skins_for(cast), half_s, camera, size)
    return draw_texts(picture, [Text(f"{half_s:.1f} s", width - 14, size[1] - 14, 16, PALE_INK, "rs")])
