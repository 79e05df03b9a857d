"""Many figures of one shape, each in its own pose and color."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.pictures.mesh import Caster


@dataclass(frozen=True, eq=False)
class MeshFlock:
    """N meshes with the same triangles.  Their large arrays are not copied, as every picture makes new ones."""

    vertices: FloatArray  # (N, V, 3) metres, in the world
    normals: FloatArray  # (N, V, 3) unit, outward
    triangles: Int32Array  # (T, 3) indices of vertices
    colors: FloatArray  # (N, 3) sRGB, 0 to 1
    casts_shadow: bool = True
    caster: MeshFlock | None = None  # what casts the shadow in their place, of fewer triangles

    def __post_init__(self) -> None:
        count = len(self.vertices)
        if self.vertices.shape != self.normals.shape or self.vertices.shape[2:] != (3,):
            raise InvalidInput(f"vertices {self.vertices.shape} need as many normals, not {self.normals.shape}")
        if self.colors.shape != (count, 3):
            raise InvalidInput(f"{count} figures need as many colors, not {self.colors.shape}")

    def all_triangles(self) -> Int32Array:
        """Return the triangles (N * T, 3) of all figures, by their vertices one after another."""
        firsts = np.arange(len(self), dtype=np.int32) * self.vertices.shape[1]
        return (self.triangles + firsts[:, None, None]).reshape(-1, 3)

    def shadow(self) -> Caster:
        """Return what casts the shadow."""
        casting = self if self.caster is None else self.caster
        return Caster(casting.vertices.reshape(-1, 3), casting.all_triangles())

    def __len__(self) -> int:
        return len(self.vertices)
