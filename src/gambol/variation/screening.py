"""Which motions fit together well enough to learn from [L09 5.7].

Motions that are known to fit are split, again and again, into two and the rest; a model learned from the rest says how
likely the two are.  The tenth percentile of these likelihoods is the threshold.  A new set is split the same way; its
least likely motion is dropped while it lies below the threshold, and all are judged anew without it.  All may go.

Ours, where the thesis is silent: every model is learned from as many motions as those that set the threshold, as fewer
would make everything less likely; where a shrinking set has not enough, motions known to fit take their places, so that
the last one is judged by these alone.  And all are told by the same numbers (one encoding), so that likelihoods can be
compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.geometry.arrays import frozen_array
from gambol.variation.cuts import are_cyclic
from gambol.variation.examples import Example, Examples, gather
from gambol.variation.model import DEFAULT_PRESET, Progress, learn

FloatArray = NDArray[np.float64]
PERCENTILE = 10.0
LEFT_OUT = 2  # in each split
FEWEST_KNOWN = 4  # motions known to fit: models are then learned from two
ROUNDS = 3  # likelihoods of each motion


class Judged(NamedTuple):
    """A motion of the new set."""

    name: str
    log_likelihood: float  # when it was dropped, or at the end
    kept: bool


@dataclass(frozen=True, eq=False)
class Screening:
    """What became of a set of motions."""

    known: FloatArray  # (N,) log-likelihoods of motions known to fit, each by models learned from others
    threshold: float
    judged: tuple[Judged, ...]  # in the order of the set
    order: tuple[int, ...]  # indices of what was dropped, the first first

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", frozen_array(self.known))

    @property
    def kept(self) -> tuple[int, ...]:
        """Return the indices of what is left."""
        return tuple(index for index, one in enumerate(self.judged) if one.kept)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, ready for JSON."""
        return {
            "threshold": self.threshold,
            "known": self.known.tolist(),
            "judged": [one._asdict() for one in self.judged],
            "dropped": [self.judged[index].name for index in self.order],
        }

    def describe(self) -> str:
        """Return a line for what is left, and one for each that was dropped."""
        lines = [
            f"{self.judged[index].name} does not fit: log-likelihood {self.judged[index].log_likelihood:.2f}, "
            f"at least {self.threshold:.2f} expected"
            for index in self.order
        ]
        return "\n".join([f"{len(self.kept)} of {len(self.judged)} clips fit", *lines])


def screen(
    known: Sequence[Example],
    new: Sequence[Example],
    *,
    preset: str = DEFAULT_PRESET,
    rounds: int | None = ROUNDS,
    cyclic: bool | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Screening:
    """Drop from a new set what does not fit together as motions known to fit do.

    rounds: how many times each motion is left out with another one; None: once with every other, as all splits are.
    """
    if len(known) < FEWEST_KNOWN:
        raise InvalidInput(f"at least {FEWEST_KNOWN} motions that are known to fit expected, not {len(known)}")
    if not new:
        raise InvalidInput("there is no motion to be judged")
    cyclic = are_cyclic(known) if cyclic is None else cyclic
    both = gather([*known, *new], cyclic=cyclic)
    judge = _Judge(both, len(known), preset, seed)
    place = [*range(len(known))]
    scores = judge.scores(place, [], rounds, _told(progress, "known-good clips"))
    threshold = float(np.percentile(np.concatenate(scores), PERCENTILE))
    left = [*range(len(known), both.count)]
    order: list[int] = []
    likelihoods: dict[int, float] = {}
    while left:
        found = judge.scores(left, place, rounds, _told(progress, f"{len(left)} new clips"))
        likelihoods |= {index: float(np.mean(score)) for index, score in zip(left, found, strict=True)}
        least = min(left, key=lambda index: likelihoods[index])
        if likelihoods[least] >= threshold:
            break
        left.remove(least)
        order.append(least - len(known))
    judged = tuple(
        Judged(item.name, likelihoods[len(known) + index], len(known) + index in left) for index, item in enumerate(new)
    )
    return Screening(np.concatenate(scores), threshold, judged, tuple(order))


def rounds_of_pairs(count: int) -> list[list[tuple[int, ...]]]:
    """Return rounds in each of which everyone of so many is in one pair (or, of an odd number, one is alone).

    Over all rounds everyone is once with every other: the circle method of tournaments.
    """
    seats = [*range(count)] + ([-1] if count % 2 else [])
    rounds = []
    for _ in range(max(1, len(seats) - 1)):
        pairs = [(seats[k], seats[-1 - k]) for k in range(len(seats) // 2)]
        rounds.append([tuple(one for one in pair if one >= 0) for pair in pairs])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


class _Judge(NamedTuple):
    """Motions that are known to fit, first, and new ones, all told by the same numbers."""

    both: Examples
    known: int
    preset: str
    seed: int

    def scores(
        self, members: list[int], fillers: list[int], rounds: int | None, progress: Progress | None
    ) -> list[list[float]]:
        """Return log-likelihoods of each member by models learned from the others, filled up to a fixed number."""
        size = self.known - LEFT_OUT
        found: dict[int, list[float]] = {member: [] for member in members}
        splits = [pair for one in rounds_of_pairs(len(members))[:rounds] for pair in one]
        for number, pair in enumerate(splits):
            if progress is not None:
                progress("", number / len(splits))
            out = [members[k] for k in pair]
            others = [member for member in members if member not in out]
            others = _turned(others, number)[:size]
            others += _turned([one for one in fillers if one not in others], number)[: size - len(others)]
            model = learn(self._some(sorted(others)), preset=self.preset, seed=self.seed)
            for member in out:
                found[member].append(float(model.sampler.log_likelihood(self.both.values[member])))
        return [found[member] for member in members]

    def _some(self, chosen: list[int]) -> Examples:
        both = self.both
        items, values = zip(*((both.items[index], both.values[index]) for index in chosen), strict=True)
        return Examples(items, both.encoding, values, both.cyclic)


def _turned(values: list[int], by: int) -> list[int]:
    """Return a list that begins elsewhere, so that other ones of too many get their turn."""
    at = by % len(values) if values else 0
    return values[at:] + values[:at]


def _told(progress: Progress | None, whom: str) -> Progress | None:
    if progress is None:
        return None
    return lambda _, share: progress(f"judging {whom}", share)
