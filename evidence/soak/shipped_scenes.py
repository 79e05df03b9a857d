"""Every scene that ships, with its whole cast: planned, realized and judged at full rate."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from evidence.soak.tally import Tally
from gambol.animate import terrain_contact_report
from gambol.scenes import load_scene, shipped_scenes
from gambol.scenes.find import FOLDER
from gambol.stages import PlanPerformance, perform

LEAST_ARRIVED = {"crossing": 0.98}  # share of the cast; of all other scenes everyone
ON_TERRAIN_LIMITS = {"height_error_cm": 1.0, "tilt_deg": 3.0}  # of planted feet
WARM_UP = "first"


def planned_scenes() -> list[str]:
    """Return the names of all shipped scenes that are planned."""
    return [scene.name for scene in shipped_scenes() if scene.kind == "plan"]


@dataclass(frozen=True)
class ShippedScenesJob:
    """Perform the scenes as they are, with the default planner; each is a row of the result."""

    name: str = "shipped-scenes"
    scenes: list[str] = field(default_factory=planned_scenes)

    @property
    def summary(self) -> str:
        return "every scene that ships plans, and no delivered motion collides, touches or breaks the rules"

    @property
    def chunk_count(self) -> int:
        return len(self.scenes)

    @property
    def facts(self) -> dict[str, Any]:
        digest = blake2b(digest_size=8)
        for path in sorted(path for path in FOLDER.iterdir() if path.is_file()):
            digest.update(path.read_bytes())
        return {"job": self.name, "inputs_planned": len(self.scenes), "scenes_digest": digest.hexdigest()}

    @contextmanager
    def session(self) -> Iterator[ShippedScenesSession]:
        perform(load_scene(WARM_UP))  # so that no scene's time is that of compiling kernels
        yield ShippedScenesSession(self)


class ShippedScenesSession:
    """Performs scene after scene."""

    def __init__(self, job: ShippedScenesJob) -> None:
        self._job = job

    def run_chunk(self, chunk: int) -> Tally:
        name = self._job.scenes[chunk]
        begun = time.perf_counter()
        row = scene_row(perform(load_scene(name)))
        took = time.perf_counter() - begun
        broken = shortcomings(row, LEAST_ARRIVED.get(name, 1.0))
        failure = {"input": chunk, "error": "ShippedScene", "message": "; ".join(broken), "recipe": name}
        return Tally(
            inputs=1, accepted=0 if broken else 1, failures=[failure] if broken else [],
            slowest_s=took, slowest_input=chunk, seconds=took, rows={name: row},
        )  # fmt: skip


def scene_row(performance: PlanPerformance) -> dict[str, Any]:
    """Return the figures of a scene's performance."""
    report, plans = performance.report, performance.plans
    assert report is not None
    ground = {figure: round(value, 3) for figure, value in on_terrain(performance).items()}
    return {
        "characters": len(plans),
        "found": sum(plan.found for plan in plans),
        "plan_s_each": round(performance.timings["plan_s"] / len(plans), 4),
        "expansions": sum(plan.statistics.expansions for plan in plans),
        "duration_s": round(performance.ends_s, 2),
        "frames": report.frames,
        "collisions": len(report.collisions),
        "touches": len(report.touches),
        "illegal_transitions": len(report.illegal_transitions),
        **ground,
    }


def on_terrain(performance: PlanPerformance) -> dict[str, float]:
    """Return the worst figures of planted feet on a scene's terrain; nothing where it is level."""
    terrain = performance.scene.world.terrain
    pairs = zip(performance.realized, performance.contacts, strict=True)
    shown = [(motion, contacts) for motion, contacts in pairs if motion is not None and contacts is not None]
    if terrain is None or not shown:
        return {}
    reports = [terrain_contact_report(motion, contacts, terrain) for motion, contacts in shown]
    figures = (*ON_TERRAIN_LIMITS, "swing_depth_cm")
    return {figure: max(report.worst(figure) for report in reports) for figure in figures}


def shortcomings(row: dict[str, Any], least_arrived: float) -> list[str]:
    """Return what a row falls short of; `least_arrived` is a share of the cast."""
    findings = ("collisions", "touches", "illegal_transitions")
    broken = [f"{row[finding]} {finding.replace('_', ' ')}" for finding in findings if row[finding] > 0]
    if row["found"] < least_arrived * row["characters"]:
        broken.append(f"{row['found']} of {row['characters']} arrive")
    broken += [
        f"{figure} of {row[figure]}" for figure, limit in ON_TERRAIN_LIMITS.items() if row.get(figure, 0.0) > limit
    ]
    return broken
