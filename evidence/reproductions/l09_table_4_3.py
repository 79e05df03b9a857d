"""L09 table 4.3: what the resolution of the grids does to runtime and success."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from evidence.reproductions.asking import BUDGET, Answer, Forward, InRasterizedTree, InTree, Method
from evidence.reproductions.bodies import DISC_RADIUS_M, with_disc
from evidence.reproductions.claim import Claim, claim
from evidence.reproductions.gridmaps import RasterizedLookUp
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.l09_table_4_2 import CLUTTER, QUERIES, QUERY_SEED, SIDE_M, grow_trees
from evidence.reproductions.published import L09_CELLS, l09_grid, number
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.subjects import HUB, eleven_joggers
from evidence.reproductions.tally import WARM_UP, Column, ask_all, faults_text, mean, percent_of, solved_by_all
from evidence.reproductions.tree_against_search import mean_s, why_worse
from gambol.characters import Character
from gambol.search import AStar
from gambol.trees import Query, QuerySet, SearchTree, square_region
from gambol.trees.queries import START
from gambol.world import at_resolution

NAME = "l09-table-4.3"
TITLE = "L09 table 4.3: the resolution of the grids"
RESULTS, COMPILING, MARKING = "by cells along a side of R", "compiling a world", "marking obstacles in a gridmap"
MARKED_CELLS_M = (0.28, 0.28 / 3.0)  # [L09 4.3: 14 to 28 cm, and what a third of the size does]
MARKINGS = 20
SEARCH, TREE, RASTERIZED = "A*", "diverse tree", "diverse tree, rasterised"


@dataclass(frozen=True)
class Size:
    queries: int
    nodes: int
    cells: tuple[int, ...]  # along a side of R
    budget: int
    marked: int  # worlds whose obstacles are marked, each many times


FULL = Size(QUERIES, 500_000, L09_CELLS, BUDGET, 50)
QUICK = Size(3, 10_000, L09_CELLS, 20_000, 3)


class Compiled:
    """The world of one query at a time, looked up in a field of so many cells along a side of R."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        self.took_s: list[float] = []
        self._query: Query | None = None
        self._shown: Query | None = None

    def query(self, query: Query) -> Query:
        """Return a query in the same world at this resolution, compiled once for all methods that ask in turn."""
        if self._shown is None or self._query is not query:
            begun = time.perf_counter()
            world = at_resolution(query.world, SIDE_M / self.cells)
            self.took_s.append(time.perf_counter() - begun)
            self._query, self._shown = query, replace(query, world=world)
        return self._shown


@dataclass(frozen=True, eq=False)
class AtResolution:
    """A method that is asked in the same worlds, looked up in a field of another resolution."""

    method: Method
    compiled: Compiled

    @property
    def label(self) -> str:
        return f"{self.method.label}, {self.compiled.cells}"

    def ask(self, query: Query, others: np.ndarray) -> Answer:
        return self.method.ask(self.compiled.query(query), others)


def run(quick: bool, say: Say) -> Result:
    """Ask A*, the tree and the tree as the papers do, at every resolution."""
    size = QUICK if quick else FULL
    character = eleven_joggers()
    disc = with_disc(character)
    region = square_region(SIDE_M)
    say("growing", 0.0)
    (tree,) = grow_trees(character, region, (size.nodes,)).trees.values()
    methods: list[Method] = []
    compiled = [Compiled(cells) for cells in size.cells]
    for one in compiled:
        search = Forward(SEARCH, AStar(around=False, look_closer=False), disc, HUB, size.budget)
        methods += [
            AtResolution(search, one),
            AtResolution(InTree(TREE, tree, disc), one),
            InRasterizedTree(f"{RASTERIZED}, {one.cells}", tree, disc, DISC_RADIUS_M, SIDE_M / one.cells),
        ]
    queries = QuerySet(region, CLUTTER, size.queries, QUERY_SEED, DISC_RADIUS_M)
    columns = ask_all(queries, methods, say, judged=disc, radius_m=DISC_RADIUS_M)
    tables = (
        _results_table(size, columns),
        _compiling_table(compiled),
        _marking_table(marking_s(tree, disc, queries, size.marked), size.marked),
        _faults_table(size, columns),
        _setting_table(size),
    )
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"As in table 4.2 (R of {SIDE_M:g} m, a disc of {DISC_RADIUS_M:g} m, queries of seed {QUERY_SEED}, a "
            f"diverse tree of {size.nodes:,} nodes), {size.queries:,} queries.",
            "Resolution: for A* and our look-up that of the world's clearance field, for the rasterised look-up that "
            "of its environment grid "
            f"({', '.join(f'{cells}: {100.0 * SIDE_M / cells:.1f} cm' for cells in size.cells)}).",
            "Our times are of searching, in a world compiled before (its time is below); the rasterised look-up marks "
            "the obstacles in each query, as the papers do, and that is in its time. Trees are first asked for "
            f"{WARM_UP} other goals in each world.",
        ),
        tables=tables,
        differences=_differences(size, columns),
    )
    return Result(report)


