"""Scenes of the kind plan: plan for the cast, then make motions of the plans."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from gambol.animate.playing import play, realized_contacts
from gambol.body.capsules import Body
from gambol.judges.motions import Performer, check_motions
from gambol.judges.report import CheckReport
from gambol.motion.contacts import Contacts
from gambol.motion.edits import take
from gambol.motion.motion import Motion
from gambol.planners import default_planner, planner_named
from gambol.scenes.scene import Scene
from gambol.search.plan import Outcome, Plan
from gambol.search.planner import Planner
from gambol.search.problem import Problem
from gambol.stages.performance import Performance, Progress


@dataclass(frozen=True, eq=False)
class PlanPerformance(Performance):
    """Plans and motions of a cast; tuples are in its order.

    A character whose start is blocked cannot even stand there: it is in no delivered motions and the judge leaves it
    out, although in a group the others keep clear of its start.
    """

    problems: tuple[Problem, ...]
    plans: tuple[Plan, ...]
    realized: tuple[Motion | None, ...]  # None: the plan has no steps
    contacts: tuple[Contacts | None, ...]  # when feet and hands are planted

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(actor.name for actor in self.scene.cast)

    @property
    def outcome(self) -> Outcome:
        return next((plan.outcome for plan in self.plans if not plan.found), Outcome.FOUND)

    @property
    def reasons(self) -> dict[str, str]:
        pairs = zip(self.names, self.plans, strict=True)
        return {name: "" if plan.found else f"{plan.outcome.value}: {plan.reason}" for name, plan in pairs}

    @property
    def ends_s(self) -> float:
        """The world's time at which the last motion ends."""
        pairs = zip(self._starts_s, self.realized, strict=True)
        return max((start_s + motion.duration_s for start_s, motion in pairs if motion is not None), default=0.0)

    @property
    def own_motions(self) -> dict[str, Motion]:
        """Motions by name from the world's time 0 on, with waiting where a character sets out later."""
        staged = zip(self.names, self._starts_s, self.realized, strict=True)
        return {name: _held(motion, start_s, 0.0) for name, start_s, motion in staged if motion is not None}

    @property
    def motions(self) -> dict[str, Motion]:
        """Motions by name that all begin at the world's time 0 and end together.

        A character that has arrived stays in its last pose; one without steps stands at its start.
        """
        ends_s = self.ends_s
        return {name: _held(motion, start_s, ends_s) for name, start_s, motion in self._shown}

    def judged(self, say: Progress) -> CheckReport:
        """Judge the motions and all waiting; a character without a motion stands where others may run into it."""
        bodies: dict[int, Body] = {}  # by skeleton, which the characters keep alive
        performers = []
        plans = dict(zip(self.names, self.plans, strict=True))
        for name, start_s, motion in self._shown:
            key = id(motion.skeleton)
            if key not in bodies:
                bodies[key] = Body.from_skeleton(motion.skeleton)
            plan = plans[name]
            performers.append(Performer(name, motion, bodies[key], start_s, plan.steps, plan.character))
        say("checking", 0.0)
        return check_motions(
            self.scene.world, performers, from_s=0.0, resting=True, progress=lambda share: say("checking", share)
        )

    def characters_json(self) -> list[dict[str, Any]]:
        return [_row(name, plan) for name, plan in zip(self.names, self.plans, strict=True)]

    def without_times(self) -> PlanPerformance:
        plans = tuple(
            replace(plan, statistics=replace(plan.statistics, time_s=0.0, setup_time_s=0.0)) for plan in self.plans
        )
        return replace(self, plans=plans, timings={})

    @property
    def _starts_s(self) -> tuple[float, ...]:
        """When each sets out; in a group that may be later than it could."""
        return tuple(
            (plan.steps[0].frame if plan.steps else problem.start_frame) / problem.character.planning_rate_hz
            for problem, plan in zip(self.problems, self.plans, strict=True)
        )

    @cached_property
    def _shown(self) -> list[tuple[str, float, Motion]]:
        """Name, start and motion of everyone that can be seen: a single frame of those that only stand."""
        staged = zip(self.names, self.problems, self.plans, self._starts_s, self.realized, strict=True)
        return [
            (name, start_s, standing(problem) if motion is None else motion)
            for name, problem, plan, start_s, motion in staged
            if motion is not None or plan.outcome is not Outcome.START_BLOCKED
        ]


@dataclass(frozen=True)
class PlanStage:
    """Plan for a cast: one character alone, several by `plan_group`, each a mover for those after it.

    planner: by default weighted A*, improved where there is one character; see `gambol.planners`.
    max_expansions: for each character, 1 or more, in place of what the scene allows.
    """

    planner: Planner | None = None
    max_expansions: int | None = None
    kind = "plan"

    def run(self, scene: Scene, say: Progress) -> PlanPerformance:
        begun = time.perf_counter()
        problems, plans = self._plans(scene, say)
        planned = time.perf_counter()
        realized: list[Motion | None] = []
        contacts: list[Contacts | None] = []
        for number, plan in enumerate(plans):
            say("making motions", number / len(plans))
            steps, terrain = plan.steps, scene.world.terrain
            realized.append(play(plan.character, steps, terrain=terrain) if steps else None)
            contacts.append(realized_contacts(plan.character, steps) if steps else None)
        timings = {"plan_s": planned - begun, "realize_s": time.perf_counter() - planned}
        return PlanPerformance(scene, problems, plans, tuple(realized), tuple(contacts), timings=timings)

    def _plans(self, scene: Scene, say: Progress) -> tuple[tuple[Problem, ...], tuple[Plan, ...]]:
        problems = {actor.name: scene.problem(actor) for actor in scene.cast}
        if self.max_expansions is not None:
            limited = {"max_expansions": self.max_expansions}
            problems = {name: replace(problem, **limited) for name, problem in problems.items()}
        planner = self.planner or planner_named(default_planner(len(problems)))
        say("planning", 0.0)
        if len(problems) == 1:
            plans = tuple(planner.solve(problem) for problem in problems.values())
        else:
            from gambol.search.group import DEFAULT_EXPANSIONS, plan_group

            plans = plan_group(
                problems,
                planner,
                expansions=self.max_expansions or DEFAULT_EXPANSIONS,
                progress=lambda done, count: say("planning", done / count),
            ).plans
        return tuple(problems.values()), plans


def standing(problem: Problem) -> Motion:
    """Return the single frame of a character that stands at its start and waits."""
    from gambol.search.group import standing_step

    step = standing_step(problem)
    return take(play(problem.character, [step], terrain=problem.world.terrain), slice(0, 1))


def _held(motion: Motion, start_s: float, until_s: float) -> Motion:
    """Return a motion from time 0 on, in its first pose until it starts, and in its last from its end to a time."""
    before = round(start_s * motion.rate_hz)
    after = max(0, round(until_s * motion.rate_hz) - before - motion.frame_count + 1)
    if before == 0 and after == 0:
        return motion
    return take(motion, np.clip(np.arange(-before, motion.frame_count + after), 0, motion.frame_count - 1))


def _row(name: str, plan: Plan) -> dict[str, Any]:
    statistics = plan.statistics
    return {
        "name": name,
        "outcome": plan.outcome.value,
        "reason": plan.reason,
        "cost": plan.cost,
        "bound": plan.bound if np.isfinite(plan.bound) else None,
        "duration_s": plan.duration_s,
        "plan_time_s": statistics.setup_time_s + statistics.time_s,
        "expansions": statistics.expansions,
        "look_ups": statistics.look_ups,
        "fell_back": statistics.fell_back,
        "behaviors": list(plan.behaviors),
    }
