"""LK06 tables 1 and 2: navigating a course and a maze by precomputed tree and by forward search."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from gambol.papers.claim import Claim, claim
from gambol.papers.item import Item, Result, Say
from gambol.papers.pruning import CELL_M, DEPTH, prune_to
from gambol.papers.published import TRIVIAL, WORST, Lk06Column, Lk06Table, lk06_table, number
from gambol.papers.report import Report, Row, Table, row
from gambol.papers.subjects import HUB, lk06_character
from gambol.papers.trips import Measures, Trips, measures_of, plan_all
from gambol.plan.astar import AStar
from gambol.plan.plan import Plan
from gambol.plan.planner import Planner
from gambol.plan.tree.diverse import grow_diverse
from gambol.plan.tree.planner import TreePlanner
from gambol.plan.tree.pruned import PRUNED_NODES, grow_pruned
from gambol.plan.tree.region import REACH_M, Region
from gambol.plan.tree.tree import SearchTree

PRUNED, DIVERSE, FALLBACK = "pruned tree", "diverse tree", "pruned tree, fallback"
SEARCH, AROUND = "A*", "A*, bound around obstacles"
AVERAGE, GROWING, SETTING = "average", "growing", "setting"
GROWN_SEED = 1
#: Of rows that may be worse than published.
WHY_SLOWER = (
    "The paper's times are of a machine of 2006 and of 10 or 6 trips; it does not say how many more failed. Ours count "
    "every attempt: a trip that goes through at once takes some 30 look-ups, most need thousands, because where no "
    "path to a sub-goal is free, others and every state to go on from are tried. Two thirds of the time goes into "
    "that, at some 75 µs a look-up, each testing every instant of the real body where the paper tests two points."
)
FALLBACK_WEIGHT = 1.5  # of the search where the tree has no answer


@dataclass(frozen=True)
class Subject:
    """One of the two tables: its scene, its states, and which of the paper's it is."""

    name: str
    title: str
    scene: str
    table: int
    states: int
    seed: int

    @property
    def published(self) -> Lk06Table:
        return lk06_table(self.table)


TABLE_1 = Subject("lk06-table-1", "LK06 table 1: a course with special obstacles", "duck-and-jump", 1, 21, 61)
TABLE_2 = Subject("lk06-table-2", "LK06 table 2: a maze", "maze", 2, 13, 62)


@dataclass(frozen=True)
class Size:
    trips: int
    trivial: int
    nodes: int
    budget: int
    least_m: float  # from start to goal


FULL = Size(60, 20, PRUNED_NODES, 5_000_000, 10.0)
QUICK = Size(3, 1, 20_000, 100_000, 5.0)


