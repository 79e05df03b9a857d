"""From a scene to delivered motions, judged: the whole way in one function."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gambol.animate.realize import realize, realized_contacts
from gambol.body.capsules import Body
from gambol.errors import InvalidInput
from gambol.judge.motions import CheckReport, Performer, check_motions
from gambol.motion.contacts import Contacts
from gambol.motion.edits import take
from gambol.motion.motion import Motion
from gambol.scenes.scene import Scene
from gambol.search.group import DEFAULT_EXPANSIONS, plan_group, standing_step
from gambol.search.plan import Outcome, Plan
from gambol.search.planner import Planner
from gambol.search.problem import Problem
from gambol.solve import default_planner, planner_named

Progress = Callable[[str, float], None]  # told what is being done, and which share of that is


class Timings(NamedTuple):
    """Seconds by the clock."""

    plan_s: float
    realize_s: float
    check_s: float


@dataclass(frozen=True, eq=False)
class Performance:
    """What became of a scene; tuples are in the order of its cast.

    Whose start is blocked cannot even stand there: it is in no delivered motions and the check leaves it out,
    although in a group the others keep clear of its start.
    """

    scene: Scene
    problems: tuple[Problem, ...]
    plans: tuple[Plan, ...]
    motions: tuple[Motion | None, ...]  # None: its plan has no steps
    contacts: tuple[Contacts | None, ...]  # when feet and hands are planted
    report: CheckReport | None  # None: not checked
    timings: Timings

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(actor.name for actor in self.scene.cast)

    @property
    def outcome(self) -> Outcome:
        """Found if everyone has a full plan; otherwise the outcome of the first in the cast who has none."""
        return next((plan.outcome for plan in self.plans if not plan.found), Outcome.FOUND)

    @property
    def is_clean(self) -> bool:
        """Whether everyone has a full plan and the check, if it was made, found nothing."""
        return self.outcome is Outcome.FOUND and (self.report is None or self.report.clear)

    @property
    def ends_s(self) -> float:
        """The world's time at which the last motion ends."""
        starts = (_start_s(*pair) for pair in zip(self.problems, self.plans, strict=True))
        pairs = zip(starts, self.motions, strict=True)
        return max((start_s + motion.duration_s for start_s, motion in pairs if motion is not None), default=0.0)

    def own_motions(self) -> dict[str, Motion]:
        """Return motions by name, for those who have one.

        Each begins at the world's time 0, with waiting where one sets out later, and ends when it has arrived.
        """
        staged = zip(self.names, self.problems, self.plans, self.motions, strict=True)
        return {
            name: _held(motion, _start_s(problem, plan), 0.0)
            for name, problem, plan, motion in staged
            if motion is not None
        }

    def shared_motions(self) -> dict[str, Motion]:
        """Return motions by name that all begin at the world's time 0 and end together.

        Who has arrived stays in the last pose; who has no steps stands at the start, unless that is blocked.
        """
        staged = zip(self.names, self.problems, self.plans, self.motions, strict=True)
        return {
            name: _held(standing(problem) if motion is None else motion, _start_s(problem, plan), self.ends_s)
            for name, problem, plan, motion in staged
            if motion is not None or plan.outcome is not Outcome.START_BLOCKED
        }


def perform(
    scene: Scene,
    *,
    planner: Planner | None = None,
    max_expansions: int | None = None,
    check: bool = True,
    progress: Progress | None = None,
) -> Performance:
    """Plan for all of a scene's cast, realize the plans and judge the motions.

    One character is planned for alone; several by `plan_group`, each a mover for those after it.

    What is judged is what `shared_motions` delivers: from the world's time 0 to the end of the last motion, with
    those who wait for their start, those who have arrived, and those who have no plan and stand at their start.

    planner: by default weighted A*, improved where there is one character; see `gambol.solve`.
    max_expansions: for each character, in place of what the scene allows.
    progress: told what is being done, and which share of that is.
    """
    if scene.kind != "plan":
        instead = {"crowd": "; gambol crowd runs this one", "climb": "; gambol climb climbs this one"}[scene.kind]
        raise InvalidInput(
            f"scene {scene.name!r} is of the kind {scene.kind!r}; only those of the kind 'plan' are planned{instead}"
        )
    if not scene.cast:
        raise InvalidInput(f"scene {scene.name!r} has no cast: there is nobody to plan for")
    say = progress or (lambda what, share: None)
    begun = time.perf_counter()
    problems, plans = _plan(scene, planner, max_expansions, say)
    planned = time.perf_counter()
    motions, contacts = _realize(scene, plans, say)
    realized = time.perf_counter()
    report = _check(scene, problems, plans, motions, say) if check else None
    timings = Timings(planned - begun, realized - planned, time.perf_counter() - realized)
    return Performance(scene, problems, plans, motions, contacts, report, timings)


