"""The cast of a scene on its way into a crowd: errands from aims, and who appears when."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from gambol.crowd.crowd import Crowd
from gambol.crowd.errand import Errand
from gambol.scenes.aims import Aim, Follow, Visit, Wander
from gambol.scenes.scene import Actor, Scene

RETRY_FRAMES = 6  # planning frames after which a character that found no room to appear tries again


def errand_of(aim: Aim) -> Errand:
    """Return the errand of a scene's aim; of places with several tolerances the least holds."""
    match aim:
        case Visit(places=places, then=then):
            points = [(place.x, place.y) for place in places]
            tolerance_m = min(place.tolerance_m for place in places)
            if then == "repeat":
                return Errand.around(points, tolerance_m=tolerance_m)
            return Errand.along(points, then=then, tolerance_m=tolerance_m)
        case Wander(area=area, count=count, then=then):
            return Errand.wander(area, count=count, then=then)
        case Follow(who=who, distance_m=distance_m):
            return Errand.follow(who, distance_m=distance_m)


def goals_of(aim: Aim | None) -> int:
    """Return after how many arrivals someone is done; 0 for never."""
    assert aim is not None
    errand = errand_of(aim)
    return 0 if errand.is_endless else len(errand.points) or errand.count or 0


class _Waiting(NamedTuple):
    """Someone who is to appear; the order is that of time, leaders before followers."""

    frame: int
    rank: int
    number: int  # in the cast
    actor: Actor


class Entrance:
    """Those of the cast who are not in the world yet."""

    def __init__(self, scene: Scene, crowd: Crowd) -> None:
        self.crowd = crowd
        self.ids: dict[str, int] = {}
        leaders = {actor.name: actor.aim.who for actor in scene.cast if isinstance(actor.aim, Follow)}
        self.waiting = sorted(
            _Waiting(math.ceil(actor.appears_s * crowd.rate_hz), _rank(actor.name, leaders), number, actor)
            for number, actor in enumerate(scene.cast)
        )

    def __len__(self) -> int:
        return len(self.waiting)

    def admit(self) -> None:
        """Let those appear whose time it is, who find room, and whose leader, if they have one, was there."""
        now = self.crowd.frame
        if not self.waiting or self.waiting[0].frame > now:
            return
        due = [one for one in self.waiting if one.frame <= now]
        turned_away = [one._replace(frame=now + RETRY_FRAMES) for one in due if not self._enters(one.actor)]
        self.waiting = sorted([*self.waiting[len(due) :], *turned_away])

    def _enters(self, actor: Actor) -> bool:
        assert actor.aim is not None
        errand = errand_of(actor.aim)
        if isinstance(actor.aim, Follow):
            if actor.aim.who not in self.ids:
                return False
            if self.ids[actor.aim.who] not in self.crowd.ids:  # it has left: there is nothing to do but stand
                errand = Errand.to(*actor.start[:2])
        if self.crowd.frame > 0 and self.crowd.obstruction(actor.character, actor.start) is not None:
            return False
        self.ids[actor.name] = self.crowd.add(
            actor.character, actor.start, errand, name=actor.name, group=actor.company
        )  # fmt: skip
        return True


def _rank(name: str, leaders: Mapping[str, str]) -> int:
    """Return how many go before someone, each following the next."""
    rank = 0
    while name in leaders:
        name, rank = leaders[name], rank + 1
    return rank
