"""Inputs and variants in the browser's scene, on a floor of their own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.motion import edits
from gambol.motion.motion import Motion
from gambol.variation.model import Variant, VariationModel
from gambol.view.play.player import Player
from gambol.view.play.recorded import PlayedFigures, Recorded, joints_at
from gambol.world.world import World

if TYPE_CHECKING:
    from gambol.view.viewer import Viewer

LABELS = "/vary/labels"  # name of the node that holds all labels
INPUT = (0.36, 0.52, 0.74)  # RGB, 0 to 1: inputs
VARIANT = (0.95, 0.71, 0.36)  # RGB, 0 to 1: variants
APART_M = np.array([0.5, 1.2])  # m, >= 0: free floor between two motions of a row, and between two rows
REACH_M = 0.9  # m, > 0: floor that a body takes around its root, at least, from side to side
LABEL_M = 2.1  # m: height of labels
ROOM_M = 1.0  # m, >= 0: floor around all motions
WIDTH_BY_DEPTH = 2.5  # > 0: width of the rows of a kind by their depth, about; larger: fewer, longer rows
FEW = 5  # >= 1: motions in a row, at least, if they are short
LONG_M = 5.0  # m, > 0: motions that take more width than this are not short

Shown = tuple[str, Motion, tuple[float, float, float]]  # name, motion, color


class Label(NamedTuple):
    """A name, and the place where it is written."""

    text: str
    place: tuple[float, float, float]


class Arrangement(NamedTuple):
    """Motions that are arranged to be played, with labels."""

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
    behind_m = 0.0  # depth of the rows before
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
        figures=(
            PlayedFigures(Body.from_skeleton(motions[0].skeleton), colors, lambda time_s: joints_at(motions, time_s)),
        ),
        bounds=(float(x0), float(y0), float(x1), float(y1)),
        motion=lambda name: (motions[int(name.partition(" ")[0])], 0.0),
    )
    return Arrangement(recorded, () if overlaid else tuple(labels))


def _rows(kind: list[Shown]) -> list[tuple[list[Shown], float]]:
    """Return motions of a kind in rows, each with the distance of its motions."""
    low, high = _extent([motion for _, motion, _ in kind])
    step = high - low + APART_M
    columns = max(round(math.sqrt(WIDTH_BY_DEPTH * len(kind) * step[1] / step[0])), 1 if step[0] > LONG_M else FEW)
    return [(kind[first : first + columns], float(step[0])) for first in range(0, len(kind), columns)]


def _extent(motions: Sequence[Motion]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and greatest x, y that motions reach, bodies included."""
    joints = np.concatenate([motion.world_positions[..., :2].reshape(-1, 2) for motion in motions])
    roots = np.concatenate([motion.root_positions[:, :2] for motion in motions])
    low = np.minimum(joints.min(axis=0), roots.min(axis=0) - 0.5 * REACH_M)
    return low, np.maximum(joints.max(axis=0), roots.max(axis=0) + 0.5 * REACH_M)


class Showing:
    """Shows one arrangement at a time."""

    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        self._player: Player | None = None
        self._floor: World | None = None

    @property
    def is_empty(self) -> bool:
        return self._player is None

    @property
    def joints(self) -> int:
        return 0 if self._player is None else self._player.recorded.joints

    def show(self, arrangement: Arrangement) -> None:
        """Show an arrangement in place of the one before; if it takes other room, the view shows all of it."""
        self.clear()
        viewer, bounds = self._viewer, arrangement.recorded.bounds
        if self._floor is None or self._floor.bounds != bounds:
            self._floor = World(bounds)
            viewer.stage.show(self._floor)
            viewer.stage.look_at_all()
        self._player = Player(viewer.scene, arrangement.recorded)
        for number, label in enumerate(arrangement.labels):
            viewer.scene.add_label(f"{LABELS}/{number}", label.text, position=label.place, anchor="bottom-center")

    def at(self, time_s: float) -> None:
        """Show all motions at a time."""
        if self._player is not None:
            with self._viewer.server.atomic():
                self._player.show(time_s)

    def clear(self) -> None:
        """Remove all bodies; the floor stays."""
        if self._player is not None:
            self._player.remove()
            self._viewer.scene.remove_by_name(LABELS)
        self._player = None

    def leave(self) -> None:
        """Remove all of its own, and show the open scene again."""
        self.clear()
        if self._floor is None:
            return
        self._floor = None
        stage, document = self._viewer.stage, self._viewer.document
        if document is None:
            stage.clear()
        else:
            stage.show_scene(document.scene)
            stage.look_at_all()
