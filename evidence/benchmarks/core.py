"""The core beside *old*, on the same questions in the same run: trips, new worlds, movers, look-ups, A*.

Both are asked by the same script in processes of their own (`evidence/old/worker/timing.py`), world by world in turn,
so that the load of the machine is the same for both.  Times are processor times from `solve()` on, but for batches in
threads.  What is new each time is said: the goal in a known world, or the world.  Costs are compared with those of a
long anytime search, which are kept in `results/core_costs.json`.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evidence.benchmarks import trips
from evidence.benchmarks.sides import Sides, Spread, both_sides
from evidence.benchmarks.timing import Row
from evidence.old.environment import OLD, ROOT, Worker, environment

RESULTS = Path(__file__).parent / "results" / "core.json"
COSTS = RESULTS.with_name("core_costs.json")
OCCUPIED = (0.06, 0.17)
WORLDS, TRIPS_EACH = 20, 20  # a density: 400 queries
LONG_EXPANSIONS = 200_000
WEIGHTED = {"kind": "A*", "weight": 1.5}
TREES = {"kind": "trees", "fallback": 1.5}
LONG = {"kind": "anytime", "improve": LONG_EXPANSIONS}
TREE_NODES = 500_000
LOOK_UPS, ONES = 10_000, 400


def run(*, worlds: int = WORLDS, parts: Sequence[str] = ()) -> list[Row]:
    """Measure all parts, or those named, and keep what was found."""
    new, old = environment(str(ROOT)), environment(OLD)
    results: dict[str, Any] = {
        "new": new.commit, "old": old.commit, "python": platform.python_version(), "machine": platform.machine(),
        "processors": os.cpu_count(), "load_before": round(os.getloadavg()[0], 1),
    }  # fmt: skip
    rows: list[Row] = []
    for name, part in PARTS.items():
        if parts and name not in parts:
            continue
        with both_sides() as sides:
            found, more = part(sides, worlds)
        results[name] = found
        rows += more
    results["load_after"] = round(os.getloadavg()[0], 1)
    known = json.loads(RESULTS.read_text()) if RESULTS.is_file() and parts else {}
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({**known, **results}, indent=1) + "\n")
    return rows


# ---- Trips ----


def _trips(sides: Sides, worlds: int) -> tuple[dict[str, Any], list[Row]]:
    results: dict[str, Any] = {}
    rows: list[Row] = []
    for share in OCCUPIED:
        found = _trips_at(sides, share, worlds)
        results[f"{share:.0%}"] = found
        rows += _trip_rows(share, found)
    return results, rows


def _trips_at(sides: Sides, share: float, worlds: int) -> dict[str, Any]:
    """Ask both, by trees and by weighted A*, for trips to new goals in known worlds."""
    times: dict[str, list[dict[str, Any]]] = {}
    best: list[float | None] = []
    for number in range(worlds):
        world = trips.crowded(share, number)
        asked = trips.trips(world, TRIPS_EACH + 2, number)
        queries, warming = asked[:TRIPS_EACH], asked[TRIPS_EACH:]
        sides.ask(what="world", name="crowded", told=world)
        longest = _long_costs(sides.new, world, queries)
        for name, planner in (("trees", TREES), ("A*", WEIGHTED)):
            sides.ask(what="solve", world="crowded", queries=warming, planner=planner)
            both = sides.ask(what="solve", world="crowded", queries=queries, planner=planner)
            again = sides.ask(what="solve", world="crowded", queries=queries[:5], planner=planner)
            for side, answers, repeated in zip(("new", "old"), both, again, strict=True):
                times.setdefault(f"{side} {name}", []).extend(answers)
                times.setdefault(f"{side} {name}, again", []).extend(repeated)
        best += longest
    plans = [name for name in times if not name.endswith("again")]
    for query in range(len(best)):
        costs = [times[name][query]["cost"] for name in plans if times[name][query]["found"]]
        best[query] = min([*costs, *([best[query]] if best[query] is not None else [])], default=None)
    solvable = sum(cost is not None for cost in best)
    return {"queries": len(best), "solvable": solvable, **{name: _summary(times[name], best) for name in times}}


def _summary(answers: list[dict[str, Any]], best: list[float | None]) -> dict[str, Any]:
    """Return the figures of one planner's answers."""
    summary: dict[str, Any] = {
        "ms": Spread.of([one["ms"] for one in answers])._asdict(),
        "core_ms": Spread.of([one["core_ms"] for one in answers])._asdict(),
        "fell_back": sum(one["fell_back"] for one in answers),
        "found": sum(one["found"] for one in answers),
    }
    if len(answers) == len(best):
        pairs = [(one["cost"], cost) for one, cost in zip(answers, best, strict=True) if one["found"] and cost]
        ratios = [cost / least for cost, least in pairs]
        summary["cost"] = {"mean": statistics.mean(ratios), "worst": max(ratios)} if ratios else {}
        summary["not_found"] = [
            number for number, (one, cost) in enumerate(zip(answers, best, strict=True)) if cost and not one["found"]
        ]
    return summary


