"""Pixels of the core, against what a few plain lines say of floor, background and lit surfaces."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.geometry.arrays import FloatArray
from gambol.motion import Ground
from gambol.pictures.camera import NEAR_M, Camera
from gambol.pictures.mesh import Mesh, to_linear, to_screen_color
from gambol.pictures.render import render
from gambol.pictures.studio import Studio

SIZE = (40, 28)
SKY, BOUNCE = 0.30 * np.array((0.94, 0.98, 1.04)), 0.15 * np.array((1.06, 0.98, 0.90))
KEY, FILL = np.array((1.02, 0.96, 0.88)), 0.20 * np.array((0.86, 0.94, 1.08))
seeds = st.integers(0, 2**32 - 1)


def bytes_of(linear: FloatArray) -> FloatArray:
    return 255.0 * to_screen_color(np.clip(linear, 0.0, 1.0))


def ray_at(camera: Camera, row: int, column: int) -> tuple[FloatArray, FloatArray]:
    """Return origin and direction of the ray through the middle of a pixel."""
    view = camera.view(SIZE)
    right, down, forward = camera.axes
    aside = (column + 0.5 - view.center_x) / view.focal * right + (row + 0.5 - view.center_y) / view.focal * down
    if view.is_perspective:
        return np.array(camera.eye), forward + aside
    return np.array(camera.eye) + aside, forward


def floor_pixel(camera: Camera, studio: Studio, row: int, column: int) -> FloatArray | None:
    """Return what a pixel without any surface shows; None where a grid line may be."""
    drop = studio.backdrop(camera)
    top, bottom = np.array(drop.top_color), np.array(drop.bottom_color)
    background = top + (row + 0.5) / SIZE[1] * (bottom - top)
    origin, along = ray_at(camera, row, column)
    height, slope_x, slope_y = drop.ground
    falling, above = (slope_x, slope_y, -1.0) @ along, origin @ (-slope_x, -slope_y, 1.0) - height
    if falling <= 1e-9 or above <= 0.0 or above / falling < NEAR_M:
        return background
    place = origin + above / falling * along
    seen = 1.0 - ((place[:2] - (drop.center_x, drop.center_y)) ** 2).sum() * drop.per_fade**2
    if seen <= 0.0:
        return background
    around = [ray_at(camera, row + y, column + x) for y, x in ((-1, 0), (1, 0), (0, -1), (0, 1))]
    if any((slope_x, slope_y, -1.0) @ one[1] <= 1e-9 for one in around):
        return None
    near = [o + (o @ (-slope_x, -slope_y, 1.0) - height) / ((slope_x, slope_y, -1.0) @ a) * a for o, a in around]
    reach = drop.line + 2.0 * np.abs(np.array(near) - place)[:, :2].sum(axis=0) * drop.per_spacing
    if np.any(np.abs(place[:2] * drop.per_spacing - np.round(place[:2] * drop.per_spacing)) < reach):
        return None
    return background + seen**2 * (np.array(drop.floor_color) - background)


@given(seed=seeds)
@settings(deadline=None, max_examples=40)
def test_a_pixel_without_surfaces_shows_the_floor_that_fades_into_the_background(seed: int):
    rng = np.random.default_rng(seed)
    eye, target = rng.uniform((-6, -6, 0.5), (6, 6, 6)), rng.uniform(-1.0, 1.0, 3)
    height = float(rng.uniform(3.0, 9.0)) if seed % 3 == 0 else None
    camera = Camera(tuple(eye), tuple(target), float(rng.uniform(0.3, 1.2)), height)
    ground = Ground(*rng.uniform(-0.2, 0.2, 3)) if seed % 2 else Ground(0.0)
    studio = Studio(ground, floor_color=tuple(rng.random(3)), top_color=tuple(rng.random(3)), grid_spacing_m=8.0)
    picture = render([], camera, SIZE, studio=studio)
    for row in range(0, SIZE[1], 3):
        for column in range(0, SIZE[0], 3):
            expected = floor_pixel(camera, studio, row, column)
            if expected is not None:
                assert picture[row, column] == pytest.approx(bytes_of(expected), abs=0.6)


@given(seed=seeds)
@settings(deadline=None, max_examples=40)
def test_a_surface_far_from_everything_is_lit_by_two_lamps_and_from_all_around(seed: int):
    rng = np.random.default_rng(seed)
    normal = rng.normal(size=3)
    normal /= np.linalg.norm(normal)
    aside = np.cross(normal, rng.normal(size=3))
    aside *= 2.0 / np.linalg.norm(aside)
    corners = np.array((0.0, 0.0, 50.0)) + (aside, np.cross(normal, aside) - aside, -np.cross(normal, aside) - aside)
    color = tuple(rng.uniform(0.1, 0.9, 3))
    mesh = Mesh(corners, np.tile(normal, (3, 1)), [[0, 1, 2]], color, casts_shadow=False)
    middle, side = corners.mean(axis=0), np.sign(rng.normal())
    toward = normal + 0.4 * rng.normal(size=3)
    camera = Camera(tuple(middle + side * 4.0 * toward / np.linalg.norm(toward)), tuple(middle), 0.3)
    found = render([mesh], camera, SIZE)[SIZE[1] // 2, SIZE[0] // 2]

    along = ray_at(camera, SIZE[1] // 2, SIZE[0] // 2)[1]
    along /= np.linalg.norm(along)
    facing = -normal * np.sign(normal @ along)
    lamps = Studio().lamps()
    key, fill = (max(0.0, (np.dot(lamp, facing) + 0.35) / 1.35) for lamp in (lamps.key, lamps.fill))
    around = BOUNCE + (0.5 + 0.5 * facing[2]) * (SKY - BOUNCE)
    sheen = 0.10 * np.clip(1.0 + facing @ along, 0.0, 1.0) ** 3
    lit = to_linear(color) * (around + key**2 * KEY + fill * FILL) + sheen * SKY
    assert found == pytest.approx(bytes_of(lit), abs=0.8)


def test_surfaces_that_face_each_other_closely_darken_their_crease():
    floor = np.array([(-1.0, -1.0, 9.0), (1.0, -1.0, 9.0), (1.0, 1.0, 9.0), (-1.0, 1.0, 9.0)])
    wall = np.array([(-1.0, 0.0, 9.0), (1.0, 0.0, 9.0), (1.0, 0.0, 11.0), (-1.0, 0.0, 11.0)])
    both = [[0, 1, 2], [0, 2, 3]]
    meshes = [
        Mesh(corners, np.tile(normal, (4, 1)), both, (0.7, 0.7, 0.7), casts_shadow=False)
        for corners, normal in ((floor, (0.0, 0.0, 1.0)), (wall, (0.0, -1.0, 0.0)))
    ]
    camera = Camera((0.0, -4.0, 11.0), (0.0, -0.2, 9.0), math.radians(30.0))
    size = (120, 120)
    picture = render(meshes, camera, size).astype(int)
    pixels, _ = camera.project([(0.0, -0.02, 9.0), (0.0, -0.5, 9.0), (0.0, 0.0, 9.02), (0.0, 0.0, 9.5)], size)
    crease, plain, foot, high = (picture[int(y), int(x), 0] for x, y in pixels)
    assert plain > crease + 12
    assert high > foot