def standing(problem: Problem) -> Motion:
    """Return the single frame of a character that stands at its start and waits."""
    step = standing_step(problem)
    return take(realize(problem.character, [step], terrain=problem.world.terrain), slice(0, 1))


def _plan(
    scene: Scene, planner: Planner | None, max_expansions: int | None, say: Progress
) -> tuple[tuple[Problem, ...], tuple[Plan, ...]]:
    problems = {actor.name: scene.problem(actor) for actor in scene.cast}
    if max_expansions is not None:
        problems = {name: replace(problem, max_expansions=max_expansions) for name, problem in problems.items()}
    if planner is None:
        planner = planner_named(default_planner(len(problems)))
    say("planning", 0.0)
    if len(problems) == 1:
        plans = tuple(planner.solve(problem) for problem in problems.values())
    else:
        plans = plan_group(
            problems,
            planner,
            expansions=DEFAULT_EXPANSIONS if max_expansions is None else max_expansions,
            progress=lambda done, count: say("planning", done / count),
        ).plans
    return tuple(problems.values()), plans


def _realize(
    scene: Scene, plans: tuple[Plan, ...], say: Progress
) -> tuple[tuple[Motion | None, ...], tuple[Contacts | None, ...]]:
    motions: list[Motion | None] = []
    contacts: list[Contacts | None] = []
    for number, plan in enumerate(plans):
        say("making motions", number / len(plans))
        steps = plan.steps
        motions.append(realize(plan.character, steps, terrain=scene.world.terrain) if steps else None)
        contacts.append(realized_contacts(plan.character, steps) if steps else None)
    return tuple(motions), tuple(contacts)


def _check(
    scene: Scene,
    problems: tuple[Problem, ...],
    plans: tuple[Plan, ...],
    motions: tuple[Motion | None, ...],
    say: Progress,
) -> CheckReport:
    """Judge the motions and all waiting; who has no motion stands at its start, where others may run into it."""
    bodies: dict[int, Body] = {}  # by skeleton, which the characters keep alive
    performers = []
    for actor, problem, plan, motion in zip(scene.cast, problems, plans, motions, strict=True):
        if motion is None and plan.outcome is Outcome.START_BLOCKED:
            continue
        shown = standing(problem) if motion is None else motion
        skeleton = shown.skeleton
        if id(skeleton) not in bodies:
            bodies[id(skeleton)] = Body.from_skeleton(skeleton)
        start_s = _start_s(problem, plan)
        performers.append(Performer(actor.name, shown, bodies[id(skeleton)], start_s, plan.steps, plan.character))
    say("checking", 0.0)
    return check_motions(
        scene.world, performers, from_s=0.0, resting=True, progress=lambda share: say("checking", share)
    )


def _start_s(problem: Problem, plan: Plan) -> float:
    """Return when someone sets out; in a group that may be later than it could."""
    frame = plan.steps[0].frame if plan.steps else problem.start_frame
    return frame / problem.character.planning_rate_hz


def _held(motion: Motion, start_s: float, until_s: float) -> Motion:
    """Return a motion from time 0 on, in its first pose until it starts, and in its last from its end to a time."""
    before = round(start_s * motion.rate_hz)
    after = max(0, round(until_s * motion.rate_hz) - before - motion.frame_count + 1)
    if before == 0 and after == 0:
        return motion
    return take(motion, np.clip(np.arange(-before, motion.frame_count + after), 0, motion.frame_count - 1))
