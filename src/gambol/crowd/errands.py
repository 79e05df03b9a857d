"""What those in a crowd are about: whose turn it is to get another goal, to follow, to wait for a group."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.arrays import ARRIVED, ON_THE_WAY
from gambol.crowd.errand import Area, Errand, Point
from gambol.crowd.kernels.sight import room_at
from gambol.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd

FOLLOWING_FRAMES = 20  # after which a follower looks again where its leader is
PLACE_DRAWS = 200  # after which a place without room has to do
PLACE_MARGIN_M = 0.15  # around one who stands at a place drawn
FOLLOWED_M = 0.5  # a leader that has gone no farther is where it was
GROUP_LEAD_M = 3.0  # who is so much nearer to the goal than its group waits


class Errands:
    """The errands of all who are in a crowd, by their numbers."""

    def __init__(self, crowd: Crowd) -> None:
        self._crowd = crowd
        self._errand: dict[int, Errand] = {}
        self._stage: dict[int, int] = {}  # points of the errand that are done
        self._groups: dict[str, list[int]] = {}
        self._leader: dict[int, int] = {}  # of those who follow

    def of(self, who: int) -> Errand:
        return self._errand[who]

    def give(self, who: int, errand: Errand) -> None:
        """Give someone an errand in place of what it was about."""
        leader = self.leader(errand, who, self._crowd.names[who])
        self._errand[who], self._stage[who] = errand, 0
        self._leader.pop(who, None)
        if leader is not None:
            self._leader[who] = leader
        self._set_goal(who)

    def leader(self, errand: Errand, who: int, name: str) -> int | None:
        """Return whom someone with an errand is to follow, if anybody; who is not there is an error."""
        if not isinstance(errand, Errand):
            raise InvalidInput(f"an errand is an Errand, such as Errand.to(12, 5), not {errand!r}")
        crowd, leader = self._crowd, errand.leader
        if isinstance(leader, str):
            if leader not in crowd.names:
                raise UnknownName("character to follow", leader, tuple(crowd.names))
            leader = crowd.names.index(leader)
        if leader is not None and (leader == who or leader not in crowd._place):
            raise InvalidInput(f"{name!r} cannot follow number {leader}: nobody else has it now")
        return leader

    def join(self, who: int, group: str) -> None:
        self._groups.setdefault(group, []).append(who)

    def forget(self, who: int) -> None:
        """Forget someone who leaves."""
        del self._errand[who], self._stage[who]
        self._leader.pop(who, None)
        for members in self._groups.values():
            if who in members:
                members.remove(who)

    def hand_over(self, who: int) -> tuple[Errand, int]:
        """Forget someone who is planned for elsewhere from now on; return its errand and how far it is with it."""
        return self._errand.pop(who), self._stage.pop(who)

    def take_over(self, who: int, errand: Errand, stage: int) -> None:
        """Go on with what someone was about elsewhere."""
        self._errand[who], self._stage[who] = errand, stage

    def go_on(self, arrived: NDArray[np.int64]) -> None:
        """Give those at some places, who have arrived, what comes next; let others follow and wait for their groups."""
        crowd = self._crowd
        flock = crowd._flock
        for place in arrived:
            who = int(crowd._id[place])
            errand = self._errand[who]
            if errand.leader is not None:
                flock.condition[place] = ARRIVED
                continue
            self._stage[who] += 1
            total = len(errand.points) if errand.area is None else errand.count
            if errand.is_endless or (total is not None and self._stage[who] < total):
                self._set_goal(who)
            elif errand.then == "leave":
                crowd.remove(who)
            else:
                flock.condition[place] = ARRIVED
                flock.asked_frame[place] = 0
        if crowd.frame % FOLLOWING_FRAMES == 0:
            self._follow()
            self._keep_together()

    def _set_goal(self, who: int) -> None:
        """Make the present point of its errand someone's goal."""
        crowd, errand, stage = self._crowd, self._errand[who], self._stage[who]
        flock, place = crowd._flock, crowd._place[who]
        if errand.leader is not None:
            goal = tuple(flock.end[crowd._place[self._leader[who]], :2])
            stops = True
        elif errand.area is not None:
            goal = self._random_place(who, stage, errand.area)
            stops = errand.count is not None and stage == errand.count - 1
        else:
            goal = errand.points[stage % len(errand.points)]
            stops = not errand.repeats and stage == len(errand.points) - 1
        flock.goal[place], flock.tolerance[place], flock.stops[place] = goal, errand.tolerance_m, stops
        flock.condition[place], flock.way_wanted[place] = ON_THE_WAY, True
        flock.way_count[place] = 0
        flock.best_way[place], flock.best_frame[place] = math.inf, crowd.frame
        flock.yields_until[place] = 0
        flock.ready[place] = min(flock.ready[place], crowd.frame)

    def _random_place(self, who: int, stage: int, area: Area) -> Point:
        crowd = self._crowd
        rng = np.random.default_rng((crowd.seed, who, stage))
        radius = crowd._radius[crowd._kind_of[who]] + PLACE_MARGIN_M
        x, y = 0.0, 0.0
        for _ in range(PLACE_DRAWS):
            x, y = rng.uniform(area[:2], area[2:]).tolist()
            if room_at(crowd.floor, x, y) >= radius:
                break
        return x, y

    def _follow(self) -> None:
        crowd = self._crowd
        flock = crowd._flock
        for who, leader in list(self._leader.items()):
            place = crowd._place[who]
            if leader not in crowd._place:
                crowd._event("lost its leader", who, crowd.names[leader])
                del self._leader[who]
                continue
            target = flock.end[crowd._place[leader], :2]
            if np.hypot(*(target - flock.goal[place])) > FOLLOWED_M:
                flock.goal[place] = target
                flock.condition[place], flock.way_wanted[place] = ON_THE_WAY, True
                flock.best_way[place] = math.inf

    def _keep_together(self) -> None:
        """Let who is far ahead of its group wait."""
        flock = self._crowd._flock
        for members in self._groups.values():
            places = np.array([self._crowd._place[who] for who in members], dtype=np.int64)
            if len(places) < 2:
                flock.holds[places] = False
                continue
            going = flock.condition[places] == ON_THE_WAY
            at = np.minimum(flock.way_at[places], np.maximum(flock.way_count[places] - 1, 0))
            points = flock.way[places, at]
            left = np.hypot(*(points[:, :2] - flock.pose[places, 0, :2]).T) + points[:, 2]
            last = left[going].max() if going.any() else 0.0
            flock.holds[places] = going & (left < last - GROUP_LEAD_M) & (flock.way_count[places] > 0)
