"""Where bodies are, from clips and poses alone: what planners' answers are held against."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambol.characters import Character, Step, clip_of
from gambol.geometry import planar

X, Y, RADIUS, LOW, HIGH = range(5)
TRUNK = 6  # one of the cylinders
FAR_M = 6.0  # from trunk to trunk: no two bodies meet from there


def instants(character: Character, steps: Sequence[Step]) -> tuple[np.ndarray, np.ndarray]:
    """Return frames (N,) and cylinders (N, 8, 5) of all instants; at joins there are two of one frame."""
    frames, cylinders = [], []
    for step in steps:
        clip = clip_of(character, step)
        poses = planar.compose(step.pose, clip.path)
        centres = poses[:, None, :2] + planar.rotate(poses[:, None, 2], clip.shape.offset)
        columns = (centres, clip.shape.radius[..., None], clip.shape.low[..., None], clip.shape.high[..., None])
        cylinders.append(np.concatenate(columns, axis=-1))
        frames.append(step.frame + np.arange(clip.duration + 1))
    return np.concatenate(frames), np.concatenate(cylinders)


def held(character: Character, step: Step) -> tuple[np.ndarray, np.ndarray]:
    """Return the same for who holds the first instant of a step."""
    _, cylinders = instants(character, [step])
    return np.zeros(1, dtype=np.int64), cylinders[:1]


def gap(one: tuple[np.ndarray, np.ndarray], two: tuple[np.ndarray, np.ndarray]) -> float:
    """Return how near two bodies come, each standing before its first and after its last instant; infinite if never."""
    first, second = _pairs(one, two)
    away = np.hypot(*(first[:, TRUNK, :2] - second[:, TRUNK, :2]).T)
    near = away < FAR_M
    return min((_cylinder_gap(*pair) for pair in zip(first[near], second[near], strict=True)), default=np.inf)


def _pairs(one: tuple[np.ndarray, np.ndarray], two: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return all pairs of instants that share a frame."""
    pairs = [
        (first, second)
        for frame in range(int(max(one[0][-1], two[0][-1])) + 1)
        for first in _at(one, frame)
        for second in _at(two, frame)
    ]
    return one[1][[first for first, _ in pairs]], two[1][[second for _, second in pairs]]


def _at(body: tuple[np.ndarray, np.ndarray], frame: int) -> range:
    """Return the instants of a frame."""
    frames = body[0]
    at = min(max(frame, frames[0]), frames[-1])
    return range(int(np.searchsorted(frames, at)), int(np.searchsorted(frames, at, side="right")))


def _cylinder_gap(first: np.ndarray, second: np.ndarray) -> float:
    first, second = first[first[:, HIGH] > first[:, LOW]], second[second[:, HIGH] > second[:, LOW]]
    away = np.hypot(*(first[:, None, :2] - second[None, :, :2]).T).T
    apart = away - first[:, None, RADIUS] - second[None, :, RADIUS]
    beside = np.minimum(first[:, None, HIGH], second[None, :, HIGH]) > np.maximum(
        first[:, None, LOW], second[None, :, LOW]
    )
    return float(apart[beside].min(initial=np.inf))
