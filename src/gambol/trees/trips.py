"""Trips of one character in one world: what the core reads for them, laid out once."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np

from gambol.characters.character import Character
from gambol.core import lib
from gambol.geometry.arrays import BoolArray
from gambol.search.problem import Goal, Problem
from gambol.search.query import first_behaviors
from gambol.search.search import Setting, set_up
from gambol.search.traffic import Traffic
from gambol.trees.core_tables import tables_struct
from gambol.trees.look_up import Found, LookUp
from gambol.trees.tree import SearchTree
from gambol.trees.trip_map import trip_map
from gambol.trees.trip_tables import Transitions, reach_m
from gambol.trees.trip_workspace import Tripped, Workspace
from gambol.world.standing import prepare
from gambol.world.world import World

KEPT = 8  # worlds, characters and traffics that trips are kept ready for


class Trips:
    """A character in a world with its trees, ready for trips from anywhere to anywhere; any threads may ask."""

    def __init__(self, problem: Problem, trees: tuple[SearchTree, ...]) -> None:
        self.character, self.trees = problem.character, trees
        self.setting = set_up(problem, around=False)
        self.transitions = Transitions.of(problem.character, trees)
        self.reach_m = max(reach_m(tree) for tree in trees)
        self.tables = [tables_struct(tree, self.setting) for tree in trees]
        self.map = trip_map(problem.world, problem.character)
        self.traffic = self.setting.core.traffic
        self._idle: list[Workspace] = []
        self._lock, self._is_laid_out = self.setting.core.world.kept["lock"], False

    def solve(self, problem: Problem, *, most_expansions: int, improve: int, trace: bool = False) -> Tripped:
        """Search for a trip; one thread at a time lays out what stands on the way, unless all is laid out."""
        try:
            workspace = self._idle.pop()
        except IndexError:
            workspace = Workspace(self)
        try:
            with nullcontext() if self._is_laid_out else self._lock, self.setting.traffic.held():
                return workspace.solve(problem, most_expansions, improve, trace)
        finally:
            self._idle.append(workspace)

    def prepare(self) -> None:
        """Lay the whole world out, so that several threads may search in it at once."""
        world = self.setting.problem.world
        prepare(world, world.bounds)
        with self._lock:
            lib.gb_map_draw(self.map.c)
        self.setting.traffic.lay_out(0, self.setting.traffic.horizon_frames)
        self._is_laid_out = True

    @cached_property
    def look_ups(self) -> tuple[LookUp, ...]:
        """The trees, ready for single questions."""
        like = self.setting.problem
        return tuple(
            LookUp(
                tree, self.character, like.world, traffic=self.setting.traffic, climb_cost=like.climb_cost,
                descend_cost=like.descend_cost, horizon_s=like.horizon_s,
            )
            for tree in self.trees
        )  # fmt: skip

    def setting_of(self, problem: Problem) -> Setting:
        """Return what a search of a problem reads, as far as starts and goals are looked at."""
        query = self.setting.query._replace(first=first_behaviors(problem))
        return replace(self.setting, problem=problem, query=query)

    def may_begin(self, problem: Problem) -> bool:
        """Tell whether some tree goes on from a start, or from a step after it."""
        allowed, transitions = self.allowed_after(problem, -1), self.transitions
        return bool((allowed & (transitions.roots.any(axis=0) | transitions.goes_on)).any())

    def allowed_after(self, problem: Problem, behavior: int) -> BoolArray:
        """Return which behaviors may follow one (B,); -1: which may come first."""
        if behavior >= 0:
            return self.transitions.allowed[behavior]
        allowed = np.zeros(len(self.character.behaviors), np.bool_)
        allowed[first_behaviors(problem)] = True
        return allowed

    def is_shut_off(self, problem: Problem) -> bool:
        """Tell whether what nobody crosses lies between the start and one of the goals, which is a proof."""
        nothing = np.zeros(len(self.character.behaviors), bool)  # what is asked for is not a path
        places = [Goal(goal.x, goal.y, goal.tolerance_m) for goal in (*problem.waypoints, problem.goal)]
        return any(self.look_ups[0].one(problem.start, place, last=nothing).outcome is Found.SHUT for place in places)


@lru_cache(maxsize=KEPT)
def _kept(like: _Like) -> Trips:
    return Trips(like.problem, like.trees)


@dataclass(frozen=True)
class _Like:
    """Problems that the same tables serve."""

    world: World
    character: Character
    trees: tuple[SearchTree, ...]
    traffic: Traffic | None
    climb_cost: float
    descend_cost: float
    horizon_s: float

    @property
    def problem(self) -> Problem:
        x, y = self.world.bounds[:2]
        return Problem(
            self.world, self.character, (x, y, 0.0), Goal(x, y), traffic=self.traffic, climb_cost=self.climb_cost,
            descend_cost=self.descend_cost, horizon_s=self.horizon_s,
        )  # fmt: skip


def trips_for(problem: Problem, trees: tuple[SearchTree, ...]) -> Trips:
    """Return what serves a problem and others like it, kept for the next."""
    like = _Like(
        problem.world,
        problem.character,
        trees,
        problem.traffic,
        problem.climb_cost,
        problem.descend_cost,
        problem.horizon_s,
    )
    made = _kept(like)
    if problem.traffic is not None and made.traffic is not problem.traffic.struct:  # something has joined it since
        made = Trips(like.problem, trees)
    return made
