"""A plan by look-up in the round: the rough way, where paths join, the way found, poses along it [LK06 figure 14]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evidence.reproductions.item import Picture
from gambol.body import Body, build_skin
from gambol.motion import Motion
from gambol.pictures import INK, PALE_INK, Color, Mesh, PictureStage, Text, capsule, draw_texts
from gambol.pictures.figure import CLAY, figure
from gambol.pictures.render import render
from gambol.search import Plan, Problem
from gambol.trees.trip_ways import rough_ways

WIDTH_PX, ASPECT, TEXT_PX = 1560, 1.9, 17
ROUGH: Color = (0.66, 0.66, 0.68)
CROSSED: Color = (0.22, 0.22, 0.24)
JOIN: Color = (0.80, 0.12, 0.14)
NODE: Color = (0.05, 0.35, 0.78)
START: Color = (0.0, 0.50, 0.36)
POINT_M, NODE_M, JOIN_M, END_M = 0.0022, 0.0030, 0.0042, 0.0060  # radii, by how far one sees
MOST_SEEN_M = 85.0  # in larger worlds spheres grow no further
SIDES = 10


@dataclass(frozen=True, eq=False)
class Solution:
    """A plan that knows what it was looked up by, and the motion made from it."""

    problem: Problem
    plan: Plan
    motion: Motion
    every_s: float  # from one pose that is drawn to the next
    words: str
    enlarged: float = 1.0  # times that bodies are drawn as large as they are

    @property
    def joins(self) -> NDArray[np.float64]:
        """Where paths of trees end (N, 2)."""
        parts = () if self.plan.journey is None else self.plan.journey.parts
        return np.array([part.end[:2] for part in parts if part.look_up is not None]).reshape(-1, 2)


def draw_solution(solution: Solution) -> Picture:
    """Return the world seen from above at a slant, with spheres and poses, and a line of words below."""
    stage = PictureStage.of(solution.problem.world)
    camera = stage.overview(ASPECT)
    x0, y0, x1, y1 = solution.problem.world.bounds
    seen_m = min(MOST_SEEN_M, max(x1 - x0, ASPECT * (y1 - y0)))
    meshes = [*stage.things, *_spheres(solution, seen_m), *_figures(solution)]
    size = (WIDTH_PX, round(WIDTH_PX / ASPECT))
    picture = render(meshes, camera, size, polylines=stage.lines, studio=stage.studio.lit_for(camera))
    below = np.full((round(1.9 * TEXT_PX), WIDTH_PX, 3), 255, dtype=np.uint8)
    key = "gray: rough way, dark where something is crossed; red: joins of paths; blue: ends of clips"
    texts = [
        Text(solution.words, 4, 1.3 * TEXT_PX, TEXT_PX, INK),
        Text(key, WIDTH_PX - 4, 1.3 * TEXT_PX, TEXT_PX, PALE_INK, "rs"),
    ]
    return np.concatenate((picture, draw_texts(below, texts)))


def _spheres(solution: Solution, seen_m: float) -> list[Mesh]:
    problem = solution.problem
    nodes = np.array([step.pose[:2] for step in solution.plan.steps[1:]]).reshape(-1, 2)
    found = [*_balls(nodes, NODE_M * seen_m, NODE), *_balls(solution.joins, JOIN_M * seen_m, JOIN)]
    found += _balls([problem.start[:2]], END_M * seen_m, START)
    found += _balls([(problem.goal.x, problem.goal.y)], END_M * seen_m, JOIN)
    for way in rough_ways(problem):
        found += _balls(way.points[~way.is_crossing], POINT_M * seen_m, ROUGH)
        found += _balls(way.points[way.is_crossing], POINT_M * seen_m, CROSSED)
    return found


def _balls(places: ArrayLike | Sequence[tuple[float, float]], radius_m: float, color: Color) -> list[Mesh]:
    """Return a ball on the ground at each place (N, 2)."""
    centers = [(float(x), float(y), radius_m) for x, y in np.reshape(places, (-1, 2))]
    return [capsule(center, center, radius_m, radius_m, color, sides=SIDES) for center in centers]


def _figures(solution: Solution) -> list[Mesh]:
    """Return the body at every so many seconds, and at the end."""
    motion = solution.motion
    skin = build_skin(Body.from_skeleton(motion.skeleton))
    step = max(1, round(solution.every_s * motion.rate_hz))
    frames = sorted({*range(0, motion.frame_count, step), motion.frame_count - 1})
    feet = motion.world_positions[frames, 0] * (1.0, 1.0, 0.0)
    placed = zip(skin.deform(motion, frames), feet, strict=True)
    return [figure(skin, foot + solution.enlarged * (vertices - foot), CLAY) for vertices, foot in placed]
