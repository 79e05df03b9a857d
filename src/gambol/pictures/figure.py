"""A motion's poses as meshes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gambol.body.skin import Skin, skin_around, vertex_normals
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.pictures.mesh import Caster, Color, Mesh

CLAY: Color = (0.95, 0.71, 0.36)
LEFT: Color = (0.0, 0.447, 0.698)  # blue of Okabe and Ito's set, which the color-blind can tell apart
RIGHT: Color = (0.835, 0.369, 0.0)  # vermilion of the same set


def skin_of(motion: Motion) -> Skin:
    """Return a skin for a motion's skeleton."""
    return skin_around(motion.skeleton)


def figure(skin: Skin, vertices: FloatArray, color: Color = CLAY, caster: Caster | None = None) -> Mesh:
    """Return a skin as a mesh with its vertices (V, 3) placed in the world."""
    return Mesh(vertices, vertex_normals(vertices, skin.triangles), skin.triangles, color, caster=caster)


def spread_frames(motion: Motion, count: int) -> list[int]:
    """Return up to `count` different frames, evenly spaced from the first to the last."""
    return sorted({round(frame) for frame in np.linspace(0, motion.frame_count - 1, max(1, count)).tolist()})


def faded(color: Sequence[float], toward: Sequence[float], share: float) -> Color:
    """Return a color moved toward another by a share from 0 to 1."""
    r, g, b = ((1.0 - share) * own + share * other for own, other in zip(color, toward, strict=True))
    return r, g, b
