"""A character's state machine as one picture.

Boxes and arrows for dozens of behaviors, each of which may follow any other, would be a black knot.  Where labels
decide, only a behavior's first and last label matter: labels stand left and right, behaviors between them in groups.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.characters.character import Behavior, Character
from gambol.files.disk import atomic_path
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.lettering import INK, PALE_INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DPI = 120  # dots an inch
LINE_IN = 0.20  # inches: height of a line of text
LETTER_IN = 0.045  # inches: half the width of a label's letter
WIDE_IN = 11.0  # inches: width of the page
NAMES_IN_ROW = 3  # behaviors in a line of a group
LABEL_X = (0.08, 0.92)  # 0 to 1, shares of the width: middles of the labels on both sides
GROUP_X = (0.21, 0.79)  # 0 to 1, shares of the width: edges of groups
MOST_STATES_ON_RING = 40  # behaviors on a ring; further ones are left out
MOST_EDGES = 30  # edges listed below the picture; further ones are left out
RULE = (0.82, 0.81, 0.80)
LINK = (0.62, 0.62, 0.62)
LINKS = ((0.55, 0.60, 0.70), (0.72, 0.56, 0.48), (0.50, 0.66, 0.55), (0.70, 0.62, 0.42), (0.62, 0.54, 0.70))


class Group(NamedTuple):
    """Behaviors that lead from one label to another."""

    begins: str
    ends: str
    behaviors: list[Behavior]

    @property
    def lines(self) -> int:
        return -(-len(self.behaviors) // NAMES_IN_ROW)


def draw_state_machine(character: Character, path: Path | str) -> None:
    """Write a PNG of behaviors between their labels; without labels, of behaviors on a ring with all transitions."""
    if character.labels_connect:
        _draw_by_labels(character, path)
    else:
        _draw_ring(character, path)


def group_by_labels(character: Character) -> list[Group]:
    """Group behaviors by their first and last labels, in order of appearance."""
    groups: dict[tuple[str, str], Group] = {}
    for behavior in character.behaviors:
        key = (behavior.begins, behavior.ends)
        groups.setdefault(key, Group(*key, [])).behaviors.append(behavior)
    order = {label: index for index, label in enumerate(dict.fromkeys(b.begins for b in character.behaviors))}
    return sorted(groups.values(), key=lambda group: order[group.begins])


def _draw_by_labels(character: Character, path: Path | str) -> None:
    groups = group_by_labels(character)
    height = 0.9 + LINE_IN * sum(group.lines + 1.6 for group in groups)
    edges = _edge_lines(character)
    height += LINE_IN * (len(edges) + 1) if edges else 0.0
    axes, save = _page(character, height)
    y = height - 0.75
    places: list[float] = []
    for group in groups:
        block = LINE_IN * (group.lines + 0.6)
        places.append(y - 0.5 * block)
        _draw_group(axes, group, y, block)
        y -= block + LINE_IN
    heights = _label_heights(groups, places)
    for side in (0, 1):
        _draw_labels(axes, groups, places, heights, side)
    for number, line in enumerate(edges):
        axes.text(0.05 * WIDE_IN, y - LINE_IN * number, line, fontsize=8, color=PALE_INK, va="top")
    save(path)


def _draw_group(axes: Axes, group: Group, top: float, height: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    left, right = (share * WIDE_IN for share in GROUP_X)
    box = FancyBboxPatch(
        (left, top - height), right - left, height, boxstyle="round,pad=0.0,rounding_size=0.08",
        facecolor=(0.985, 0.984, 0.982), edgecolor=RULE, lw=0.8,
    )  # fmt: skip
    axes.add_patch(box)
    width = (right - left) / NAMES_IN_ROW
    for index, behavior in enumerate(group.behaviors):
        row, column = divmod(index, NAMES_IN_ROW)
        count = f" ({len(behavior.clips)})" if len(behavior.clips) > 1 else ""
        x, y = left + 0.12 + column * width, top - LINE_IN * (row + 0.8)
        axes.text(x, y, f"{behavior.name}{count}", fontsize=8, color=KIND_COLORS[behavior.kind], va="center")


def _label_heights(groups: list[Group], places: list[float]) -> dict[str, float]:
    """Return each label's height, equal on both sides: the middle of the groups that begin with it."""
    heights: dict[str, float] = {}
    for name in dict.fromkeys([group.begins for group in groups] + [group.ends for group in groups]):
        own = [y for group, y in zip(groups, places, strict=True) if group.begins == name]
        ending = [y for group, y in zip(groups, places, strict=True) if group.ends == name]
        heights[name] = float(np.mean(own or ending))
    order = sorted(heights, key=lambda name: -heights[name])
    for above, below in pairwise(order):
        heights[below] = min(heights[below], heights[above] - 2.2 * LINE_IN)
    return heights


