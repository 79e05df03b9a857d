"""Where two worlds differ, as boxes, and the cells that these meet."""

from __future__ import annotations

import math

from gambol.world.pieces import pieces_of
from gambol.world.world import Obstacle, World

Box = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y
Window = tuple[int, int, int, int]  # first row, first column, row after the last, column after the last


def only_obstacles_differ(old: World, new: World) -> bool:
    """Tell whether bounds, terrain and the number of obstacles are the same."""
    return old.bounds == new.bounds and old.terrain is new.terrain and len(old.obstacles) == len(new.obstacles)


def changed_obstacles(old: World, new: World) -> tuple[Obstacle, ...]:
    """Return all obstacles that are in only one of two worlds; a moved one counts twice."""
    before, after = {id(obstacle) for obstacle in old.obstacles}, {id(obstacle) for obstacle in new.obstacles}
    gone = (obstacle for obstacle in old.obstacles if id(obstacle) not in after)
    come = (obstacle for obstacle in new.obstacles if id(obstacle) not in before)
    return (*gone, *come)


def changed_boxes(old: World, new: World) -> list[Box]:
    """Return the boxes of all obstacles that are in only one of two worlds."""
    return [box_of(obstacle) for obstacle in changed_obstacles(old, new)]


def box_of(obstacle: Obstacle) -> Box:
    """Return the box around an obstacle in the world."""
    boxes = pieces_of((obstacle,)).boxes
    x0, y0 = boxes[:, :2].min(axis=0)
    x1, y1 = boxes[:, 2:].max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def grown(box: Box, by_m: float) -> Box:
    """Return a box widened on all sides."""
    return box[0] - by_m, box[1] - by_m, box[2] + by_m, box[3] + by_m


def window(box: Box, x0: float, y0: float, cell_m: float, shape: tuple[int, ...]) -> Window:
    """Return the cells of a grid (rows, columns) that a box meets, and one more on each side."""
    rows, columns = shape
    return (
        min(max(math.floor((box[1] - y0) / cell_m) - 1, 0), rows),
        min(max(math.floor((box[0] - x0) / cell_m) - 1, 0), columns),
        min(max(math.floor((box[3] - y0) / cell_m) + 2, 0), rows),
        min(max(math.floor((box[2] - x0) / cell_m) + 2, 0), columns),
    )
