"""LK06 tables 1 and 2: navigating a course and a maze by precomputed tree and by forward search."""

from __future__ import annotations

import math
import statistics
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
from evidence.reproductions.trips import DIRECT_M, Measures, Taken, Trips, measures_of, take_all
from gambol.characters import Character
from gambol.search import AStar, Planner
from gambol.trees import Region, SearchTree, TreePlanner, grow_diverse, grow_pruned, trees_for
from gambol.trees.pruned import PRUNED_NODES
from gambol.trees.region import REACH_M

PRUNED, DIVERSE, FALLBACK = "pruned tree", "diverse tree", "pruned tree, fallback"
SUB_GOALS = "pruned tree, sub-goals"  # as in the paper
SEARCH, AROUND = "A*", "A*, bound around obstacles"
DEFAULT = "default trees"
FAILURES, MISSED, GROWING, SETTING = "failures", "trips not found", "growing", "setting"
FASTER = "times as fast as A* as published"
TIMES = 100.0  # as fast as A* as published: what is wanted of trees
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
    """What one way of testing gave: trees, trips of all planners, and means over those that all compared solve."""

    testing: Testing
    per_cell: int  # LK06's k
    trees: Mapping[str, SearchTree]
    seconds: Mapping[str, float]  # to grow
    tree_mb: Mapping[str, float]  # of all trees of a planner, with goal lists
    taken: Mapping[str, Sequence[Taken]]
    chosen: Sequence[int]  # trips compared
    average: Mapping[str, Measures]
    case: Mapping[str, Measures]  # the one that the paper singles out: trivial or worst
    floor: Measures  # of trees in the shortest trips: goals straight ahead with nothing between

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
            f"Ours is one call of the core for a whole trip, {tree.core_us:,.0f} µs of the {tree.runtime_us:,.0f}: a "
            "search over paths of the tree that tests every instant of every clip, where the paper goes from sub-goal "
            f"to sub-goal and tests two points; its own way takes {self.average[SUB_GOALS].runtime_us:,.0f} µs here. "
            f"A* is compiled too and expands {search.expansions_per_s:,.0f} states a second. The paper's means are of "
            "few trips on a machine of 2006, and it does not say how many trips failed."
        )

    @property
    def floor_told(self) -> str:
        """Return what bounds the ratio: the least that a tree's trip takes, and what A* would have to take for 100."""
        search = [self.taken[SEARCH][number].solve_s for number in self.chosen]
        if not search:
            return self.why
        least_us = self.floor.runtime_us
        share = 100.0 * sum(1e6 * one >= TIMES * least_us for one in search) / len(search)
        tree, plain = self.average[PRUNED], self.average[SEARCH]
        return (
            f"At least {TIMES:g} times is wanted, for the means over all trips, from Python. The floor: where the goal "
            f"lies {DIRECT_M:g} m straight ahead with nothing between, a trip takes {least_us:,.0f} µs, "
            f"{self.floor.core_us:,.0f} of them in the core; {TIMES:g} times that is {1e-3 * TIMES * least_us:,.1f} "
            f"ms, which A* takes in {share:.0f} % of the trips compared (mean {1e3 * sum(search) / len(search):,.1f} "
            f"ms, most {1e3 * max(search):,.0f} ms). A trip in the pruned tree expands {tree.states:,.0f} states and "
            f"looks {tree.samples:,.0f} instants of clips up in the world, and a hundredth of A*'s are "
            f"{plain.samples / 100.0:,.0f}: where things have to be crossed, clips that cross them are tried from "
            "every state before them, as trees hold few that begin at the right place."
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
            _faster_table(paper),
            _faster_table(body),
            _failures_table((paper, body)),
            _missed_table((paper, body)),
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
    default = TreePlanner(improve=0)
    default.prepare(character)
    planners: dict[str, Planner] = {
        PRUNED: TreePlanner((trees[PRUNED],), improve=0),
        DIVERSE: TreePlanner((trees[DIVERSE],), improve=0),
        DEFAULT: default,
        FALLBACK: TreePlanner((trees[PRUNED],), fallback=AStar(weight=FALLBACK_WEIGHT), improve=0),
        SUB_GOALS: SubGoalPlanner((trees[PRUNED],)),
        SEARCH: AStar(around=False, look_closer=False),
        AROUND: AStar(look_closer=False),
    }
    tree_mb = {label: _tree_mb(planner, character) for label, planner in planners.items()}
    least_s = subject.least_s if size.lasts else 0.0
    trips = Trips(testing.world, size.trips, subject.seed, size.budget, size.least_m, least_s)
    taken = take_all(list(trips.problems(character)), planners, say)
    chosen = _solved_by_compared(taken)
    easy = Trips(testing.world, size.trivial, subject.seed, size.budget)
    trivial = take_all(list(easy.problems(character, trivial=True)), planners, say)
    all_trivial = _solved_by_compared(trivial)
    if subject.published.case.name == TRIVIAL:
        of_case, case = trivial, all_trivial
    else:
        of_case = taken
        slowest = max(chosen, key=lambda one: taken[SEARCH][one].solve_s, default=None)
        case = [] if slowest is None else [slowest]
    return Measured(
        testing, per_cell, trees, seconds, tree_mb, taken, chosen,
        {label: measures_of(some, [one for one in chosen if some[one].plan.found]) for label, some in taken.items()},
        {label: measures_of(some, [one for one in case if some[one].plan.found]) for label, some in of_case.items()},
        measures_of(trivial[PRUNED], all_trivial),
    )  # fmt: skip


def _tree_mb(planner: Planner, character: Character) -> float:
    if not isinstance(planner, TreePlanner | SubGoalPlanner):
        return 0.0
    return sum(tree.bytes_used for tree in planner.trees or trees_for(character)) / 1e6


def _solved_by_compared(taken: Mapping[str, Sequence[Taken]]) -> list[int]:
    """Return the trips that all planners solve but that by sub-goals, which is not compared with."""
    count = len(taken[SEARCH])
    return [n for n in range(count) if all(some[n].plan.found for label, some in taken.items() if label != SUB_GOALS)]


def _setting(subject: Subject, size: Size, paper: Measured, body: Measured) -> tuple[str, ...]:
    known, trips = subject.published, len(paper.taken[SEARCH])
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
        "Times are processor times of one thread in a known world, for new goals: of `solve()` from Python, everything "
        "included, and of the core in it. A* is as published: straight lines as the bound, weight 1, a table of "
        "visited states.",
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
            one.core_us, one.core_median_us, one.look_ups,
        ]  # fmt: skip
        rows.append(row(label, ours, [*published[label], *[None] * 5] if label in published else None))
    trips = len(measured.taken[SEARCH])
    said = (
        f"Means over the {len(measured.chosen)} of {trips} trips that all planners but the one by sub-goals solve. "
        f"A*'s time is {measured.times_faster:,.1f} times that of the pruned tree. {note or measured.why}"
    )
    headings = (
        "runtime µs", "output µs", "real-time speed-up", "µs a frame", "path cost", "% success", "median µs",
        "in the core µs", "its median µs", "look-ups",
    )  # fmt: skip
    return Table(title_of(measured, "average"), headings, tuple(rows), said)


