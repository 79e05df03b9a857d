"""Pictures of motions, plans and worlds in a notebook."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.animate.playing import realize
from gambol.motion.contacts import detect_contacts
from gambol.motion.motion import Motion
from gambol.pictures.figure import skin_of
from gambol.pictures.motion_strip import draw_strip, labelled_strip
from gambol.pictures.plan_map import draw_world, map_extent
from gambol.pictures.png import encode_png
from gambol.search.plan import Plan
from gambol.world.world import World

WIDTH_PX = 1000  # pixels: the width of a strip, and the longer side of a map
DPI = 120  # pixels an inch: larger makes words of a map larger
LEFT_PX, BELOW_PX, REST_PX = 62, 56, 14  # pixels: room for words left of a map and below; on its other sides


def picture(value: object) -> bytes | None:
    """Return a PNG of a motion, of a plan with steps or of a world; None for anything else."""
    match value:
        case Motion():
            return encode_png(_strip(value))
        case Plan() if value.steps:
            return encode_png(_strip(realize(value)))
        case World():
            return encode_png(_map(value))
    return None


def _strip(motion: Motion) -> NDArray[np.uint8]:
    contacts = detect_contacts(motion)
    return labelled_strip(draw_strip(motion, contacts, skin_of(motion), width_px=WIDTH_PX), motion, contacts)


def _map(world: World) -> NDArray[np.uint8]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    x0, y0, x1, y1 = map_extent(world)
    scale = (WIDTH_PX - LEFT_PX - REST_PX) / max(x1 - x0, y1 - y0)
    across, up = scale * (x1 - x0), scale * (y1 - y0)
    width, height = across + LEFT_PX + REST_PX, up + BELOW_PX + REST_PX
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    draw_world(figure.add_axes((LEFT_PX / width, BELOW_PX / height, across / width, up / height)), world)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()
