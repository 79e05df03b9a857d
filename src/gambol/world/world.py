"""A world: where characters may be, and what stands and moves there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.notebook import mime_bundle
from gambol.world.convex_parts import convex_parts
from gambol.world.terrain import Terrain

SMALLEST_M = 1e-3  # metres: a thing thinner than this is refused as a mistake
BENT = 1e-9  # sine of an angle: a convex piece may bend inwards by this much, from rounding; larger accepts dents


class Piece(NamedTuple):
    """A convex polygon, a segment or a point, and everything within a radius of it."""

    corners: FloatArray  # (V, 2) metres, counter-clockwise, V >= 1
    radius_m: float  # >= 0


@dataclass(frozen=True, eq=False)
class Footprint:
    """A region of the plane in its own frame, as convex pieces whose union it is.

    A disc is a rounded point, a capsule a rounded segment, a box a polygon; later stages treat all of them alike.
    """

    pieces: tuple[Piece, ...]

    def __post_init__(self) -> None:
        if not self.pieces:
            raise InvalidInput("a footprint needs at least one piece")
        pieces = tuple(Piece(frozen_array(piece.corners), float(piece.radius_m)) for piece in self.pieces)
        for piece in pieces:
            if piece.corners.ndim != 2 or piece.corners.shape[1:] != (2,) or len(piece.corners) == 0:
                raise InvalidInput(f"a piece needs corners (V, 2), not {piece.corners.shape}")
            if not (np.isfinite(piece.corners).all() and np.isfinite(piece.radius_m) and piece.radius_m >= 0.0):
                raise InvalidInput("a piece's corners and radius must be finite, its radius not negative")
            if len(piece.corners) > 2 and not _is_convex(piece.corners):
                raise InvalidInput("a piece's corners must run counter-clockwise around a convex area")
        object.__setattr__(self, "pieces", pieces)

    @classmethod
    def box(cls, length_m: float, width_m: float) -> Footprint:
        """Return a rectangle around the origin, `length_m` along x and `width_m` along y."""
        _check_size("length", length_m)
        _check_size("width", width_m)
        x, y = 0.5 * length_m, 0.5 * width_m
        return cls((Piece(np.array([[-x, -y], [x, -y], [x, y], [-x, y]]), 0.0),))

    @classmethod
    def disc(cls, radius_m: float) -> Footprint:
        _check_size("radius", radius_m)
        return cls((Piece(np.zeros((1, 2)), radius_m),))

    @classmethod
    def polygon(cls, corners: ArrayLike) -> Footprint:
        """Return a simple polygon, convex or not, its corners in either direction."""
        outline = np.asarray(corners, dtype=np.float64)
        if outline.ndim != 2 or outline.shape[1:] != (2,) or len(outline) < 3:
            raise InvalidInput(f"a polygon needs at least three corners (x, y), not {outline.shape}")
        if not np.isfinite(outline).all():
            raise InvalidInput("a polygon's corners must be finite")
        shape = shapely.Polygon(outline)
        if not shape.is_valid or shape.area < SMALLEST_M**2:
            raise InvalidInput("a polygon must not cross itself and must cover an area")
        return cls(tuple(Piece(part, 0.0) for part in convex_parts(shape)))

    @cached_property
    def reach_m(self) -> float:
        """Radius of the circle around the frame's origin that holds the whole footprint."""
        return max(float(np.linalg.norm(piece.corners, axis=1).max()) + piece.radius_m for piece in self.pieces)

    def placed(self, pose: Sequence[float] | FloatArray) -> tuple[Piece, ...]:
        """Return the pieces in the world with the footprint's frame at a pose (x, y, heading)."""
        return tuple(Piece(frozen_array(planar.apply(pose, piece.corners)), piece.radius_m) for piece in self.pieces)

    def region(self, pose: Sequence[float] | FloatArray = (0.0, 0.0, 0.0)) -> shapely.Geometry:
        """Return the region as a shapely geometry; round ends become polygons of many corners."""
        return shapely.union_all([_geometry(piece) for piece in self.placed(pose)])


def _geometry(piece: Piece) -> shapely.Geometry:
    count = len(piece.corners)
    kind = shapely.Point if count == 1 else shapely.LineString if count == 2 else shapely.Polygon
    shape = kind(piece.corners[0] if count == 1 else piece.corners)
    return shape.buffer(piece.radius_m, quad_segs=32) if piece.radius_m > 0.0 else shape


def _check_size(what: str, size_m: float) -> None:
    if not (np.isfinite(size_m) and size_m >= SMALLEST_M):
        raise InvalidInput(f"a {what} must be at least {SMALLEST_M * 1000:g} mm, not {size_m}")


def _is_convex(corners: FloatArray) -> bool:
    """Tell whether corners run counter-clockwise once around a convex area; some may lie on straight sides."""
    along = np.roll(corners, -1, axis=0) - corners
    after = np.roll(along, -1, axis=0)
    lengths = np.linalg.norm(along, axis=1)
    turns = along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0]
    if np.any(turns < -BENT * lengths * np.roll(lengths, -1)):
        return False
    straight = np.einsum("ij,ij->i", along, after)
    return bool(np.isclose(np.arctan2(turns, straight).sum(), 2.0 * np.pi))


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
