"""Footprints: the area that a thing covers in plan view."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.world.convex_parts import convex_parts

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
        x, y, heading = (float(value) for value in pose)
        turn = np.array([[np.cos(heading), np.sin(heading)], [-np.sin(heading), np.cos(heading)]])
        return tuple(Piece(frozen_array(piece.corners @ turn + (x, y)), piece.radius_m) for piece in self.pieces)

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
