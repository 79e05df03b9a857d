"""The independent judges of delivered motion: of plans, crowds and climbs."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".attribution": "attribute",
        ".cast": "Performer",
        ".climb_body": "judge_climb_body",
        ".climb_figure": "capsules_of mass_centres points_of",
        ".climb_report": "BodyReport ClimbReport Worst",
        ".climb_solids": "Solids",
        ".climbs": "judge_climb",
        ".crowd_report": "CrowdCollision CrowdReport CrowdTouch join_reports",
        ".crowds": "judge_crowd",
        ".motions": "check_motions",
        ".plans": "check",
        ".present": "look_now",
        ".report": "CheckReport Collision IllegalTransition Report Touch",
    },
)
