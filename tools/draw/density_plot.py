"""Plots of many runs of a crowd against density: mean speed, arrivals, longest wait."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gambol.errors import InvalidInput
from gambol.pictures.crowd_plots import Draw, Panel, draw_panel
from gambol.pictures.figure import LEFT, RIGHT
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.page import Page
from gambol.pictures.png import write_png
from gambol.pictures.quality_plots import SLATE, SMALL_PT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL_PX = (420, 250)  # pixels: width and height of a plot
DENSITY = "density"
#: What is drawn against density: keys of the results, and what to say.
MEASURES = (
    ("mean_speed_m_s", "mean speed, m/s"),
    ("arrivals_per_minute", "arrivals a minute"),
    ("longest_wait_s", "longest wait, s"),
)
SERIES_COLORS = (SLATE, LEFT, RIGHT, (0.0, 0.62, 0.451), (0.8, 0.475, 0.655), (0.70, 0.55, 0.0))


def density_plot(path: Path | str, results: Sequence[Mapping[str, Any]] | Path | str) -> None:
    """Write a PNG of mean speed, arrivals a minute and longest wait against density, from many runs.

    results: rows with "density" (characters a square metre), "mean_speed_m_s", "arrivals_per_minute" and
    "longest_wait_s"; rows with different "series" are lines of their own; or a JSON file of such rows.
    """
    rows = json.loads(Path(results).read_text()) if isinstance(results, Path | str) else results
    rows = _checked(rows)
    series = list(dict.fromkeys(str(row.get("series", "")) for row in rows))
    panels = [Panel(title, _against_density(rows, series, key)) for key, title in MEASURES]
    _write_panels(path, panels)


def _checked(rows: object) -> list[Mapping[str, Any]]:
    needed = (DENSITY, *(key for key, _ in MEASURES))
    if not isinstance(rows, Sequence) or not rows:
        raise InvalidInput("results: a list of at least one run expected")
    for number, row in enumerate(rows):
        for key in needed:
            value = row.get(key) if isinstance(row, Mapping) else None
            if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
                raise InvalidInput(f"results: run {number} needs a number for {key!r}, not {value!r}")
    return list(rows)


def _against_density(rows: Sequence[Mapping[str, Any]], series: Sequence[str], key: str) -> Draw:
    def draw(axes: Axes) -> None:
        for number, name in enumerate(series):
            own = [row for row in rows if str(row.get("series", "")) == name]
            own.sort(key=lambda row: row[DENSITY])
            x, y = ([row[column] for row in own] for column in (DENSITY, key))
            color = SERIES_COLORS[number % len(SERIES_COLORS)]
            axes.plot(x, y, "o-", color=color, linewidth=1.4, markersize=3.5, label=name)
        axes.set_xlim(left=0.0)
        axes.set_ylim(bottom=0.0)
        axes.set_xlabel("characters a m²", fontsize=SMALL_PT, color=PALE_INK)
        if len(series) > 1 and key == MEASURES[0][0]:
            axes.legend(fontsize=SMALL_PT, frameon=False, labelcolor=INK)

    return draw


def _write_panels(path: Path | str, panels: Sequence[Panel]) -> None:
    page = Page(PANEL_PX[0] * len(panels), PANEL_PX[1])
    page.canvas.set_layout_engine("constrained", w_pad=0.12, h_pad=0.08)
    for number, panel in enumerate(panels):
        draw_panel(page.canvas.add_subplot(1, len(panels), number + 1), panel)
    write_png(page.pixels(), path)
