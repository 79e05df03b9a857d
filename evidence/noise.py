"""Simpler ways to many motions from few, for comparison: noise on one input, and random repeats [L09 5.6.3, 5.6.4].

The naive noise is that of the thesis: bring the inputs to one length, measure the deviation of each degree of freedom
at each share of the time, and add smoothed noise of that size to one input.  The other noise is Perlin's: band-limited,
as large as the degree of freedom moves.  Both are adjusted until they change an input as much as given variants do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import scipy

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import BoolArray, FloatArray
from gambol.motion import Motion, arms, edits, legs
from gambol.variation import Change, Drawn, Encoding, Examples, change, shape
from gambol.variation.encoding import ROOT_COUNT
from gambol.variation.measures.distances import PHASES

NoiseKind = Literal["naive", "perlin"]
NOISES: tuple[NoiseKind, ...] = ("naive", "perlin")
PARTS = ("left arm", "right leg", "all joints")
SMOOTHING_S = 0.1  # seconds: standard deviation of the bell that smooths naive noise; larger: slower noise
BAND_HZ = 2.0  # lattice values a second of Perlin noise; larger: faster noise
LARGEST = 64.0  # largest noise tried, in multiples of its size by the statistics
CHANGE_TOLERANCE = 0.01  # share of the wanted change at which the search for a size ends
HALVINGS = 60  # the most steps of that search


def part_of(encoding: Encoding, part: str) -> BoolArray:
    """Return which numbers (D,) noise is added to: shoulder and elbow, hip and knee, or all joints but the root."""
    if part not in PARTS:
        raise UnknownName("part of the body", part, PARTS)
    chosen = np.zeros(encoding.count, bool)
    chosen[ROOT_COUNT:] = True
    if part == "all joints":
        return chosen
    side, limb = part.split()
    limbs = [one for one in (arms if limb == "arm" else legs)(encoding.skeleton) if one.side == side]
    if not limbs:
        raise InvalidInput(f"the skeleton has no {part} to add noise to")
    return chosen & np.isin(encoding.joints, (limbs[0].root, limbs[0].middle))


def perlin(rng: np.random.Generator, times_s: FloatArray, count: int, *, band_hz: float = BAND_HZ) -> FloatArray:
    """Return band-limited noise (F, count) at some times: random slopes on a lattice, faded from one to the next."""
    at = (times_s - times_s[0]) * band_hz
    cell = np.floor(at).astype(np.intp)
    slopes = rng.uniform(-1.0, 1.0, (cell[-1] + 2, count))
    inside = (at - cell)[:, None]
    fade = inside**3 * (inside * (6.0 * inside - 15.0) + 10.0)
    return (1.0 - fade) * slopes[cell] * inside + fade * slopes[cell + 1] * (inside - 1.0)


def smoothed(rng: np.random.Generator, frames: int, count: int, sigma_frames: float) -> FloatArray:
    """Return white noise (frames, count), smoothed in time, with a standard deviation of one."""
    white = rng.standard_normal((frames, count))
    soft = scipy.ndimage.gaussian_filter1d(white, sigma_frames, axis=0, mode="wrap")
    impulse = np.zeros(frames)
    impulse[frames // 2] = 1.0
    return soft / np.linalg.norm(scipy.ndimage.gaussian_filter1d(impulse, sigma_frames, mode="wrap"))


def with_noise(examples: Examples, kind: NoiseKind, part: str, rng: np.random.Generator, *, size: float = 1.0) -> Drawn:
    """Return one of the inputs with noise; size: 1 is as large as the statistics of the inputs say."""
    source, noise = _noise(examples, kind, part, rng)
    return _added(examples, source, size * noise)


def adjusted_noise(
    examples: Examples, kind: NoiseKind, part: str, rng: np.random.Generator, *, wanted: Change
) -> Drawn:
    """Return one of the inputs with noise that changes it as much as variants do on average.

    The change is that from the input itself; halving finds the size.  Joints that bend back and forth cannot change a
    motion by any amount: where noise cannot reach the average, it reaches one standard deviation less.
    """
    source, noise = _noise(examples, kind, part, rng)
    encoding = examples.encoding
    given = shape(encoding.decode(examples.values[source]))

    def changed(size: float) -> float:
        values = examples.values[source] + size * noise
        return change(shape(encoding.decode(values)), given)

    for target in (wanted.mean, wanted.mean - (1.0 - CHANGE_TOLERANCE) * wanted.deviation):
        size = _size_that_changes(changed, target)
        if size is not None:
            return _added(examples, source, size * noise)
    raise InvalidInput(f"noise on the {part} cannot change a motion as much as {wanted.rms_m * 100.0:.1f} cm")


def _size_that_changes(changed: Callable[[float], float], target: float) -> float | None:
    """Return the size of noise that changes a motion by the target, or None where none does."""
    low, high = 0.0, 1.0
    while changed(high) < target:
        low, high = high, 2.0 * high
        if high > LARGEST:
            return None
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        found = changed(middle)
        if abs(found - target) <= CHANGE_TOLERANCE * target:
            return middle
        low, high = (middle, high) if found < target else (low, middle)
    return None


def _noise(examples: Examples, kind: NoiseKind, part: str, rng: np.random.Generator) -> tuple[int, FloatArray]:
    """Return which input noise is added to, and the noise (F, D) at size one."""
    if kind not in NOISES:
        raise UnknownName("noise", kind, NOISES)
    source = int(rng.integers(examples.count))
    frames, degrees = examples.values[source].shape
    chosen = part_of(examples.encoding, part)
    if kind == "naive":
        if examples.count < 2:
            raise InvalidInput("naive noise takes its size from how inputs differ: at least two inputs expected")
        noise = smoothed(rng, frames, degrees, SMOOTHING_S * examples.rate_hz) * _deviations(examples, frames)
    else:
        noise = perlin(rng, np.arange(frames) / examples.rate_hz, degrees) * examples.encoding.spread
    return source, np.where(chosen, noise, 0.0)


def _deviations(examples: Examples, frames: int) -> FloatArray:
    """Return how much each number deviates between inputs of one length, frame by frame (F, D)."""
    warped = np.stack([_at_phases(values, PHASES) for values in examples.values])
    return _at_phases(warped.std(axis=0, ddof=1), frames)


def _at_phases(values: FloatArray, count: int) -> FloatArray:
    at = np.linspace(0.0, len(values) - 1, count)
    before = np.minimum(at.astype(np.intp), len(values) - 2)
    share = (at - before)[:, None]
    return (1.0 - share) * values[before] + share * values[before + 1]


def _added(examples: Examples, source: int, noise: FloatArray) -> Drawn:
    given = examples.values[source]
    return Drawn(given + noise, np.array(given), np.array(examples.planted[source]))


class CycleAnimation(NamedTuple):
    """A long motion of random repeats."""

    motion: Motion
    sources: tuple[int, ...]  # which input each cycle is
    firsts: tuple[int, ...]  # the frame at which each begins; one more than cycles: the last frame ends the last one

    def cycles(self) -> list[Motion]:
        """Return the cycles by themselves."""
        ends = zip(self.firsts[:-1], self.firsts[1:], strict=True)
        return [edits.cut(self.motion, first, last) for first, last in ends]


def cycle_animation(examples: Examples, rng: np.random.Generator, *, count: int = 15) -> CycleAnimation:
    """Return inputs in random order, one after another [L09 5.6.3].

    All are first bent to begin and to end in one pose, the mean of their ends: then any may follow any.
    """
    if count < 1:
        raise InvalidInput(f"at least one cycle expected, not {count}")
    bent = _with_one_seam(examples.values, 3 if examples.encoding.root == "travelling" else 0)
    sources = tuple(int(source) for source in rng.integers(examples.count, size=count))
    pieces = [bent[sources[0]], *(bent[source][1:] for source in sources[1:])]
    firsts = np.cumsum([0, *(len(bent[source]) - 1 for source in sources)])
    return CycleAnimation(examples.encoding.decode(np.concatenate(pieces)), sources, tuple(int(f) for f in firsts))


def _with_one_seam(values: Sequence[FloatArray], speeds: int) -> list[FloatArray]:
    """Bend motions so that all begin and end in one pose; their first numbers, the speeds, stay."""
    seam = np.mean([one[at] for one in values for at in (0, -1)], axis=0)
    found = []
    for one in values:
        share = np.linspace(0.0, 1.0, len(one))[:, None]
        ending = share * share * (3.0 - 2.0 * share)
        bend = (1.0 - ending) * (seam - one[0]) + ending * (seam - one[-1])
        bend[:, :speeds] = 0.0
        found.append(one + bend)
    return found
