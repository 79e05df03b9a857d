"""Pictures of motions and worlds, drawn without a graphics card or a screen."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".bake_plots": "Group Stint",
        ".camera": "Camera",
        ".climb_environment": "draw_environment extent_of",
        ".climb_figure": "draw_shapes posed",
        ".climb_page": "climb_page",
        ".climb_round": "Diorama",
        ".climb_strip": "course_page draw_along draw_course legend_for strip_page",
        ".climb_track": "Track",
        ".crowd_figures": "CrowdFigures",
        ".crowd_video": "CrowdFilm",
        ".figure": "faded skin_of",
        ".lettering": "INK PALE_INK Text draw_texts",
        ".mesh": "Color Mesh Polyline",
        ".page": "Page",
        ".plan_map": "draw_map map_extent",
        ".png": "write_png",
        ".shapes": "capsule",
        ".shown": "Shown show_all",
        ".stage": "PictureStage skins_for",
        ".state_machine": "draw_state_machine",
        ".tree_picture": "shown_nodes",
        ".variation_plots": "draw_screening draw_variation_plots",
        ".variation_poses": "draw_overlaid_poses",
        ".viewpoint": "direction_of",
        ".world_meshes": "obstacle_mesh terrain_meshes",
    },
)
