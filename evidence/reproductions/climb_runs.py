"""Climbs of shipped scenes, as the items of KP00 need them, and what the judge says of several together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from gambol.climb import Climb, ClimbProblem, PaperCore, StancesCore, climb_problems
from gambol.judges import ClimbReport, judge_climb
from gambol.scenes import load_scene
from gambol.stages import Climber

STANCES, PAPER = "stances", "paper's"  # the two cores
#: What every item of KP00 says of its numbers.
OTHER_MACHINE = (
    "Times are of this machine, theirs of a Pentium II of 266 MHz: only ratios within one run say something."
)


@cache
def problem_in(scene: str) -> ClimbProblem:
    """Return what the first climber of a shipped scene has to solve."""
    return next(iter(climb_problems(load_scene(scene)).values()))


def seeded(scene: str, seed: int) -> ClimbProblem:
    """Return the problem of a scene with a seed."""
    return replace(problem_in(scene), seed=seed)


@cache
def climbed(scene: str, seed: int = 0) -> Climb:
    """Return the climb of a scene from a seed, by the search over stances, smoothed and in time."""
    return Climber().solve(seeded(scene, seed))


@cache
def judged(scene: str, seed: int = 0) -> ClimbReport | None:
    """Return what the judge says of that climb; nothing where none was delivered."""
    climb = climbed(scene, seed)
    return None if climb.motion is None else judge_climb(climb.problem, climb.motion)


@cache
def warm_up() -> None:
    """Compile what both cores and the filters need, so that no time is that of compiling."""
    tunnel = replace(problem_in("climb-tunnel"), max_stances=60)
    StancesCore().search(tunnel)
    PaperCore(max_steps=40).search(tunnel)
    climbed("climb-flat")


def median(values: Sequence[float]) -> float:
    """Return the middle one, of an even number the mean of the two; of nothing, no number."""
    ordered = sorted(values)
    half = len(ordered) // 2
    if not ordered:
        return float("nan")
    return ordered[half] if len(ordered) % 2 else 0.5 * (ordered[half - 1] + ordered[half])
