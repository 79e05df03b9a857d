"""Groups and boxes of spans, and hulls, that the core makes, against a few lines of Python."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from gambol.world.hull import convex_hull, hull_area, hull_fits
from gambol.world.mesh_spans import SpanList, Spans, absorb_splinters, cover_with_boxes, group_spans, merge_spans

ROWS, COLUMNS = 8, 7


def some_spans(seed: int) -> tuple[Spans, np.ndarray]:
    """Return spans of few different heights, up to two above each other, and their cells."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 3, ROWS * COLUMNS)
    cells = np.repeat(np.arange(ROWS * COLUMNS), counts)
    bottoms = np.round(rng.uniform(0.0, 0.3, len(cells)), 1)
    tops = np.round(bottoms + rng.uniform(0.2, 0.6, len(cells)), 1)
    return Spans(np.append(0, np.cumsum(counts)), bottoms, tops, ROWS, COLUMNS), cells


@pytest.mark.parametrize("gap_m", [0.0, 0.15, 3.0])
def test_spans_of_a_cell_merge_over_gaps(gap_m: float) -> None:
    rng = np.random.default_rng(4)
    cells = np.sort(rng.integers(0, 12, 60))
    bottoms = rng.uniform(0.0, 4.0, 60)
    bottoms = bottoms[np.lexsort((bottoms, cells))]
    tops = bottoms + rng.uniform(0.0, 0.5, 60)
    given = SpanList(cells.copy(), bottoms.copy(), tops.copy())
    spans, merged = merge_spans(given, gap_m)
    expected: list[list[float]] = []
    for cell, bottom, top in zip(*given, strict=True):
        if expected and expected[-1][0] == cell and bottom <= expected[-1][2] + gap_m:
            expected[-1][2] = max(expected[-1][2], top)
        else:
            expected.append([cell, bottom, top])
    assert np.column_stack(spans).tolist() == expected
    np.testing.assert_array_equal(spans.cells[merged], cells)
    assert (spans.bottoms[merged] <= bottoms).all()
    assert (spans.tops[merged] >= tops).all()
    np.testing.assert_array_equal(given.tops, tops)  # what was given stays


@pytest.mark.parametrize("seed", range(10))
def test_groups_hang_together_and_are_alike(seed: int) -> None:
    (spans, cells), tolerance_m = some_spans(seed), 0.25
    groups = group_spans(spans, tolerance_m)
    assert sorted(set(groups.tolist())) == list(range(groups.max() + 1))
    row, column = np.divmod(cells, COLUMNS)
    for group in range(groups.max() + 1):
        members = np.flatnonzero(groups == group)
        assert np.ptp(spans.bottoms[members]) <= tolerance_m
        assert np.ptp(spans.tops[members]) <= tolerance_m
        steps = np.abs(row[members, None] - row[members]) + np.abs(column[members, None] - column[members])
        reached = np.arange(len(members)) == 0
        for _ in members:
            reached = (reached[:, None] & (steps <= 1)).any(axis=0)
        assert len(members) == 1 or reached.sum() >= len(set(cells[members].tolist()))
        others = np.flatnonzero(groups > group)  # made later: none of them could have joined at the end
        for other in others[
            (np.abs(row[others, None] - row[members]) + np.abs(column[others, None] - column[members]) == 1).any(axis=1)
        ]:
            joined = np.append(members, other)
            assert np.ptp(spans.bottoms[joined]) > tolerance_m or np.ptp(spans.tops[joined]) > tolerance_m


@pytest.mark.parametrize(("seed", "most_cells"), [(0, 1), (1, 2), (2, 4), (3, 8), (4, 100), (5, 0)])
def test_small_groups_join_the_largest_around_them_that_fills_their_heights(seed: int, most_cells: int) -> None:
    (spans, cells), tolerance_m = some_spans(seed), 0.25
    groups = group_spans(spans, tolerance_m)
    absorbed = absorb_splinters(spans, groups, tolerance_m, most_cells)
    sizes = np.bincount(groups)
    row, column = np.divmod(cells, COLUMNS)
    for span, own in enumerate(groups):
        around = groups[(np.abs(row - row[span]) <= 1) & (np.abs(column - column[span]) <= 1)]
        fits = {
            group: sizes[group]
            for group in around.tolist()
            if sizes[group] > most_cells
            and spans.bottoms[span] >= spans.bottoms[groups == group].min() - tolerance_m
            and spans.tops[span] <= spans.tops[groups == group].max() + tolerance_m
        }
        if sizes[own] > most_cells or not fits:
            assert absorbed[span] == own
        else:
            assert fits[absorbed[span]] == max(fits.values())


@pytest.mark.parametrize("seed", range(10))
def test_boxes_hold_all_spans_and_begin_and_end_with_some(seed: int) -> None:
    (spans, cells), tolerance_m = some_spans(seed), 0.25
    row, column = np.divmod(cells, COLUMNS)
    held = np.zeros(len(cells), bool)
    for first_row, first_column, rows, columns, bottom, top in cover_with_boxes(spans, tolerance_m).tolist():
        inside = (row >= first_row) & (row < first_row + rows)
        inside &= (column >= first_column) & (column < first_column + columns)
        inside &= (spans.bottoms >= bottom) & (spans.tops <= top)
        assert len(set(cells[inside].tolist())) == rows * columns  # each cell has one
        assert spans.bottoms[inside].min() == bottom
        assert spans.tops[inside].max() == top
        seed_span = np.flatnonzero(~held)[0]
        assert (row[seed_span], column[seed_span]) == (first_row, first_column)
        held |= inside
    assert held.all()


def test_boxes_of_one_height_are_rectangles() -> None:
    cells = np.array([0, 1, 2, 7, 8, 9, 14, 21])
    starts = np.searchsorted(cells, np.arange(ROWS * COLUMNS + 1))
    boxes = cover_with_boxes(Spans(starts, np.zeros(8), np.ones(8), ROWS, COLUMNS), 0.1)
    assert boxes.tolist() == [[0, 0, 2, 3, 0, 1], [2, 0, 2, 1, 0, 1]]


@pytest.mark.parametrize("seed", range(20))
def test_a_hull_and_its_area_are_those_of_shapely(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.integers(-3, 4, (int(rng.integers(1, 15)), 2)).astype(float)
    points = points[np.lexsort((points[:, 1], points[:, 0]))]
    expected = shapely.MultiPoint(points).convex_hull
    hull = convex_hull(points)
    assert set(map(tuple, hull.tolist())) == set(map(tuple, shapely.get_coordinates(expected).tolist()))
    assert hull_area(points) == pytest.approx(expected.area)


@pytest.mark.parametrize("seed", range(20))
def test_a_hull_fits_where_all_middles_inside_are_allowed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(-1.0, 1.0, (6, 2))
    hull = convex_hull(points[np.lexsort((points[:, 1], points[:, 0]))])
    first_row, first_column, cell_m = -7, -6, 0.19
    rows, columns = np.mgrid[:14, :12]
    middles = shapely.points((first_column + columns + 0.5) * cell_m, (first_row + rows + 0.5) * cell_m)
    inside = shapely.contains(shapely.Polygon(hull), middles)
    assert hull_fits(hull, inside, first_row, first_column, cell_m)
    missing = np.argwhere(inside)[rng.integers(inside.sum())]
    inside[tuple(missing)] = False
    assert not hull_fits(hull, inside, first_row, first_column, cell_m)
