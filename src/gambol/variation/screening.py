"""Find the motions that fit together well enough to learn from [L09 5.7].

Split motions that are known to fit into two and the rest, again and again: a model of the rest says how likely the two
are.  The tenth percentile of these likelihoods is the threshold.  Split a new set the same way; drop its least likely
motion while that lies below the threshold, and judge all others anew.  All may be dropped.

Ours, where the thesis is silent or sees too little:
- Every model learns from the same number of motions as those that set the threshold, as fewer would make everything
  less likely.  Where a shrinking set has too few, motions known to fit fill it up: they alone judge the last one.
- One encoding serves all motions, so that likelihoods can be compared.
- Parts of the body are judged too, not only the whole: a mean over sixty numbers hides an arm.  The way over the ground
  is a part of its own: the thesis's numbers contain it, but ours are speeds, and a walk that turns does so by a little
  in every frame.  The worst part counts, in units of how much the motions known to fit differ in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray, FloatArray, frozen_array
from gambol.motion.joint_names import arms, legs
from gambol.variation.cuts import are_cyclic
from gambol.variation.encoding import ROOT_COUNT, Encoding, path_of
from gambol.variation.examples import Example, Examples, gather
from gambol.variation.model import DEFAULT_PRESET, Progress, VariationModel, learn

PERCENTILE = 10.0  # percentile of known likelihoods that is the threshold; larger: stricter
LEFT_OUT = 2  # motions left out in each split
FEWEST_KNOWN = 4  # least number of motions known to fit: models then learn from two
ROUNDS = 3  # number of likelihoods computed for each motion; larger: slower and more certain
MARGIN = 2.0  # factor on the threshold when judging by parts, as few motions are known to fit; larger: milder
LEAST_WIDTH = 0.05  # least width of a part's log-likelihoods: smaller differences say nothing
WHOLE = "whole"  # name of the part that is the whole body
WAY = "way"  # name of the part that is the way over the ground
PHASES = 20  # number of phases at which ways over the ground are compared
LEAST_WAY = np.array([0.03, 0.03, np.radians(2.0)])  # m, m, rad: least spreads of a way's x, y and heading


class Judged(NamedTuple):
    """The verdict on a motion of the new set, when it was dropped or at the end."""

    name: str
    log_likelihood: float  # that of the whole body, per frame and degree of freedom
    score: float  # the number compared with the threshold
    part: str  # the least likely part
    kept: bool


@dataclass(frozen=True, eq=False)
class Screening:
    """The verdicts on a set of motions."""

    known: FloatArray  # (N,) scores of motions known to fit, each by models learned from others
    threshold: float
    judged: tuple[Judged, ...]  # in the order of the set
    order: tuple[int, ...]  # indices of dropped motions, in the order of dropping
    by_parts: bool  # whether scores are widths; else they are log-likelihoods

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", frozen_array(self.known))

    @property
    def kept(self) -> tuple[int, ...]:
        """Return the indices of the motions that are left."""
        return tuple(index for index, one in enumerate(self.judged) if one.kept)

    def as_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, ready for JSON."""
        return {
            "by_parts": self.by_parts,
            "threshold": self.threshold,
            "known": self.known.tolist(),
            "judged": [one._asdict() for one in self.judged],
            "dropped": [self.judged[index].name for index in self.order],
        }

    def describe(self) -> str:
        """Return a line on the motions left, and one on each that was dropped."""
        lines = [f"{len(self.kept)} of {len(self.judged)} clips fit"]
        for one in (self.judged[index] for index in self.order):
            lines.append(f"{one.name} does not fit: {one.part} {one.score:.1f}, at least {self.threshold:.1f} expected")
        return "\n".join(lines)


