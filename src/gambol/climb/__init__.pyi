# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.climb.body.skeleton import figure_skeleton as figure_skeleton
from gambol.climb.climb import Climb as Climb
from gambol.climb.climb import ClimbMotion as ClimbMotion
from gambol.climb.climb import ClimbPath as ClimbPath
from gambol.climb.climb import Source as Source
from gambol.climb.core import FoundPath as FoundPath
from gambol.climb.environment_table import anchor_of as anchor_of
from gambol.climb.environment_table import grasp_table as grasp_table
from gambol.climb.figure import Figure as Figure
from gambol.climb.figure import FigureTable as FigureTable
from gambol.climb.file import read_climb_file as read_climb_file
from gambol.climb.modes import Mode as Mode
from gambol.climb.paper.core import PaperCore as PaperCore
from gambol.climb.problem import ClimbGoal as ClimbGoal
from gambol.climb.problem import ClimbProblem as ClimbProblem
from gambol.climb.problem import ClimbStart as ClimbStart
from gambol.climb.scene import climb_problems as climb_problems
from gambol.climb.stances.core import StancesCore as StancesCore
from gambol.climb.stances.setting import StanceSetting as StanceSetting
