"""Inputs and variants beside each other, or laid over each other, as something to be played."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.motion import edits
from gambol.motion.motion import Motion
from gambol.variation.model import Variant, VariationModel
from gambol.view.play.recorded import Figures, Recorded, frame_at

INPUT, VARIANT = (0.36, 0.52, 0.74), (0.95, 0.71, 0.36)
APART_M = np.array([0.5, 1.2])  # between the places that two beside, or behind, each other take
REACH_M = 0.9  # of a body around its root, at least
LABEL_M = 2.1
ROOM_M = 1.0  # of floor around all
WIDTH_BY_DEPTH = 2.5  # of all of a kind that are side by side, about
FEW, LONG_M = 5, 5.0  # so many of a kind are in one row, unless they go farther than this

Shown = tuple[str, Motion, tuple[float, float, float]]  # a name, a motion and its color


class Label(NamedTuple):
    """A name, and where it is."""

    text: str
    place: tuple[float, float, float]


class Arrangement(NamedTuple):
    """What is played, with names for what stands beside each other."""

    recorded: Recorded
    labels: tuple[Label, ...]


def arrange(
    model: VariationModel, variants: Sequence[Variant], *, overlaid: bool, with_inputs: bool, with_variants: bool
) -> Arrangement:
    """Place inputs in the first rows and variants in those behind, or all at one place."""
    inputs: list[Shown] = [(item.name, item.motion, INPUT) for item in model.examples.items]
    made: list[Shown] = [(f"seed {variant.seed}", variant.motion, VARIANT) for variant in variants]
    kinds = [kind for kind, is_shown in ((inputs, with_inputs), (made, with_variants or not with_inputs)) if is_shown]
    motions, labels, corners = [], [], []
    behind_m = 0.0  # how deep the rows so far are
    for row, step_m in [row for kind in kinds for row in _rows(kind)]:
        low, high = _extent([motion for _, motion, _ in row])
        for column, (name, motion, _) in enumerate(row):
            x, y = (0.0, 0.0) if overlaid else (column * step_m, behind_m - low[1])
            motions.append(edits.move(motion, (x, y, 0.0)))
            start = motions[-1].root_positions[0]
            labels.append(Label(name, (float(start[0]), float(start[1]), LABEL_M)))
            corners += [low + (x, y), high + (x, y)]
        behind_m += high[1] - low[1] + APART_M[1]
    colors = np.array([color for kind in kinds for _, _, color in kind])
    (x0, y0), (x1, y1) = np.min(corners, axis=0) - ROOM_M, np.max(corners, axis=0) + ROOM_M
    recorded = Recorded(
        title="",
        names=tuple(f"{number} {label.text}" for number, label in enumerate(labels)),
        duration_s=max(motion.duration_s for motion in motions),
        figures=(Figures(Body.from_skeleton(motions[0].skeleton), colors, lambda time_s: _joints(motions, time_s)),),
        bounds=(float(x0), float(y0), float(x1), float(y1)),
        motion=lambda name: (motions[int(name.partition(" ")[0])], 0.0),
    )
    return Arrangement(recorded, () if overlaid else tuple(labels))


def _rows(kind: list[Shown]) -> list[tuple[list[Shown], float]]:
    """Return motions of a kind in rows, and how far apart those of a row are."""
    low, high = _extent([motion for _, motion, _ in kind])
    step = high - low + APART_M
    columns = max(round(math.sqrt(WIDTH_BY_DEPTH * len(kind) * step[1] / step[0])), 1 if step[0] > LONG_M else FEW)
    return [(kind[first : first + columns], float(step[0])) for first in range(0, len(kind), columns)]


def _extent(motions: Sequence[Motion]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return how far motions get to either side of the origin, bodies included."""
    joints = np.concatenate([motion.world_positions[..., :2].reshape(-1, 2) for motion in motions])
    roots = np.concatenate([motion.root_positions[:, :2] for motion in motions])
    low = np.minimum(joints.min(axis=0), roots.min(axis=0) - 0.5 * REACH_M)
    return low, np.maximum(joints.max(axis=0), roots.max(axis=0) + 0.5 * REACH_M)


def _joints(motions: Sequence[Motion], time_s: float) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    frames = [frame_at(motion, time_s) for motion in motions]
    return (
        np.stack([motion.world_positions[frame] for motion, frame in zip(motions, frames, strict=True)]),
        np.stack([motion.world_rotations[frame] for motion, frame in zip(motions, frames, strict=True)]),
    )