def screen(
    known: Sequence[Example],
    new: Sequence[Example],
    *,
    preset: str = DEFAULT_PRESET,
    rounds: int | None = ROUNDS,
    by_parts: bool = True,
    cyclic: bool | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Screening:
    """Drop from a new set the motions that do not fit together as motions known to fit do.

    rounds: number of times to leave out each motion with another one; None: once with every other one.
    by_parts: judge the body's parts too; else the whole alone, as the thesis does.
    """
    if len(known) < FEWEST_KNOWN:
        raise InvalidInput(f"at least {FEWEST_KNOWN} motions that are known to fit expected, not {len(known)}")
    if not new:
        raise InvalidInput("there is no motion to judge")
    cyclic = are_cyclic(known) if cyclic is None else cyclic
    both = gather([*known, *new], cyclic=cyclic)
    parts = body_parts(both.encoding) if by_parts else {WHOLE: np.ones(both.encoding.count, dtype=bool)}
    judge = _Judge(both, len(known), parts, preset, seed)
    first = [*range(len(known))]
    seen = np.concatenate(judge.likelihoods(first, [], rounds, _told(progress, "known-good clips")))  # (N, P)
    scale = _Scale.of(seen) if by_parts else _Scale(np.zeros(1), np.ones(1))
    threshold = (MARGIN if by_parts else 1.0) * float(np.percentile(scale.scores(seen).min(axis=1), PERCENTILE))
    left = [*range(len(known), both.count)]
    order: list[int] = []
    found: dict[int, FloatArray] = {}
    while left:
        judged = judge.likelihoods(left, first, rounds, _told(progress, f"{len(left)} new clips"))
        found |= {index: one.mean(axis=0) for index, one in zip(left, judged, strict=True)}
        worst = {index: float(scale.scores(found[index]).min()) for index in left}
        least = min(left, key=lambda index: worst[index])
        if worst[least] >= threshold:
            break
        left.remove(least)
        order.append(least - len(known))
    verdicts = []
    for index, item in enumerate(new, start=len(known)):
        scores = scale.scores(found[index])
        part = tuple(parts)[int(scores.argmin())]
        verdicts.append(Judged(item.name, float(found[index][0]), float(scores.min()), part, index in left))
    return Screening(scale.scores(seen).min(axis=1), threshold, tuple(verdicts), tuple(order), by_parts)


def body_parts(encoding: Encoding) -> dict[str, BoolArray]:
    """Return the numbers (D,) of each part of a body; parts without any are left out."""
    columns = np.arange(encoding.count)
    skeleton = encoding.skeleton
    parts = {WHOLE: columns >= 0, WAY: columns < 3, "stance": (columns >= 3) & (columns < ROOT_COUNT)}
    limbs = np.zeros(encoding.count, dtype=bool)
    for kind, found in (("arm", arms(skeleton)), ("leg", legs(skeleton))):
        for limb in found:
            own = skeleton.is_below(limb.root)[encoding.joints] & (columns >= ROOT_COUNT)
            parts[f"{limb.side} {kind}"] = own
            limbs |= own
    parts["trunk"] = (columns >= ROOT_COUNT) & ~limbs
    return {name: own for name, own in parts.items() if own.any()}


def way_log_likelihood(examples: Examples, values: FloatArray) -> float:
    """Return the log-likelihood of a motion's way over the ground (F, D) among the examples', per phase and number.

    At each phase x, y and heading are Gaussian, as wide as the examples' are, and a little wider as these are few.
    """
    ways = np.stack([_way(examples, one) for one in examples.values])  # (L, N, 3)
    width = np.maximum(ways.std(axis=0, ddof=1) if len(ways) > 1 else 0.0, LEAST_WAY) * np.sqrt(1.0 + 1.0 / len(ways))
    off = (_way(examples, values) - ways.mean(axis=0)) / width
    return float(np.mean(-0.5 * off**2 - np.log(width / LEAST_WAY) - 0.5 * np.log(2.0 * np.pi)))


def _way(examples: Examples, values: FloatArray) -> FloatArray:
    """Return x, y and heading (N, 3) from the first frame, at equal shares of the time after it."""
    path = path_of(values, examples.rate_hz)
    at = np.linspace(0.0, len(path) - 1.0, PHASES + 1)[1:]
    return np.column_stack([np.interp(at, np.arange(len(path)), column) for column in path.T])


class _Scale(NamedTuple):
    """The usual log-likelihood of each part."""

    middle: FloatArray  # (P,)
    width: FloatArray  # (P,)

    @classmethod
    def of(cls, known: FloatArray) -> _Scale:
        """Return the median of (N, P), and how far below it the tenth percentile is."""
        middle = np.median(known, axis=0)
        return cls(middle, np.maximum(middle - np.percentile(known, PERCENTILE, axis=0), LEAST_WIDTH))

    def scores(self, likelihoods: FloatArray) -> FloatArray:
        """Return log-likelihoods (..., P) as widths above the median."""
        return (likelihoods - self.middle) / self.width


def rounds_of_pairs(count: int) -> list[list[tuple[int, ...]]]:
    """Return rounds of pairs in which each of `count` members occurs once (one is alone if `count` is odd).

    Over all rounds every member meets every other once: the circle method of tournaments.
    """
    seats = [*range(count)] + ([-1] if count % 2 else [])
    rounds = []
    for _ in range(max(1, len(seats) - 1)):
        pairs = [(seats[k], seats[-1 - k]) for k in range(len(seats) // 2)]
        rounds.append([tuple(one for one in pair if one >= 0) for pair in pairs])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


class _Judge(NamedTuple):
    """Motions that are known to fit, and new ones after them, in one encoding."""

    both: Examples
    known: int  # number of motions known to fit
    parts: dict[str, BoolArray]  # the whole is first
    preset: str
    seed: int

    def likelihoods(
        self, members: list[int], fillers: list[int], rounds: int | None, progress: Progress | None
    ) -> list[FloatArray]:
        """Return log-likelihoods (splits, P) of each member by models that learn from a fixed number of others."""
        size = self.known - LEFT_OUT
        found: dict[int, list[list[float]]] = {member: [] for member in members}
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
                found[member].append(self._of_parts(model, self.both.values[member]))
        return [np.array(found[member]) for member in members]

    def _of_parts(self, model: VariationModel, values: FloatArray) -> list[float]:
        sampler, travels = model.sampler, self.both.encoding.root == "travelling"
        found = []
        for name, part in self.parts.items():
            if name == WAY and travels:
                found.append(way_log_likelihood(model.examples, values))
            else:
                found.append(sampler.log_likelihood(values, among=None if name == WHOLE else part))
        return found

    def _some(self, chosen: list[int]) -> Examples:
        both = self.both
        items, values = zip(*((both.items[index], both.values[index]) for index in chosen), strict=True)
        return Examples(items, both.encoding, values, both.cyclic)


def _turned(values: list[int], by: int) -> list[int]:
    """Return a list that begins elsewhere: where only a part of it is used, each member gets its turn."""
    at = by % len(values) if values else 0
    return values[at:] + values[:at]


def _told(progress: Progress | None, what: str) -> Progress | None:
    if progress is None:
        return None
    return lambda _, share: progress(f"judging {what}", share)