def run(subject: Subject, quick: bool, say: Say) -> Result:
    """Grow the trees, plan the trips with all planners, then the trivial ones."""
    size = QUICK if quick else FULL
    character = lk06_character(subject.states)
    say("growing", 0.0)
    region = Region.disc(REACH_M)
    per_cell = prune_to(character, size.nodes, seed=GROWN_SEED).per_cell
    grow_diverse(character, nodes=100, region=region, begins=HUB)  # compiles
    common = {"character": character, "nodes": size.nodes, "begins": HUB, "seed": GROWN_SEED}
    builders: dict[str, Callable[[], SearchTree]] = {
        PRUNED: partial(grow_pruned, per_cell=per_cell, cell_m=CELL_M, depth=DEPTH, **common),
        DIVERSE: partial(grow_diverse, region=region, **common),
    }
    trees: dict[str, SearchTree] = {}
    seconds: dict[str, float] = {}
    for label, grow in builders.items():
        begun = time.perf_counter()
        trees[label] = grow()
        seconds[label] = time.perf_counter() - begun
    planners: dict[str, Planner] = {
        PRUNED: TreePlanner((trees[PRUNED],)),
        DIVERSE: TreePlanner((trees[DIVERSE],)),
        FALLBACK: TreePlanner((trees[PRUNED],), fallback=AStar(weight=FALLBACK_WEIGHT)),
        SEARCH: AStar(around=False, look_closer=False),
        AROUND: AStar(look_closer=False),
    }
    trips = Trips(subject.scene, size.trips, subject.seed, size.budget, size.least_m)
    problems = list(trips.problems(character))
    plans = plan_all(problems, planners, say)
    easy = Trips(subject.scene, size.trivial, subject.seed, size.budget)
    easy_plans = plan_all(list(easy.problems(character, trivial=True)), planners, say)
    solved = _solved_by_all(plans)
    average = {label: measures_of(given, solved) for label, given in plans.items()}
    trivial = {label: measures_of(given, _solved_by_all(easy_plans)) for label, given in easy_plans.items()}
    slowest = max(solved, key=lambda number: plans[SEARCH][number].statistics.time_s, default=None)
    worst = {label: measures_of(given, [] if slowest is None else [slowest]) for label, given in plans.items()}
    known = subject.published
    tables = (
        _average_table(average, known, len(solved), len(problems)),
        _case_table(TRIVIAL, trivial, known),
        _case_table(WORST, worst, known),
        _growing_table(trees, seconds, known),
        _setting_table(
            subject, average, trivial if known.case.name == TRIVIAL else worst, trees[PRUNED], len(problems)
        ),
        _failures_table(plans),
    )
    report = Report(
        item=subject.name,
        title=subject.title,
        quick=quick,
        setting=(
            f"The shipped scene `{subject.scene}`, after the paper's figure; the human's {subject.states} states of "
            "LK06 with their real, eight-part body, crossing derived from shapes.",
            f"{len(problems)} trips (seed {subject.seed}) between random places (paper: {known.executions.value}) that "
            f"lie at least 1 m from obstacles and {size.least_m:g} m apart, and that A* can solve; they begin in "
            "mid-jog, facing the goal to within 45°, and end at rest.",
            f"Trees of at most {size.nodes:,} nodes (seed {GROWN_SEED}), the pruned one of {DEPTH} levels with k = "
            f"{per_cell} for cells of {100.0 * CELL_M:g} cm (paper: 100), the diverse one in a disc of {REACH_M:g} m; "
            "goals farther off by sub-goals 11 m ahead on a coarse way, as in the paper; no improvement, and no "
            "fallback unless said.",
            "Times are of planning in a world compiled before, one thread: everything from the coarse way to the "
            "steps. What each planner prepares for a problem is listed apart.",
        ),
        tables=tables,
        differences=_differences(subject, average, worst, trivial),
    )
    return Result(report)


def _solved_by_all(plans: Mapping[str, Sequence[Plan]]) -> list[int]:
    count = len(next(iter(plans.values())))
    return [number for number in range(count) if all(given[number].found for given in plans.values())]


def _average_table(average: Mapping[str, Measures], known: Lk06Table, compared: int, trips: int) -> Table:
    published: dict[str, Lk06Column] = {PRUNED: known.tree, SEARCH: known.search}
    rows = [
        row(label, list(ours), [*published[label], None, None] if label in published else None)
        for label, ours in average.items()
    ]
    ratio = average[SEARCH].runtime_us / average[PRUNED].runtime_us
    note = (
        f"Means over the {compared} of {trips} trips that all planners solve. A*'s time is {ratio:,.1f} times that of "
        f"the pruned tree (paper: {number(known.times_faster):,.0f}). {WHY_SLOWER}"
    )
    headings = ("runtime µs", "output µs", "real-time speed-up", "µs a frame", "path cost", "% success", "prepares µs")
    return Table(AVERAGE, headings, tuple(rows), note)


def _case_table(title: str, measured: Mapping[str, Measures], known: Lk06Table) -> Table:
    case = {PRUNED: known.case.tree, SEARCH: known.case.search} if known.case.name == title else {}
    rows: list[Row] = []
    for label, ours in measured.items():
        published = [*case[label], None] if label in case else None
        rows.append(row(label, [ours.runtime_us, ours.us_per_frame, ours.path_cost], published))
    note = {
        TRIVIAL: "Goals 6 m straight ahead with nothing between.",
        WORST: "The trip that took A* the longest.",
    }[title]
    return Table(title, ("runtime µs", "µs a frame", "path cost"), tuple(rows), f"{note} {WHY_SLOWER}")


def _growing_table(trees: Mapping[str, SearchTree], seconds: Mapping[str, float], known: Lk06Table) -> Table:
    rows = [
        row(
            label,
            [seconds[label], len(tree), tree.bytes_used / 1e6],
            [known.grow, None, None] if label == PRUNED else None,
        )
        for label, tree in trees.items()
    ]
    note = f"In the paper trees have at most {PRUNED_NODES:,} nodes, some 10 MB without goal lists."
    return Table(GROWING, ("seconds", "nodes", "MB with goal lists"), tuple(rows), note)


