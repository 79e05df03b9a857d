"""What triangles and strokes cover in the core, sample by sample, by whole numbers and by rays."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.pictures.camera import Camera, make_view
from gambol.pictures.samples import SNAP, Samples, View, draw_strokes, draw_triangles

#: Samples are world coordinates: x to the right, y down, z away.
FLAT = make_view((0.0, 0.0, 0.0), np.eye(3), 1.0, center=(0.0, 0.0), near_m=0.0, is_perspective=False)
rounded = st.floats(-4.0, 16.0).map(lambda value: math.floor(value * SNAP + 0.5) / SNAP)


def drawn(view: View, triangles: np.ndarray, rows: int, columns: int) -> Samples:
    """Draw triangles (T, 3, 3)."""
    samples = Samples.empty(rows, columns)
    corners = np.arange(3 * len(triangles), dtype=np.int32).reshape(-1, 3)
    draw_triangles(view, np.array(triangles, dtype=np.float64).reshape(-1, 3), corners, samples)
    return samples


def cast(view: View, triangles: np.ndarray, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Find the nearest triangle by one ray a sample; return depths, numbers and where rounding may decide."""
    y, x = np.mgrid[:rows, :columns] + 0.5
    axes = np.array([view.right, view.down, view.forward])
    side = np.stack(((x - view.center_x) / view.focal, (y - view.center_y) / view.focal, np.ones_like(x)), axis=-1)
    depths, numbers = np.full((rows, columns), np.inf), np.full((rows, columns), -1)
    doubtful = np.zeros((rows, columns), dtype=bool)
    for number, (a, b, c) in enumerate(triangles):
        matrix = np.linalg.inv(np.column_stack((b - a, c - a, np.array(view.eye) - a)))
        # eye + t d = a + u (b - a) + v (c - a), solved for u / t, v / t and -1 / t.
        u, v, w = np.moveaxis(side @ axes @ matrix.T, -1, 0)
        with np.errstate(all="ignore"):
            depth, u, v = -1.0 / w, -u / w, -v / w
        margin = np.minimum(np.minimum(u, v), 1.0 - u - v)
        hit = (margin >= 0.0) & (depth >= view.near_m)
        doubtful |= (np.abs(margin) < 0.02) | (np.abs(depth - view.near_m) < 0.01)
        doubtful |= hit & np.isfinite(depths) & (np.abs(depth - depths) < 1e-3)
        nearer = hit & (depth < depths)
        depths[nearer], numbers[nearer] = depth[nearer], number
    return depths, numbers, doubtful


@given(st.lists(st.tuples(rounded, rounded), min_size=3, max_size=3))
@settings(max_examples=200, deadline=None)
def test_a_triangle_covers_exactly_the_samples_in_it_and_on_its_edges(corners):
    _, numbers = drawn(FLAT, np.array([[(x, y, 1.0) for x, y in corners]]), 12, 12)
    (ax, ay), (bx, by), (cx, cy) = (tuple(int(value * SNAP) for value in corner) for corner in corners)
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    for row in range(12):
        for column in range(12):
            px, py = int((column + 0.5) * SNAP), int((row + 0.5) * SNAP)
            edges = (
                (bx - ax) * (py - ay) - (by - ay) * (px - ax),
                (cx - bx) * (py - by) - (cy - by) * (px - bx),
                (ax - cx) * (py - cy) - (ay - cy) * (px - cx),
            )
            inside = area != 0 and all(edge * area >= 0 for edge in edges)
            assert (numbers[row, column] == 0) == inside


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_the_rasteriser_agrees_with_a_ray_for_every_sample(seed):
    rng = np.random.default_rng(seed)
    triangles = rng.normal(scale=2.0, size=(int(rng.integers(1, 9)), 3, 3))  # around, before and behind the eye
    view = Camera(tuple(rng.normal(size=3)), tuple(rng.normal(size=3)), 1.2).view((24, 18))
    nearness, numbers = drawn(view, triangles, 18, 24)
    depths, expected, doubtful = cast(view, triangles, 18, 24)
    sure = ~doubtful
    np.testing.assert_array_equal(numbers[sure], expected[sure])
    seen = sure & (expected >= 0)
    # Corners are rounded to 1/256 of a sample, which tilts steep triangles a little.
    np.testing.assert_allclose(1.0 / nearness[seen], depths[seen], rtol=0.05)


def test_depth_is_that_of_the_plane_at_each_sample():
    triangle = np.array([[(0.0, 0.0, 2.0), (16.0, 0.0, 10.0), (0.0, 16.0, 6.0)]])
    nearness, numbers = drawn(FLAT, triangle, 12, 12)
    row, column = np.nonzero(numbers == 0)
    expected = 2.0 + 8.0 * (column + 0.5) / 16.0 + 4.0 * (row + 0.5) / 16.0
    np.testing.assert_allclose(-nearness[row, column], expected, rtol=1e-6)


def test_two_halves_of_a_square_leave_no_gap():
    rng = np.random.default_rng(1)
    for _ in range(50):
        a, b, c, d = rng.uniform(0, 12, (4, 3)) * (1.0, 1.0, 0.0) + (0.0, 0.0, 1.0)
        whole = drawn(FLAT, np.array([[a, b, c], [a, c, d]]), 12, 12)[1] >= 0
        either = (drawn(FLAT, np.array([[a, b, c]]), 12, 12)[1] >= 0) | (
            drawn(FLAT, np.array([[c, a, d]]), 12, 12)[1] >= 0
        )
        np.testing.assert_array_equal(whole, either)


def test_a_stroke_covers_what_is_within_half_its_width():
    samples = Samples.empty(12, 16)
    start, end = np.array([[3.0, 3.0, 2.0]]), np.array([[12.0, 8.0, 2.0]])
    draw_strokes(FLAT, start, end, np.array([1.5]), 7, 0.0, samples)
    y, x = np.mgrid[:12, :16] + 0.5
    along = end[0, :2] - start[0, :2]
    t = np.clip(((x - 3.0) * along[0] + (y - 3.0) * along[1]) / (along @ along), 0.0, 1.0)
    distance = np.hypot(x - 3.0 - t * along[0], y - 3.0 - t * along[1])
    np.testing.assert_array_equal(samples.numbers == 7, distance <= 1.5)
