"""The independent judges of delivered motion: of plans, crowds and climbs."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".attribution": "attribute",
        ".climb_body": "judge_climb_body",
        ".climb_figure": "capsules_of mass_centres points_of",
        ".climb_report": "ClimbReport Worst",
        ".climb_solids": "Solids",
        ".climbs": "judge_climb",
        ".crowd_report": "CrowdCollision CrowdReport CrowdTouch",
        ".crowds": "judge_crowd",
        ".motions": "check_motions",
        ".plans": "check",
        ".present": "look_now",
        ".report": "CheckReport Collision IllegalTransition Report Touch",
        ".tables": "Performer",
    },
)
