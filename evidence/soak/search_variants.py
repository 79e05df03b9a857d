"""The human among boxes: A*, truncated and inflated A* side by side, and what the table of visited states costs."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from evidence.soak.tally import Tally
from gambol.characters import Character, load_character
from gambol.search import AStar, Goal, Plan, Problem
from gambol.world import Footprint, Obstacle, World

SIZE_M = 25.0
KEPT = 500  # open nodes of the truncated search that is compared with the others
SWEEP = (300, 500, 1_000, 2_000, 5_000, 10_000)  # and of those shown beside it: what is kept changes what comes out
#: The searches of LK05 section 4, with its bound: the straight line to the goal.
VARIANTS = {
    "astar": AStar(around=False),
    "truncated": AStar(around=False, keep=KEPT),
    "inflated": AStar(around=False, weight=2.0),
}


@cache
def lk05_human() -> Character:
    return load_character("human").subset("lk05")


def boxes_scene(seed: int) -> Problem:
    """Return a world of boxes at random angles and a pocket across the way, open towards the start [LK05 figure 4]."""
    rng = np.random.default_rng((2005, 4, seed))
    obstacles = [
        Obstacle(
            f"box {number}",
            Footprint.box(float(rng.uniform(2.0, 6.0)), float(rng.uniform(0.5, 1.5))),
            (float(rng.uniform(4.0, 21.0)), float(rng.uniform(4.0, 21.0)), float(rng.uniform(0.0, math.pi))),
        )
        for number in range(14)
    ]
    x, y = (float(value) for value in rng.uniform(11.0, 15.0, 2))
    angle = math.pi / 4.0 + float(rng.uniform(-0.2, 0.2))
    for number, (ahead, aside, length, width) in enumerate(((0, 0, 0.4, 6), (-1.8, 3, 4, 0.4), (-1.8, -3, 4, 0.4))):
        place_x = x + math.cos(angle) * ahead - math.sin(angle) * aside
        place_y = y + math.sin(angle) * ahead + math.cos(angle) * aside
        obstacles.append(Obstacle(f"pocket {number}", Footprint.box(length, width), (place_x, place_y, angle)))
    world = World((0.0, 0.0, SIZE_M, SIZE_M), tuple(obstacles))
    return Problem(world, lk05_human(), (2.0, 2.0, math.pi / 4.0), Goal(23.0, 23.0))


def short_scene(seed: int) -> Problem:
    """Return a goal a few steps away behind a box, near enough for exact search."""
    rng = np.random.default_rng((2005, 33, seed))
    away, aside = float(rng.uniform(8.0, 12.0)), float(rng.uniform(-0.6, 0.6))
    box = Obstacle(
        "box",
        Footprint.box(float(rng.uniform(0.2, 1.0)), float(rng.uniform(0.2, 2.0))),
        (2.0 + 0.6 * away, 9.0 + float(rng.uniform(-1.5, 1.5)), float(rng.uniform(0.0, math.pi))),
    )
    goal = Goal(2.0 + away * math.cos(aside), 9.0 + away * math.sin(aside), 0.4)
    return Problem(
        World((0, 0, 18, 18), (box,)), lk05_human(), (2.0, 9.0, 0.0), goal, seed=seed, max_expansions=400_000
    )


class Run(NamedTuple):
    """One search of one scene."""

    found: bool
    cost: float
    nodes: int
    expansions: int
    ms: float  # of computing


@dataclass(frozen=True)
class VariantsJob:
    """Solve so many scenes by each variant; what is compared are sums, so all are one chunk.

    Scenes are the first that A* solves, whatever becomes of the others: where those find nothing is counted.
    """

    name: str = "search-variants"
    scenes: int = 100
    sweep: tuple[int, ...] = SWEEP
    chunk_count: int = 1

    @property
    def summary(self) -> str:
        return f"{self.scenes} scenes: trees and times fall from A* to truncated to inflated, costs do not"

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name,
            "inputs_planned": self.scenes,
            "seed": "evidence.soak.search_variants.boxes_scene, the first that A* solves",
            "open_nodes_kept": KEPT,
            "open_nodes_kept_in_rows": list(self.sweep),
        }

    @contextmanager
    def session(self) -> Iterator[VariantsJob]:
        yield self

    def run_chunk(self, chunk: int) -> Tally:
        planners = VARIANTS | {f"kept {kept}": AStar(around=False, keep=kept) for kept in self.sweep}
        VARIANTS["astar"].solve(boxes_scene(0))  # compile before anything is timed
        scenes = list(scenes_run(self.scenes, planners))
        tally = Tally()
        for seed, runs in scenes:
            for name in VARIANTS:
                tally.counts[f"{name}: no plan found"] += not runs[name].found
            took = sum(run.ms for run in runs.values()) / 1000.0
            tally.add(Tally(1, 1, slowest_s=took, slowest_input=seed, seconds=took))
        tally.mean = means([runs for _, runs in scenes], tuple(VARIANTS))
        for kept in self.sweep:
            tally.rows[f"kept {kept:>6}"] = _row([runs for _, runs in scenes], f"kept {kept}")
        wrong = out_of_order(tally.mean)
        if wrong:
            tally.failures.append({"input": 0, "error": "OutOfOrder", "message": "; ".join(wrong), "recipe": "sums"})
        return tally


def scenes_run(count: int, planners: Mapping[str, AStar]) -> Iterator[tuple[int, dict[str, Run]]]:
    """Yield the first scenes that A* solves, each with what every planner made of it."""
    seed = found = 0
    while found < count:
        problem = boxes_scene(seed)
        runs = {name: _run(planner, problem) for name, planner in planners.items()}
        if runs["astar"].found:
            found += 1
            yield seed, runs
        seed += 1


def means(scenes: Sequence[Mapping[str, Run]], names: Sequence[str]) -> dict[str, float]:
    """Return means over the scenes that all of these planners solve, so that the same is compared."""
    shared = [runs for runs in scenes if all(runs[name].found for name in names)]
    return {
        f"{name}_{what}": sum(getattr(runs[name], what) for runs in shared) / len(shared)
        for name in names for what in ("nodes", "expansions", "cost", "ms")
    }  # fmt: skip


def _run(planner: AStar, problem: Problem) -> Run:
    begun = time.thread_time()
    plan = planner.solve(problem)
    took = 1000.0 * (time.thread_time() - begun)
    return Run(plan.found, plan.cost, plan.statistics.nodes, plan.statistics.expansions, took)


def _row(scenes: Sequence[Mapping[str, Run]], name: str) -> dict[str, float]:
    """Return how one truncated search did beside A* and inflated A* on the scenes that it solves."""
    shared = [runs for runs in scenes if runs[name].found and runs["inflated"].found]
    compared = means(scenes, ("astar", name, "inflated"))
    row: dict[str, float] = {
        "solved": sum(runs[name].found for runs in scenes),
        "dearer than inflated in": sum(runs[name].cost > runs["inflated"].cost for runs in shared),
        "largest cost by that of astar": max(runs[name].cost / runs["astar"].cost for runs in shared),
    }
    row |= {key.replace(f"{name}_", "truncated_"): value for key, value in compared.items()}
    return {key: round(value, 3) for key, value in row.items()}


def out_of_order(means: dict[str, float]) -> list[str]:
    """Say which of the paper's observations do not hold."""
    wrong: list[str] = []
    for earlier, later in (("astar", "truncated"), ("truncated", "inflated")):
        for what in ("nodes", "expansions", "ms"):
            one, other = means[f"{earlier}_{what}"], means[f"{later}_{what}"]
            if one <= other:
                wrong.append(f"{what} do not fall from {earlier} ({one:.4g}) to {later} ({other:.4g})")
        if means[f"{earlier}_cost"] > means[f"{later}_cost"]:
            wrong.append(f"the cost falls from {earlier} to {later}")
    return wrong


