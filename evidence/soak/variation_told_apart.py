"""Whether made motions can be told from captured ones, fairly and by take.

A classifier learns to tell motions made from some takes from captures, and is tried on motions made from other takes
and on other captures: never does it meet a take again.  No capture was seen by what made the motions beside it.

Where takes have two cycles (walks), they are split four and four; one cycle of each take is learned from, the other is
the capture, by lot.  Where they have one (jumps), each of eight takes has a part of its own: three are learned from and
one is the capture for the classifier to learn, and three and one for it to be tried on.  Chance is one half in both.
Real against real is the same, with the very cycles that are learned from in place of those that were made.

Two figures are told.  Accuracy: the classifier knows how many motions of a trial were made, calls made those that seem
so most, and is right about so many of the made and of the real, on average of both.  Area under the curve (AUC): given
one of each, it knows which is which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from evidence.soak.variation_features import Features, Looker, stacked
from gambol.motion import Motion
from gambol.variation import Example

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
TREES = 60
KEPT_VARIANCE = 0.98  # by principal components
STRENGTH = 0.1  # of what the logistic regression may fit, against its regularisation
BOOTSTRAPS = 2000
CONFIDENCE = (2.5, 97.5)  # percentiles
MOST_SEEN = 5  # features that are named
#: What a classifier is, by what it looks at and how.
CLASSIFIERS = ("clip, linear", "clip, trees", "windows, linear", "windows, trees")

Made = Sequence[tuple[tuple[int, ...], Motion]]  # motions, with the takes that they are made from
Look = Callable[[Motion], tuple[Features, Features]]  # what is seen of a motion as a whole, and of its windows


Cycle = tuple[int, int]  # take, and which of its cycles


class Side(NamedTuple):
    """What a classifier learns from, or is tried on."""

    learned: tuple[Cycle, ...]  # that motions are made from
    real: tuple[Cycle, ...]  # to be told from them


class Trial(NamedTuple):
    """A classifier learns from one side and is tried on the other."""

    train: Side
    test: Side


class Outcome(NamedTuple):
    """What a classifier said of one motion that it had not seen."""

    trial: int  # those of one trial were tried together
    takes: tuple[int, ...]  # that the motion comes from
    made: bool
    score: float  # how much it seems to be made, about 0.5


@dataclass(frozen=True)
class Takes:
    """Captures of one kind, by take: one cycle each, or two."""

    cycles: tuple[tuple[Example, ...], ...]

    @property
    def count(self) -> int:
        return len(self.cycles)

    def motions(self, cycles: Sequence[Cycle]) -> list[Example]:
        return [self.cycles[take][cycle] for take, cycle in cycles]


def by_take(examples: Sequence[Example]) -> Takes:
    """Gather cycles by the take that their names begin with."""
    found: dict[str, list[Example]] = {}
    for example in examples:
        found.setdefault(example.name.split()[0], []).append(example)
    return Takes(tuple(tuple(cycles) for cycles in found.values()))


def trials(takes: Takes, count: int, seed: int = 0) -> list[Trial]:
    """Return different trials at random; each is followed by the same one the other way round."""
    rng = np.random.default_rng(seed)
    found: dict[frozenset[Side], None] = {}
    while len(found) < (count + 1) // 2:
        order = [int(take) for take in rng.permutation(takes.count)]
        half = takes.count // 2
        sides = [_side(takes, sorted(part), rng) for part in (order[:half], order[half:])]
        found.setdefault(frozenset(sides))
    pairs = [tuple(sides) for sides in found]
    return [Trial(*way) for one, other in pairs for way in ((one, other), (other, one))][:count]


def _side(takes: Takes, part: Sequence[int], rng: np.random.Generator) -> Side:
    if len(takes.cycles[part[0]]) == 1:
        real = int(rng.integers(len(part)))
        return Side(tuple((take, 0) for take in part if take != part[real]), ((part[real], 0),))
    chosen = [int(rng.integers(2)) for _ in part]
    return Side(tuple(zip(part, chosen, strict=True)), tuple((t, 1 - c) for t, c in zip(part, chosen, strict=True)))


class Seen:
    """What is seen of motions, kept: captures are looked at again and again."""

    def __init__(self, looker: Looker) -> None:
        self._looker = looker
        self._kept: dict[int, tuple[Motion, Features, Features]] = {}

    def __call__(self, motion: Motion) -> tuple[Features, Features]:
        kept = self._kept.get(id(motion))
        if kept is None:
            kept = (motion, self._looker.clip(motion), self._looker.windows(motion))
            self._kept[id(motion)] = kept
        return kept[1], kept[2]


class Trials:
    """Outcomes of all classifiers for one way of making motions, and what they go by."""

    def __init__(self, classifiers: Sequence[str] = CLASSIFIERS) -> None:
        self._classifiers = classifiers
        self.outcomes: dict[str, list[Outcome]] = {name: [] for name in classifiers}
        self._weights: dict[str, list[FloatArray]] = {name: [] for name in classifiers}
        self._names: dict[str, Features] = {}
        self.count = 0

    def add(self, trial: Trial, takes: Takes, made: Sequence[Made], seen: Look) -> None:
        """Let all classifiers learn and be tried; made: motions of the one side and of the other."""
        train, test = (
            [*((of, True, seen(motion)) for of, motion in motions),
             *(((take,), False, seen(takes.cycles[take][cycle].motion)) for take, cycle in side.real)]
            for side, motions in zip(trial, made, strict=True)
        )  # fmt: skip
        for name in self._classifiers:
            self._try(name, train, test)
        self.count += 1

    def _try(self, name: str, train: list[Any], test: list[Any]) -> None:
        looked, how = name.split(", ")
        at = 0 if looked == "clip" else 1
        rows = stacked([features[at] for _, _, features in train])
        lengths = [len(features[at].table) for _, _, features in train]
        labels = np.repeat([made for _, made, _ in train], lengths)
        classifier = _linear() if how == "linear" else _trees(self.count)
        classifier.fit(rows.table, labels)
        scores = classifier.predict_proba(stacked([features[at] for _, _, features in test]).table)[:, 1]
        firsts = np.cumsum([0, *(len(features[at].table) for _, _, features in test)])
        for (of, made, _), first, last in zip(test, firsts, firsts[1:], strict=False):
            self.outcomes[name].append(Outcome(self.count, of, made, float(scores[first:last].mean())))
        if how == "trees":
            self._weights[name].append(classifier.feature_importances_)
            self._names[name] = rows

    def summary(self, seed: int = 0) -> dict[str, Any]:
        """Return accuracy and area under the curve of each classifier with intervals, and what it goes by."""
        found: dict[str, Any] = {}
        for name, outcomes in self.outcomes.items():
            found[name] = measured(outcomes, seed)
            if self._weights[name]:
                weights = np.mean(self._weights[name], axis=0)
                found[name]["goes by"] = _largest(weights, self._names[name])
        return found


def measured(outcomes: Sequence[Outcome], seed: int = 0) -> dict[str, Any]:
    """Return balanced accuracy and area under the curve with intervals from drawing takes again."""
    takes = 1 + max(take for outcome in outcomes for take in outcome.takes)
    shares = np.zeros((len(outcomes), takes))
    for row, outcome in zip(shares, outcomes, strict=True):
        np.add.at(row, list(outcome.takes), 1.0 / len(outcome.takes))
    made = np.array([outcome.made for outcome in outcomes])
    scores = np.array([outcome.score for outcome in outcomes])
    right = _right(outcomes)
    pairs = np.array(list(_pairs(outcomes)))
    wins = np.heaviside(scores[pairs[:, 0]] - scores[pairs[:, 1]], 0.5)

    rng = np.random.default_rng(seed)
    counts = rng.multinomial(takes, np.full(takes, 1.0 / takes), size=BOOTSTRAPS)
    each = shares @ np.vstack((np.ones(takes), counts)).T  # (N, 1 + B): as it is, then as drawn
    accuracies = 0.5 * (_weighed(right[made], each[made]) + _weighed(right[~made], each[~made]))
    areas = _weighed(wins, each[pairs[:, 0]] * each[pairs[:, 1]])
    intervals = [np.nanpercentile(found[1:], CONFIDENCE).round(4).tolist() for found in (accuracies, areas)]
    return {
        "accuracy": round(float(accuracies[0]), 4), "accuracy_interval": intervals[0],
        "auc": round(float(areas[0]), 4), "auc_interval": intervals[1],
        "made": int(made.sum()), "real": int((~made).sum()),
    }  # fmt: skip


def _weighed(values: FloatArray, weights: FloatArray) -> FloatArray:
    """Return means (B,) of values (N,) by weights (N, B); NaN where nothing weighs."""
    sums = weights.sum(axis=0)
    return np.where(sums > 0.0, values @ weights / np.where(sums > 0.0, sums, 1.0), np.nan)


def _right(outcomes: Sequence[Outcome]) -> FloatArray:
    """Return which motions (N,) are called what they are; where scores are equal, to which part."""
    right = np.empty(len(outcomes))
    for _, found in _by_trial(outcomes):
        scores = np.array([outcomes[at].score for at in found])
        made = np.array([outcomes[at].made for at in found])
        bound = np.sort(scores)[::-1][made.sum() - 1]  # the last that is called made
        level = scores == bound
        share = (made.sum() - np.sum(scores > bound)) / level.sum()
        called = np.where(level, share, scores > bound)
        right[found] = np.where(made, called, 1.0 - called)
    return right


def _by_trial(outcomes: Sequence[Outcome]) -> Iterator[tuple[int, list[int]]]:
    found: dict[int, list[int]] = {}
    for at, outcome in enumerate(outcomes):
        found.setdefault(outcome.trial, []).append(at)
    yield from found.items()


def _pairs(outcomes: Sequence[Outcome]) -> Iterator[tuple[int, int]]:
    """Return each made motion with each captured one of the same trial."""
    for _, found in _by_trial(outcomes):
        for one in found:
            yield from ((one, other) for other in found if outcomes[one].made and not outcomes[other].made)


def _linear() -> Any:
    return make_pipeline(
        StandardScaler(),
        PCA(KEPT_VARIANCE, svd_solver="full"),
        StandardScaler(),
        LogisticRegression(C=STRENGTH, class_weight="balanced", max_iter=1000),
    )


def _trees(seed: int) -> Any:
    return ExtraTreesClassifier(TREES, class_weight="balanced", random_state=seed)


def _largest(weights: FloatArray, features: Features) -> dict[str, Any]:
    """Return the share of each sort of feature in the decisions, and the features that count most."""
    sorts: dict[str, float] = {}
    for sort, weight in zip(features.groups, weights, strict=True):
        sorts[sort] = sorts.get(sort, 0.0) + float(weight)
    most = np.argsort(-weights)[:MOST_SEEN]
    return {
        "sorts": {sort: round(share, 3) for sort, share in sorted(sorts.items(), key=lambda one: -one[1])},
        "features": {features.names[at]: round(float(weights[at]), 4) for at in most},
    }