def _long_costs(worker: Worker, world: trips.Told, queries: list[trips.Trip]) -> list[float | None]:
    """Return what a long search finds for each query; kept, as it takes long."""
    known: dict[str, float | None] = json.loads(COSTS.read_text()) if COSTS.is_file() else {}
    keys = [hashlib.md5(json.dumps([world, query, LONG]).encode()).hexdigest()[:16] for query in queries]
    missing = [(key, query) for key, query in zip(keys, queries, strict=True) if key not in known]
    if missing:
        answers = worker.ask(
            {"what": "solve", "world": "crowded", "queries": [query for _, query in missing], "planner": LONG}
        )
        known |= {key: one["cost"] for (key, _), one in zip(missing, answers, strict=True)}
        COSTS.parent.mkdir(exist_ok=True)
        COSTS.write_text(json.dumps(known, indent=0) + "\n")
    return [known[key] for key in keys]


def _trip_rows(share: float, found: dict[str, Any]) -> list[Row]:
    rows: list[Row] = []
    base = found["old A*"]
    for name in ("new trees", "old trees", "new A*", "old A*"):
        one = found[name]
        core = f"in the core {Spread(**one['core_ms'])}; " if one["core_ms"]["median"] > 0.0 else ""
        back = f"fell back {one['fell_back']} times; " if name.endswith("trees") else ""
        rows.append(
            Row(
                f"trips of 15 to 40 m, {share:.0%} occupied, known world, new goal: {_said(name)}",
                f"{Spread(**one['ms'])}, {one['found']} of {found['solvable']} found",
                f"{base['ms']['median']:.2f} ms (old A*, weight 1.5), {base['found']} found",
                f"{base['ms']['median'] / one['ms']['median']:.1f}",
                f"{core}{back}cost {one['cost']['mean']:.3f} times the best known on average, "
                f"{one['cost']['worst']:.2f} at most; "
                f"the same again: {found[f'{name}, again']['ms']['median']:.2f} ms",
            )
        )
    return rows


def _said(name: str) -> str:
    side, _, planner = name.partition(" ")
    return ("the core's" if side == "new" else "old") + (" trees" if planner == "trees" else " weighted A*")


def _batched(sides: Sides, worlds: int) -> tuple[dict[str, Any], list[Row]]:
    """Ask for many trips at once in two threads, on the clock."""
    results: dict[str, Any] = {}
    rows: list[Row] = []
    for share in OCCUPIED:
        world = trips.crowded(share, 0)
        sides.new.ask({"what": "world", "name": "crowded", "told": world})
        queries = trips.trips(world, TRIPS_EACH * worlds, 1000)
        for threads in (1, 2):
            found = sides.new.ask({"what": "solve many", "world": "crowded", "queries": queries, "threads": threads})
            results[f"{share:.0%}, {threads} threads"] = found
            if found is not None:
                rows.append(_batch_row(share, threads, found))
    return results, rows


