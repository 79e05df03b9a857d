"""First plans in worlds of which nothing is known yet: small ones, a large one, and among many things that move."""

from __future__ import annotations

from typing import Any

from evidence.benchmarks import trips
from evidence.benchmarks.core.wanted import wanted
from evidence.benchmarks.sides import Sides, Spread
from evidence.benchmarks.timing import Row

PLANNERS = {"trees": {"kind": "trees", "fallback": 1.5}, "A*": {"kind": "A*", "weight": 1.5}}
LARGE, MOVING = "300 x 300 m, 5,600 obstacles", "100 x 100 m, 6% occupied, 1,000 movers"
FAR_M, FAR_AWAY_M = (15.0, 40.0), (29.0, 31.0)
DRAWN = 5  # trips of which one is taken
FEW = 5  # of the larger worlds


def _worlds(worlds: int) -> dict[str, tuple[list[trips.Told], tuple[float, float]]]:
    """Return the worlds of each case, of which the first only warms up, and how far trips in them are."""
    small = {
        f"40 x 40 m, {share:.0%} occupied": ([trips.crowded(share, 500 + n) for n in range(worlds + 1)], FAR_M)
        for share in (0.06, 0.17)
    }
    few = range(1 + min(worlds, FEW))
    large = [trips.many_boxes(5_600, 300.0, n) for n in few]
    moving = [trips.with_movers(trips.crowded(0.06, 600 + n, side_m=100.0), 1_000, n) for n in few]
    return {**small, LARGE: (large, FAR_AWAY_M), MOVING: (moving, FAR_AWAY_M)}


def _query(sides: Sides, world: trips.Told, seed: int, far_m: tuple[float, float]) -> trips.Trip:
    """Return a trip; among things that move, where few goals are left alone for ever, the first that A* finds."""
    drawn = trips.trips(world, DRAWN if "movers" in world else 1, seed, far_m=far_m)
    for query in drawn[:-1]:
        if sides.new.ask({"what": "first plan", "told": world, "query": query, "planner": PLANNERS["A*"]})["found"]:
            return query
    return drawn[-1]


def measure(sides: Sides, worlds: int) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for case, (told, far_m) in _worlds(worlds).items():
        queries = [_query(sides, world, 700 + number, far_m) for number, world in enumerate(told)]
        for name, planner in PLANNERS.items():
            times: dict[str, list[dict[str, Any]]] = {"new": [], "old": []}
            for world, query in zip(told, queries, strict=True):
                answers = sides.ask(what="first plan", told=world, query=query, planner=planner)
                for side, one in zip(times, answers, strict=True):
                    times[side].append(one)
            figures[f"{case}: {name}"] = {
                side: {
                    "ms": Spread.of([one["ms"] for one in some[1:]])._asdict(),
                    "found": sum(one["found"] for one in some[1:]),
                    "fell_back": sum(one["fell_back"] for one in some[1:]),
                    "of": len(some) - 1,
                }
                for side, some in times.items()
            }
    return figures


def rows(figures: dict[str, Any]) -> list[Row]:
    found: list[Row] = []
    for case, both in figures.items():
        new, old = both["new"], both["old"]
        times = old["ms"]["median"] / new["ms"]["median"]
        found.append(
            Row(
                f"first plan in a new world, {case}",
                f"{Spread(**new['ms'])}, {new['found']} of {new['of']} found",
                f"{old['ms']['median']:.1f} ms (mean {old['ms']['mean']:.1f}), {old['found']} found (old)",
                f"{times:.1f}",
                "from solve() on; the world's objects are made before"
                + (f"; fell back {new['fell_back']} and {old['fell_back']} times" if case.endswith("trees") else ""),
                wanted("new world", new["ms"]["median"]) if case.startswith((LARGE, MOVING)) else "",
            )
        )
    return found
