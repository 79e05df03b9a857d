"""KP00 figures 10 and 11: a way before and after the filters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import PAPER, STANCES, seeded
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Row, Table, row
from gambol.climb import ClimbMotion, ClimbPath, ClimbProblem, Core, PaperCore, StancesCore, smooth_and_time
from gambol.judges import judge_climb
from gambol.pictures import Track, strip_page
from gambol.search import Outcome

NAME = "kp00-figures-10-11"
TITLE = "KP00 figures 10 and 11: before and after smoothing"
SEED, EVERY, PAPER_STEPS = 0, 5, 400
DRAWN = ("climb-tunnel", PAPER)
TRAVEL = "how far all joints turn together, rad"
PLANNED, SMOOTHED, DELIVERED, KEPT, SAME, DRIFT = (
    "as planned", "after the paper's passes", "in time", "% kept by the passes", "grasps kept", "drift of holds, mm",
)  # fmt: skip
FULL = (
    ("climb-flat", STANCES), ("climb-flat", PAPER), ("climb-tunnel", STANCES), DRAWN, ("climb-bars", STANCES),
    ("climb-bars", PAPER), ("climb-wall", STANCES), ("climb-course", STANCES),
)  # fmt: skip
QUICK = (("climb-flat", STANCES), ("climb-flat", PAPER), DRAWN)
SPEED, ONE_TO_ONE = "largest change of speed", "one configuration a frame"


@dataclass(frozen=True, eq=False)
class Filtered:
    planned: ClimbPath
    smoothed: ClimbPath
    motion: ClimbMotion


def run(quick: bool, say: Say) -> Result:
    """Smooth what both cores find, and draw every fifth configuration before and after."""
    cases = QUICK if quick else FULL
    cores: dict[str, Core] = {STANCES: StancesCore(), PAPER: PaperCore(max_steps=PAPER_STEPS)}
    rows: list[Row] = []
    speeds: list[Row] = []
    kept: dict[str, list[float]] = {STANCES: [], PAPER: []}
    pictures: dict[str, Picture] = {}
    for number, (scene, core) in enumerate(cases):
        say(f"smoothing {scene}, core {core}", number / len(cases))
        problem = seeded(scene, SEED)
        found = cores[core].search(problem)
        if found.outcome != Outcome.FOUND or found.path is None:
            rows.append(row(f"{scene}, {core}", [None] * 6))
            continue
        done = Filtered(found.path, *smooth_and_time(problem, found.path))
        share = 100.0 * done.smoothed.joint_travel / done.planned.joint_travel
        kept[core].append(share)
        same = bool(np.array_equal(done.planned.grasps, done.smoothed.grasps))
        ours = [done.planned.joint_travel, done.smoothed.joint_travel, done.motion.path.joint_travel, share, int(same),
                judge_climb(problem, done.motion).drift_mm.value]  # fmt: skip
        rows.append(row(f"{scene}, {core}", ours))
        jumps = [speed_jump(problem, path) for path in (done.smoothed, done.motion.path)]
        beside = [claim("kp00.s6.one_to_one"), None] if (scene, core) == DRAWN else None
        speeds.append(row(f"{scene}, {core}", [float(jump) for jump in jumps], beside))
        if (scene, core) == DRAWN:
            tracks = [Track.of(problem, done.planned), Track.of(problem, done.motion)]
            pictures[f"{NAME}.png"] = strip_page(tracks, f"{scene}, the {core} core", every=(EVERY, EVERY))
    setting = row("every so-manyth configuration drawn", [EVERY], [claim("kp00.fig10.every")])
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"Shipped scenes, adult figure, seed {SEED}; the paper's core may make {PAPER_STEPS} pieces of way. Drawn: "
            f"{DRAWN[0]} with the paper's core, as planned and as delivered, at 60 frames a second.",
        ),
        tables=(
            Table(TRAVEL, (PLANNED, SMOOTHED, DELIVERED, KEPT, SAME, DRIFT), tuple(rows),
                  "Grasps kept: 1 where each configuration holds after the passes what it held before."),
            Table(SPEED, (ONE_TO_ONE, DELIVERED), tuple(speeds),
                  "Of the centre of mass from frame to frame, times its mean speed. The paper plays one configuration "
                  "a frame and finds that its speed is not continuous."),
            Table("setting", ("ours",), (setting,)),
        ),
        differences=tuple(
            f"The paper's passes leave {np.mean(shares):.0f} % of what joints turn in ways of the {core} core, on "
            f"average over scenes ({len(shares)}); the paper shows the difference in figures and gives no number."
            for core, shares in kept.items()
            if shares
        ),
        pictures=tuple(pictures),
    )  # fmt: skip
    return Result(report, pictures)


def speed_jump(problem: ClimbProblem, path: ClimbPath) -> float:
    """Return the largest change of the speed of the centre of mass between frames, times the mean speed."""
    speeds = np.diff(Track.of(problem, path).gone_m)
    return float(np.abs(np.diff(speeds)).max() / speeds.mean())


ITEM = Item(NAME, "a way before and after the paper's two passes, every fifth configuration drawn", run)
