"""Maps of the one-way lanes, gates and junctions of a floor."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambol.crowd.floor import Floor
from gambol.crowd.lanes import Lanes

EVERY_M = 0.5  # an arrow in each square of so many metres
INCHES_A_METRE = 0.3
MOST_INCHES = 24.0


def draw_lanes(floor: Floor, lanes: Lanes, path: Path) -> None:
    """Write a picture of a floor seen from above: an arrow for each lane, the throats of gates, middles of passages."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows, columns = floor.room.shape
    wide_m, high_m = columns * floor.cell_m, rows * floor.cell_m
    scale = min(INCHES_A_METRE, MOST_INCHES / max(wide_m, high_m))
    figure = Figure(figsize=(wide_m * scale, high_m * scale))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    extent = (floor.x0, floor.x0 + wide_m, floor.y0, floor.y0 + high_m)
    axes.imshow(floor.room <= 0.0, origin="lower", extent=extent, cmap="Greys", vmin=0.0, vmax=1.6)
    throats = np.ma.masked_less(floor.gate, 0)
    axes.imshow(throats >= 0, origin="lower", extent=extent, cmap="Wistia", vmin=0.0, vmax=1.0)
    step = max(1, round(EVERY_M / floor.cell_m))
    row, column = np.nonzero(floor.way[::step, ::step] >= 0)
    row, column = row * step, column * step
    angle = floor.way[row, column] * (np.pi / 8.0)
    x, y = floor.x0 + (column + 0.5) * floor.cell_m, floor.y0 + (row + 0.5) * floor.cell_m
    reach = 0.8 * step * floor.cell_m
    axes.quiver(
        x,
        y,
        reach * np.cos(angle),
        reach * np.sin(angle),
        angle,
        cmap="hsv",
        clim=(0.0, 2.0 * np.pi),
        angles="xy",
        scale_units="xy",
        scale=1.0,
        width=0.06 * scale,
        units="inches",
    )
    for passage in lanes.passages:
        axes.plot(passage.axis[:, 0], passage.axis[:, 1], color="black", linewidth=0.6)
        axes.plot(*passage.middle, "o" if passage.two_way else "s", color="black", markersize=3.0)
    for junction in lanes.junctions:
        for radius in (junction.radius_m, junction.island_m):
            turn = np.linspace(0.0, 2.0 * np.pi, 60)
            x, y = junction.center[0] + radius * np.cos(turn), junction.center[1] + radius * np.sin(turn)
            axes.plot(x, y, color="black", linewidth=0.6, linestyle=":")
    figure.savefig(path, dpi=100)
