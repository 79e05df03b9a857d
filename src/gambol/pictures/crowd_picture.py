"""A crowd as one picture: the map at a time, and plots over the whole time beside it."""

from __future__ import annotations

from pathlib import Path

from gambol.crowd.recording import Recording
from gambol.pictures.crowd_map import EDGES_PX, MOST_BYTES, draw_crowd_map, map_size
from gambol.pictures.crowd_plots import crowd_panels, draw_panel
from gambol.pictures.page import Page
from gambol.pictures.png import write_png
from gambol.stages.crowd_report import RunReport
from gambol.world.world import World

COLUMN_PX = 350  # pixels: width of the column of plots
LEAST_PANEL_PX = 150  # pixels: least height of a plot
MOST_PANEL_PX = 210  # pixels: greatest height of a plot
TITLE_PX = 24  # pixels above a plot
LABEL_PX = 30  # pixels below a plot
AXIS_PX = 62  # pixels left of a plot


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
    """Write a PNG with the map of a crowd and plots of speeds, waits, arrivals and flow.

    report: of the run; it also says whether there were lanes.
    time_s, color_by: see `draw_crowd_map`.
    """
    panels = crowd_panels(recording, report=report, world=world)
    width, height = map_size(world)
    left, below, right, above = EDGES_PX
    panel_px = min(MOST_PANEL_PX, max(LEAST_PANEL_PX, (height + below) // len(panels)))
    page = Page(left + width + right + COLUMN_PX, above + max(height + below, panel_px * len(panels)))
    draw_crowd_map(
        page.axes(left, above, width, height), recording, world, time_s=time_s, color_by=color_by, title=title,
        lanes=report is None or report.run.lanes, report=report,
    )  # fmt: skip
    for number, panel in enumerate(panels):
        x = left + width + right + AXIS_PX
        top = above + panel_px * number + TITLE_PX
        draw_panel(page.axes(x, top, COLUMN_PX - AXIS_PX - right, panel_px - TITLE_PX - LABEL_PX), panel)
    write_png(page.pixels(), path, most_bytes=MOST_BYTES, keeps_rare=True)
