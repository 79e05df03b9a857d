"""The papers' way to plan with search trees: sub-goal after sub-goal along a rough way [LK06 4.3, L09 4.5]."""

from evidence.reproductions.sub_goals.planner import SUB_GOAL_SHARE, SubGoalPlanner
from evidence.reproductions.sub_goals.trip import KEPT_AT_MARK

__all__ = ["KEPT_AT_MARK", "SUB_GOAL_SHARE", "SubGoalPlanner"]
