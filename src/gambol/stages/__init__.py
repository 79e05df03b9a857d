"""From a scene to motions, judged: one stage for each kind of scene."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".climber": "Climber",
        ".climbs": "ClimbPerformance ClimbStage Climbed perform_climb",
        ".crowd_report": "Fare Run RunReport",
        ".crowds": "CrowdPerformance CrowdStage Entrance perform_crowd",
        ".performance": "Performance Progress Stage judge perform",
        ".plans": "PlanPerformance PlanStage",
        ".split_crowds": "SplitCrowdStage perform_split_crowd",
    },
)
