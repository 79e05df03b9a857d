"""The potential of a goal: occupancy by area, distances by hand, look-ups between cells."""

from __future__ import annotations

import heapq

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.climb.kernels.potential import NO_WAY
from gambol.climb.potential import ControlPotential, OccupancyMap, Potential
from gambol.errors import InvalidInput
from gambol.world import Environment


def rectangle(low_x, low_z, high_x, high_z):
    return [(low_x, low_z), (high_x, low_z), (high_x, high_z), (low_x, high_z)]


def by_dijkstra(free, goal, cell):
    """Distances over free cells side by side, the slow way."""
    distance = np.full(free.shape, NO_WAY)
    distance[goal] = 0.0
    heap = [(0.0, goal)]
    while heap:
        far, (i, j) = heapq.heappop(heap)
        if far > distance[i, j]:
            continue
        for k, m in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
            if 0 <= k < free.shape[0] and 0 <= m < free.shape[1] and free[k, m] and far + cell < distance[k, m] - 1e-9:
                distance[k, m] = far + cell
                heapq.heappush(heap, (far + cell, (k, m)))
    return distance


def test_a_cell_is_free_where_more_than_half_of_it_is():
    polygons = [rectangle(0.0, 0.0, 0.49, 1.0), rectangle(1.0, 0.0, 1.51, 1.0), [(2.0, 0.0), (3.0, 0.0), (2.0, 1.0)]]
    free = OccupancyMap.of(Environment((0.0, 0.0, 4.0, 1.0), polygons), 1.0).free
    assert free[:, 0].tolist() == [True, False, False, True]  # of the third just half is free: not more


def test_polygons_that_overlap_count_once():
    polygons = [rectangle(0.0, 0.0, 0.4, 1.0), rectangle(0.0, 0.0, 0.4, 0.9)]
    assert OccupancyMap.of(Environment((0.0, 0.0, 1.0, 1.0), polygons), 1.0).free[0, 0]


def test_what_a_last_cell_has_beyond_the_bounds_is_not_free():
    assert OccupancyMap.of(Environment((0.0, 0.0, 1.4, 1.0), []), 1.0).free[:, 0].tolist() == [True, False]
    assert OccupancyMap.of(Environment((0.0, 0.0, 1.6, 1.0), []), 1.0).free[:, 0].tolist() == [True, True]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.floats(0.0, 3.0), st.floats(0.0, 2.0), st.floats(0.1, 1.2), st.floats(0.1, 1.2)]), max_size=5
    ),
    st.floats(0.0, 3.0),
    st.floats(0.0, 2.0),
)
def test_distances_are_those_of_dijkstra_and_areas_those_of_fine_samples(boxes, x, z):
    polygons = [rectangle(a, b, a + c, b + d) for a, b, c, d in boxes]
    environment = Environment((0.0, 0.0, 3.0, 2.0), polygons)
    cell = 0.25
    occupancy = OccupancyMap.of(environment, cell)
    fine = (np.arange(25) + 0.5) / 25 * cell
    solid = shapely.union_all([shapely.box(a, b, a + c, b + d) for a, b, c, d in boxes])
    for i, j in np.ndindex(occupancy.free.shape):
        inside = shapely.contains_xy(solid, i * cell + fine[:, None], j * cell + fine[None, :]).mean()
        if abs(inside - 0.5) > 0.05:
            assert occupancy.free[i, j] == (inside < 0.5)
    goal = min(int(x / cell), occupancy.free.shape[0] - 1), min(int(z / cell), occupancy.free.shape[1] - 1)
    distance = occupancy.distances(x, z)
    if occupancy.free[goal]:
        np.testing.assert_allclose(distance, by_dijkstra(occupancy.free, goal, cell), rtol=1e-6)
    elif occupancy.free.any():
        assert np.count_nonzero(distance == 0.0) == 1
        assert occupancy.free[np.unravel_index(np.argmin(distance), distance.shape)]
    else:
        assert np.all(distance == NO_WAY)


def test_the_way_round_a_wall_is_longer_than_the_straight_one():
    wall = Environment((0.0, 0.0, 4.0, 2.0), [rectangle(1.9, 0.0, 2.1, 1.5)])
    potential = Potential.of(wall, 3.05, 0.05)
    assert Potential.of(Environment((0.0, 0.0, 4.0, 2.0), []), 3.05, 0.05).at(1.05, 0.05) == pytest.approx(2.0)
    assert potential.at(1.05, 0.05) == pytest.approx(2.0 + 2 * 1.5)


def test_where_no_way_leads_there_is_no_number():
    shut = Potential.of(Environment((0.0, 0.0, 4.0, 2.0), [rectangle(1.9, 0.0, 2.1, 2.0)]), 3.05, 0.05)
    assert shut.at(1.0, 1.0) == NO_WAY
    assert shut.at(3.0, 1.0) < NO_WAY
    assert shut.at(-5.0, 1.0) == NO_WAY
    assert shut.at(2.0, 1.0) == NO_WAY  # deep in the wall
    # Beside it, what is on the goal's side counts, with the distance to it.
    assert shut.at(2.12, 0.25) == pytest.approx(shut.at(2.15, 0.25) + 0.03)


def test_between_four_free_cells_it_is_bilinear():
    table = Potential.of(Environment((0.0, 0.0, 1.0, 1.0), []), 0.05, 0.05)
    assert table.at(0.35, 0.55) == pytest.approx(0.8)
    assert table.at(0.37, 0.58) == pytest.approx(0.85)


def test_several_control_points_add_up_each_to_its_own_goal():
    environment = Environment((0.0, 0.0, 4.0, 2.0), [rectangle(1.9, 0.0, 2.1, 1.5)])
    goals = [(3.05, 0.05), (0.55, 1.25)]
    points = [(0.4, 0.3), (3.3, 0.7)]
    both = ControlPotential.of(environment, goals)
    alone = [Potential.of(environment, *goal).at(*point) for goal, point in zip(goals, points, strict=True)]
    assert both.at(points) == pytest.approx(sum(alone))
    assert both.at([points[0], (2.0, 0.5)]) == NO_WAY


def test_a_goal_outside_the_bounds_is_refused():
    environment = Environment((0.0, 0.0, 1.0, 1.0), [])
    with pytest.raises(InvalidInput, match="outside the bounds"):
        Potential.of(environment, 3.0, 0.5)
    with pytest.raises(InvalidInput, match="shape"):
        ControlPotential.of(environment, [])
