"""The points along each clip by which the cells that it passes are found."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.characters.action_table import action_table
from gambol.characters.character import Character
from gambol.core import Struct, struct_of


class Traces(NamedTuple):
    """Points along clips, in the frame of their start."""

    x: np.ndarray  # (P,) metres
    y: np.ndarray  # (P,) metres
    first: np.ndarray  # (C,) first point of each clip
    last: np.ndarray  # (C,) one after its last

    @property
    def core(self) -> Struct:
        """The same as the core reads it."""
        return struct_of("gb_traces", self)


def traces_of(character: Character, cell_m: float) -> Traces:
    """Return points along all clips at equal steps of at most half a cell, first and last included [L09 algorithm 2].

    More points would find the same cells but for corners cut; fewer would miss some.
    """
    actions = action_table(character)
    known: dict[int, tuple[int, int]] = {}
    points: list[np.ndarray] = []
    count = 0
    for start, duration in zip(actions.clip_samples, actions.duration, strict=True):
        if int(start) not in known:
            piece = _resampled(actions.path[start : start + duration + 1, :2], 0.5 * cell_m)
            known[int(start)] = (count, count + len(piece))
            points.append(piece)
            count += len(piece)
    spans = np.array([known[int(start)] for start in actions.clip_samples], dtype=np.int64).reshape(-1, 2)
    return Traces(
        x=np.concatenate([piece[:, 0] for piece in points]),
        y=np.concatenate([piece[:, 1] for piece in points]),
        first=np.ascontiguousarray(spans[:, 0]),
        last=np.ascontiguousarray(spans[:, 1]),
    )


def _resampled(path: np.ndarray, step_m: float) -> np.ndarray:
    along = np.concatenate(([0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))))
    wanted = np.linspace(0.0, along[-1], 1 + max(1, int(np.ceil(along[-1] / step_m - 1e-9))))
    return np.stack([np.interp(wanted, along, path[:, axis]) for axis in range(2)], axis=1)
