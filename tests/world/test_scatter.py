"""Grasp points along surfaces: where they lie, how far apart, and where there are none."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.climb_cases import box

from gambol.errors import InvalidInput
from gambol.world.environment import Environment, GraspPoint
from gambol.world.scatter import CLEARANCE_M, EDGE_M, TILTS, Chosen, scatter, without_repeats
from gambol.world.surfaces import Edges, runs_of

BOUNDS = (0.0, -1.0, 10.0, 6.0)
GROUND = box(0.0, -1.0, 10.0, 0.0)
ANY = ((0.0, math.pi),)


def scattered(
    polygons: Any, surfaces: str = "floors", spacing_m: float = 0.2, seed: int = 0, bounds: Any = BOUNDS, **options: Any
) -> tuple[GraspPoint, ...]:
    tilts = (TILTS[surfaces],) if surfaces else ANY
    chosen = Chosen(tilts, **{name: options.pop(name) for name in ("within", "clearance_m") if name in options})
    rng = np.random.default_rng(seed)
    return scatter(Environment(bounds, polygons), chosen, spacing_m=spacing_m, rng=rng, **options)


def places(points: tuple[GraspPoint, ...]) -> np.ndarray:
    return np.array([(point.x, point.z) for point in points]).reshape(-1, 2)


# Slope


@pytest.mark.parametrize(
    ("surfaces", "told"),
    [
        ("floors", lambda one: one.is_floor),
        ("walls", lambda one: not (one.is_floor or one.is_ceiling)),
        ("ceilings", lambda one: one.is_ceiling),
    ],
)
def test_surfaces_are_chosen_by_their_slope(surfaces: str, told: Any):
    block = box(3.0, 2.0, 6.0, 3.0)
    points = scattered([GROUND, block], surfaces)
    assert len(points) > 4
    assert all(told(point) for point in points)
    heights = {round(point.z, 6) for point in points}
    assert heights == {"floors": {0.0, 3.0}, "ceilings": {2.0}}.get(surfaces, heights)
    if surfaces == "walls":
        assert {round(point.x, 6) for point in points} == {3.0, 6.0}


@pytest.mark.parametrize("slope_deg", [0.0, 20.0, 45.0, 49.0, 51.0, 70.0])
def test_a_slope_is_a_floor_up_to_fifty_degrees(slope_deg: float):
    run = 4.0 * math.cos(math.radians(slope_deg)), 4.0 * math.sin(math.radians(slope_deg))
    wedge = [(1.0, -0.5), (1.0 + run[0], -0.5), (1.0 + run[0], run[1]), (1.0, 0.0)]
    on_slope = [one for one in scattered([wedge], bounds=(0, -2, 10, 9)) if abs(one.normal[0]) > 1e-9]
    flat = slope_deg == 0.0
    assert bool(on_slope) == (0.0 < slope_deg < 50.0)
    assert bool(scattered([wedge], bounds=(0, -2, 10, 9))) == (flat or slope_deg < 50.0)
    for point in on_slope:
        assert math.degrees(math.acos(point.normal[1])) == pytest.approx(slope_deg)


def test_normals_point_out_of_what_is_solid():
    solid = shapely.union_all([shapely.Polygon(GROUND), shapely.Polygon(box(3.0, 2.0, 6.0, 3.0))])
    for point in scattered([GROUND, box(3.0, 2.0, 6.0, 3.0)], ""):
        out = shapely.Point(point.x + 0.01 * point.normal[0], point.z + 0.01 * point.normal[1])
        into = shapely.Point(point.x - 0.01 * point.normal[0], point.z - 0.01 * point.normal[1])
        assert not solid.intersects(out)
        assert solid.intersects(into)


# Spacing


@pytest.mark.parametrize("spacing_m", [0.1, 0.17, 0.3, 1.0])
def test_points_are_evenly_apart_from_edge_to_edge(spacing_m: float):
    x = np.sort(places(scattered([box(2.0, 0.0, 7.0, 1.0)], spacing_m=spacing_m))[:, 0])
    assert x[0] == pytest.approx(2.0 + EDGE_M)
    assert x[-1] == pytest.approx(7.0 - EDGE_M)
    assert np.diff(x) == pytest.approx(np.full(len(x) - 1, np.diff(x)[0]))
    assert np.diff(x)[0] == pytest.approx(spacing_m, rel=0.15)


def test_a_bent_surface_is_spaced_along_its_length_not_edge_by_edge():
    angles = np.linspace(0.0, math.pi, 61)
    dome = np.column_stack([5.0 + 3.0 * np.cos(angles), 3.0 * np.sin(angles)])
    at = places(scattered([dome], spacing_m=0.3, bounds=(0, -1, 10, 6)))
    steps = [math.dist(first, second) for first, second in pairwise(at)]
    assert len(at) > 12
    assert max(steps) - min(steps) < 0.01
    assert np.hypot(at[:, 0] - 5.0, at[:, 1]) == pytest.approx(3.0, abs=0.01)


@pytest.mark.parametrize(("width", "count"), [(0.05, 1), (0.12, 1), (0.19, 1), (0.35, 2)])
def test_a_narrow_top_has_a_point_in_its_middle(width: float, count: int):
    points = scattered([box(5.0, 0.0, 5.0 + width, 1.0)])
    assert len(points) == count
    assert np.mean([point.x for point in points]) == pytest.approx(5.0 + 0.5 * width)


def test_points_keep_away_from_inner_corners_so_that_feet_fit():
    wall = box(5.0, 0.0, 6.0, 2.0)
    floor = [point for point in scattered([GROUND, wall]) if point.z == 0.0]
    nearest = min(min(abs(point.x - 5.0), abs(point.x - 6.0)) for point in floor)
    assert nearest == pytest.approx(CLEARANCE_M)
    lowest = min(point.z for point in scattered([GROUND, wall], "walls"))
    assert lowest == pytest.approx(CLEARANCE_M)
    assert min(point.z for point in scattered([GROUND, wall], "walls", clearance_m=0.4)) == pytest.approx(0.4)


def test_there_are_no_points_where_there_is_no_room_over_them():
    low = box(2.0, 0.2, 4.0, 2.0)  # a crack of 0.2 m
    high = box(6.0, 0.3, 8.0, 2.0)
    floor = [point.x for point in scattered([GROUND, low, high]) if point.z == 0.0]
    assert not [x for x in floor if 2.0 <= x <= 4.0]
    assert len([x for x in floor if 6.0 <= x <= 8.0]) >= 9


def test_a_box_cuts_surfaces_and_what_is_left_is_spaced_anew():
    points = scattered([GROUND, box(4.0, 0.0, 6.0, 2.0)], within=(1.0, -0.1, 5.0, 0.1))
    x = sorted(point.x for point in points)
    assert x[0] == pytest.approx(1.0)
    assert x[-1] == pytest.approx(4.0 - CLEARANCE_M)
    assert all(point.z == 0.0 for point in points)
    assert scattered([GROUND], within=(1.0, 1.0, 5.0, 2.0)) == ()


def test_outside_the_bounds_there_are_none():
    wide = box(-5.0, -3.0, 15.0, 0.0)
    points = scattered([wide], "")
    assert points
    assert all(0.0 <= point.x <= 10.0 and point.z == 0.0 for point in points)


# Noise


def test_noise_is_by_the_seed_and_along_the_surface():
    dull, noisy = scattered([GROUND]), scattered([GROUND], noise_m=0.08, seed=1)
    assert places(noisy) == pytest.approx(places(scattered([GROUND], noise_m=0.08, seed=1)))
    assert len(noisy) == len(dull)
    moved = places(noisy) - places(dull)
    assert np.abs(moved[:, 0]).max() <= 0.08 + 1e-9
    assert np.abs(moved[:, 0]).mean() > 0.02
    assert moved[:, 1] == pytest.approx(0.0)
    assert places(scattered([GROUND], noise_m=0.08, seed=2)) != pytest.approx(places(noisy))


def test_noise_does_not_push_points_into_corners():
    wall = box(5.0, 0.0, 6.0, 2.0)
    for seed in range(20):
        floor = [point.x for point in scattered([GROUND, wall], noise_m=0.1, seed=seed) if point.z == 0.0]
        assert min(min(abs(x - 5.0), abs(x - 6.0)) for x in floor) >= CLEARANCE_M - 1e-9


@pytest.mark.parametrize(
    ("spacing_m", "noise_m"), [(0.0, 0.0), (-1.0, 0.0), (0.2, 0.11), (0.2, -0.01), (math.nan, 0.0)]
)
def test_numbers_that_mean_nothing_are_refused(spacing_m: float, noise_m: float):
    with pytest.raises(InvalidInput):
        scattered([GROUND], spacing_m=spacing_m, noise_m=noise_m)


# Polygons that overlap


def test_edges_inside_other_polygons_have_no_points():
    points = scattered([GROUND, box(3.0, -0.5, 6.0, 1.0), box(5.0, 0.5, 8.0, 2.0)], "", clearance_m=0.1)
    hidden = shapely.union_all([shapely.Polygon(p) for p in (GROUND, box(3, -0.5, 6, 1), box(5, 0.5, 8, 2))])
    inside = hidden.buffer(-1e-6)
    assert points
    assert not any(inside.intersects(shapely.Point(point.x, point.z)) for point in points)


def test_polygons_that_meet_are_one_surface():
    halves = scattered([box(0.0, -1.0, 5.0, 0.0), box(5.0, -1.0, 10.0, 0.0)])
    assert np.sort(places(halves), axis=0) == pytest.approx(np.sort(places(scattered([GROUND])), axis=0))


boxes = st.tuples(st.floats(0.5, 8), st.floats(-0.5, 4), st.floats(0.1, 3), st.floats(0.1, 2)).map(
    lambda one: box(one[0], one[1], one[0] + one[2], one[1] + one[3])
)


@settings(deadline=None, max_examples=60)
@given(st.lists(boxes, min_size=1, max_size=5), st.floats(0.05, 0.8), st.floats(0.0, 0.5), st.integers(0, 1000))
def test_points_always_lie_on_the_outside_with_room_over_them(
    polygons: list[Any], spacing_m: float, noise: float, seed: int
):
    points = scattered([GROUND, *polygons], "", spacing_m, seed, noise_m=noise * spacing_m)
    solid = shapely.union_all([shapely.Polygon(corners) for corners in (GROUND, *polygons)])
    for point in points:
        place = shapely.Point(point.x, point.z)
        assert solid.boundary.distance(place) < 1e-6
        room = shapely.LineString([
            (point.x + out * point.normal[0], point.z + out * point.normal[1]) for out in (2e-3, CLEARANCE_M - 1e-3)
        ])  # fmt: skip
        assert not solid.intersects(room)
        assert 0.0 <= point.x <= 10.0
        assert -1.0 <= point.z <= 6.0


# What is nearest, and runs


def test_the_nearest_surface_is_that_of_brute_force():
    polygons = [GROUND, box(3.0, 0.0, 4.0, 2.0), np.array([(6.0, 1.0), (8.0, 1.5), (7.0, 3.0)])]
    edges = Edges.of(Environment(BOUNDS, polygons).polygons)
    boundary = shapely.union_all([shapely.Polygon(corners) for corners in polygons]).boundary
    rng = np.random.default_rng(0)
    for x, z in rng.uniform((0.0, -1.0), (10.0, 5.0), (200, 2)):
        near = edges.nearest(x, z)
        assert near is not None
        assert near.distance_m == pytest.approx(boundary.distance(shapely.Point(x, z)))
        assert boundary.distance(shapely.Point(near.x, near.z)) < 1e-9


def test_at_an_edge_the_surface_to_stand_on_is_nearest():
    edges = Edges.of(Environment(BOUNDS, [box(3.0, 0.0, 4.0, 2.0)]).polygons)
    for x, z in ((3.0, 2.0), (4.0, 2.0)):
        near = edges.nearest(x, z)
        assert near is not None
        assert near.normal == pytest.approx((0.0, 1.0))
    assert Edges.of(()).nearest(0.0, 0.0) is None


def test_all_edges_of_a_round_pillar_are_one_run():
    angles = np.linspace(0.0, 2.0 * math.pi, 40, endpoint=False)
    edges = Edges.of(Environment(BOUNDS, [np.column_stack([5 + np.cos(angles), 3 + np.sin(angles)])]).polygons)
    (run,) = runs_of(edges, np.ones(len(edges), dtype=bool))
    assert sorted(run.edges) == list(range(40))


def test_points_that_coincide_are_kept_once():
    first = GraspPoint(1.0, 0.0, "pendent", (0.0, 1.0))
    others = [GraspPoint(1.0 + 0.005 * n, 0.0, "hybrid", (0.0, 1.0)) for n in range(1, 20)]
    kept = without_repeats([first, *others])
    assert kept[0] is first
    assert all(math.dist((a.x, a.z), (b.x, b.z)) >= 0.02 - 1e-12 for a, b in pairwise(kept))
    assert len(kept) == 5
