"""The diverse tree: scalable to any depth and region, its paths spread evenly [L09 4.2.3]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gambol.characters.character import Character
from gambol.core import Struct, lib, pointer, struct
from gambol.errors import InvalidInput
from gambol.trees.assemble import Sprouts, assemble
from gambol.trees.branching import Branching, branching_of, branching_struct, checked_seed, chosen_endings
from gambol.trees.budget import budget_nodes
from gambol.trees.density import Plot, density_of, plot_of
from gambol.trees.growth import Growth
from gambol.trees.region import Region
from gambol.trees.tracing import traces_of
from gambol.trees.tree import SearchTree

DIVERSE_NODES = 500_000  # [L09 table 4.2: 25 MB]
NODES_A_BUCKET = 2.0  # when the tree is full grown
NEAR_M = 0.3
MOST_NEAR = 80  # nodes to choose from when the tree is full grown: more would take longer and change little


def grow_diverse(
    character: Character,
    *,
    nodes: int | None = None,
    bytes_: int | None = None,
    region: Region | None = None,
    near_m: float | None = None,
    begins: str | None = None,
    endings: Sequence[str] | None = None,
    seed: int = 0,
) -> SearchTree:
    """Grow a node near a random place in the region, by the child that spreads paths most evenly over it.

    Of the nodes within `near_m` of the place the one grows whose cost, times one more than the children it has,
    is least; where there is none, the nearest.  With `near_m=0` it is always the nearest, as in the thesis, whose
    trees are deep and meander: ways to what is cheap to reach are worth more than ways on from detours.

    A node none of whose children is left, because they have grown or leave the region, is taken out of the
    search: in the thesis it stays, and every sample near it is drawn in vain.  Endings follow every node that
    they may, as far as the budget goes; they neither count in the measure nor are sampled.
    """
    names, seed = chosen_endings(character, endings), checked_seed(seed)
    most = budget_nodes(nodes, bytes_, DIVERSE_NODES)
    region = checked_region(region)
    near_m = checked_near(near_m, region, most)
    branching = branching_of(character, begins, names)
    grown = spread(character, branching, region, Sprouts(np.array([-1]), np.array([0])), near_m, seed, most)
    settings = {"nodes": most, "region": region.facts(), "near_m": near_m, "endings": list(names), "seed": seed}
    return assemble(character, grown.sprouts, begins=begins, builder="diverse", settings=settings, notes=grown.notes)


def checked_region(region: Region | None) -> Region:
    """Return the region asked for, or the default; the root must be in it."""
    region = Region.disc() if region is None else region
    if not region.contains(0.0, 0.0):
        raise InvalidInput("a region to grow a tree in must contain the root, (0, 0)")
    return region


def checked_near(near_m: float | None, region: Region, most: int) -> float:
    """Return what is near, by default what holds not too many of so many nodes."""
    if near_m is None:
        near_m = min(NEAR_M, math.sqrt(MOST_NEAR * region.area_m2 / (math.pi * most)))
    if not (math.isfinite(near_m) and near_m >= 0.0):
        raise InvalidInput(f"what is near must be a finite distance, not negative, not {near_m} m")
    return near_m


@dataclass(frozen=True, eq=False)
class Spread:
    """Nodes in the order in which they grew, and what was measured."""

    sprouts: Sprouts
    notes: dict[str, Any]


def spread(
    character: Character, branching: Branching, region: Region, begun: Sprouts, near_m: float, seed: int, most: int
) -> Spread:
    """Grow a tree that has begun, with its root or more, until it is full or nothing is left to grow."""
    plot, growth, core = plot_of(region), Growth(most), branching_struct(branching, character, seed)
    spreading = spreading_struct(character, branching, region, plot, most)
    lib.gb_growth_begin_spreading(core.c, spreading.c, growth.core.c, len(begun.parent) == 1)
    begun_nodes = (begun.parent.astype(np.int32), begun.clip.astype(np.int32))
    lib.gb_growth_adopt(
        core.c, spreading.c, growth.core.c, *(pointer(array, "int32_t") for array in begun_nodes), len(begun.parent)
    )  # fmt: skip
    lib.gb_growth_spread(core.c, spreading.c, growth.core.c, near_m)
    if len(growth) == 1 < most:
        raise InvalidInput(f"no behavior of {character.name!r} that may come first stays inside the region")
    notes = {"density": density_of(plot.passed[region.cells]), "samples": int(spreading.c.samples)}
    return Spread(growth.sprouts, notes)


def spreading_struct(character: Character, branching: Branching, region: Region, plot: Plot, most: int) -> Struct:
    """Return what the core needs to spread so many nodes over a region: no node is found yet.

    Of buckets there are as many as leave few nodes in each when the tree is full grown.
    """
    rows, columns = region.mask.shape
    size = math.sqrt(NODES_A_BUCKET * region.area_m2 / most)
    size = min(max(size, region.cell_m / 50.0), region.cell_m * max(rows, columns))
    down, across = math.ceil(rows * region.cell_m / size), math.ceil(columns * region.cell_m / size)
    return struct(
        "gb_spreading",
        traces=traces_of(character, region.cell_m).core,
        plot=plot.core,
        cells=region.cells,
        cell_count=len(region.cells),
        widest=branching.widest,
        load=np.zeros(most, dtype=np.int64),
        taken=np.zeros((most, branching.widest), dtype=np.uint8),
        samples=0,
        counted=0,
        bucket_m=size,
        bucket_rows=down,
        bucket_columns=across,
        bucket=np.full(down * across, -1, dtype=np.int32),
        after=np.full(most, -1, dtype=np.int32),
        before=np.full(most, -1, dtype=np.int32),
        held=0,
    )
