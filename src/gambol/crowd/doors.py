"""Doors: mouths of narrow passages with room before them, where people queue."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.floor import Floor
from gambol.crowd.passages import Passage
from gambol.geometry.arrays import FloatArray

DOOR_M = 6.0  # wider mouths are none
REACH_M = 16.0  # before a door is so much of its surroundings
SPACIOUS = 0.5  # share of half a disc that must be open before a door
STANDING_ROOM_M = 0.3
WALL_CELLS = 0.71  # with less room a cell may hold a wall, however thin
AHEAD_M = 0.5  # of the mouth is where one looks around from,
RAYS = 181  # in so many directions


@dataclass(frozen=True, eq=False)
class Door:
    """One mouth of a passage, seen from outside."""

    passage: int
    end: bool  # of the passage, or its beginning
    place: FloatArray  # (2,) in the middle of the mouth
    out: FloatArray  # (2,) direction out of the passage, of unit length
    half_m: float  # half the passage's least width

    def around(self, floor: Floor) -> tuple[FloatArray, FloatArray]:
        """Return how far each cell (rows, columns) of a floor is out of the door, and how far to the left of that."""
        rows, columns = floor.room.shape
        x = floor.x0 + (np.arange(columns) + 0.5) * floor.cell_m - self.place[0]
        y = floor.y0 + (np.arange(rows) + 0.5) * floor.cell_m - self.place[1]
        out_m = x[None, :] * self.out[0] + y[:, None] * self.out[1]
        return out_m, y[:, None] * self.out[0] - x[None, :] * self.out[1]

    def surroundings(self, floor: Floor) -> NDArray[np.bool_]:
        """Return which cells are before the door, near it, open and in sight."""
        angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, RAYS)
        far_m = np.arange(0.0, REACH_M, 0.5 * floor.cell_m)
        along, aside = np.cos(angles)[:, None] * far_m + AHEAD_M, np.sin(angles)[:, None] * far_m
        x = self.place[0] + along * self.out[0] - aside * self.out[1]
        y = self.place[1] + along * self.out[1] + aside * self.out[0]
        rows, columns = floor.room.shape
        row, column = np.floor((y - floor.y0) / floor.cell_m), np.floor((x - floor.x0) / floor.cell_m)
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        row, column = row.clip(0, rows - 1).astype(int), column.clip(0, columns - 1).astype(int)
        hidden = ~inside | (floor.room[row, column] < WALL_CELLS * floor.cell_m)
        sight_m = np.where(hidden.any(axis=1), far_m[np.argmax(hidden, axis=1)], REACH_M)
        out_m, left_m = self.around(floor)
        out_m -= AHEAD_M
        ray = np.rint((np.arctan2(left_m, out_m) / np.pi + 0.5) * (RAYS - 1)).clip(0, RAYS - 1).astype(int)
        return (out_m > 0.0) & (np.hypot(out_m, left_m) < sight_m[ray]) & (floor.room > STANDING_ROOM_M)


def find_doors(floor: Floor, passages: list[Passage], meeting: set[tuple[int, bool]]) -> list[Door]:
    """Return the mouths of narrow passages that open into wide places.

    meeting: the mouths (passage, end) that open into a junction.
    """
    doors = []
    least = SPACIOUS * 0.5 * np.pi * (REACH_M / floor.cell_m) ** 2
    for passage, end in product(passages, (False, True)):
        if passage.width_m > DOOR_M or (passage.number, end) in meeting:
            continue
        place, out = passage.mouth(end=end)
        door = Door(passage.number, end, np.asarray(place), np.asarray(out), 0.5 * passage.width_m)
        if np.count_nonzero(door.surroundings(floor)) >= least:
            doors.append(door)
    return doors
