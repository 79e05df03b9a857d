"""The tables that a network is learned from and unrolled by, as the kernels take them.

D: numbers of a frame, scaled by their spread.  N: instances.  M: pairs.  L: sequences, or clips.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array


class Instances(NamedTuple):
    """All runs of three frames: two frames, and how the third differs from the second."""

    table: FloatArray  # (2D, N) numbers of the two frames
    speeds: FloatArray  # (D, N) from the first to the second, in spreads of speed, weighted
    deltas: FloatArray  # (D, N) from the second to the third
    clips: Int64Array  # (N,) the sequence of each instance
    phases: FloatArray  # (N,) share of the sequence at the second frame; above one after its end
    frames: Int64Array  # (N,) the second frame
    speed_scale: FloatArray  # (D,) factor from differences between scaled numbers to speeds
    least_sigma: FloatArray  # (D,) smallest standard deviations believed

    @property
    def degrees(self) -> int:
        """D: the degrees of freedom."""
        return len(self.speeds)

    def without(self, clip: int) -> Instances:
        """Return the instances of all other sequences."""
        kept = self.clips != clip
        return self._replace(
            **{name: np.ascontiguousarray(getattr(self, name)[:, kept]) for name in ("table", "speeds", "deltas")},
            **{name: getattr(self, name)[kept] for name in ("clips", "phases", "frames")},
        )


class Pairs(NamedTuple):
    """First frames of sequences, two by two: the data of the prior network."""

    table: FloatArray  # (2D, M)
    clips: Int64Array  # (M,) the sequence of each pair
    by_change: bool  # the second frame is predicted as the first plus a change; L09 predicts it as it is

    @property
    def degrees(self) -> int:
        """D: the degrees of freedom."""
        return len(self.table) // 2

    def targets(self, node: int) -> FloatArray:
        """Return what is predicted (M,) of a node."""
        if self.by_change and node >= self.degrees:
            return self.table[node] - self.table[node - self.degrees]
        return self.table[node]


class ParentLists(NamedTuple):
    """The parents of all nodes, one list after another."""

    starts: Int64Array  # (nodes + 1,) where each node's list begins
    nodes: Int64Array


class Frames(NamedTuple):
    """A motion that is being unrolled."""

    values: FloatArray  # (F, D)
    means: FloatArray  # (F, D) the values without chance
    sigmas: FloatArray  # (F, D) standard deviations
    held: BoolArray  # (D,) numbers whose values are given
    noise: FloatArray  # (F, D) chance, in standard deviations
    clip_weights: FloatArray  # (F, L)


class FirstFrames(NamedTuple):
    """The first two frames of a motion, one after the other."""

    nodes: FloatArray  # (2D,)
    means: FloatArray  # (2D,)
    sigmas: FloatArray  # (2D,)
    given: BoolArray  # (2D,) nodes that are known
    noise: FloatArray  # (2D,) chance, in standard deviations
    clip_weights: FloatArray  # (L,)


class Window(NamedTuple):
    """Where the nearest pose is looked for, around the phase of the frame before."""

    back: float  # share of a motion
    ahead: float  # share of a motion
    cyclic: bool


class MotionProgress(NamedTuple):
    """How far a motion has come."""

    reached: FloatArray  # (F,) phase; never less than in the frame before
    votes: FloatArray  # (F, P) share of the nearest poses in which a point rests


class Toggles(NamedTuple):
    """Edges into one node, each tried by itself."""

    edges: Int64Array  # (C,) the other node of the edge; -1: no edge
    signs: FloatArray  # (C,) 1 adds the edge, -1 takes it away


class Room(NamedTuple):
    """Arrays to work in; for one thread."""

    whole: FloatArray  # (N,)
    squared: FloatArray  # (N,)
    near: FloatArray  # (K,) for the nearest
    which: Int64Array  # (K,)

    @classmethod
    def of(cls, columns: int, most: int) -> Room:
        """Return room for tables of some columns and for some neighbours."""
        return cls(np.empty(columns), np.empty(columns), np.empty(most), np.empty(most, np.int64))
