"""Answers of several methods to the same queries, and what they say side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.asking import Answer, Method
from evidence.reproductions.item import Say
from evidence.reproductions.judge import fault
from gambol.characters import Character
from gambol.trees import QuerySet

WARM_UP = 32  # other goals asked for in each world before the clock runs


@dataclass(frozen=True, eq=False)
class Column:
    """Answers of one method to Q queries."""

    label: str
    found: NDArray[np.bool_]  # (Q,)
    cost: NDArray[np.float64]  # (Q,) nan where nothing was found
    time_s: NDArray[np.float64]  # (Q,)
    checks: NDArray[np.int64]  # (Q,)
    causes: Counter[str]
    faults: Counter[str]  # of answers that plain geometry refuses

    @property
    def success(self) -> float:
        """Percent of the queries that were answered."""
        return 100.0 * float(self.found.mean())


def column_of(label: str, answers: Sequence[Answer], faults: Iterable[str] = ()) -> Column:
    """Return answers as arrays."""
    return Column(
        label,
        np.array([answer.found for answer in answers], dtype=bool),
        np.array([answer.cost for answer in answers], dtype=np.float64),
        np.array([answer.time_s for answer in answers], dtype=np.float64),
        np.array([answer.checks for answer in answers], dtype=np.int64),
        Counter(answer.cause for answer in answers if not answer.found),
        Counter(kind for kind in faults if kind),
    )


def ask_all(
    queries: QuerySet,
    methods: Sequence[Method],
    say: Say,
    *,
    judged: Character | None = None,
    radius_m: float = 0.0,
    warm_up: int = WARM_UP,
) -> dict[str, Column]:
    """Ask every method every query, one world after another; the first query is asked twice, to compile.

    judged: whose every answer is also judged by plain geometry, as a disc of a radius.
    warm_up: other goals that trees are asked for in each world before the clock runs.
    """
    answers: dict[str, list[Answer]] = {method.label: [] for method in methods}
    faults: dict[str, list[str]] = {method.label: [] for method in methods}
    for number, query in enumerate(queries):
        say("asking", number / queries.count)
        others = queries.goals(warm_up, query.number)
        for method in methods:
            if number == 0:
                method.ask(query, others)
            answer = method.ask(query, others)
            if judged is not None and answer.found:
                faults[method.label].append(_kind(fault(query, judged, answer.steps, radius_m)))
            answers[method.label].append(Answer(answer.found, answer.cost, answer.time_s, answer.checks, answer.cause))
    return {label: column_of(label, given, faults[label]) for label, given in answers.items()}


def solved_by_all(columns: Iterable[Column]) -> NDArray[np.bool_]:
    """Return which queries all methods answered (Q,)."""
    return np.logical_and.reduce([column.found for column in columns])


def percent_of(values: NDArray, reference: NDArray, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the chosen queries' values as percentages of the reference's, query by query."""
    return 100.0 * values[chosen].astype(np.float64) / np.maximum(reference[chosen].astype(np.float64), 1e-12)


def mean(values: NDArray) -> float:
    """Return the mean, or nan of nothing."""
    return float(np.mean(values)) if len(values) else float("nan")


def causes_text(column: Column) -> str:
    """Return the causes of failures with their numbers, the most frequent first."""
    return "; ".join(f"{cause} {count}" for cause, count in column.causes.most_common()) or "none"


def faults_text(column: Column) -> str:
    return "; ".join(f"{kind} {count}" for kind, count in column.faults.most_common()) or "none"


def _kind(said: str) -> str:
    return said.split(" by ")[0]
