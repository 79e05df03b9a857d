"""Pictures of search trees from above, facing up: paths, the number of paths by place, survival among obstacles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.map_tree import cost_colors
from gambol.pictures.page import DPI, Page
from gambol.pictures.plan_map import style_map
from gambol.pictures.png import write_png
from gambol.search.moves import COST_UNIT
from gambol.trees.density import PathFrequency, path_frequency
from gambol.trees.fit import fit
from gambol.trees.survival import SurvivalMap, survival_map
from gambol.trees.tracing import traces_of
from gambol.trees.tree import SearchTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


PANELS = ("frequency", "fan", "survival")
USUAL = ("frequency", "fan")
PANEL_IN = 5.6  # inches: width of a panel with its scale
SIDES_IN = (0.55, 0.8)  # inches left of a panel's axes for numbers, right of them for the scale
HEAD_IN = 0.72  # inches above the panels
FOOT_IN = 0.45  # inches below the panels
CELL_M = 0.2  # metres, > 0: cells of the frequency plot
MOST_EDGES = 6_000  # clips drawn in a fan; in larger trees some paths stand for all
POINT_M = 0.25  # metres, > 0: half the spacing of a drawn path's points
MOST_BYTES = 250_000  # bytes of a picture; colors become fewer above that
#: From white to dark red: places that most paths reach are darkest [L09 figure 4.2].
FEW_TO_MANY = ((1.0, 1.0, 1.0), (0.99, 0.89, 0.70), (0.98, 0.68, 0.38), (0.86, 0.36, 0.22), (0.45, 0.04, 0.10))
#: From red, where paths seldom survive, to dark green.
MANY_TO_FEW = ((0.75, 0.15, 0.15), (0.95, 0.65, 0.35), (0.97, 0.95, 0.75), (0.45, 0.75, 0.50), (0.05, 0.35, 0.25))
RULE = (0.88, 0.87, 0.86)


def tree_picture(
    path: Path | str,
    tree: SearchTree,
    character: Character,
    *,
    panels: Sequence[str] = USUAL,
    title: str | None = None,
) -> None:
    """Write a PNG of a tree with panels side by side.

    Panel "frequency" shows the number of paths that reach each place [L09 figure 4.2], "fan" the paths [L09 figure
    4.10], "survival" the share of random worlds in which a path reaches a free place.
    """
    for name in panels:
        if name not in PANELS:
            raise UnknownName("panel", name, PANELS)
    if not panels:
        raise InvalidInput("a picture of a tree needs at least one panel")
    frequency = path_frequency(tree, character, cell_m=CELL_M)
    bounds = _bounds(frequency)
    left, right, bottom, top = bounds
    panel_width = PANEL_IN - sum(SIDES_IN)
    panel_height = panel_width * min(max((top - bottom) / (right - left), 0.35), 1.6)
    width, height = PANEL_IN * len(panels), panel_height + HEAD_IN + FOOT_IN
    page = Page(DPI * width, DPI * height)
    figure = page.canvas
    _draw_head(figure, title or _default_title(tree), _about(tree), height, narrow=len(panels) == 1)
    for number, name in enumerate(panels):
        x = PANEL_IN * number + SIDES_IN[0]
        axes = figure.add_axes((x / width, FOOT_IN / height, panel_width / width, panel_height / height))
        _style(axes, bounds)
        if name == "frequency":
            _draw_frequency(figure, axes, frequency)
        elif name == "survival":
            _draw_survival(figure, axes, survival_map(tree, character))
        else:
            _draw_fan(figure, axes, tree, character)
        axes.plot(0.0, 0.0, "o", color=INK, ms=3.5, zorder=5)
    write_png(page.pixels(), path, most_bytes=MOST_BYTES)


def shown_nodes(tree: SearchTree, most: int = MOST_EDGES) -> NDArray[np.int64]:
    """Return the nodes whose clips a fan draws: all, or those on the ways to some evenly chosen leaves."""
    if len(tree) - 1 <= most:
        return np.arange(1, len(tree))
    is_leaf = np.ones(len(tree), dtype=bool)
    is_leaf[tree.parent[1:]] = False
    leaves = np.flatnonzero(is_leaf)
    chosen = np.zeros(len(tree), dtype=bool)
    count = 0
    # Leaves in steps of the golden ratio are evenly spread, however many are taken.
    golden = 0.5 * (np.sqrt(5.0) - 1.0)
    for leaf in leaves[np.argsort(np.arange(len(leaves)) * golden % 1.0, kind="stable")].tolist():
        new = []
        while leaf > 0 and not chosen[leaf]:
            new.append(leaf)
            leaf = int(tree.parent[leaf])
        if count + len(new) > most:
            break
        chosen[new] = True
        count += len(new)
    return np.flatnonzero(chosen)


def _bounds(frequency: PathFrequency) -> tuple[float, float, float, float]:
    """Return least and greatest metres to the right, and ahead, of places that paths reach, with a margin."""
    rows, columns = np.nonzero(frequency.count)
    cell = frequency.cell_m
    if len(rows) == 0:
        return -1.0, 1.0, -1.0, 1.0
    ahead = frequency.x0 + cell * np.array([columns.min(), columns.max() + 1])
    aside = frequency.y0 + cell * np.array([rows.min(), rows.max() + 1])
    margin = 0.03 * max(np.ptp(ahead), np.ptp(aside), 1.0)
    return -aside[1] - margin, -aside[0] + margin, ahead[0] - margin, ahead[1] + margin


def _draw_frequency(figure: Figure, axes: Axes, frequency: PathFrequency) -> None:
    from matplotlib.colors import LinearSegmentedColormap, PowerNorm

    # Rows are y and columns x; in a picture that faces up, y goes to the left.
    shown = np.ma.masked_equal(frequency.count.T[:, ::-1].astype(np.float64), 0.0)
    rows, columns = frequency.count.shape
    cell = frequency.cell_m
    extent = (-frequency.y0 - rows * cell, -frequency.y0, frequency.x0, frequency.x0 + columns * cell)
    # All paths pass near the root: a scale up to their number would hide the rest.
    reached = shown.compressed()
    most = float(np.quantile(reached, 0.995)) if len(reached) else 1.0
    picture = axes.imshow(
        shown, extent=extent, origin="lower", interpolation="nearest", zorder=1,
        cmap=LinearSegmentedColormap.from_list("paths", FEW_TO_MANY), norm=PowerNorm(0.6, 0.0, max(most, 1.0)),
    )  # fmt: skip
    _draw_scale(figure, axes, picture, f"paths that reach a cell of {100 * cell:.0f} cm")


def _draw_survival(figure: Figure, axes: Axes, survival: SurvivalMap) -> None:
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    rows, columns = survival.share.shape
    cell = survival.cell_m
    extent = (-survival.y0 - rows * cell, -survival.y0, survival.x0, survival.x0 + columns * cell)
    picture = axes.imshow(
        np.ma.masked_invalid(100.0 * survival.share.T[:, ::-1]),
        extent=extent,
        origin="lower",
        interpolation="nearest",
        zorder=1,
        norm=Normalize(0.0, 100.0),
        cmap=LinearSegmentedColormap.from_list("survival", MANY_TO_FEW),
    )
    _draw_scale(
        figure, axes, picture, f"% of random worlds in which a path gets there; mean {100.0 * survival.mean:.0f} %"
    )


def _draw_fan(figure: Figure, axes: Axes, tree: SearchTree, character: Character) -> None:
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import LineCollection
    from matplotlib.colors import Normalize

    nodes = shown_nodes(tree)
    cost = tree.cost.astype(np.float64) * COST_UNIT
    norm = Normalize(0.0, float(cost.max()) or 1.0)
    thin = float(np.clip(30.0 / np.sqrt(len(nodes) + 1.0), 0.3, 1.2))
    # The most expensive first, so that long paths do not cover short ones.
    nodes = nodes[np.argsort(-cost[nodes], kind="stable")]
    lines = _ways(tree, character, nodes)
    colors = cost_colors()
    axes.add_collection(LineCollection(lines, colors=colors(norm(cost[nodes])), linewidths=thin, alpha=0.75, zorder=2))
    what = "cost" if len(nodes) == len(tree) - 1 else f"cost; {len(nodes):,} of {len(tree) - 1:,} clips shown"
    _draw_scale(figure, axes, ScalarMappable(norm, colors), what)


def _ways(tree: SearchTree, character: Character, nodes: NDArray[np.int64]) -> list[FloatArray]:
    """Return the way of each node's clip (K, 2) in metres to the right and ahead."""
    traces = traces_of(character, 2.0 * POINT_M)
    clips = fit(tree, character).clip[tree.clip[nodes]]
    ways: list[FloatArray] = []
    for parent, clip in zip(tree.parent[nodes].tolist(), clips.tolist(), strict=True):
        x, y, heading = (float(value) for value in tree.pose[parent])
        points = slice(traces.first[clip], traces.last[clip])
        ahead = x + np.cos(heading) * traces.x[points] - np.sin(heading) * traces.y[points]
        aside = y + np.sin(heading) * traces.x[points] + np.cos(heading) * traces.y[points]
        ways.append(np.column_stack((-aside, ahead)))
    return ways


