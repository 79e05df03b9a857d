"""Skins with fewer triangles, for figures that are small in a picture."""

from __future__ import annotations

import numpy as np

from gambol.body.skin import Skin


def coarse_skin(skin: Skin, cell_m: float) -> Skin:
    """Return a skin in which vertices become one if they lie in one cube of side `cell_m` and face the same way.

    No vertex moves by more than a cube's diagonal, and limbs thinner than a cube keep their thickness.  Each new
    vertex takes its joints from the nearest old one.  [Rossignac and Borrel 1993, Multi-resolution 3D approximations]
    """
    cells = np.floor(skin.vertices / cell_m).astype(np.int64)
    _, places, counts = np.unique(
        np.column_stack((cells, skin.normals > 0.0)), axis=0, return_inverse=True, return_counts=True
    )
    places = places.reshape(-1)
    vertices, normals = (
        np.stack([np.bincount(places, of[:, axis]) for axis in range(3)], axis=1) / counts[:, None]
        for of in (skin.vertices, skin.normals)
    )
    order = np.lexsort((np.linalg.norm(skin.vertices - vertices[places], axis=1), places))
    nearest = order[np.searchsorted(places[order], np.arange(len(counts)))]
    a, b, c = places[skin.triangles].T
    triangles = np.column_stack((a, b, c))[(a != b) & (b != c) & (c != a)]
    _, kept = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
    return Skin(
        skin.skeleton,
        vertices,
        normals / np.linalg.norm(normals, axis=1, keepdims=True),
        triangles[np.sort(kept)],
        skin.joints[nearest],
        skin.weights[nearest],
    )
