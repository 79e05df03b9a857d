"""Search trees: growing, opening and looking up, beside the papers' rasterised look-up."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evidence.benchmarks.planning import crowded_world
from evidence.benchmarks.timing import Row, median_seconds
from evidence.reproductions.bodies import DISC_RADIUS_M, with_disc
from evidence.reproductions.gridmaps import RasterizedLookUp
from evidence.reproductions.subjects import EIGHT
from gambol.characters import Character, load_character
from gambol.core import lib
from gambol.search import Goal
from gambol.trees import LookUp, Region, SearchTree, grow_diverse, grow_pruned, read_tree, write_tree
from gambol.trees.file import ensure_verified
from gambol.world import World, at_resolution
from gambol.world.standing import world_struct

REACH_M = 16.0
QUERIES = 10_000
OCCUPIED = (0.06, 0.17)
CELLS_M = (0.14, 0.07, 0.035)  # 270, 540 and 1080 cells over 37.8 m [L09 table 4.3]
ROOM_M = 0.5  # around starts and goals


class Times(NamedTuple):
    """Of distinct queries, asked one after another in one thread."""

    mean_us: float  # of one pass over all of them
    median_us: float
    p99_us: float
    success: float
    visited: float  # nodes a query
    again_us: float  # mean of a second pass over the same queries
    new_world_ms: float  # of the first query of all, the world laid out for it

    def __str__(self) -> str:
        return f"{self.mean_us:.1f} µs mean, {self.median_us:.1f} median, {self.p99_us:.0f} at the 99th percentile"

    @property
    def others(self) -> str:
        """What else was timed than new goals in a known world."""
        return f"the same again {self.again_us:.1f} µs; the first in a new world {self.new_world_ms:.1f} ms"


def run() -> list[Row]:
    disc, body = with_disc(load_character("human").only(EIGHT)), load_character("human").only(EIGHT)
    half = Region.half_disc(REACH_M)
    diverse = grow_diverse(disc, nodes=500_000, region=half, begins="jog-left")
    pruned = grow_pruned(disc, nodes=220_000, begins="jog-left")
    rows = [_opening(diverse)]
    for share in OCCUPIED:
        world = crowded_world(share)
        rows.append(_beside_rasterized("pruned", pruned, disc, world, share))
        rows.append(_beside_rasterized("diverse", diverse, disc, world, share))
        rows.append(_eight_parts(diverse, disc, body, world, share))
        rows += [_at_resolution(diverse, disc, world, share, cell_m) for cell_m in CELLS_M]
    return [*rows, _threads(diverse, disc, crowded_world(OCCUPIED[0]))]


def queries(world: World, count: int, *, seed: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Return distinct starts (Q, 3) and goals (Q, 2) with some room, the goals ahead and within reach."""
    rng, known = np.random.default_rng(seed), world_struct(world)
    least_x, least_y, greatest_x, greatest_y = world.bounds
    starts, goals = [], []
    while len(starts) < count:
        x, y, heading = rng.uniform(least_x, greatest_x), rng.uniform(least_y, greatest_y), rng.uniform(-np.pi, np.pi)
        away, turn = REACH_M * np.sqrt(rng.uniform()), heading + rng.uniform(-0.5, 0.5) * np.pi
        goal_x, goal_y = x + away * np.cos(turn), y + away * np.sin(turn)
        if min(lib.gb_world_clearance(known.c, *place) for place in ((x, y), (goal_x, goal_y))) >= ROOM_M:
            starts.append((x, y, heading))
            goals.append((goal_x, goal_y))
    return np.array(starts), np.array(goals)


