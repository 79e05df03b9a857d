"""Doors: mouths of narrow passages with room before them, where people queue."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.floor import Floor
from gambol.crowd.passages import Passage

FloatArray = NDArray[np.float64]
DOOR_M = 6.0  # wider mouths are none
REACH_M = 16.0  # before a door is so much of its surroundings
SPACIOUS = 0.5  # share of half a disc that must be open before a door
STANDING_ROOM_M = 0.3


@dataclass(frozen=True, eq=False)
class Door:
    """One mouth of a passage, seen from outside."""

    passage: int
    end: bool  # of the passage, or its beginning
    place: FloatArray  # (2,) in the middle of the mouth
    out: FloatArray  # (2,) direction out of the passage, of unit length
    half_m: float  # half the passage's least width

    def around(self, floor: Floor) -> tuple[FloatArray, FloatArray]:
        """Return how far each cell (rows, columns) of a floor is out of the door, and how far from it."""
        rows, columns = floor.room.shape
        x = floor.x0 + (np.arange(columns) + 0.5) * floor.cell_m - self.place[0]
        y = floor.y0 + (np.arange(rows) + 0.5) * floor.cell_m - self.place[1]
        return x[None, :] * self.out[0] + y[:, None] * self.out[1], np.hypot(x[None, :], y[:, None])

    def surroundings(self, floor: Floor) -> NDArray[np.bool_]:
        """Return which cells are before the door, near it and open."""
        out_m, away_m = self.around(floor)
        return (out_m > 0.0) & (away_m < REACH_M) & (floor.room > STANDING_ROOM_M)


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
