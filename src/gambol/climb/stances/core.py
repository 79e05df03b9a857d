"""The core that searches over stances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gambol.climb.climb import ClimbPath
from gambol.climb.core import FoundPath
from gambol.climb.figure import FREE
from gambol.climb.kernels.field import distance_at
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.climb.stances.fallback import paper_steps
from gambol.climb.stances.search import StanceNode, StanceSearch, way_to
from gambol.climb.stances.setting import NO_WAY_M, StanceSetting
from gambol.climb.stances.stance import Stance
from gambol.geometry.arrays import FloatArray
from gambol.kernels import jit
from gambol.search.plan import Outcome

NEAR_M = 0.6  # of the start's place: how far away the first grasp points may be


@dataclass(frozen=True, eq=False)
class StancesCore:
    """Best-first search over stances; where that ends without the goal, the paper's steps go on from the nearest.

    usage: how much each comfort heuristic counts in each mode (9, 4).
    """

    usage: FloatArray | None = None

    def search(self, problem: ClimbProblem) -> FoundPath:
        began = jit.seconds()
        deadline = None if problem.time_limit_s is None else began + problem.time_limit_s
        setting = StanceSetting.of(problem, self.usage)
        search = StanceSearch(problem, setting, problem.seed)
        start = _start(problem, setting, search)
        if isinstance(start, str):
            return FoundPath(Outcome.START_BLOCKED, start, None)
        goal = problem.goal
        if distance_at(setting.field, goal.x, goal.z) < 0.0:
            return FoundPath(
                Outcome.GOAL_BLOCKED, f"the goal ({goal.x:g}, {goal.z:g}) lies inside something solid", None
            )
        if setting.way_left(start[0]) >= NO_WAY_M:
            return FoundPath(Outcome.UNREACHABLE, _gap(setting, start[0]), _path(search.begin(*start)))
        first = search.begin(*start)
        found = search.run(deadline) or search.try_again(deadline)
        statistics = {
            "tries": search.tries,
            "stances": len(search.reached),
            "fits": search.poser.fits,
            "trees": search.connector.trees,
        }
        best = found or search.nearest or first
        path = _path(best)
        if found is not None:
            return FoundPath(Outcome.FOUND, "", path, statistics)
        outcome, reason = _why_not(problem, search, deadline, best)
        if outcome == Outcome.UNREACHABLE:
            statistics["paper_steps"], onward = paper_steps(problem, best, self.usage, deadline)
            if onward is not None:
                return FoundPath(Outcome.FOUND, "", ClimbPath.joined([path, onward]), statistics)
        return FoundPath(outcome, reason, path, statistics)


def _start(problem: ClimbProblem, setting: StanceSetting, search: StanceSearch) -> tuple[Stance, FloatArray] | str:
    """Return a stance and posture at the start, or what is in the way."""
    start, grasps = problem.start, setting.grasps
    if start.mode not in (Mode.WALK, Mode.SWING):
        return f"this core starts standing (walk) or hanging (swing), not in {start.mode.label}; the core 'paper' does"
    side = 0 if start.facing > 0 else 1
    kind = 0 if start.mode == Mode.SWING else 1
    fine = grasps.allowed[start.mode, :, kind] & grasps.fits[side, :, kind]
    apart = np.hypot(grasps.x - start.x, grasps.z - start.z)
    near = np.flatnonzero(fine & (apart <= NEAR_M * setting.scale))
    what = "bar or hold to hang from" if kind == 0 else "foothold with room for a foot"
    if not len(near):
        return f"there is no {what} within {NEAR_M * setting.scale:.2f} m of the start ({start.x:g}, {start.z:g})"
    for grasp in near[np.argsort(apart[near])]:
        g = int(grasp)
        held = (g, g, FREE, FREE) if kind == 0 else (FREE, FREE, g, g)
        stance = Stance(Mode.SWING if kind == 0 else Mode.WALK, start.facing, held)
        guess = np.zeros(12)
        guess[:2] = setting.centre_guess(stance)
        posture = search.poser.fit(stance, guess, setting.span(stance.mode, stance.facing, held), effort=4.0)
        if posture is not None:
            return stance, posture.q
    return f"there is no room for the figure at the start ({start.x:g}, {start.z:g})"


def _gap(setting: StanceSetting, start: Stance) -> str:
    """Say where the chain of grasp points from a start to the goal is broken."""
    near, far = setting.graph.gap(start.feet or start.hands)
    here, there = (setting.places[grasp] for grasp in (near, far)) if far >= 0 else (setting.places[near], None)
    if there is None:
        return "no grasp point is near the goal"
    return (
        f"the grasp points do not lead to the goal: the figure comes to ({here[0]:.2f}, {here[1]:.2f}) at most, "
        f"and the next point that leads on, at ({there[0]:.2f}, {there[1]:.2f}), is further than it can stretch"
    )


def _path(node: StanceNode) -> ClimbPath:
    return ClimbPath.joined([piece.as_path() for piece in way_to(node)])


def _why_not(
    problem: ClimbProblem, search: StanceSearch, deadline: float | None, best: StanceNode
) -> tuple[Outcome, str]:
    x, z = best.centre
    place = f"it came to ({x:.2f}, {z:.2f}), {best.left:.2f} m of way from the goal, in {best.stance.mode.label}"
    if search.tries >= problem.max_stances:
        return Outcome.OUT_OF_BUDGET, f"after {search.tries} changes of grasp tried: {place}"
    if deadline is not None and jit.seconds() > deadline:
        return Outcome.OUT_OF_BUDGET, f"after {problem.time_limit_s:g} s: {place}"
    return (
        Outcome.UNREACHABLE,
        f"no grasp points lead on from all {len(search.reached)} stances that it can take: {place}",
    )
