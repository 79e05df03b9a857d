"""Distance fields in the core, against shortest ways in a graph of corners."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from gambol.core import lib, pointer

FAR = 1e18


def spread(closed: np.ndarray, field: np.ndarray) -> np.ndarray:
    """Return a field spread by the core."""
    found, (rows, columns) = field.copy(), field.shape
    rings = np.empty((3, 8 * rows * columns + 8), np.int32)
    lib.gb_field_spread(
        pointer(closed, "uint8_t"), rows, columns, pointer(found, "double"), pointer(rings, "int32_t")
    )  # fmt: skip
    return found


def ways_between_corners(closed: np.ndarray) -> coo_array:
    """Return the edges: along the sides of open cells, and across these."""
    rows, columns = closed.shape
    edges: dict[tuple[int, int], float] = {}
    for row, column in np.argwhere(~closed).tolist():
        corners = [(row + down) * (columns + 1) + column + right for down in (0, 1) for right in (0, 1)]
        for (a, one), (b, other) in itertools.permutations(enumerate(corners), 2):
            edges[one, other] = math.sqrt(2.0) if a + b == 3 else 1.0
    ends = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
    size = (rows + 1) * (columns + 1)
    return coo_array((list(edges.values()), ends.T), shape=(size, size))


@pytest.mark.parametrize("seed", range(12))
def test_distances_are_those_of_shortest_ways_along_and_across_open_cells(seed: int):
    rng = np.random.default_rng(seed)
    closed = rng.random(tuple(rng.integers(1, 20, 2))) < rng.choice([0.0, 0.2, 0.5])
    field = np.full((closed.shape[0] + 1, closed.shape[1] + 1), FAR)
    sources = rng.choice(field.size, min(3, field.size), replace=False)
    field.flat[sources] = rng.uniform(0.0, 2.0, len(sources))
    from_each = dijkstra(ways_between_corners(closed).tocsr(), indices=sources)
    expected = (from_each + field.flat[sources][:, None]).min(axis=0).reshape(field.shape)
    found = spread(closed, field)
    assert np.array_equal(found == FAR, np.isinf(expected))
    assert np.allclose(found[found < FAR], expected[found < FAR], rtol=0, atol=1e-9)


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-2.0, 12.0), st.floats(-2.0, 9.0))
def test_within_a_cell_the_way_is_that_of_a_corner_less_the_distance_from_it(seed: int, u: float, v: float):
    field = np.random.default_rng(seed).uniform(0.0, 30.0, (8, 11))
    found = lib.gb_field_way_left(pointer(field, "double"), 8, 11, u, v)
    if not (0.0 <= u < 10.0 and 0.0 <= v < 7.0):
        assert found == FAR
        return
    corners = [(int(v) + down, int(u) + right) for down in (0, 1) for right in (0, 1)]
    ways = [field[row, column] - math.hypot(u - column, v - row) for row, column in corners]
    assert found == pytest.approx(max(0.0, *ways), abs=1e-12)
