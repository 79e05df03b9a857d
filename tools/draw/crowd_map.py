"""A crowd from above as one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gambol.crowd.recording import Recording
from gambol.pictures.crowd_map import EDGES_PX, MOST_BYTES, draw_crowd_map, map_size
from gambol.pictures.page import Page
from gambol.pictures.png import write_png
from gambol.world.world import World


def crowd_map(path: Path | str, recording: Recording, world: World, **options: Any) -> None:
    """Write a PNG of a crowd from above; `draw_crowd_map` lists the options."""
    width, height = map_size(world)
    left, below, right, above = EDGES_PX
    page = Page(width + left + right, height + below + above)
    draw_crowd_map(page.axes(left, above, width, height), recording, world, **options)
    write_png(page.pixels(), path, most_bytes=MOST_BYTES, keeps_rare=True)
