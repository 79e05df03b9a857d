"""Gambol plans how characters move, and hands over the finished animation.

The names here are those most programs need; the rest is found where its name says
(`gambol.motion.edits`, `gambol.io.bvh`, `gambol.scene.file`, ...).
"""

from gambol.character.builtin import builtin_character
from gambol.character.character import Character
from gambol.character.file import load_character
from gambol.climb.climb import Climb
from gambol.climb.climber import Climber
from gambol.climb.scene import problems_of
from gambol.crowd.crowd import Crowd
from gambol.crowd.errand import Errand
from gambol.crowd.judge import CrowdReport, judge
from gambol.crowd.perform import perform_crowd
from gambol.crowd.recording import Recording
from gambol.crowd.recording_file import open_recording, save_recording
from gambol.errors import GambolError
from gambol.io.formats import ReadOptions, read_motion, write_motion
from gambol.io.reading import Reading
from gambol.motion.body import Body
from gambol.motion.contacts import Contacts, detect_contacts
from gambol.motion.foot_skate import remove_foot_skate
from gambol.motion.mirror import mirror
from gambol.motion.motion import Motion
from gambol.motion.quality import Quality, measure_quality
from gambol.motion.retarget import retarget
from gambol.motion.skeleton import Skeleton
from gambol.plan.astar import Anytime, AStar
from gambol.plan.group import plan_group
from gambol.plan.plan import Outcome, Plan
from gambol.plan.problem import Goal, Problem
from gambol.plan.tree.diverse import grow_diverse
from gambol.plan.tree.file import open_tree, save_tree
from gambol.plan.tree.look_up import LookUp
from gambol.plan.tree.planner import TreePlanner
from gambol.plan.tree.tree import SearchTree
from gambol.scene.file import load_scene
from gambol.scene.scene import Scene
from gambol.scene.shipped import shipped_scenes
from gambol.synthesis.check import CheckReport, Performer, check_motions
from gambol.synthesis.perform import Performance, perform
from gambol.synthesis.realize import realize
from gambol.world.footprint import Footprint
from gambol.world.mover import Mover, Trajectory
from gambol.world.obstacle import Obstacle
from gambol.world.terrain import Terrain
from gambol.world.world import World

__all__ = [
    "AStar",
    "Anytime",
    "Body",
    "Character",
    "CheckReport",
    "Climb",
    "Climber",
    "Contacts",
    "Crowd",
    "CrowdReport",
    "Errand",
    "Footprint",
    "GambolError",
    "Goal",
    "LookUp",
    "Motion",
    "Mover",
    "Obstacle",
    "Outcome",
    "Performance",
    "Performer",
    "Plan",
    "Problem",
    "Quality",
    "ReadOptions",
    "Reading",
    "Recording",
    "Scene",
    "SearchTree",
    "Skeleton",
    "Terrain",
    "Trajectory",
    "TreePlanner",
    "World",
    "builtin_character",
    "check_motions",
    "detect_contacts",
    "grow_diverse",
    "judge",
    "load_character",
    "load_scene",
    "measure_quality",
    "mirror",
    "open_recording",
    "open_tree",
    "perform",
    "perform_crowd",
    "plan_group",
    "problems_of",
    "read_motion",
    "realize",
    "remove_foot_skate",
    "retarget",
    "save_recording",
    "save_tree",
    "shipped_scenes",
    "write_motion",
]
