"""The core that searches over stances."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import ClimbPath
from gambol.climb.core import Found
from gambol.climb.figure import FREE
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.climb.stances.search import Node, Search, way_to
from gambol.climb.stances.setting import Setting
from gambol.climb.stances.stance import Stance
from gambol.plan.plan import Outcome

FloatArray = NDArray[np.float64]

NEAR_M = 0.6  # of the start's place: how far away the first grasp points may be


@dataclass(frozen=True, eq=False)
class StancesCore:
    """Best-first search over stances; usage: how much each comfort heuristic counts in each mode (9, 4)."""

    usage: FloatArray | None = None

    def search(self, problem: ClimbProblem) -> Found:
        began = time.perf_counter()
        deadline = None if problem.time_limit_s is None else began + problem.time_limit_s
        setting = Setting.of(problem, self.usage)
        search = Search(problem, setting, problem.seed)
        start = _start(problem, setting, search)
        if isinstance(start, str):
            return Found(Outcome.START_BLOCKED, start, None)
        if setting.potential.at(problem.goal.x, problem.goal.z) > 1e6:
            return Found(Outcome.GOAL_BLOCKED, "the goal lies inside something solid", None)
        first = search.begin(*start)
        goal = search.run(deadline) or search.try_again(deadline)
        statistics = {
            "tries": search.tries,
            "stances": len(search.reached),
            "fits": search.poser.fits,
            "trees": search.connector.trees,
        }
        best = goal or search.nearest or first
        path = _path(best)
        if goal is not None:
            return Found(Outcome.FOUND, "", path, statistics)
        outcome, reason = _why_not(problem, search, deadline, best)
        return Found(outcome, reason, path, statistics)


def _start(problem: ClimbProblem, setting: Setting, search: Search) -> tuple[Stance, FloatArray] | str:
    """Return a stance and posture at the start, or what is in the way."""
    start, grasps = problem.start, setting.grasps
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


def _path(node: Node) -> ClimbPath:
    return ClimbPath.joined([piece.as_path() for piece in way_to(node)])


def _why_not(problem: ClimbProblem, search: Search, deadline: float | None, best: Node) -> tuple[Outcome, str]:
    x, z = best.centre
    place = f"it came to ({x:.2f}, {z:.2f}), {best.left:.2f} m of way from the goal, in {best.stance.mode.label}"
    if search.tries >= problem.max_stances:
        return Outcome.OUT_OF_BUDGET, f"after {search.tries} changes of grasp tried: {place}"
    if deadline is not None and time.perf_counter() > deadline:
        return Outcome.OUT_OF_BUDGET, f"after {problem.time_limit_s:g} s: {place}"
    return Outcome.UNREACHABLE, f"no grasp points lead on from all {len(search.reached)} stances that it can take: {place}"
