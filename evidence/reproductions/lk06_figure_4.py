"""LK06 figure 4, which is L09 figure 4.2: where the paths of an exhaustive and of a pruned tree end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.claim import claim
from evidence.reproductions.data_sizes import data_frames
from evidence.reproductions.frequency_drawing import Frequency, draw_frequencies, frequency_of
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.pruning import CELL_M, DEPTH, LARGEST_K, prune_to
from evidence.reproductions.report import Report, Row, Table, Value, row
from evidence.reproductions.subjects import HUB, lk06_character
from gambol.characters import Character
from gambol.trees import SearchTree, grow_exhaustive
from gambol.trees.pruned import PRUNED_NODES

NAME = "lk06-figure-4"
STATES, GROWN_SEED = 21, 1
EXHAUSTIVE, PRUNED = "exhaustive", "pruned"
TREES, PUBLISHED = "trees", "published"
NEAR_M, FAR_M = 8.0, 14.0  # between which most paths end [LK06 figure 4]
BEHIND_M = 0.5


@dataclass(frozen=True)
class Size:
    depth: int
    nodes: int  # of the pruned tree


FULL = Size(DEPTH, PRUNED_NODES)
QUICK = Size(4, 5_000)


@dataclass(frozen=True, eq=False)
class Reach:
    """Where the paths of a tree end, which alone is kept of it: the exhaustive one fills the memory."""

    nodes: int
    node_mb: float
    whole_mb: float  # goal lists included
    frequency: Frequency
    distance_m: NDArray[np.float32]  # (L,) of the ends of paths that go no further
    farthest_m: float  # of all nodes
    ahead: float  # percent of all nodes that are not behind the root

    @property
    def median_m(self) -> float:
        return float(np.median(self.distance_m))

    @property
    def between(self) -> float:
        """Percent of the paths that end where the paper says most of them do."""
        return 100.0 * float(((self.distance_m >= NEAR_M) & (self.distance_m <= FAR_M)).mean())


def reach_of(tree: SearchTree) -> Reach:
    """Return where the paths of a tree end."""
    place = tree.pose[1:, :2]
    distance = np.hypot(place[:, 0], place[:, 1])
    is_leaf = np.ones(len(tree), dtype=bool)
    is_leaf[tree.parent[1:]] = False
    return Reach(
        nodes=len(tree),
        node_mb=tree.node_bytes / 1e6,
        whole_mb=tree.bytes_used / 1e6,
        frequency=frequency_of(place, CELL_M),
        distance_m=distance[is_leaf[1:]],
        farthest_m=float(distance.max()),
        ahead=100.0 * float((place[:, 0] >= -BEHIND_M).mean()),
    )


def run(quick: bool, say: Say) -> Result:
    """Grow both trees, and count the paths that end in each cell."""
    size = QUICK if quick else FULL
    character = lk06_character(STATES)
    say("growing the exhaustive tree", 0.0)
    reaches = {EXHAUSTIVE: reach_of(grow_exhaustive(character, depth=size.depth, begins=HUB, seed=GROWN_SEED))}
    say("growing the pruned tree", 0.6)
    pruned = prune_to(character, size.nodes, depth=size.depth, seed=GROWN_SEED)
    reaches[PRUNED] = reach_of(pruned.tree)
    say("drawing", 0.9)
    picture = draw_frequencies({
        f"{name}, {one.nodes:,} nodes, {one.node_mb:,.1f} MB": one.frequency for name, one in reaches.items()
    })  # fmt: skip
    return Result(_report(quick, character, size, reaches, pruned.per_cell), {f"{NAME}.png": picture})


def _report(quick: bool, character: Character, size: Size, reaches: Mapping[str, Reach], per_cell: int) -> Report:
    whole, less = reaches[EXHAUSTIVE], reaches[PRUNED]
    return Report(
        item=NAME,
        title="LK06 figure 4 and L09 figure 4.2: how many paths end at each place",
        quick=quick,
        setting=(
            f"The human with LK06's {STATES} states, trees from mid-jog on (seed {GROWN_SEED}): all paths of "
            f"{size.depth} clips, and of these the pruned tree with the largest k that leaves at most "
            f"{size.nodes:,} nodes, in cells of {100.0 * CELL_M:g} cm.",
            f"Drawn is how many paths end in each cell of {100.0 * CELL_M:g} cm; the root faces up.",
        ),
        tables=(_trees_table(reaches), _published_table(character, size, reaches, per_cell)),
        differences=(
            f"The exhaustive tree has {whole.nodes:,} nodes (paper: over 6 million) and takes {whole.node_mb:,.0f} MB, "
            f"{whole.whole_mb:,.0f} MB with goal lists (over 300); the pruned one {less.nodes:,} nodes and "
            f"{less.node_mb:.1f} MB, {less.whole_mb:.1f} MB with goal lists (10).",
            f"Of the exhaustive tree's paths {whole.between:.0f} % end {NEAR_M:g} to {FAR_M:g} m away, half of them "
            f"within {whole.median_m:.1f} m, and the farthest node lies {whole.farthest_m:.1f} m away (paper: a half "
            f"circle of 16 m). {whole.ahead:.1f} % of its nodes are not behind the root.",
            f"Up to {whole.frequency.most:,} paths of the exhaustive tree end in one cell, and "
            f"{less.frequency.most:,} of the pruned one, whose k is {per_cell}: endings are counted apart, so that a "
            "cell may hold twice as many.",
        ),
        pictures=(f"{NAME}.png",),
    )


def _trees_table(reaches: Mapping[str, Reach]) -> Table:
    rows = [
        row(name, [
            one.nodes, one.node_mb, one.whole_mb, one.farthest_m, one.ahead, one.median_m, one.between,
            one.frequency.most, one.frequency.cells,
        ])
        for name, one in reaches.items()
    ]  # fmt: skip
    headings = (
        "nodes", "MB of nodes", "MB with goal lists", "farthest m", "% not behind", "median m of path ends",
        "% ending 8 to 14 m away", "paths in the fullest cell", "cells reached",
    )  # fmt: skip
    return Table(TREES, headings, tuple(rows))


def _published_table(character: Character, size: Size, reaches: Mapping[str, Reach], per_cell: int) -> Table:
    whole, less = reaches[EXHAUSTIVE], reaches[PRUNED]
    proper, with_margins = data_frames(character)
    row_of = partial(_both, whole.nodes < 1_000_000)
    rows = (
        row_of("states", len(character.behaviors), "states"),
        row_of(
            "frames of all clips", with_margins, "frames",
            f"What is played is {proper:,} of these; the rest are margins for blending.", whole=True,
        ),
        row_of("frames a second", character.planning_rate_hz, "rate"),
        row_of("levels", size.depth, "depth"),
        row_of("m, farthest node", whole.farthest_m, "radius", _longest(character)),
        row_of(
            "m, median of path ends", whole.median_m, "majority",
            f"{whole.between:.0f} % of the paths end between {NEAR_M:g} and {FAR_M:g} m. {_longest(character)}",
        ),
        row_of(
            "nodes of the exhaustive tree", whole.nodes, "exhaustive.nodes",
            "How many there are depends on which of the states may follow each other.",
        ),
        row_of(
            "MB of the exhaustive tree's nodes", whole.node_mb, "exhaustive.mb",
            f"24 bytes a node, where the paper's take some 54; goal lists come on top: {whole.whole_mb:,.0f} MB.",
        ),
        row_of("nodes of the pruned tree", less.nodes, "pruned.nodes"),
        row_of(
            "MB of the pruned tree's nodes", less.node_mb, "pruned.mb",
            f"With goal lists {less.whole_mb:.1f} MB; the paper does not say whether its own are in its 10 MB.",
        ),
        row_of(
            "k", per_cell, "pruned.k",
            f"The largest of at most {LARGEST_K} that leaves so many nodes: our paths reach {less.frequency.cells:,} "
            "cells, so that fewer fit into each.",
        ),
        row(
            "paths in the fullest cell of the exhaustive tree", [whole.frequency.most, None],
            [claim("lk06.s3.many_paths"), None],
            note=f"The paper's number is the least: {whole.frequency.above:,} cells hold more than that.",
        ),
    )  # fmt: skip
    return Table(PUBLISHED, ("beside LK06 figure 4", "beside L09 figure 4.2"), rows)


def _longest(character: Character) -> str:
    """Return a sentence on the clip that leads farthest: how long clips are decides how far so many of them lead."""
    lengths = {
        behavior.name: max(float(np.hypot(*clip.displacement[:2])) for clip in behavior.clips)
        for behavior in character.behaviors
    }
    name = max(lengths, key=lambda one: lengths[one])
    return (
        f"How far paths lead is how far clips do: the longest of ours, `{name}`, {lengths[name]:.1f} m, their mean "
        f"{np.mean(list(lengths.values())):.1f} m; the paper does not say how long its own are."
    )


def _both(small: bool, label: str, ours: Value, key: str, note: str = "", *, whole: bool = False) -> Row:
    """Return a row beside what both papers say.

    small: the trees are smaller than theirs, and a note says that, too; whole: of what does not depend on trees.
    """
    said = f"{note} Grown to fewer levels than theirs." if small and note and not whole else note
    return row(label, [ours, ours], [claim(f"lk06.fig4.{key}"), claim(f"l09.fig4.2.{key}")], note=said)


ITEM = Item(NAME, "how many paths end where: the exhaustive tree of depth 6 with 21 states, and the pruned one", run)