def _batch_row(share: float, threads: int, found: dict[str, Any]) -> Row:
    return Row(
        f"{found['trips']} trips in a batch, {share:.0%} occupied, threads: {threads}",
        f"{found['trips'] / found['s']:,.0f} trips a second on the clock",
        "2,000 are wanted of two threads",
        f"{found['trips'] / found['s'] / 2000.0:.2f}",
        f"{found['found']} found; {1e3 * found['processor_s'] / found['trips']:.2f} ms of processor time each",
    )


# ---- New worlds ----


def _first_plans(sides: Sides, told: list[trips.Told], queries: list[trips.Trip], planner: dict[str, Any]) -> Any:
    """Time the first plan in each of some worlds; the first world only warms up."""
    times: dict[str, list[dict[str, Any]]] = {"new": [], "old": []}
    for world, query in zip(told, queries, strict=True):
        answers = sides.ask(what="first plan", told=world, query=query, planner=planner)
        times["new"].append(answers[0])
        times["old"].append(answers[1])
    return {side: times[side][1:] for side in times}


def _new_worlds(sides: Sides, worlds: int) -> tuple[dict[str, Any], list[Row]]:
    """Time first plans: in small worlds, in a large one, and among many things that move."""
    cases = {
        "40 x 40 m, 6 % occupied": ([trips.crowded(0.06, 500 + n) for n in range(worlds + 1)], (15.0, 40.0)),
        "40 x 40 m, 17 % occupied": ([trips.crowded(0.17, 500 + n) for n in range(worlds + 1)], (15.0, 40.0)),
        "300 x 300 m, 5,600 boxes": ([trips.many_boxes(5_600, 300.0, n) for n in range(6)], (29.0, 31.0)),
        "40 x 40 m, 6 % occupied, 1,000 movers": (
            [trips.with_movers(trips.crowded(0.06, 600 + n), 1_000, n) for n in range(4)], (15.0, 40.0),
        ),
    }  # fmt: skip
    results: dict[str, Any] = {}
    rows: list[Row] = []
    for case, (told, far_m) in cases.items():
        queries = [trips.trips(world, 1, 700 + number, far_m=far_m)[0] for number, world in enumerate(told)]
        for name, planner in (("trees", TREES), ("A*", WEIGHTED)):
            times = _first_plans(sides, told, queries, planner)
            spreads = {side: Spread.of([one["ms"] for one in times[side]]) for side in times}
            found = {side: sum(one["found"] for one in times[side]) for side in times}
            results[f"{case}, {name}"] = {side: {"ms": spreads[side]._asdict(), "found": found[side]} for side in times}
            rows.append(
                Row(
                    f"first plan in a new world, {case}: {name}",
                    f"{spreads['new']}, {found['new']} of {len(times['new'])} found",
                    f"{spreads['old'].median:.1f} ms, {found['old']} found (old)",
                    f"{spreads['old'].median / spreads['new'].median:.1f}",
                    "from solve() on; the world's objects are made before",
                )
            )
    return results, rows


# ---- Look-ups ----


