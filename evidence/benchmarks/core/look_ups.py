"""Distinct look-ups of a disc and of the eight-part body, and what asking for one from Python costs beyond it."""

from __future__ import annotations

import statistics
from typing import Any

from evidence.benchmarks import trips
from evidence.benchmarks.core.wanted import wanted
from evidence.benchmarks.sides import Sides
from evidence.benchmarks.timing import Row

OCCUPIED = (0.06, 0.17, 0.25)
BODIES = {"disc": "a disc", "eight": "eight parts"}
NODES, REACH_M = 500_000, 16.0
LOOK_UPS, ONES = 10_000, 400  # in all worlds of a density; asked for one by one in each of them
ONE = f"{OCCUPIED[0]:.0%}, {BODIES['eight']}"  # where single questions are told of


def measure(sides: Sides, worlds: int) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    count = max(2, worlds // 4)
    each = max(ONES, min(LOOK_UPS // count, 500 * worlds))
    for share in OCCUPIED:
        both: dict[str, dict[str, list[dict[str, Any]]]] = {body: {"new": [], "old": []} for body in BODIES}
        for number in range(count):
            world = trips.crowded(share, 800 + number)
            starts, goals = trips.look_ups(world, each, number, reach_m=REACH_M)
            asked = {"world": "crowded", "nodes": NODES, "starts": starts, "goals": goals, "ones": ONES}
            for body in BODIES:
                sides.ask(what="world", name="crowded", told=world)
                for side, one in zip(both[body], sides.ask(what="look up", body=body, **asked), strict=True):
                    both[body][side].append(one)
        for body, said in BODIES.items():
            figures[f"{share:.0%}, {said}"] = {side: _summary(some, each) for side, some in both[body].items()}
    return figures


def _summary(figures: list[dict[str, Any]], each: int) -> dict[str, Any]:
    return {
        "us": statistics.mean(one["us"] for one in figures),
        "again_us": statistics.mean(one["again_us"] for one in figures),
        "new_world_ms": statistics.median(one["new_world_ms"] for one in figures),
        "overhead_us": statistics.median(one["one_us"] - one["same_us"] for one in figures),
        "answered": sum(one["found"] for one in figures) / (each * len(figures)),
        "visited": statistics.mean(one["visited"] for one in figures),
        "asked": each * len(figures),
    }


def rows(figures: dict[str, Any]) -> list[Row]:
    found: list[Row] = []
    mean = statistics.mean(both["old"]["us"] / both["new"]["us"] for both in figures.values())
    for case, both in figures.items():
        new, old = both["new"], both["old"]
        times = old["us"] / new["us"]
        found.append(
            Row(
                f"look-ups in a diverse tree of {NODES:,} nodes, {case}: distinct queries in one pass",
                f"{new['us']:.1f} µs mean, {new['answered']:.1%} answered",
                f"{old['us']:.1f} µs mean, {old['answered']:.1%} answered (old)",
                f"{times:.2f}",
                f"{new['asked']:,} queries; nodes visited: {new['visited']:.0f} and {old['visited']:.0f} each; the "
                f"same again: {new['again_us']:.1f} and {old['again_us']:.1f} µs; in a new world, with the first of "
                f"them: {new['new_world_ms']:.1f} and {old['new_world_ms']:.1f} ms",
                wanted("look-ups", mean) if case == ONE else "",
            )
        )
    new, old = (figures[ONE][side]["overhead_us"] for side in ("new", "old"))
    found.append(
        Row(
            "LookUp.one from Python: what it takes beyond the look-up", f"{new:.1f} µs", f"{old:.1f} µs (old)",
            f"{old / new:.1f}", f"{ONE}", wanted("one", new),
        )
    )  # fmt: skip
    return found
