"""Random courses for every figure: whatever the climber returns, found or not, the judge looks at."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tests.support.climb_environments import random_course

from evidence.soak.climb_apart import Apart, apart
from evidence.soak.climb_measures import found_figures, judged_figures
from evidence.soak.climb_seeds import LIMITS
from evidence.soak.tally import Tally
from gambol.climb import Climb
from gambol.stages import Climber

GRAVITY_LIMIT = 0.01  # share of a climb's frames
FIRST_SEED = 1000  # the tests have those before


@dataclass(frozen=True)
class ClimbRandomJob:
    """Courses of one to three pieces.  Not every course has a way, so finding none is no failure."""

    name: str = "climb-random"
    courses: int = 200
    chunk_size: int = 10
    max_stances: int = 1500
    limit_s: float = 30.0
    in_this_process: bool = False

    @property
    def summary(self) -> str:
        return "random courses of steps, slopes, tunnels, walls and bars: what comes out is clean, whether found or not"

    @property
    def chunk_count(self) -> int:
        return -(-self.courses // self.chunk_size)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": self.courses, "max_stances": self.max_stances, "limit_s": self.limit_s,
            "first_seed": FIRST_SEED,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[Apart]:
        with apart(self.run_chunk, in_this_process=self.in_this_process) as session:
            yield session

    def run_chunk(self, chunk: int) -> Tally:
        first = chunk * self.chunk_size
        tally = Tally()
        for number in range(first, min(first + self.chunk_size, self.courses)):
            begun = time.perf_counter()
            climb, pieces = self.climbed(number)
            tally.add(tally_of(number, climb, pieces, begun))
        return tally

    def climbed(self, number: int) -> tuple[Climb, tuple[str, ...]]:
        """Return the climb of a course, and which pieces the course has."""
        problem, pieces = random_course(FIRST_SEED + number, pieces=1 + number % 3)
        return Climber().solve(replace(problem, max_stances=self.max_stances, time_limit_s=self.limit_s)), pieces


def tally_of(number: int, climb: Climb, pieces: tuple[str, ...], begun: float) -> Tally:
    """Return what a course comes to: all beyond a limit is a failure."""
    figures = {**found_figures(climb), **judged_figures(climb)}
    took = time.perf_counter() - begun
    worst = {name: max(figures[name], 0.0) for name in (*LIMITS, "gravity_share", "body_slide_cm") if name in figures}
    broken = [f"{name} of {worst[name]:.4g}" for name, limit in LIMITS.items() if worst.get(name, 0.0) > limit]
    if figures.get("illegal", 0):
        broken.append(f"{figures['illegal']} illegal: {'; '.join(figures['complaints'])}")
    if worst.get("gravity_share", 0.0) > GRAVITY_LIMIT:
        broken.append(f"gravity forbids {worst['gravity_share']:.1%}")
    recipe = f"{climb.problem.figure.name}: {', '.join(pieces)}"
    failure = {"input": number, "error": "Climb", "message": "; ".join(broken), "recipe": recipe}
    counts = Counter({
        climb.outcome.value: 1,
        "delivered": int("frames" in figures),
        "frames": figures.get("frames", 0),
        "infeasible_frames": round(figures.get("gravity_share", 0.0) * figures.get("frames", 0)),
        "gravity_kept": int(worst.get("gravity_share", 1.0) <= GRAVITY_LIMIT),
        "clean": int(figures.get("clean", False)),
        "body_clean": int(figures.get("body_clean", False)),
    })  # fmt: skip
    for piece in dict.fromkeys(pieces):
        counts[f"with {piece}"] += 1
        counts[f"with {piece}: found"] += int(figures["found"])
    hard = [text for text in broken if not text.startswith(("gravity", "body"))]
    counts["hard_limits_kept"] = int("frames" in figures and not hard)
    return Tally(
        inputs=1, accepted=int(figures["found"]), failures=[failure] if broken else [], seconds=took, slowest_s=took,
        slowest_input=number, worst=worst, counts=counts, mean={"plan_s": figures["plan_s"]},
    )  # fmt: skip