@dataclass(frozen=True)
class TableLossJob:
    """Solve short scenes of the human exactly and with the table on: how much dearer is the latter?"""

    name: str = "table-loss"
    scenes: int = 100
    chunk_size: int = 25

    @property
    def summary(self) -> str:
        return f"{self.scenes} short scenes of the human: the table's plans beside the best ones"

    @property
    def chunk_count(self) -> int:
        return -(-self.scenes // self.chunk_size)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name,
            "inputs_planned": self.scenes,
            "chunk_size": self.chunk_size,
            "seed": "evidence.soak.search_variants.short_scene, for each input the first that exact search solves",
        }

    @contextmanager
    def session(self) -> Iterator[TableLossJob]:
        yield self

    def run_chunk(self, chunk: int) -> Tally:
        tally = Tally()
        for number in range(chunk * self.chunk_size, min((chunk + 1) * self.chunk_size, self.scenes)):
            begun = time.perf_counter()
            problem, best, passed_over = _first_solved(number)
            tally.counts["scenes passed over: not solved exactly within the budget"] += passed_over
            quick, heavy = AStar().solve(problem), AStar(weight=1.2).solve(problem)
            measures = {
                "loss": quick.cost / best.cost - 1.0,
                "loss_at_weight_1.2": heavy.cost / best.cost - 1.0,
                "bound": quick.bound,
                "exact_expansions": float(best.statistics.expansions),
                "table_expansions": float(quick.statistics.expansions),
            }
            wrong = not (quick.found and best.cost <= quick.cost <= quick.bound * best.cost * (1.0 + 1e-12))
            failures = [
                {"input": number, "error": "Wrong", "message": f"{quick.outcome} {quick.cost}", "recipe": "short_scene"}
            ]
            took = time.perf_counter() - begun
            tally.add(Tally(1, int(not wrong), failures=failures if wrong else [], slowest_s=took,
                            slowest_input=number, seconds=took, worst=measures, mean=measures))  # fmt: skip
        return tally


def _first_solved(number: int) -> tuple[Problem, Plan, int]:
    for attempt in range(100):
        problem = short_scene(1000 * number + attempt)
        best = AStar(exact=True).solve(problem)
        if best.found:
            return problem, best, attempt
    raise AssertionError(f"no scene of input {number} can be solved")
