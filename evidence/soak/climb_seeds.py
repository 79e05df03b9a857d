"""Every climb that ships, from many seeds, with both cores: found or not, how soon, and what the judge says."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from evidence.reproductions.climb_carriage import Carriage, mean_of, spread_of
from evidence.soak.climb_apart import Apart, apart
from evidence.soak.climb_measures import found_figures, judged_figures
from evidence.soak.tally import Tally
from gambol.climb import Climb, ClimbProblem, Mode, climb_problems
from gambol.scenes import load_scene, shipped_scenes
from gambol.stages import CORES, Climber

WITHOUT_A_WAY = ("climb-impossible",)
LEAST_FOUND = 0.95  # of the seeds, by the search over stances
#: The greatest of each over all frames of a climb, and what it may be at most.
LIMITS = {"entry_mm": 1.0, "beyond_mm": 1.0, "drift_mm": 1.0, "over_limit_rad": 1e-6, "body_entry_cm": 1.0}
SPREAD = ("plan_s", "smooth_s", "tries", "duration_s", "frames", "gravity_share", "travel_planned", "travel_delivered")


def climb_scenes() -> list[str]:
    return [scene.name for scene in shipped_scenes() if scene.kind == "climb"]


@cache
def problem_in(scene: str) -> ClimbProblem:
    """Return what the first climber of a scene has to solve."""
    return next(iter(climb_problems(load_scene(scene)).values()))


@cache
def warm_up(core: str = "stances") -> None:
    """Compile what a core, filters and judge need, so that no time is that of compiling."""
    tunnel = replace(problem_in("climb-tunnel"), max_stances=60, time_limit_s=None if core == "stances" else 5.0)
    CORES[core]().search(tunnel)
    judged_figures(Climber(core=core).solve(problem_in("climb-flat")))


class Run(NamedTuple):
    """A core, and how it is run: how many seeds of each scene, and how long each may take."""

    core: str
    seeds: int
    limit_s: float
    body_every: int = 4  # of so many seeds one is embodied and judged as a body, which takes longer than all the rest


@dataclass(frozen=True)
class ClimbSeedsJob:
    """Each chunk is a scene with a core, all its seeds; a row of the result."""

    name: str = "climb-seeds"
    runs: Sequence[Run] = (Run("stances", 100, 60.0), Run("paper", 5, 20.0))
    scenes: Sequence[str] = field(default_factory=climb_scenes)
    in_this_process: bool = False

    @property
    def summary(self) -> str:
        return "every climb that ships, from 100 seeds, 95 found in a minute each and all clean; 5 by the paper's core"

    @property
    def chunk_count(self) -> int:
        return len(self.scenes) * len(self.runs)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name,
            "inputs_planned": sum(run.seeds for run in self.runs) * len(self.scenes),
            "scenes": list(self.scenes),
            "runs": {
                run.core: {"seeds": run.seeds, "limit_s": run.limit_s, "body_every": run.body_every}
                for run in self.runs
            },
        }

    @contextmanager
    def session(self) -> Iterator[Apart]:
        with apart(self.run_chunk, in_this_process=self.in_this_process) as session:
            yield session

    def run_chunk(self, chunk: int) -> Tally:
        run, scene = self.runs[chunk // len(self.scenes)], self.scenes[chunk % len(self.scenes)]
        warm_up(run.core)
        begun = time.perf_counter()
        climbs = [measured(scene, run, seed) for seed in range(run.seeds)]
        row = row_of(climbs)
        took = time.perf_counter() - begun
        broken = shortcomings(row, has_a_way=scene not in WITHOUT_A_WAY, core=run.core)
        failure = {
            "input": chunk, "error": "Climb", "message": "; ".join(broken), "recipe": f"{scene}, {run.core}",
        }  # fmt: skip
        return Tally(
            inputs=run.seeds, accepted=row["found"], failures=[failure] if broken else [], seconds=took,
            slowest_s=max(one["plan_s"] + one["smooth_s"] for one in climbs), slowest_input=chunk,
            counts=Counter({f"{run.core}: {outcome}": count for outcome, count in row["outcomes"].items()}),
            rows={f"{scene}, {run.core}": row},
        )  # fmt: skip


def solved(scene: str, run: Run, seed: int) -> Climb:
    """Return the climb of a scene from a seed."""
    problem = replace(problem_in(scene), seed=seed, time_limit_s=run.limit_s)
    return Climber(core=run.core).solve(problem)


def measured(scene: str, run: Run, seed: int) -> dict[str, Any]:
    """Return the figures of a scene from a seed."""
    climb = solved(scene, run, seed)
    with_body = seed % run.body_every == 0
    figures = {"seed": seed, **found_figures(climb), **judged_figures(climb, with_body=with_body)}
    if climb.motion is not None and figures["found"]:
        assert climb.planned is not None
        planned, delivered = Carriage(climb.problem, climb.planned), Carriage(climb.problem, climb.motion.path)
        figures |= {
            "modes": delivered.mode_shares, "turns": bool((climb.planned.facings != climb.planned.facings[0]).any()),
            "lift_planned": planned.foot_lift, "lift_delivered": delivered.foot_lift,
            "arm_swing_planned": planned.arm_swing, "arm_swing_delivered": delivered.arm_swing,
        }  # fmt: skip
    return figures


def row_of(climbs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one row about climbs of the same scene and core."""
    found = [one for one in climbs if one["found"]]
    delivered = [one for one in climbs if "clean" in one]
    lost = [one for one in climbs if not one["found"]]
    bodies = [one for one in delivered if "body_clean" in one]
    sums = {name: sum(one[name] for one in found) for name in ("travel_planned", "travel_delivered")}
    return {
        "seeds": len(climbs),
        "found": len(found),
        "outcomes": dict(Counter(one["outcome"] for one in climbs)),
        "reasons": sorted({one["reason"] for one in lost})[:3],
        "lost_seeds": [one["seed"] for one in lost][:20],
        "lost_plan_s": spread_of([one["plan_s"] for one in lost]),
        **{name: spread_of([one[name] for one in found], 4) for name in SPREAD},
        "delivered": len(delivered),
        "clean": sum(one["clean"] for one in delivered),
        "clean_but_for_gravity": sum(_is_within_limits(one) for one in delivered),
        "bodies": len(bodies),
        "body_clean": sum(one["body_clean"] for one in bodies),
        "unclean_seeds": [one["seed"] for one in delivered if not one["clean"]][:20],
        "body_unclean_seeds": [one["seed"] for one in bodies if not one["body_clean"]][:20],
        "complaints": [text for one in delivered for text in one["complaints"]][:5],
        **{
            name: round(max((one[name] for one in delivered if name in one), default=0.0), 4)
            for name in (*LIMITS, "body_slide_cm")
        },
        "illegal": sum(one["illegal"] for one in delivered),
        "infeasible_frames": round(sum(one["gravity_share"] * one["frames"] for one in delivered)),
        "all_frames": sum(one["frames"] for one in delivered),
        "travel_kept": round(sums["travel_delivered"] / sums["travel_planned"], 4) if found else None,
        "turned_round": sum(one["turns"] for one in found),
        "modes": {mode.label: mean_of([one["modes"][mode.label] for one in found], 4) for mode in Mode},
        **{
            name: mean_of([one[name] for one in found])
            for name in ("lift_planned", "lift_delivered", "arm_swing_planned", "arm_swing_delivered")
        },
    }


def _is_within_limits(one: dict[str, Any]) -> bool:
    """Tell whether nothing but gravity could be said against a climb in the plane."""
    plane = [name for name in LIMITS if not name.startswith("body")]
    return one["illegal"] == 0 and all(one[name] <= LIMITS[name] for name in plane)


def shortcomings(row: dict[str, Any], *, has_a_way: bool, core: str) -> list[str]:
    """Return what a row falls short of.  The paper's core is there to compare with: it need not find anything.

    Nor need it know gravity, which the paper's does not.
    """
    seeds, broken = row["seeds"], []
    if not has_a_way:
        if row["found"] or not all(row["reasons"]):
            broken.append(f"{row['found']} of {seeds} found where there is no way, or no reason was given")
    elif core == "stances" and row["found"] < LEAST_FOUND * seeds:
        broken.append(f"{row['found']} of {seeds} found")
    clean = row["clean"] if core == "stances" else row["clean_but_for_gravity"]
    if clean < row["delivered"]:
        broken.append(f"{row['delivered'] - clean} of {row['delivered']} not clean")
    if row["body_clean"] < row["bodies"]:
        broken.append(f"{row['bodies'] - row['body_clean']} of {row['bodies']} bodies not clean")
    return broken
