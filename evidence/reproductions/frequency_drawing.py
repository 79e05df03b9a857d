"""Frequency plots: how many paths end in each cell, seen from above, the root facing up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.pictures import INK
from gambol.pictures.tree_picture import FEW_TO_MANY

DPI = 120
WIDTH_IN = 12.6
RING_M = (8.0, 14.0, 16.0)  # [LK06 figure 4]
MANY = 1000  # paths to one place [LK06 3]


@dataclass(frozen=True, eq=False)
class Frequency:
    """How many paths end in each cell; cell (row, column) begins at (x0 + column * cell_m, y0 + row * cell_m)."""

    count: NDArray[np.int64]  # (rows, columns)
    x0: float
    y0: float
    cell_m: float

    @property
    def most(self) -> int:
        return int(self.count.max())

    @property
    def cells(self) -> int:
        """How many cells some path ends in."""
        return int((self.count > 0).sum())

    @property
    def above(self) -> int:
        """How many cells more than MANY paths end in."""
        return int((self.count > MANY).sum())


def frequency_of(places: ArrayLike, cell_m: float) -> Frequency:
    """Return how many of some places (N, 2) are in each cell."""
    points = np.asarray(places)
    least, greatest = np.floor(points.min(axis=0) / cell_m), np.floor(points.max(axis=0) / cell_m)
    columns, rows = (int(size) for size in greatest - least + 1)
    column, row = (np.floor(points / cell_m) - least).astype(np.int64).T
    count = np.bincount(row * columns + column, minlength=rows * columns).reshape(rows, columns)
    return Frequency(count, float(least[0] * cell_m), float(least[1] * cell_m), cell_m)


def draw_frequencies(plots: Mapping[str, Frequency]) -> NDArray[np.uint8]:
    """Return frequency plots side by side, each with a scale of its own: their numbers differ by orders."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm
    from matplotlib.figure import Figure

    ahead = [edge for one in plots.values() for edge in (one.x0, one.x0 + one.count.shape[1] * one.cell_m)]
    aside = [edge for one in plots.values() for edge in (one.y0, one.y0 + one.count.shape[0] * one.cell_m)]
    wide, tall = max(aside) - min(aside), max(ahead) - min(ahead)
    figure = Figure(figsize=(WIDTH_IN, WIDTH_IN / len(plots) * 0.82 * tall / wide + 0.7), dpi=DPI, facecolor="white")
    figure.set_layout_engine("constrained")
    colors = LinearSegmentedColormap.from_list("paths", FEW_TO_MANY)
    for number, (title, one) in enumerate(plots.items()):
        axes = figure.add_subplot(1, len(plots), number + 1)
        shown = np.ma.masked_equal(one.count.T[:, ::-1].astype(np.float64), 0.0)
        rows, columns = one.count.shape
        extent = (-one.y0 - rows * one.cell_m, -one.y0, one.x0, one.x0 + columns * one.cell_m)
        # A few cells straight ahead hold far more than the rest, which would all be pale.
        most = max(float(np.quantile(shown.compressed(), 0.995)), 1.0)
        drawn = axes.imshow(
            shown, extent=extent, origin="lower", interpolation="nearest", cmap=colors, norm=PowerNorm(0.6, 0.0, most)
        )
        turn = np.linspace(0.0, np.pi, 181)
        for ring in RING_M:
            axes.plot(ring * np.cos(turn), ring * np.sin(turn), color=INK, linewidth=0.6, linestyle=(0, (4, 4)))
        axes.plot(0.0, 0.0, "o", color=INK, markersize=3.5)
        axes.set_xlim(-max(aside), -min(aside))
        axes.set_ylim(min(ahead), max(ahead))
        axes.set_aspect("equal")
        axes.set_title(title, fontsize=10, color=INK, loc="left")
        axes.tick_params(labelsize=8)
        axes.set_xlabel("m to the right; rings of 8, 14 and 16 m", fontsize=8)
        scale = figure.colorbar(drawn, ax=axes, shrink=0.75, extend="max")
        scale.set_label(f"paths that end in a cell of {100.0 * one.cell_m:g} cm", fontsize=8)
        scale.ax.tick_params(labelsize=8)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()
