"""Worlds: bounds, obstacles, movers, terrain, and tables of them for kernels."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".difference": "changed_boxes",
        ".environment": "Environment GraspKind GraspPoint",
        ".falling": "falling_log",
        ".footprint": "Footprint Piece",
        ".meshes": "mesh_world_parts",
        ".mover": "Mover Trajectory",
        ".obstacle": "Obstacle Pose Special",
        ".pieces": "pieces_of",
        ".recording": "read_recording write_recording",
        ".table": "at_resolution compile_world",
        ".terrain": "Terrain",
        ".terrain_sources": "Bump terrain_from_bumps",
        ".world": "World",
    },
)
