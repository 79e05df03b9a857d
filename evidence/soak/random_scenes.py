"""Random scenes, planned, realized and judged at full rate: nothing may collide, touch or break the rules."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from evidence.soak.scene_generator import Limits, random_scene
from evidence.soak.sequences import cmu_108, human
from evidence.soak.tally import Tally
from gambol.animate import play, terrain_contact_report
from gambol.characters import Character
from gambol.judges import CheckReport, Collision, IllegalTransition, Touch
from gambol.search import AStar, Outcome
from gambol.stages import PlanPerformance, PlanStage, perform

WEIGHT = 1.5
EXPANSIONS = 30_000  # for each character and search


@dataclass(frozen=True)
class RandomScenesJob:
    """Plan, realize and check so many random scenes with one to three of a character."""

    name: str
    make: Callable[[], Character]
    scenes: int = 250
    chunk_size: int = 5
    first: int = 0  # number of the first scene
    expansions: int = EXPANSIONS
    captured: bool = False  # its feet do not rest exactly on the ground of the captures

    @property
    def summary(self) -> str:
        return f"{self.scenes} random scenes: no delivered motion collides, touches or breaks the rules"

    @property
    def chunk_count(self) -> int:
        return -(-self.scenes // self.chunk_size)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name,
            "inputs_planned": self.scenes,
            "chunk_size": self.chunk_size,
            "seed": f"numpy.random.default_rng({self.first} + <input>)",
            "weight": WEIGHT,
            "expansions_allowed": self.expansions,
        }

    @contextmanager
    def session(self) -> Iterator[RandomScenesSession]:
        yield RandomScenesSession(self, self.make())


class RandomScenesSession:
    """A character and its limits."""

    def __init__(self, job: RandomScenesJob, character: Character) -> None:
        self._job = job
        self._character = character
        self._limits = Limits.of(character)

    def run_chunk(self, chunk: int) -> Tally:
        tally = Tally()
        for number in range(chunk * self._job.chunk_size, min((chunk + 1) * self._job.chunk_size, self._job.scenes)):
            begun = time.perf_counter()
            performance = self.perform(number)
            took = time.perf_counter() - begun
            tally.add(tally_of(number, performance, took, captured=self._job.captured))
        return tally

    def perform(self, number: int) -> PlanPerformance:
        """Return what becomes of the scene of a number."""
        scene = random_scene(self._job.first + number, self._character, self._limits)
        return perform(scene, PlanStage(AStar(weight=WEIGHT), self._job.expansions))


def tally_of(number: int, performance: PlanPerformance, took_s: float, *, captured: bool) -> Tally:
    """Return the counts of one scene."""
    report, plans = performance.report, performance.plans
    assert report is not None
    solved = performance.outcome is Outcome.FOUND
    return Tally(
        inputs=1,
        accepted=int(solved),
        rejected=Counter() if solved else Counter([str(performance.outcome)]),
        failures=[_failure(number, found)] if (found := _faults(performance, report)) else [],
        slowest_s=took_s,
        slowest_input=number,
        seconds=took_s,
        mean={
            "plan_s_per_character": performance.timings["plan_s"] / len(plans),
            "expansions_per_character": sum(plan.statistics.expansions for plan in plans) / len(plans),
        },
        worst=_on_the_ground(performance, captured),
        counts=_counts(performance, report),
    )


def _counts(performance: PlanPerformance, report: CheckReport) -> Counter[str]:
    world, plans = performance.scene.world, performance.plans
    counts = Counter({
        "characters": len(plans),
        "frames": report.frames,
        "collisions": len(report.collisions) - len(_run_over(performance, report)),
        "run_over_without_a_plan": len(_run_over(performance, report)),
        "touches": len(report.touches),
        "illegal_transitions": len(report.illegal_transitions),
        "obstacles": len(world.obstacles),
        "movers": len({mover.name.split("/")[0] for mover in world.movers}),
        "scenes_on_terrain": int(world.terrain is not None),
    })  # fmt: skip
    for plan in plans:
        counts[f"characters_{plan.outcome}"] += 1
        counts.update(f"steps_{plan.character.behaviors[step.behavior].kind}" for step in plan.steps)
    return counts


def _on_the_ground(performance: PlanPerformance, captured: bool) -> dict[str, float]:
    """Return how well feet stand on the terrain, where there is one."""
    terrain = performance.scene.world.terrain
    worst: dict[str, float] = {}
    if terrain is None:
        return worst
    for plan, motion, contacts in zip(performance.plans, performance.realized, performance.contacts, strict=True):
        if motion is not None and contacts is not None:
            level = play(plan.character, plan.steps) if captured else None  # captures do not stand on their own ground
            report = terrain_contact_report(motion, contacts, terrain, level=level)
            for figure in ("height_error_cm", "tilt_deg"):
                worst[figure] = max(report.worst(figure), worst.get(figure, 0.0))
    return worst


def _faults(performance: PlanPerformance, report: CheckReport) -> list[IllegalTransition | Touch | Collision]:
    """Return all that is wrong with what was delivered."""
    run_over = _run_over(performance, report)
    collisions = [collision for collision in report.collisions if collision not in run_over]
    return [*report.illegal_transitions, *report.touches, *collisions]


def _run_over(performance: PlanPerformance, report: CheckReport) -> list[Collision]:
    """Return where a mover runs into someone who has no plan and can only stand at its start.

    Scenes are random: some put a start where something comes along and leave no way out in time.  Those
    are counted apart, for nothing that was planned is wrong with them.
    """
    pairs = zip(performance.names, performance.plans, strict=True)
    movers = {mover.name for mover in performance.scene.world.movers}
    standing = {name for name, plan in pairs if not plan.steps}
    return [one for one in report.collisions if one.performer in standing and one.thing in movers]


def _failure(number: int, found: list[IllegalTransition | Touch | Collision]) -> dict[str, Any]:
    return {"input": number, "error": type(found[0]).__name__, "message": "; ".join(map(str, found[:3])), "recipe": ""}


def random_scene_jobs() -> list[RandomScenesJob]:
    """Return the jobs that can run here: the captured character needs its captures."""
    jobs = [RandomScenesJob("random-scenes-human", human)]
    if os.environ.get("GAMBOL_MOCAP"):
        jobs.append(RandomScenesJob("random-scenes-cmu-108", cmu_108, first=250, captured=True))
    return jobs
