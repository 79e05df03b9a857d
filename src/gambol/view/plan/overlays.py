"""What planning looked at, drawn on the ground: all that may be switched on, and what its colors mean."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.pictures.map_tree import cost_colors
from gambol.search.coarse import coarse_map
from gambol.search.plan import Plan
from gambol.search.problem import Problem
from gambol.search.way import closed_cells
from gambol.view.plan.paint import draw_dots, draw_lines, joined, on_ground
from gambol.view.plan.swept import swept_shapes
from gambol.view.plan.tree_overlays import CROSSING, outlines, rough_way, sub_goals, traced_nodes

MOST_NODES = 60_000
MOST_EDGES = 4_000
NODE_M = 0.13
CLOSED = (208, 52, 44, 210)
MOST_SQUARES = 150_000  # of which closed ones are drawn
OPEN = (0.45, 0.56, 0.68)
PLACE_M = 0.25

Draw = Callable[[viser.SceneApi, str, Problem, Plan], None]


def search_tree(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw all nodes that the search stored, colored by their cost, and edges where they are few [LK05 figure 4]."""
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
    """Draw the cells where the character's root can never be, several as one where there are many."""
    cells, terrain = closed_cells(problem.world, problem.character), problem.world.terrain
    every = max(1, math.ceil(math.sqrt(cells.closed.size / MOST_SQUARES)))
    rows, columns = (-(-count // every) * every for count in cells.closed.shape)
    padded = np.zeros((rows, columns), dtype=bool)
    padded[: cells.closed.shape[0], : cells.closed.shape[1]] = cells.closed
    closed = np.asarray(padded.reshape(rows // every, every, columns // every, every).any(axis=(1, 3)))
    square_m = every * cells.cell_m
    if terrain is None:
        image = np.zeros((*closed.shape, 4), dtype=np.uint8)
        image[closed[::-1]] = CLOSED  # turned to face up, its first row is the last in y
        width, depth = columns * cells.cell_m, rows * cells.cell_m
        middle = on_ground(np.array([cells.x0 + 0.5 * width, cells.y0 + 0.5 * depth]), None, -0.005)
        scene.add_image(
            f"{name}/cells", image, width, depth, format="png", cast_shadow=False, receive_shadow=False,
            wxyz=(0.0, 1.0, 0.0, 0.0), position=tuple(middle),
        )  # fmt: skip
        return
    corner = np.array([cells.x0, cells.y0])
    places = corner + square_m * (np.argwhere(closed)[:, ::-1].astype(np.float64) + 0.5)
    colors = np.tile(np.array(CLOSED[:3], dtype=np.uint8), (len(places), 1))
    draw_dots(scene, f"{name}/cells", on_ground(places, terrain, -0.5 * square_m), colors, square_m)


def coarse_grid(scene: viser.SceneApi, name: str, problem: Problem, plan: Plan) -> None:
    """Draw the places of the coarse map that rough ways lead over."""
    coarse = coarse_map(problem.world, problem.character)
    colors = np.where((coarse.crossing >= 0)[:, None], CROSSING, OPEN)
    points = on_ground(coarse.point, problem.world.terrain)
    draw_dots(scene, f"{name}/places", points, np.rint(255.0 * colors).astype(np.uint8), PLACE_M)


#: What may be switched on, by its name.
OVERLAYS: dict[str, Draw] = {
    "Search tree": search_tree,
    "Rough way": rough_way,
    "Sub-goals": sub_goals,
    "Tree outline": outlines,
    "Traced nodes": traced_nodes,
    "Coarse map": coarse_grid,
    "Closed cells": closed_grid,
    "Swept shapes": swept_shapes,
}
#: What each shows and what its colors mean.
LEGENDS: dict[str, str] = {
    "Search tree": "Every state that the search stored: **blue** costs little, **red** much. Look-ups store none.",
    "Rough way": (
        "The way over squares of 70 cm that sub-goals are taken from: **purple** where something is crossed, "
        "**black** just before that and before the goal."
    ),
    "Sub-goals": (
        "What search trees are asked for, in turn: **red** discs, as wide as they may be missed by, and the rough way."
    ),
    "Tree outline": (
        "**Blue**: how far the precomputed tree reaches where it is asked first; **red**: the sub-goal asked for; "
        "**pale**: where it is asked later."
    ),
    "Traced nodes": (
        "Each look-up, from its goal back. **Dark blue**: nodes at the goal that were tried; **orange**: clips traced "
        "in vain; **red**: where these meet something; **green**: the path chosen. The square is the goal's cell."
    ),
    "Coarse map": "The places that rough ways lead over; **purple** where something has to be crossed.",
    "Closed cells": "**Red**: where the body's root can never be, below what stands there and as a rim around it.",
    "Swept shapes": "The cylinders that planning takes for the body, in the colors of what is done.",
}


def _shades(share: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return the colors (N, 3) of shares of the highest cost."""
    return np.rint(255.0 * cost_colors()(share)[:, :3]).astype(np.uint8)
