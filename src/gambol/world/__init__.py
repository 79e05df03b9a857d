"""Worlds: bounds, obstacles, movers, terrain, and tables of them for kernels."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".world": "World",
        ".obstacle": "Obstacle Pose",
        ".footprint": "Footprint",
        ".mover": "Mover Trajectory",
        ".terrain": "Terrain",
    },
)
