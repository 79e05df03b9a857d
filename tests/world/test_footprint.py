"""Footprints: convex pieces that cover exactly what was asked for."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.errors import InvalidInput
from gambol.world.world import Footprint, Piece

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@st.composite
def star_shaped_outlines(draw: st.DrawFn) -> np.ndarray:
    """Corners at increasing angles around the origin, at any distances: mostly not convex, never crossing."""
    count = draw(st.integers(3, 14))
    angles = 2.0 * math.pi * (np.arange(count) + draw(st.floats(0.0, 0.5))) / count
    distances = np.array(draw(st.lists(st.floats(0.3, 4.0), min_size=count, max_size=count)))
    outline = distances[:, None] * np.stack((np.cos(angles), np.sin(angles)), axis=1)
    return outline[::-1] if draw(st.booleans()) else outline


@settings(max_examples=150, deadline=None)
@given(star_shaped_outlines())
def test_the_pieces_of_a_polygon_cover_it_and_nothing_else(outline: np.ndarray) -> None:
    pieces = [shapely.Polygon(piece.corners) for piece in Footprint.polygon(outline).pieces]
    whole = shapely.Polygon(outline)
    assert shapely.union_all(pieces, grid_size=0.0).symmetric_difference(whole).area < 1e-7
    assert sum(piece.area for piece in pieces) == pytest.approx(whole.area, abs=1e-7)  # so they do not overlap


@settings(max_examples=150, deadline=None)
@given(star_shaped_outlines())
def test_every_piece_of_a_polygon_is_convex_and_runs_counter_clockwise(outline: np.ndarray) -> None:
    for piece in Footprint.polygon(outline).pieces:
        shape = shapely.Polygon(piece.corners)
        assert shape.exterior.is_ccw
        assert shape.convex_hull.area == pytest.approx(shape.area, rel=1e-9)


def test_a_convex_polygon_stays_one_piece() -> None:
    angles = np.linspace(0.0, 2.0 * math.pi, 9, endpoint=False)
    assert len(Footprint.polygon(np.stack((np.cos(angles), 2.0 * np.sin(angles)), axis=1)).pieces) == 1


def test_a_comb_is_cut_into_at_most_two_pieces_more_for_each_inward_corner() -> None:
    comb = [(0.0, 0.0), (20.0, 0.0)]
    for tooth in range(10, 0, -1):
        comb += [(2.0 * tooth, 3.0), (2.0 * tooth - 1.0, 3.0), (2.0 * tooth - 1.0, 1.0), (2.0 * tooth - 2.0, 1.0)]
    inward = 19  # two at the foot of every tooth but the outermost, which has one
    assert len(Footprint.polygon(comb).pieces) <= 2 * inward + 1  # Hertel and Mehlhorn's guarantee


def test_a_notch_too_small_to_see_does_not_bend_a_piece() -> None:
    notched = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.500005, 1.0], [0.5, 1.0 - 1e-6], [0.499995, 1.0], [0.0, 1.0]]
    for piece in Footprint.polygon(notched).pieces:
        along = np.roll(piece.corners, -1, axis=0) - piece.corners
        after = np.roll(along, -1, axis=0)
        assert np.all(along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0] > 0.0)


@settings(max_examples=60, deadline=None)
@given(
    star_shaped_outlines(),
    st.tuples(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0), st.floats(-7.0, 7.0)),
)
def test_a_placed_footprint_is_turned_about_its_origin_then_moved(
    outline: np.ndarray, pose: tuple[float, float, float]
) -> None:
    x, y, heading = pose
    turned = shapely.affinity.rotate(shapely.Polygon(outline), heading, origin=(0.0, 0.0), use_radians=True)
    expected = shapely.affinity.translate(turned, x, y)
    assert Footprint.polygon(outline).region(pose).symmetric_difference(expected).area < 1e-6


def test_length_lies_along_the_heading_and_width_across() -> None:
    region = Footprint.box(4.0, 1.0).region((10.0, 0.0, math.pi / 2.0))
    np.testing.assert_allclose(region.bounds, (9.5, -2.0, 10.5, 2.0), atol=1e-12)


def test_a_disc_is_a_rounded_point() -> None:
    (piece,) = Footprint.disc(0.7).placed((1.0, 2.0, 3.0))
    np.testing.assert_allclose(piece.corners, [[1.0, 2.0]])
    assert piece.radius_m == 0.7


@settings(max_examples=60, deadline=None)
@given(star_shaped_outlines())
def test_the_reach_is_the_distance_of_the_farthest_point(outline: np.ndarray) -> None:
    assert Footprint.polygon(outline).reach_m == pytest.approx(np.linalg.norm(outline, axis=1).max(), abs=1e-6)


def test_the_reach_of_a_rounded_piece_includes_the_rounding() -> None:
    assert Footprint((Piece(np.array([[3.0, 0.0], [0.0, 4.0]]), 0.5),)).reach_m == 4.5


def test_corners_are_kept_apart_from_the_caller_s_array() -> None:
    corners = SQUARE.copy()
    footprint = Footprint((Piece(corners, 0.0),))
    corners[0] = 99.0
    assert footprint.pieces[0].corners[0, 0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        footprint.pieces[0].corners[0] = 1.0


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        ([[0, 0], [1, 1]], "at least three"),
        ([[0, 0], [1, 1], [1, 0], [0, 1]], "cross"),
        ([[0, 0], [1, 0], [2, 0]], "area"),
        ([[0, 0], [1, 0], [np.nan, 1]], "finite"),
        ([[0, 0, 0], [1, 0, 0], [1, 1, 0]], "corners"),
    ],
)
def test_a_polygon_that_is_none_is_refused(corners: list[list[float]], says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        Footprint.polygon(corners)


@pytest.mark.parametrize(
    ("piece", "says"),
    [
        (Piece(SQUARE[::-1], 0.0), "counter-clockwise"),
        (Piece(np.array([[0.0, 0.0], [2.0, 0.0], [1.0, 0.2], [1.0, 2.0]]), 0.0), "convex"),
        (Piece(SQUARE[[0, 2, 1, 3]], 0.0), "convex"),
        (Piece(np.concatenate((SQUARE, SQUARE)), 0.0), "convex"),  # twice around
        (Piece(SQUARE, -0.1), "negative"),
        (Piece(SQUARE + np.inf, 0.0), "finite"),
        (Piece(np.zeros((0, 2)), 1.0), "corners"),
    ],
)
def test_a_piece_that_is_none_is_refused(piece: Piece, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        Footprint((piece,))


def test_a_footprint_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidInput, match="at least one piece"):
        Footprint(())


@pytest.mark.parametrize("size_m", [0.0, -1.0, 1e-4, math.nan, math.inf])
def test_sizes_that_are_mistakes_are_refused(size_m: float) -> None:
    for make in (
        lambda: Footprint.box(size_m, 1.0),
        lambda: Footprint.box(1.0, size_m),
        lambda: Footprint.disc(size_m),
    ):
        with pytest.raises(InvalidInput, match="at least 1 mm"):
            make()
