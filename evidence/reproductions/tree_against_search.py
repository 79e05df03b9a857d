"""Tables of L09 table 4.2: what trees and forward searches answered, beside what the thesis says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence.reproductions.asking import Answer
from evidence.reproductions.c_shape import DEEP_M, GOAL_M, WIDE_M
from evidence.reproductions.claim import Claim, claim
from evidence.reproductions.published import L09_BYTES_A_NODE, L09_CELLS, l09_grid, l09_search, l09_shape, number
from evidence.reproductions.report import Row, Table, row
from evidence.reproductions.tally import Column, causes_text, faults_text, mean, percent_of, solved_by_all
from gambol.characters import Character
from gambol.trees import Region, SearchTree
from gambol.trees.density import path_counts

SEARCH, WEIGHTED = "A*", "weighted A* (2)"
SHAPE = "C-shape, disc"
NOT_THEIRS = (
    "R, obstacles, clips and the unit of cost are not the thesis's, and every instant of a clip is checked where the "
    "thesis checks two."
)


@dataclass(frozen=True, eq=False)
class Trees:
    """The two trees, by the labels of their rows, and the seconds that growing each took."""

    trees: Mapping[str, SearchTree]
    seconds: Mapping[str, float]

    @property
    def smaller(self) -> str:
        return next(iter(self.trees))


def why_worse(search_s: float, tree_s: float, cells: int = L09_CELLS[0]) -> str:
    """Say why ratios differ, by the mean times of A* and tree: the thesis's are those of a grid of so many cells."""
    theirs = [number(l09_grid(who, cells).runtime) / 1e6 for who in ("search", "tree")]
    return f"Where ours are worse: {gains(search_s, tree_s, theirs[0], theirs[1])} {NOT_THEIRS}"


def gains(search_s: float, tree_s: float, their_search_s: float, their_tree_s: float) -> str:
    """Say how many times faster A* and tree are than the thesis's, which decides how their ratio differs."""
    search, tree = ratio(their_search_s, search_s), ratio(their_tree_s, tree_s)
    if not np.isfinite(search + tree):
        return "A* or tree answered nothing to compare the times of."
    less = "so the ratio of both is smaller here" if search > tree else "so the ratio of both is no smaller here"
    return (
        f"the thesis's A* took {1e3 * their_search_s:,.0f} ms, {search:,.3g} times our {1e3 * search_s:.2f} ms, and "
        f"its tree {1e6 * their_tree_s:,.0f} µs, {tree:,.3g} times our {1e6 * tree_s:,.1f} µs, {less}."
    )


def comparison_table(title: str, columns: Mapping[str, Column], alone: Sequence[str], asked: int) -> Table:
    """Return runtimes, checks, success and costs of all methods, percentages of A*'s."""
    chosen = solved_by_all(columns[label] for label in alone)
    reference = columns[SEARCH]
    rows: list[Row] = []
    for label, column in columns.items():
        both = chosen & column.found
        microseconds = column.time_s[column.found] * 1e6
        ours = [
            mean(percent_of(column.time_s, reference.time_s, both)),
            ratio(reference.time_s[both].sum(), column.time_s[both].sum()),
            mean(percent_of(column.checks, reference.checks, both)),
            column.success,
            mean(percent_of(column.cost, reference.cost, both)),
            mean(microseconds),
            float(np.median(microseconds)) if len(microseconds) else None,
            float(np.percentile(microseconds, 99)) if len(microseconds) else None,
        ]
        rows.append(row(label, ours, _published(label, alone)))
    note = (
        f"Runtime, checks and cost: mean over queries of percentages of A*'s, over the {int(chosen.sum())} of "
        f"{asked:,} that {', '.join(alone)} all answer (thesis: {claim('l09.t4.2.compared').value:,} of "
        f"{claim('l09.t4.2.queries').value:,}); times faster: A*'s time for all of them together by the method's. "
        f"Times in µs: of all queries answered. {why_worse(mean_s(reference), mean_s(columns[alone[2]]))}"
    )
    headings = ("runtime %", "times faster", "checks %", "% success", "cost %", "mean µs", "median µs", "99 % µs")
    return Table(title, headings, tuple(rows), note)


def _published(label: str, alone: Sequence[str]) -> list[Claim | None] | None:
    """Return what the thesis says beside a method: the trees of 25 and 50 MB are the smaller and the larger."""
    names = dict(zip(alone, ("search", "weighted", "tree25mb", "tree50mb"), strict=False))
    if label not in names:
        return None
    known = l09_search(names[label])
    return [known.runtime, None, known.checks, known.success, known.cost, None, None, None]


def shape_table(answers: Mapping[str, Answer], smaller: str) -> Table:
    """Return times, checks and costs in the C-shape."""
    names = {SEARCH: "search", WEIGHTED: "weighted", smaller: "tree25mb"}
    rows: list[Row] = []
    for label, answer in answers.items():
        name = names.get(label)
        ours = [answer.time_s * 1e6, answer.checks, answer.cost if answer.found else answer.cause]
        rows.append(row(label, ours, None if name is None else l09_shape(name)))
    theirs = [number(l09_shape(who).runtime) / 1e6 for who in ("search", "tree25mb")]
    why = gains(answers[SEARCH].time_s, answers[smaller].time_s, theirs[0], theirs[1])
    note = (
        f"A C {WIDE_M:g} m wide and {DEEP_M:g} m deep on the straight way to a goal {GOAL_M:g} m ahead, open to the "
        "start for forward search and to the goal for trees. The thesis's C, its clips and its unit of cost are not "
        f"known: compare ratios. Where ours are worse: {why} {NOT_THEIRS}"
    )
    return Table(SHAPE, ("µs", "collision checks", "path cost"), tuple(rows), note)