def _look_ups(sides: Sides, worlds: int) -> tuple[dict[str, Any], list[Row]]:
    """Time distinct look-ups of a disc and of the eight-part body, and what asking for one from Python costs."""
    results: dict[str, Any] = {}
    rows: list[Row] = []
    each = max(200, LOOK_UPS // worlds)
    for share in (*OCCUPIED, 0.25):
        for body in ("disc", "eight"):
            figures: dict[str, list[dict[str, Any]]] = {"new": [], "old": []}
            for number in range(max(2, worlds // 4)):
                world = trips.crowded(share, 800 + number)
                starts, goals = trips.look_ups(world, each, number, reach_m=16.0)
                sides.ask(what="world", name="crowded", told=world)
                both = sides.ask(
                    what="look up", world="crowded", body=body, nodes=TREE_NODES, starts=starts, goals=goals, ones=ONES
                )
                for side, one in zip(("new", "old"), both, strict=True):
                    figures[side].append(one)
            case = f"{share:.0%}, {'a disc' if body == 'disc' else 'eight parts'}"
            results[case] = found = {side: look_up_summary(figures[side], each) for side in figures}
            rows.append(look_up_row(case, found))
            if body == "eight" and share == OCCUPIED[0]:
                rows.append(_one_row(found))
    return results, rows


def look_up_summary(figures: list[dict[str, Any]], each: int) -> dict[str, Any]:
    return {
        "us": statistics.mean(one["us"] for one in figures),
        "again_us": statistics.mean(one["again_us"] for one in figures),
        "new_world_ms": statistics.median(one["new_world_ms"] for one in figures),
        "overhead_us": statistics.median(one["one_us"] - one["same_us"] for one in figures),
        "answered": sum(one["found"] for one in figures) / (each * len(figures)),
        "visited": statistics.mean(one["visited"] for one in figures),
        "asked": each * len(figures),
    }


def look_up_row(case: str, found: dict[str, Any]) -> Row:
    new, old = found["new"], found["old"]
    return Row(
        f"look-ups in a diverse tree of {TREE_NODES:,} nodes, {case}: distinct queries in one pass",
        f"{new['us']:.1f} µs mean, {new['answered']:.1%} answered",
        f"{old['us']:.1f} µs mean, {old['answered']:.1%} answered (old)",
        f"{old['us'] / new['us']:.2f}",
        f"{new['asked']:,} queries; nodes visited: {new['visited']:.0f} and {old['visited']:.0f} each; the same again: "
        f"{new['again_us']:.1f} and {old['again_us']:.1f} µs; in a new world, with the first of them: "
        f"{new['new_world_ms']:.1f} and {old['new_world_ms']:.1f} ms",
    )


def _one_row(found: dict[str, Any]) -> Row:
    new, old = found["new"]["overhead_us"], found["old"]["overhead_us"]
    return Row(
        "LookUp.one from Python: what it takes beyond the look-up", f"{new:.1f} µs", f"{old:.1f} µs (old)",
        f"{old / new:.1f}", "5 µs at most are wanted",
    )  # fmt: skip


# ---- A* ----


def _astar(sides: Sides, worlds: int) -> tuple[dict[str, Any], list[Row]]:
    """Time the search alone on the same problems, and its rate of expansions."""
    results: dict[str, Any] = {}
    rows: list[Row] = []
    for share in OCCUPIED:
        figures: list[tuple[dict[str, Any], dict[str, Any]]] = []
        for number in range(worlds):
            world = trips.crowded(share, 900 + number)
            query = trips.trips(world, 1, 900 + number)[0]
            sides.ask(what="world", name="crowded", told=world)
            both = sides.ask(what="expand", world="crowded", query=query, most=60_000)
            if number > 0:  # the first compiles
                figures.append(both)
        new, old = (
            {name: sum(pair[side][name] for pair in figures) for name in ("ms", "expansions", "generated", "samples")}
            for side in (0, 1)
        )
        same = sum(pair[0]["cost"] == pair[1]["cost"] for pair in figures)
        results[f"{share:.0%}"] = {"new": new, "old": old, "same_costs": same, "problems": len(figures)}
        rows.append(
            Row(
                f"A*, kernels alone, {share:.0%} occupied, up to 60,000 expansions each",
                f"{1e3 * new['expansions'] / new['ms']:,.0f} expansions/s",
                f"{1e3 * old['expansions'] / old['ms']:,.0f} expansions/s (old)",
                f"{old['ms'] / new['ms']:.2f}",
                f"{new['generated'] / new['expansions']:.0f} successors; the same cost in {same} of {len(figures)}",
            )
        )
    return results, rows


PARTS: dict[str, Callable[[Sides, int], tuple[dict[str, Any], list[Row]]]] = {
    "trips": _trips, "batched": _batched, "new worlds": _new_worlds, "look-ups": _look_ups, "A*": _astar
}  # fmt: skip


if __name__ == "__main__":
    import sys

    for row in run(worlds=int(sys.argv[1]), parts=sys.argv[2:]):
        print(row.what, row.ours, row.other, row.ratio, row.note, sep=" | ")
