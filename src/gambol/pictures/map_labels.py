"""Words on a map, placed so that they do not meet each other or hide things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.pictures.mesh import Color

if TYPE_CHECKING:
    from matplotlib.axes import Axes


DIRECTIONS = 24  # directions around a place that are tried
DISTANCES_PX = (9.0, 15.0, 24.0, 36.0, 52.0, 72.0)  # pixels from a place to the words' nearest edge that are tried
LEADER_PX = 20.0  # pixels: a line joins words farther away than this to their place
PAD_PX = 2.0  # pixels kept free around words
COVERING = 1.6  # pixels of distance that hiding a point costs; larger: words go farther away
BEYOND = 4.0  # pixels of distance that a direction costs at a right angle to the preferred one


@dataclass(frozen=True)
class Label:
    """Words that belong to a place."""

    words: str
    x: float  # metres
    y: float
    color: Color
    size_pt: float
    priority: float  # labels with higher priority choose their places first
    away_rad: float | None = None  # radians: preferred direction of the words from the place; None: any
    bold: bool = False
    centered: bool = False  # whether the words stand only on the place itself


def place_labels(axes: Axes, labels: Sequence[Label], avoided: FloatArray) -> int:
    """Write as many labels as have room, by priority; return their number.

    avoided: places (N, 2) in metres that words should not hide.
    """
    from matplotlib.patheffects import withStroke

    renderer = axes.figure.canvas.get_renderer()  # type: ignore[attr-defined]
    frame = axes.get_window_extent(renderer)
    inside = np.array([frame.x0 + 3, frame.y0 + 3, frame.x1 - 3, frame.y1 - 3])
    points = axes.transData.transform(avoided) if len(avoided) else np.empty((0, 2))
    taken: list[list[float]] = []
    placed = 0
    for label in sorted(labels, key=lambda label: -label.priority):
        text = axes.text(
            label.x, label.y, label.words, fontsize=label.size_pt, color=label.color, ha="center", va="center",
            fontweight="bold" if label.bold else "normal", zorder=20, parse_math=False,
            path_effects=[withStroke(linewidth=2.4, foreground="white", alpha=0.92)],
        )  # fmt: skip
        extent = text.get_window_extent(renderer)
        half = np.array([0.5 * extent.width, 0.42 * extent.height])
        anchor = np.asarray(axes.transData.transform((label.x, label.y)))
        best = _best_place(label, anchor, half, inside, taken, points)
        if best is None:
            text.remove()
            continue
        taken.append(_box(best, half).tolist())
        text.set_position(tuple(axes.transData.inverted().transform(best)))
        _lead(axes, label, anchor, best, half)
        placed += 1
    return placed


def _best_place(
    label: Label, anchor: FloatArray, half: FloatArray, inside: FloatArray, taken: list[list[float]], points: FloatArray
) -> FloatArray | None:
    """Return the middle of the words in pixels, or None if there is no room."""
    best, least = None, np.inf
    for place, cost in _candidates(label, anchor, half):
        if cost >= least:
            continue
        box = _box(place, half)
        if np.any(box[:2] < inside[:2]) or np.any(box[2:] > inside[2:]):
            continue
        if _overlaps(box.tolist(), taken):
            continue
        hidden = np.count_nonzero(np.all((points > box[:2]) & (points < box[2:]), axis=1))
        cost += COVERING * hidden
        if cost < least:
            best, least = place, cost
    return best


def _overlaps(box: Sequence[float], taken: Sequence[Sequence[float]]) -> bool:
    x0, y0, x1, y1 = box
    return any(x0 < right and left < x1 and y0 < above and below < y1 for left, below, right, above in taken)


def _candidates(label: Label, anchor: FloatArray, half: FloatArray) -> list[tuple[FloatArray, float]]:
    """Return places for the words' middle, each with its cost."""
    if label.centered:
        return [(anchor, 0.0)]
    found = []
    for angle in 2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS:
        direction = np.array([np.cos(angle), np.sin(angle)])
        # The distance is from the anchor to the words' nearest edge, not to their middle.
        reach = min(half[0] / max(abs(direction[0]), 1e-9), half[1] / max(abs(direction[1]), 1e-9))
        turned = 0.0 if label.away_rad is None else BEYOND * (1.0 - np.cos(angle - label.away_rad))
        for distance in DISTANCES_PX:
            found.append((anchor + direction * (reach + distance), distance + turned))
    return found


def _box(place: FloatArray, half: FloatArray) -> FloatArray:
    return np.concatenate((place - half - PAD_PX, place + half + PAD_PX))


def _lead(axes: Axes, label: Label, anchor: FloatArray, place: FloatArray, half: FloatArray) -> None:
    """Draw a line from words that stand far away to their place."""
    way = anchor - place
    edge = place + way * min(1.0, *(half / np.maximum(np.abs(way), 1e-9)))
    gap = float(np.linalg.norm(anchor - edge))
    if label.centered or gap < LEADER_PX:
        return
    ends = axes.transData.inverted().transform([edge + 0.12 * (anchor - edge), anchor - 4.0 * (anchor - edge) / gap])
    axes.plot(ends[:, 0], ends[:, 1], color=label.color, lw=0.6, alpha=0.7, zorder=19, solid_capstyle="round")
