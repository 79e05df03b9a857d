"""Cells that are connected have the same number, and only those; room in bytes is never more than there is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from gambol.trees.core_tables import number_islands


@pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.5, 0.6, 0.8, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (37, 53)])
def test_islands_are_those_of_an_independent_labelling(share: float, shape: tuple[int, int]) -> None:
    for seed in range(10):
        closed = np.random.default_rng(seed).random(shape) < share
        expected, count = ndimage.label(~closed, structure=np.ones((3, 3)))  # pyright: ignore[reportGeneralTypeIssues]
        found = number_islands(closed)
        np.testing.assert_array_equal(found, expected)  # both number islands in the order of their first cells
        assert found.max(initial=0) == count


def test_every_second_cell_open_is_the_most_runs_there_are() -> None:
    closed = np.ones((9, 7), bool)
    closed[::2, ::2] = False
    assert number_islands(closed).max() == 20
