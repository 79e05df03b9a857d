"""Cells that are connected have the same number, and only those."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from gambol.trees.kernels.parts import number_parts


@pytest.mark.parametrize("share", [0.0, 0.1, 0.35, 0.5, 0.6, 0.8, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 40), (40, 1), (37, 53)])
def test_parts_are_those_of_an_independent_labelling(share: float, shape: tuple[int, int]) -> None:
    for seed in range(10):
        closed = np.random.default_rng(seed).random(shape) < share
        expected, count = ndimage.label(~closed, structure=np.ones((3, 3)))  # pyright: ignore[reportGeneralTypeIssues]
        found = number_parts(closed)
        pairs = np.unique(np.stack((found.ravel(), np.asarray(expected).ravel())), axis=1)
        assert pairs.shape[1] == count + closed.any()  # one to one, and closed cells are of no part
        assert (found[closed] == 0).all()
        assert found.max(initial=0) == count
