"""A climber's environment: solid polygons and grasp points in a vertical plane, x to the right and z up [KP00 3]."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import shapely
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray, frozen_array

#: Feet stand on load-bearing grasp points, hands hold pendent ones, hybrid ones serve both [KP00 3].
GraspKind = Literal["load-bearing", "pendent", "hybrid"]
#: What may hold on to a grasp point: feet that stand on it, hands that hang from it, or both.
GRASP_KINDS: tuple[GraspKind, ...] = ("load-bearing", "pendent", "hybrid")

FLOOR_SLOPE = 0.64  # -1 to 1, z of a unit normal: at least this is a floor (up to 50 degrees); larger: fewer floors
CEILING_SLOPE = -0.5  # -1 to 1, z of a unit normal: at most this is a ceiling; larger: more ceilings


class PlaneBounds(NamedTuple):
    """The limits of the plane, in metres."""

    low_x: float
    low_z: float
    high_x: float
    high_z: float


@dataclass(frozen=True)
class GraspPoint:
    """A place for a hand or a foot: on a surface, or on a bar, which a hand grips all around.

    The normal is the unit vector out of the surface; a bar has (0, 0).
    """

    x: float
    z: float
    kind: GraspKind = "hybrid"
    normal: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.kind not in GRASP_KINDS:
            raise UnknownName("kind of grasp point", self.kind, GRASP_KINDS)
        if not all(math.isfinite(number) for number in (self.x, self.z, *self.normal)):
            raise InvalidInput("a grasp point and its normal must be finite numbers")
        length = math.hypot(*self.normal)
        if length != 0.0 and abs(length - 1.0) > 1e-6:
            raise InvalidInput(f"the normal of a grasp point has length 1, or 0 on a bar, not {length:g}")

    @property
    def is_bar(self) -> bool:
        return self.normal == (0.0, 0.0)

    @property
    def is_floor(self) -> bool:
        """Whether it lies on a surface flat enough to stand on."""
        return self.normal[1] >= FLOOR_SLOPE

    @property
    def is_ceiling(self) -> bool:
        return self.normal[1] <= CEILING_SLOPE


@dataclass(frozen=True, eq=False)
class Environment:
    """Solid polygons and grasp points between bounds, which no climber leaves."""

    bounds: PlaneBounds
    polygons: tuple[FloatArray, ...]  # each (N, 2), counter-clockwise, simple
    grasp_points: tuple[GraspPoint, ...]

    def __init__(
        self, bounds: Iterable[float], polygons: Iterable[ArrayLike], grasp_points: Iterable[GraspPoint] = ()
    ) -> None:
        object.__setattr__(self, "bounds", PlaneBounds(*(float(number) for number in bounds)))
        object.__setattr__(self, "polygons", tuple(_counter_clockwise(corners) for corners in polygons))
        object.__setattr__(self, "grasp_points", tuple(grasp_points))
        low_x, low_z, high_x, high_z = self.bounds
        if not (math.isfinite(sum(self.bounds)) and low_x < high_x and low_z < high_z):
            raise InvalidInput(f"bounds are least x, least z, greatest x, greatest z, not {tuple(self.bounds)}")
        for number, point in enumerate(self.grasp_points):
            if not (low_x <= point.x <= high_x and low_z <= point.z <= high_z):
                raise InvalidInput(f"grasp point {number} at ({point.x:g}, {point.z:g}) lies outside the bounds")

    def with_grasp_points(self, grasp_points: Iterable[GraspPoint]) -> Environment:
        return Environment(self.bounds, self.polygons, grasp_points)


def _counter_clockwise(corners: ArrayLike) -> FloatArray:
    points = np.asarray(corners, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < 3:
        raise InvalidInput(f"a polygon needs three or more corners (x, z), not an array of shape {points.shape}")
    if not np.all(np.isfinite(points)):
        raise InvalidInput("corners of polygons must be finite numbers")
    polygon = shapely.Polygon(points)
    if not polygon.is_valid or polygon.area < 1e-9:
        raise InvalidInput(f"a polygon must not cross itself nor be flat: {shapely.is_valid_reason(polygon)}")
    return frozen_array(points if polygon.exterior.is_ccw else points[::-1])