def _results_table(size: Size, columns: Mapping[str, Column]) -> Table:
    headings = [f"{cells}: {what}" for cells in size.cells for what in ("runtime %", "mean µs", "% success")]
    rows = []
    for label in (SEARCH, TREE, RASTERIZED):
        ours: list[float | None] = []
        published: list[Claim] = []
        for cells in size.cells:
            search, tree, column = (columns[f"{one}, {cells}"] for one in (SEARCH, TREE, label))
            chosen = solved_by_all([search, tree, column])
            runtime = mean(percent_of(column.time_s, search.time_s, chosen))
            ours += [runtime, mean(column.time_s[column.found]) * 1e6, column.success]
            published += l09_grid("search" if label == SEARCH else "tree", cells)
        rows.append(row(label, ours, published))
    first = size.cells[0]
    why = why_worse(mean_s(columns[f"{SEARCH}, {first}"]), mean_s(columns[f"{TREE}, {first}"]), first)
    note = (
        "Runtime: mean over queries that A* and the trees answer of percentages of A*'s. Mean µs: of those answered. "
        f"{why} These are times with {first} cells; the rasterised look-up's include marking the obstacles."
    )
    return Table(RESULTS, tuple(headings), tuple(rows), note)


def _compiling_table(compiled: Sequence[Compiled]) -> Table:
    values = [1e3 * mean(np.array(one.took_s[1:])) for one in compiled]
    return Table(COMPILING, tuple(f"{one.cells}" for one in compiled), (row("milliseconds", values),))


def marking_s(tree: SearchTree, disc: Character, queries: QuerySet, worlds: int) -> dict[float, float]:
    """Return the mean seconds that marking the obstacles of a world takes, by the size of cells."""
    found: dict[float, list[float]] = {cell: [] for cell in MARKED_CELLS_M}
    for query in islice(queries, worlds):
        starts, goals = (np.tile(one, (MARKINGS, 1)) for one in (START, (query.goal.x, query.goal.y)))
        for cell, seconds in found.items():
            look_up = RasterizedLookUp(tree, disc, query.world, radius_m=DISC_RADIUS_M, cell_m=cell)
            look_up.measured(starts[:1], goals[:1])  # compiles
            seconds.append(look_up.measured(starts, goals).rasterizing_s / MARKINGS)
    return {cell: mean(np.array(seconds)) for cell, seconds in found.items()}


def _marking_table(seconds: Mapping[float, float], worlds: int) -> Table:
    coarse, fine = MARKED_CELLS_M
    rows = (
        *(row(f"µs, cells of {100.0 * cell:.1f} cm", [1e6 * took]) for cell, took in seconds.items()),
        row(
            "times as long in cells of a third", [seconds[fine] / seconds[coarse]], [claim("l09.c4.finer")],
            note="Obstacles cover nine times as many cells; what a world takes whatever its cells, and how memory is "
            "reached, count too.",
        ),
    )  # fmt: skip
    note = f"Means over {worlds} worlds, the obstacles of each marked {MARKINGS} times and taken away again."
    return Table(MARKING, ("ours",), rows, note)


def _faults_table(size: Size, columns: Mapping[str, Column]) -> Table:
    rows = tuple(
        row(label, [faults_text(columns[f"{label}, {cells}"]) for cells in size.cells])
        for label in (SEARCH, TREE, RASTERIZED)
    )
    note = "Of the answers, those that plain geometry refuses."
    return Table("faults", tuple(f"{cells}" for cells in size.cells), rows, note)


def _setting_table(size: Size) -> Table:
    rows = [row("queries", [size.queries], [claim("l09.t4.3.queries")])]
    rows += [row("cells along a side", [cells], [claim(f"l09.t4.3.cells.{cells}")]) for cells in size.cells]
    return Table("setting", ("ours",), tuple(rows))


def _differences(size: Size, columns: Mapping[str, Column]) -> tuple[str, ...]:
    first, last = size.cells[0], size.cells[-1]

    def growth(label: str) -> float:
        fine, coarse = (columns[f"{label}, {cells}"] for cells in (last, first))
        both = fine.found & coarse.found
        return float(fine.time_s[both].sum() / coarse.time_s[both].sum()) if both.any() else float("nan")

    def published_growth(who: str) -> float:
        return number(l09_grid(who, last).runtime) / number(l09_grid(who, first).runtime)

    same = {columns[f"{TREE}, {cells}"].success for cells in size.cells}
    return (
        f"From {first} to {last} cells our look-up takes {growth(TREE):.2f} times as long and A* {growth(SEARCH):.2f} "
        "times, both without marking obstacles, and the rasterised look-up, which marks them, "
        f"{growth(RASTERIZED):.2f} times. In the thesis the tree takes {published_growth('tree'):.2f} times as long, "
        f"and A* {published_growth('search'):.2f} times.",
        "Our success "
        + ("is the same at every resolution" if len(same) == 1 else f"differs by {max(same) - min(same):.2f} points")
        + ": a field only settles what is clearly free or clearly not, the rest is tested against the obstacles "
        "themselves. In the thesis finer grids find more, as there cells that obstacles touch count as obstacles.",
    )


ITEM = Item(NAME, "grids of 270, 540 and 1080 cells: runtime and success of A*, tree and rasterised tree", run)
