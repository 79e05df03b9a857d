"""A world for the judge of crowds: exact prisms, and a grid to find standing ones close by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.judges.kernels.crowd_collisions import Walls, fill_cells
from gambol.judges.kernels.distance import Prisms
from gambol.judges.tables import tabulate_things
from gambol.world.world import World

CELL_M = 1.0  # m, > 0: size of the grid's cells; larger takes less memory and checks more pieces
MOST_CELLS = 4_000_000  # cells, > 0: about the most in the grid, and the most that all pieces cover


class Setting(NamedTuple):
    """A world and the planning frames in which it holds."""

    frame_from: int
    frame_to: int
    names: tuple[str, ...]  # names of the things: obstacles, then movers
    bounds: NDArray[np.float64]  # (4,)
    prisms: Prisms
    walls: Walls


def tabulate_setting(world: World, frame_from: int, frame_to: int, rate_hz: float) -> Setting:
    """Flatten the things of a world from one planning frame to another."""
    if world.terrain is not None:
        raise InvalidInput("crowds are judged on level ground; this world has terrain")
    prisms = tabulate_things(world, frame_from / rate_hz, frame_to / rate_hz)
    names = tuple(thing.name for thing in (*world.obstacles, *world.movers))
    return Setting(frame_from, frame_to, names, np.array(world.bounds), prisms, _walls(prisms, len(world.obstacles)))


def _walls(prisms: Prisms, obstacles: int) -> Walls:
    things = len(prisms.reach)
    piece_thing = np.repeat(np.arange(things), np.diff(prisms.thing_piece))
    pose = prisms.pose_from[prisms.thing_span[piece_thing]]
    piece_pose = np.column_stack((pose[:, :2], np.cos(pose[:, 2]), np.sin(pose[:, 2])))
    still = piece_thing < obstacles
    boxes = _boxes(prisms, piece_pose)
    standing = boxes[still] if still.any() else np.zeros((1, 4))
    low, high = standing[:, :2].min(axis=0), standing[:, 2:].max(axis=0)
    reached = float(np.prod(standing[:, 2:] - standing[:, :2] + 2.0 * CELL_M, axis=1).sum())
    area = max(reached, float(np.prod(high - low + 2.0 * CELL_M)))
    cell = CELL_M * max(1.0, float(np.sqrt(area / (MOST_CELLS * CELL_M**2))))
    columns, rows = (int(count) for count in (high - low) // cell + 1)
    first, members = fill_cells(prisms, still, piece_pose, boxes, float(low[0]), float(low[1]), cell, columns, rows)
    return Walls(
        origin_x=float(low[0]),
        origin_y=float(low[1]),
        cell_m=cell,
        columns=columns,
        rows=rows,
        cell_first=first,
        cell_piece=members,
        piece_thing=piece_thing,
        piece_pose=piece_pose,
        moving=np.arange(obstacles, things),
    )


def _boxes(prisms: Prisms, piece_pose: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the box (P, 4: least x, y, greatest x, y) of each piece at its thing's first place."""
    piece = np.repeat(np.arange(len(prisms.rounding)), np.diff(prisms.piece_corner))
    if not len(piece):
        return np.empty((0, 4))
    x, y, cosine, sine = piece_pose[piece].T
    corners = np.column_stack(
        (
            x + cosine * prisms.corner_x - sine * prisms.corner_y,
            y + sine * prisms.corner_x + cosine * prisms.corner_y,
        )
    )
    low = np.minimum.reduceat(corners, prisms.piece_corner[:-1]) - prisms.rounding[:, None]
    high = np.maximum.reduceat(corners, prisms.piece_corner[:-1]) + prisms.rounding[:, None]
    return np.column_stack((low, high))
