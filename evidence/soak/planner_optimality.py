"""Small random problems: the search against brute force, in every variant."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from evidence.soak.brute_force import SAME, UNIT, Answer, BruteForce
from evidence.soak.planning_problems import random_problem
from evidence.soak.tally import Tally
from gambol.core import lib
from gambol.search import Anytime, AStar, Outcome, Plan, Problem, StateTable
from gambol.search.search import set_up

MOST_STATES = 6_000  # that brute force looks at
COARSE = StateTable(place_m=0.5, heading_rad=1.0, time_s=0.5)
#: Variants that promise no more than their bound.
BOUNDED: dict[str, AStar | Anytime] = {
    "exact, weight 2": AStar(weight=2.0, exact=True),
    "exact, weight 3, straight": AStar(weight=3.0, exact=True, around=False),
    "exact, truncated": AStar(exact=True, keep=30),
    "table": AStar(),
    "table, straight": AStar(around=False),
    "table, weight 1.5": AStar(weight=1.5),
    "table, weight 3": AStar(weight=3.0),
    "coarse table": AStar(table=COARSE),
    "coarse table, weight 2": AStar(table=COARSE, weight=2.0),
    "truncated": AStar(keep=20),
    "truncated, weight 2": AStar(keep=10, weight=2.0),
    "anytime": Anytime(),
    "anytime, exact": Anytime(exact=True),
    "anytime, coarse table": Anytime(table=COARSE),
}


@dataclass
class Findings:
    """What one problem showed."""

    answer: Answer
    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    measures: dict[str, float] = field(default_factory=dict)


def examine(problem: Problem) -> Findings:
    """Solve a problem by brute force and by every variant, and hold what they claim against it."""
    brute = BruteForce(problem)
    answer = brute.solve(most_states=MOST_STATES)
    findings = Findings(answer)
    for around in (True, False):
        plan = AStar(exact=True, around=around).solve(problem)
        findings.wrong += [f"exact, around={around}: {what}" for what in wrong_if_exact(plan, answer, brute)]
        findings.wrong += [f"around={around}: {what}" for what in overestimates(problem, answer, around=around)]
    for name, planner in BOUNDED.items():
        plans = list(planner.improvements(problem)) if isinstance(planner, Anytime) else [planner.solve(problem)]
        findings.wrong += [f"{name}: {what}" for plan in plans for what in wrong_if_bounded(plan, answer, brute)]
        if any(later.bound > earlier.bound for earlier, later in pairwise(plans)):
            findings.wrong.append(f"{name}: bounds get worse: {[plan.bound for plan in plans]}")
        if name in ("table", "coarse table"):
            _note_loss(findings, name, plans[-1])
    solved = "solved" if answer.cost is not None else "no plan" if answer.is_certain else "undecided"
    findings.counts[f"brute force: {solved}"] += 1
    return findings


def wrong_if_exact(plan: Plan, answer: Answer, brute: BruteForce) -> Iterator[str]:
    """Say what is wrong with a plan that should be the best one."""
    if answer.is_certain and plan.outcome is Outcome.OUT_OF_BUDGET:
        yield f"out of budget where {answer.visited} states are all there is"
    elif answer.is_certain and plan.found != (answer.cost is not None):
        yield f"{plan.outcome}, brute force {answer.cost}"
    elif plan.found and plan.bound != 1.0:
        yield f"a bound of {plan.bound}"
    elif plan.found and answer.cost is not None and abs(_units(plan) - answer.cost) > _rounding(plan, brute):
        yield f"cost {_units(plan)}, brute force {answer.cost}"
    yield from wrong_if_bounded(plan, answer, brute)


def wrong_if_bounded(plan: Plan, answer: Answer, brute: BruteForce) -> Iterator[str]:
    """Say what is wrong with a plan: illegal, cheaper than the cheapest, or dearer than its bound says."""
    if not plan.found:
        return
    yield from illegalities(plan, brute)
    least = answer.cost if answer.cost is not None else answer.looked_to
    if _units(plan) < least - _rounding(plan, brute):
        yield f"cost {_units(plan)} below the least possible, {least}"
    if answer.is_certain and answer.cost is None:
        yield "a plan where there is none"
    if answer.cost is not None and _units(plan) > plan.bound * answer.cost * (1.0 + 1e-12) + _rounding(plan, brute):
        yield f"cost {_units(plan)} above {plan.bound} times {answer.cost}"


def illegalities(plan: Plan, brute: BruteForce) -> Iterator[str]:
    """Play a plan by the rules of brute force."""
    state, cost = brute.start, 0
    for number, step in enumerate(plan.steps):
        off = max(abs(a - b) for a, b in zip(step.pose, state[:3], strict=True))
        if off > SAME or step.frame != state.frame:
            yield f"step {number} begins elsewhere"
            return
        options = [
            one for one in brute.successors(state) if (one[0].behavior, one[0].clip) == (step.behavior, step.clip)
        ]
        if not options:
            yield f"step {number} is not allowed"
            return
        state, cost = options[0][0], cost + options[0][1]
    if not brute.has_arrived(state):
        yield "does not end at the goal"
    if abs(cost - _units(plan)) > _rounding(plan, brute):
        yield f"costs {cost}, not {_units(plan)}"


def overestimates(problem: Problem, answer: Answer, *, around: bool) -> Iterator[str]:
    """Say where on the best way the lower bound is above what is left."""
    if answer.cost is None:
        return
    query = set_up(problem, around=around).core.query
    for state, cost in zip(answer.states, answer.costs, strict=True):
        bound = int(lib.gb_query_cost_left(query.c, state.leg, state.x, state.y))
        if bound > answer.cost - cost:
            yield f"{bound} left by the bound, in truth {answer.cost - cost}"


def _note_loss(findings: Findings, name: str, plan: Plan) -> None:
    best = findings.answer.cost
    if best is None:
        return
    if not plan.found:
        findings.counts[f"{name}: no plan found where there is one"] += 1
    else:
        findings.counts[f"{name}: dearer than the best"] += _units(plan) > best
        findings.measures[f"{name}: loss"] = _units(plan) / best - 1.0


def _units(plan: Plan) -> int:
    return round(plan.cost / UNIT)


def _rounding(plan: Plan, brute: BruteForce) -> float:
    """Return how many units costs may differ by: what climbing costs is rounded at each step."""
    return 0.0 if brute.problem.world.terrain is None else float(len(plan.steps) + 1)


def _failure(seed: int, wrong: list[str]) -> dict[str, Any]:
    return {"input": seed, "error": "Wrong", "message": "; ".join(wrong), "recipe": "random_problem(<input>)"}


@dataclass(frozen=True)
class OptimalityJob:
    """Hold the search against brute force on so many problems."""

    name: str = "planner-optimality"
    problems: int = 2100
    chunk_size: int = 50

    @property
    def summary(self) -> str:
        return f"{self.problems:,} small problems: exact search finds what brute force does, bounds hold"

    @property
    def chunk_count(self) -> int:
        return -(-self.problems // self.chunk_size)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name,
            "inputs_planned": self.problems,
            "chunk_size": self.chunk_size,
            "seed": "evidence.soak.planning_problems.random_problem(<input>)",
            "most_states": MOST_STATES,
            "variants": list(BOUNDED),
        }

    @contextmanager
    def session(self) -> Iterator[OptimalityJob]:
        yield self

    def run_chunk(self, chunk: int) -> Tally:
        tally = Tally()
        for seed in range(chunk * self.chunk_size, min((chunk + 1) * self.chunk_size, self.problems)):
            begun = time.perf_counter()
            found = examine(random_problem(seed))
            took = time.perf_counter() - begun
            failures = [_failure(seed, found.wrong)] if found.wrong else []
            tally.add(Tally(1, int(not found.wrong), failures=failures, slowest_s=took, slowest_input=seed,
                            seconds=took, counts=found.counts, worst=found.measures))  # fmt: skip
        return tally
