"""Planning by search: problems, plans, A* and its variants, groups, replanning."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".problem": "Goal Problem",
        ".plan": "Outcome Plan",
        ".astar": "Anytime AStar",
        ".group": "plan_group GroupPlan",
        ".planner": "Planner",
    },
)
