"""The climber: how long its search over stances takes beside the paper's planner, on the same problems in the same run.

Adult figure, the shipped scenes, seeds 0 to 4, processor time of the search alone; the paper's core may take 20 s.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import replace

from evidence.benchmarks.timing import Row
from gambol.climb import ClimbProblem, Core, PaperCore, StancesCore, climb_problems
from gambol.scenes import load_scene
from gambol.search import Outcome

SEEDS = range(5)
PAPER_LIMIT_S = 20.0
SCENES = ("climb-flat", "climb-steps", "climb-tunnel", "climb-bars", "climb-ladder", "climb-wall", "climb-course")


def run() -> list[Row]:
    rows = []
    for name in SCENES:
        (problem,) = climb_problems(load_scene(name)).values()
        for core in (StancesCore(), PaperCore(time_limit_s=1.0)):
            core.search(replace(problem, time_limit_s=1.0))  # compile
        ours, found = _times(StancesCore(), problem)
        theirs, solved = _times(PaperCore(time_limit_s=PAPER_LIMIT_S), problem)
        of = len(SEEDS)
        other = (
            f"{theirs:.2f} s, {solved} of {of} found" if solved else f"none of {of} found in {PAPER_LIMIT_S:g} s each"
        )
        rows.append(
            Row(
                f"{name}: median time of a search, stances beside the paper's",
                f"{ours:.2f} s, {found} of {of} found",
                other,
                f"{theirs / ours:.1f}" if solved else f"> {PAPER_LIMIT_S / ours:.0f}",
            )
        )
    return rows


def _times(core: Core, problem: ClimbProblem) -> tuple[float, int]:
    """Return the median processor time of searches that succeed, or of all if none does, and how many succeed."""
    taken: list[tuple[bool, float]] = []
    for seed in SEEDS:
        start = time.process_time()
        found = core.search(replace(problem, seed=seed)).outcome == Outcome.FOUND
        taken.append((found, time.process_time() - start))
    succeeded = [seconds for found, seconds in taken if found]
    return statistics.median(succeeded or [seconds for _, seconds in taken]), len(succeeded)