def _draw_labels(axes: Axes, groups: list[Group], places: list[float], heights: dict[str, float], side: int) -> None:
    """Draw the labels of one side and their links to groups; links of one label share a color."""
    names = [group.begins if side == 0 else group.ends for group in groups]
    x, edge = LABEL_X[side] * WIDE_IN, GROUP_X[side] * WIDE_IN
    toward = 1.0 if side == 0 else -1.0
    for name, y in zip(names, places, strict=True):
        start, end = (x + toward * (0.12 + LETTER_IN * len(name)), heights[name]), (edge, y)
        tail, tip = (start, end) if side == 0 else (end, start)
        axes.annotate(
            "",
            xy=tip,
            xytext=tail,
            arrowprops={"arrowstyle": "-|>", "color": LINKS[list(heights).index(name) % len(LINKS)], "lw": 1.0},
        )
    for name in dict.fromkeys(names):
        axes.text(
            x, heights[name], name, ha="center", va="center", fontsize=10, color=INK,
            bbox={"boxstyle": "round,pad=0.45", "facecolor": (1.0, 0.96, 0.88), "edgecolor": (0.90, 0.72, 0.42)},
        )  # fmt: skip


def _edge_lines(character: Character) -> list[str]:
    """Return lines that list single transitions and their costs, as far as there is room."""
    lines = [
        f"edge {edge.source} > {edge.target}" + (f", cost {edge.cost:g}" if edge.cost > 0.0 else "")
        for edge in character.transitions
    ]
    return [*lines[:MOST_EDGES], f"and {len(lines) - MOST_EDGES} more"] if len(lines) > MOST_EDGES else lines


def _draw_ring(character: Character, path: Path | str) -> None:
    """Draw behaviors on a ring with an arrow for each transition; if there are many, only the first ones."""
    shown = character.behaviors[:MOST_STATES_ON_RING]
    axes, save = _page(character, WIDE_IN)
    center, radius = 0.5 * WIDE_IN, 0.36 * WIDE_IN
    angles = 0.5 * np.pi - 2.0 * np.pi * np.arange(len(shown)) / len(shown)
    spots = np.column_stack((center + radius * np.cos(angles), center - 0.3 + radius * np.sin(angles)))
    allowed = np.isfinite(character.transition_costs)
    for a, b in zip(*np.nonzero(allowed[: len(shown), : len(shown)]), strict=True):
        if a != b:
            axes.annotate(
                "", xy=tuple(spots[b]), xytext=tuple(spots[a]),
                arrowprops={"arrowstyle": "-|>", "color": LINK, "lw": 0.7, "shrinkA": 9, "shrinkB": 9,
                            "connectionstyle": "arc3,rad=0.12"},
            )  # fmt: skip
    for index, behavior in enumerate(shown):
        loop = " (held)" if allowed[index, index] else ""
        axes.text(
            spots[index, 0], spots[index, 1], behavior.name + loop, ha="center", va="center",
            fontsize=8, color=KIND_COLORS[behavior.kind],
            bbox={"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": RULE},
        )  # fmt: skip
    if len(character.behaviors) > len(shown):
        axes.text(0.3, 0.3, f"and {len(character.behaviors) - len(shown)} more", fontsize=8, color=PALE_INK)
    save(path)


def _page(character: Character, height: float) -> tuple[Axes, Callable[[Path | str], None]]:
    """Return axes in inches with a title and a legend, and a function that saves them."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDE_IN, height), dpi=DPI, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_xlim(0.0, WIDE_IN)
    axes.set_ylim(0.0, height)
    axes.set_axis_off()
    count = int(np.isfinite(character.transition_costs).sum())
    axes.text(0.2, height - 0.32, character.name, fontsize=14, color=INK, va="center")
    about = f"{len(character.behaviors)} behaviors, {count} transitions"
    axes.text(WIDE_IN - 0.2, height - 0.32, about, fontsize=9, color=PALE_INK, va="center", ha="right")
    x = 0.38 * WIDE_IN
    for kind in KIND_COLORS:
        if any(behavior.kind == kind for behavior in character.behaviors):
            axes.text(x, height - 0.32, kind, fontsize=9, color=KIND_COLORS[kind], va="center")
            x += 0.2 + 0.085 * len(kind)

    def save(path: Path | str) -> None:
        with atomic_path(path) as temporary:
            canvas.print_png(temporary)

    return axes, save
