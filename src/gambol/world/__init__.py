"""Worlds: bounds, obstacles, movers, terrain, and tables of them for kernels."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".changes": "changed_boxes",
        ".environment": "Environment GRASP_KINDS GraspKind GraspPoint",
        ".falling": "falling_log",
        ".meshes": "mesh_world_parts",
        ".pieces": "pieces_of",
        ".recording": "read_recording write_recording",
        ".standing": "at_resolution",
        ".table": "compile_world",
        ".terrain": "Terrain",
        ".terrain_sources": "Bump terrain_from_bumps",
        ".world": "Footprint Mover Obstacle Piece Pose Special Trajectory World",
    },
)
