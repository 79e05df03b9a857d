"""What the core says that clips get over and under, how thin pieces are and how near cells are to them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from tests.support.coarse_cells import cells_of

from gambol.characters import load_character
from gambol.characters.action_table import action_table, actions_struct
from gambol.core import ffi, lib, pointer
from gambol.search.coarse_cells import CLOSED, OPEN
from gambol.world import Footprint, Obstacle
from gambol.world.pieces import pieces_of, struct_of_pieces


@pytest.mark.parametrize("name", ["human", "skateboarder", "horse"])
@pytest.mark.parametrize("thickness", [0.0, 0.2, 0.6])
def test_a_clip_gets_over_what_is_lower_than_all_parts_that_pass_it(name: str, thickness: float) -> None:
    character = load_character(name)
    table = action_table(character)
    for clip in np.random.default_rng(0).integers(len(table.duration), size=25):
        over, under = ffi.new("double *"), ffi.new("double *")
        lib.gb_clip_room_across(actions_struct(character).c, clip, thickness, over, under)
        samples = np.arange(table.clip_samples[clip], table.clip_samples[clip] + table.duration[clip] + 1)
        heading, radius, half = table.path[samples, 2, None], table.part_radius[samples], 0.5 * thickness
        ahead = table.path[samples, 0, None] + (
            np.cos(heading) * table.part_offset[samples, :, 0] - np.sin(heading) * table.part_offset[samples, :, 1]
        )
        there, low, high = table.part_high[samples] > table.part_low[samples], table.part_low, table.part_high
        begin, end = (ahead + radius)[0][there[0]].max(), (ahead - radius)[-1][there[-1]].min()
        lows, highs = [0.0], [math.inf]
        if table.displacement[clip, 0] > 0.0:
            highs = [max(0.0, high[samples].max())]
        place = begin + half
        while place + half <= end:
            touched = there & (np.abs(ahead - place) < radius + half)
            touched &= (np.abs(table.path[samples, 0] - place) <= table.outer_radius[samples] + half)[:, None]
            if touched.any():
                lows.append(low[samples][touched].min())
                highs.append(high[samples][touched].max())
            place += 0.05
        assert (over[0], under[0]) == pytest.approx((max(lows), min(highs)), abs=1e-12)


@pytest.mark.parametrize(
    ("footprint", "width"),
    [(Footprint.box(3.0, 0.4), 0.4), (Footprint.disc(0.7), 1.4), (Footprint.polygon([(0, 0), (4, 0), (0, 3)]), 2.4)],
)
def test_a_piece_is_as_thin_as_across_its_longest_side(footprint: Footprint, width: float) -> None:
    pieces = struct_of_pieces(pieces_of((Obstacle("thing", footprint, (1.0, 2.0, 0.0)),)))
    found, across = ffi.new("double[1]"), ffi.new("double[2]")
    lib.gb_pieces_thinnest(pieces.c, found, across)
    assert found[0] == pytest.approx(width)
    if width == 0.4:
        assert tuple(map(abs, across)) == (0.0, 1.0)


def test_cells_know_how_near_the_nearest_piece_is_and_what_it_is() -> None:
    rng = np.random.default_rng(2)
    things = tuple(
        Obstacle(
            f"thing {n}", Footprint.box(*rng.uniform(0.2, 1.5, 2)), (*rng.uniform(-0.5, 3.5, 2), rng.uniform(0, 6))
        )
        for n in range(6)
    )
    pieces = pieces_of(things)
    shape, window, reach = (30, 24), (3, 2, 28, 22), 0.5
    rows, columns = np.mgrid[window[0] : window[2], window[1] : window[3]]
    centres = shapely.points(0.1 * (columns + 0.5), 0.1 * (rows + 0.5))
    corners = [slice(*pieces.first_corner[piece : piece + 2]) for piece in range(6)]
    polygons = [shapely.Polygon(np.stack((pieces.corner_x[c], pieces.corner_y[c]), axis=1)) for c in corners]
    away = np.stack([shapely.distance(polygon, centres) for polygon in polygons])
    cells = cells_of(np.full(shape, 7, np.int32), np.full(shape, 7.0))
    distance, nearest = np.full(rows.shape, reach), np.full(rows.shape, OPEN, np.int32)
    chosen, part = np.arange(6), ffi.new("int64_t[4]", window)
    lib.gb_coarse_approach(
        cells.c, struct_of_pieces(pieces).c, pointer(chosen, "int64_t"), 6, reach, part, pointer(distance, "double"),
        pointer(nearest, "int32_t"),
    )  # fmt: skip
    np.testing.assert_allclose(distance, np.minimum(away.min(axis=0), reach), atol=1e-12)
    is_near = distance < reach
    assert (np.take_along_axis(away, np.maximum(nearest, 0)[None], 0)[0][is_near] <= distance[is_near] + 1e-12).all()
    assert (nearest[~is_near] == OPEN).all()
    to_closed = np.full(rows.shape, reach)
    lib.gb_coarse_tell_kinds(
        cells.c, part, 0.2, pointer(to_closed, "double"), pointer(distance, "double"), pointer(nearest, "int32_t")
    )
    inside = slice(window[0], window[2]), slice(window[1], window[3])
    x, y = 0.1 * (columns + 0.5), 0.1 * (rows + 0.5)
    room = np.minimum.reduce([to_closed, x, 2.4 - x, y, 3.0 - y])
    np.testing.assert_allclose(cells.kept["room"][inside], room, atol=1e-12)
    expected = np.where(room < 0.2, CLOSED, np.where(distance < 0.2, nearest, OPEN))
    np.testing.assert_array_equal(cells.kept["kind"][inside], expected)
    assert (np.delete(cells.kept["kind"], np.s_[3:28], axis=0) == 7).all()
