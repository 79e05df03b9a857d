"""A model of how similar motions differ, whatever its preset: learn it once, and draw any number of new motions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import Contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.skeleton import same_bones
from gambol.variation.examples import LEAST_FRAMES, Example, Examples

#: Our own first; then the thesis's network, kept inside the data ("stable") and as printed ("paper").
PRESETS = ("registered", "stable", "paper")
DEFAULT_PRESET = "registered"  # the preset that models are learned by unless another is named
MOST_AMOUNT = 3.0  # largest amount of variation allowed, where 1 varies as the examples do
MOST_SECONDS = 3600.0  # longest stream made in one call
Progress = Callable[[str, float], None]  # called with the name of the work, and the share of it that is done


class Drawn(NamedTuple):
    """A new motion as numbers."""

    values: FloatArray  # (F, D)
    means: FloatArray  # (F, D) the values without chance, frame by frame
    planted: BoolArray  # (F, P) which points of the examples' contacts rest on the ground
    #: (F, P, 2) how planted points slide, as captured ones do a little: metres since the frame before, in the axes of
    #: the root's heading then (or of the world, for an absolute root); empty where they rest.
    slides: FloatArray = np.zeros((0, 0, 2))


class Sampler(Protocol):
    """What a preset has learned.  It is a frozen value; all chance comes from the generator argument."""

    def draw(self, rng: np.random.Generator, *, amount: float) -> Drawn:
        """Return a new motion with a length of its own; amount: 0 is the mean motion, 1 varies as the examples do."""
        ...

    def stream(self, rng: np.random.Generator, *, amount: float) -> Iterator[Drawn]:
        """Return pieces of an endless motion; each goes on where the one before ended."""
        ...

    def from_clip(self, example: Example, rng: np.random.Generator, *, amount: float) -> Drawn:
        """Return a variant of one motion that is not among the examples [L09 figure 5.5]."""
        ...

    def given(self, fixed: FloatArray, held: BoolArray, rng: np.random.Generator, *, amount: float) -> Drawn:
        """Return a motion whose held (D,) numbers are those of fixed (F, D), and whose others vary with them."""
        ...

    def log_likelihood(self, values: FloatArray, *, among: BoolArray | None = None) -> float:
        """Return how well the model predicts a motion (F, D), per frame and degree of freedom.

        among: which of its numbers (D,) count; None: all.
        """
        ...

    def as_arrays(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Return what was learned, beyond the examples, as arrays and as plain values, for saving."""
        ...


class Variant(NamedTuple):
    """A new motion."""

    motion: Motion
    contacts: Contacts
    seed: int


