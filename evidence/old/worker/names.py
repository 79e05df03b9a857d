"""What workers use of the package, by the names that it has today, whatever it was called at the commit they run in.

Scripts beside this file import nothing of ours but this.
"""

# ruff: noqa: F401
# pyright: reportMissingImports=false
from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

IS_OLD = find_spec("gambol.search") is None  # before there were rooms

if IS_OLD:
    from gambol.character.action_table import action_table
    from gambol.character.builtin import builtin_character as load_character
    from gambol.character.character import Character
    from gambol.character.swept_shape import SweptShape
    from gambol.plan.astar import Anytime, AStar
    from gambol.plan.group import plan_group
    from gambol.plan.moves import may_be_last, rest_label
    from gambol.plan.plan import Plan
    from gambol.plan.problem import Goal, Problem
    from gambol.plan.search import Search, set_up
    from gambol.plan.traffic import Traffic
    from gambol.plan.tree.diverse import grow_diverse
    from gambol.plan.tree.look_up import LookUp
    from gambol.plan.tree.planner import TreePlanner
    from gambol.plan.tree.region import Region
    from gambol.plan.tree.roots import trees_for
    from gambol.plan.tree.tree import SearchTree
    from gambol.scene.file import load_scene
    from gambol.scene.shipped import shipped_scenes
    from gambol.world.footprint import Footprint
    from gambol.world.mover import Mover, Trajectory
    from gambol.world.obstacle import Obstacle

    from gambol.world.terrain_sources import Bump, terrain_from_bumps
    from gambol.world.world import World
else:
    from gambol.characters import Character, load_character
    from gambol.characters.action_table import action_table
    from gambol.characters.clip import SweptShape
    from gambol.scenes import load_scene, shipped_scenes
    from gambol.search import Anytime, AStar, Goal, Plan, Problem, Traffic, may_be_last, plan_group, rest_label
    from gambol.search.search import Search, set_up
    from gambol.trees import LookUp, SearchTree, TreePlanner, grow_diverse, trees_for
    from gambol.trees.region import Region
    from gambol.world import (
        Bump,
        Footprint,
        Mover,
        Obstacle,
        Trajectory,
        World,
        terrain_from_bumps,
    )


def soak(name: str) -> ModuleType:
    """Return a module of the soaks."""
    return import_module(f"soak.{name}" if IS_OLD else f"evidence.soak.{name}")
