"""Many figures of one shape, each in its own pose and color."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int32Array


@dataclass(frozen=True, eq=False)
class MeshFlock:
    """N meshes with the same triangles.  Their large arrays are not copied, as every picture makes new ones."""

    vertices: FloatArray  # (N, V, 3) metres, in the world
    normals: FloatArray  # (N, V, 3) unit, outward
    triangles: Int32Array  # (T, 3) indices of vertices
    colors: FloatArray  # (N, 3) sRGB, 0 to 1
    casts_shadow: bool = True

    def __post_init__(self) -> None:
        count = len(self.vertices)
        if self.vertices.shape != self.normals.shape or self.vertices.shape[2:] != (3,):
            raise InvalidInput(f"vertices {self.vertices.shape} need as many normals, not {self.normals.shape}")
        if self.colors.shape != (count, 3):
            raise InvalidInput(f"{count} figures need as many colors, not {self.colors.shape}")

    def __len__(self) -> int:
        return len(self.vertices)
