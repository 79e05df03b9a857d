"""Which share of the questions that A* solves a single look-up answers, by tree."""

from __future__ import annotations

from typing import Any

from evidence.benchmarks import trips
from evidence.benchmarks.core.wanted import wanted
from evidence.benchmarks.sides import Sides
from evidence.benchmarks.timing import Row

OCCUPIED = (0.06, 0.17, 0.25)
EACH = 20  # questions in a world
NODES, REACH_M, WEIGHT = 500_000, 16.0, 1.5
#: Whose questions, and what they are looked up in.  What is wanted is not said to be of one of them: each is compared.
TREES = {
    "eight": f"one diverse tree of {NODES:,} nodes, eight behaviors, eight parts, in mid-jog",
    "disc": "the same tree, a disc of 0.3 m in place of the body",
    "human": "the default trees of the human at rest (cheapest and diverse)",
}


def measure(sides: Sides, worlds: int) -> dict[str, Any]:
    """Ask both the same questions; goals lie ahead, within the trees' reach."""
    counts = {
        f"{share:.0%}, {kind}": {side: {"answered": 0, "solved": 0, "both": 0} for side in ("new", "old")}
        for share in OCCUPIED
        for kind in TREES
    }
    asked = 0
    for share in OCCUPIED:
        asked = 0
        for number in range(worlds):
            world = trips.crowded(share, 1000 + number)
            starts, goals = trips.look_ups(world, EACH, 1000 + number, reach_m=REACH_M)
            sides.ask(what="world", name="crowded", told=world)
            asked += len(starts)
            for kind in TREES:
                told = {"world": "crowded", "kind": kind, "nodes": NODES, "weight": WEIGHT}
                answers = sides.ask(what="answered", starts=starts, goals=goals, **told)
                for side, one in zip(("new", "old"), answers, strict=True):
                    into = counts[f"{share:.0%}, {kind}"][side]
                    for answered, solved in zip(one["answered"], one["solved"], strict=True):
                        into["answered"] += answered
                        into["solved"] += solved
                        into["both"] += answered and solved
    return {"asked": asked, "cases": counts}


def rows(figures: dict[str, Any]) -> list[Row]:
    found: list[Row] = []
    for case, both in figures["cases"].items():
        share, _, kind = case.partition(", ")
        new, old = (100.0 * both[side]["both"] / max(1, both[side]["solved"]) for side in ("new", "old"))
        found.append(
            Row(
                f"questions that a look-up answers of those that A* solves, {share} occupied: {TREES[kind]}",
                f"{new:.1f} %",
                f"{old:.1f} % (old)",
                f"{new / max(old, 1e-9):.2f}",
                f"goals ahead within {REACH_M:g} m; of {figures['asked']} A* (weight {WEIGHT:g}) solves "
                f"{both['new']['solved']}, look-ups answer {both['new']['answered']}",
                wanted(f"answered, {share}", new),
            )
        )
    return found
