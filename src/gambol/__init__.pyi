# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.animate import realize as realize
from gambol.characters import Character as Character
from gambol.characters import load_character as load_character
from gambol.crowd import Crowd as Crowd
from gambol.crowd import Errand as Errand
from gambol.errors import GambolError as GambolError
from gambol.files import read_motion as read_motion
from gambol.files import write_motion as write_motion
from gambol.judges import check as check
from gambol.motion import Motion as Motion
from gambol.planners import solve as solve
from gambol.scenes import load_scene as load_scene
from gambol.search import AStar as AStar
from gambol.search import Goal as Goal
from gambol.search import Outcome as Outcome
from gambol.search import Plan as Plan
from gambol.search import Problem as Problem
from gambol.stages import ClimbStage as ClimbStage
from gambol.stages import CrowdStage as CrowdStage
from gambol.stages import Performance as Performance
from gambol.stages import PlanStage as PlanStage
from gambol.stages import judge as judge
from gambol.stages import perform as perform
from gambol.trees import TreePlanner as TreePlanner
from gambol.variation import vary as vary
from gambol.world import Footprint as Footprint
from gambol.world import Mover as Mover
from gambol.world import Obstacle as Obstacle
from gambol.world import Terrain as Terrain
from gambol.world import World as World
__version__: str
