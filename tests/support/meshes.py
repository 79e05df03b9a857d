"""What makes a triangle mesh a good one."""

from __future__ import annotations

import numpy as np


def edges(triangles: np.ndarray) -> np.ndarray:
    return np.concatenate([triangles[:, pair] for pair in ([0, 1], [1, 2], [2, 0])])


def assert_closed(triangles: np.ndarray) -> None:
    """Every edge is run through once in either direction: watertight, and all triangles turned alike."""
    start, end = edges(triangles).T.astype(np.int64)
    count = triangles.max() + 1
    there, back = np.sort(start * count + end), np.sort(end * count + start)
    assert len(np.unique(there)) == len(there)
    assert np.array_equal(there, back)


def volume(vertices: np.ndarray, triangles: np.ndarray) -> float:
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    return float(np.sum(a * np.cross(b, c)) / 6.0)
