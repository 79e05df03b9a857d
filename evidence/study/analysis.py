"""What scores say: means with intervals, and analysis of variance [L09 5.6.3]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from evidence.study.experiments import Experiment
from evidence.study.key import Answers, Key
from gambol.errors import InvalidInput

FloatArray = NDArray[np.float64]
CONFIDENCE = 0.95


class Mean(NamedTuple):
    """A mean, and the interval around it that holds the true one 95 times of 100."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.mean:.2f} ({self.low:.2f} to {self.high:.2f})"


class Kind(NamedTuple):
    """The scores of one kind of motion."""

    condition: str
    scores: FloatArray
    mean: Mean

    @property
    def deviation(self) -> float:
        return float(self.scores.std(ddof=1)) if len(self.scores) > 1 else float("nan")


class Variance(NamedTuple):
    """What an analysis of variance finds: how far means are apart, against how far scores are around them."""

    f: float
    between: int  # degrees of freedom
    within: int
    p: float

    def __str__(self) -> str:
        return f"F({self.between}, {self.within}) = {self.f:.3g}, p = {self.p:.3g}"

    def as_dict(self) -> dict[str, float | int | None]:
        """Return plain values, ready for JSON; an F without end is none."""
        f = self.f if np.isfinite(self.f) else None
        return {"f": f, "between": self.between, "within": self.within, "p": self.p}


@dataclass(frozen=True, eq=False)
class Findings:
    """What came of a study."""

    experiment: Experiment
    people: int
    kinds: tuple[Kind, Kind]  # ours first
    anova: Variance  # as the thesis does it: all scores alike
    difference: Mean  # ours less the other, all scores alike
    by_person: Variance | None  # each person's mean scores; None: too few people
    difference_by_person: Mean | None

    def as_dict(self) -> dict[str, Any]:
        """Return the findings as plain values."""
        return {
            "experiment": self.experiment.name,
            "people": self.people,
            "kinds": {
                kind.condition: {
                    "scores": len(kind.scores),
                    "mean": kind.mean.mean,
                    "interval": [kind.mean.low, kind.mean.high],
                    "deviation": kind.deviation,
                    "counts": np.bincount(kind.scores.astype(np.intp), minlength=10)[1:].tolist(),
                }
                for kind in self.kinds
            },
            "anova": self.anova.as_dict(),
            "difference": self.difference._asdict(),
            "by_person": None if self.by_person is None else self.by_person.as_dict(),
            "difference_by_person": None if self.difference_by_person is None else self.difference_by_person._asdict(),
            "published_p": {one.motion: one.p for one in self.experiment.published},
        }

    def describe(self) -> str:
        """Return the findings as lines of text."""
        ours, other = self.kinds
        count = len(ours.scores) + len(other.scores)
        published = ", ".join(f"{one.p:.3g} for {one.motion}" for one in self.experiment.published)
        people = "1 person" if self.people == 1 else f"{self.people} people"
        lines = [
            f"{self.experiment.name}: {people} gave {count} scores; higher is more {self.experiment.more}",
            *(
                f"  {kind.condition:8} {len(kind.scores):4} scores, mean {kind.mean}, deviation {kind.deviation:.2f}"
                for kind in self.kinds
            ),
            f"one-way analysis of variance: {self.anova} (the thesis: p {published}, with 15 people)",
            f"  {ours.condition} less {other.condition}: {self.difference}",
        ]
        if self.by_person is None or self.difference_by_person is None:
            lines.append("  too few people to compare person by person")
        else:
            lines += [
                f"person by person (repeated measures): {self.by_person}",
                f"  {ours.condition} less {other.condition}: {self.difference_by_person}",
                "  The first analysis does not know that one person's scores are more alike than several people's.",
            ]
        lines.append("  A large p does not show that there is no difference; the interval says how large it may be.")
        return "\n".join(lines)


def analyse(experiment: Experiment, key: Key, answers: Sequence[Answers]) -> Findings:
    """Compare the scores of both kinds of motion."""
    if not answers:
        raise InvalidInput("there are no answers to analyse")
    rows = [
        [[answer.score for answer in one.answers if key.clips[answer.clip].condition == kind] for one in answers]
        for kind in experiment.conditions
    ]
    kinds = [
        Kind(condition, scores := np.concatenate([np.asarray(own, dtype=np.float64) for own in row]), mean_of(scores))
        for condition, row in zip(experiment.conditions, rows, strict=True)
    ]
    if min(len(kind.scores) for kind in kinds) < 2:
        raise InvalidInput("at least two scores of either kind are needed to compare them")
    ours, other = kinds
    by_person = difference = None
    if len(answers) > 1:
        apart = np.array([np.mean(one) - np.mean(two) for one, two in zip(*rows, strict=True)])
        by_person, difference = repeated_measures(apart), mean_of(apart)
    return Findings(
        experiment, len(answers), (ours, other), one_way(ours.scores, other.scores),
        difference_of(ours.scores, other.scores), by_person, difference,
    )  # fmt: skip


def one_way(*groups: FloatArray) -> Variance:
    """Analyse the variance of groups of scores; where none varies, either all are alike or nothing is."""
    between, within = len(groups) - 1, sum(len(group) for group in groups) - len(groups)
    if all(np.ptp(group) == 0.0 for group in groups):
        alike = np.ptp([group[0] for group in groups]) == 0.0
        return Variance(0.0 if alike else float("inf"), between, within, 1.0 if alike else 0.0)
    found = stats.f_oneway(*groups)
    return Variance(float(found.statistic), between, within, float(found.pvalue))


def repeated_measures(apart: FloatArray) -> Variance:
    """Analyse differences (N,) between two conditions, one of each person: F is the square of the paired t."""
    people = len(apart)
    if np.ptp(apart) == 0.0:
        alike = apart[0] == 0.0
        return Variance(0.0 if alike else float("inf"), 1, people - 1, 1.0 if alike else 0.0)
    t = float(apart.mean() / (apart.std(ddof=1) / np.sqrt(people)))
    return Variance(t * t, 1, people - 1, float(stats.f.sf(t * t, 1, people - 1)))


def mean_of(values: FloatArray) -> Mean:
    """Return a mean with its interval, by Student's distribution."""
    mean = float(values.mean())
    if len(values) < 2:
        return Mean(mean, float("-inf"), float("inf"))
    reach = _quantile(len(values) - 1) * float(values.std(ddof=1)) / np.sqrt(len(values))
    return Mean(mean, mean - reach, mean + reach)


def difference_of(one: FloatArray, other: FloatArray) -> Mean:
    """Return a difference of means with its interval, whatever the groups' variances (Welch)."""
    parts = np.array([values.var(ddof=1) / len(values) for values in (one, other)])
    apart = float(one.mean() - other.mean())
    if parts.sum() == 0.0:
        return Mean(apart, apart, apart)
    freedom = parts.sum() ** 2 / (parts**2 / (np.array([len(one), len(other)]) - 1)).sum()
    reach = _quantile(freedom) * float(np.sqrt(parts.sum()))
    return Mean(apart, apart - reach, apart + reach)


def _quantile(freedom: float) -> float:
    return float(stats.t.ppf(0.5 + 0.5 * CONFIDENCE, freedom))
