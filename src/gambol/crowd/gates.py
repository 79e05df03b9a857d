"""Gates: narrow passages that are open to one direction at a time.

A gate stays open to a direction while people come, but not for long when others wait at its other side; then it closes
to all until nobody is or will be in its throat, and opens to the other direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.arrays import ON_THE_WAY, Flock, closed_gates
from gambol.crowd.floor import Floor
from gambol.crowd.lanes import Gate

LEAST_FRAMES = 50  # for which a gate stays open, though nobody comes and others wait
MOST_FRAMES = 900  # when others wait
WAITING_M = 9.0  # who is so near to a gate and has to go through is waiting for it
SIDES = (1, -1)


class _Throat(NamedTuple):
    middle: NDArray[np.float64]  # (2,)
    direction: NDArray[np.float64]  # (2,)
    box: NDArray[np.float64]  # (4,) around its cells


class GateKeeper:
    """Opens and closes the gates of a crowd."""

    def __init__(self, gates: Sequence[Gate], floor: Floor) -> None:
        self._throats = [_throat(gate, floor) for gate in gates]
        self.table = closed_gates(len(gates))
        self._since = np.zeros(len(gates), np.int64)  # frame at which it opened or began to close
        self._last = np.ones(len(gates), np.int8)  # direction to which it was open last
        for number, throat in enumerate(self._throats):
            self.table.middle[number], self.table.direction[number] = throat.middle, throat.direction

    def keep(self, flock: Flock, count: int, frame: int) -> None:
        """Open and close what should be, by who waits where at a frame."""
        for number, throat in enumerate(self._throats):
            state = int(self.table.open[number])
            waiting = {side: _waiting(flock, count, throat, side) for side in SIDES}
            if state != 0:
                open_for = frame - self._since[number]
                longest = MOST_FRAMES if waiting[state] else LEAST_FRAMES
                if waiting[-state] and open_for >= longest:
                    self._last[number] = state
                    self._set(number, 0, frame)
            elif not _is_used(flock, count, throat):
                other = -int(self._last[number])
                if waiting[other] or waiting[-other]:
                    self._set(number, other if waiting[other] else -other, frame)

    def _set(self, number: int, state: int, frame: int) -> None:
        self.table.open[number] = state
        self._since[number] = frame


def _throat(gate: Gate, floor: Floor) -> _Throat:
    rows, columns = gate.cells.T
    low = np.array([floor.x0 + columns.min() * floor.cell_m, floor.y0 + rows.min() * floor.cell_m])
    high = np.array([floor.x0 + (columns.max() + 1) * floor.cell_m, floor.y0 + (rows.max() + 1) * floor.cell_m])
    return _Throat(np.array(gate.middle), np.array(gate.direction), np.concatenate((low, high)))


def _waiting(flock: Flock, count: int, throat: _Throat, side: int) -> int:
    """Return how many want to go through a throat in a direction and are near it."""
    here = flock.taken[:count] & (flock.condition[:count] == ON_THE_WAY) & (flock.way_count[:count] > 0)
    who = np.flatnonzero(here)
    away = flock.end[who, :2] - throat.middle
    near = (np.hypot(*away.T) < WAITING_M) & (side * (away @ throat.direction) < 0.0)
    who = who[near]
    # Some way-point ahead lies at the other side: the way from the nearest before it goes through.
    at = flock.way_at[who]
    points = flock.way[who][:, :, :2]
    beyond = side * ((points - throat.middle) @ throat.direction) > 0.0
    numbers = np.arange(points.shape[1])
    ahead = (numbers >= at[:, None]) & (numbers < flock.way_count[who][:, None])
    close = np.hypot(*np.moveaxis(points - throat.middle, -1, 0)) < WAITING_M
    return int((beyond & ahead & close).any(axis=1).sum())


def _is_used(flock: Flock, count: int, throat: _Throat) -> bool:
    """Tell whether anybody is in a throat or holds a trajectory that may come through it."""
    x0, y0, x1, y1 = throat.box
    box = flock.box[:count]
    meets = flock.taken[:count] & (box[:, 0] < x1) & (box[:, 2] > x0) & (box[:, 1] < y1) & (box[:, 3] > y0)
    who = np.flatnonzero(meets)
    if not len(who):
        return False
    # A box is large: look at where it is now and where it stands at last.
    first, last = flock.pose[who, 0, :2] - throat.middle, flock.end[who, :2] - throat.middle
    before, after = first @ throat.direction, last @ throat.direction
    aside = np.array([-throat.direction[1], throat.direction[0]])
    half = 0.5 * np.array([x1 - x0, y1 - y0]) @ np.abs(throat.direction)
    wide = 0.5 * np.array([x1 - x0, y1 - y0]) @ np.abs(aside)
    within = (np.abs(before) < half) & (np.abs(first @ aside) < wide)
    within |= (np.abs(after) < half) & (np.abs(last @ aside) < wide)
    return bool((within | (np.sign(before) != np.sign(after))).any())
