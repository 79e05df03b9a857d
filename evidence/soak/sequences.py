"""Random legal sequences of a character, realized and measured."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.authoring.mass import centre_of_mass

from evidence.soak.sequence_checks import GRAVITY_M_S2, Performance, largest_jump_inside_clips, random_sequence
from evidence.soak.tally import Tally
from gambol.body import Body
from gambol.characters import Character, load_character

CHARACTERS = Path(__file__).resolve().parent.parent.parent / "characters"

#: What every sequence of the built-in human must keep to: the largest value allowed.
HUMAN_LIMITS = {
    "slide_mean_cm_s": 1.0,
    "slide_most_cm_s": 3.0,
    "sink_cm": 1.0,
    "velocity_jump_ratio": 1.5,
    "path_error_cm": 1.0,
    "shape_excess_cm": 3.0,
    "fall_error_share": 0.1,
}
#: Captured feet slide at their own plants; that is measured against plain blending, not by a fixed limit.
CAPTURED_LIMITS = {
    name: limit
    for name, limit in HUMAN_LIMITS.items()
    if name not in ("slide_mean_cm_s", "slide_most_cm_s", "fall_error_share")
}


def cmu_108() -> Character:
    return load_character(CHARACTERS / "cmu_108.toml")


def human() -> Character:
    return load_character("human")


@dataclass(frozen=True)
class SequenceJob:
    """Realize so many random sequences of one character; every one must keep to the limits."""

    name: str
    make: Callable[[], Character]
    limits: dict[str, float]
    sequences: int = 1000
    chunk_size: int = 50
    length: int = 6
    compare_with_plain: bool = False  # also measure the slide of blending without clean-up

    @property
    def summary(self) -> str:
        return f"{self.sequences:,} random sequences of {self.length} behaviors keep to the limits"

    @property
    def chunk_count(self) -> int:
        return -(-self.sequences // self.chunk_size)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name,
            "inputs_planned": self.sequences,
            "chunk_size": self.chunk_size,
            "seed": "numpy.random.default_rng(<input>)",
            "length": self.length,
            "limits": self.limits,
        }

    @contextmanager
    def session(self) -> Iterator[SequenceSession]:
        yield SequenceSession(self, self.make())


class SequenceSession:
    """A character, and what is measured of it once."""

    def __init__(self, job: SequenceJob, character: Character) -> None:
        self._job = job
        self._character = character
        self._body = Body.from_skeleton(character.skeleton)
        self._inside = largest_jump_inside_clips(character)

    def run_chunk(self, chunk: int) -> Tally:
        tally = Tally()
        last = min((chunk + 1) * self._job.chunk_size, self._job.sequences)
        for seed in range(chunk * self._job.chunk_size, last):
            start = time.perf_counter()
            names = random_sequence(self._character, seed, self._job.length)
            measures = self.measure(Performance(self._character, names, seed))
            broken = {
                name: value for name, value in measures.items() if value > self._job.limits.get(name, float("inf"))
            }
            failures = [_failure(seed, names, broken)] if broken else []
            took = time.perf_counter() - start
            tally.add(Tally(1, 0 if broken else 1, failures=failures, slowest_s=took, slowest_input=seed,
                            seconds=took, worst=measures, mean=measures))  # fmt: skip
        return tally

    def measure(self, performance: Performance) -> dict[str, float]:
        slides = performance.slides_cm_s()
        measures = {
            "slide_mean_cm_s": float(slides.mean()) if len(slides) else 0.0,
            "slide_most_cm_s": float(slides.max()) if len(slides) else 0.0,
            "sink_cm": performance.sink_cm(),
            "velocity_jump_ratio": performance.largest_jump_at_joins() / self._inside,
            "path_error_cm": performance.path_error_cm(),
            "shape_excess_cm": performance.shape_excess_cm(self._body),
        }
        if self._job.compare_with_plain:
            plain = performance.plain_slides_cm_s()
            measures["plain_slide_mean_cm_s"] = float(plain.mean()) if len(plain) else 0.0
        if "fall_error_share" in self._job.limits:
            falls = performance.falls(centre_of_mass(performance.motion))
            measures["fall_error_share"] = max((abs(fall / GRAVITY_M_S2 + 1.0) for fall in falls), default=0.0)
        return measures


def _failure(seed: int, names: list[str], broken: dict[str, float]) -> dict[str, Any]:
    what = ", ".join(f"{name} {value:.3g}" for name, value in broken.items())
    return {"input": seed, "error": "BeyondLimit", "message": what, "recipe": " ".join(names)}


def sequence_jobs() -> list[SequenceJob]:
    """Return the jobs that can run here: the captured character needs its captures."""
    jobs = [SequenceJob("sequences-human", human, HUMAN_LIMITS)]
    if os.environ.get("GAMBOL_MOCAP"):
        jobs.append(SequenceJob("sequences-cmu-108", cmu_108, CAPTURED_LIMITS, compare_with_plain=True))
    return jobs
