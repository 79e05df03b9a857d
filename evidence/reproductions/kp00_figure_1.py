"""KP00 figures 1, 2 and 8: a course that asks for all four modes, by whom, and with which machine."""

from __future__ import annotations

import numpy as np
from tools.draw.mode_machine import machine_page

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import climbed, judged
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, row
from gambol.climb import COORDINATES, LIMBS, LINKS, Climb, Mode
from gambol.climb.stances.machine import COSTS
from gambol.judges import ClimbReport
from gambol.pictures import Track, course_page
from gambol.search import Outcome
from gambol.world import GRASP_KINDS

NAME = "kp00-figure-1"
TITLE = "KP00 figures 1, 2 and 8: one course, four modes"
COURSE, SEED = "climb-course", 0
FULL_SEEDS, QUICK_SEEDS = 4, 1
MODES, JUDGED, SETTING = "modes of the course", "as judged", "setting"
SECONDS, SHARE, CHANGES = "seconds", "% of the frames", "changes of hold"
CLEAN, COLLISIONS, DRIFT, FORBIDDEN = "clean", "collisions", "drift of holds, mm", "% forbidden by gravity"
USED = "modes that the course is solved with"


def run(quick: bool, say: Say) -> Result:
    """Solve the course, and draw it and the machine of modes."""
    seeds = range(SEED, SEED + (QUICK_SEEDS if quick else FULL_SEEDS))
    climbs: dict[int, Climb] = {}
    reports: dict[int, ClimbReport] = {}
    for seed in seeds:
        say("solving the course", (seed - SEED) / len(seeds))
        climbs[seed] = climbed(COURSE, seed)
        report = judged(COURSE, seed)
        if report is not None and climbs[seed].outcome == Outcome.FOUND:
            reports[seed] = report
    first = climbs[SEED]
    pictures: dict[str, Picture] = {f"{NAME}-machine.png": machine_page()}
    if first.motion is not None:
        track = Track.of(first.problem, first.motion)
        words = f"{len(first.motion.path)} frames, {first.motion.duration_s:.0f} s"
        pictures[f"{NAME}.png"] = course_page(track, COURSE, words)
    used = len(_modes(first))
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"The shipped scene `{COURSE}`, an environment of our own after the paper's figure 1, whose corners are "
            f"not published: {len(first.problem.environment.polygons)} polygons, "
            f"{len(first.problem.environment.grasp_points)} grasp points; adult figure; seeds {seeds.start} to "
            f"{seeds.stop - 1}, the search over stances; drawn is seed {SEED}.",
        ),
        tables=(_modes_table(first), _judged_table(reports), _setting_table(first, used, reports)),
        differences=(
            f"{len(reports)} of {len(climbs)} seeds find a way, with {used} modes; "
            f"{sum(one.is_clean for one in reports.values())} of them are clean in the judge's eyes, who looks at "
            "frames and between them. The paper gives no such measures of its motion.",
            f"Our machine has an edge for each of the {len(COSTS)} ordered pairs of modes, with itself too; how many "
            "edges figure 8 has is not said in words, and its preferences are widths of lines.",
        ),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _modes(climb: Climb) -> list[Mode]:
    if climb.outcome != Outcome.FOUND or climb.motion is None:
        return []
    return sorted(Mode(mode) for mode in set(climb.motion.path.modes.tolist()))


def _modes_table(climb: Climb) -> Table:
    rows = []
    if climb.motion is not None:
        path = climb.motion.path
        changes = path.modes[path.grasp_changes]
        for mode in Mode:
            count = int(np.sum(path.modes == mode))
            ours = [count / climb.motion.rate_hz, 100.0 * count / len(path), int(np.sum(changes == mode))]
            rows.append(row(mode.label, ours))
    return Table(MODES, (SECONDS, SHARE, CHANGES), tuple(rows), f"Seed {SEED}.")


def _judged_table(reports: dict[int, ClimbReport]) -> Table:
    rows = [
        row(f"seed {seed}", [int(one.is_clean), one.collisions, one.drift_mm.value, 100.0 * one.gravity.share])
        for seed, one in reports.items()
    ]
    return Table(JUDGED, (CLEAN, COLLISIONS, DRIFT, FORBIDDEN), tuple(rows))


def _setting_table(climb: Climb, used: int, reports: dict[int, ClimbReport]) -> Table:
    forbidden = max((100.0 * one.gravity.share for one in reports.values()), default=None)
    rows = (
        row("links of the figure", [len(LINKS)], [claim("kp00.fig2.links")]),
        row("joints of the figure", [len(COORDINATES) - 3], [claim("kp00.fig2.joints")]),
        row("limbs that may hold", [len(LIMBS)], [claim("kp00.s6.limbs")]),
        row("modes of locomotion", [len(Mode)], [claim("kp00.fig8.modes")]),
        row(USED, [used], [claim("kp00.fig1.modes")],
            note="Fewer would mean that no way was found, or that a part of the course was got round."),
        row("kinds of grasp points", [len(GRASP_KINDS)], [claim("kp00.s3.kinds")]),
        row("grasp points", [len(climb.problem.environment.grasp_points)], [claim("kp00.s4.grasp_points")]),
        row("% of frames forbidden by gravity, worst seed", [forbidden], [claim("kp00.s6.gravity")],
            note="The paper says that postures defy gravity at times and does not count them."),
    )  # fmt: skip
    return Table(SETTING, ("ours",), rows)


ITEM = Item(NAME, "the course that asks for walking, crawling, climbing and swinging, and the machine of modes", run)
