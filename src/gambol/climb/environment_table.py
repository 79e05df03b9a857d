"""An environment as arrays for kernels: a field of distances, and for each grasp point where ankle and palm come."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from gambol.climb.figure import Figure
from gambol.climb.kernels.field import DistanceField, fill_distances
from gambol.climb.modes import ALLOWED, Mode
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.world.environment import Environment, GraspPoint
from gambol.world.surfaces import Edges

CELL_M = 0.02
MARGIN_M = 0.5  # of the field around the bounds
FLOOR, WALL, CEILING, BAR = range(4)  # surfaces, as tables have them
FOOT_RADIUS_M = 0.03  # of an adult's foot, below which it would be inside something
#: An adult's ankle from a foothold on a wall, whose toes touch it.
TOES_ON_WALL_M = (0.19, 0.045)  # out of the wall, up
#: And on a wall behind, which the sole pushes against.
SOLE_ON_WALL_M = (0.08, 0.10)


class GraspTable(NamedTuple):
    """Grasp points as arrays; anchors are where a limb's end comes: the palm's middle, the ankle."""

    x: FloatArray  # (G,)
    z: FloatArray
    normal: FloatArray  # (G, 2)
    surface: NDArray[np.int32]  # (G,) FLOOR, WALL, CEILING or BAR
    anchor: FloatArray  # (2, G, 2, 2) by facing (0: +x, 1: -x), of hand (0) and foot (1)
    allowed: BoolArray  # (4, G, 2) by mode, for hand and foot: as ALLOWED says
    fits: BoolArray  # (2, G, 2) by facing (0: +x, 1: -x): whether there is room for a hand, and for a foot


def surface_of(point: GraspPoint) -> int:
    if point.is_bar:
        return BAR
    return FLOOR if point.is_floor else CEILING if point.is_ceiling else WALL


def anchor_of(point: GraspPoint, figure: Figure, limb_kind: int, facing: float = 1.0) -> tuple[float, float]:
    """Return where the end of a hand (0: the palm's middle) or of a foot (1: the ankle) comes when it holds a point.

    The sole rests on floors and bars; the toes on walls ahead, with the foot level.  Against a wall behind, as in a
    chimney, the sole pushes, toes down: that is the one place that depends on which way the figure faces.
    """
    table, (across, up) = figure.table, point.normal
    if limb_kind == 0:
        return point.x + table.palm * across, point.z + table.palm * up
    surface = surface_of(point)
    if surface == BAR:
        return point.x, point.z + table.ankle + 0.02 * figure.scale
    if surface == FLOOR:
        return point.x + table.ankle * across, point.z + table.ankle * up
    out, above = TOES_ON_WALL_M if across * facing < 0.0 else SOLE_ON_WALL_M
    return point.x + out * figure.scale * math.copysign(1.0, across), point.z + above * figure.scale


def grasp_table(environment: Environment, figure: Figure) -> GraspTable:
    points = environment.grasp_points
    count = len(points)
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in environment.polygons])
    anchor = np.array(
        [[[anchor_of(point, figure, kind, facing) for kind in (0, 1)] for point in points] for facing in (1.0, -1.0)]
    ).reshape(2, count, 2, 2)
    allowed = np.array(
        [[[point.kind in kinds for kinds in ALLOWED[mode]] for point in points] for mode in Mode], dtype=bool
    ).reshape(len(Mode), count, 2)
    fits = np.ones((2, count, 2), dtype=bool)
    for index, point in enumerate(points):
        for side, facing in enumerate((1.0, -1.0)):
            fits[side, index, 1] = _foot_fits(point, figure, facing, anchor[side, index, 1], solid)
    return GraspTable(
        x=np.array([point.x for point in points]),
        z=np.array([point.z for point in points]),
        normal=np.array([point.normal for point in points]).reshape(count, 2),
        surface=np.array([surface_of(point) for point in points], dtype=np.int32),
        anchor=anchor,
        allowed=allowed,
        fits=fits,
    )


def toes_of(point: GraspPoint, figure: Figure, facing: float, ankle: FloatArray) -> tuple[float, float]:
    """Return where the tip of the toes of a foot is that holds a point."""
    length = figure.table.toes
    surface = surface_of(point)
    low = 0.6 * figure.table.ankle  # toes are nearer to the sole than the ankle
    if surface == FLOOR:
        across, up = point.normal
        return ankle[0] + facing * length * up - low * across, ankle[1] - facing * length * across - low * up
    return float(ankle[0] + facing * length), float(ankle[1] - low)


def _foot_fits(point: GraspPoint, figure: Figure, facing: float, ankle: FloatArray, solid: shapely.Geometry) -> bool:
    """Tell whether a foot on a point has room."""
    surface = surface_of(point)
    if surface == CEILING:
        return False
    if surface == WALL:
        return bool(shapely.distance(solid, shapely.Point(ankle)) >= FOOT_RADIUS_M * figure.scale)
    foot = shapely.LineString([ankle, toes_of(point, figure, facing, ankle)])
    return bool(shapely.distance(solid, foot) >= 0.02 * figure.scale)


def distance_field(environment: Environment, cell_m: float = CELL_M) -> DistanceField:
    """Return signed distances to the polygons over the bounds and around them; beyond the bounds all is solid."""
    low_x, low_z, high_x, high_z = environment.bounds
    columns = math.ceil((high_x - low_x + 2.0 * MARGIN_M) / cell_m) + 2
    rows = math.ceil((high_z - low_z + 2.0 * MARGIN_M) / cell_m) + 2
    distance = np.empty((columns, rows), dtype=np.float32)
    edges = Edges.of(environment.polygons)
    fill_distances(low_x - MARGIN_M, low_z - MARGIN_M, cell_m, np.hstack([edges.start, edges.end]), distance)
    xs = low_x - MARGIN_M + cell_m * np.arange(columns)
    zs = low_z - MARGIN_M + cell_m * np.arange(rows)
    inside = np.minimum(np.minimum(xs - low_x, high_x - xs)[:, None], np.minimum(zs - low_z, high_z - zs)[None, :])
    np.minimum(distance, inside, out=distance, casting="same_kind")
    return DistanceField(low_x - MARGIN_M, low_z - MARGIN_M, cell_m, distance)
