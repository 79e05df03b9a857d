"""LK05 sections 2 and 5: the search is complete and optimal, held against going through all ways."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import shapely

from evidence.reproductions.bodies import DISC_RADIUS_M, with_disc
from evidence.reproductions.claim import claim
from evidence.reproductions.every_way import Answer, cheapest_way
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.report import Report, Row, Table, row
from evidence.reproductions.subjects import HUB, eleven_joggers
from gambol.characters import Character
from gambol.search import AStar, Goal, Outcome, Plan, Problem
from gambol.world import Footprint, Obstacle, World

NAME = "lk05-optimality"
SEED = 5
HELD = "held against all ways"
ALL = "all"
EXACT, TABLE, TRUNCATED, INFLATED = "A*, identical states", "A*, table of states", "truncated A*", "inflated A*"
KEEP = 20
PLANNERS = {
    EXACT: AStar(exact=True),
    TABLE: AStar(),
    TRUNCATED: AStar(keep=KEEP),
    INFLATED: AStar(weight=2.0),
}
LENGTHS_M, WIDTHS_M = (6.0, 10.0), (3.4, 4.4)  # of rooms: too narrow to go around in circles for ever
EQUAL = 1e-4  # of costs: planners add whole millionths


@dataclass(frozen=True)
class Size:
    problems: int
    states: int  # that brute force may look at


FULL = Size(400, 30_000)
QUICK = Size(30, 3_000)


def run(quick: bool, say: Say) -> Result:
    """Solve small random problems by brute force and by every search."""
    size = QUICK if quick else FULL
    problems = [random_problem(number) for number in range(size.problems)]
    answers: list[Answer] = []
    for number, problem in enumerate(problems):
        say("going through all ways", number / size.problems)
        answers.append(cheapest_way(problem, DISC_RADIUS_M, most_states=size.states))
    certain = [number for number, answer in enumerate(answers) if answer.is_certain]
    known = [answers[number] for number in certain]
    plans = {}
    for label, planner in PLANNERS.items():
        say(f"searching: {label}", 0.9)
        plans[label] = [planner.solve(problems[number]) for number in certain]
    tallies = {label: tally(known, solved) for label, solved in plans.items()}
    exact = tallies[EXACT]
    return Result(
        Report(
            item=NAME,
            title="LK05 sections 2 and 5: complete and optimal",
            quick=quick,
            setting=(
                f"{size.problems} random problems (seed {SEED}): rooms of {LENGTHS_M[0]:g} to {LENGTHS_M[1]:g} by "
                f"{WIDTHS_M[0]:g} to {WIDTHS_M[1]:g} m with up to 5 boxes, a disc of {DISC_RADIUS_M:g} m, eleven ways "
                "of jogging with a clip each. All ways are gone through in plain Python, in the order of their cost, "
                f"with shapely's distances; {size.problems - len(certain)} problems that need more than "
                f"{size.states:,} states are left out. Truncated A* keeps {KEEP} open nodes.",
            ),
            tables=(Table(HELD, COLUMNS, tuple(_row(label, one) for label, one in tallies.items())), _claims(exact)),
            differences=_differences(tallies),
        )
    )


@dataclass(frozen=True)
class Tally:
    """How a search's answers compare with those that are certain."""

    solvable: int
    solved: int
    cheapest: int
    mean_loss: float  # percent
    worst_loss: float
    unsolvable: int
    told: int  # of those: the search ended and said so
    wrong: int  # plans for what has none, or cheaper than possible
    broken_bounds: int


COLUMNS = (
    "solvable", "solved", "cheapest", "dearer, mean %", "dearer, worst %", "without a way", "of them told", "wrong",
    "bounds exceeded",
)  # fmt: skip


def tally(answers: Sequence[Answer], plans: Sequence[Plan]) -> Tally:
    """Compare plans with what is certain."""
    solvable = [(one.cost, plan) for one, plan in zip(answers, plans, strict=True) if one.cost is not None]
    without = [plan for one, plan in zip(answers, plans, strict=True) if one.cost is None]
    losses = [_loss(plan.cost, cost) for cost, plan in solvable if plan.found]
    ended = (Outcome.UNREACHABLE, Outcome.GOAL_BLOCKED, Outcome.START_BLOCKED)
    return Tally(
        solvable=len(solvable),
        solved=len(losses),
        cheapest=sum(loss <= 0.0 for loss in losses),
        mean_loss=100.0 * float(np.mean(losses)) if losses else float("nan"),
        worst_loss=100.0 * max(losses, default=float("nan")),
        unsolvable=len(without),
        told=sum(plan.outcome in ended for plan in without),
        wrong=sum(plan.found for plan in without) + sum(loss < 0.0 for loss in losses),
        broken_bounds=sum(plan.found and plan.cost > plan.bound * cost * (1.0 + EQUAL) for cost, plan in solvable),
    )


