"""What planning looked at, drawn on the ground: all overlays, and what their colors mean."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.characters.action_table import action_table
from gambol.characters.step import clip_of
from gambol.core import lib
from gambol.pictures.kinds import KIND_COLORS
from gambol.pictures.map_tree import cost_colors
from gambol.pictures.mesh import Color
from gambol.search.plan import Plan
from gambol.search.problem import Problem
from gambol.search.way import closed_cells
from gambol.trees.trip_map import whole_trip_map
from gambol.view.meshes import color_bytes
from gambol.view.plan.paint import UNTURNED, draw_dots, draw_lines, draw_squares, joined, on_ground
from gambol.view.plan.tree_overlays import CROSSING, joins, outlines, rough_way, traced_nodes

MOST_NODES = 60_000  # >= 1: about this number of a search's nodes are drawn; larger: slower
MOST_EDGES = 4_000  # >= 0: edges are drawn only if there are at most this number
NODE_M = 0.13  # m, > 0: width of a node's dot
CLOSED = (208, 52, 44, 210)  # RGBA, 0 to 255: closed cells
MOST_SQUARES = 150_000  # >= 1: squares of a world, at most; larger: finer
OPEN: Color = (0.45, 0.62, 0.72)  # RGB, 0 to 1: cells of the coarse map where ground is free
DEAR: Color = (0.92, 0.52, 0.02)  # RGB, 0 to 1: where a metre costs as much as DEAREST
DEAREST = 3.0  # > 1: times as dear as free ground
SEEN = 150  # 0 to 255: how much of the ground cells of the coarse map hide
EVERY_FRAMES = 6  # planning frames, >= 1: from one drawn shape of the body to the next; larger: fewer
MOST_SHAPES = 4_000  # >= 1: cylinders that are drawn, at most; larger: slower
RIM = 12  # >= 3: corners of a cylinder's circle; larger: rounder

Draw = Callable[[viser.SceneApi, str, Problem, Plan], None]


def search_tree(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw all nodes that the search stored, colored by their cost, and few edges [LK05 figure 4]."""
    trace = plan.trace
    if trace is None or len(trace.poses) < 2:
        return
    places = on_ground(trace.poses[:, :2], problem.world.terrain)
    share = trace.costs / max(float(trace.costs.max()), 1e-9)
    step = max(1, -(-len(places) // MOST_NODES))
    draw_dots(scene, f"{name}/nodes", places[::step], _shades(share[::step]), NODE_M)
    children = np.flatnonzero(trace.parents >= 0)
    if len(children) <= MOST_EDGES:
        ends = joined(np.stack((places[trace.parents[children]], places[children]), axis=1))[:, 0]
        draw_lines(scene, f"{name}/edges", ends, _shades(share[children]), 1.0)


def closed_grid(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw the cells where the character's root can never be; many cells are joined to squares."""
    cells = closed_cells(problem.world, problem.character)
    every = max(1, math.ceil(math.sqrt(cells.closed.size / MOST_SQUARES)))
    rows, columns = (-(-count // every) * every for count in cells.closed.shape)
    padded = np.zeros((rows, columns), dtype=bool)
    padded[: cells.closed.shape[0], : cells.closed.shape[1]] = cells.closed
    closed = np.asarray(padded.reshape(rows // every, every, columns // every, every).any(axis=(1, 3)))
    colors = np.zeros((*closed.shape, 4), dtype=np.uint8)
    colors[closed] = CLOSED
    draw_squares(scene, name, colors, (cells.x0, cells.y0), every * cells.cell_m, problem.world.terrain)


def coarse_grid(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw what a metre costs in each cell of the coarse map; of many cells only every second one, or fewer."""
    drawn = whole_trip_map(problem.world, problem.character)
    border = int(lib.GB_MAP_BORDER)
    inside = slice(border, -border), slice(border, -border)
    price, crossing = (drawn.kept[part][inside] for part in ("price", "crossing"))
    every = max(1, math.ceil(math.sqrt(price.size / MOST_SQUARES)))
    price, crossing = price[::every, ::every], crossing[::every, ::every]
    share = np.clip((price / lib.GB_MAP_FREE - 1.0) / (DEAREST - 1.0), 0.0, 1.0)[..., None]
    colors = np.full((*price.shape, 4), SEEN, dtype=np.uint8)
    colors[..., :3] = np.rint(255.0 * (np.array(OPEN) + share * (np.array(DEAR) - np.array(OPEN))))
    colors[crossing > 0, :3] = color_bytes(np.array([CROSSING]))
    colors[price == 0] = 0
    corner = drawn.c.x0 + border * drawn.c.cell_m, drawn.c.y0 + border * drawn.c.cell_m
    draw_squares(scene, name, colors, corner, every * drawn.c.cell_m, problem.world.terrain)


def swept_shapes(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw the cylinders that stand for the body every few frames, in the colors of its behaviors."""
    if not plan.steps:
        return
    actions, terrain = action_table(problem.character), problem.world.terrain
    poses, samples, colors, grounds = [], [], [], []
    for step in plan.steps:
        clip = clip_of(problem.character, step)
        chosen = np.arange(0, clip.duration + 1, EVERY_FRAMES)
        placed = clip.place(np.array(step.pose))[chosen]
        number = int(actions.behavior_clips[step.behavior]) + step.clip
        poses.append(placed)
        samples.append(int(actions.clip_samples[number]) + chosen)
        color = color_bytes(KIND_COLORS[problem.character.behaviors[step.behavior].kind])
        colors.append(np.tile(color, (len(chosen), 1)))
        grounds.append(np.zeros(len(chosen)) if terrain is None else terrain.height(placed[:, :2]))
    pose, sample = np.concatenate(poses), np.concatenate(samples)
    radius, low, high = (values[sample] for values in (actions.part_radius, actions.part_low, actions.part_high))
    offset = actions.part_offset[sample]
    cosine, sine = np.cos(pose[:, 2:]), np.sin(pose[:, 2:])
    x = pose[:, :1] + cosine * offset[..., 0] - sine * offset[..., 1]
    y = pose[:, 1:2] + sine * offset[..., 0] + cosine * offset[..., 1]
    z = 0.5 * (low + high) + np.concatenate(grounds)[:, None]
    solid = (high > low) & (radius > 0.0)
    middle = np.stack((x[solid], y[solid], z[solid]), axis=1)
    scale = np.stack((radius[solid], radius[solid], (high - low)[solid]), axis=1)
    color = np.broadcast_to(np.concatenate(colors)[:, None], (*solid.shape, 3))[solid]
    every = max(1, -(-len(middle) // MOST_SHAPES))
    vertices, triangles = _cylinder()
    scene.add_batched_meshes_simple(
        name, vertices, triangles, np.tile(UNTURNED, (len(middle[::every]), 1)), middle[::every],
        batched_scales=scale[::every], batched_colors=color[::every], opacity=0.16, cast_shadow=False,
        receive_shadow=False, side="double", lod="off",
    )  # fmt: skip


#: All overlays by what the panel calls them.
OVERLAYS: dict[str, Draw] = {
    "Search tree": search_tree,
    "Rough way": rough_way,
    "Joins": joins,
    "Tree outline": outlines,
    "Traced nodes": traced_nodes,
    "Coarse map": coarse_grid,
    "Closed cells": closed_grid,
    "Swept shapes": swept_shapes,
}
#: What each shows and what its colors mean.
LEGENDS: dict[str, str] = {
    "Search tree": "Every state that the search stored: **blue** costs little, **red** much. Look-ups store none.",
    "Rough way": "The way over the coarse map that trips by trees are led by; **purple** where something is crossed.",
    "Joins": (
        "Where the parts of a trip end, in turn: **red** paths of search trees, **gray** single steps; "
        "and the rough way."
    ),
    "Tree outline": (
        "**Blue**: how far the first precomputed tree reaches from its root; **red**: where its path ends; "
        "**pale**: the later trees."
    ),
    "Traced nodes": (
        "Each look-up of a goal. **Dark blue**: nodes at the goal that were tried; **orange**: clips traced in vain; "
        "**red**: where these meet something; **green**: the trip. The square is the goal's cell."
    ),
    "Coarse map": (
        "What a metre costs: **blue** free, **orange** narrow or steep, **purple** where something is crossed, "
        "nothing where no body fits."
    ),
    "Closed cells": "**Red**: where the body's root can never be, below what stands there and as a rim around it.",
    "Swept shapes": "The cylinders that planning takes for the body, in the colors of what is done.",
}


def _shades(share: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the colors (N, 3) of shares of the highest cost."""
    return color_bytes(cost_colors()(share)[:, :3])


def _cylinder() -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Return an upright cylinder of radius and height one around the origin."""
    turn = np.arange(RIM) * (2.0 * np.pi / RIM)
    ring = np.column_stack((np.cos(turn), np.sin(turn)))
    vertices = np.concatenate([np.column_stack((ring, np.full(RIM, level))) for level in (-0.5, 0.5)])
    here, following = np.arange(RIM), (np.arange(RIM) + 1) % RIM
    side = np.concatenate(
        (np.column_stack((here, following, here + RIM)), np.column_stack((following, following + RIM, here + RIM)))
    )
    top = np.column_stack((np.full(RIM - 2, RIM), RIM + here[1:-1], RIM + here[2:]))
    return vertices.astype(np.float32), np.concatenate((side, top)).astype(np.uint32)
