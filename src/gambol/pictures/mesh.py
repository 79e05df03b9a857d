"""Meshes and lines in the world, to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray, Int32Array, frozen_array

Color = tuple[float, float, float]  # red, green, blue in sRGB, 0 to 1


class Caster(NamedTuple):
    """Triangles that cast a shadow and are not seen."""

    vertices: FloatArray  # (V, 3) metres
    triangles: Int32Array  # (T, 3) indices of vertices


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles of one color in the world, in either orientation."""

    vertices: FloatArray  # (V, 3) metres
    normals: FloatArray  # (V, 3) unit, outward
    triangles: Int32Array  # (T, 3) indices of vertices
    color: Color
    casts_shadow: bool = True
    is_ground: bool = False  # whether it receives soft shadows like the studio's floor
    caster: Caster | None = None  # what casts its shadow in its place, of fewer triangles

    def __post_init__(self) -> None:
        object.__setattr__(self, "vertices", frozen_array(np.reshape(self.vertices, (-1, 3))))
        object.__setattr__(self, "normals", frozen_array(np.reshape(self.normals, (-1, 3))))
        object.__setattr__(self, "triangles", frozen_array(np.reshape(self.triangles, (-1, 3)), np.int32))
        object.__setattr__(self, "color", checked_color(self.color))
        if self.normals.shape != self.vertices.shape:
            raise InvalidInput(f"{len(self.vertices)} vertices need as many normals, not {len(self.normals)}")
        if not (np.all(np.isfinite(self.vertices)) and np.all(np.isfinite(self.normals))):
            raise InvalidInput("a mesh's vertices and normals must be finite numbers")
        if np.any((self.triangles < 0) | (self.triangles >= len(self.vertices))):
            raise InvalidInput("a mesh has a triangle with a vertex that does not exist")

    def unshaded(self) -> Mesh:
        """Return the same mesh that casts no shadow; checked already, it shares its arrays."""
        made = copy(self)
        object.__setattr__(made, "casts_shadow", False)
        return made


@dataclass(frozen=True, eq=False)
class Polyline:
    """A line through points of the world, with one width on the picture; nearer things hide it."""

    points: FloatArray  # (P, 3) metres
    color: Color
    width_px: float = 2.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "points", frozen_array(np.reshape(self.points, (-1, 3))))
        object.__setattr__(self, "color", checked_color(self.color))
        if not np.all(np.isfinite(self.points)):
            raise InvalidInput("a line's points must be finite numbers")
        if not self.width_px > 0.0:
            raise InvalidInput(f"a line's width must be positive, not {self.width_px}")


def checked_color(color: Sequence[float]) -> Color:
    """Return a color as three plain numbers, which must be from 0 to 1."""
    values = [float(value) for value in color]
    if len(values) != 3 or not all(0.0 <= value <= 1.0 for value in values):
        raise InvalidInput(f"a color is three numbers from 0 to 1, not {tuple(color)}")
    return values[0], values[1], values[2]


def to_linear(colors: ArrayLike) -> FloatArray:
    """Return sRGB values (..., 3) as linear light."""
    encoded = np.asarray(colors, dtype=np.float64)
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def to_screen_color(linear: FloatArray) -> FloatArray:
    """Return linear light as sRGB values."""
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * np.maximum(linear, 0.0) ** (1.0 / 2.4) - 0.055)
