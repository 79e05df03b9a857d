"""A crowd as one picture: the map at a time, and beside it how everybody fared."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambol.crowd.recording import Recording
from gambol.pictures.crowd_map import DPI, EDGES_PX, MOST_BYTES, draw_crowd_map, map_size
from gambol.pictures.crowd_plots import crowd_panels, draw_panel
from gambol.pictures.png import write_png
from gambol.stages.crowd_report import RunReport
from gambol.world.world import World

COLUMN_PX = 350
LEAST_PANEL_PX = 150
MOST_PANEL_PX = 210
TITLE_PX, LABEL_PX, AXIS_PX = 24, 30, 62  # above a plot, below it and left of it


def crowd_picture(
    path: Path | str,
    recording: Recording,
    world: World,
    *,
    report: RunReport | None = None,
    time_s: float | None = None,
    color_by: str = "speed",
    title: str = "crowd",
) -> None:
    """Write a PNG with the map of a crowd and plots of how it fared.

    report: of the run; it also says whether there were lanes.
    time_s, color_by: see `draw_crowd_map`.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    panels = crowd_panels(recording, report=report, world=world)
    width, height = map_size(world)
    left, below, right, above = EDGES_PX
    panel_px = min(MOST_PANEL_PX, max(LEAST_PANEL_PX, (height + below) // len(panels)))
    page = (left + width + right + COLUMN_PX, above + max(height + below, panel_px * len(panels)))
    figure = Figure(figsize=(page[0] / DPI, page[1] / DPI), dpi=DPI, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    place = (left / page[0], 1.0 - (above + height) / page[1], width / page[0], height / page[1])
    draw_crowd_map(
        figure.add_axes(place), recording, world, time_s=time_s, color_by=color_by, title=title,
        lanes=report is None or report.run.lanes, report=report,
    )  # fmt: skip
    for number, panel in enumerate(panels):
        x = left + width + right + AXIS_PX
        bottom = page[1] - above - panel_px * (number + 1) + LABEL_PX
        size = (COLUMN_PX - AXIS_PX - right, panel_px - TITLE_PX - LABEL_PX)
        place = (x / page[0], bottom / page[1], size[0] / page[0], size[1] / page[1])
        draw_panel(figure.add_axes(place), panel)
    canvas.draw()
    write_png(np.asarray(canvas.buffer_rgba())[..., :3].copy(), path, most_bytes=MOST_BYTES, keeps_rare=True)
