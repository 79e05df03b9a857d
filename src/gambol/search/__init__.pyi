# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.search.astar import AStar as AStar
from gambol.search.astar import Anytime as Anytime
from gambol.search.coarse import coarse_map as coarse_map
from gambol.search.file import read_plan as read_plan
from gambol.search.file import write_plans as write_plans
from gambol.search.group import GroupPlan as GroupPlan
from gambol.search.group import plan_group as plan_group
from gambol.search.moves import COST_UNIT as COST_UNIT
from gambol.search.moves import may_be_last as may_be_last
from gambol.search.moves import moves_of as moves_of
from gambol.search.moves import rest_label as rest_label
from gambol.search.plan import Outcome as Outcome
from gambol.search.plan import Plan as Plan
from gambol.search.plan import SearchStatistics as SearchStatistics
from gambol.search.plan import SearchTrace as SearchTrace
from gambol.search.planner import Planner as Planner
from gambol.search.problem import Goal as Goal
from gambol.search.problem import Problem as Problem
from gambol.search.replan import follow as follow
from gambol.search.runs import path_of as path_of
from gambol.search.search import StateTable as StateTable
from gambol.search.shared_out import SharedOut as SharedOut
from gambol.search.sighting import Sighting as Sighting
from gambol.search.traffic import Traffic as Traffic
from gambol.search.way import closed_cells as closed_cells
