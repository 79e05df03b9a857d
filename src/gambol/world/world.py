"""A world: where characters may be, and what stands and moves there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.notebook import mime_bundle
from gambol.world.footprint import Footprint, Piece
from gambol.world.terrain import Terrain

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


REPEATS = ("once", "loop", "bounce")


@dataclass(frozen=True, eq=False)
class Trajectory:
    """Poses and heights at times, with straight lines between them.

    Before the first time, the mover is at the first pose.  After the last time it rests (`once`), begins again
    (`loop`) or runs back and forth (`bounce`).  Headings are not wrapped: a whole turn is 2 pi.
    """

    times_s: FloatArray  # (K,) increasing, K >= 1
    poses: FloatArray  # (K, 3) x, y, heading
    heights_m: FloatArray  # (K, 2) bottom and top above the local ground
    repeat: str = "once"  # one of REPEATS

    def __post_init__(self) -> None:
        for name in ("times_s", "poses", "heights_m"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        count = len(self.times_s)
        if count == 0 or self.times_s.ndim != 1:
            raise InvalidInput("a trajectory needs at least one time")
        if self.poses.shape != (count, 3) or self.heights_m.shape != (count, 2):
            raise InvalidInput(
                f"a trajectory of {count} times needs poses ({count}, 3) and heights ({count}, 2), "
                f"not {self.poses.shape} and {self.heights_m.shape}"
            )
        if not all(np.isfinite(array).all() for array in (self.times_s, self.poses, self.heights_m)):
            raise InvalidInput("a trajectory's numbers must be finite")
        if np.any(np.diff(self.times_s) <= 0.0):
            raise InvalidInput("a trajectory's times must increase")
        if np.any(self.heights_m[:, 0] >= self.heights_m[:, 1]):
            raise InvalidInput("a trajectory's tops must be above its bottoms")
        if self.repeat not in REPEATS:
            raise UnknownName("way to repeat", self.repeat, REPEATS)
        if self.repeat != "once" and count < 2:
            raise InvalidInput(f"a trajectory that repeats ({self.repeat}) needs at least two times")

    @property
    def period_s(self) -> float:
        """Seconds after which it repeats; infinite for `once`."""
        length = float(self.times_s[-1] - self.times_s[0])
        return {"once": np.inf, "loop": length, "bounce": 2.0 * length}[self.repeat]

    def phase(self, time_s: ArrayLike) -> FloatArray:
        """Return the time in the table for each time of the world."""
        first, last = self.times_s[0], self.times_s[-1]
        since = np.maximum(np.asarray(time_s, dtype=np.float64) - first, 0.0)
        if self.repeat == "loop":
            since = since % (last - first)
        elif self.repeat == "bounce":
            since = since % (2.0 * (last - first))
            since = np.minimum(since, 2.0 * (last - first) - since)
        return first + np.minimum(since, last - first)

    def at(self, time_s: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return poses (..., 3) and heights (..., 2) at times (...)."""
        phase = self.phase(time_s)
        columns = [np.interp(phase, self.times_s, column) for column in (*self.poses.T, *self.heights_m.T)]
        return np.stack(columns[:3], axis=-1), np.stack(columns[3:], axis=-1)

    @cached_property
    def moves(self) -> bool:
        """Whether its pose or heights ever change."""
        return bool(np.ptp(self.poses, axis=0).any() or np.ptp(self.heights_m, axis=0).any())


@dataclass(frozen=True, eq=False)
class Mover:
    """A footprint on a trajectory.  A loop whose ends differ jumps; the place where it lands must be free."""

    name: str
    footprint: Footprint
    trajectory: Trajectory


@dataclass(frozen=True, eq=False)
class World:
    """Bounds that no body leaves, obstacles, movers and terrain.  All heights but terrain's are above the ground."""

    bounds: tuple[float, float, float, float]  # least x, least y, greatest x, greatest y in metres
    obstacles: tuple[Obstacle, ...] = ()
    movers: tuple[Mover, ...] = ()
    terrain: Terrain | None = None  # None: flat, at height 0

    def __post_init__(self) -> None:
        bounds = tuple(float(value) for value in self.bounds)
        if len(bounds) != 4 or not np.isfinite(bounds).all() or bounds[0] >= bounds[2] or bounds[1] >= bounds[3]:
            raise InvalidInput(f"bounds are (least x, least y, greatest x, greatest y), not {self.bounds}")
        object.__setattr__(self, "bounds", bounds)
        object.__setattr__(self, "obstacles", tuple(self.obstacles))
        object.__setattr__(self, "movers", tuple(self.movers))
        names = [thing.name for thing in (*self.obstacles, *self.movers)]
        if len(set(names)) != len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise InvalidInput(f"obstacles and movers must have unique names, not {', '.join(twice)}")

    _repr_mimebundle_ = mime_bundle

    @property
    def changes(self) -> bool:
        """Whether anything moves."""
        return any(mover.trajectory.moves for mover in self.movers)
