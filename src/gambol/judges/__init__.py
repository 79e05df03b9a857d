"""The independent judges of delivered motion: of plans, crowds and climbs."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".plans": "check",
        ".motions": "check_motions",
        ".cast": "Performer",
        ".report": "CheckReport Collision IllegalTransition Report Touch",
        ".crowds": "judge_crowd",
        ".climbs": "judge_climb",
    },
)
