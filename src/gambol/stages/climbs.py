"""Scenes of the kind climb: find ways over the grasps, then make bodies of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from gambol.body.capsules import Body
from gambol.climb.body import full_motion
from gambol.climb.climb import Climb
from gambol.climb.file import ClimbLog, ClimbRecord
from gambol.climb.ground import approach_to, onward_from
from gambol.climb.itinerary import Itinerary
from gambol.climb.joined import join
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.climb.scene import climb_problems
from gambol.errors import InvalidInput
from gambol.judges.climb_body import judge_climb_body
from gambol.judges.climb_check import CheckedClimb, ClimbCheck
from gambol.judges.climb_report import BodyReport, ClimbReport
from gambol.judges.climbs import judge_climb
from gambol.judges.motions import Performer, Touch, check_motions
from gambol.kernels import jit
from gambol.motion.edits import take
from gambol.motion.motion import Motion
from gambol.scenes.climb_actor import ClimbActor
from gambol.scenes.scene import Scene
from gambol.search.plan import Outcome
from gambol.stages.climber import Climber
from gambol.stages.performance import Performance, Progress


@dataclass(frozen=True, eq=False)
class Climbed:
    """What became of one climber."""

    actor: ClimbActor
    seed: int  # the scene's seed that found the climb
    climb: Climb
    outcome: Outcome  # the climb's; partial where a way over the ground is missing
    reason: str
    motion: Motion | None  # full body: approach, climb and way onward; None: there is no room to start
    first_frame: int = 0  # frame of that motion at which the climb begins

    @property
    def name(self) -> str:
        return self.actor.name

    @property
    def found(self) -> bool:
        return self.outcome is Outcome.FOUND

    @property
    def expansions(self) -> int:
        """How many changes of grasp were tried; of the paper's core, pieces of the way."""
        return int(self.climb.statistics.get("tries", self.climb.statistics.get("steps", 0)))

    @property
    def duration_s(self) -> float:
        return 0.0 if self.motion is None else self.motion.duration_s

    @cached_property
    def body(self) -> Motion | None:
        """The part of the motion that climbs, frame for frame the planar one."""
        if self.motion is None or self.climb.motion is None:
            return None
        count = len(self.climb.motion.path)
        if count == self.motion.frame_count:
            return self.motion
        return take(self.motion, slice(self.first_frame, self.first_frame + count))

    @cached_property
    def itinerary(self) -> Itinerary | None:
        """Its modes and grasps in their order."""
        climb = self.climb
        if climb.motion is None:
            return None
        return Itinerary.of(climb.problem.environment, climb.motion, first_frame=self.first_frame)

    def record(self) -> ClimbRecord:
        """Return what a climb file says of it."""
        return ClimbRecord(
            name=self.name,
            figure=self.climb.problem.figure,
            core=self.climb.core,
            seed=self.seed,
            outcome=self.outcome,
            reason=self.reason,
            frames=0 if self.motion is None else self.motion.frame_count,
            expansions=self.expansions,
            itinerary=self.itinerary,
        )


@dataclass(frozen=True, eq=False)
class ClimbPerformance(Performance):
    """Climbs of a cast, in its order."""

    climbs: tuple[Climbed, ...]
    report: ClimbCheck | None = field(default=None, kw_only=True)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(climbed.name for climbed in self.climbs)

    @property
    def outcome(self) -> Outcome:
        return next((climbed.outcome for climbed in self.climbs if not climbed.found), Outcome.FOUND)

    @property
    def reasons(self) -> dict[str, str]:
        return {
            climbed.name: "" if climbed.found else f"{climbed.outcome.value}: {climbed.reason}"
            for climbed in self.climbs
        }

    @property
    def own_motions(self) -> dict[str, Motion]:
        return {climbed.name: climbed.motion for climbed in self.climbs if climbed.motion is not None}

    @property
    def motions(self) -> dict[str, Motion]:
        """Motions by name that end together; a climber that has arrived stays in its last pose."""
        motions = self.own_motions
        most = max((motion.frame_count for motion in motions.values()), default=0)
        return {
            name: motion
            if motion.frame_count == most
            else take(motion, np.minimum(np.arange(most), motion.frame_count - 1))
            for name, motion in motions.items()
        }

    def log(self) -> ClimbLog:
        """Return what a climb file says."""
        return ClimbLog(self.scene.name, tuple(climbed.record() for climbed in self.climbs))

    def judged(self, say: Progress) -> ClimbCheck:
        """Judge the planar figures, the bodies on all of their way, and whether bodies meet."""
        reports: list[CheckedClimb] = []
        for number, climbed in enumerate(self.climbs):
            say("checking", number / len(self.climbs))
            if climbed.climb.motion is not None and climbed.motion is not None:
                plane, body = _judged(climbed)
                reports.append(CheckedClimb(climbed.name, plane, body))
        return ClimbCheck(tuple(reports), _touches(self.scene, self.climbs))

    def characters_json(self) -> list[dict[str, Any]]:
        return [_row(climbed) for climbed in self.climbs]

    def without_times(self) -> ClimbPerformance:
        climbs = tuple(replace(one, climb=replace(one.climb, plan_time_s=0.0)) for one in self.climbs)
        return replace(self, climbs=climbs, timings={})