def _draw_scale(figure: Figure, axes: Axes, picture: object, words: str) -> None:
    from matplotlib.ticker import MaxNLocator

    place = axes.get_position()
    width = figure.get_size_inches()[0]
    beside = figure.add_axes((place.x1 + 0.12 / width, place.y0 + 0.1 * place.height, 0.1 / width, 0.8 * place.height))
    scale = figure.colorbar(picture, cax=beside)  # pyright: ignore[reportArgumentType]
    scale.locator = MaxNLocator(5, integer=True)
    scale.update_ticks()
    scale.outline.set_visible(False)  # pyright: ignore[reportCallIssue]
    beside.tick_params(labelsize=7, colors=PALE_INK, length=0, pad=2)
    axes.set_title(words, fontsize=9, color=PALE_INK, pad=5)


def _style(axes: Axes, bounds: tuple[float, float, float, float]) -> None:
    left, right, bottom, top = bounds
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_aspect("equal")
    axes.set_axisbelow(True)
    axes.grid(color=RULE, lw=0.6)
    style_map(axes, "metres to the right", "metres ahead")


def _draw_head(figure: Figure, title: str, about: str, height: float, *, narrow: bool) -> None:
    options = {"va": "center", "parse_math": False}
    if narrow:
        figure.text(0.02, 1.0 - 0.17 / height, title, fontsize=11, color=INK, **options)
        figure.text(0.02, 1.0 - 0.37 / height, about, fontsize=8, color=PALE_INK, **options)
    else:
        figure.text(0.012, 1.0 - 0.22 / height, title, fontsize=13, color=INK, **options)
        figure.text(0.988, 1.0 - 0.22 / height, about, fontsize=9, color=PALE_INK, ha="right", **options)


def _default_title(tree: SearchTree) -> str:
    start = "from anything" if tree.begins is None else f"from {tree.begins}"
    return f"{tree.builder} tree of {tree.character}, {start}"


def _about(tree: SearchTree) -> str:
    size = tree.bytes_used
    size_words = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
    return f"{len(tree):,} nodes, {int(tree.depth.max())} deep, {size_words}"
