"""Carry the body over what it holds: where its centre of mass would topple, momentum counted, it moves over sooner."""

from __future__ import annotations

import math

import numpy as np

from gambol.climb.climb import ClimbPath
from gambol.climb.filters.tables import FilterTables
from gambol.climb.kernels.gravity import held_span
from gambol.climb.modes import Mode
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel

GRAVITY_M_S2 = 9.81
CAUGHT_WITHIN_S = 0.5  # a fall that a next hold ends within this time is a step
SPARE_M = 0.015
MOST_M = 0.15  # that a body can be moved; what lacks more must be planned otherwise
SPREAD_S = 0.3  # over which it moves there and back


@kernel
def write_spans(
    tables: FilterTables, facings: FloatArray, modes: Int32Array, grasps: Int32Array, spans: FloatArray, crawl: int
) -> None:
    for row in range(len(facings)):
        spans[row, 0], spans[row, 1] = held_span(
            tables.figure, tables.anchor, tables.surface, modes[row] != crawl, facings[row], grasps[row], -1
        )


def spans_of(tables: FilterTables, path: ClimbPath) -> FloatArray:
    """Return the stretch of x (F, 2) in which each frame's grasps hold the centre of mass at rest."""
    spans = np.empty((len(path), 2))
    write_spans(tables, path.facings, path.modes, path.grasps, spans, int(Mode.CRAWL))
    return spans


def toppling(path: ClimbPath, spans: FloatArray, centres: FloatArray, ends: FloatArray, rate_hz: float) -> FloatArray:
    """Return by how much each frame's centre of mass should be moved along x (F,), 0 where all is well.

    Momentum may carry it back over the span [Hof 2005], or a hold that is taken soon may catch it.  What hangs
    below hands alone is a pendulum and left alone.
    """
    x, z = centres.T
    low, high = spans.T
    speed = np.gradient(x, 1.0 / rate_hz) if len(x) > 1 else np.zeros(1)
    held = path.grasps >= 0
    lowest = np.where(held, ends[:, :, 1], np.inf).min(axis=1)
    carried = x + speed * np.sqrt(np.maximum(0.0, z - np.where(np.isfinite(lowest), lowest, z)) / GRAVITY_M_S2)
    # Hands alone neither catch a body by its momentum nor, where it hangs below them, need it above them.
    hands_only = np.any(held[:, :2], axis=1) & ~np.any(held[:, 2:], axis=1)
    carried = np.where(hands_only, x, carried)
    hanging = hands_only & (z < np.where(held, ends[:, :, 1], np.inf).min(axis=1))
    behind = (x < low) & (carried < low)
    ahead = (x > high) & (carried > high)
    push = np.where(behind, low - np.maximum(carried, x) + SPARE_M, 0.0)
    push = np.where(ahead, high - np.minimum(carried, x) - SPARE_M, push)
    push[hanging | (low > high)] = 0.0
    takes = np.flatnonzero(np.any((path.grasps[1:] != path.grasps[:-1]) & (path.grasps[1:] >= 0), axis=1)) + 1
    soon = math.floor(CAUGHT_WITHIN_S * rate_hz)
    for frame in np.flatnonzero(push):
        after = takes[(takes > frame) & (takes <= frame + soon)]
        if np.any((low[after] <= x[frame]) & (x[frame] <= high[after])):
            push[frame] = 0.0
    return np.where(np.abs(push) <= MOST_M, push, 0.0)


def spread(push: FloatArray, rate_hz: float) -> FloatArray:
    """Return pushes that come and go smoothly and are at least as large."""
    count = max(2, math.ceil(SPREAD_S * rate_hz))
    result = push.copy()
    for away in range(1, count):
        factor = 0.5 + 0.5 * math.cos(math.pi * away / count)
        for shifted in (np.roll(push, away), np.roll(push, -away)):
            larger = np.abs(factor * shifted) > np.abs(result)
            result = np.where(larger, factor * shifted, result)
    t = np.minimum(np.arange(len(push)), np.arange(len(push))[::-1]) / count
    return result * np.minimum(1.0, t) ** 2
