"""Errands: where someone in a crowd wants to go, and what becomes of it there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambol.errors import InvalidInput, UnknownName

Point = tuple[float, float]
Area = tuple[float, float, float, float]  # least x, least y, greatest x, greatest y
THEN = ("stand", "leave")
DEFAULT_TOLERANCE_M = 0.5
FOLLOWING_M = 2.0


@dataclass(frozen=True)
class Errand:
    """One of: some points in their order, points at random in an area, or another character to follow.

    The constructors below make them; `gambol.crowd.errands` leads characters by them.
    """

    points: tuple[Point, ...] = ()
    area: Area | None = None
    leader: int | str | None = None
    repeats: bool = False  # after the last point comes the first
    count: int | None = None  # of random points; None: for ever
    then: str = "stand"  # after the last: stay there, or leave the crowd
    tolerance_m: float = DEFAULT_TOLERANCE_M  # within which one has arrived
    distance_m: float = FOLLOWING_M  # at which one follows

    def __post_init__(self) -> None:
        if (len(self.points) > 0) + (self.area is not None) + (self.leader is not None) != 1:
            raise InvalidInput("an errand has points, an area or somebody to follow")
        if self.then not in THEN:
            raise UnknownName("thing to do on arrival", self.then, THEN)
        numbers = [value for point in self.points for value in point] + list(self.area or ())
        if not all(math.isfinite(value) for value in numbers):
            raise InvalidInput("an errand's places must be finite")
        if self.area is not None and not (self.area[0] < self.area[2] and self.area[1] < self.area[3]):
            raise InvalidInput(f"an area is least x, least y, greatest x, greatest y, not {self.area}")
        for name, value in (("tolerance", self.tolerance_m), ("distance", self.distance_m)):
            if not (math.isfinite(value) and value > 0.0):
                raise InvalidInput(f"an errand's {name} must be positive, not {value}")
        if self.count is not None and self.count < 1:
            raise InvalidInput(f"an errand has at least one goal, not {self.count}")

    @classmethod
    def to(cls, x: float, y: float, *, then: str = "stand", tolerance_m: float = DEFAULT_TOLERANCE_M) -> Errand:
        """Go to a point."""
        return cls(points=((float(x), float(y)),), then=then, tolerance_m=tolerance_m)

    @classmethod
    def along(cls, points: Sequence[Point], *, then: str = "stand", tolerance_m: float = DEFAULT_TOLERANCE_M) -> Errand:
        """Go to some points, one after another."""
        return cls(points=tuple((float(x), float(y)) for x, y in points), then=then, tolerance_m=tolerance_m)

    @classmethod
    def around(cls, points: Sequence[Point], *, tolerance_m: float = DEFAULT_TOLERANCE_M) -> Errand:
        """Go to some points, one after another, and begin anew."""
        return cls(points=tuple((float(x), float(y)) for x, y in points), repeats=True, tolerance_m=tolerance_m)

    @classmethod
    def wander(
        cls,
        area: Sequence[float],
        *,
        count: int | None = None,
        then: str = "stand",
        tolerance_m: float = DEFAULT_TOLERANCE_M,
    ) -> Errand:
        """Go to points taken at random in an area: so many, or for ever."""
        if len(area) != 4:
            raise InvalidInput(f"an area is least x, least y, greatest x, greatest y, not {tuple(area)}")
        x0, y0, x1, y1 = (float(value) for value in area)
        return cls(area=(x0, y0, x1, y1), count=count, then=then, tolerance_m=tolerance_m)

    @classmethod
    def follow(cls, leader: int | str, *, distance_m: float = FOLLOWING_M) -> Errand:
        """Stay near another character, given by its number or name."""
        return cls(leader=leader, distance_m=distance_m, tolerance_m=distance_m)

    @property
    def is_endless(self) -> bool:
        """Whether there is always somewhere to go."""
        return self.repeats or self.leader is not None or (self.area is not None and self.count is None)
