"""Terrain, and where it comes from."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from tests.support.mesh_files import box, hills, sheet, write

from gambol.errors import InvalidInput, MalformedFile, UnreadableFile
from gambol.geometry import planar
from gambol.world.terrain import Terrain
from gambol.world.terrain_sources import (
    Bump,
    placed_terrain,
    terrain_from_bumps,
    terrain_from_image,
    terrain_from_mesh,
)

BOUNDS = (-2.0, -1.0, 8.0, 6.0)
bumps = st.builds(
    Bump,
    at=st.tuples(st.floats(-2, 8), st.floats(-1, 6)),
    radius_m=st.floats(1.5, 5.0),
    height_m=st.floats(-1.5, 1.5),
    flat_m=st.floats(0.0, 1.0),
)


@settings(deadline=None, max_examples=40)
@given(heights=st.integers(0, 10**6), point=st.tuples(st.floats(-1, 5), st.floats(-1, 4)))
def test_terrain_is_linear_along_rows_and_columns_and_its_gradient_is_its_rise(
    heights: int, point: tuple[float, float]
) -> None:
    terrain = Terrain((0.0, 0.0), 0.5, np.random.default_rng(heights).normal(size=(6, 8)))
    x, y = (min(max(value, 0.001), limit - 0.001) for value, limit in zip(point, (3.5, 2.5), strict=True))
    i, j = int(x / 0.5), int(y / 0.5)
    u, v = x / 0.5 - i, y / 0.5 - j
    z = terrain.heights_m
    below, above = (1 - u) * z[j, i] + u * z[j, i + 1], (1 - u) * z[j + 1, i] + u * z[j + 1, i + 1]
    assert terrain.height((x, y)) == pytest.approx((1 - v) * below + v * above)
    if min(u, v) > 0.01 and max(u, v) < 0.99:
        step = 1e-5
        rise = [
            (terrain.height((x + step, y)) - terrain.height((x - step, y))) / (2 * step),
            (terrain.height((x, y + step)) - terrain.height((x, y - step))) / (2 * step),
        ]
        np.testing.assert_allclose(terrain.gradient((x, y)), rise, atol=1e-6)


def test_terrain_goes_on_level_beyond_its_points() -> None:
    terrain = Terrain((1.0, 2.0), 0.5, [[1.0, 2.0], [3.0, 4.0]])
    assert terrain.height((-5.0, -5.0)) == 1.0
    assert terrain.height((50.0, 2.25)) == 3.0
    assert terrain.height((1.25, 99.0)) == 3.5


@settings(deadline=None, max_examples=40)
@given(chosen=st.lists(bumps, max_size=4), seed=st.integers(0, 10**6))
def test_bumps_add_up_and_are_nowhere_steeper_than_they_say(chosen: list[Bump], seed: int) -> None:
    terrain = terrain_from_bumps(BOUNDS, chosen, cell_m=0.1)
    points = np.random.default_rng(seed).uniform(BOUNDS[:2], BOUNDS[2:], (200, 2))
    expected = np.zeros(len(points))
    for bump in chosen:
        distance = np.hypot(*(points - bump.at).T)
        on_flank = bump.height_m * np.cos(0.5 * np.pi * (distance - bump.flat_m) / (bump.radius_m - bump.flat_m)) ** 2
        expected += np.select([distance <= bump.flat_m, distance < bump.radius_m], [bump.height_m, on_flank])
    curvature = sum(5.0 * abs(bump.height_m) / (bump.radius_m - bump.flat_m) ** 2 for bump in chosen)
    np.testing.assert_allclose(terrain.height(points), expected, atol=0.1**2 * curvature + 1e-12)
    assert terrain.steepest <= sum(bump.steepest for bump in chosen) + 1e-9


def test_a_bump_has_no_kink_at_its_foot_and_top() -> None:
    bump = Bump((0.0, 0.0), radius_m=3.0, height_m=1.2, flat_m=1.0)
    x = np.linspace(-4.0, 4.0, 80_001)
    slope = np.gradient(bump.height(x, np.zeros_like(x)), x)
    assert np.abs(np.diff(slope)).max() < 1e-3  # a kink would be a jump by about the steepest slope
    assert np.abs(slope).max() == pytest.approx(bump.steepest, rel=1e-4)
    assert bump.height(np.array([0.0, 0.99, 3.0, 5.0]), np.zeros(4)) == pytest.approx([1.2, 1.2, 0.0, 0.0])


@pytest.mark.parametrize(
    "wrong", [{"radius_m": 0.0}, {"radius_m": -1.0}, {"flat_m": 2.0}, {"flat_m": -0.1}, {"height_m": math.nan}]
)
def test_bumps_without_sense_are_refused(wrong: dict) -> None:
    with pytest.raises(InvalidInput, match="bump"):
        Bump(**{"at": (0.0, 0.0), "radius_m": 2.0, "height_m": 1.0, **wrong})


def test_grids_without_sense_are_refused() -> None:
    for bounds, cell_m in (
        ((0, 0, 0, 1), 0.1),
        ((0, 0, 1, math.inf), 0.1),
        ((0, 0, 1, 1), 0.0),
        ((0, 0, 1e4, 1e4), 0.1),
    ):
        with pytest.raises(InvalidInput):
            terrain_from_bumps(bounds, [], cell_m=cell_m)


@pytest.mark.parametrize("depth", [8, 16])
def test_an_image_is_laid_over_the_bounds_as_seen_from_above(depth: int, tmp_path: Path) -> None:
    most = 2**depth - 1
    values = np.random.default_rng(depth).integers(0, most + 1, (15, 21))
    Image.fromarray(values.astype(np.uint8 if depth == 8 else np.uint16)).save(tmp_path / "hills.png")
    terrain = terrain_from_image(tmp_path / "hills.png", (0.0, 0.0, 10.0, 7.0), heights_m=(-1.0, 3.0))
    assert terrain.cell_m == pytest.approx(0.5)
    for row, column in ((0, 0), (0, 20), (14, 3), (7, 9)):  # rows from the top, where y is greatest
        spot = (0.5 * column, 7.0 - 0.5 * row)
        assert terrain.height(spot) == pytest.approx(-1.0 + 4.0 * values[row, column] / most)


def test_an_image_of_other_proportions_is_stretched(tmp_path: Path) -> None:
    ramp = np.tile(np.linspace(0, 65535, 11).astype(np.uint16), (4, 1))
    Image.fromarray(ramp).save(tmp_path / "ramp.png")
    for cell_m in (None, 0.3):
        terrain = terrain_from_image(tmp_path / "ramp.png", (0, 0, 20, 12), heights_m=(0.0, 2.0), cell_m=cell_m)
        points = np.random.default_rng(0).uniform((0, 0), (19.5, 12), (50, 2))
        np.testing.assert_allclose(terrain.height(points), points[:, 0] / 10.0, atol=2e-2 if cell_m else 1e-4)


def test_a_grey_image_saved_in_colours_is_read_and_a_coloured_one_is_not(tmp_path: Path) -> None:
    grey = np.random.default_rng(0).integers(0, 256, (5, 5), dtype=np.uint8)
    Image.fromarray(grey).convert("RGBA").save(tmp_path / "grey.png")
    terrain = terrain_from_image(tmp_path / "grey.png", (0, 0, 4, 4), heights_m=(0.0, 255.0))
    np.testing.assert_allclose(terrain.heights_m, grey[::-1])
    Image.new("RGB", (5, 5), (200, 10, 10)).save(tmp_path / "red.png")
    with pytest.raises(MalformedFile, match=r"red\.png.*grey"):
        terrain_from_image(tmp_path / "red.png", (0, 0, 4, 4), heights_m=(0.0, 1.0))


def test_bad_images_are_named_with_what_is_wrong(tmp_path: Path) -> None:
    Image.new("L", (50, 50), 7).save(tmp_path / "good.png")
    good = (tmp_path / "good.png").read_bytes()
    Image.new("L", (5, 1)).save(tmp_path / "line.png")
    (tmp_path / "empty.png").write_bytes(b"")
    (tmp_path / "cut.png").write_bytes(good[:60])
    (tmp_path / "text.png").write_bytes(b"no image")
    for name, message in (("line", "2 x 2"), ("empty", "empty"), ("cut", "damaged"), ("text", "no image")):
        with pytest.raises(MalformedFile, match=message) as caught:
            terrain_from_image(tmp_path / f"{name}.png", (0, 0, 4, 4), heights_m=(0.0, 1.0))
        assert name in str(caught.value)
    with pytest.raises(UnreadableFile, match="gone"):
        terrain_from_image(tmp_path / "gone.png", (0, 0, 4, 4), heights_m=(0.0, 1.0))
    with pytest.raises(InvalidInput, match="finite"):
        terrain_from_image(tmp_path / "good.png", (0, 0, 4, 4), heights_m=(0.0, math.inf))


def wavy(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return 0.4 * np.sin(0.9 * x) * np.cos(0.6 * y + 0.3)


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "heading"), [(".glb", 0.0), (".stl", 0.7), (".obj", -2.0)])
def test_a_mesh_of_hills_comes_back_as_them(suffix: str, heading: float, tmp_path: Path) -> None:
    path = write(tmp_path / f"hills{suffix}", [hills(wavy, 9.0, 7.0, 0.1)])
    pose = (3.0, -1.0, heading)
    terrain = terrain_from_mesh(path, pose=pose, cell_m=0.1)
    points = np.random.default_rng(0).uniform((0.1, 0.1), (8.8, 6.8), (3000, 2))
    np.testing.assert_allclose(terrain.height(planar.apply(pose, points)), wavy(*points.T), atol=4e-3)


def test_terrain_is_the_upper_side_of_a_mesh(tmp_path: Path) -> None:
    path = write(tmp_path / "block.stl", [box((0, 4), (0, 4), (-1, 0)), box((1, 2), (1, 2), (-0.5, 0.6))])
    terrain = terrain_from_mesh(path, cell_m=0.1)
    assert terrain.height((1.5, 1.5)) == pytest.approx(0.6)
    assert terrain.height((3.0, 3.0)) == pytest.approx(0.0)


def test_ground_goes_on_beyond_a_round_mesh_and_a_hole_in_it_is_a_mistake(tmp_path: Path) -> None:
    disc = trimesh.creation.cylinder(radius=3.0, height=0.5, sections=40)
    terrain = terrain_from_mesh(write(tmp_path / "disc.glb", [disc]))
    np.testing.assert_allclose(terrain.heights_m, 0.25, atol=1e-6)
    ring = trimesh.creation.annulus(r_min=1.0, r_max=3.0, height=0.5)
    with pytest.raises(MalformedFile, match=r"ring\.glb.*holes"):
        terrain_from_mesh(write(tmp_path / "ring.glb", [ring]))


def test_meshes_that_are_no_ground_are_refused(tmp_path: Path) -> None:
    wall = sheet([(0, 0, 0), (4, 4, 0), (4, 4, 2), (0, 0, 2)])
    with pytest.raises(MalformedFile, match="no surface"):
        terrain_from_mesh(write(tmp_path / "wall.stl", [wall]))
    with pytest.raises(MalformedFile, match="too small"):
        terrain_from_mesh(write(tmp_path / "chip.stl", [box((0, 0.1), (0, 0.1), (0, 1))]))


@settings(deadline=None, max_examples=30)
@given(heading=st.floats(-4.0, 4.0), seed=st.integers(0, 1000))
def test_turned_terrain_is_as_high_at_turned_points(heading: float, seed: int) -> None:
    flat = terrain_from_bumps((0, 0, 6, 5), [Bump((3.0, 2.5), 2.0, 0.7)], cell_m=0.05)
    pose = (1.0, 2.0, heading)
    points = np.random.default_rng(seed).uniform((0, 0), (6, 5), (100, 2))
    turned = placed_terrain(flat, pose).height(planar.apply(pose, points))
    np.testing.assert_allclose(turned, flat.height(points), atol=3e-3)
