"""Where a figure's limbs come, how they reach, and how far its links are from what is solid."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from tests.support.climb_cases import box

from gambol.climb.environment_table import distance_field
from gambol.climb.figure import FIGURES, LIMB_POINTS, LINKS, Figure
from gambol.climb.kernels.field import clearance, distance_at, link_clearance
from gambol.climb.kernels.kinematics import centre_of_mass, place, reach, within_limits
from gambol.climb.kernels.posture import stretch_towards
from gambol.world import Environment

FloatArray = NDArray[np.float64]

#: Forearms, whose last part is a hand.
FOREARMS = ("left_forearm", "right_forearm")


def random_configuration(figure: Figure, rng: np.random.Generator) -> FloatArray:
    """Return a configuration with all joints within their limits, no limb quite straight."""
    q = np.empty(12)
    q[:2] = rng.uniform(-3.0, 3.0, 2)
    q[2:] = rng.uniform(figure.table.low[2:], figure.table.high[2:])
    q[5::2] = np.maximum(q[5::2], 0.08)
    return q


def placed(figure: Figure, facing: float, q: FloatArray) -> FloatArray:
    points = np.empty((12, 2))
    place(figure.table, facing, q, points)
    return points


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("facing", [1.0, -1.0])
def test_reaching_finds_the_joints_that_put_a_limb_there(name: str, facing: float) -> None:
    figure, rng = FIGURES[name], np.random.default_rng(3)
    for _ in range(200):
        q = random_configuration(figure, rng)
        points = placed(figure, facing, q)
        for limb, at in enumerate(LIMB_POINTS):
            found = q.copy()
            found[4 + 2 * limb : 6 + 2 * limb] = 0.3  # whatever it was before
            assert reach(figure.table, facing, found, limb, *points[at])
            assert np.allclose(found, q, atol=1e-7), "elbows and knees bend one way only: there is one solution"


def test_reaching_refuses_what_is_too_far_and_leaves_the_figure_as_it_was() -> None:
    figure, rng = Figure(), np.random.default_rng(4)
    refused = 0
    for _ in range(300):
        q = random_configuration(figure, rng)
        before = q.copy()
        limb = int(rng.integers(4))
        x, z = q[:2] + rng.uniform(-0.9, 0.9, 2)
        if reach(figure.table, 1.0, q, limb, x, z):
            assert np.allclose(placed(figure, 1.0, q)[LIMB_POINTS[limb]], (x, z), atol=1e-9)
            assert within_limits(figure.table, q)
        else:
            refused += 1
            assert np.array_equal(q, before)
            missed = stretch_towards(figure.table, 1.0, q, limb, x, z)
            assert missed > 0.0
            assert within_limits(figure.table, q)
    assert 50 < refused < 250


def test_facing_the_other_way_is_the_mirror_image() -> None:
    figure, rng = Figure(), np.random.default_rng(5)
    for _ in range(50):
        q = random_configuration(figure, rng)
        q[0] = 0.0
        right, left = placed(figure, 1.0, q), placed(figure, -1.0, q)
        assert np.allclose(left, right * (-1.0, 1.0))
        (right_x, right_z), (left_x, left_z) = (centre_of_mass(figure.table, points) for points in (right, left))
        assert (left_x, left_z) == pytest.approx((-right_x, right_z))


@pytest.mark.parametrize("name", FIGURES)
def test_links_keep_their_lengths_and_a_standing_figure_its_stature(name: str) -> None:
    figure, rng = FIGURES[name], np.random.default_rng(6)
    lengths = [
        np.linalg.norm([points[a] - points[b] for a, b in LINKS.values()], axis=1)
        for points in (placed(figure, 1.0, random_configuration(figure, rng)) for _ in range(20))
    ]
    assert np.allclose(lengths, lengths[0])
    table, standing = figure.table, np.zeros(12)
    standing[1] = table.thigh + table.shank + table.ankle
    crown = placed(figure, 1.0, standing)[3, 1] + table.radius[1]
    assert crown == pytest.approx(figure.stature_m)


@pytest.fixture(scope="module")
def solid_world() -> Environment:
    """A floor, a block whose corner stands out, a slope and something overhead."""
    slope, overhead = np.array([(1.0, 0.0), (3.0, 0.0), (3.0, 0.9)]), box(-3.0, 2.2, 0.5, 2.6)
    block, wall = box(-2.5, 0.0, -1.6, 0.7), box(3.0, 0.0, 4.0, 4.0)
    return Environment((-4.0, -1.0, 4.0, 4.0), [box(-4.0, -1.0, 4.0, 0.0), block, slope, overhead, wall], [])


def signed_distances(environment: Environment, places: FloatArray) -> FloatArray:
    """Return distances of points (N, 2) to what is solid, by shapely: negative inside, and beyond the bounds."""
    solid = shapely.unary_union([shapely.Polygon(corners) for corners in environment.polygons])
    points = shapely.points(places)
    away = shapely.distance(shapely.boundary(solid), points) * np.where(shapely.contains(solid, points), -1.0, 1.0)
    low, high = np.array(environment.bounds[:2]), np.array(environment.bounds[2:])
    return np.minimum(away, np.minimum(places - low, high - places).min(axis=1))


def test_the_field_is_the_distance_to_what_is_solid(solid_world: Environment) -> None:
    field, rng = distance_field(solid_world), np.random.default_rng(7)
    places = rng.uniform((-4.0, -1.0), (4.0, 4.0), (3000, 2))
    exact = signed_distances(solid_world, places)
    ours = np.array([distance_at(field, x, z) for x, z in places])
    outside = exact > 0.0
    assert np.abs(ours - exact)[outside].max() < 0.01  # at ridges, half-way between surfaces: half a cell
    near = outside & (exact < 0.1)
    assert np.abs(ours - exact)[near].max() < 0.003
    assert np.all(ours[exact < -0.01] < 0.0)
    assert distance_at(field, 40.0, 0.0) < 0.0


def test_clearances_are_those_of_links_sampled_finely(solid_world: Environment) -> None:
    figure, rng = Figure(), np.random.default_rng(8)
    field, table = distance_field(solid_world), figure.table
    compared = 0
    for _ in range(120):
        q = random_configuration(figure, rng)
        q[:2] = rng.uniform((-3.2, 0.4), (2.8, 2.0))
        points = placed(figure, 1.0, q)
        every = []
        for link, (name, (first, second)) in enumerate(LINKS.items()):
            shares = np.linspace(0.0, 1.0, 150)
            places = points[first] + shares[:, None] * (points[second] - points[first])
            length = float(np.linalg.norm(points[second] - points[first]))
            hand = (name in FOREARMS) & ((1.0 - shares) * length < table.hand_length - 1e-9)
            exact = (
                signed_distances(solid_world, places) - np.where(hand, table.hand_radius, table.radius[link])
            ).min()
            ours = link_clearance(table, field, points, link)
            every.append(ours)
            if exact > 0.03:
                assert ours > 0.025, name  # far is far; how far it need not know
            elif exact > -table.hand_radius:
                compared += 1
                assert ours == pytest.approx(exact, abs=0.003), name
            else:
                assert ours < 0.0, name
        assert clearance(table, field, points, -np.inf) == min(every)
    assert compared > 20
