"""Queues before doors: who came first goes first, and the others keep as far away as there is room for all before them.

A crowd that presses against a door wedges itself: those in front have no way to turn, those who come out none to leave
by.  So everyone who will go through a door takes a ticket when it comes near, and does not stop nearer to the door than
where those with earlier tickets have room enough.  As they go through, all step up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.arrays import NO_DOOR, Flock
from gambol.crowd.doors import REACH_M, Door
from gambol.crowd.floor import Floor
from gambol.crowd.kernels.queues import hold_tickets

DENSITY = 0.35  # so many wait on a square metre,
FRONT = 8  # but for the first, who may come as near as they like
KEEPING_FRAMES = 10  # after which queues are looked after again


class Doors(NamedTuple):
    """The doors of a floor, D of them."""

    place: NDArray[np.float64]  # (D, 2)
    out: NDArray[np.float64]  # (D, 2) direction to where one queues
    half_m: NDArray[np.float64]  # (D,) half the width
    reach_m: float  # who is nearer to a door that it will go through queues for it


class Usher:
    """Keeps the queues of a crowd."""

    def __init__(self, doors: tuple[Door, ...], floor: Floor) -> None:
        self._doors = Doors(
            np.array([door.place for door in doors]).reshape(-1, 2),
            np.array([door.out for door in doors]).reshape(-1, 2),
            np.array([door.half_m for door in doors]),
            REACH_M,
        )
        self._distance_m = [distances_by_rank(door, floor) for door in doors]
        self._tickets = 0  # handed out

    def keep(self, flock: Flock, count: int, frame: int) -> None:
        """Hand out tickets and tell everyone how far to keep away, now and then."""
        if frame % KEEPING_FRAMES != 1:
            return
        wants = np.empty(count, np.int32)
        hold_tickets(flock, count, self._doors, wants)
        come = np.flatnonzero((wants != NO_DOOR) & (flock.door[:count] == NO_DOOR))
        away_m = np.linalg.norm(flock.pose[come, 0, :2] - self._doors.place[wants[come] - 1], axis=1)
        come = come[np.argsort(away_m, kind="stable")]
        flock.ticket[come], flock.door[come] = self._tickets + np.arange(len(come)), wants[come]
        self._tickets += len(come)
        flock.keeps_m[:count] = 0.0
        for number, distance_m in enumerate(self._distance_m):
            queue = np.flatnonzero(wants == number + 1)
            queue = queue[np.argsort(flock.ticket[queue])]
            flock.keeps_m[queue] = distance_m[np.minimum(np.arange(len(queue)), len(distance_m) - 1)]
            flock.keeps_from[queue] = self._doors.place[number]


def distances_by_rank(door: Door, floor: Floor) -> NDArray[np.float64]:
    """Return how far from a door those (K,) keep who have 0, 1, 2 and more others before them."""
    open_m = np.sort(np.hypot(*door.around(floor))[door.surroundings(floor) & (floor.way < 0)])
    if not len(open_m):
        return np.zeros(1)
    have_room = np.arange(len(open_m)) * floor.cell_m**2 * DENSITY  # how many, nearer than each cell
    ranks = np.arange(FRONT + int(have_room[-1]) + 1)
    return np.where(ranks < FRONT, 0.0, np.interp(ranks - FRONT, have_room, open_m))
