"""A* alone, set up beforehand, on the same problems: time, costs, expansions a second."""

from __future__ import annotations

from typing import Any

from evidence.benchmarks import trips
from evidence.benchmarks.core.wanted import wanted
from evidence.benchmarks.sides import Sides
from evidence.benchmarks.timing import Row

OCCUPIED = (0.06, 0.17)
MOST = 60_000  # expansions
SUMMED = ("ms", "expansions", "generated", "samples")


def measure(sides: Sides, worlds: int) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for share in OCCUPIED:
        pairs: list[tuple[dict[str, Any], dict[str, Any]]] = []
        for number in range(worlds + 1):
            world = trips.crowded(share, 900 + number)
            query = trips.trips(world, 1, 900 + number)[0]
            sides.ask(what="world", name="crowded", told=world)
            pairs.append(sides.ask(what="expand", world="crowded", query=query, most=MOST))
        del pairs[0]  # it compiled
        new, old = ({name: sum(pair[side][name] for pair in pairs) for name in SUMMED} for side in (0, 1))
        same = sum(one["cost"] == other["cost"] for one, other in pairs)
        figures[f"{share:.0%}"] = {"new": new, "old": old, "same_costs": same, "problems": len(pairs)}
    return figures


def rows(figures: dict[str, Any]) -> list[Row]:
    found: list[Row] = []
    for share, one in figures.items():
        new, old = one["new"], one["old"]
        found.append(
            Row(
                f"A* alone, {share} occupied, up to {MOST:,} expansions each",
                f"{1e3 * new['expansions'] / new['ms']:,.0f} expansions/s",
                f"{1e3 * old['expansions'] / old['ms']:,.0f} expansions/s (old)",
                f"{old['ms'] / new['ms']:.2f}",
                f"{1e-3 * new['ms']:.2f} and {1e-3 * old['ms']:.2f} s in all; "
                f"{new['generated'] / new['expansions']:.0f} successors; "
                f"the same cost in {one['same_costs']} of {one['problems']}",
                wanted(f"A* alone, {share}", new["ms"] / old["ms"]),
            )
        )
    return found
