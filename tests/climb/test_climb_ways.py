"""Ways between postures: what is solid is met by no link, at no sample and between none."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.climb_cases import box

from gambol.climb.environment_table import distance_field
from gambol.climb.figure import FREE, Figure, FigureTable
from gambol.climb.kernels.chance import chance_state
from gambol.climb.kernels.connect import STEP_M, STEP_RAD, arc_way, straight_way, tree_way
from gambol.climb.kernels.field import DistanceField
from gambol.judges import Solids, capsules_of, points_of
from gambol.world import Environment

FloatArray = NDArray[np.float64]
Common = tuple[FigureTable, DistanceField, float, FloatArray, NDArray[np.int32], FloatArray, float]

FIGURE = Figure()
PALM = 5  # the left one's place among the points
MARGIN_M = 0.006
ENTRY_M = 0.001  # as the judge allows
#: An arm held out, and all that carries the hand up in one step, while a leg keeps its direction.
BEFORE = np.array([0.0, 2.0, 0.3, 0.0, 1.4, 0.1, 0.0, 0.1, 0.5, 0.6, 0.1, 0.1])
STEP = 0.99 * np.array([0.0, STEP_M, -STEP_RAD, 0.0, STEP_RAD, STEP_RAD, 0.0, 0.0, -STEP_RAD, 0.0, 0.0, 0.0])


def palm_at(q: FloatArray) -> FloatArray:
    return points_of(FIGURE, np.ones(1), q[None])[0, PALM]


def peg_at(x: float, z: float) -> Environment:
    """Return free space with a peg in it, two centimetres across."""
    return Environment((-3.0, -1.0, 3.0, 5.0), [box(x - 0.01, z - 0.01, x + 0.01, z + 0.01)], [])


def common(environment: Environment) -> Common:
    """Return what all kernels take: nothing is held, and nothing asked but clearance."""
    nothing = np.full(4, FREE, dtype=np.int32)
    span = np.array([-np.inf, np.inf, np.inf])
    return FIGURE.table, distance_field(environment), 1.0, np.zeros((4, 2)), nothing, span, MARGIN_M


def least_clearance(environment: Environment, start: FloatArray, way: FloatArray) -> float:
    """Return how near links come to what is solid on all of a way: exactly, and between its samples too."""
    samples = np.vstack([start, way])
    shares = np.linspace(0.0, 1.0, 17)[:, None]
    dense = np.concatenate([a + shares * (b - a) for a, b in pairwise(samples)])
    capsules = capsules_of(FIGURE, points_of(FIGURE, np.ones(len(dense)), dense))
    radii = np.broadcast_to(capsules.radii, capsules.starts.shape[:2])
    solids = Solids(environment.polygons)
    return float(solids.clearances(capsules.starts.reshape(-1, 2), capsules.ends.reshape(-1, 2), radii.ravel()).min())


@pytest.fixture(scope="module")
def peg() -> Environment:
    return peg_at(*palm_at(BEFORE + 0.5 * STEP))


def test_a_step_with_a_peg_in_its_middle_is_blocked(peg: Environment) -> None:
    """All joints turn by what one step allows, which carries the hand past the peg: both samples are clear."""
    way = np.empty((20, 12))
    after = BEFORE + STEP
    assert least_clearance(peg, BEFORE, BEFORE[None]) > MARGIN_M < least_clearance(peg, after, after[None])
    assert straight_way(*common(peg), BEFORE, after, way) == -1
    assert straight_way(*common(peg_at(-2.0, 0.0)), BEFORE, after, way) == 1


def test_an_arc_of_a_foot_is_blocked_by_what_a_hand_goes_through() -> None:
    """The foot goes by no more than a step allows between two samples, while the hand is carried much farther."""
    after = BEFORE + 8.0 * STEP
    foot = 2, 0.0, 0.0, 0.0, 0.0
    way = np.empty((20, 12))
    assert arc_way(*common(peg_at(-2.0, 0.0)), *foot, BEFORE, after, way) == 8
    met = palm_at(0.5 * (way[3] + way[4]))
    assert arc_way(*common(peg_at(*met)), *foot, BEFORE, after, way) == -1


def test_a_tree_grows_around_a_peg_and_never_through_it(peg: Environment) -> None:
    way = np.empty((600, 12))
    start, end = BEFORE - 1.5 * STEP, BEFORE + 2.5 * STEP
    clear = []
    for seed in range(30):
        count = tree_way(*common(peg), start, end, 600, chance_state(seed), way)
        if count > 0:
            clear.append(least_clearance(peg, start, way[:count]))
    assert len(clear) > 20
    assert min(clear) >= -ENTRY_M
