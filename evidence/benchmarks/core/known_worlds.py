"""Trips to new goals in known worlds, by trees and by weighted A*; and many of them at once."""

from __future__ import annotations

import statistics
from typing import Any

from evidence.benchmarks import trips
from evidence.benchmarks.core.costs import LONG, Cost, least, long_costs
from evidence.benchmarks.core.wanted import all_wanted, wanted
from evidence.benchmarks.sides import Sides, Spread
from evidence.benchmarks.timing import Row

OCCUPIED = (0.06, 0.17)
EACH = 20  # trips in a world
WARMING = 6  # trips more, before the clock runs: the world is laid out where they go
LONG_EACH = 10  # trips of each world whose costs are held against those of a long search, which takes a second each
AGAIN = 5  # trips of each world that are asked for once more
NEW, OLD = "new", "old"
IMPROVE = {0.06: 40, 0.17: 16}  # states that take about a millisecond to improve with
#: Who is asked, by the names of rows: which side, its planner, what it is.
PLANNERS: dict[str, tuple[str, dict[str, Any], str]] = {
    "trees": (NEW, {"kind": "trees", "improve": 0}, "trees, at once"),
    "trees, improved": (NEW, {"kind": "trees"}, "trees, a millisecond to improve"),
    "trees, fallback": (
        NEW,
        {"kind": "trees", "fallback": 1.5},
        "trees as they are by default, weighted A* as fallback",
    ),
    "A*": (NEW, {"kind": "A*", "weight": 1.5}, "A*, weight 1.5"),
    "old trees": (OLD, {"kind": "trees", "fallback": 1.5}, "old trees, weighted A* as fallback"),
    "old A*": (OLD, {"kind": "A*", "weight": 1.5}, "old A*, weight 1.5"),
}
#: How trips in batches are asked for.
BATCHED = {"at once": {"kind": "trees", "improve": 0}, "as by default": {"kind": "trees"}}
BASE, AT_ONCE, IMPROVED = "old A*", "trees", "trees, improved"


def measure(sides: Sides, worlds: int, share: float) -> dict[str, Any]:
    """Ask all for the same trips, world by world; a long search afterwards says how little they may cost."""
    answers: dict[str, list[dict[str, Any]]] = {name: [] for name in PLANNERS}
    again: dict[str, list[dict[str, Any]]] = {name: [] for name in PLANNERS}
    best: list[Cost] = []
    for number in range(worlds):
        world = trips.crowded(share, number)
        asked = trips.trips(world, EACH + WARMING, number)
        queries, warming = asked[:EACH], asked[EACH:]
        sides.ask(what="world", name="crowded", told=world)
        for name, (side, planner, _) in PLANNERS.items():
            if name == IMPROVED:
                planner = planner | {"improve": IMPROVE[share]}
            worker = getattr(sides, side)
            for into, some in ((None, warming), (answers, queries), (again, queries[:AGAIN])):
                found = worker.ask({"what": "solve", "world": "crowded", "queries": some, "planner": planner})
                if into is not None:
                    into[name] += found
        known = long_costs(
            sides.new, world, queries[:LONG_EACH],
            lambda some: [one["cost"] for one in sides.new.ask(
                {"what": "solve", "world": "crowded", "queries": some, "planner": LONG}
            )],
        )  # fmt: skip
        mine = slice(number * EACH, (number + 1) * EACH)
        known += [None] * (EACH - len(known))
        best += [least([cost, *(answers[name][mine][n]["cost"] for name in PLANNERS)]) for n, cost in enumerate(known)]
    solvable = [number for number, cost in enumerate(best) if cost is not None]
    return {
        "queries": len(best),
        "solvable": len(solvable),
        "planners": {name: summary(answers[name], best) | {"again_ms": _median(again[name])} for name in PLANNERS},
    }


def _median(answers: list[dict[str, Any]]) -> float:
    return statistics.median(one["ms"] for one in answers)


def summary(answers: list[dict[str, Any]], best: list[Cost]) -> dict[str, Any]:
    """Return the figures of one planner's answers; trips that it does not find are numbered world by world."""
    ratios = [
        one["cost"] / cost
        for number, (one, cost) in enumerate(zip(answers, best, strict=True))
        if one["found"] and cost and number % EACH < LONG_EACH
    ]
    missed = [number for number, (one, cost) in enumerate(zip(answers, best, strict=True)) if cost and not one["found"]]
    return {
        "ms": Spread.of([one["ms"] for one in answers])._asdict(),
        "core_ms": Spread.of([one["core_ms"] for one in answers])._asdict(),
        "all_ms": sum(one["ms"] for one in answers),
        "found": sum(one["found"] for one in answers),
        "fell_back": sum(one["fell_back"] for one in answers),
        "not_found": [f"world {number // EACH}, trip {number % EACH}" for number in missed],
        "cost": {"mean": statistics.mean(ratios), "worst": max(ratios), "of": len(ratios)} if ratios else None,
    }


