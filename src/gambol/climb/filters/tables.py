"""What the filters look up: the figure, the field of distances and where limbs come when they hold."""

from __future__ import annotations

from typing import NamedTuple

from gambol.climb.environment_table import distance_field, grasp_table
from gambol.climb.figure import FigureTable
from gambol.climb.kernels.field import DistanceField
from gambol.climb.problem import ClimbProblem
from gambol.geometry.arrays import FloatArray, Int32Array


class FilterTables(NamedTuple):
    """A problem's tables for kernels."""

    figure: FigureTable
    field: DistanceField
    anchor: FloatArray  # (2, G, 2, 2) as in GraspTable
    surface: Int32Array  # (G,)


def filter_tables(problem: ClimbProblem) -> FilterTables:
    grasps = grasp_table(problem.environment, problem.figure)
    return FilterTables(problem.figure.table, distance_field(problem.environment), grasps.anchor, grasps.surface)