def _setting_table(
    subject: Subject, average: Mapping[str, Measures], case: Mapping[str, Measures], tree: SearchTree, trips: int
) -> Table:
    known = subject.published
    pruned, times = average[PRUNED], average[SEARCH].runtime_us / average[PRUNED].runtime_us
    case_times = case[SEARCH].runtime_us / case[PRUNED].runtime_us
    said: list[tuple[str, float, Claim]] = [
        ("states", subject.states, known.states),
        ("trips", trips, known.executions),
        ("A*'s time by the pruned tree's", times, known.times_faster),
        (f"the same, {known.case.name} case", case_times, known.case.times_faster),
    ]
    if subject is TABLE_1:
        said += [
            ("frames a second", lk06_character(subject.states).planning_rate_hz, claim("lk06.t1.rate")),
            ("A*'s time by the pruned tree's, as the text rounds it", times, claim("lk06.s7.orders")),
            ("µs a frame, as the text rounds it", pruned.us_per_frame, claim("lk06.s7.frame")),
            ("times faster than real time, as the text rounds it", pruned.speed_up, claim("lk06.s7.speed_up")),
            ("MB of the pruned tree's nodes", tree.node_bytes / 1e6, claim("lk06.s7.mb")),
        ]
    rows = tuple(row(label, [ours], [published]) for label, ours, published in said)
    return Table(SETTING, ("ours",), rows, WHY_SLOWER)


def _failures_table(plans: Mapping[str, Sequence[Plan]]) -> Table:
    rows = []
    for label, given in plans.items():
        failed = [plan for plan in given if not plan.found]
        outcomes = sorted({str(plan.outcome).replace("_", " ") for plan in failed})
        counts = [sum(str(plan.outcome).replace("_", " ") == one for plan in failed) for one in outcomes]
        text = "; ".join(f"{one} {count}" for one, count in zip(outcomes, counts, strict=True)) or "none"
        rows.append(row(label, [text]))
    return Table("failures", ("by outcome",), tuple(rows))


def _differences(
    subject: Subject,
    average: Mapping[str, Measures],
    worst: Mapping[str, Measures],
    trivial: Mapping[str, Measures],
) -> tuple[str, ...]:
    known = subject.published
    tree, search = average[PRUNED], average[SEARCH]
    times = search.runtime_us / tree.runtime_us
    case = worst if known.case.name == WORST else trivial
    solved = (
        f"The pruned tree solves {tree.success:.0f} % of the trips, the diverse one {average[DIVERSE].success:.0f} %; "
        "the paper does not say how many of its own were solved, nor which were drawn."
    )
    if not math.isfinite(times):
        return "No trip is solved by all planners: at this size there is nothing to compare.", solved
    dearer, known_dearer = (
        100.0 * one / other - 100.0
        for one, other in ((tree.path_cost, search.path_cost), (number(known.tree.cost), number(known.search.cost)))
    )
    return (
        f"A* takes {search.runtime_us:,.0f} µs (paper: {number(known.search.runtime):,.0f}) and the pruned tree "
        f"{tree.runtime_us:,.0f} µs ({number(known.tree.runtime):,.0f}): A*'s time is {times:,.1f} times the tree's "
        f"({number(known.times_faster):,.0f}). On a machine some twenty years younger "
        f"{'A*' if times < number(known.times_faster) else 'the tree'} gained the more.",
        f"The tree's paths are {dearer:.1f} % dearer than A*'s (paper: {known_dearer:.1f} %). Units of cost differ: "
        "ours are metres times weights.",
        f"In the {known.case.name} case A*'s time is {case[SEARCH].runtime_us / case[PRUNED].runtime_us:,.1f} times "
        f"the tree's (paper: {number(known.case.times_faster):,.0f}).",
        solved,
    )


def _item(subject: Subject, summary: str) -> Item:
    return Item(subject.name, summary, partial(run, subject))


TABLE_1_ITEM = _item(TABLE_1, "a course to jump, duck and crawl through: tree against A*, 21 states")
TABLE_2_ITEM = _item(TABLE_2, "a maze: tree against A*, 13 states")