def _loss(cost: float, best: float) -> float:
    """Return by which share a plan is dearer; nothing where rounding is all the difference."""
    loss = cost / best - 1.0
    return 0.0 if abs(loss) <= EQUAL else loss


def _row(label: str, one: Tally) -> Row:
    return row(
        label,
        [one.solvable, one.solved, one.cheapest, one.mean_loss, one.worst_loss, one.unsolvable, one.told, one.wrong,
         one.broken_bounds],
    )  # fmt: skip


def _claims(exact: Tally) -> Table:
    """Return what the papers say of A*, beside the search that merges identical states alone."""
    solved, told = _share(exact.solved, exact.solvable), _share(exact.told, exact.unsolvable)
    best = _share(exact.cheapest, exact.solvable)
    note = "The papers argue for it and measure nothing; with a table of states, which they use too, it is not so."
    return Table(
        "complete and optimal",
        ("LK05", "L09"),
        (
            row("solvable problems that are solved", [solved, None], [claim("lk05.s5.complete"), None]),
            row("problems without a way: the search ends and says so", [told, told],
                [claim("lk05.s5.finite"), claim("l09.c3.finite")]),
            row("plans that are the cheapest", [best, best], [claim("lk05.s5.optimal"), claim("l09.c3.optimal")],
                note=note),
        ),
    )  # fmt: skip


def _share(part: int, whole: int) -> str:
    return ALL if part == whole else f"{part} of {whole}"


def _differences(tallies: dict[str, Tally]) -> tuple[str, ...]:
    exact, table = tallies[EXACT], tallies[TABLE]
    wrong = sum(one.wrong + one.broken_bounds for one in tallies.values())
    return (
        f"Merging identical states alone, A* solves {exact.solved} of {exact.solvable} solvable problems and "
        f"{exact.cheapest} of them at the least cost; of {exact.unsolvable} without a way it says so of {exact.told}.",
        f"With the table of visited states, which is the paper's own, {table.cheapest} of {table.solved} plans are the "
        f"cheapest and the worst is {table.worst_loss:.1f} % dearer: a state that is merged into another near it may "
        "have been on the best way. The papers' claim holds for exact states only.",
        f"{wrong} plans are wrong or dearer than the bound they were given.",
    )


@lru_cache(maxsize=1)
def subject() -> Character:
    """Return eleven ways of jogging, a clip each, as a disc."""
    joggers = eleven_joggers()
    behaviors = tuple(replace(one, clips=one.clips[:1]) for one in joggers.behaviors)
    return with_disc(replace(joggers, behaviors=behaviors))


def random_problem(number: int) -> Problem:
    """Return a room with boxes; start and goal are clear of them, but there need be no way."""
    rng = np.random.default_rng((SEED, number))
    length, width = float(rng.uniform(*LENGTHS_M)), float(rng.uniform(*WIDTHS_M))
    start = (0.6, float(rng.uniform(0.8, width - 0.8)), float(rng.uniform(-0.5, 0.5)))
    goal = Goal(length - 0.9, float(rng.uniform(0.8, width - 0.8)))
    obstacles: list[Obstacle] = []
    for index in range(int(rng.integers(0, 6))):
        footprint = Footprint.box(*(float(side) for side in rng.uniform(0.2, 1.4, 2)))
        pose = (float(rng.uniform(1.5, length - 1.5)), float(rng.uniform(0.0, width)), float(rng.uniform(0.0, math.pi)))
        region = footprint.region(pose)
        ends = shapely.MultiPoint([start[:2], (goal.x, goal.y)])
        if shapely.distance(region, ends) > DISC_RADIUS_M + 0.05:
            obstacles.append(Obstacle(f"box {index}", footprint, pose))
    world = World((0.0, 0.0, length, width), tuple(obstacles))
    return Problem(world, subject(), start, goal, begins=HUB, seed=number)


ITEM = Item(NAME, "small problems solved by going through all ways, and by A* and its variants", run)
