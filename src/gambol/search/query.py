"""What a problem asks of a search, as flat arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

import numpy as np

from gambol.characters.action_table import actions_struct
from gambol.characters.character import Character
from gambol.characters.step import SEED_BITS
from gambol.core import Struct, ffi, struct_of
from gambol.search.moves import COST_UNIT, Moves, label_successors, may_be_last, moves_of, moves_struct, rest_label
from gambol.search.problem import Goal, Problem
from gambol.search.traffic import Traffic
from gambol.search.way import ClosedCells, WayField, sure_cores, way_field
from gambol.world.standing import special_kinds, standing, world_struct
from gambol.world.world import World

Known = TypeVar("Known")


class Query(NamedTuple):
    """L legs, each ending in a goal, the last one in that of the problem; B behaviors.  Costs are whole units."""

    x: float
    y: float
    heading: float
    frame: int
    first: np.ndarray  # behaviors that may come first
    goals: np.ndarray  # (L, 5) x, y, tolerance, heading, its tolerance (not below pi: any heading)
    may_end: np.ndarray  # (L, B) behaviors that may end a leg
    fields: tuple[WayField, ...]  # (L) ways left; empty if straight lines are all
    field_x0: float
    field_y0: float
    field_cell: float
    closed: np.ndarray  # (rows - 1, columns - 1) cells without room for any root
    later: np.ndarray  # (L,) least cost of the legs after each
    cost_per_way: float
    cost_per_chord: float
    special: np.ndarray  # (B,) kind of annotated obstacles that a behavior is for, -1: none
    radius: np.ndarray  # (B,) fixed radius, -1: the swept shape
    climb: float  # units per metre of rise
    descend: float
    seed: int
    has_traffic: bool
    core: np.ndarray  # (S,) no root can be this near to anything that stands, whatever it is
    horizon: int  # no clip ends after this frame; only where something moves


@dataclass(frozen=True, eq=False)
class CoreTables:
    """All that the core reads of a problem: a world, what moves in it, a character, and what is asked."""

    world: Struct
    traffic: Struct
    actions: Struct
    moves: Struct
    query: Struct


def core_tables(world: World, traffic: Traffic, character: Character, query: Query) -> CoreTables:
    """Return what the core reads of a problem; worlds and characters are laid out once."""
    return CoreTables(
        world=world_struct(world),
        traffic=traffic.struct,
        actions=actions_struct(character),
        moves=moves_struct(character),
        query=struct_of_query(query),
    )


def struct_of_query(query: Query) -> Struct:
    """Return a query as the core reads it."""
    closed_rows, closed_columns = query.closed.shape
    fields = [field.core for field in query.fields]
    made = struct_of(
        "gb_query",
        query,
        first_count=len(query.first),
        legs=len(query.goals),
        behaviors=len(query.special),
        fields=None,
        closed_rows=closed_rows,
        closed_columns=closed_columns,
    )
    if fields:
        listed = ffi.new("gb_field *[]", [field.c for field in fields])
        made.c.fields, made.kept["fields"] = listed, (listed, fields)
    return made


def query_of(problem: Problem, cells: ClosedCells, traffic: Traffic, *, around: bool) -> Query:
    """Return what a problem asks.  around: with the ways that are left around obstacles."""
    character, legs = problem.character, (*problem.waypoints, problem.goal)
    moves = moves_of(character)
    around = around and cells.has_closed  # where nothing is closed the straight line is the way
    fields: tuple[WayField, ...] = ()
    if around:
        begins = (problem.start[:2], *((goal.x, goal.y) for goal in legs))
        fields = tuple(
            way_field(cells, (goal.x, goal.y, goal.tolerance_m), begin)
            for goal, begin in zip(legs, begins, strict=False)
        )
    return Query(
        x=problem.start[0],
        y=problem.start[1],
        heading=problem.start[2],
        frame=problem.start_frame,
        first=first_behaviors(problem),
        goals=np.array([goal_row(goal) for goal in legs]),
        may_end=np.array(
            [*(_may_pass(problem, goal) for goal in problem.waypoints), _may_be_last(character, problem.goal.behavior)]
        ),
        fields=fields,
        field_x0=cells.x0,
        field_y0=cells.y0,
        field_cell=cells.cell_m,
        closed=cells.closed,
        later=costs_after(legs, moves),
        cost_per_way=moves.cost_per_way,
        cost_per_chord=moves.cost_per_chord,
        special=_special_numbers(character, problem),
        radius=_once(character, "radius", lambda: _radii(character)),
        climb=problem.climb_cost / COST_UNIT,
        descend=problem.descend_cost / COST_UNIT,
        seed=problem.seed & SEED_BITS,
        has_traffic=not traffic.is_empty,
        core=sure_cores(character, standing(problem.world)),
        horizon=math.floor(problem.horizon_s * character.planning_rate_hz),
    )


def first_behaviors(problem: Problem) -> np.ndarray:
    """Return the behaviors that may come first: after a behavior or from a label stated, else from rest, else all."""
    if problem.after is not None:
        allowed = np.isfinite(problem.character.transition_costs[problem.character.index(problem.after)])
        return np.flatnonzero(allowed).astype(np.int32)
    label = problem.begins
    if label is None:
        label = _once(problem.character, "rest", lambda: rest_label(problem.character))
    if label is None:
        return np.arange(len(problem.character.behaviors), dtype=np.int32)
    return _once(problem.character, ("begins", label), lambda: label_successors(problem.character, label))


def goal_row(goal: Goal) -> tuple[float, float, float, float, float]:
    """Return a goal as the core reads it: x, y, tolerance, heading and its tolerance, not below pi for any."""
    if goal.heading_rad is None:
        return goal.x, goal.y, goal.tolerance_m, 0.0, 4.0
    return goal.x, goal.y, goal.tolerance_m, goal.heading_rad, goal.heading_tolerance_rad


_KNOWN: WeakKeyDictionary[Character, dict[Hashable, Any]] = WeakKeyDictionary()


def _once(character: Character, what: Hashable, make: Callable[[], Known]) -> Known:
    """Return something of a character that is worked out once."""
    known = _KNOWN.setdefault(character, {})
    if what not in known:
        known[what] = make()
    return known[what]


def _radii(character: Character) -> np.ndarray:
    return np.array([behavior.annotation.radius_m or -1.0 for behavior in character.behaviors])


def _may_be_last(character: Character, name: str | None) -> np.ndarray:
    return _once(character, ("last", name), lambda: may_be_last(character, name))


def _may_pass(problem: Problem, waypoint: Goal) -> np.ndarray:
    if waypoint.behavior is not None:
        return _may_be_last(problem.character, waypoint.behavior)
    return np.ones(len(problem.character.behaviors), dtype=bool)


def costs_after(legs: tuple[Goal, ...], moves: Moves) -> np.ndarray:
    """Return the least cost of all legs after each, by straight lines from disc to disc."""
    costs = np.zeros(len(legs), dtype=np.int64)
    for leg in range(len(legs) - 2, -1, -1):
        here, there = legs[leg], legs[leg + 1]
        gap = math.hypot(here.x - there.x, here.y - there.y) - here.tolerance_m - there.tolerance_m
        costs[leg] = costs[leg + 1] + int(max(0.0, gap) * moves.cost_per_chord)
    return costs


def _special_numbers(character: Character, problem: Problem) -> np.ndarray:
    """Return the kind that each behavior is for, by its number in the world's table; -2: none is there, -1: no kind."""
    kinds: tuple[str, ...] = tuple(special_kinds(problem.world))

    def numbers() -> np.ndarray:
        named: list[Any] = [behavior.annotation.special for behavior in character.behaviors]
        number = {kind: number for number, kind in enumerate(kinds)}
        return np.array([-1 if kind is None else number.get(kind, -2) for kind in named], dtype=np.int32)

    return _once(character, ("special", kinds), numbers)
