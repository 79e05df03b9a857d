"""Smoothing, envelopes and holes, against scipy to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.geometry.holes import without_holes
from gambol.geometry.smoothing import envelope, gaussian, highest_near

SCIPY_EDGES = {"symmetric": "reflect", "edge": "nearest", "constant": "constant"}


@pytest.mark.parametrize("edges", SCIPY_EDGES)
@given(st.integers(0, 2**32 - 1), st.integers(1, 60), st.floats(0.1, 15.0), st.none() | st.integers(0, 40))
@settings(deadline=None, max_examples=40)
def test_a_gaussian_is_scipys(edges, seed, count, sigma, reach):
    values = np.random.default_rng(seed).normal(size=(count, 2, 3))
    expected = scipy.ndimage.gaussian_filter1d(values, sigma, axis=0, mode=SCIPY_EDGES[edges], radius=reach)
    assert np.array_equal(gaussian(values, sigma, reach=reach, edges=edges), expected)


@given(st.integers(0, 2**32 - 1), st.integers(1, 50), st.integers(0, 70))
@settings(deadline=None)
def test_the_highest_nearby_is_scipys_maximum(seed, count, reach):
    values = np.random.default_rng(seed).normal(size=(count, 2))
    expected = scipy.ndimage.maximum_filter1d(values, 2 * reach + 1, axis=0, mode="nearest")
    assert np.array_equal(highest_near(values, reach), expected)
    assert np.array_equal(highest_near(values > 0.5, reach), highest_near((values > 0.5) + 0.0, reach) == 1.0)


@given(st.integers(0, 2**32 - 1), st.integers(1, 80), st.integers(1, 20))
@settings(deadline=None)
def test_an_envelope_is_nowhere_below_what_it_is_around(seed, count, reach):
    values = np.maximum(np.random.default_rng(seed).normal(size=count), 0.0)
    assert np.all(envelope(values, reach) >= values - 1e-12)


@given(st.integers(0, 2**32 - 1), st.sampled_from([(12, 15), (1, 9), (7, 6, 8)]), st.floats(0.2, 0.7))
@settings(deadline=None)
def test_holes_are_what_the_border_is_not_reached_from(seed, shape, share):
    filled = np.random.default_rng(seed).random(shape) < share
    assert np.array_equal(without_holes(filled), scipy.ndimage.binary_fill_holes(filled))
