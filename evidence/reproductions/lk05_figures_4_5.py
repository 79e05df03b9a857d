"""LK05 figures 4 and 5: the search trees of A*, truncated and inflated A* in one environment."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from evidence.reproductions.claim import Claim, claim
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.played import OTHER_MACHINE, check_sentence, delivered_row, delivered_table, play
from evidence.reproductions.report import Report, Row, Table, row
from evidence.reproductions.scene_drawing import MapPanel, draw_maps, shown_of
from gambol.pictures import INK
from gambol.planners import DEFAULT_KEEP
from gambol.scenes import load_scene
from gambol.search import AStar, Plan, Problem, StateTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "lk05-figures-4-5"
SCENE, BUDGET = "search", 5_000_000
INFLATED = 2.0  # [LK05 3.3]
SEARCHES, COARSE, GOING_AROUND = "as LK05 searches", "with a coarse table of states", "with our bound around obstacles"
NAMES = ("A*", "truncated A*", "inflated A*")
NODES, SHARE, EXPANSIONS, SECONDS = "nodes", "nodes, % of A*", "expansions", "seconds"
COSTS, DEARER, RATE = "cost", "dearer than A*, %", "expansions a second"
COLUMNS = (NODES, SHARE, EXPANSIONS, SECONDS, COSTS, DEARER, RATE)
COARSE_TABLE = StateTable(1.0, math.radians(30.0))
COARSE_KEEP = 300
PAPERS_NODES = 2241  # of A* [LK05 figure 4]
NODE_CLAIMS = ("lk05.fig4.nodes", "lk05.fig5.nodes.truncated", "lk05.fig5.nodes.inflated")
TIME_CLAIMS = ("lk05.fig5.time.astar", "lk05.fig5.time.truncated", "lk05.fig5.time.inflated")
THOUSANDS = 5_000  # what several thousand states are taken for [LK05 5]
FULL_RUNS, QUICK_RUNS = 15, 2  # of a search; the fastest counts


@dataclass(frozen=True, eq=False)
class Searched:
    """A search that was run some times."""

    plan: Plan
    seconds: float

    @property
    def nodes(self) -> int:
        return self.plan.statistics.nodes


def run(quick: bool, say: Say) -> Result:
    """Search one environment in three ways, with three settings; draw the trees and the paths."""
    runs = QUICK_RUNS if quick else FULL_RUNS
    scene = load_scene(SCENE)
    problem = replace(scene.problem(scene.cast[0]), max_expansions=BUDGET)
    groups: dict[str, list[Searched]] = {}
    for number, (title, planners) in enumerate(_planners().items()):
        say(f"searching {title}", number / 3)
        groups[title] = [_search(problem, planner, runs) for planner in planners]
    papers = groups[SEARCHES]
    played = [
        play(name, lambda: load_scene(SCENE), say, planner=planner)
        for name, planner in zip(NAMES, _planners()[SEARCHES], strict=True)
    ]
    weight = Table(
        "setting", ("ours",),
        (
            row("weight of the cost left, inflated A*", [INFLATED], [claim("lk05.s33.inflated.weight")]),
            row("open nodes kept by truncated A*", [DEFAULT_KEEP], note="The paper does not say how many it keeps."),
            row(
                f"s for {THOUSANDS:,} states by A*", [_seconds_for(THOUSANDS, papers[0])], [claim("lk05.s5.time")],
                note="By its expansions a second; the paper says several thousand, and a fraction of a second.",
            ),
        ),
    )  # fmt: skip
    tables = (
        _table(SEARCHES, papers, beside=True),
        _table(COARSE, groups[COARSE]),
        _table(GOING_AROUND, groups[GOING_AROUND]),
        delivered_table(tuple(map(delivered_row, played))),
        weight,
    )
    picture = draw_maps(
        [
            *(
                MapPanel(f"{name}: {one.nodes:,} nodes", scene.world, shown_of(each.performance), trace=True)
                for name, one, each in zip(NAMES, papers, played, strict=True)
            ),
            *(
                MapPanel(
                    f"cost {one.plan.cost:.2f}", scene.world, shown_of(each.performance),
                    draw_more=partial(_mark, one.plan),
                )
                for one, each in zip(papers, played, strict=True)
            ),
        ],
        across=3,
    )  # fmt: skip
    return Result(
        Report(
            item=NAME,
            title="LK05 figures 4 and 5: three searches of one environment",
            quick=quick,
            setting=(
                f"The shipped scene `{SCENE}` (seed {scene.seed}): 26 x 20 m, a dead end before the start, then a long "
                "wall with a part to crawl under and one to jump over; the human with LK05's 25 states. The bound of "
                "the cost left is the straight line, as in LK05; states that share 0.3 m and 10 degrees are one. "
                f"Truncated A* keeps {DEFAULT_KEEP:,} open nodes. Coarse: 1 m, 30 degrees and {COARSE_KEEP} nodes. "
                f"Times are of the search alone, the fastest of {runs}.",
            ),
            tables=tables,
            differences=_differences(groups) + tuple(check_sentence(one) for one in played),
            pictures=(f"{NAME}.png",),
        ),
        {f"{NAME}.png": picture},
    )


def _planners() -> dict[str, tuple[AStar, AStar, AStar]]:
    """Return A*, truncated and inflated A*, by setting; all keep their trees."""
    plain = AStar(around=False, trace=True)
    coarse = replace(plain, table=COARSE_TABLE, look_closer=False)
    around = AStar(trace=True)
    return {
        SEARCHES: (plain, replace(plain, keep=DEFAULT_KEEP), replace(plain, weight=INFLATED)),
        COARSE: (coarse, replace(coarse, keep=COARSE_KEEP), replace(coarse, weight=INFLATED)),
        GOING_AROUND: (around, replace(around, keep=DEFAULT_KEEP), replace(around, weight=INFLATED)),
    }


def _search(problem: Problem, planner: AStar, runs: int) -> Searched:
    planner.solve(problem)  # what is compiled and laid out once is not part of it
    plans = [planner.solve(problem) for _ in range(runs)]
    return Searched(plans[0], min(plan.statistics.time_s for plan in plans))


def _seconds_for(states: int, searched: Searched) -> float:
    """Return how long a search takes for so many states, going by what it took for its own."""
    return states * searched.seconds / max(searched.plan.statistics.expansions, 1)


def _table(title: str, searched: list[Searched], *, beside: bool = False) -> Table:
    rows: list[Row] = []
    base = searched[0]
    for number, (name, one) in enumerate(zip(NAMES, searched, strict=True)):
        statistics = one.plan.statistics
        rate = statistics.expansions / max(one.seconds, 1e-9)
        ours = [
            one.nodes, 100.0 * one.nodes / base.nodes, statistics.expansions, one.seconds, one.plan.cost,
            100.0 * (one.plan.cost / base.plan.cost - 1.0), rate,
        ]  # fmt: skip
        published: list[Claim | None] = [None] * len(COLUMNS)
        if beside:
            published[0], published[3] = claim(NODE_CLAIMS[number]), claim(TIME_CLAIMS[number])
            published[6] = claim("lk05.s5.states") if number == 0 else None
        rows.append(row(name, ours, published, note=_WHY if beside else ""))
    return Table(title, COLUMNS, tuple(rows), OTHER_MACHINE if beside else "")


_WHY = (
    "More nodes than the paper's: its environment is known from a picture alone, and it does not say how near two "
    "states must be to count as one; with a coarser table (below) trees are far smaller, and paths dearer."
)


def _differences(groups: dict[str, list[Searched]]) -> tuple[str, ...]:
    sizes = {
        title: " / ".join(f"{100 * one.nodes / searched[0].nodes:.0f} %" for one in searched[1:])
        for title, searched in groups.items()
    }
    costs = [one.plan.cost for one in groups[SEARCHES]]
    falls = {
        "nodes": [one.nodes for one in groups[SEARCHES]],
        "search time": [one.seconds for one in groups[SEARCHES]],
        "quality": [-one.plan.cost for one in groups[SEARCHES]],
    }
    kept = [name for name, values in falls.items() if values == sorted(values, reverse=True)]
    broken = [name for name in falls if name not in kept]
    rate = groups[SEARCHES][0].plan.statistics.expansions / groups[SEARCHES][0].seconds
    return (
        f"Truncated and inflated trees have {sizes[SEARCHES]} of the nodes of A*'s, with the coarse table "
        f"{sizes[COARSE]}; the paper's 88 % / 63 %.",
        f"A*'s tree has {groups[SEARCHES][0].nodes / PAPERS_NODES:.0f} times the nodes of the paper's, with the coarse "
        f"table {groups[COARSE][0].nodes / PAPERS_NODES:.1f} times: the environments differ, and so may what counts as "
        "the same state, which the paper does not say.",
        "From A* to truncated to inflated the paper sees tree, time and quality fall: so do here, or stay, "
        + ", ".join(kept or ["none"])
        + (f"; not {', '.join(broken)}." if broken else "."),
        f"Paths cost {costs[0]:.2f}, {costs[1]:.2f} and {costs[2]:.2f}.",
        f"A bound that goes around obstacles leaves inflated A* {groups[GOING_AROUND][2].nodes:,} nodes in place of "
        f"{groups[SEARCHES][2].nodes:,}.",
        f"A* looks at {rate:,.0f} states a second, where the paper's looks at several thousand in a fraction of one.",
    )


def _mark(plan: Plan, axes: Axes) -> None:
    """Mark where each clip of a plan ends, as the paper's bottom row does."""
    ends = np.array([step.pose[:2] for step in plan.steps[1:]])
    axes.plot(ends[:, 0], ends[:, 1], "o", ms=3.2, mfc="white", mec=INK, mew=0.9, zorder=9)


ITEM = Item(NAME, "search trees and paths of A*, truncated and inflated A* in one environment", run)
