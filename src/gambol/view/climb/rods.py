"""Rods across the plane of a climb: one batch of boxes of any size."""

from __future__ import annotations

import numpy as np
import viser
from numpy.typing import NDArray

from gambol.geometry.arrays import FloatArray
from gambol.pictures.shapes import box
from gambol.view.meshes import facing_out

WHITE = (1.0, 1.0, 1.0)


def add_rods(
    scene: viser.SceneApi, name: str, places: FloatArray, sizes: FloatArray, colors: NDArray[np.uint8]
) -> viser.BatchedMeshHandle | None:
    """Add boxes of some sizes (N, 3) around places (N, 3), each of its color (N, 3) from 0 to 255; None for none."""
    if not len(places):
        return None
    unit = box((-0.5, -0.5, -0.5), (0.5, 0.5, 0.5), WHITE)
    return scene.add_batched_meshes_simple(
        name, unit.vertices.astype(np.float32), facing_out(unit), np.tile([1.0, 0.0, 0.0, 0.0], (len(places), 1)),
        places.astype(np.float32), batched_scales=sizes.astype(np.float32), batched_colors=colors, lod="off",
        flat_shading=True, cast_shadow=False,
    )  # fmt: skip
