"""The aims of characters in a crowd, as a scene file states them; a crowd makes errands of them."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.errors import InvalidInput, UnknownName
from gambol.search.problem import Goal

THEN = ("stand", "leave", "repeat")
Area = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y


@dataclass(frozen=True)
class Visit:
    """Go to several places, one after another."""

    places: tuple[Goal, ...]
    then: str = "stand"  # after the last place: stand there, leave the world, or repeat all places for ever

    def __post_init__(self) -> None:
        _check_then(self.then, THEN)
        if not self.places:
            raise InvalidInput("a visit needs at least one place")
        if self.then == "repeat" and len(self.places) < 2:
            raise InvalidInput("to repeat takes at least two places, not one")


@dataclass(frozen=True)
class Wander:
    """Go to random places."""

    area: Area
    count: int | None = None  # number of places; None: go on for ever
    then: str = "stand"  # after the last place: stand there or leave the world

    def __post_init__(self) -> None:
        _check_then(self.then, THEN[:2])
        if self.area[0] >= self.area[2] or self.area[1] >= self.area[3]:
            raise InvalidInput(f"an area must be (least x, least y, greatest x, greatest y), not {self.area}")
        if self.count is not None and self.count < 1:
            raise InvalidInput(f"to wander takes at least one place, not {self.count}")


@dataclass(frozen=True)
class Follow:
    """Stay near another member of the cast."""

    who: str  # name of the member to follow
    distance_m: float = 2.0  # m, > 0: how near is near enough

    def __post_init__(self) -> None:
        if not self.distance_m > 0.0:
            raise InvalidInput(f"the distance at which to follow must be positive, not {self.distance_m}")


Aim = Visit | Wander | Follow


def _check_then(then: str, known: tuple[str, ...]) -> None:
    if then not in known:
        raise UnknownName("way to go on after the last place", then, known)
