"""Gambol plans how characters move, and hands over the finished animation.

The names here are those most programs need; each is imported when it is first asked for.  All other public names are
those that a room lists (`gambol.motion`, `gambol.search`, `gambol.crowd`, ...).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gambol.animate.realize import realize
    from gambol.body.capsules import Body
    from gambol.characters.character import Character
    from gambol.characters.file import load_character
    from gambol.climb.climb import Climb
    from gambol.climb.scene import problems_of
    from gambol.crowd.crowd import Crowd
    from gambol.crowd.errand import Errand
    from gambol.crowd.recording import Recording
    from gambol.crowd.recording_file import open_recording, save_recording
    from gambol.errors import GambolError
    from gambol.files.formats import ReadOptions, read_motion, write_motion
    from gambol.files.reading import Reading
    from gambol.judge.crowds import CrowdReport, judge
    from gambol.judge.motions import CheckReport, Performer, check_motions
    from gambol.motion.contacts import Contacts, detect_contacts
    from gambol.motion.foot_skate import remove_foot_skate
    from gambol.motion.mirror import mirror
    from gambol.motion.motion import Motion
    from gambol.motion.quality import Quality, measure_quality
    from gambol.motion.retarget import retarget
    from gambol.motion.skeleton import Skeleton
    from gambol.perform import Performance, perform
    from gambol.scenes.file import load_scene
    from gambol.scenes.find import shipped_scenes
    from gambol.scenes.scene import Scene
    from gambol.search.astar import Anytime, AStar
    from gambol.search.group import plan_group
    from gambol.search.plan import Outcome, Plan
    from gambol.search.problem import Goal, Problem
    from gambol.stages.climber import Climber
    from gambol.stages.crowds import perform_crowd
    from gambol.trees.diverse import grow_diverse
    from gambol.trees.file import open_tree, save_tree
    from gambol.trees.look_up import LookUp
    from gambol.trees.planner import TreePlanner
    from gambol.trees.tree import SearchTree
    from gambol.world.footprint import Footprint
    from gambol.world.mover import Mover, Trajectory
    from gambol.world.obstacle import Obstacle
    from gambol.world.terrain import Terrain
    from gambol.world.world import World

__version__ = "0.2.0.dev0"

#: Where each name lives.
_PLACES = {
    "AStar": "gambol.search.astar",
    "Anytime": "gambol.search.astar",
    "Body": "gambol.body.capsules",
    "Character": "gambol.characters.character",
    "CheckReport": "gambol.judge.motions",
    "Climb": "gambol.climb.climb",
    "Climber": "gambol.stages.climber",
    "Contacts": "gambol.motion.contacts",
    "Crowd": "gambol.crowd.crowd",
    "CrowdReport": "gambol.judge.crowds",
    "Errand": "gambol.crowd.errand",
    "Footprint": "gambol.world.footprint",
    "GambolError": "gambol.errors",
    "Goal": "gambol.search.problem",
    "LookUp": "gambol.trees.look_up",
    "Motion": "gambol.motion.motion",
    "Mover": "gambol.world.mover",
    "Obstacle": "gambol.world.obstacle",
    "Outcome": "gambol.search.plan",
    "Performance": "gambol.perform",
    "Performer": "gambol.judge.motions",
    "Plan": "gambol.search.plan",
    "Problem": "gambol.search.problem",
    "Quality": "gambol.motion.quality",
    "ReadOptions": "gambol.files.formats",
    "Reading": "gambol.files.reading",
    "Recording": "gambol.crowd.recording",
    "Scene": "gambol.scenes.scene",
    "SearchTree": "gambol.trees.tree",
    "Skeleton": "gambol.motion.skeleton",
    "Terrain": "gambol.world.terrain",
    "Trajectory": "gambol.world.mover",
    "TreePlanner": "gambol.trees.planner",
    "World": "gambol.world.world",
    "check_motions": "gambol.judge.motions",
    "detect_contacts": "gambol.motion.contacts",
    "grow_diverse": "gambol.trees.diverse",
    "judge": "gambol.judge.crowds",
    "load_character": "gambol.characters.file",
    "load_scene": "gambol.scenes.file",
    "measure_quality": "gambol.motion.quality",
    "mirror": "gambol.motion.mirror",
    "open_recording": "gambol.crowd.recording_file",
    "open_tree": "gambol.trees.file",
    "perform": "gambol.perform",
    "perform_crowd": "gambol.stages.crowds",
    "plan_group": "gambol.search.group",
    "problems_of": "gambol.climb.scene",
    "read_motion": "gambol.files.formats",
    "realize": "gambol.animate.realize",
    "remove_foot_skate": "gambol.motion.foot_skate",
    "retarget": "gambol.motion.retarget",
    "save_recording": "gambol.crowd.recording_file",
    "save_tree": "gambol.trees.file",
    "shipped_scenes": "gambol.scenes.find",
    "write_motion": "gambol.files.formats",
}
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


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
