"""Trips through the scenes that ship: time, and cost beside A*'s."""

from __future__ import annotations

import statistics
from typing import Any

from evidence.benchmarks.core.costs import LONG, least, long_costs
from evidence.benchmarks.core.wanted import wanted
from evidence.benchmarks.sides import Sides
from evidence.benchmarks.timing import Row
from gambol.scenes import load_scene, shipped_scenes

OF_CAST = 3
ALONE = ("course", "office", "duck-and-jump")  # scenes with rows of their own
PLANNERS = {
    "trees": {"kind": "trees", "improve": 0},
    "trees, improved": {"kind": "trees", "improve": 16},
    "A*": {"kind": "A*", "weight": 1.5},
}


def names() -> list[str]:
    """Return the shipped scenes of people who plan ahead."""
    plans = [scene.name for scene in shipped_scenes() if scene.kind == "plan"]
    return [name for name in plans if load_scene(name).cast[0].character.name.startswith("human")]


def measure(sides: Sides, worlds: int) -> dict[str, Any]:
    """Ask for the first of each cast, each alone, to a new goal in a known world; few worlds: few scenes, too."""
    chosen = names() if worlds >= len(ALONE) else []
    figures: dict[str, Any] = {}
    for name in dict.fromkeys((*ALONE, *chosen)):
        answers: dict[str, list[dict[str, Any]]] = {}
        for label, planner in PLANNERS.items():
            for side in ("new",) if label == "trees, improved" else ("new", "old"):  # other units in old
                asked = {"what": "cast", "name": name, "count": OF_CAST, "planner": planner}
                answers[f"{side} {label}"] = getattr(sides, side).ask(asked)
        who = [one["name"] for one in answers["new A*"]]
        long = long_costs(
            sides.new, ["scene", name], who,
            lambda some, name=name: [one["cost"] for one in sides.new.ask(
                {"what": "cast", "name": name, "count": OF_CAST, "planner": LONG}
            ) if one["name"] in some],
        )  # fmt: skip
        best = [least([cost, *(some[n]["cost"] for some in answers.values())]) for n, cost in enumerate(long)]
        figures[name] = {"who": who, "best": best, **answers}
    return figures


def rows(figures: dict[str, Any]) -> list[Row]:
    cases = {**{name: [figures[name]] for name in ALONE}, f"all {len(figures)}": list(figures.values())}
    return [_row(case, scenes, label) for case, scenes in cases.items() for label in ("trees", "trees, improved")]


def _row(name: str, scenes: list[dict[str, Any]], label: str) -> Row:
    def all_of(who: str) -> list[dict[str, Any]]:
        return [one for scene in scenes for one in scene[who]]

    best = [cost for scene in scenes for cost in scene["best"]]
    people = [who for scene in scenes for who in scene["who"]]
    ours, search, old = all_of(f"new {label}"), all_of("new A*"), all_of("old trees")
    both = [n for n, one in enumerate(ours) if one["found"] and search[n]["found"]]
    by_search = [ours[n]["cost"] / search[n]["cost"] for n in both]
    by_best = [one["cost"] / cost for one, cost in zip(ours, best, strict=True) if one["found"] and cost]
    missed = [people[n] for n, one in enumerate(ours) if best[n] is not None and not one["found"]]
    ms, search_ms, old_ms = (statistics.median(one["ms"] for one in some) for some in (ours, search, old))
    cost = statistics.mean(by_search) if by_search else None
    says = f"cost {cost:.3f} times A*'s (weight 1.5) on average, {max(by_search):.2f} at most; " if cost else ""
    says += f"{statistics.mean(by_best):.3f} times the least known; " if by_best else ""
    said = "at once" if label == "trees" else f"{PLANNERS[label]['improve']} states to improve with"
    return Row(
        f"scenes that ship, {name}: trips by trees, {said}",
        f"{ms:.2f} ms median, {sum(one['found'] for one in ours)} of {sum(cost is not None for cost in best)} found",
        f"{search_ms:.2f} ms (A*, weight 1.5, of these sources); {old_ms:.2f} ms (old trees)",
        f"{search_ms / ms:.2f}",
        f"{says}in the core alone {statistics.median(one['core_ms'] for one in ours):.2f} ms"
        + (f"; not found: {', '.join(missed)}" if missed else ""),
        wanted(f"scene {name}", cost),
    )
