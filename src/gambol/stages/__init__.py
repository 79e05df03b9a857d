"""From a scene to motions, judged: one stage for each kind of scene."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".climber": "CORES Climber",
        ".climbs": "ClimbPerformance ClimbStage Climbed",
        ".crowd_report": "Fare RunFacts RunReport",
        ".crowds": "CrowdPerformance CrowdStage",
        ".performance": "Performance Progress Stage judge perform",
        ".plans": "PlanPerformance PlanStage",
        ".split_crowds": "SplitCrowdStage",
        ".variants": "VariantsPerformance VaryStage",
    },
)
