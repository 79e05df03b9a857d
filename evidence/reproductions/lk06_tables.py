"""LK06 tables 1 and 2: navigating a course and a maze by precomputed tree and by forward search."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from evidence.reproductions.claim import Claim, claim
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.pruning import CELL_M, DEPTH, prune_to
from evidence.reproductions.published import TRIVIAL, Lk06Column, Lk06Table, lk06_table, number
from evidence.reproductions.report import Report, Row, Table, row
from evidence.reproductions.sub_goals import SubGoalPlanner
from evidence.reproductions.subjects import HUB
from evidence.reproductions.testing import Testing, as_the_paper_tests, by_the_body
from evidence.reproductions.trips import Measures, Trips, measures_of, plan_all
from gambol.search import AStar, Plan, Planner
from gambol.trees import Region, SearchTree, TreePlanner, grow_diverse, grow_pruned
from gambol.trees.pruned import PRUNED_NODES
from gambol.trees.region import REACH_M

PRUNED, DIVERSE, FALLBACK = "pruned tree", "diverse tree", "pruned tree, fallback"
SUB_GOALS = "pruned tree, sub-goals"  # as in the paper
SEARCH, AROUND = "A*", "A*, bound around obstacles"
FAILURES, GROWING, SETTING = "failures", "growing", "setting"
GROWN_SEED = 1
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
    least_s: float  # of trips, so that their motions last about as long as the paper's

    @property
    def published(self) -> Lk06Table:
        return lk06_table(self.table)


TABLE_1 = Subject("lk06-table-1", "LK06 table 1: a course with special obstacles", "duck-and-jump", 1, 21, 61, 0.0)
TABLE_2 = Subject("lk06-table-2", "LK06 table 2: a maze", "maze", 2, 13, 62, 23.0)


@dataclass(frozen=True)
class Size:
    trips: int
    trivial: int
    nodes: int
    budget: int
    least_m: float  # from start to goal
    lasts: bool  # whether trips last as long as the paper's


FULL = Size(60, 20, PRUNED_NODES, 5_000_000, 10.0, True)
QUICK = Size(3, 1, 20_000, 100_000, 5.0, False)


@dataclass(frozen=True, eq=False)
class Measured:
    """What one way of testing gave: trees, plans of all planners, and means over trips that all of them solve."""

    testing: Testing
    per_cell: int  # LK06's k
    trees: Mapping[str, SearchTree]
    seconds: Mapping[str, float]  # to grow
    plans: Mapping[str, Sequence[Plan]]
    compared: int  # trips
    average: Mapping[str, Measures]
    case: Mapping[str, Measures]  # the one that the paper singles out: trivial or worst

    @property
    def times_faster(self) -> float:
        return self.average[SEARCH].runtime_us / self.average[PRUNED].runtime_us

    @property
    def case_times_faster(self) -> float:
        return self.case[SEARCH].runtime_us / self.case[PRUNED].runtime_us

    @property
    def why(self) -> str:
        """Return why trees take longer here than published, in numbers of this run."""
        tree, search = self.average[PRUNED], self.average[SEARCH]
        if not math.isfinite(tree.runtime_us):
            return "No trip is solved by all planners: at this size there is nothing to compare."
        return (
            "Ours searches over paths of the tree and tests every instant of a clip, where the paper goes from "
            "sub-goal to sub-goal and tests two points; "
            f"its own way takes {self.average[SUB_GOALS].runtime_us:,.0f} µs here. The median trip takes "
            f"{tree.median_us:,.0f} µs. A* is compiled and expands {search.expansions_per_s:,.0f} states a second. The "
            "paper's means are of few trips on a machine of 2006, and it does not say how many trips failed."
        )


def run(subject: Subject, quick: bool, say: Say) -> Result:
    """Grow the trees and plan the trips with all planners, tested as the paper does and by the real body."""
    size = QUICK if quick else FULL
    ways = [by(subject.states, subject.scene) for by in (as_the_paper_tests, by_the_body)]
    paper, body = (measure_testing(subject, size, testing, say) for testing in ways)
    known = subject.published
    report = Report(
        item=subject.name,
        title=subject.title,
        quick=quick,
        setting=_setting(subject, size, paper, body),
        tables=(
            _average_table(paper, known),
            _case_table(paper, known),
            _average_table(body, None, note=body.why),
            _case_table(body, None, name=known.case.name),
            _growing_table(paper, known),
            _setting_table(subject, paper),
            _failures_table((paper, body)),
        ),
        differences=_differences(known, paper, body),
    )
    return Result(report)


def measure_testing(subject: Subject, size: Size, testing: Testing, say: Say) -> Measured:
    """Return what all planners make of the same trips, tested one way."""
    character = testing.character
    say(f"growing: {testing.name}", 0.0)
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
        PRUNED: TreePlanner((trees[PRUNED],), improve=0),
        DIVERSE: TreePlanner((trees[DIVERSE],), improve=0),
        FALLBACK: TreePlanner((trees[PRUNED],), fallback=AStar(weight=FALLBACK_WEIGHT), improve=0),
        SUB_GOALS: SubGoalPlanner((trees[PRUNED],)),
        SEARCH: AStar(around=False, look_closer=False),
        AROUND: AStar(look_closer=False),
    }
    least_s = subject.least_s if size.lasts else 0.0
    trips = Trips(testing.world, size.trips, subject.seed, size.budget, size.least_m, least_s)
    plans = plan_all(list(trips.problems(character)), planners, say)
    solved = _solved_by_all(plans)
    average = {label: measures_of(given, solved) for label, given in plans.items()}
    if subject.published.case.name == TRIVIAL:
        easy = Trips(testing.world, size.trivial, subject.seed, size.budget)
        of_case = plan_all(list(easy.problems(character, trivial=True)), planners, say)
        chosen = _solved_by_all(of_case)
    else:
        of_case = plans
        slowest = max(solved, key=lambda one: plans[SEARCH][one].statistics.time_s, default=None)
        chosen = [] if slowest is None else [slowest]
    case = {label: measures_of(given, chosen) for label, given in of_case.items()}
    return Measured(testing, per_cell, trees, seconds, plans, len(solved), average, case)


def _solved_by_all(plans: Mapping[str, Sequence[Plan]]) -> list[int]:
    count = len(next(iter(plans.values())))
    return [number for number in range(count) if all(given[number].found for given in plans.values())]


def _setting(subject: Subject, size: Size, paper: Measured, body: Measured) -> tuple[str, ...]:
    known, trips = subject.published, len(paper.plans[SEARCH])
    least_s = f", whose motions last {subject.least_s:g} s at least" if size.lasts and subject.least_s > 0.0 else ""
    return (
        f"The shipped scene `{subject.scene}`, after the paper's figure; the human's {subject.states} states of LK06. "
        f"{paper.testing.about} {body.testing.about}",
        f"{trips} trips each (seed {subject.seed}) between random places (paper: {known.executions.value}) at least "
        f"1 m from obstacles and {size.least_m:g} m apart{least_s}, that weighted A* solves; they begin in mid-jog, "
        "facing the goal to within 45°, and end at rest.",
        f"Trees of at most {size.nodes:,} nodes (seed {GROWN_SEED}), the pruned ones of {DEPTH} levels with k = "
        f"{paper.per_cell} for cells of {100.0 * CELL_M:g} cm (paper: 100), the diverse ones in a disc of {REACH_M:g} "
        "m; whole trips over paths of the tree and, where said, sub-goals 11 m ahead on a coarse way, as in the paper; "
        "no improvement, and no fallback unless said.",
        "Times are of planning in a world compiled before, one thread: everything from the coarse way to the steps. "
        "What each planner prepares for a problem is listed apart.",
    )


def title_of(measured: Measured, what: str) -> str:
    """Return the title of a table of one way of testing."""
    return f"{what}, {measured.testing.name}"


def _average_table(measured: Measured, known: Lk06Table | None, note: str = "") -> Table:
    published: dict[str, Lk06Column] = {} if known is None else {PRUNED: known.tree, SEARCH: known.search}
    rows: list[Row] = []
    for label, one in measured.average.items():
        ours = [
            one.runtime_us, one.output_us, one.speed_up, one.us_per_frame, one.path_cost, one.success, one.median_us,
            one.look_ups, one.setup_us,
        ]  # fmt: skip
        rows.append(row(label, ours, [*published[label], *[None] * 4] if label in published else None))
    trips = len(measured.plans[SEARCH])
    said = (
        f"Means over the {measured.compared} of {trips} trips that all planners solve. A*'s time is "
        f"{measured.times_faster:,.1f} times that of the pruned tree. {note or measured.why}"
    )
    headings = (
        "runtime µs", "output µs", "real-time speed-up", "µs a frame", "path cost", "% success", "median µs",
        "look-ups", "prepares µs",
    )  # fmt: skip
    return Table(title_of(measured, "average"), headings, tuple(rows), said)


def _case_table(measured: Measured, known: Lk06Table | None, name: str = "") -> Table:
    case = {} if known is None else {PRUNED: known.case.tree, SEARCH: known.case.search}
    name = name or ("" if known is None else known.case.name)
    rows: list[Row] = []
    for label, ours in measured.case.items():
        published = [*case[label], None] if label in case else None
        rows.append(row(label, [ours.runtime_us, ours.us_per_frame, ours.path_cost], published))
    what = "Goals 6 m straight ahead with nothing between." if name == TRIVIAL else "The trip that took A* the longest."
    note = f"{what} {measured.why}" if known is not None else what
    return Table(title_of(measured, name), ("runtime µs", "µs a frame", "path cost"), tuple(rows), note)


def _growing_table(measured: Measured, known: Lk06Table) -> Table:
    rows = [
        row(
            label,
            [measured.seconds[label], len(tree), tree.bytes_used / 1e6],
            [known.grow, None, None] if label == PRUNED else None,
        )
        for label, tree in measured.trees.items()
    ]
    note = f"In the paper trees have at most {PRUNED_NODES:,} nodes, some 10 MB without goal lists."
    return Table(GROWING, ("seconds", "nodes", "MB with goal lists"), tuple(rows), note)


def _setting_table(subject: Subject, measured: Measured) -> Table:
    known, pruned = subject.published, measured.average[PRUNED]
    said: list[tuple[str, float, Claim]] = [
        ("states", subject.states, known.states),
        ("trips", len(measured.plans[SEARCH]), known.executions),
        ("A*'s time by the pruned tree's", measured.times_faster, known.times_faster),
        (f"the same, {known.case.name} case", measured.case_times_faster, known.case.times_faster),
    ]
    if subject is TABLE_1:
        said += [
            ("frames a second", measured.testing.character.planning_rate_hz, claim("lk06.t1.rate")),
            ("A*'s time by the pruned tree's, as the text rounds it", measured.times_faster, claim("lk06.s7.orders")),
            ("µs a frame, as the text rounds it", pruned.us_per_frame, claim("lk06.s7.frame")),
            ("times faster than real time, as the text rounds it", pruned.speed_up, claim("lk06.s7.speed_up")),
            ("MB of the pruned tree's nodes", measured.trees[PRUNED].node_bytes / 1e6, claim("lk06.s7.mb")),
        ]
    rows = tuple(row(label, [ours], [published]) for label, ours, published in said)
    return Table(SETTING, ("ours",), rows, measured.why)


def _failures_table(measured: Sequence[Measured]) -> Table:
    rows: list[Row] = []
    for label in measured[0].plans:
        texts: list[str] = []
        for one in measured:
            failed = [str(plan.outcome).replace("_", " ") for plan in one.plans[label] if not plan.found]
            texts.append("; ".join(f"{name} {failed.count(name)}" for name in sorted(set(failed))) or "none")
        rows.append(row(label, texts))
    return Table(FAILURES, tuple(one.testing.name for one in measured), tuple(rows))


def _differences(known: Lk06Table, paper: Measured, body: Measured) -> tuple[str, ...]:
    tree, search = paper.average[PRUNED], paper.average[SEARCH]
    solved = (
        f"As the paper tests, the pruned tree solves {tree.success:.0f} % of the trips and the diverse one "
        f"{paper.average[DIVERSE].success:.0f} %; by the real body {body.average[PRUNED].success:.0f} % and "
        f"{body.average[DIVERSE].success:.0f} %. The paper does not say how many of its own were solved."
    )
    if not math.isfinite(paper.times_faster):
        return paper.why, solved
    dearer, known_dearer = (
        100.0 * one / other - 100.0
        for one, other in ((tree.path_cost, search.path_cost), (number(known.tree.cost), number(known.search.cost)))
    )
    return (
        f"A* takes {search.runtime_us:,.0f} µs (paper: {number(known.search.runtime):,.0f}) and the pruned tree "
        f"{tree.runtime_us:,.0f} µs ({number(known.tree.runtime):,.0f}): A*'s time is {paper.times_faster:,.1f} times "
        f"the tree's ({number(known.times_faster):,.0f}), {search.runtime_us / paper.average[DIVERSE].runtime_us:,.1f} "
        f"times the diverse tree's; by the real body {body.times_faster:,.1f} and "
        f"{body.average[SEARCH].runtime_us / body.average[DIVERSE].runtime_us:,.1f} times.",
        f"The tree's paths are {dearer:.1f} % dearer than A*'s (paper: {known_dearer:.1f} %). Units of cost differ: "
        "ours are metres times weights.",
        f"In the {known.case.name} case A*'s time is {paper.case_times_faster:,.1f} times the tree's (paper: "
        f"{number(known.case.times_faster):,.0f}).",
        solved,
    )


def _item(subject: Subject, summary: str) -> Item:
    return Item(subject.name, summary, partial(run, subject))


TABLE_1_ITEM = _item(TABLE_1, "a course to jump, duck and crawl through: tree against A*, 21 states")
TABLE_2_ITEM = _item(TABLE_2, "a maze: tree against A*, 13 states")
