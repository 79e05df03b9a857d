"""Figures of items: fans of paths, and curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.characters import Character
from gambol.characters.action_table import action_table
from gambol.trees import SearchTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DPI = 120
INK, PALE = (0.13, 0.24, 0.42), (0.55, 0.55, 0.55)
ACROSS = 3  # fans side by side
PANEL_IN, TITLE_IN = 3.6, 0.3


def draw_fans(trees: Mapping[str, SearchTree], character: Character) -> NDArray[np.uint8]:
    """Return the paths of trees of one character, each in a panel of its own, all to one scale."""
    from matplotlib.collections import LineCollection

    down = -(-len(trees) // ACROSS)
    ways = {name: tree_ways(tree, character) for name, tree in trees.items()}
    points = np.concatenate([way for one in ways.values() for way in one] or [np.zeros((1, 2))])
    (least_x, least_y), (greatest_x, greatest_y) = points.min(axis=0) - 0.5, points.max(axis=0) + 0.5
    height_in = PANEL_IN * (greatest_x - least_x) / (greatest_y - least_y) + TITLE_IN
    figure = _figure(PANEL_IN * ACROSS, height_in * down)
    for place, (name, one) in enumerate(ways.items()):
        axes = figure.add_subplot(down, ACROSS, place + 1)
        # The root faces up: ahead is up, left is left.
        axes.add_collection(LineCollection([way[:, ::-1] for way in one], colors=[INK], linewidths=0.35))
        axes.plot([0.0], [0.0], "o", color="crimson", markersize=3)
        axes.set_xlim(greatest_y, least_y)
        axes.set_ylim(least_x, greatest_x)
        axes.set_aspect("equal")
        axes.set_title(name, fontsize=9)
        axes.tick_params(labelsize=7)
        if place % ACROSS == 0:
            axes.set_ylabel("metres ahead", fontsize=7)
        if place >= len(ways) - ACROSS:
            axes.set_xlabel("metres to the left", fontsize=7)
    return _pixels(figure)


def tree_ways(tree: SearchTree, character: Character) -> list[NDArray[np.float64]]:
    """Return the way (P, 2) of each node's clip, in the frame of the root."""
    actions = action_table(character)
    ways: list[NDArray[np.float64]] = []
    for node in range(1, len(tree)):
        first = int(actions.clip_samples[tree.clip[node]])
        path = actions.path[first : first + int(actions.duration[tree.clip[node]]) + 1, :2]
        x, y, heading = (float(value) for value in tree.pose[tree.parent[node]])
        turn = np.array([[np.cos(heading), np.sin(heading)], [-np.sin(heading), np.cos(heading)]])
        ways.append(path @ turn + (x, y))
    return ways


def draw_curves(
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    level: tuple[str, float] | None = None,
) -> NDArray[np.uint8]:
    """Return curves over a logarithmic axis, from zero up, and a level to compare with."""
    figure = _figure(7.0, 4.2)
    axes = figure.add_subplot()
    highest = 0.0
    for name, (xs, ys) in curves.items():
        axes.plot(xs, ys, "o-", color=INK, label=name)
        highest = max([highest, *(y for y in ys if np.isfinite(y))])
    if level is not None and np.isfinite(level[1]):
        axes.axhline(level[1], color=PALE, linestyle="--", label=level[0])
        highest = max(highest, level[1])
    axes.set_xscale("log")
    axes.invert_xaxis()
    axes.set_ylim(0.0, 1.15 * highest if highest > 0.0 else 1.0)
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_title(title, fontsize=10)
    axes.legend(fontsize=8)
    axes.grid(alpha=0.3)
    return _pixels(figure)


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=DPI, facecolor="white")
    figure.set_layout_engine("constrained")
    return figure


def _pixels(figure: Figure) -> NDArray[np.uint8]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()
