"""Worlds of boxes and trips through them, as numbers: for workers in any state of the sources."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely
from shapely import affinity

from gambol.world import World

SIDE_M = 40.0
ROOM_M = 0.6  # around starts and goals
WALL = (0.0, 3.0)

Told = dict[str, Any]  # a world: bounds, boxes (length, width, x, y, heading, bottom, top), movers
Trip = dict[str, Any]  # start: x, y, heading; goal: x, y


def crowded(share: float, seed: int, *, side_m: float = SIDE_M) -> Told:
    """Return a square with boxes at any angle, 0.5 to 3 m a side, that cover a share of it."""
    rng = np.random.default_rng((40, seed, round(100 * share)))
    boxes: list[tuple[float, ...]] = []
    covered = shapely.Polygon()
    while covered.area < share * side_m**2:
        fresh = [_box(rng, side_m) for _ in range(max(1, round(side_m**2 * share / 40.0)))]
        for box in fresh:
            covered = covered.union(outline(box))
            boxes.append(box)
            if covered.area >= share * side_m**2:
                break
    return {"bounds": (0.0, 0.0, side_m, side_m), "boxes": boxes}


def many_boxes(count: int, side_m: float, seed: int) -> Told:
    """Return a square with so many boxes."""
    rng = np.random.default_rng((41, seed, count))
    return {"bounds": (0.0, 0.0, side_m, side_m), "boxes": [_box(rng, side_m) for _ in range(count)]}


def with_movers(world: Told, count: int, seed: int) -> Told:
    """Return the same world with things in it that go to and fro for ever."""
    rng, side_m = np.random.default_rng((42, seed, count)), world["bounds"][2]
    movers = []
    for _ in range(count):
        x, y = rng.uniform(0.0, side_m, 2)
        angle, far = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(2.0, 8.0)
        ends = x, y, x + far * math.cos(angle), y + far * math.sin(angle)
        movers.append([*map(float, ends), float(rng.uniform(2.0, 8.0))])
    return {**world, "movers": movers}


def told(world: World) -> Told:
    """Return a world of boxes as numbers."""
    boxes = []
    for one in world.obstacles:
        half_length, half_width = np.concatenate([piece.corners for piece in one.footprint.pieces]).max(axis=0)
        boxes.append((2.0 * float(half_length), 2.0 * float(half_width), *one.pose, one.bottom_m, one.top_m))
    return {"bounds": world.bounds, "boxes": boxes}


def outline(box: tuple[float, ...]) -> shapely.Geometry:
    length, width, x, y, heading, _, _ = box
    at_origin = shapely.box(-length / 2, -width / 2, length / 2, width / 2)
    return affinity.translate(affinity.rotate(at_origin, heading, origin=(0.0, 0.0), use_radians=True), x, y)


def _box(rng: np.random.Generator, side_m: float) -> tuple[float, ...]:
    length, width = rng.uniform(0.5, 3.0, 2)
    x, y, heading = *rng.uniform(0.0, side_m, 2), rng.uniform(0.0, math.pi)
    return (*map(float, (length, width, x, y, heading)), *WALL)


def trips(world: Told, count: int, seed: int, *, far_m: tuple[float, float] = (15.0, 40.0)) -> list[Trip]:
    """Return starts and goals with some room, so far from each other; whether a way leads there is open."""
    rng, tree = np.random.default_rng((43, seed)), shapely.STRtree([outline(box) for box in world["boxes"]])
    least_x, least_y, greatest_x, greatest_y = world["bounds"]
    found: list[Trip] = []
    while len(found) < count:
        x, y, goal_x, goal_y = rng.uniform((least_x, least_y) * 2, (greatest_x, greatest_y) * 2)
        if not far_m[0] <= math.hypot(goal_x - x, goal_y - y) <= far_m[1]:
            continue
        if all(_has_room(tree, world, *place) for place in ((x, y), (goal_x, goal_y))):
            start = [float(x), float(y), float(rng.uniform(-math.pi, math.pi))]
            found.append({"start": start, "goal": [float(goal_x), float(goal_y)]})
    return found


def _has_room(tree: shapely.STRtree, world: Told, x: float, y: float) -> bool:
    least_x, least_y, greatest_x, greatest_y = world["bounds"]
    inside = min(x - least_x, greatest_x - x, y - least_y, greatest_y - y)
    return inside >= ROOM_M and not len(tree.query(shapely.Point(x, y), predicate="dwithin", distance=ROOM_M))


def look_ups(world: Told, count: int, seed: int, *, reach_m: float) -> tuple[list[list[float]], list[list[float]]]:
    """Return starts x, y, heading and goals x, y with some room, the goals ahead and within reach."""
    rng, tree = np.random.default_rng((44, seed)), shapely.STRtree([outline(box) for box in world["boxes"]])
    side_m, starts, goals = world["bounds"][2], [], []
    while len(starts) < count:
        x, y, heading = *rng.uniform(0.0, side_m, 2), rng.uniform(-math.pi, math.pi)
        away, turn = reach_m * math.sqrt(rng.uniform()), heading + rng.uniform(-0.5, 0.5) * math.pi
        goal = x + away * math.cos(turn), y + away * math.sin(turn)
        if _has_room(tree, world, x, y) and _has_room(tree, world, *goal):
            starts.append([float(x), float(y), float(heading)])
            goals.append([float(goal[0]), float(goal[1])])
    return starts, goals
