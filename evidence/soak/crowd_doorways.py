"""Doorways and a crossing over many seeds: how long until all are through, and how long anyone stands.

The same after a time of edits, with a maze: when they are over, all must get to where they were sent last.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from evidence.soak.crowd_edits import RandomEdits
from evidence.soak.crowd_watch import Watch
from evidence.soak.tally import Tally
from gambol.crowd import ARRIVED, Crowd, Entrance
from gambol.scenes import Scene, load_scene

LONGEST_STAND_S = 60.0
#: Scenes and after how many seconds one stops to wait for the last.
LIMITS_S = {"doorway-4": 600.0, "doorway-2.5": 600.0, "four-way": 600.0, "doorway-1.2": 1800.0}
REPORTED_ONLY = ("doorway-1.2",)  # how it goes there is told, not demanded
#: The same after so long of edits, every so often.
EDITED_S, EDITS_EVERY_S = 600.0, 2.0
LIMITS_EDITED_S = {name: EDITED_S + seconds for name, seconds in {"crowd-maze": 600.0, **LIMITS_S}.items()}


@dataclass(frozen=True)
class DoorwaysJob:
    """Each scene with each seed is a row; everyone must arrive, and nobody may stand for longer than a minute."""

    name: str = "crowd-doorways"
    scenes: Sequence[str] = tuple(LIMITS_S)
    seeds: int = 20
    limits_s: dict[str, float] = field(default_factory=lambda: dict(LIMITS_S))
    most: int | None = None  # of a cast; None: all
    threads: int = 1
    edited_s: float = 0.0  # at the beginning

    @property
    def summary(self) -> str:
        if self.edited_s:
            return f"after {self.edited_s:g} s of edits all arrive who are sent through doors, a crossing and a maze"
        return f"doorways and a crossing with {self.seeds} seeds each: all get through, nobody stands for a minute"

    @property
    def chunk_count(self) -> int:
        return len(self.scenes) * self.seeds

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.chunk_count, "seeds": self.seeds, "most": self.most,
            "limits_s": {scene: self.limits_s[scene] for scene in self.scenes},
            **({"edited_s": self.edited_s} if self.edited_s else {}),
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[DoorwaysSession]:
        yield DoorwaysSession(self)


@dataclass
class DoorwaysSession:
    """Runs one scene with one seed after another."""

    job: DoorwaysJob

    def run_chunk(self, chunk: int) -> Tally:
        job = self.job
        name, seed = job.scenes[chunk % len(job.scenes)], chunk // len(job.scenes) + 1
        scene = load_scene(name, seed=seed)
        if job.most is not None:
            scene = replace(scene, cast=scene.cast[:: -(-len(scene.cast) // job.most)])
        begun = time.perf_counter()
        row = run_until_through(scene, job.limits_s[name], edited_s=job.edited_s, threads=job.threads)
        took = time.perf_counter() - begun
        broken = [] if name in REPORTED_ONLY else shortcomings(row)
        failure = {"input": chunk, "error": "Doorway", "message": "; ".join(broken), "recipe": f"{name}, seed {seed}"}
        return Tally(
            inputs=1, accepted=0 if broken else 1, failures=[failure] if broken else [], slowest_s=took,
            slowest_input=chunk, seconds=took, rows={f"{name}, seed {seed:02d}": row},
        )  # fmt: skip


def run_until_through(scene: Scene, limit_s: float, *, edited_s: float = 0.0, threads: int = 1) -> dict[str, Any]:
    """Run a scene until all have arrived, or for so long, and return the figures.

    edited_s: for so long it is edited; who has arrived may be sent elsewhere then.
    """
    kinds = list({id(actor.character): actor.character for actor in scene.cast}.values())
    crowd = Crowd(scene.world, kinds, seed=scene.seed, threads=threads)
    entrance = Entrance(scene, crowd)
    frames, edited = round(limit_s * crowd.rate_hz), round(edited_s * crowd.rate_hz)
    edits = RandomEdits(crowd, seed=scene.seed, every_frames=round(EDITS_EVERY_S * crowd.rate_hz))
    watch = Watch(crowd, most=len(scene.cast), frames=frames)
    arrived, times_s = 0, []
    while crowd.frame < frames and (arrived < len(scene.cast) or crowd.frame < edited):
        entrance.admit()
        if crowd.frame < edited:
            edits.edit()
        elif crowd.frame == edited:
            edits.clear_away()
        watch.step()
        arrived = _arrived(crowd)
        times_s += [crowd.time_s] * (arrived - len(times_s))
    half = (len(scene.cast) + 1) // 2
    return {
        "characters": len(scene.cast),
        "arrived": arrived,
        "waiting_to_appear": len(entrance),
        "half_through_s": round(times_s[half - 1], 2) if arrived >= half else None,
        "all_through_s": round(crowd.time_s, 2) if arrived == len(scene.cast) else None,
        "lasted_s": round(crowd.time_s, 2),
        **({"edits": sum(edits.made.values())} if edited else {}),
        **watch.figures(),
    }


def _arrived(crowd: Crowd) -> int:
    """Return how many stand at their last goal or have left there."""
    flock, count = crowd._flock, crowd._count
    left = len(crowd.names) - len(crowd)
    return left + int((flock.taken[:count] & (flock.condition[:count] == ARRIVED)).sum())


def shortcomings(row: dict[str, Any]) -> list[str]:
    """Return what a row falls short of."""
    broken = []
    if row["arrived"] < row["characters"]:
        broken.append(f"{row['arrived']} of {row['characters']} arrive within {row['lasted_s']:.0f} s")
    if row["longest_stand_s"] > LONGEST_STAND_S:
        broken.append(f"someone stands for {row['longest_stand_s']:.0f} s")
    return broken


def doorways_jobs() -> list[DoorwaysJob]:
    return [
        DoorwaysJob(),
        DoorwaysJob(
            "crowd-arrivals", tuple(LIMITS_EDITED_S), seeds=4, limits_s=dict(LIMITS_EDITED_S), edited_s=EDITED_S
        ),
    ]
