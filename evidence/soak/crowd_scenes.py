"""The crowds that ship, for ten minutes each, left alone and edited all the time; one crowd for an hour; and some onto
whom crates are dropped.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from evidence.soak.crowd_run import CrowdRun
from evidence.soak.tally import Tally
from gambol.scenes import Scene, load_scene, shipped_scenes


def crowd_scenes() -> list[str]:
    """Return the names of all shipped crowds."""
    return [scene.name for scene in shipped_scenes() if scene.kind == "crowd"]


class Course(NamedTuple):
    """A scene that is run from its beginning to its end."""

    scene: str
    edited: bool

    def __str__(self) -> str:
        return f"{self.scene}, edited" if self.edited else self.scene


@dataclass(frozen=True)
class CrowdSlicesJob:
    """Crowds that run for some time; each slice of it is judged at full rate and is a row of the result.

    Nothing may touch or collide but what an edit is to blame for, and that must be over within two seconds; where
    crates are dropped onto people, after as long as it takes.
    """

    name: str
    summary: str
    scenes: Sequence[str]
    edited: Sequence[bool]
    seconds: float
    edits_every_s: float
    slice_s: float = 60.0
    threads: int = 1
    most: int | None = None  # of a cast; None: all
    drops: bool = False  # whether edits are crates that are dropped onto people

    @cached_property
    def courses(self) -> list[Course]:
        return [Course(scene, edited) for scene in self.scenes for edited in self.edited]

    @property
    def slices(self) -> int:
        """Of each course."""
        return max(round(self.seconds / self.slice_s), 1)

    @property
    def chunk_count(self) -> int:
        return len(self.courses) * self.slices

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.chunk_count, "seconds": self.seconds, "slice_s": self.slice_s,
            "edits_every_s": self.edits_every_s, "most": self.most,
        }  # fmt: skip

    def load(self, name: str) -> Scene:
        scene = load_scene(name)
        return scene if self.most is None else _with_fewer(scene, self.most)

    @contextmanager
    def session(self) -> Iterator[CrowdSlicesSession]:
        yield CrowdSlicesSession(self)


@dataclass
class CrowdSlicesSession:
    """Holds the crowd of the last slice, and goes on with it where it can."""

    job: CrowdSlicesJob
    _course: Course | None = None
    _run: CrowdRun | None = field(default=None, repr=False)

    def run_chunk(self, chunk: int) -> Tally:
        course, number = self.job.courses[chunk // self.job.slices], chunk % self.job.slices
        begun = time.perf_counter()
        if self._run is None or self._course != course or self._run.next_slice > number:
            self._course, self._run = course, None  # one at a time in memory
            self._run = CrowdRun(
                self.job.load(course.scene), slices=self.job.slices, slice_s=self.job.slice_s,
                edits_every_s=self.job.edits_every_s if course.edited else None, drops=self.job.drops,
                threads=self.job.threads,
            )  # fmt: skip
        self._run.skip_to(number)
        row, verdict = self._run.run_slice(threads=self.job.threads)
        took = time.perf_counter() - begun
        recipe = f"{course}, slice {number}"
        return Tally(
            inputs=1, accepted=0 if verdict.wrong else 1, failures=verdict.failures(chunk, recipe),
            slowest_s=took, slowest_input=chunk, seconds=took, peak_mb=row["resident_mb"],
            counts=Counter(verdict.counts), rows={f"{course}, {number:02d}": row},
        )  # fmt: skip


def _with_fewer(scene: Scene, most: int) -> Scene:
    """Return a scene with every so many-th of its cast."""
    every = -(-len(scene.cast) // most)
    return replace(scene, cast=scene.cast[::every])


def crowd_slices_jobs() -> list[CrowdSlicesJob]:
    return [
        CrowdSlicesJob(
            "crowd-scenes", "ten minutes of each crowd that ships, left alone and edited every two seconds: no touches",
            crowd_scenes(), (False, True), seconds=600.0, edits_every_s=2.0,
        ),
        CrowdSlicesJob(
            "crowd-hour", "an hour of 1,000 characters, edited every second: no touches, no growth, no slowing down",
            ("plaza",), (True,), seconds=3600.0, edits_every_s=1.0,
        ),
        CrowdSlicesJob(
            "crowd-drops", "a crate dropped onto somebody every two seconds, without warning: how soon they are out",
            ("crowd-150", "plaza", "mixed", "doorway-4"), (True,), seconds=300.0, edits_every_s=2.0, drops=True,
        ),
    ]  # fmt: skip
