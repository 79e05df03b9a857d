"""L09 figure 1.3, its introduction and the settings of chapter 4: a tree of 220,000 nodes, and how fast it answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from evidence.reproductions.asking import Forward, InTree
from evidence.reproductions.bodies import DISC_RADIUS_M, with_disc
from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.l09_tree_settings import CROWD, Interactive, look_up_table, run_interactive
from evidence.reproductions.pruning import DEPTH, prune_to
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.scene_drawing import pixels_of
from evidence.reproductions.subjects import HUB, eleven_joggers, lk06_character
from evidence.reproductions.tally import Column, ask_all, mean, solved_by_all
from gambol.characters import Character
from gambol.pictures.tree_picture import tree_picture
from gambol.search import AStar
from gambol.trees import Clutter, QuerySet, SearchTree, grow_diverse, square_region

NAME = "l09-figure-1.3"
STATES, SEED, GROWN_SEED = 21, 13, 1
MARKOV_ORDER = 2  # of `gambol.variation.network`: a frame goes by the two before it
SIDES_M = (37.8, 75.6)  # of the squares that diverse trees grow in and are asked in
CLUTTER = {37.8: Clutter(6, 20, 0.5, 3.0), 75.6: Clutter(24, 80, 0.5, 3.0)}  # as many boxes for the area
INTRODUCTION, SPEED = "the introduction's numbers", "look-up against search"
TREE, SEARCH = "diverse tree", "A*, straight line"


@dataclass(frozen=True)
class Size:
    nodes: int
    queries: int  # in each square
    budget: int  # expansions of a search
    crowd_s: float  # that the interactive system runs


FULL = Size(220_000, 200, 1_000_000, 60.0)
QUICK = Size(20_000, 6, 100_000, 4.0)


def run(quick: bool, say: Say) -> Result:
    """Grow a pruned and a diverse tree, count what an exhaustive one would hold, and time the same trips."""
    size = QUICK if quick else FULL
    character, joggers = lk06_character(STATES), eleven_joggers()
    say("growing trees", 0.0)
    pruned = prune_to(character, size.nodes, seed=GROWN_SEED).tree
    trees = {
        side: grow_diverse(joggers, nodes=size.nodes, region=square_region(side), begins=HUB, seed=GROWN_SEED)
        for side in SIDES_M
    }
    megabytes, a_node = pruned.bytes_used / 1e6, pruned.bytes_used / len(pruned)
    exhaustive = exhaustive_nodes(character, DEPTH)
    asked = {side: _ask(tree, side, joggers, size, say) for side, tree in trees.items()}
    faster = {side: times_faster(columns) for side, columns in asked.items()}
    near, wide = SIDES_M
    say(f"running {CROWD}", 0.9)
    ran = run_interactive(size.crowd_s)
    deepest = {side: int(levels(tree).max()) for side, tree in trees.items()}
    bytes_note = f"{a_node:.0f} bytes a node: 24 of its own, and its places in goal lists that overlap."
    rows = (
        row("nodes of the tree", [len(pruned)], [claim("l09.c1.tree.nodes")]),
        row("MB of the tree", [megabytes], [claim("l09.c1.tree.mb")], note=bytes_note),
        row("MB of the pruned tree", [megabytes], [claim("l09.c1.pruned.mb")], note="The same tree."),
        row("levels of an exhaustive tree", [DEPTH], [claim("l09.c1.exhaustive.depth")]),
        row(
            "GB of an exhaustive tree", [exhaustive * a_node / 1e9], [claim("l09.c1.exhaustive.gb")],
            note=f"{exhaustive:,} nodes at the pruned tree's bytes each, counted and not grown.",
        ),
        row(
            "levels of a diverse tree", [deepest[wide]], [claim("l09.c1.depth")],
            note=f"In a square of {wide:g} m; in one of {near:g} m {deepest[near]}. Of near nodes the cheapest grows, "
            "so ways do not meander and have no more levels than they need.",
        ),
        row(
            "times faster than search", [faster[near]], [claim("l09.c1.faster")],
            note=f"In a square of {near:g} m; {faster[wide]:.0f} times in one of {wide:g} m. How much there is to gain "
            "depends on the search, which here is compiled as look-ups are: see the milliseconds of both below.",
        ),
        row("order of the Markov property", [MARKOV_ORDER], [claim("l09.c1.markov.order")]),
        row("people of the interactive system", [ran.people], [claim("l09.c2.characters")],
            note=f"Of the shipped scene `{CROWD}`, run for {size.crowd_s:g} s: {_real_time(ran)}"),
    )  # fmt: skip
    speeds = Table(
        SPEED,
        ("% found", "ms, mean", "mean cost", "times faster"),
        tuple(
            row(f"{label}, {side:g} m", [one.success, *_means(columns, label), faster[side] if label == TREE else None])
            for side, columns in asked.items()
            for label, one in columns.items()
        ),
        "Times and costs over the queries that both answer.",
    )
    picture_name = f"{NAME}.png"
    return Result(
        Report(
            item=NAME,
            title="L09 figure 1.3: a precomputed tree, the introduction's numbers, and how trees are looked up",
            quick=quick,
            setting=(
                f"The human with LK06's {STATES} states; a pruned tree of six levels with the largest k that leaves "
                f"{size.nodes:,} nodes (seed {GROWN_SEED}); diverse trees of as many nodes of eleven ways of jogging "
                f"in squares of {near:g} and {wide:g} m. {size.queries} queries in each (seed {SEED}), with boxes of "
                "0.5 to 3 m at random, a disc of 0.3 m and goals of 0.8 m, answered by one look-up and by A* with the "
                "straight line as bound; times are of answering alone.",
            ),
            tables=(Table(INTRODUCTION, ("ours",), rows), speeds, look_up_table(pruned, deepest[wide], ran)),
            differences=(
                f"A pruned tree of {len(pruned):,} nodes takes {megabytes:.1f} MB (thesis: 10 MB for about 220,000), "
                f"{pruned.node_bytes / 1e6:.1f} MB of it for the nodes alone.",
                f"Look-up is {faster[near]:.0f} times as fast as the search in a square of {near:g} m and "
                f"{faster[wide]:.0f} times in one of {wide:g} m, where the thesis says more than two orders of "
                "magnitude; `l09-table-4.2` compares in its own setting.",
                f"It answers {asked[near][TREE].success:.0f} % and {asked[wide][TREE].success:.0f} % of the queries, "
                f"the search {asked[near][SEARCH].success:.0f} % and {asked[wide][SEARCH].success:.0f} %.",
            ),
            pictures=(picture_name,),
        ),
        {picture_name: pixels_of(partial(_draw, pruned, character))},
    )


def _real_time(ran: Interactive) -> str:
    """Say how much of a frame planning leaves."""
    return f"a frame takes {ran.frame_ms:.2f} ms of the {1000.0 / ran.rate_hz:.1f} ms that there are."


def exhaustive_nodes(character: Character, depth: int) -> int:
    """Return how many nodes a tree of all sequences has, the root included."""
    follows = np.isfinite(character.transition_costs).astype(np.int64)
    reached = np.array([one.begins == HUB for one in character.behaviors], dtype=np.int64)
    total = 1
    for _ in range(depth):
        total += int(reached.sum())
        reached = reached @ follows
    return total


def levels(tree: SearchTree) -> np.ndarray:
    """Return how many clips lead to each node."""
    count = np.zeros(len(tree), dtype=np.int64)
    above = tree.parent.copy()
    while (above >= 0).any():
        count += above >= 0
        above = np.where(above >= 0, tree.parent[np.maximum(above, 0)], -1)
    return count


def _draw(tree: SearchTree, character: Character, path: object) -> None:
    tree_picture(str(path), tree, character, panels=("frequency", "fan"))


def _ask(tree: SearchTree, side_m: float, character: Character, size: Size, say: Say) -> dict[str, Column]:
    """Ask tree and search the same questions in a square."""
    disc = with_disc(character)
    search = Forward(SEARCH, AStar(around=False, look_closer=False), disc, HUB, size.budget)
    queries = QuerySet(square_region(side_m), CLUTTER[side_m], size.queries, SEED, DISC_RADIUS_M)
    return ask_all(queries, [search, InTree(TREE, tree, disc)], say)


def times_faster(columns: dict[str, Column]) -> float:
    """Return how many times as fast the tree is, over what both answer."""
    return _means(columns, SEARCH)[0] / _means(columns, TREE)[0]


def _means(columns: dict[str, Column], label: str) -> tuple[float, float]:
    """Return milliseconds and cost, over what both answer."""
    both = solved_by_all(columns.values())
    return 1e3 * mean(columns[label].time_s[both]), mean(columns[label].cost[both])


ITEM = Item(NAME, "a tree of 220,000 nodes drawn, the numbers of the thesis's introduction and of its look-up", run)
