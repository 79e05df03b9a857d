"""Clearance and bins that the core lays out over a world, against shapely and brute force."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import shapely

from gambol.core import lib, pointer
from gambol.world import Footprint, Obstacle, Special, World, compile_world, pieces_of
from gambol.world.pieces import Pieces, bins_within, clearance_field, sort_into_bins
from gambol.world.standing import prepare, world_struct

BOUNDS = (-1.0, 2.0, 8.0, 15.0)
WIDE = (-1.0, 2.0, 21.0, 19.0)


def some_obstacles(seed: int, count: int) -> tuple[Obstacle, ...]:
    """Return boxes and discs inside the bounds and across them."""
    rng = np.random.default_rng(seed)
    footprints = [Footprint.box(*rng.uniform(0.1, 3.0, 2)) for _ in range(count)]
    footprints[::3] = [Footprint.disc(float(rng.uniform(0.1, 1.0))) for _ in footprints[::3]]
    places = rng.uniform((-2.0, 1.0, 0.0), (9.0, 16.0, 6.0), (count, 3))
    return tuple(
        Obstacle(f"thing {number}", *one) for number, one in enumerate(zip(footprints, map(tuple, places), strict=True))
    )


def distances(pieces: Pieces, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the distance to each piece (P, N), as shapely says."""
    found = []
    for piece in range(len(pieces.radius)):
        corners = slice(*pieces.first_corner[piece : piece + 2])
        core = shapely.MultiPoint(np.stack((pieces.corner_x[corners], pieces.corner_y[corners]), axis=1)).convex_hull
        found.append(shapely.distance(core, shapely.points(x, y)) - pieces.radius[piece])
    return np.array(found).reshape(-1, *x.shape)


@pytest.mark.parametrize(("seed", "count"), [(0, 0), (1, 1), (2, 12), (3, 40)])
def test_clearance_is_the_distance_to_the_nearest_piece_or_bound(seed: int, count: int) -> None:
    pieces, cell_m = pieces_of(some_obstacles(seed, count)), 0.15
    rows, columns = np.mgrid[:87, :60]
    x, y = BOUNDS[0] + (columns + 0.5) * cell_m, BOUNDS[1] + (rows + 0.5) * cell_m
    room = np.minimum.reduce([x - BOUNDS[0], BOUNDS[2] - x, y - BOUNDS[1], BOUNDS[3] - y])
    expected = np.minimum(room, distances(pieces, x, y).min(axis=0, initial=np.inf))
    np.testing.assert_allclose(clearance_field(pieces, BOUNDS, cell_m, 87, 60), expected, atol=1e-9)


@pytest.mark.parametrize(("seed", "count"), [(0, 0), (2, 12), (3, 60)])
def test_only_what_is_asked_for_is_laid_out_and_says_how_much_room_there_is(seed: int, count: int) -> None:
    world = World(WIDE, some_obstacles(seed, count))
    core, pieces = world_struct(world), pieces_of(world.obstacles)
    room, squares = core.kept["room"].kept["steps"], core.kept["squares"].kept["is_known"]
    assert not room.any()
    prepare(world, (1.0, 3.0, 2.0, 4.0))
    assert squares.sum() == 1
    rows, columns = np.nonzero(room)
    x, y = WIDE[0] + (columns + 0.5) * 0.1, WIDE[1] + (rows + 0.5) * 0.1
    assert (x.min(), x.max()) == pytest.approx((-0.95, 6.95))  # a square of eight metres
    inside = np.minimum.reduce([x - WIDE[0], WIDE[2] - x, y - WIDE[1], WIDE[3] - y])
    expected = np.minimum(inside, distances(pieces, x, y).min(axis=0, initial=np.inf))
    steps = np.clip(np.floor(expected / 0.0125) + 1, 1, 255)
    assert (
        np.abs(room[rows, columns] - steps) <= (np.abs(expected / 0.0125 - np.round(expected / 0.0125)) < 1e-6)
    ).all()
    prepare(world, WIDE)
    assert squares.all()
    assert room.all()


def test_what_is_around_poses_is_laid_out_as_if_asked_for_box_by_box() -> None:
    one, other = World(WIDE, some_obstacles(4, 20)), World(WIDE, some_obstacles(4, 20))
    poses = np.array([(0.0, 3.0, 0.5), (18.0, 17.0, 2.0)])
    lib.gb_world_prepare_around(world_struct(one).c, pointer(poses, "double"), len(poses), 1.5)
    for x, y, _ in poses.tolist():
        prepare(other, (x - 1.5, y - 1.5, x + 1.5, y + 1.5))
    known = [world_struct(world).kept["squares"].kept["is_known"] for world in (one, other)]
    assert 0 < known[0].sum() < known[0].size
    np.testing.assert_array_equal(*known)


