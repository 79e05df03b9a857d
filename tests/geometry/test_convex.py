from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.geometry.kernels.convex import point_to_convex

numbers = st.floats(-5.0, 5.0, width=32)
points = st.tuples(numbers, numbers)


def distance(corners, point) -> float:
    """Ask for corners in the middle of longer arrays, so that a look beyond the range shows."""
    padded = np.full((len(corners) + 5, 2), np.nan)
    padded[3:-2] = corners
    return point_to_convex(padded[:, 0].copy(), padded[:, 1].copy(), 3, 3 + len(corners), *point)


def hull(corners) -> np.ndarray:
    """Return the corners of the convex hull counter-clockwise: one, two or more."""
    shape = shapely.convex_hull(shapely.MultiPoint(corners))
    if isinstance(shape, shapely.Polygon):
        return np.asarray(shapely.orient_polygons(shape).exterior.coords)[:-1]  # type: ignore[union-attr]
    return np.asarray(shape.coords)


@settings(deadline=None)
@given(st.lists(points, min_size=1, max_size=12), points)
def test_the_distance_to_a_point_segment_or_polygon_is_that_of_shapely(corners, point):
    shape = shapely.convex_hull(shapely.MultiPoint(corners))
    assert distance(hull(corners), point) == pytest.approx(shapely.distance(shape, shapely.Point(point)), abs=1e-9)


@settings(deadline=None)
@given(st.lists(points, min_size=3, max_size=12), points, st.data())
def test_corners_that_repeat_change_nothing(corners, point, data):
    outline = hull(corners)
    twice = data.draw(st.integers(0, len(outline) - 1))
    repeated = np.insert(outline, twice, outline[twice], axis=0)
    assert distance(repeated, point) == pytest.approx(distance(outline, point), abs=1e-9)


def test_a_polygon_flattened_to_a_line_is_a_segment():
    flat = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    assert distance(flat, (5.0, 0.0)) == pytest.approx(3.0)
    assert distance(flat, (1.5, 0.0)) == 0.0
    assert distance(flat, (1.0, -0.5)) == pytest.approx(0.5)


def test_the_middle_of_a_polygon_is_at_distance_zero():
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
    assert distance(square, (1.0, 1.0)) == 0.0
    assert distance(square, (3.0, 3.0)) == pytest.approx(np.sqrt(2.0))
