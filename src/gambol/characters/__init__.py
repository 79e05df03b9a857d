"""Characters: clips, behaviors, what may follow what; from files, built or shipped."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".action_table": "ActionTable compile_actions",
        ".blended_shape": "include_blending",
        ".character": "Annotation Behavior Character DEFAULT_WEIGHTS Transition",
        ".check": "check_character",
        ".check_clips": "mean_slide",
        ".clearance": "highest_hurdle lowest_beam",
        ".clip": "Clip PARTS SweptShape",
        ".file": "parse_character",
        ".step": "Step check_steps clip_of place_steps",
        ".store": "character_bytes load_character parse_built write_character",
        ".swept_shape": "part_segments",
    },
)
