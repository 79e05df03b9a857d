"""What removing foot skate does to captures, file by file: python -m evidence.benchmarks.foot_skate.

Prints a table and writes docs/foot_skate.md with its picture.  GAMBOL_MOCAP names the folder of
captures.  Ends with an error if a promise is broken on any file.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np

from gambol.files import read_bvh
from gambol.geometry import quaternion
from gambol.motion import (
    Contacts,
    Motion,
    detect_contacts,
    foot_points,
    hinge_axis,
    legs,
    point_positions,
    remove_foot_skate,
    slide_speeds,
)

GROUPS = ("walk_forward", "walk_turn", "jog_forward", "jog_turn", "start_stop")
DOCS = Path(__file__).parent.parent.parent / "docs"
PAGE, PICTURE = DOCS / "foot_skate.md", DOCS / "pictures" / "foot_skate.png"
LOW_M = 0.025
BEFORE_COLOR, AFTER_COLOR = "#c2613f", "#2f6d8f"

TEXT = """# Foot skate: what removing it does to captures

Made by `python -m evidence.benchmarks.foot_skate` on {files} captures of the CMU database, {seconds:.0f} s at 120 Hz.

![Slide of planted feet before and after, for every capture](pictures/foot_skate.png)

- **Slide** is the speed in the ground plane of a planted heel or toe over windows of 1/30 s, averaged over all planted
  frames; **most** is the largest. Which frames are planted is found on the capture and kept for before and after.
- **Low toes** needs no contacts: the ground-plane speed v of the ball joints from frame to frame, weighted by how low
  they are, v (2 − 2^(h / 2.5 cm)), with h above the joint's own fifth percentile, averaged over frames with h below
  2.5 cm. It counts landing and leaving feet too, and so cannot fall to zero.
- **Turn** is the fastest turn of a hip, knee or ankle relative to its parent, **speed** the fastest knee, ankle or toe
  in the world, **knee** the least flexion of either knee about its own hinge, **move** the farthest an ankle is moved.

Promises, checked on every file: slide at most half of what it was (worst: {worst:.0%}); turn and speed at most 1 %
above the capture's own (worst: {turn:+.1%} and {speed:+.1%}); no knee bent backwards, and none straighter than ten
degrees unless it was; all joints but hips, knees and ankles identical to the last bit. Finding the contacts and pinning
the feet takes {cost:.1f} ms for a second of motion.

{summary}

