"""From a scene to motions, judged: one stage for each kind of scene."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".performing": "judge perform",
        ".performance": "Performance Progress Stage",
        ".plans": "PlanPerformance PlanStage",
        ".crowds": "CrowdPerformance CrowdStage",
        ".split_crowds": "SplitCrowdStage",
        ".climbs": "Climbed ClimbPerformance ClimbStage",
        ".climber": "Climber",
        ".crowd_report": "Fare RunReport",
    },
)