@dataclass(frozen=True, eq=False)
class VariationModel:
    """Examples, and what a preset has learned from them.

    >>> model = learn(gather(walks, cyclic=True))
    >>> variants = [model.sample(seed) for seed in range(15)]
    """

    preset: str
    examples: Examples
    sampler: Sampler

    def sample(self, seed: int = 0, *, amount: float = 1.0, constrain: bool = True) -> Variant:
        """Return a new motion; the same seed returns the same one.

        amount: of variation; 0 is the mean motion, 1 varies as the examples do.
        constrain: keep planted feet and hands where they are [L09 5.5].
        """
        drawn = self.sampler.draw(generator_of(seed), amount=checked_amount(amount))
        return self.finish(drawn, seed=seed, constrain=constrain)

    def sample_stream(self, seconds: float, seed: int = 0, *, amount: float = 1.0, constrain: bool = True) -> Variant:
        """Return the beginning of an endless motion, of cyclic examples: new cycles, each going on from the last."""
        if not self.examples.cyclic:
            raise InvalidInput("an endless motion needs cyclic examples: each has to end where the next may begin")
        if not (np.isfinite(seconds) and 0.0 < seconds <= MOST_SECONDS):
            raise InvalidInput(f"a stream lasts up to {MOST_SECONDS:g} seconds, not {seconds}")
        frames = round(seconds * self.examples.rate_hz) + 1
        if frames < LEAST_FRAMES:
            raise InvalidInput(
                f"a stream of {seconds:g} s is too short: {frames} frames, at least {LEAST_FRAMES} expected"
            )
        pieces: list[Drawn] = []
        for piece in self.sampler.stream(generator_of(seed), amount=checked_amount(amount)):
            pieces.append(piece)
            if sum(len(one.values) for one in pieces) >= frames:
                break
        drawn = Drawn(*(np.concatenate(parts)[:frames] for parts in zip(*pieces, strict=True)))
        return self.finish(drawn, seed=seed, constrain=constrain)

    def sample_of(self, example: Example, seed: int = 0, *, amount: float = 1.0, constrain: bool = True) -> Variant:
        """Return a variant of one motion that is not among the examples [L09 figure 5.5]."""
        if not same_bones(example.motion.skeleton, self.examples.skeleton):
            raise InvalidInput(f"{example.name} has other bones than the examples that the model was learned from")
        drawn = self.sampler.from_clip(example, generator_of(seed), amount=checked_amount(amount))
        return self.finish(drawn, seed=seed, constrain=constrain)

    def samples(
        self,
        seeds: Sequence[int],
        *,
        amount: float = 1.0,
        constrain: bool = True,
        stream_s: float | None = None,
        of: Example | None = None,
        progress: Progress | None = None,
    ) -> list[Variant]:
        """Return a motion for each seed: a new one, a stream of a length, or a variant of one motion."""
        sample = self.sample
        if of is not None:
            sample = partial(self.sample_of, of)
        elif stream_s is not None:
            sample = partial(self.sample_stream, stream_s)
        made = []
        for number, seed in enumerate(seeds):
            if progress is not None:
                progress("making variants", number / len(seeds))
            made.append(sample(seed, amount=amount, constrain=constrain))
        return made

    def finish(self, drawn: Drawn, *, seed: int = 0, constrain: bool = True) -> Variant:
        """Turn drawn numbers into a motion of the examples' skeleton."""
        points = self.examples.items[0].contacts.points
        contacts = Contacts(points, drawn.planted, Ground(0.0))
        if constrain:
            from gambol.variation.constraints.constrained import constrained

            motion = constrained(self.examples, drawn, contacts, printed=self.preset == "paper")
            return Variant(motion, contacts, seed)
        return Variant(self.examples.encoding.decode(drawn.values), contacts, seed)


def learn(
    examples: Examples,
    *,
    preset: str = DEFAULT_PRESET,
    seed: int = 0,
    held: Sequence[str] = (),
    progress: Progress | None = None,
) -> VariationModel:
    """Learn how examples differ.

    seed: for the restarts of a network's search.
    held: joints whose numbers never vary, while others may depend on them; the root's name holds the root's six.
    progress: called with the name of the work and the share done; may raise to interrupt, and leaves nothing behind.
    """
    if preset not in PRESETS:
        raise UnknownName("preset of variation", preset, PRESETS)
    check_seed(seed)
    mask = examples.encoding.of_joints(held)  # (D,)
    if preset == "registered":
        from gambol.variation.registered.sampler import learn_registered

        return VariationModel(preset, examples, learn_registered(examples, held=mask, progress=progress))
    from gambol.variation.network.sampler import learn_network

    sampler = learn_network(examples, preset=preset, seed=seed, held=mask, progress=progress)
    return VariationModel(preset, examples, sampler)


def restored(preset: str, examples: Examples, arrays: dict[str, np.ndarray], values: dict[str, Any]) -> Sampler:
    """Return the sampler of a preset from the examples and from what `as_arrays` gave."""
    if preset == "registered":
        from gambol.variation.registered.sampler import RegisteredSampler

        return RegisteredSampler.from_arrays(examples, arrays, values)
    from gambol.variation.network.sampler import NetworkSampler

    return NetworkSampler.from_arrays(examples, arrays, values)


def generator_of(seed: int) -> np.random.Generator:
    """Return the generator of all chance in one motion."""
    check_seed(seed)
    return np.random.default_rng(seed)


def check_seed(seed: int) -> None:
    """Raise if a number is no seed."""
    if seed < 0:
        raise InvalidInput(f"a seed is a whole number from 0 on, not {seed}")


def checked_amount(amount: float) -> float:
    """Return an amount of variation, if it is one."""
    if not (np.isfinite(amount) and 0.0 <= amount <= MOST_AMOUNT):
        raise InvalidInput(f"an amount of variation from 0 to {MOST_AMOUNT:g} expected, not {amount}")
    return float(amount)
