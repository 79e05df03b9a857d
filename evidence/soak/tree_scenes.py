"""Every scene that ships, planned by look-up: with its own cast, and with one built from captures in its place."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from evidence.soak.sequences import cmu_108
from evidence.soak.shipped_scenes import planned_scenes
from evidence.soak.tally import Tally
from gambol.characters import Character
from gambol.scenes import Actor, Scene, load_scene
from gambol.search import AStar, Planner
from gambol.stages import PlanPerformance, PlanStage, perform
from gambol.trees import TreePlanner, trees_for

WEIGHT = 1.5
EXPANSIONS = 100_000  # of a search, fallbacks included
IMPROVE = 100  # states, of all of a cast together


@dataclass(frozen=True)
class TreeScenesJob:
    """Plan scenes by look-up alone, then with the fallback, and by search; nothing delivered may break a rule."""

    name: str = "tree-scenes"
    cast: Callable[[], Character] | None = None  # in place of the humans of each scene
    scenes: list[str] = field(default_factory=planned_scenes)

    @property
    def summary(self) -> str:
        return "every scene that ships, planned by look-up: nothing collides, touches or breaks the rules"

    @property
    def chunk_count(self) -> int:
        return len(self.scenes)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": len(self.scenes), "weight": WEIGHT, "expansions": EXPANSIONS,
            "improve": IMPROVE,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[TreeScenesSession]:
        yield TreeScenesSession(self, None if self.cast is None else self.cast())


class TreeScenesSession:
    """Performs scene after scene."""

    def __init__(self, job: TreeScenesJob, instead: Character | None) -> None:
        self._job, self._instead = job, instead

    def run_chunk(self, chunk: int) -> Tally:
        name = self._job.scenes[chunk]
        begun = time.perf_counter()
        scene = load_scene(name)
        if self._instead is not None:
            scene = with_cast(scene, self._instead)
            if scene is None:
                return Tally(inputs=1, rejected=Counter(["others than humans are in it"]))
        row, broken = examine(scene)
        took = time.perf_counter() - begun
        failure = {"input": chunk, "error": "TreeScene", "message": "; ".join(broken), "recipe": name}
        return Tally(
            inputs=1, accepted=0 if broken else 1, failures=[failure] if broken else [],
            slowest_s=took, slowest_input=chunk, seconds=took, rows={name: row},
        )  # fmt: skip


def with_cast(scene: Scene, character: Character) -> Scene | None:
    """Return a scene with another in place of all its humans; None where there are others."""
    if not all(actor.character.name.startswith("human") for actor in scene.cast):
        return None
    return replace(scene, cast=tuple(_replaced(actor, character) for actor in scene.cast))


def _replaced(actor: Actor, character: Character) -> Actor:
    return replace(actor, character=character, begins=None, goal=replace(actor.goal, behavior=None))


def examine(scene: Scene) -> tuple[dict[str, Any], list[str]]:
    """Return the figures of a scene planned in three ways, and what is wrong with any of them."""
    search, improve = AStar(weight=WEIGHT), max(1, IMPROVE // len(scene.cast))
    for actor in scene.cast:
        trees_for(actor.character)
    ways: dict[str, Planner] = {
        "alone": TreePlanner(improve=improve),
        "fallback": TreePlanner(improve=improve, fallback=search),
        "search": search,
    }
    row: dict[str, Any] = {"characters": len(scene.cast)}
    broken: list[str] = []
    for way, planner in ways.items():
        done = perform(scene, PlanStage(planner, EXPANSIONS))
        broken += [f"{way}: {what}" for what in broken_rules(done)]
        row[way] = sum(plan.found for plan in done.plans)
        row[f"{way}_cost"] = round(sum(plan.cost for plan in done.plans if plan.found), 2)
        row[f"{way}_s_each"] = round(done.timings["plan_s"] / len(done.plans), 4)
        if way != "search":
            row[f"{way}_look_ups"] = sum(plan.statistics.look_ups for plan in done.plans)
    if row["fallback"] < row["search"]:
        broken.append(f"{row['fallback']} arrive with the fallback, {row['search']} by search")
    return row, broken


def broken_rules(done: PlanPerformance) -> list[str]:
    """Say how many collisions, touches and illegal transitions there are in what was delivered."""
    report = done.report
    assert report is not None
    found = {
        "collisions": report.collisions, "touches": report.touches, "illegal transitions": report.illegal_transitions,
    }  # fmt: skip
    return [f"{len(which)} {what}" for what, which in found.items() if which]


def tree_scene_jobs() -> list[TreeScenesJob]:
    """Return the jobs that can run here: the captured character needs its captures."""
    jobs = [TreeScenesJob()]
    if os.environ.get("GAMBOL_MOCAP"):
        jobs.append(TreeScenesJob("tree-scenes-cmu-108", cmu_108))
    return jobs
