"""Descent of a figure that holds nothing: control points towards their goals [KP00 3.2, figures 4 and 6]."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.climb.figure import FigureTable
from gambol.climb.kernels.field import DistanceField
from gambol.climb.kernels.kinematics import place
from gambol.climb.kernels.potential import ControlTable, control_potential
from gambol.climb.kernels.steps import EVENLY, motion_is_clear, vary
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.kernels.jit import kernel


@kernel
def free_potential(
    figure: FigureTable,
    control: ControlTable,
    chosen: Int32Array,
    facing: float,
    q: FloatArray,
    points: FloatArray,
    places: FloatArray,
) -> float:
    """Return the sum of the distances of chosen points (P,) of a figure to their goals.

    points, places: (12, 2) and (P, 2), to work in.
    """
    place(figure, facing, q, points)
    for index in range(len(chosen)):
        places[index, 0] = points[chosen[index], 0]
        places[index, 1] = points[chosen[index], 1]
    return control_potential(control, places)


@kernel
def descend_freely(
    figure: FigureTable,
    field: DistanceField,
    control: ControlTable,
    chosen: Int32Array,
    facing: float,
    q: FloatArray,
    grasps: Int32Array,
    targets: FloatArray,
    widths: FloatArray,
    samples: int,
    margin: float,
    least_decrease: float,
    state: NDArray[np.uint64],
    out: FloatArray,
) -> int:
    """Write steps of descent to out (N, 12), until a local minimum; return how many.

    Of each step's samples the one with the largest decrease that nothing is in the way of is taken.
    """
    trial, best, here = np.empty(12), np.empty(12), q.copy()
    points, places = np.empty((12, 2)), np.empty((len(chosen), 2))
    value = free_potential(figure, control, chosen, facing, here, points, places)
    for count in range(len(out)):
        least = value - least_decrease
        better = False
        for _ in range(samples):
            if not vary(figure, facing, here, grasps, targets, widths, 1.0, EVENLY, state, trial):
                continue
            new = free_potential(figure, control, chosen, facing, trial, points, places)
            if new < least and motion_is_clear(figure, field, facing, here, trial, grasps, targets, margin):
                least = new
                best[:] = trial
                better = True
        if not better:
            return count
        value = least
        here[:] = best
        out[count] = best
    return len(out)
