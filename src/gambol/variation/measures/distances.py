"""Distances between motions: how much variants change, and whether anything repeats.

Motions are compared at equal shares of their time, by the places of their joints in the root's frame: the body's bends
count, not its place or direction.  Joints that are noise are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion import edits
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.variation.encoding import NOISY
from gambol.variation.examples import Examples

PHASES = 60  # number of phases at which two motions are compared, from the first frame to the last
REPEAT_M = 0.001  # metres, root mean square over joints and phases: closer motions are the same
LEAST_SHARE = 0.5  # share of the inputs' median distance to the nearest: variants closer than this are repetitive


class Change(NamedTuple):
    """How much variants differ from inputs: squared distances (m²) over pairs of a variant and an input [L09 5.6.4]."""

    mean: float
    deviation: float

    def includes(self, change: float) -> bool:
        """Return whether a change is within one standard deviation of the mean."""
        return abs(change - self.mean) <= self.deviation

    @property
    def rms_m(self) -> float:
        return self.mean**0.5


class Repetition(NamedTuple):
    """How near the cycles of a long sequence are to each other."""

    cycles: int
    repeats: int  # number of cycles that occur again
    nearest_m: FloatArray  # (cycles,) metres from each to the nearest other

    @property
    def median_m(self) -> float:
        return float(np.median(self.nearest_m))


def shape(motion: Motion) -> FloatArray:
    """Return the joints' places in the root's frame, at equal shares of the time (PHASES, K, 3), in metres."""
    return from_root(edits.sample(motion, np.linspace(0.0, motion.frame_count - 1, PHASES)))


def from_root(motion: Motion) -> FloatArray:
    """Return the joints' places in the root's frame, frame by frame (F, K, 3), in metres; noisy joints are left out."""
    joints = motion.world_positions[:, plain_joints(motion.skeleton)] - motion.root_positions[:, None]
    return quaternion.rotate(quaternion.conjugate(motion.rotations[:, :1]), joints)


def plain_joints(skeleton: Skeleton) -> NDArray[np.intp]:
    """Return the joints that are no fingers or other noise."""
    return np.array([joint for joint, name in enumerate(skeleton.names) if not NOISY.search(name)], np.intp)


def change(one: FloatArray, other: FloatArray) -> float:
    """Return the mean squared distance (m²) of two shapes' joints."""
    return float(np.mean(np.sum((one - other) ** 2, axis=-1)))


def change_of(examples: Examples, variants: Sequence[Motion]) -> Change:
    """Return how much variants differ from the examples, pair by pair."""
    if not variants:
        raise InvalidInput("at least one variant is needed to measure how much variants change")
    inputs = [shape(item.motion) for item in examples.items]
    made = [shape(variant) for variant in variants]
    changes = [change(variant, given) for variant in made for given in inputs]
    return Change(float(np.mean(changes)), float(np.std(changes)))


def distances(shapes: Sequence[FloatArray], others: Sequence[FloatArray] | None = None) -> FloatArray:
    """Return the root mean square distances (N, M) in metres of shapes from others, or from each other."""
    others = shapes if others is None else others
    return np.array([[change(one, other) for other in others] for one in shapes]) ** 0.5


def repetition(shapes: Sequence[FloatArray]) -> Repetition:
    """Return the distance of each cycle to the nearest other one."""
    if len(shapes) < 2:
        raise InvalidInput(f"at least two cycles are needed to look for repeats, not {len(shapes)}")
    between = distances(shapes)
    np.fill_diagonal(between, np.inf)
    nearest = between.min(axis=1)
    return Repetition(len(shapes), int(np.sum(nearest < REPEAT_M)), nearest)


def is_varied(variants: Repetition, inputs: Repetition) -> bool:
    """Return whether nothing repeats, and variants are at least half as far from their nearest as inputs are."""
    return variants.repeats == 0 and variants.median_m >= LEAST_SHARE * inputs.median_m
