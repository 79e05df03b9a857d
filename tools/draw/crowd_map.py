"""A crowd from above as one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gambol.crowd.recording import Recording
from gambol.pictures.crowd_map import DPI, EDGES_PX, MOST_BYTES, draw_crowd_map, map_size
from gambol.pictures.png import write_png
from gambol.world.world import World


def crowd_map(path: Path | str, recording: Recording, world: World, **options: Any) -> None:
    """Write a PNG of a crowd from above; `draw_crowd_map` lists the options."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width, height = map_size(world)
    left, below, right, above = EDGES_PX
    page = (width + left + right, height + below + above)
    figure = Figure(figsize=(page[0] / DPI, page[1] / DPI), dpi=DPI, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((left / page[0], below / page[1], width / page[0], height / page[1]))
    draw_crowd_map(axes, recording, world, **options)
    canvas.draw()
    write_png(np.asarray(canvas.buffer_rgba())[..., :3].copy(), path, most_bytes=MOST_BYTES, keeps_rare=True)