def rows(figures: dict[str, Any], share: float) -> list[Row]:
    of, base = figures["planners"], figures["planners"][BASE]
    found: list[Row] = []
    for name, (_, _, said) in PLANNERS.items():
        one, times = of[name], base["ms"]["median"] / of[name]["ms"]["median"]
        notes: list[str] = []
        if one["core_ms"]["median"] > 0.0:
            notes.append(f"in the core alone {Spread(**one['core_ms'])}")
        if name == IMPROVED:
            more_ms = one["core_ms"]["mean"] - of[AT_ONCE]["core_ms"]["mean"]
            notes.append(f"{IMPROVE[share]} states to improve with, {more_ms:.2f} ms on average")
        if one["fell_back"]:
            notes.append(f"fell back {one['fell_back']} times")
        if one["cost"]:
            notes.append(
                f"cost {one['cost']['mean']:.3f} times the least known on average, {one['cost']['worst']:.2f} at most, "
                f"of {one['cost']['of']} that a long search was asked for, too"
            )
        notes.append(f"the same again {one['again_ms']:.2f} ms")
        if one["not_found"]:
            notes.append(f"not found: {'; '.join(one['not_found'])}")
        is_ours = name.startswith("trees")
        found.append(
            Row(
                f"{figures['queries']} trips of 15 to 40 m, {share:.0%} occupied, known world, new goal: {said}",
                f"{Spread(**one['ms'])}, {one['found']} of {figures['solvable']} found",
                f"{base['ms']['median']:.2f} ms (mean {base['ms']['mean']:.2f}; {PLANNERS[BASE][2]})",
                f"{times:.2f}",
                "; ".join(notes),
                _wanted_of_trips(one, base, share, times) if is_ours else "",
            )
        )
    return [*found, _new_goal_row(figures, share)]


def _wanted_of_trips(one: dict[str, Any], base: dict[str, Any], share: float, times: float) -> str:
    core_ms = one["core_ms"]["median"]
    return all_wanted(
        {
            f"trips, {share:.0%}": times,
            f"trips in the core, {share:.0%}": core_ms,
            "trips from Python": one["ms"]["median"] - core_ms,
            "success": one["found"] / base["found"] if base["found"] else None,
            "cost": one["cost"]["mean"] if one["cost"] else None,
        }
    )


def _new_goal_row(figures: dict[str, Any], share: float) -> Row:
    """Return how long A* takes for a goal that it has no field to yet, beside old."""
    new, old = figures["planners"]["A*"], figures["planners"]["old A*"]
    part = new["all_ms"] / old["all_ms"]
    return Row(
        f"A*, weight 1.5, field to a new goal included, all {figures['queries']} trips, {share:.0%} occupied",
        f"{1e-3 * new['all_ms']:.2f} s",
        f"{1e-3 * old['all_ms']:.2f} s (old)",
        f"{1.0 / part:.2f}",
        f"the median trip {new['ms']['median']:.2f} and {old['ms']['median']:.2f} ms; with the field kept "
        f"{new['again_ms']:.2f} and {old['again_ms']:.2f} ms",
        wanted(f"A*, new goal, {share:.0%}", part),
    )


# ---- Batches ----


def measure_batches(sides: Sides, worlds: int) -> dict[str, Any]:
    """Ask for many trips at once in one thread and in two, on the clock."""
    cases: dict[str, Any] = {}
    for share in OCCUPIED:
        world = trips.crowded(share, 0)
        sides.new.ask({"what": "world", "name": "crowded", "told": world})
        queries = trips.trips(world, EACH * worlds, 1000)
        for said, planner in BATCHED.items():
            for threads in (1, 2):
                cases[f"{share:.0%}, {said}, threads: {threads}"] = sides.new.ask(
                    {
                        "what": "solve many", "world": "crowded", "queries": queries, "threads": threads,
                        "planner": planner,
                    }
                )  # fmt: skip
    return cases


def batch_rows(figures: dict[str, Any]) -> list[Row]:
    rows: list[Row] = []
    for case, one in figures.items():
        alone = figures[case.replace("threads: 2", "threads: 1")]
        rate, of_one = one["trips"] / one["s"], alone["trips"] / alone["s"]
        rows.append(
            Row(
                f"{one['trips']} trips in a batch, occupied {case}",
                f"{rate:,.0f} trips a second on the clock",
                f"{of_one:,.0f} in one thread",
                f"{rate / of_one:.2f}",
                f"{one['found']} found; {1e3 * one['processor_s'] / one['trips']:.2f} ms of processor time each",
                wanted("batches", rate) if case.endswith("2") else "",
            )
        )
    return rows