{table}
"""


class Measures(NamedTuple):
    """One motion, measured."""

    slide_cm_s: float
    most_cm_s: float
    low_toes_cm_s: float
    turn_deg_s: float
    speed_m_s: float
    knee_deg: float


class Result(NamedTuple):
    """One capture, before and after."""

    name: str
    before: Measures
    after: Measures
    move_cm: float
    seconds: float  # of motion
    cost_s: float  # of computing
    others_identical: bool


def main(arguments: Sequence[str]) -> int:
    folder = os.environ.get("GAMBOL_MOCAP")
    if not folder:
        print("GAMBOL_MOCAP is not set: no captures to measure on")
        return 2
    groups = tuple(arguments) or GROUPS
    found = [compare(name, motion) for name, motion in captures(Path(folder), groups)]
    results = [result for result in found if result is not None]
    table = markdown_table(results)
    print(table)
    if groups == GROUPS:
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        draw(results, PICTURE)
        PAGE.write_text(page(results, table))
        print(f"wrote {PAGE} and {PICTURE}")
    broken = [f"{result.name}: {what}" for result in results for what in broken_promises(result)]
    print("\n".join(broken) or "all promises kept")
    return 1 if broken else 0


def captures(folder: Path, groups: Sequence[str]) -> list[tuple[str, Motion]]:
    """Read the captures of some groups, at their true rate and without the inserted T-pose."""
    with (folder / "INDEX.csv").open() as index:
        rows = [row for row in csv.DictReader(index) if row["group"] in groups]
    rows.sort(key=lambda row: (groups.index(row["group"]), row["file"]))
    return [
        (
            row["file"].removesuffix(".bvh"),
            read_bvh(folder / row["file"], unit="cmu", rate_hz=float(row["fps_true"]), t_pose="drop").motion,
        )
        for row in rows
    ]


def compare(name: str, motion: Motion) -> Result | None:
    """Measure a capture before and after; one without a planted foot has nothing to measure."""
    if np.all(np.isnan(slide_speeds(motion, detect_contacts(motion)))):
        return None
    remove_foot_skate(motion)  # compiles on the first file
    start = time.perf_counter()
    contacts = detect_contacts(motion)
    after = remove_foot_skate(motion, contacts)
    cost_s = time.perf_counter() - start
    changed = [joint for leg in legs(motion.skeleton) for joint in (leg.root, leg.middle, leg.end)]
    others = [joint for joint in range(motion.skeleton.joint_count) if joint not in changed]
    identical = np.array_equal(after.rotations[:, others], motion.rotations[:, others])
    ankles = [leg.end for leg in legs(motion.skeleton)]
    moves = np.linalg.norm(after.world_positions[:, ankles] - motion.world_positions[:, ankles], axis=-1)
    return Result(
        name,
        measure(motion, contacts, motion),
        measure(after, contacts, motion),
        100.0 * float(moves.max()),
        motion.duration_s,
        cost_s,
        identical and np.array_equal(after.root_positions, motion.root_positions),
    )


def measure(motion: Motion, contacts: Contacts, original: Motion) -> Measures:
    slides = 100.0 * slide_speeds(motion, contacts)
    turning = [joint for leg in legs(motion.skeleton) for joint in (leg.root, leg.middle, leg.end)]
    moving = [joint for leg in legs(motion.skeleton) for joint in (leg.middle, leg.end, leg.toe)]
    turns = quaternion.angle(motion.rotations[:-1, turning], motion.rotations[1:, turning])
    steps = np.linalg.norm(np.diff(motion.world_positions[:, moving], axis=0), axis=-1)
    return Measures(
        float(np.nanmean(slides)),
        float(np.nanmax(slides)),
        low_toe_speed_cm_s(motion),
        float(np.degrees(turns.max() * motion.rate_hz)),
        float(steps.max() * motion.rate_hz),
        float(np.degrees(flexions(motion, original).min())),
    )


def low_toe_speed_cm_s(motion: Motion) -> float:
    toes = tuple(foot_points(motion.skeleton, leg)[1] for leg in legs(motion.skeleton))
    positions = point_positions(motion, toes)
    heights = positions[:-1, :, 2] - np.percentile(positions[..., 2], 5.0, axis=0)
    speeds = 100.0 * motion.rate_hz * np.linalg.norm(np.diff(positions[..., :2], axis=0), axis=-1)
    weights = 2.0 - 2.0 ** (np.maximum(heights, 0.0) / LOW_M)
    return float((speeds * weights)[heights < LOW_M].mean())


def flexions(motion: Motion, original: Motion) -> np.ndarray:
    """Return how far both knees are bent (F, 2), about the hinges that the original shows."""
    result = []
    for leg in legs(motion.skeleton):
        axes = quaternion.rotate(motion.world_rotations[:, leg.root], hinge_axis(original, leg))
        hip, knee, ankle = (motion.world_positions[:, joint] for joint in (leg.root, leg.middle, leg.end))
        sines = np.sum(np.cross(knee - hip, ankle - knee) * axes, axis=1)
        result.append(np.arctan2(sines, np.sum((knee - hip) * (ankle - knee), axis=1)))
    return np.column_stack(result)


def broken_promises(result: Result) -> list[str]:
    before, after = result.before, result.after
    checks = {
        "slide more than halved": after.slide_cm_s <= 0.5 * before.slide_cm_s,
        "no faster turn": after.turn_deg_s <= 1.01 * before.turn_deg_s + 1e-6,
        "no higher speed": after.speed_m_s <= 1.01 * before.speed_m_s + 1e-9,
        "no knee bent backwards or straightened": after.knee_deg >= min(max(before.knee_deg, 0.0), 9.9) - 1e-3,
        "all other joints identical": result.others_identical,
    }
    return [what for what, holds in checks.items() if not holds]


def markdown_table(results: Sequence[Result]) -> str:
    lines = [
        "| capture | slide cm/s | most cm/s | low toes cm/s | turn °/s | speed m/s | knee ° | move cm |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for result in results:
        a, b = result.before, result.after
        lines.append(
            f"| {result.name} | {a.slide_cm_s:.1f} → {b.slide_cm_s:.1f} | {a.most_cm_s:.0f} → {b.most_cm_s:.0f} "
            f"| {a.low_toes_cm_s:.0f} → {b.low_toes_cm_s:.0f} | {a.turn_deg_s:.0f} → {b.turn_deg_s:.0f} "
            f"| {a.speed_m_s:.2f} → {b.speed_m_s:.2f} | {a.knee_deg:.1f} → {b.knee_deg:.1f} | {result.move_cm:.1f} |"
        )
    return "\n".join(lines)


def summary_table(results: Sequence[Result]) -> str:
    lines = ["| group | captures | slide cm/s, mean over captures | worst capture keeps |", "|---|--:|--:|--:|"]
    for group in GROUPS:
        own = [result for result in results if result.name.startswith(f"{group}/")]
        before, after = (np.array([getattr(r, when).slide_cm_s for r in own]) for when in ("before", "after"))
        kept = (after / before).max()
        lines.append(f"| {group} | {len(own)} | {before.mean():.1f} → {after.mean():.1f} | {kept:.0%} |")
    return "\n".join(lines)


def page(results: Sequence[Result], table: str) -> str:
    seconds = sum(result.seconds for result in results)
    return TEXT.format(
        files=len(results),
        seconds=seconds,
        worst=max(result.after.slide_cm_s / result.before.slide_cm_s for result in results),
        turn=max(result.after.turn_deg_s / result.before.turn_deg_s for result in results) - 1.0,
        speed=max(result.after.speed_m_s / result.before.speed_m_s for result in results) - 1.0,
        cost=1e3 * sum(result.cost_s for result in results) / seconds,
        summary=summary_table(results),
        table=table,
    )


def draw(results: Sequence[Result], path: Path) -> None:
    """Draw a bar of slide before, and one after, for every capture, by group."""
    groups = list(dict.fromkeys(result.name.split("/")[0] for result in results))
    counts = [sum(result.name.startswith(f"{group}/") for result in results) for group in groups]
    figure, axes = plt.subplots(
        1, len(groups), figsize=(15, 4.2), sharey=True, width_ratios=counts, layout="constrained"
    )
    for axis, group in zip(np.atleast_1d(axes), groups, strict=True):
        own = [result for result in results if result.name.startswith(f"{group}/")]
        own.sort(key=lambda result: result.before.slide_cm_s)
        places = np.arange(len(own))
        axis.bar(places, [r.before.slide_cm_s for r in own], width=0.8, color=BEFORE_COLOR, label="before")
        axis.bar(places, [r.after.slide_cm_s for r in own], width=0.8, color=AFTER_COLOR, label="after")
        axis.set_xticks(places, [r.name.split("/")[1] for r in own], rotation=90, fontsize=7)
        axis.set_title(group.replace("_", " "), fontsize=10)
        axis.margins(x=0.02)
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(axis="y", alpha=0.3)
        axis.set_axisbelow(True)
    np.atleast_1d(axes)[0].set_ylabel("slide of planted feet, cm/s")
    np.atleast_1d(axes)[0].legend(frameon=False, loc="upper left")
    figure.savefig(path, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
