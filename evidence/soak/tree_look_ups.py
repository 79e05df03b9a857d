"""Small random trees in small random worlds: what a look-up answers against going through all of the tree.

Paths are played by the rules of `soak.brute_force`, in plain Python with shapely's distances.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from evidence.soak.brute_force import UNIT, BruteForce, State, placed
from evidence.soak.planning_problems import random_problem
from evidence.soak.tally import Tally
from gambol.characters import Character
from gambol.search import Problem
from gambol.trees import (
    Answer,
    LookUp,
    Region,
    SearchTree,
    grow_cheapest,
    grow_diverse,
    grow_exhaustive,
    grow_green_kelly,
    grow_inclusion_exclusion,
    grow_inner_product,
    grow_pruned,
    grow_surviving,
    grow_survivor,
)
from gambol.trees.assemble import Sprouts, assemble

MOST_NODES = 400
#: Builders of small trees, by name: from a character, a label to begin at and a seed.
SMALL_TREES: dict[str, Callable[[Character, str, int], SearchTree]] = {
    "exhaustive": lambda figure, begins, seed: grow_exhaustive(figure, depth=3, begins=begins, seed=seed),
    "pruned": lambda figure, begins, seed: grow_pruned(
        figure, nodes=MOST_NODES, per_cell=8, cell_m=0.2, begins=begins, seed=seed
    ),
    "diverse": lambda figure, begins, seed: grow_diverse(
        figure, nodes=MOST_NODES, region=Region.disc(3.0), begins=begins, seed=seed
    ),
    "surviving": lambda figure, begins, seed: grow_surviving(
        figure, nodes=MOST_NODES, region=Region.disc(3.0), worlds=64, begins=begins, seed=seed
    ),
    "cheapest": lambda figure, begins, seed: grow_cheapest(
        figure, nodes=MOST_NODES, reach_m=3.0, begins=begins, seed=seed
    ),
    "green-kelly": lambda figure, begins, seed: grow_green_kelly(
        figure, nodes=150, depth=3, begins=begins, seed=seed
    ),
    "inner-product": lambda figure, begins, seed: grow_inner_product(
        figure, nodes=150, depth=3, begins=begins, seed=seed
    ),
    "inclusion-exclusion": lambda figure, begins, seed: grow_inclusion_exclusion(
        figure, nodes=150, depth=3, begins=begins, seed=seed
    ),
    "survivor": lambda figure, begins, seed: grow_survivor(figure, nodes=150, depth=3, begins=begins, seed=seed),
}  # fmt: skip


@dataclass
class Findings:
    """What one query showed."""

    wrong: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)


def examine(seed: int) -> Findings:
    """Ask a random tree a random question, and go through all of it."""
    rng = np.random.default_rng((2006, seed))
    problem = replace(random_problem(seed), waypoints=())
    builder = list(SMALL_TREES)[seed % len(SMALL_TREES)]
    begins = _label(problem)
    tree = SMALL_TREES[builder](problem.character, begins, seed)
    if rng.random() < 0.4:
        tree = _other_cells(tree, problem.character, rng)
    figure = problem.character
    if rng.random() < 0.3:
        chosen = [one.name for one in figure.behaviors if rng.random() < 0.5]
        figure = figure.with_weights({name: float(rng.uniform(0.5, 3.0)) for name in chosen})
    if rng.random() < 0.2:
        figure = figure.only([one.name for one in figure.behaviors if one.name not in ("duck", "wait")])
        if problem.goal.behavior in ("duck", "wait"):
            problem = replace(problem, goal=replace(problem.goal, behavior=None))
    problem = replace(problem, character=figure)
    return compare(problem, tree, builder, charged=bool(rng.random() < 0.5))


def compare(problem: Problem, tree: SearchTree, builder: str, *, charged: bool) -> Findings:
    """Hold the look-up's answer against the cheapest path of all that may be played.

    charged: where a behavior was played before, the transition from it counts too.
    """
    findings = Findings()
    brute = BruteForce(problem)
    after = problem.character.index(problem.after) if charged and problem.after is not None else None
    playable = paths_that_may_be_played(tree, brute, after)
    best = min((cost for _, cost in playable.values()), default=None)
    figure = problem.character
    asked = LookUp(
        tree, figure, problem.world, climb_cost=problem.climb_cost, descend_cost=problem.descend_cost,
        horizon_s=problem.horizon_s,
    )  # fmt: skip
    first, last = _first(problem, brute), _last(problem)
    answer = asked.one(
        problem.start, problem.goal, frame=problem.start_frame, first=first, last=last, after=after, stays=True
    )
    if problem.goal.behavior is None:
        findings.wrong += _wrong_in_a_batch(problem, asked, answer, first, last, after)
    findings.counts[f"{builder}: {'found' if best is not None else 'none there'}"] += 1
    rounding = 0 if problem.world.terrain is None else len(tree.path_to(max(answer.node, 0))) + 1
    units = round(answer.cost / UNIT) if answer.found else 0
    if answer.found != (best is not None):
        findings.wrong.append(f"{builder}: {answer.outcome.name}, brute force {best}")
    elif best is not None and abs(units - best) > rounding:
        findings.wrong.append(f"{builder}: cost {units}, brute force {best}")
    if answer.found and answer.node not in playable:
        findings.wrong.append(f"{builder}: node {answer.node} may not be played")
    elif answer.found and abs(playable[answer.node][1] - units) > rounding:
        findings.wrong.append(f"{builder}: node {answer.node} costs {playable[answer.node][1]}, not {units}")
    return findings


def _wrong_in_a_batch(
    problem: Problem, asked: LookUp, answer: Answer, first: np.ndarray, last: np.ndarray | None, after: int | None
) -> list[str]:
    """Say so if the same query, twice among others, has another answer."""
    goal = problem.goal
    heading = (0.0, 4.0) if goal.heading_rad is None else (goal.heading_rad, goal.heading_tolerance_rad)
    starts = np.array([problem.start, (*problem.start[:2], problem.start[2] + 1.0), problem.start])
    batch = asked.many(
        starts, np.tile((goal.x, goal.y, *heading), (3, 1)), frames=[problem.start_frame] * 3,
        tolerance_m=goal.tolerance_m, first=first, last=last, after=after, stays=True, threads=2,
    )  # fmt: skip
    same = {(int(batch.nodes[number]), float(batch.costs[number])) for number in (0, 2)} == {(answer.node, answer.cost)}
    return [] if same else [f"node {answer.node} alone, {batch.nodes} in a batch"]


def paths_that_may_be_played(
    tree: SearchTree, brute: BruteForce, after: int | None = None
) -> dict[int, tuple[State, int]]:
    """Return the nodes whose paths may be played and end at the goal, with the state there and the cost.

    after: behavior from which the first transition is charged for.
    """
    problem = brute.problem
    figure = problem.character
    index = {one.name: number for number, one in enumerate(figure.behaviors)}
    start = problem.start
    known: dict[int, tuple[State, int] | None] = {0: (brute.start, 0)}
    for node in np.argsort(tree.depth, kind="stable").tolist()[1:]:
        before = known[int(tree.parent[node])]
        known[node] = None
        clip = int(tree.clip[node])
        grown = int(tree.clip_behavior[clip])
        name = tree.behaviors[grown].name
        if before is None or name not in index:
            continue
        state, cost = before
        allowed = dict(brute.next_behaviors(state.behavior))
        number = index[name]
        if number not in allowed:
            continue
        behavior = figure.behaviors[number]
        chosen = clip - sum(one.clips for one in tree.behaviors[:grown])
        played = behavior.clips[chosen]
        parent = int(tree.parent[node])
        places = placed(played.path, *_in_world(start, tree.pose[parent]))
        frame = state.frame + played.duration
        if (brute.movers and frame > brute.horizon) or not brute.is_playable(behavior, played, places, state.frame):
            continue
        if state.behavior < 0 and after is not None:
            cost += round(float(figure.transition_costs[after, number]) / UNIT)
        cost += brute.costs[number] + round(allowed[number] / UNIT) + brute.ground_cost(places)
        known[node] = State(*_in_world(start, tree.pose[node]), frame, number, chosen, 0), cost
    return {node: one for node, one in known.items() if node and one is not None and brute.has_arrived(one[0])}


def _in_world(start: tuple[float, float, float], pose: np.ndarray) -> tuple[float, float, float]:
    x, y, heading = (float(value) for value in pose)
    cosine, sine = np.cos(start[2]), np.sin(start[2])
    return float(start[0] + cosine * x - sine * y), float(start[1] + sine * x + cosine * y), start[2] + heading


def _label(problem: Problem) -> str:
    rests = any(one.name == "start" for one in problem.character.behaviors)
    return "rest" if rests and problem.after is None else "go"


def _first(problem: Problem, brute: BruteForce) -> np.ndarray:
    may = np.zeros(len(problem.character.behaviors), dtype=bool)
    may[[number for number, _ in brute.next_behaviors(-1)]] = True
    return may


def _last(problem: Problem) -> np.ndarray | None:
    if problem.goal.behavior is not None or not any(one.name == "start" for one in problem.character.behaviors):
        return None
    return np.array([one.ends == "rest" for one in problem.character.behaviors])


def _other_cells(tree: SearchTree, character: Character, rng: np.random.Generator) -> SearchTree:
    """Return the same tree with other goal cells, some so small that a goal needs several."""
    cell_m = float(rng.uniform(0.05, 0.9))
    overlap_m = cell_m * float(rng.choice([1.0, rng.uniform(1.0, 3.0)]))
    order = np.argsort(tree.depth, kind="stable")
    rank = np.argsort(order)
    parent = np.where(tree.parent[order] >= 0, rank[tree.parent[order]], -1)
    return assemble(
        character, Sprouts(parent, tree.clip[order]), begins=tree.begins, builder=tree.builder,
        settings=tree.settings, cell_m=cell_m, overlap_m=overlap_m,
    )  # fmt: skip


@dataclass(frozen=True)
class TreeLookUpsJob:
    """Hold look-ups against brute force in so many trees and worlds."""

    name: str = "tree-look-ups"
    queries: int = 9000
    chunk_size: int = 50

    @property
    def summary(self) -> str:
        return f"{self.queries:,} queries of small trees of every builder: the cheapest legal path is found"

    @property
    def chunk_count(self) -> int:
        return -(-self.queries // self.chunk_size)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name,
            "inputs_planned": self.queries,
            "chunk_size": self.chunk_size,
            "seed": "evidence.soak.tree_look_ups.examine(<input>)",
            "builders": list(SMALL_TREES),
        }

    @contextmanager
    def session(self) -> Iterator[TreeLookUpsJob]:
        yield self

    def run_chunk(self, chunk: int) -> Tally:
        tally = Tally()
        for seed in range(chunk * self.chunk_size, min((chunk + 1) * self.chunk_size, self.queries)):
            begun = time.perf_counter()
            found = examine(seed)
            took = time.perf_counter() - begun
            failures = [{"input": seed, "error": "Wrong", "message": "; ".join(found.wrong), "recipe": ""}]
            tally.add(Tally(1, int(not found.wrong), failures=failures if found.wrong else [], slowest_s=took,
                            slowest_input=seed, seconds=took, counts=found.counts))  # fmt: skip
        return tally
