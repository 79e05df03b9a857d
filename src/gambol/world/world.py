"""A world: where characters may be, and what stands and moves there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.errors import InvalidInput
from gambol.notebook import mime_bundle
from gambol.world.mover import Mover
from gambol.world.obstacle import Obstacle
from gambol.world.terrain import Terrain


@dataclass(frozen=True, eq=False)
class World:
    """Bounds that no body leaves, obstacles, movers and terrain.  All heights but terrain's are above the ground."""

    bounds: tuple[float, float, float, float]  # least x, least y, greatest x, greatest y in metres
    obstacles: tuple[Obstacle, ...] = ()
    movers: tuple[Mover, ...] = ()
    terrain: Terrain | None = None  # None: flat, at height 0

    def __post_init__(self) -> None:
        bounds = tuple(float(value) for value in self.bounds)
        if len(bounds) != 4 or not np.isfinite(bounds).all() or bounds[0] >= bounds[2] or bounds[1] >= bounds[3]:
            raise InvalidInput(f"bounds are (least x, least y, greatest x, greatest y), not {self.bounds}")
        object.__setattr__(self, "bounds", bounds)
        object.__setattr__(self, "obstacles", tuple(self.obstacles))
        object.__setattr__(self, "movers", tuple(self.movers))
        names = [thing.name for thing in (*self.obstacles, *self.movers)]
        if len(set(names)) != len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise InvalidInput(f"obstacles and movers must have unique names, not {', '.join(twice)}")

    _repr_mimebundle_ = mime_bundle

    @property
    def changes(self) -> bool:
        """Whether anything moves."""
        return any(mover.trajectory.moves for mover in self.movers)
