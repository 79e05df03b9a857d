"""White pages for plots and words, drawn by matplotlib."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from gambol.pictures.lettering import INK
from gambol.pictures.pixels import Pixels

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DPI = 120  # dots an inch
LETTERS_PT = (13.0, 8.5, 7.5)  # points: letters by level: of titles, of names of panels, of legends


class Page:
    """A white page for plots and lines of text; places are in pixels from its upper left corner."""

    def __init__(self, width_px: float, height_px: float) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.width, self.height = width_px, height_px
        self.canvas: Figure = Figure(figsize=(width_px / DPI, height_px / DPI), dpi=DPI, facecolor="white")
        self._agg = FigureCanvasAgg(self.canvas)

    def axes(self, left: float, top: float, width: float, height: float, *, share: Axes | None = None) -> Axes:
        """Return new axes at a place."""
        place = (left / self.width, 1.0 - (top + height) / self.height, width / self.width, height / self.height)
        return self.canvas.add_axes(place, sharex=share)

    def write(
        self, x: float, y: float, words: str, *, level: int = 1, color: object = INK, align: str = "left"
    ) -> float:
        """Write a line with its middle at height y; return its width in pixels."""
        text = self.canvas.text(
            x / self.width, 1.0 - y / self.height, words, fontsize=LETTERS_PT[level], color=color, ha=align,
            va="center", parse_math=False,
        )  # fmt: skip
        return self.width_of(text)

    def width_of(self, text: Artist) -> float:
        """Return the width in pixels of a text on the page."""
        return float(text.get_window_extent(renderer=self._agg.get_renderer()).width)

    def pixels(self) -> Pixels:
        """Draw the page."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="Glyph")  # the font shows letters that it lacks as boxes
            self._agg.draw()
        return np.asarray(self._agg.buffer_rgba())[..., :3].copy()
