"""What planning looked at, drawn on the ground: search tree, rough way, grid, swept shapes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.character.action_table import action_table
from gambol.character.step import clip_of
from gambol.pictures.map_tree import cost_colors
from gambol.plan.coarse import coarse_map
from gambol.plan.plan import Plan
from gambol.plan.problem import Problem
from gambol.plan.way import closed_cells
from gambol.view.stage import bytes_of
from gambol.world.terrain import Terrain

FloatArray = NDArray[np.float64]
MOST_NODES = 60_000
MOST_EDGES = 4_000
NODE_M = 0.05
ROUGH = (0.55, 0.45, 0.10)
CLOSED = (200, 120, 110, 90)
SHAPE = (0.35, 0.55, 0.80)
SHAPE_FRAMES = 6  # between the instants of clips whose shapes are drawn
MOST_SHAPES = 4_000
RIM = 12  # corners of a cylinder's circle
PAINT_M = 0.015

Draw = Callable[[viser.SceneApi, str, Problem, Plan], None]


def search_tree(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw all nodes that the search stored, colored by their cost, and edges where they are few [LK05 figure 4]."""
    trace = plan.trace
    if trace is None or len(trace.poses) < 2:
        return
    places = _on_ground(trace.poses[:, :2], problem.world.terrain)
    share = trace.costs / max(float(trace.costs.max()), 1e-9)
    colors = np.rint(255.0 * cost_colors()(share)[:, :3]).astype(np.uint8)
    step = max(1, -(-len(places) // MOST_NODES))
    scene.add_point_cloud(
        f"{name}/nodes", places[::step].astype(np.float32), colors[::step], point_size=NODE_M, point_shape="circle"
    )
    children = np.flatnonzero(trace.parents >= 0)
    if len(children) <= MOST_EDGES:
        ends = np.stack((places[trace.parents[children]], places[children]), axis=1)
        shades = np.repeat(colors[children][:, None], 2, axis=1)
        scene.add_line_segments(
            f"{name}/edges", ends.astype(np.float32), shades, thickness=1.0, thickness_units="screen"
        )


def rough_way(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw the way over the coarse map that sub-goals are taken from."""
    route = coarse_map(problem.world, problem.character).route(problem.start[:2], (problem.goal.x, problem.goal.y))
    if route is None:
        return
    points = _on_ground(np.asarray(route.points)[:, :2], problem.world.terrain)
    ends = np.stack((points[:-1], points[1:]), axis=1)
    scene.add_line_segments(
        f"{name}/line", ends.astype(np.float32), bytes_of(ROUGH), thickness=3.0, thickness_units="screen"
    )


def closed_grid(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw the cells where the character's root can never be."""
    cells = closed_cells(problem.world, problem.character)
    rows, columns = cells.closed.shape
    image = np.zeros((rows, columns, 4), dtype=np.uint8)
    image[cells.closed] = CLOSED
    width, depth = columns * cells.cell_m, rows * cells.cell_m
    scene.add_image(
        name, image, width, depth, format="png", cast_shadow=False, receive_shadow=False, wxyz=(0.0, 1.0, 0.0, 0.0),
        position=(cells.x0 + 0.5 * width, cells.y0 + 0.5 * depth, PAINT_M),
    )  # fmt: skip


def swept_shapes(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw the cylinders that planning takes for the body, every few frames along the way."""
    actions = action_table(problem.character)
    poses, samples = [], []
    for step in plan.steps:
        clip = clip_of(problem.character, step)
        first = int(actions.clip_samples[_number(problem, step.behavior, step.clip)])
        placed = clip.place(np.array(step.pose))
        chosen = np.arange(0, clip.duration + 1, SHAPE_FRAMES)
        poses.append(placed[chosen])
        samples.append(first + chosen)
    if not poses:
        return
    pose, sample = np.concatenate(poses), np.concatenate(samples)
    radius, low, high = (values[sample] for values in (actions.part_radius, actions.part_low, actions.part_high))
    offset = actions.part_offset[sample]
    cosine, sine = np.cos(pose[:, 2:]), np.sin(pose[:, 2:])
    x = pose[:, :1] + cosine * offset[..., 0] - sine * offset[..., 1]
    y = pose[:, 1:2] + sine * offset[..., 0] + cosine * offset[..., 1]
    solid = (high > low) & (radius > 0.0)
    middle = np.stack((x[solid], y[solid], 0.5 * (low + high)[solid]), axis=1)
    scale = np.stack((radius[solid], radius[solid], (high - low)[solid]), axis=1)
    every = max(1, -(-len(middle) // MOST_SHAPES))
    middle, scale = middle[::every], scale[::every]
    middle[:, 2] += _on_ground(middle[:, :2], problem.world.terrain)[:, 2] - PAINT_M
    vertices, triangles = _cylinder()
    scene.add_batched_meshes_simple(
        name, vertices, triangles, np.tile([1.0, 0.0, 0.0, 0.0], (len(middle), 1)), middle, batched_scales=scale,
        batched_colors=bytes_of(SHAPE), opacity=0.12, cast_shadow=False, receive_shadow=False, side="double", lod="off",
    )  # fmt: skip


#: What may be switched on, by its name.
OVERLAYS: dict[str, Draw] = {
    "Search tree": search_tree,
    "Rough way": rough_way,
    "Closed cells": closed_grid,
    "Swept shapes": swept_shapes,
}


def _number(problem: Problem, behavior: int, clip: int) -> int:
    """Return the number of a behavior's clip among all."""
    return sum(len(one.clips) for one in problem.character.behaviors[:behavior]) + clip


def _on_ground(places: FloatArray, terrain: Terrain | None) -> FloatArray:
    heights = np.zeros(len(places)) if terrain is None else terrain.height(places)
    return np.column_stack((places, heights + PAINT_M))


def _cylinder() -> tuple[NDArray[np.float32], NDArray[np.uint32]]:
    """Return an upright cylinder of radius and height one around the origin."""
    turn = np.arange(RIM) * (2.0 * np.pi / RIM)
    ring = np.column_stack((np.cos(turn), np.sin(turn)))
    vertices = np.concatenate([np.column_stack((ring, np.full(RIM, level))) for level in (-0.5, 0.5)])
    here, following = np.arange(RIM), (np.arange(RIM) + 1) % RIM
    side = np.concatenate((
        np.column_stack((here, following, here + RIM)), np.column_stack((following, following + RIM, here + RIM))
    ))  # fmt: skip
    top = np.column_stack((np.full(RIM - 2, RIM), RIM + here[1:-1], RIM + here[2:]))
    return vertices.astype(np.float32), np.concatenate((side, top)).astype(np.uint32)
