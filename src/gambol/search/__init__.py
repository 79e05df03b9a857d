"""Planning by search: problems, plans, A* and its variants, groups, replanning."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".astar": "AStar Anytime",
        ".coarse": "coarse_map",
        ".file": "read_plan write_plans",
        ".group": "GroupPlan plan_group",
        ".moves": "COST_UNIT may_be_last moves_of rest_label",
        ".plan": "Outcome Plan SearchStatistics SearchTrace",
        ".planner": "Planner",
        ".problem": "Goal Problem",
        ".replan": "follow",
        ".runs": "path_of",
        ".search": "StateTable",
        ".shared_out": "SharedOut",
        ".sighting": "Sighting",
        ".traffic": "Traffic",
        ".way": "closed_cells",
    },
)
