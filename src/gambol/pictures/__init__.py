"""Pictures of motions and worlds, drawn without a graphics card or a screen."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".bake_plots": "Group Stint",
        ".tree_picture": "shown_nodes",
        ".world_meshes": "obstacle_mesh terrain_meshes",
    },
)