def measure(tree: SearchTree, character: Character, world: World) -> Times:
    """Time distinct queries: all in one pass for the mean, then one by one, Python's call included, for the others.

    Before that one is asked in a new world, and after it all are asked again.
    """
    starts, goals = queries(world, QUERIES)
    places, ends = [tuple(start) for start in starts.tolist()], [Goal(*goal) for goal in goals.tolist()]
    new = replace(world)
    begun = time.perf_counter()
    LookUp(tree, character, new).one(places[0], ends[0])
    new_world_ms = 1e3 * (time.perf_counter() - begun)
    asked = LookUp(tree, character, world)
    asked.many(*queries(world, 500, seed=6))
    passes, answers = [], None
    for _ in range(2):
        begun = time.perf_counter()
        answers = asked.many(starts, goals)
        passes.append(1e6 * (time.perf_counter() - begun) / QUERIES)
    assert answers is not None
    ns = np.zeros(QUERIES)
    for number in range(QUERIES):
        begun_ns = time.perf_counter_ns()
        asked.one(places[number], ends[number])
        ns[number] = time.perf_counter_ns() - begun_ns
    median, p99 = np.percentile(ns, (50, 99)) / 1e3
    found, visited = float(answers.found.mean()), answers.counts.visited / QUERIES
    return Times(passes[0], float(median), float(p99), found, visited, passes[1], new_world_ms)


def _opening(tree: SearchTree) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.safetensors"
        write_tree(path, tree)
        opening = median_seconds(lambda: read_tree(path))
        begun = time.perf_counter()
        ensure_verified(read_tree(path))
        verifying = time.perf_counter() - begun
    return Row(
        f"opening a tree of {len(tree):,} nodes, {tree.bytes_used / 1e6:.0f} MB",
        f"{opening * 1e3:.1f} ms",
        f"{verifying * 1e3:.0f} ms with the checksum",
        f"{tree.node_bytes / len(tree):.0f} bytes a node",
        f"{tree.grid.bytes_used / len(tree):.0f} more for the goal lists",
    )


def _beside_rasterized(name: str, tree: SearchTree, character: Character, world: World, share: float) -> Row:
    ours = measure(tree, character, world)
    starts, goals = queries(world, QUERIES)
    baseline = RasterizedLookUp(tree, character, world, radius_m=DISC_RADIUS_M)
    few = slice(0, 1000)
    baseline.many(starts[:20], goals[:20])
    begun = time.perf_counter()
    answers = baseline.measured(starts[few], goals[few])
    seconds = (time.perf_counter() - begun) / 1000
    rasterizing = answers.rasterizing_s / (answers.rasterizing_s + answers.searching_s)
    return Row(
        f"{name} tree of {len(tree):,} nodes, disc of {DISC_RADIUS_M} m, {share:.0%} occupied",
        str(ours),
        f"{seconds * 1e6:,.0f} µs mean (papers' rasterised look-up, {rasterizing:.0%} of it rasterising)",
        f"{seconds * 1e6 / ours.mean_us:,.0f}",
        f"{QUERIES:,} distinct queries in one pass; answered: {ours.success:.1%}, {ours.visited:.0f} nodes each; "
        f"{ours.others}",
    )


def _eight_parts(tree: SearchTree, disc: Character, body: Character, world: World, share: float) -> Row:
    parts, one = measure(tree, body, world), measure(tree, disc, world)
    return Row(
        f"diverse tree of {len(tree):,} nodes, eight-part body, {share:.0%} occupied",
        str(parts),
        f"{one.mean_us:.1f} µs mean with a disc",
        f"{one.mean_us / parts.mean_us:.2f}",
        f"answered: {parts.success:.1%}; {parts.others}",
    )


def _at_resolution(tree: SearchTree, character: Character, world: World, share: float, cell_m: float) -> Row:
    ours, usual = measure(tree, character, at_resolution(world, cell_m)), measure(tree, character, world)
    return Row(
        f"the same, clearance in cells of {100 * cell_m:g} cm, {share:.0%} occupied",
        str(ours),
        f"{usual.mean_us:.1f} µs mean in cells of 10 cm",
        f"{usual.mean_us / ours.mean_us:.2f}",
        f"answered: {ours.success:.1%}",
    )


def _threads(tree: SearchTree, character: Character, world: World) -> Row:
    asked = LookUp(tree, character, world)
    starts, goals = queries(world, QUERIES)
    one, two = (median_seconds(partial(asked.many, starts, goals, threads=threads), runs=3) for threads in (1, 2))
    return Row(
        f"{QUERIES:,} queries in two threads", f"{QUERIES / two:,.0f} a second", f"{QUERIES / one:,.0f} in one",
        f"{one / two:.2f}", "the same answers",
    )  # fmt: skip
