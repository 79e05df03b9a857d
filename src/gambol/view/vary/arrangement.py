"""Inputs and variants beside each other, or laid over each other, as something to be played."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.motion import edits
from gambol.motion.body import Body
from gambol.motion.motion import Motion
from gambol.variation.model import Variant, VariationModel
from gambol.view.play.recorded import Figures, Recorded, frame_at

INPUT, VARIANT = (0.36, 0.52, 0.74), (0.95, 0.71, 0.36)
APART_M = np.array([0.5, 1.2])  # between the places that two beside, or behind, each other take
REACH_M = 0.9  # of a body around its root, at least
LABEL_M = 2.1
ROOM_M = 1.0  # of floor around all


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
    """Place inputs in the first row and variants in those behind, or all at one place."""
    rows: list[list[tuple[str, Motion, tuple[float, float, float]]]] = []
    if with_inputs:
        rows.append([(item.name, item.motion, INPUT) for item in model.examples.items])
    if with_variants or not with_inputs:
        shown = [(f"seed {variant.seed}", variant.motion, VARIANT) for variant in variants]
        columns = max(len(rows[0]) if rows else 0, math.ceil(math.sqrt(len(shown))))
        rows += [shown[first : first + columns] for first in range(0, len(shown), columns)]
    everything = [one for row in rows for one in row]
    low, high = _extent([motion for _, motion, _ in everything])
    step = np.zeros(2) if overlaid else high - low + APART_M
    motions, labels, names = [], [], []
    for row_number, row in enumerate(rows):
        for column, (name, motion, _) in enumerate(row):
            x, y = step * (column, row_number)
            motions.append(edits.move(motion, (x, y, 0.0)))
            names.append(name)
            start = motion.root_positions[0, :2]
            labels.append(Label(name, (float(x + start[0]), float(y + start[1]), LABEL_M)))
    colors = np.array([color for _, _, color in everything])
    last = step * (max(len(row) for row in rows) - 1, len(rows) - 1)
    x0, y0, x1, y1 = (*(low - ROOM_M), *(last + high + ROOM_M))
    recorded = Recorded(
        title="",
        names=tuple(f"{number} {name}" for number, name in enumerate(names)),
        duration_s=max(motion.duration_s for motion in motions),
        figures=(Figures(Body.from_skeleton(motions[0].skeleton), colors, lambda time_s: _joints(motions, time_s)),),
        bounds=(float(x0), float(y0), float(x1), float(y1)),
        motion=lambda name: (motions[int(name.partition(" ")[0])], 0.0),
    )
    return Arrangement(recorded, () if overlaid else tuple(labels))


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