@dataclass(frozen=True)
class ClimbStage:
    """Find a climb for each climber, as if alone there; make bodies of the climbs.

    climber: how climbs are found.  Of several seeds, from the scene's on, the lowest that succeeds is used, for each
    climber its own.
    max_stances: changes of grasp tried for each climber, 1 or more, in place of what the scene allows.
    time_limit_s: seconds, more than 0, after which a search ends; what is found then depends on the machine.
    """

    climber: Climber = field(default_factory=Climber)
    max_stances: int | None = None
    time_limit_s: float | None = None
    kind = "climb"

    def __post_init__(self) -> None:
        if self.max_stances is not None and self.max_stances < 1:
            raise InvalidInput(f"a budget is 1 stance or more, not {self.max_stances}")
        if self.time_limit_s is not None and not self.time_limit_s > 0.0:
            raise InvalidInput(f"a time limit is positive, not {self.time_limit_s:g} s")

    def run(self, scene: Scene, say: Progress) -> ClimbPerformance:
        problems = climb_problems(scene)
        solved: list[tuple[int, Climb]] = []
        begun = jit.seconds()
        for number, (name, problem) in enumerate(problems.items()):
            say("finding ways over the grasps", number / len(problems))
            allowed = problem.max_stances if self.max_stances is None else self.max_stances
            problem = replace(problem, max_stances=allowed, time_limit_s=self.time_limit_s)
            solved.append(_solved(scene, self.climber, name, problem))
        found = jit.seconds()
        climbs: list[Climbed] = []
        for number, (actor, (seed, climb)) in enumerate(zip(scene.climbs, solved, strict=True)):
            say("making motions", number / len(solved))
            climbs.append(_embodied(actor, seed, climb))
        timings = {"climb_s": found - begun, "body_s": jit.seconds() - found}
        return ClimbPerformance(scene, tuple(climbs), timings=timings)


def _solved(scene: Scene, climber: Climber, name: str, problem: ClimbProblem) -> tuple[int, Climb]:
    """Return the scene's seed with which a climb was found, or the first, and the climb."""
    seeds = range(scene.seed, scene.seed + climber.seeds)
    problems = {replace(scene, seed=seed).seed_of(name): seed for seed in seeds}
    climb = climber.solve_first([replace(problem, seed=own) for own in problems])
    return problems[climb.problem.seed], climb


def _embodied(actor: ClimbActor, seed: int, climb: Climb) -> Climbed:
    """Give a climb its body, and its ways over the ground."""
    if climb.motion is None:
        return Climbed(actor, seed, climb, climb.outcome, climb.reason, None)
    body = full_motion(climb.problem, climb.motion)
    whole, first, outcome, reason = body, 0, climb.outcome, climb.reason
    try:
        if actor.approach is not None:
            approach = approach_to(body, actor.approach, seed=climb.problem.seed, character=actor.character)
            whole = join(approach, body, None)
            first = whole.frame_count - body.frame_count
        if actor.onward is not None and climb.outcome is Outcome.FOUND:
            if climb.motion.path.modes[-1] != Mode.WALK:
                last = Mode(int(climb.motion.path.modes[-1])).label
                raise InvalidInput(f"nobody goes onward out of the mode {last!r}: give the goal the mode 'walk'")
            onward = onward_from(body, actor.onward, seed=climb.problem.seed, character=actor.character)
            whole = join(None, whole, onward)
    except InvalidInput as error:
        outcome, reason = Outcome.PARTIAL if outcome is Outcome.FOUND else outcome, reason or str(error)
    return Climbed(actor, seed, climb, outcome, reason, whole, first)


def _judged(climbed: Climbed) -> tuple[ClimbReport, BodyReport]:
    """Judge the planar figure; the body on all of its way, and how it holds where it climbs."""
    climb, body, whole = climbed.climb, climbed.body, climbed.motion
    assert climb.motion is not None
    assert body is not None
    assert whole is not None
    plane = judge_climb(climb.problem, climb.motion)
    holding = judge_climb_body(climb.problem, body, climb.motion)
    if whole is body:
        return plane, holding
    return plane, replace(judge_climb_body(climb.problem, whole), slide_cm=holding.slide_cm)


def _touches(scene: Scene, climbs: Sequence[Climbed]) -> tuple[Touch, ...]:
    there = [(climbed.name, climbed.motion) for climbed in climbs if climbed.motion is not None]
    if len(there) < 2:
        return ()
    performers = [Performer(name, motion, Body.from_skeleton(motion.skeleton)) for name, motion in there]
    return check_motions(scene.world, performers, from_s=0.0).touches


def _row(climbed: Climbed) -> dict[str, Any]:
    climb, way = climbed.climb, climbed.itinerary
    spans = [] if way is None else way.modes
    return {
        "name": climbed.name,
        "outcome": climbed.outcome.value,
        "reason": climbed.reason,
        "cost": None,  # climbs have none
        "bound": None,
        "duration_s": climbed.duration_s,
        "plan_time_s": climb.plan_time_s,
        "smooth_time_s": climb.smooth_time_s,
        "expansions": climbed.expansions,
        "core": climb.core,
        "seed": climbed.seed,
        "modes": [
            {"mode": span.mode.label, "from_s": way.seconds(span.first), "to_s": way.seconds(span.last)}
            for span in spans
            if way is not None
        ],
        "grasps": 0 if way is None else len(way.points),
        "regrasps": 0 if way is None else way.regrasps,
        "statistics": climb.statistics,
    }