@pytest.mark.parametrize("seed", range(4))
def test_where_nothing_is_laid_out_answers_are_the_same(seed: int) -> None:
    world, rng = World(WIDE, some_obstacles(seed, 50)), np.random.default_rng(seed)
    core = world_struct(world)
    asked = [(*rng.uniform(WIDE[:2], WIDE[2:]), float(r), 0.0, 1.0, int(rng.integers(-1, 50))) for r in rng.random(300)]
    before = [lib.gb_world_disc_is_free(core.c, *one) for one in asked]
    assert not core.kept["squares"].kept["is_known"].any()
    prepare(world, WIDE)
    assert before == [lib.gb_world_disc_is_free(core.c, *one) for one in asked]
    assert 0 < sum(before) < 300


@pytest.mark.parametrize("seed", range(5))
def test_bins_of_the_core_are_those_made_all_at_once(seed: int) -> None:
    world = World(WIDE, some_obstacles(seed, 40))
    core, table = world_struct(world), compile_world(world).bins
    prepare(world, (-1.0, 2.0, 0.0, 3.0))
    prepare(world, WIDE)
    bins = core.c.bins
    for number in range(table.rows * table.columns):
        entry, listed = bins.first_entry[number], slice(*table.first_entry[number : number + 2])
        found = []
        while bins.entries[entry].piece != lib.GB_NOTHING:
            found.append((bins.entries[entry].piece, bins.entries[entry].gap))
            entry += 1
        assert found == list(zip(table.piece[listed], table.gap[listed], strict=True))
    assert bins.count <= lib.gb_bins_room(core.c)


@pytest.mark.parametrize("seed", range(5))
def test_bins_list_each_piece_within_its_reach_and_know_the_gap_to_it(seed: int) -> None:
    pieces, rng = pieces_of(some_obstacles(seed, 20)), np.random.default_rng(seed)
    reaches = rng.uniform(-0.5, 2.0, len(pieces.radius))
    grid = (BOUNDS[0], BOUNDS[1], 0.5, 26, 18)
    where, which, gap = bins_within(pieces, reaches, grid)
    x, y = BOUNDS[0] + (np.arange(18 * 26) % 18 + 0.5) * 0.5, BOUNDS[1] + (np.arange(18 * 26) // 18 + 0.5) * 0.5
    least = distances(pieces, x, y) - 0.5 * np.sqrt(0.5) - 1e-9
    found, may_be = np.zeros(least.shape, bool), (least <= reaches[:, None]) & (reaches >= 0.0)[:, None]
    found[which, where] = True
    assert not (found & ~may_be).any()
    for corner in ((-0.25, -0.25), (0.25, -0.25), (0.25, 0.25), (-0.25, 0.25), (0.0, 0.0)):
        is_near = distances(pieces, x + corner[0], y + corner[1]) <= reaches[:, None]
        assert not (is_near & (reaches >= 0.0)[:, None] & ~found).any()
    np.testing.assert_allclose(gap, least[which, where], atol=1e-12)


@pytest.mark.parametrize("count", [0, 1, 300])
def test_entries_are_sorted_by_bin_then_gap_and_equals_keep_their_order(count: int) -> None:
    rng = np.random.default_rng(count)
    where, gap = rng.integers(0, 40, count), rng.integers(0, 5, count).astype(np.float64)
    order, first = sort_into_bins(where, gap, 41)
    np.testing.assert_array_equal(order, np.lexsort((np.arange(count), gap, where)))
    np.testing.assert_array_equal(first, np.searchsorted(where[order], np.arange(42)))


def test_pieces_placed_at_once_are_those_that_each_obstacle_places() -> None:
    rng = np.random.default_rng(7)
    corner = Footprint.polygon([(0, 0), (2, 0), (2, 2), (1.5, 2), (1.5, 0.5), (0, 0.5)])
    shapes = (Footprint.disc(0.4), Footprint.box(2.0, 0.6), corner)
    things = [
        Obstacle(f"thing {n}", shapes[n % 3], (*rng.uniform(-300.0, 300.0, 2), rng.uniform(-9.0, 9.0)), 0.5, 1.0 + n)
        for n in range(400)
    ]
    things[4] = replace(things[4], special=Special("jump", 1.0))
    pieces = pieces_of(tuple(things))
    placed = [(number, piece) for number, thing in enumerate(things) for piece in thing.pieces]
    assert pieces.obstacle.tolist() == [number for number, _ in placed]
    for number, (owner, piece) in enumerate(placed):
        corners = slice(*pieces.first_corner[number : number + 2])
        assert np.array_equal(np.column_stack((pieces.corner_x[corners], pieces.corner_y[corners])), piece.corners)
        low, high = piece.corners.min(axis=0) - piece.radius_m, piece.corners.max(axis=0) + piece.radius_m
        assert pieces.boxes[number].tolist() == [*low, *high]
        is_wall = owner == 4
        assert pieces.bottom[number] == (-1e9 if is_wall else 0.5)
        assert pieces.top[number] == (1e9 if is_wall else 1.0 + owner)
    assert len(pieces_of(()).radius) == 0
