"""What someone in a crowd is about, as a scene file says it: plain values that a crowd makes errands of."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.errors import InvalidInput, UnknownName
from gambol.search.problem import Goal

THEN = ("stand", "leave", "repeat")
Area = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y


@dataclass(frozen=True)
class Visit:
    """Go to places, one after another."""

    places: tuple[Goal, ...]
    then: str = "stand"  # after the last: stand there, leave the world, or repeat, from the first on, for ever

    def __post_init__(self) -> None:
        _check_then(self.then, THEN)
        if not self.places:
            raise InvalidInput("a visit needs at least one place")
        if self.then == "repeat" and len(self.places) < 2:
            raise InvalidInput("only two places or more can be repeated")


@dataclass(frozen=True)
class Wander:
    """Go to places taken by chance."""

    area: Area
    count: int | None = None  # how many places; None: for ever
    then: str = "stand"  # after the last

    def __post_init__(self) -> None:
        _check_then(self.then, THEN[:2])
        if self.area[0] >= self.area[2] or self.area[1] >= self.area[3]:
            raise InvalidInput(f"an area is least x, least y, greatest x, greatest y, not {self.area}")
        if self.count is not None and self.count < 1:
            raise InvalidInput(f"to wander takes at least one place, not {self.count}")


@dataclass(frozen=True)
class Follow:
    """Stay near another of the cast, wherever that one goes."""

    who: str
    distance_m: float = 2.0

    def __post_init__(self) -> None:
        if not self.distance_m > 0.0:
            raise InvalidInput(f"a distance to follow at is positive, not {self.distance_m}")


Aim = Visit | Wander | Follow


def _check_then(then: str, known: tuple[str, ...]) -> None:
    if then not in known:
        raise UnknownName("way to go on after the last place", then, known)
