# Written by tools/write_stubs.py from the list in __init__.py.

from gambol.world.changes import changed_boxes as changed_boxes
from gambol.world.environment import Environment as Environment
from gambol.world.environment import GRASP_KINDS as GRASP_KINDS
from gambol.world.environment import GraspKind as GraspKind
from gambol.world.environment import GraspPoint as GraspPoint
from gambol.world.falling import falling_log as falling_log
from gambol.world.meshes import mesh_world_parts as mesh_world_parts
from gambol.world.pieces import pieces_of as pieces_of
from gambol.world.recording import read_recording as read_recording
from gambol.world.recording import write_recording as write_recording
from gambol.world.standing import at_resolution as at_resolution
from gambol.world.table import compile_world as compile_world
from gambol.world.terrain import Terrain as Terrain
from gambol.world.terrain_sources import Bump as Bump
from gambol.world.terrain_sources import terrain_from_bumps as terrain_from_bumps
from gambol.world.world import Footprint as Footprint
from gambol.world.world import Mover as Mover
from gambol.world.world import Obstacle as Obstacle
from gambol.world.world import Piece as Piece
from gambol.world.world import Pose as Pose
from gambol.world.world import Special as Special
from gambol.world.world import Trajectory as Trajectory
from gambol.world.world import World as World