def _faster_table(measured: Measured) -> Table:
    """Return how many times faster trees are than A* as published, what they cost, and what they take."""
    search = measured.taken[SEARCH]
    rows: list[Row] = []
    for label in (PRUNED, DIVERSE, DEFAULT, FALLBACK, AROUND):
        one, base, some = measured.average[label], measured.average[SEARCH], measured.taken[label]
        each = [search[number].solve_s / some[number].solve_s for number in measured.chosen]
        inside = [search[number].core_s / some[number].core_s for number in measured.chosen]
        cost = [some[number].plan.cost / search[number].plan.cost for number in measured.chosen]
        rows.append(
            row(
                label,
                [
                    base.runtime_us / one.runtime_us, _median(each), base.core_us / one.core_us, _median(inside),
                    f"{'met' if base.runtime_us >= TIMES * one.runtime_us else 'not met'}",
                    _mean(cost), max(cost, default=math.nan), measured.tree_mb[label], one.search_mb,
                ],
            )
        )  # fmt: skip
    headings = (
        "times as fast", "median of trips", "in the core", "median of trips", f"at least {TIMES:g}", "cost by A*'s",
        "worst", "MB of trees", "MB of the search",
    )  # fmt: skip
    base = measured.average[SEARCH]
    note = f"A*'s own search takes {base.search_mb:,.1f} MB on average. {measured.floor_told}"
    return Table(title_of(measured, FASTER), headings, tuple(rows), note)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else math.nan


def _median(values: Sequence[float]) -> float:
    return statistics.median(values) if values else math.nan


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
        ("trips", len(measured.taken[SEARCH]), known.executions),
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
    for label in measured[0].taken:
        texts: list[str] = []
        for one in measured:
            failed = [
                str(given.plan.outcome).replace("_", " ") for given in one.taken[label] if not given.plan.found
            ]  # fmt: skip
            texts.append("; ".join(f"{name} {failed.count(name)}" for name in sorted(set(failed))) or "none")
        rows.append(row(label, texts))
    return Table(FAILURES, tuple(one.testing.name for one in measured), tuple(rows))


def _missed_table(measured: Sequence[Measured]) -> Table:
    """Return which trips were not found, from where to where."""
    rows = [row(label, [_missed(one.taken[label]) for one in measured]) for label in measured[0].taken]
    note = "Each with its number, its start and its goal in metres. All of them are solved by weighted A*."
    return Table(MISSED, tuple(one.testing.name for one in measured), tuple(rows), note)


def _missed(taken: Sequence[Taken]) -> str:
    told: list[str] = []
    for index, one in enumerate(taken):
        problem = one.plan.problem
        if not one.plan.found and problem is not None:
            (x, y, _), goal = problem.start, problem.goal
            told.append(f"{index}: ({x:.1f}, {y:.1f}) to ({goal.x:.1f}, {goal.y:.1f})")
    return "; ".join(told) or "none"


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
        _times_told(paper, body),
        f"In the {known.case.name} case A*'s time is {paper.case_times_faster:,.1f} times the tree's (paper: "
        f"{number(known.case.times_faster):,.0f}).",
        solved,
    )


def _times_told(paper: Measured, body: Measured) -> str:
    """Return whether trees are as much faster than A* as is wanted, both ways of testing, and the floor."""
    told: list[str] = []
    for one in (paper, body):
        base = one.average[SEARCH]
        ratios = ", ".join(
            f"{label} {base.runtime_us / one.average[label].runtime_us:,.0f} "
            f"({base.core_us / one.average[label].core_us:,.0f} in the core)"
            for label in (PRUNED, DIVERSE, DEFAULT)
        )
        told.append(f"{one.testing.name}: {ratios}")
    return f"Times as fast as A* as published: {'; '.join(told)}. {paper.floor_told}"


def _item(subject: Subject, summary: str) -> Item:
    return Item(subject.name, summary, partial(run, subject))


TABLE_1_ITEM = _item(TABLE_1, "a course to jump, duck and crawl through: tree against A*, 21 states")
TABLE_2_ITEM = _item(TABLE_2, "a maze: tree against A*, 13 states")
