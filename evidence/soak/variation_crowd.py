"""Chapter 6 of L09: trees and crowds of five captured jogs, and of these with 32 variants made in advance.

One structure is learned over five unlike jogs with the feet as parents only.  The same people run to the same goals
twice, with five clips and with 37: in groups planned by look-up in a tree, and in a crowd.  Nothing delivered may
touch, collide or break a rule, trees must be exact, and fewer may repeat what somebody near by has just begun.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from evidence.reproductions.side_by_side import LABEL, recording_of, side_by_side
from evidence.soak.joggers import AHEAD_VARIANTS, TURN_VARIANTS, counts, joggers
from evidence.soak.sequences import cmu_108
from evidence.soak.tally import Tally
from evidence.soak.tree_scenes import broken_rules
from gambol.characters import Character, check_character
from gambol.crowd import Repeats, count_repeats
from gambol.scenes import Actor, Scene, Wander
from gambol.search import SharedOut
from gambol.stages import CrowdStage, PlanStage, perform
from gambol.trees import SearchTree, TreePlanner, audit_tree, grow_diverse
from gambol.variation import fill
from gambol.world import World

PRESET = "stable"  # the thesis's network, kept inside the data
FEW = "5 clips"
MOST_REPEATS = 0.7  # with 37 clips at most so many times as many as with five


@dataclass(frozen=True)
class VariationCrowdJob:
    """Run groups and crowds of joggers with five clips and with 37, seed by seed."""

    name: str = "variation-crowd"
    captured: Callable[[], Character] = cmu_108
    preset: str = PRESET
    seeds: int = 4
    nodes: int = 40_000  # of a tree
    group: int = 16  # people who run side by side
    people: int = 80  # in a crowd
    seconds: float = 60.0
    most_repeats: float = MOST_REPEATS
    variants: tuple[int, int] = (AHEAD_VARIANTS, TURN_VARIANTS)  # of the straight jog, and of each turn
    trees: int = 4  # of which each person looks into one

    @property
    def summary(self) -> str:
        return "five captured jogs and 32 variants, in trees and crowds: exact, no touches, fewer repeats"

    @property
    def chunk_count(self) -> int:
        return 2 * self.seeds

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.chunk_count, "preset": self.preset, "nodes": self.nodes,
            "group": self.group, "people": self.people, "crowd_s": self.seconds,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[VariationCrowdSession]:
        yield VariationCrowdSession(self)


class VariationCrowdSession:
    """Both kinds of joggers, and the trees of both."""

    def __init__(self, job: VariationCrowdJob) -> None:
        self._job = job
        few = joggers(job.captured())
        begun = time.perf_counter()
        made = counts(*job.variants)
        many = fill(few, made, preset=job.preset, seed=1)
        self.fill_s = time.perf_counter() - begun
        self.kinds = {FEW: few, f"{5 + sum(made.values())} clips": many}
        self._trees: dict[tuple[str, int], SearchTree] = {}

    def run_chunk(self, chunk: int) -> Tally:
        seed, in_crowd = divmod(chunk, 2)
        what = f"{'crowd' if in_crowd else 'tree'} {seed}"
        begun = time.perf_counter()
        rows, broken = {}, []
        for name, character in self.kinds.items():
            for trees in (1,) if in_crowd or character is self.kinds[FEW] else (1, self._job.trees):
                row, wrong = self._crowd(character, seed) if in_crowd else self._group(name, character, seed, trees)
                key = name if trees == 1 else f"{name} in {trees} trees"
                rows[f"{what}, {key}"] = row
                broken += [f"{key}: {one}" for one in wrong]
        few, *others = (row["repeats"]["share"] for row in rows.values())
        for many in others:
            if many > self._job.most_repeats * few:
                broken.append(f"of the clips begun {many:.3f} repeat one near by, and {few:.3f} without variants")
        took = time.perf_counter() - begun
        failure = {"input": chunk, "error": "VariationCrowd", "message": "; ".join(broken), "recipe": what}
        return Tally(
            inputs=1, accepted=0 if broken else 1, failures=[failure] if broken else [],
            slowest_s=took, slowest_input=chunk, seconds=took, rows=rows,
        )  # fmt: skip

    def _group(self, name: str, character: Character, seed: int, count: int) -> tuple[dict[str, Any], list[str]]:
        """Plan a group by look-up in trees that are shared out among them, each a mover for those after it."""
        five = character.subset("five")
        broken = [f"check of the character: {finding.what}" for finding in check_character(character)]
        trees = [self._tree(name, five, number) for number in range(count)]
        broken += [f"tree: {what}" for tree in trees for what in audit_tree(tree, five)]
        planner = SharedOut(tuple(TreePlanner(trees=[tree]) for tree in trees))
        done = perform(side_by_side(five, self._job.group, seed), PlanStage(planner))
        broken += broken_rules(done)
        repeats = count_repeats(recording_of(done))
        found = sum(plan.found for plan in done.plans)
        return {"people": len(done.plans), "found": found, "repeats": repeats.to_json()}, broken

    def _tree(self, name: str, five: Character, seed: int) -> SearchTree:
        if (name, seed) not in self._trees:
            self._trees[name, seed] = grow_diverse(five, nodes=self._job.nodes, begins=LABEL, seed=seed)
        return self._trees[name, seed]

    def _crowd(self, character: Character, seed: int) -> tuple[dict[str, Any], list[str]]:
        scene = milling(character, self._job.people, seed)
        performance = perform(scene, CrowdStage(self._job.seconds))
        report, course = performance.report, performance.course
        assert report is not None
        broken = [] if report.is_clean else [report.summary, *report.findings]
        repeats: Repeats = course.statistics.repeats
        row = {
            "people": self._job.people, "mean_speed_m_s": round(course.statistics.mean_speed_m_s, 3),
            "goals_reached": course.statistics.goals_reached, "ms_per_frame": round(course.run.ms_per_frame, 3),
            "repeats": repeats.to_json(),
        }  # fmt: skip
        return row, broken


def milling(character: Character, people: int, seed: int) -> Scene:
    """Return a crowd of people who wander about a square."""
    side = float(np.sqrt(25.0 * people))  # 25 square metres for each
    rng = np.random.default_rng(seed)
    steps = int(np.ceil(np.sqrt(people)))
    places = (np.stack(np.meshgrid(np.arange(steps), np.arange(steps)), axis=-1).reshape(-1, 2) + 0.5) * (side / steps)
    area = (2.0, 2.0, side - 2.0, side - 2.0)
    cast = tuple(
        Actor(f"jogger {n}", character, (float(x), float(y), float(rng.uniform(-np.pi, np.pi))), None, aim=Wander(area))
        for n, (x, y) in enumerate(places[:people])
    )
    return Scene("milling", World((0.0, 0.0, side, side)), cast, kind="crowd", seed=seed)


def variation_crowd_jobs() -> list[VariationCrowdJob]:
    """Return the job, where there are captures."""
    return [VariationCrowdJob()] if os.environ.get("GAMBOL_MOCAP") else []
