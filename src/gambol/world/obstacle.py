"""Obstacles: prisms that stand still."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gambol.errors import InvalidInput
from gambol.world.footprint import Footprint, Piece

Pose = tuple[float, float, float]  # x, y in metres, heading in radians


@dataclass(frozen=True)
class Special:
    """A hand annotation [LK05 3.2]: only behaviors tagged with its kind get across, and only from nearby.

    Heights do not count for an annotated obstacle: to every other behavior it is a wall.
    """

    kind: str  # such as "jump"; behaviors name it in `Annotation.special`
    near_m: float  # >= 0: a special behavior may begin at most this far from the footprint
    within_m: float = 0.0  # >= 0: at the behavior's event, the root is at most this far from the footprint

    def __post_init__(self) -> None:
        for name, size_m in (("near", self.near_m), ("within", self.within_m)):
            if not (np.isfinite(size_m) and size_m >= 0.0):
                raise InvalidInput(f"the reach of a {name} region must be finite and not negative, not {size_m}")


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A footprint that fills the heights from bottom to top, both above the local ground.

    Walls, hurdles, bars, beams and archways are obstacles: a hurdle has a low top, a beam a high bottom.  A footprint
    that is drawn where it stands, in the world's coordinates, needs no pose.
    """

    name: str
    footprint: Footprint
    pose: Pose = (0.0, 0.0, 0.0)
    bottom_m: float = 0.0
    top_m: float = 3.0
    special: Special | None = None

    def __post_init__(self) -> None:
        pose = tuple(float(value) for value in self.pose)
        if len(pose) != 3 or not np.isfinite(pose).all():
            raise InvalidInput(f"obstacle {self.name!r}: a pose is (x, y, heading), all finite, not {self.pose}")
        object.__setattr__(self, "pose", pose)
        check_heights(f"obstacle {self.name!r}", self.bottom_m, self.top_m)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The convex pieces of its footprint, in the world."""
        return self.footprint.placed(self.pose)


def check_heights(what: str, bottom_m: float, top_m: float) -> None:
    if not (np.isfinite(bottom_m) and np.isfinite(top_m) and bottom_m < top_m):
        raise InvalidInput(f"{what}: the top must be above the bottom, not {top_m} above {bottom_m}")
