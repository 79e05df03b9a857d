"""LK06 section 6: what it takes to make poses of planned states, and of planning and posing together."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.subjects import lk06_character
from evidence.reproductions.testing import as_the_paper_tests, by_the_body
from evidence.reproductions.trips import Trips
from gambol.animate import Blends, play
from gambol.crowd import Crowd, Entrance, LivePoses
from gambol.scenes import load_scene
from gambol.search import Plan, Problem
from gambol.trees import TreePlanner

NAME = "lk06-poses"
SCENE, STATES, SEED, BUDGET, LEAST_M = "duck-and-jump", 21, 61, 5_000_000, 10.0
CROWD, WARM_UP = "crowd-150", 60  # frames
POSES, TOGETHER = "a pose", "planning and posing"
BLENDED, BLENDING, LIVE = "realize, blends made before", "realize, blends made on the way", "a running crowd's"
US = "µs"
PLANNING, POSING, BOTH = "planning, µs", "posing, µs", "both, µs"
WHY_SLOWER = (
    "Posing takes less than the paper's. Planning searches over paths of trees, and tests every instant of a clip, "
    "where the paper tests two (see lk06-table-1)."
)


@dataclass(frozen=True)
class Size:
    trips: int
    runs: int  # of each that is timed, of which the median counts


FULL = Size(10, 15)
QUICK = Size(2, 3)


def run(quick: bool, say: Say) -> Result:
    """Plan trips, make their motions in both ways, and pose a running crowd."""
    size, character = (QUICK if quick else FULL), lk06_character(STATES)
    planning_us: dict[str, float] = {}
    plans: list[Plan] = []
    for testing in (as_the_paper_tests(STATES, SCENE), by_the_body(STATES, SCENE)):
        say(f"planning, {testing.name}", 0.25 * len(planning_us))
        problems = list(Trips(testing.world, size.trips, SEED, BUDGET, LEAST_M).problems(testing.character))
        # Plans by the body, the last, are made into motions.
        planning_us[testing.name], plans = planned(problems, TreePlanner(improve=0))
    say("posing", 0.5)
    blends = Blends.of(character)
    motions = [play(character, plan.steps, blends=blends) for plan in plans]
    poses, rate_hz = sum(motion.frame_count for motion in motions), motions[0].rate_hz
    blended_s = median_s(lambda: [play(character, plan.steps, blends=blends) for plan in plans], size.runs)
    blending_s = median_s(lambda: [play(character, plan.steps) for plan in plans], size.runs)
    each = {BLENDED: 1e6 * blended_s / poses, BLENDING: 1e6 * blending_s / poses, LIVE: live_us(10 * size.runs)}
    joints, a_frame = character.skeleton.joint_count, rate_hz / character.planning_rate_hz
    tables = _poses_table(each, joints, rate_hz, character.planning_rate_hz), together_table(planning_us, each, a_frame)
    first, body = ((label, us, us + a_frame * each[BLENDED]) for label, us in planning_us.items())
    report = Report(
        item=NAME,
        title="LK06 section 6: the time to make a pose",
        quick=quick,
        setting=(
            f"{size.trips} trips through the shipped scene `{SCENE}` (seed {SEED}), of lk06-table-1's kind, for the "
            f"human's {STATES} states of LK06, planned as the paper tests and by the real body; the {len(plans)} of "
            f"the latter that are found are {poses:,} poses of {joints} joints at {rate_hz:g} Hz, where the paper has "
            "30.",
            f"`realize` with blends made before is what the paper does: it makes all blends once, "
            f"{len(blends.pairs):,} here. The crowd is the shipped `{CROWD}` after {WARM_UP} frames, all joints of all "
            "its people placed in the world.",
            f"Times are of the processor, one thread, medians of {size.runs} runs; planning, each trip once, is by the "
            "trees that `gambol plan --planner tree` grows, without improvement or fallback, in a world compiled "
            "before.",
        ),
        tables=tables,
        differences=(
            f"A pose takes {each[BLENDED]:.2g} µs (paper: 10), those of joins included; with blends made on the way "
            f"{each[BLENDING]:.2g} µs. In a running crowd it takes {each[LIVE]:.2g} µs: every frame of every clip and "
            "blend was worked out and is only placed.",
            f"Planning and posing take {first[2]:,.0f} µs for a thirtieth of a second {first[0]} (paper: about 18) and "
            f"{body[2]:,.0f} µs by {body[0]}; {100.0 * first[1] / first[2]:.0f} and "
            f"{100.0 * body[1] / body[2]:.0f} % of it is planning.",
        ),
    )
    return Result(report)


def _poses_table(each: Mapping[str, float], joints: int, rate_hz: float, planning_rate_hz: float) -> Table:
    note = f"Of {joints} joints; the paper's poses are translated and rotated, and its blends are made before, too."
    rows = (
        row(BLENDED, [each[BLENDED], rate_hz], [claim("lk06.s6.pose"), None], note=note),
        row(BLENDING, [each[BLENDING], rate_hz]),
        row(LIVE, [each[LIVE], planning_rate_hz]),
    )
    return Table(POSES, (US, "poses a second of motion"), rows)


def together_table(planning_us: Mapping[str, float], each: Mapping[str, float], a_frame: float) -> Table:
    """Return what planning and posing take for a planning frame; the first way to test is the paper's.

    a_frame: poses in it.
    """
    posing = a_frame * each[BLENDED]
    rows = [
        row(
            label, [planning, posing, planning + posing], [None, None, None if number else claim("lk06.s6.total")],
            note="" if number else WHY_SLOWER,
        )
        for number, (label, planning) in enumerate(planning_us.items())
    ]  # fmt: skip
    note = f"For a thirtieth of a second of motion, which is {a_frame:g} poses."
    return Table(TOGETHER, (PLANNING, POSING, BOTH), tuple(rows), note)


def planned(problems: Sequence[Problem], planner: TreePlanner) -> tuple[float, list[Plan]]:
    """Return the mean time to plan a frame of motion, in microseconds of the processor, and the plans found."""
    planner.solve(problems[0])  # what was never run is compiled
    spent_s, plans = 0.0, []
    for problem in problems:
        begun = time.process_time()
        plan = planner.solve(problem)
        taken = time.process_time() - begun
        if plan.found:
            spent_s += taken
            plans.append(plan)
    return 1e6 * spent_s / sum(plan.frame_count for plan in plans), plans


def live_us(times: int) -> float:
    """Return the time to pose one of a running crowd, in microseconds of the processor."""
    scene = load_scene(CROWD)
    kinds = list({id(actor.character): actor.character for actor in scene.cast}.values())
    crowd = Crowd(scene.world, kinds, seed=scene.seed)
    entrance, live = Entrance(scene, crowd), LivePoses(crowd)
    for _ in range(WARM_UP):
        entrance.admit()
        crowd.step()
    return 1e6 * median_s(live.now, times) / len(crowd)


def median_s(call: Callable[[], object], runs: int) -> float:
    """Return the median time of a call, in seconds of the processor; the first, which compiles, does not count."""
    call()
    taken = []
    for _ in range(runs):
        begun = time.process_time()
        call()
        taken.append(time.process_time() - begun)
    return float(np.median(taken))


ITEM = Item(NAME, "the time to make a pose of a plan and of a running crowd, and with planning", run)
