"""The fan of a character's ways from one pose, clip by clip."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gambol.characters.character import Character
from gambol.files.disk import atomic_path
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.lettering import INK, PALE_INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DPI = 120  # dots an inch
PANEL_IN = 4.2  # inches: side of a fan
COLUMNS = 3  # fans side by side at most
LEAST_SPAN_M = 1.0  # metres: least width and height that a fan shows
RULE = (0.88, 0.87, 0.86)


def draw_root_paths(character: Character, path: Path | str) -> None:
    """Write a PNG with a fan of ways for each label with which behaviors begin.

    All clips start at the origin and face up.  An arrow shows the heading at the end, a dot the event.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    labels = list(dict.fromkeys(behavior.begins for behavior in character.behaviors))
    columns = min(COLUMNS, len(labels))
    rows = -(-len(labels) // columns)
    figure = Figure(figsize=(PANEL_IN * columns, PANEL_IN * rows + 0.9), dpi=DPI, facecolor="white")
    figure.set_layout_engine("constrained", h_pad=0.12, rect=(0.0, 0.0, 1.0, 1.0 - 0.45 / (PANEL_IN * rows + 0.9)))
    canvas = FigureCanvasAgg(figure)
    for index, label in enumerate(labels):
        _draw_fan(figure.add_subplot(rows, columns, index + 1), character, label)
    kinds = [kind for kind in KIND_COLORS if any(behavior.kind == kind for behavior in character.behaviors)]
    handles = [Line2D([], [], color=KIND_COLORS[kind], lw=2.0, label=kind) for kind in kinds]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(kinds), frameon=False, fontsize=9)
    figure.text(0.01, 0.995, f"Ways of {character.name}", va="top", fontsize=14, color=INK)
    with atomic_path(path) as temporary:
        canvas.print_png(temporary)


def _draw_fan(axes: Axes, character: Character, label: str) -> None:
    behaviors = [behavior for behavior in character.behaviors if behavior.begins == label]
    reach = LEAST_SPAN_M
    for behavior in behaviors:
        color = KIND_COLORS[behavior.kind]
        for clip in {id(clip): clip for clip in behavior.clips}.values():
            # Seen from above with x up and y to the left.
            across, along, heading = -clip.path[:, 1], clip.path[:, 0], clip.path[:, 2]
            axes.plot(across, along, color=color, lw=1.3, alpha=0.85, solid_capstyle="round")
            axes.plot(across[clip.event], along[clip.event], ".", color=color, ms=4)
            reach = max(reach, float(np.abs(clip.path[:, :2]).max()))
            tip = np.array([-np.sin(heading[-1]), np.cos(heading[-1])])
            axes.annotate(
                "",
                xy=(across[-1] + 0.06 * reach * tip[0], along[-1] + 0.06 * reach * tip[1]),
                xytext=(across[-1], along[-1]),
                arrowprops={"arrowstyle": "-|>", "color": color, "lw": 1.0},
            )
    axes.plot(0.0, 0.0, "o", color=INK, ms=4)
    ways = np.concatenate([clip.path[:, :2] for behavior in behaviors for clip in behavior.clips[:8]])
    low, high = ways.min(axis=0), ways.max(axis=0)
    middle, span = 0.5 * (low + high), 0.58 * max(float((high - low).max()), LEAST_SPAN_M)
    axes.set_xlim(-middle[1] - span, -middle[1] + span)
    axes.set_ylim(middle[0] - span, middle[0] + span)
    axes.set_aspect("equal")
    axes.set_title(f"from {label}", fontsize=10, color=INK)
    axes.set_xlabel("metres to the right", fontsize=8, color=PALE_INK)
    axes.set_ylabel("metres ahead", fontsize=8, color=PALE_INK)
    axes.tick_params(labelsize=7, colors=PALE_INK, length=0)
    axes.grid(color=RULE, lw=0.6)
    axes.spines[:].set_visible(False)
