"""Why there is no plan: failure is an answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np

from gambol.characters.action_table import ActionTable
from gambol.characters.character import Character
from gambol.core import Struct, lib, pointer, struct
from gambol.search.moves import may_be_last
from gambol.search.plan import Outcome
from gambol.search.search import Search, Setting
from gambol.search.way import held

NOTHING, BOUNDS = lib.GB_NOTHING, lib.GB_BOUNDS
FirstBody = tuple[int, float | None, str | None]  # sample; fixed radius and kind of obstacle, where there are any
_FIRST_BODIES: WeakKeyDictionary[Character, dict[bytes, list[FirstBody]]] = WeakKeyDictionary()
ALL_HEIGHTS = 1e8  # metres above and below: what a body of one fixed radius fills
RINGS, HEADINGS = 5, 12  # places and headings tried around a goal


def blocked_start(setting: Setting) -> str | None:
    """Return why no behavior can begin at the start, or None if one can.

    Who sets out later than at time 0 waits at its start, and nothing may run into it there; who was
    doing something `after` which it goes on was elsewhere.
    """
    problem = setting.problem
    if len(setting.query.first) == 0:
        return f"no behavior of {problem.character.name!r} may come first: none begins as {problem.begins!r}"
    found: str | None = None
    free: list[int] = []
    for sample, radius, kind in _first_bodies(setting):
        obstacle = _standing_in_the_way(setting, sample, radius)
        if obstacle >= 0 and kind is not None:
            special = problem.world.obstacles[obstacle].special
            if special is not None and special.kind == kind:
                obstacle = NOTHING  # this behavior may begin in it
        thing = -1
        if setting.is_dynamic:
            core = setting.core
            held = _held(sample, *problem.start)
            thing = lib.gb_stance_thing(core.world.c, core.traffic.c, core.actions.c, held.c, problem.start_frame)
        if obstacle == NOTHING and thing < 0:
            if not setting.is_dynamic:
                return None
            free.append(sample)
        elif found is None:
            blocker = "the bounds" if obstacle == BOUNDS else None
            if obstacle >= 0:
                blocker = repr(problem.world.obstacles[obstacle].name)
            elif blocker is None:
                blocker = repr(setting.traffic.names[thing])
            found = f"the body at the start ({problem.start[0]:.2f}, {problem.start[1]:.2f}) meets {blocker}"
    return _met_while_waiting(setting, free) if free else found


def _met_while_waiting(setting: Setting, samples: Sequence[int]) -> str | None:
    """Return what runs into any of the first instants before the time to set out, or None."""
    problem, core, traffic = setting.problem, setting.core, setting.traffic
    if not setting.is_dynamic or problem.after is not None:
        return None
    for sample in samples:
        held = (core.world.c, core.traffic.c, core.actions.c, _held(sample, *problem.start).c)
        frame = lib.gb_stance_when_met(*held, problem.start_frame)
        if frame >= 0:
            name = traffic.names[lib.gb_stance_thing(*held, frame)]
            return f"{name!r} runs into it at {frame / traffic.rate_hz:.1f} s, while it waits at the start"
    return None


def blocked_goal(setting: Setting) -> str | None:
    """Return why no plan can end at the goal, where that is certain, or None."""
    goals = (*setting.problem.waypoints, setting.problem.goal)
    least_x, least_y, greatest_x, greatest_y = setting.problem.world.bounds
    for goal in goals:
        name = "the goal" if goal is setting.problem.goal else "the way-point"
        where = f"{name} ({goal.x:.2f}, {goal.y:.2f})"
        outside_x = max(least_x - goal.x, goal.x - greatest_x, 0.0)
        outside_y = max(least_y - goal.y, goal.y - greatest_y, 0.0)
        if math.hypot(outside_x, outside_y) > goal.tolerance_m:
            return f"{where} lies outside the world's bounds"
        if not lib.gb_cells_any_open(setting.cells.core.c, goal.x, goal.y, goal.tolerance_m):
            return f"{where} lies where no body can be: inside or too near to an obstacle that nobody crosses"
        if goal.behavior is not None and not may_be_last(setting.problem.character, goal.behavior).any():
            return (
                f"{where} asks for a behavior {goal.behavior!r}, which {setting.problem.character.name!r} does not have"
            )
    return None


def unreachable_reason(search: Search) -> tuple[Outcome, str]:
    """Return the outcome and a sentence for a search that has nothing left to look at."""
    setting = search.setting
    problem, goal = setting.problem, setting.problem.goal
    if search.is_truncated:
        return Outcome.OUT_OF_BUDGET, "truncated search dropped every way that was left; keep more open nodes"
    if not _has_room_at_goal(setting):
        return (
            Outcome.GOAL_BLOCKED,
            f"no body that may end a plan fits within {goal.tolerance_m:g} m of the goal ({goal.x:.2f}, {goal.y:.2f})",
        )
    within = f" within {problem.horizon_s:g} s" if search.was_late else ""
    if search.expansions == 0 or _no_way(setting):
        return Outcome.UNREACHABLE, f"obstacles that nobody crosses separate start and goal{within}"
    merged = ""
    if not search.settings.exact and search.has_merged:
        unit, turn = search.settings.place_unit, 360.0 / search.settings.heading_count
        merged = f", those in the same {unit:g} m and {turn:g}° counted as one,"
    return (
        Outcome.UNREACHABLE,
        f"all {search.expansions:,} states that can be reached{within}{merged} were looked at "
        f"(about {_area(search):.0f} m² of ground), and none is at the goal",
    )


def _first_bodies(setting: Setting) -> Sequence[FirstBody]:
    """Return the first instants of what may come first: sample, and where there are any, fixed radius and kind."""
    actions, character, first = setting.actions, setting.problem.character, setting.query.first
    known, key = _FIRST_BODIES.setdefault(character, {}), first.tobytes()
    if key not in known:
        found: dict[FirstBody, None] = {}  # in order, each once
        for index in first:
            note = character.behaviors[index].annotation
            for sample in np.unique(actions.clip_samples[_clips_of(actions, index)]):
                found[int(sample), note.radius_m, note.special] = None
        known[key] = list(found)
    return known[key]


def _clips_of(actions: ActionTable, behavior: int) -> slice:
    return slice(int(actions.behavior_clips[behavior]), int(actions.behavior_clips[behavior + 1]))


def _standing_in_the_way(setting: Setting, sample: int, radius: float | None) -> int:
    x, y, heading = setting.problem.start
    core = setting.core
    if radius is not None:
        return lib.gb_world_blocking_obstacle(core.world.c, x, y, radius, -ALL_HEIGHTS, ALL_HEIGHTS, NOTHING)
    return lib.gb_stance_obstacle(core.world.c, core.actions.c, _held(sample, x, y, heading).c)


def _held(sample: int, x: float, y: float, heading: float) -> Struct:
    """Return a body held in an instant at a pose, as the core reads it."""
    return struct("gb_stance", sample=sample, x=x, y=y, heading=heading)


def _no_way(setting: Setting) -> bool:
    query = setting.query
    if not query.fields:
        return False
    with held(query.fields):
        return lib.gb_query_cost_left(setting.core.query.c, 0, query.x, query.y) >= lib.GB_NEVER


def _has_room_at_goal(setting: Setting) -> bool:
    problem, actions = setting.problem, setting.actions
    last = np.flatnonzero(may_be_last(problem.character, problem.goal.behavior))
    ends = actions.clip_samples + actions.duration
    samples = np.unique(np.concatenate([ends[_clips_of(actions, int(index))] for index in last]))
    goal = problem.goal
    heading = goal.heading_rad if goal.heading_rad is not None else 0.0
    tolerance = goal.heading_tolerance_rad if goal.heading_rad is not None else math.pi
    room = struct(
        "gb_goal_room",
        x=goal.x,
        y=goal.y,
        tolerance=goal.tolerance_m,
        heading=heading,
        heading_tolerance=tolerance,
        rings=RINGS,
        headings=HEADINGS,
    )
    core = setting.core
    return bool(lib.gb_stance_has_room(core.world.c, core.moves.c, pointer(samples, "int64_t"), len(samples), room.c))


def _area(search: Search) -> float:
    """Return roughly how much ground the expanded nodes cover."""
    trace = search.trace()
    cells = np.unique(np.floor(trace.poses[trace.expanded, :2]), axis=0)
    return float(len(cells))