def shape_sentence(shape: Mapping[str, Answer], smaller: str) -> str:
    """Return how tree and A* compare in the C-shape, the thesis's ratios in brackets."""
    search, tree = shape[SEARCH], shape[smaller]
    theirs, ours = l09_shape("search"), l09_shape("tree25mb")
    times, checks, cost = (number(one) / number(other) for one, other in zip(theirs, ours, strict=True))
    if not (search.found and tree.found):
        return f"A* says {search.cause or 'found'} and the tree {tree.cause or 'found'}."
    return (
        f"the tree is {ratio(search.time_s, tree.time_s):,.0f} times faster than A* (thesis: {times:,.0f}) with "
        f"{ratio(search.checks, tree.checks):,.0f} times fewer checks ({checks:,.0f}), its path "
        f"{100.0 * tree.cost / search.cost - 100.0:.1f} % dearer ({100.0 / cost - 100.0:.1f} %)."
    )


def growing_table(trees: Trees) -> Table:
    """Return what growing took, and what the trees take."""
    rows: list[Row] = []
    for name, (label, tree) in zip(("tree25mb", "tree50mb"), trees.trees.items(), strict=True):
        mean_depth, depth = float(tree.depth.mean()), int(tree.depth.max())
        ours = [trees.seconds[label], tree.node_bytes / 1e6, tree.bytes_used / 1e6, mean_depth, depth]
        published = [claim(f"l09.t4.2.{name}.grow"), claim(f"l09.t4.2.{name}.mb"), None, None, None]
        rows.append(row(label, ours, published))
    tree = trees.trees[trees.smaller]
    a_node = tree.node_bytes / len(tree)
    note = (
        f"Ours take {a_node:.0f} bytes a node without goal lists, the thesis's some {L09_BYTES_A_NODE} by its "
        f"exhaustive tree: at that, its 25 MB hold {25e6 / L09_BYTES_A_NODE:,.0f} nodes, which take "
        f"{25.0 * a_node / L09_BYTES_A_NODE:.0f} MB as ours."
    )
    return Table("trees", ("seconds", "MB of nodes", "MB with goal lists", "mean depth", "depth"), tuple(rows), note)


def setting_table(columns: Mapping[str, Column], trees: Trees, character: Character, region: Region) -> Table:
    """Return what was asked and grown; the thesis tells how many times faster by the mean of percentages."""
    smaller, larger = trees.trees
    reference, tree = columns[SEARCH], columns[smaller]
    chosen = solved_by_all(columns[label] for label in (SEARCH, WEIGHTED, *trees.trees))
    times = ratio(100.0, mean(percent_of(tree.time_s, reference.time_s, chosen)))
    dearer = mean(percent_of(tree.cost, reference.cost, chosen)) - 100.0
    fullest = int(path_counts(trees.trees[larger], character, region)[region.mask].max())
    rows = (
        row("queries", [len(reference.found)], [claim("l09.t4.2.queries")]),
        row("queries that all answer", [int(chosen.sum())], [claim("l09.t4.2.compared")]),
        row("weight of the weighted A*", [2.0], [claim("l09.t4.2.weight")]),
        row("A*'s time by the tree's: 100 by the tree's mean %", [times], [claim("l09.t4.2.times_faster")]),
        row("the same: two orders of magnitude", [times], [claim("l09.s4.orders")]),
        row("the same, as chapter 7 says it", [times], [claim("l09.s7.faster")]),
        row("% that the tree's paths are dearer", [dearer], [claim("l09.t4.2.dearer")]),
        row("nodes of the largest tree", [len(trees.trees[larger])], [claim("l09.c4.largest")]),
        row("behaviors", [len(character.behaviors)], [claim("l09.c4.actions")]),
        row(
            f"clips of it in the fullest cell of {100.0 * region.cell_m:g} cm", [fullest], [claim("l09.c4.fullest")],
            note="The thesis's R and cells are not known.",
        ),
    )  # fmt: skip
    return Table("setting", ("ours",), rows, why_worse(mean_s(reference), mean_s(tree)))


def failures_table(columns: Mapping[str, Column], body: Mapping[str, Column]) -> Table:
    """Return why there was no answer, and what is wrong with answers."""
    rows = [row(f"disc: {label}", [causes_text(one), faults_text(one)]) for label, one in columns.items()]
    rows += [row(f"body: {label}", [causes_text(one), "not judged"]) for label, one in body.items()]
    note = "Every answer of the disc is judged by plain geometry: faults are those it refuses."
    return Table("failures", ("by cause", "faults"), tuple(rows), note)


def missed_table(settings: Mapping[str, Mapping[str, Column]]) -> Table:
    """Return how many queries that A* answers others do not, and which."""
    rows: list[Row] = []
    for setting, columns in settings.items():
        for label, column in columns.items():
            missed = np.flatnonzero(columns[SEARCH].found & ~column.found)
            if len(missed):
                rows.append(row(f"{setting}: {label}", [len(missed), ", ".join(map(str, missed))]))
    rows = rows or [row("all", [0, "none"])]
    note = "Numbers of queries, of their seed, in the order asked; who is not listed answers all that A* answers."
    return Table("not answered that A* answers", ("queries", "which"), tuple(rows), note)


def times_faster(reference: Column, other: Column) -> float:
    """Return the time of one for all that both answer by the time of the other."""
    both = reference.found & other.found
    return ratio(reference.time_s[both].sum(), other.time_s[both].sum())


def mean_s(column: Column) -> float:
    """Return the mean seconds of what was answered."""
    return mean(column.time_s[column.found])


def ratio(one: float, other: float) -> float:
    """Return one by the other, or nan."""
    return float(one) / float(other) if other > 0.0 else float("nan")
