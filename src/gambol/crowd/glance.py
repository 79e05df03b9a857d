"""What one sees of a running crowd: who does what, where everybody wants to go, and by which way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.characters.action_table import action_table
from gambol.crowd.arrays import ARRIVED, LOST, NO_DOOR
from gambol.crowd.kernels.sight import room_at
from gambol.geometry.arrays import FloatArray

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd

GOING = ("on the way", "waits for its group")
# The arrays of a crowd are nobody else's business; this is the window that others look through.


class Glance(NamedTuple):
    """One of a crowd, at its present frame."""

    who: int
    name: str
    kind: str
    behavior: str
    goal: tuple[float, float]
    left_m: float | None  # of its way; None: it has arrived, or has none
    condition: str  # "on the way", "arrived", "no way" or "waits for its group"
    stands_s: float  # for how long it has stood about here
    before: int | None  # how many have a ticket for the same door and an earlier one; None: it has none


def glance_at(crowd: Crowd, who: int) -> Glance:
    """Return what someone does; who is not there is an error."""
    place = crowd._place_of(who)
    flock, kind = crowd._flock, crowd.kinds[crowd._kind_of[who]]
    clip = int(flock.clip[place, 0] - crowd._tables.clips.first_clip[flock.kind[place]])
    behavior = kind.behaviors[int(action_table(kind).clip_behavior[clip])].name
    condition = "waits for its group" if flock.holds[place] else "on the way"
    if flock.condition[place] == ARRIVED:
        condition = "arrived"
    elif flock.condition[place] == LOST:
        condition = "no way"
    way = way_of(crowd, who)
    left_m = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum()) if condition in GOING else None
    goal = flock.goal[place]
    return Glance(
        who, crowd.names[who], kind.name, behavior, (float(goal[0]), float(goal[1])), left_m, condition,
        (crowd.frame - int(flock.anchor_frame[place])) / crowd.rate_hz, _before(crowd, place),
    )  # fmt: skip


def way_of(crowd: Crowd, who: int) -> FloatArray:
    """Return the points (K, 2) of someone's way from where it will stand to its goal."""
    place = crowd._place_of(who)
    flock = crowd._flock
    points = flock.way[place, flock.way_at[place] : flock.way_count[place], :2]
    return np.concatenate((flock.end[place, None, :2], points, flock.goal[place, None]))


def goals(crowd: Crowd, ids: Sequence[int]) -> FloatArray:
    """Return where some (M,) want to go (M, 2)."""
    places = [crowd._place_of(who) for who in ids]
    return crowd._flock.goal[places].copy()


def queues(crowd: Crowd) -> list[list[int]]:
    """Return those who have tickets, door by door, the first first."""
    flock, count = crowd._flock, crowd._count
    waiting = np.flatnonzero(flock.taken[:count] & (flock.door[:count] != NO_DOOR))
    waiting = waiting[np.lexsort((flock.ticket[waiting], flock.door[waiting]))]
    found: dict[int, list[int]] = {}
    for place in waiting.tolist():
        found.setdefault(int(flock.door[place]), []).append(int(crowd._id[place]))
    return list(found.values())


def planned(crowd: Crowd, count: int) -> list[int]:
    """Return who looked for their next clip in the frame just passed; count: how many, as the statistics say."""
    flock, places = crowd._flock, crowd._proposals.who[:count]
    return crowd._id[places[flock.taken[places]]].tolist()


def can_stand(crowd: Crowd, kind: int, x: float, y: float) -> bool:
    """Tell whether there is room at a place for one of a kind, but for other people."""
    return room_at(crowd.floor, float(x), float(y)) >= crowd._radius[kind]


def kind_of(crowd: Crowd, who: int) -> int:
    """Return the number of someone's kind."""
    return crowd._kind_of[who]


def _before(crowd: Crowd, place: int) -> int | None:
    flock, count = crowd._flock, crowd._count
    door = flock.door[place]
    if door == NO_DOOR:
        return None
    same = flock.taken[:count] & (flock.door[:count] == door)
    return int(np.count_nonzero(same & (flock.ticket[:count] < flock.ticket[place])))
