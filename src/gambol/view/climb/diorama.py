"""A climber's environment in the round: polygons drawn out in depth, grasp points as rods across."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray
from gambol.pictures.climb_round import SURFACE, drawn_out
from gambol.pictures.mesh import Mesh
from gambol.pictures.shapes import box
from gambol.scenes.climb_actor import ClimbActor
from gambol.scenes.scene import Scene
from gambol.world.environment import Environment, GraspKind, GraspPoint

SIDE_ON = np.array([0.0, 1.0, -0.10])  # direction of the first view: +X to the right, +Y away
DEPTH_M = (-0.45, 1.2)  # m: solids begin before the plane of the climb and end behind it
HOLD_M = 0.68  # m, > 0: length of a grasp point across the plane
ROD_M = 0.042  # m, > 0: thickness of a grasp point
AROUND_M = 1.0  # m, > 0: ground around a way to or from a climb
PLATE_M = 0.12  # m, > 0: thickness of that ground
SUNK_M = 0.006  # m, > 0: depth of that ground below other ground; smaller: both flicker
#: RGB, 0 to 255: colors of grasp points.
HOLD_COLORS: Mapping[GraspKind, tuple[int, int, int]] = MappingProxyType(
    {
        "load-bearing": (74, 80, 96),
        "pendent": (38, 150, 170),
        "hybrid": (140, 112, 186),
    }
)


@dataclass(frozen=True, eq=False)
class Diorama:
    """All that is shown of an environment, without the climber."""

    meshes: tuple[Mesh, ...]
    places: FloatArray  # (G, 3): middles of grasp points
    sizes: FloatArray  # (G, 3)
    colors: NDArray[np.uint8]  # (G, 3)
    floor_m: float
    outermost: FloatArray  # (N, 3): a view of these points is a view of all

    @classmethod
    def of(cls, scene: Scene) -> Diorama:
        """Return the diorama of a scene of the kind "climb"."""
        assert scene.environment is not None
        environment = scene.environment
        points = environment.grasp_points
        ways = [way for climb in scene.climbs for way in _ways(environment, climb)]
        meshes = [*drawn_out(environment, DEPTH_M), *map(_plate, ways)]
        low_x, low_z, high_x, high_z = environment.bounds
        corners = [(x, DEPTH_M[0], z) for x in (low_x, high_x) for z in (low_z, high_z)]
        return cls(
            tuple(meshes),
            places_of(points),
            sizes_of(points),
            np.array([HOLD_COLORS[point.kind] for point in points], dtype=np.uint8).reshape(-1, 3),
            low_z - SUNK_M,
            np.array([*corners, *((way.x, way.y, way.z) for way in ways)]),
        )


def places_of(points: Iterable[GraspPoint]) -> FloatArray:
    """Return the middles (N, 3) of grasp points; bars are as long as solids are deep."""
    return np.array([(one.x, 0.5 * sum(DEPTH_M) if one.is_bar else 0.0, one.z) for one in points]).reshape(-1, 3)


def sizes_of(points: Iterable[GraspPoint]) -> FloatArray:
    """Return the sizes (N, 3) of grasp points."""
    deep = DEPTH_M[1] - DEPTH_M[0]
    return np.array([(ROD_M, deep if one.is_bar else HOLD_M, ROD_M) for one in points]).reshape(-1, 3)


class _Way(NamedTuple):
    """A way over the ground, to a climb or from it."""

    x: float
    y: float
    z: float  # height of the ground
    climb_x: float  # where the climb begins or ends


def _ways(environment: Environment, climb: ClimbActor) -> list[_Way]:
    ways = []
    if climb.approach is not None:
        ways.append(_Way(*climb.approach[:2], climb.start[1], climb.start[0]))
    if climb.onward is not None:
        ways.append(_Way(climb.onward.x, climb.onward.y, _ground_below(environment, *climb.goal), climb.goal[0]))
    return ways


def _ground_below(environment: Environment, x: float, z: float) -> float:
    """Return the height of the ground below a place."""
    points = [one for one in environment.grasp_points if one.is_floor and one.z <= z and abs(one.x - x) <= AROUND_M]
    return max((one.z for one in points), default=environment.bounds.low_z)


def _plate(way: _Way) -> Mesh:
    low = (min(way.x, way.climb_x) - AROUND_M, min(way.y, 0.0) - AROUND_M, way.z - PLATE_M)
    high = (max(way.x, way.climb_x) + AROUND_M, max(way.y, 0.0) + AROUND_M, way.z - SUNK_M)
    return replace(box(low, high, SURFACE), casts_shadow=False)  # its shadow would fall on the climber
