"""Soft shadows of the core, against whole Gaussian filters on whole maps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.ndimage import gaussian_filter

from gambol.core import lib, pointer
from gambol.geometry.arrays import FloatArray
from gambol.pictures.shadow import shade

FEW = settings(deadline=None, max_examples=15)
seeds = st.integers(0, 2**32 - 1)
#: Height of the body that casts a shadow, and blur of the shadow, in metres.
PENUMBRA = ((0.0, 0.015), (0.35, 0.05), (1.0, 0.11), (1.8, 0.19))


def bodies(rng: np.random.Generator, rows: int, columns: int, rim: int, highest: float) -> FloatArray:
    """Return heights of a few slanted boards over a map, infinity beside them and at its rim."""
    heights = np.full((rows, columns), np.inf)
    y, x = np.mgrid[:rows, :columns]
    for _ in range(int(rng.integers(1, 6))):
        low, size = rng.uniform(0, 0.8, 2) * (rows, columns), rng.uniform(0.05, 0.4, 2) * (rows, columns)
        inside = (y >= low[0]) & (x >= low[1]) & (y < low[0] + size[0]) & (x < low[1] + size[1])
        board = rng.uniform(-0.01, highest) + rng.uniform(-0.002, 0.002) * x
        heights[inside] = np.minimum(heights, board)[inside]
    return np.pad(heights, rim, constant_values=np.inf)


@FEW
@given(seed=seeds)
def test_a_lamps_map_is_blurred_by_a_gaussian_with_empty_texels_at_the_far_end(seed: int):
    rng = np.random.default_rng(seed)
    rows, columns, deviation, far = *rng.integers(20, 80, 2), rng.uniform(0.5, 4.0), -5.0
    near = np.full((rows, columns), -np.inf, dtype=np.float32)
    near[12:-12, 12:-12] = -rng.uniform(0.0, 5.0, (rows, columns))[12:-12, 12:-12]
    near[rng.random((rows, columns)) < 0.6] = -np.inf
    expected = gaussian_filter(np.maximum(near, far).astype(np.float64), deviation, mode="nearest", truncate=2.0)
    found, room = near.copy(), np.empty_like(near)
    lib.gb_picture_soften_lamp(pointer(found, "float"), rows, columns, deviation, far, pointer(room, "float"))
    assert found == pytest.approx(expected, abs=1e-5)


def expected_light(key_heights: FloatArray, contact_heights: FloatArray, texel_m: float) -> FloatArray:
    """Blur each body by its height, as under a large lamp, and add a shade right below it."""
    levels, blurs = np.array(PENUMBRA).T
    covered = np.isfinite(key_heights)
    position = np.interp(np.where(covered, key_heights, 0.0), levels, np.arange(4))
    shadow = sum(
        gaussian_filter(
            np.maximum(0.0, 1.0 - np.abs(position - n)) * covered, blur / texel_m, mode="constant", truncate=2.5
        )
        for n, blur in enumerate(blurs)
    )
    contact = gaussian_filter(
        np.exp(-np.maximum(contact_heights, 0.0) / 0.1), 0.035 / texel_m, mode="constant", truncate=2.5
    )
    return (1.0 - 0.36 * np.minimum(shadow, 1.0)) * (1.0 - 0.5 * contact)


@FEW
@given(seed=seeds, texel_m=st.sampled_from((0.015, 0.02, 0.04)))
def test_light_on_the_ground_is_that_of_gaussians_on_the_whole_map(seed: int, texel_m: float):
    rng = np.random.default_rng(seed)
    rows, columns, rim = (int(count) for count in (*rng.integers(60, 200, 2), 0.5 / texel_m + 1))
    heights = bodies(rng, rows, columns, rim, 2.5), bodies(rng, rows, columns, rim, 0.5)
    found = shade(*(one.astype(np.float32) for one in heights), texel_m)
    away = np.abs(found - expected_light(*heights, texel_m))
    assert away.max() < 0.02
    assert away.mean() < 0.001


@pytest.mark.parametrize("shape", [(1, 1), (2, 9), (9, 2), (130, 3)])
def test_an_empty_map_of_any_size_is_all_light(shape: tuple[int, int]):
    nothing = np.full(shape, np.inf, dtype=np.float32)
    assert np.all(shade(nothing, nothing, 0.015) == 1.0)


@pytest.mark.parametrize("shape", [(1, 1), (2, 9), (9, 2), (130, 3)])
def test_a_map_that_is_covered_up_to_its_rim_is_dark_in_the_middle(shape: tuple[int, int]):
    covered = np.zeros(shape, dtype=np.float32)
    share = shade(covered, covered, 0.015)
    assert np.all((share >= 0.64 * 0.5 - 1e-6) & (share < 1.0))
