"""What a body fills while a clip plays: eight upright cylinders an instant.

One disc around the root is too crude: it blocks a jump over the lowest hurdle, and in a crawl it
misses parts of the body by half a metre.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.geometry.arrays import frozen_array

FloatArray = NDArray[np.float64]
PARTS = (
    "left foot", "right foot", "left leg", "right leg", "left arm", "right arm", "trunk", "head",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class SweptShape:
    """Cylinders by instant (a planning frame) and part, each in the frame of the path's pose there.

    An instant stands for the time from half a planning frame before it to half a one after it, so
    that all instants together cover the whole clip.
    """

    offset: FloatArray  # (K, 8, 2) metres, of the axis: forward and left of the path's pose
    radius: FloatArray  # (K, 8) metres
    low: FloatArray  # (K, 8) metres above the ground
    high: FloatArray  # (K, 8) metres above the ground

    def __post_init__(self) -> None:
        for name in ("offset", "radius", "low", "high"):
            object.__setattr__(self, name, frozen_array(getattr(self, name)))
        count = len(self.radius)
        if self.offset.shape != (count, len(PARTS), 2) or any(
            array.shape != (count, len(PARTS)) for array in (self.radius, self.low, self.high)
        ):
            raise InvalidInput(f"a swept shape needs {len(PARTS)} cylinders an instant")

    @property
    def instant_count(self) -> int:
        return len(self.radius)

    @property
    def outer_radius(self) -> FloatArray:
        """Radius around the path's pose that holds all parts, by instant (K,)."""
        return (np.linalg.norm(self.offset, axis=-1) + self.radius).max(axis=1)

    @property
    def lowest(self) -> FloatArray:
        """Height of the lowest part by instant (K,)."""
        return self.low.min(axis=1)

    @property
    def highest(self) -> FloatArray:
        """Height of the highest part by instant (K,)."""
        return self.high.max(axis=1)

    def grown(self, margin: FloatArray) -> SweptShape:
        """Return the shape with every cylinder wider, lower and higher by a margin (K, 8) or (K, 1)."""
        return SweptShape(self.offset, self.radius + margin, self.low - margin, self.high + margin)
