"""LK06 sections 3 and 4: the sizes of its grids and of its sub-goals, and what finer cells cost."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.bodies import DISC_RADIUS_M
from evidence.reproductions.claim import claim
from evidence.reproductions.data_sizes import clips_of
from evidence.reproductions.gridmap_kernels import UNOCCUPIED
from evidence.reproductions.gridmaps import RasterizedLookUp
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.pruning import CELL_M, prune_to
from evidence.reproductions.report import Report, Table, Value, row
from evidence.reproductions.sub_goals import KEPT_AT_MARK, SUB_GOAL_SHARE
from evidence.reproductions.subjects import lk06_character
from gambol.characters import Character
from gambol.pictures import INK
from gambol.scenes import load_scene
from gambol.search.coarse_cells import SQUARE_M
from gambol.trees import SearchTree
from gambol.trees.pruned import PRUNED_NODES
from gambol.trees.region import REACH_M
from gambol.world import World

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "lk06-gridmaps"
SCENE, STATES, SEED, GROWN_SEED = "duck-and-jump", 21, 64, 1
CELLS_M = (CELL_M, 0.5 * CELL_M, CELL_M / 3.0)  # the paper's largest, its smallest, and a third
START = (6.0, 7.0, 0.0)  # of the picture
MAPPING, SETTINGS = "marking obstacles", "settings"
FEWER_POINTS = (
    "Points are a cell's side by √2 apart. Obstacles as thin as these have fewer than nine times as many at a third of "
    "the side, as a lattice of them always reaches from edge to edge; and each takes less time."
)
SEEN_M = (-2.0, 24.0, -9.5, 11.5)  # of the picture: behind, ahead, right and left of the root
RUNS = 5  # of which the fastest counts
DPI = 120


@dataclass(frozen=True)
class Size:
    starts: int
    nodes: int


FULL = Size(400, PRUNED_NODES)
QUICK = Size(40, 5_000)


@dataclass(frozen=True)
class Mapped:
    """What marking the obstacles took in cells of one size, for a start in the mean."""

    cell_m: float
    time_us: float  # of the processor
    cells: float  # marked


def run(quick: bool, say: Say) -> Result:
    """Mark the obstacles for many starts in cells of three sizes."""
    size, character, world = (QUICK if quick else FULL), lk06_character(STATES), load_scene(SCENE).world
    say("growing", 0.0)
    tree = prune_to(character, size.nodes, seed=GROWN_SEED).tree
    starts = random_starts(world, size.starts)
    mapped = []
    for number, cell_m in enumerate(CELLS_M):
        say(f"marking, cells of {100.0 * cell_m:.1f} cm", 0.4 + 0.15 * number)
        look_up = RasterizedLookUp(tree, character, world, radius_m=DISC_RADIUS_M, cell_m=cell_m)
        mapped.append(mapping(look_up, cell_m, starts))
    growth = mapped[-1].time_us / mapped[0].time_us
    report = Report(
        item=NAME,
        title="LK06 sections 3 and 4: grids, sub-goals, and what finer cells cost",
        quick=quick,
        setting=(
            f"The shipped scene `{SCENE}`, the human's {STATES} states of LK06 as a disc of {DISC_RADIUS_M:g} m, a "
            f"pruned tree of {len(tree):,} nodes (seed {GROWN_SEED}); the paper's own mapping of obstacles to the "
            f"environment gridmap, written again to compare with, for {size.starts} random starts (seed {SEED}).",
            f"Times are of the processor, one thread, the fastest of {RUNS} runs.",
        ),
        tables=(_mapping_table(mapped, growth), _settings_table(character, tree)),
        differences=(
            f"In cells of a third obstacles take {growth:.1f} times as long to mark (paper: approximately nine).",
            "Our own look-up marks nothing: it tests the body's parts at every instant against the distance to the "
            "nearest obstacle, which is worked out once for a world. So the size of cells is no trade-off between time "
            "and what is missed.",
        ),
        pictures=(f"{NAME}.png",),
    )
    return Result(report, {f"{NAME}.png": _picture(tree, character, world)})


def random_starts(world: World, count: int) -> NDArray[np.float64]:
    """Return poses (N, 3) anywhere in a world, facing anywhere."""
    x0, y0, x1, y1 = world.bounds
    return np.random.default_rng(SEED).uniform((x0, y0, -math.pi), (x1, y1, math.pi), (count, 3))


def mapping(look_up: RasterizedLookUp, cell_m: float, starts: NDArray[np.float64]) -> Mapped:
    """Mark the obstacles around each start."""
    goals = np.zeros((len(starts), 2))
    answers = [look_up.measured(starts, goals) for _ in range(RUNS + 1)][1:]  # the first compiles
    fastest = min(answers, key=lambda one: one.rasterizing_s)
    return Mapped(cell_m, 1e6 * fastest.rasterizing_s / len(starts), float(fastest.marked.mean()))


def _mapping_table(mapped: Sequence[Mapped], growth: float) -> Table:
    coarsest = mapped[0]
    rows = []
    for one in mapped:
        is_last = one is mapped[-1]
        rows.append(row(
            f"cells of {100.0 * one.cell_m:.1f} cm",
            [one.time_us, one.cells, growth if is_last else one.time_us / coarsest.time_us],
            [None, None, claim("lk06.s3.finer") if is_last else None],
            note=FEWER_POINTS if is_last else "",
        ))  # fmt: skip
    return Table(MAPPING, ("µs a start", "cells marked", "times as long"), tuple(rows))


def _settings_table(character: Character, tree: SearchTree) -> Table:
    instants = float(np.mean([clip.duration for clip in clips_of(character)]))
    said: list[tuple[str, Value, str, str]] = [
        ("cm, cells of the environment gridmap", 100.0 * CELL_M, "s3.environment_cells", ""),
        ("cm, cells of the goal gridmap", 100.0 * tree.grid.cell_m, "s3.goal_cells", ""),
        (
            "instants of a clip that are tested, mean", instants, "s3.tested",
            "The paper tests the end and the middle, or the moment of a jump; our look-up every instant.",
        ),
        ("cm, squares of the coarse map", 100.0 * SQUARE_M, "s4.coarse_cells", ""),
        ("points of an obstacle apart, by a cell's side", 1.0 / math.sqrt(2.0), "s4.sampling", ""),
        ("m to a sub-goal", SUB_GOAL_SHARE * REACH_M, "s4.sub_goal", ""),
        ("states kept of a path to a marked sub-goal", KEPT_AT_MARK, "s4.kept", ""),
    ]  # fmt: skip
    rows = tuple(row(label, [ours], [claim(f"lk06.{key}")], note=note) for label, ours, key, note in said)
    return Table(SETTINGS, ("ours",), rows)


def _picture(tree: SearchTree, character: Character, world: World) -> Picture:
    """Return the environment gridmap of one start in cells of all sizes, the tree's root facing right."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13.0, 4.0), dpi=DPI, facecolor="white", layout="constrained")
    canvas = FigureCanvasAgg(figure)
    for axes, cell_m in zip(figure.subplots(1, len(CELLS_M)), CELLS_M, strict=True):
        look_up = RasterizedLookUp(tree, character, world, radius_m=DISC_RADIUS_M, cell_m=cell_m)
        _draw_grid(axes, look_up, cell_m)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _draw_grid(axes: Axes, look_up: RasterizedLookUp, cell_m: float) -> None:
    grid = look_up.environment(START) != UNOCCUPIED
    x0, y0 = look_up.corner
    extent = (x0, x0 + grid.shape[1] * cell_m, y0, y0 + grid.shape[0] * cell_m)
    axes.imshow(grid, origin="lower", extent=extent, cmap="Greys", vmin=0.0, vmax=1.5, interpolation="nearest")
    axes.plot(0.0, 0.0, ">", color=(0.0, 0.5, 0.36), ms=8.0)
    axes.set_title(f"cells of {100.0 * cell_m:.1f} cm: {int(grid.sum()):,} marked", fontsize=9, color=INK, loc="left")
    axes.set_xlabel("m ahead of the root", fontsize=8, color=INK)
    axes.tick_params(labelsize=7)
    axes.set_xlim(*SEEN_M[:2])
    axes.set_ylim(*SEEN_M[2:])


ITEM = Item(NAME, "the sizes of the paper's grids, and how much longer obstacles take to mark in cells of a third", run)
