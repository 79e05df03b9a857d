"""The demo: plan an obstacle course and a falling tree; animate, check, write and draw."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gambol.deliver.registry import Delivery, WriteOptions
from gambol.errors import MissingExtra
from gambol.extras import check_suffix
from gambol.files.disk import write_atomically
from gambol.motion.quality import measure_quality
from gambol.planners import default_planner, planner_named
from gambol.scenes.file import load_scene
from gambol.stages.performance import Progress, perform
from gambol.stages.plans import PlanPerformance, PlanStage

SCENES = ("course", "falling-tree")
SUFFIXES = (".plan.json", ".bvh", ".glb", ".usda", ".png", ".mp4")
NUMBERS = "numbers.md"
VIDEO_RATE_HZ = 15.0  # Hz, > 0: frames a second of the videos; larger takes longer: filming is most of the work


@dataclass(frozen=True, eq=False)
class Demo:
    """The results of the demo."""

    performances: tuple[PlanPerformance, ...]
    delivery: Delivery


def make_demo(folder: Path, *, progress: Progress) -> Demo:
    """Plan the demo's scenes and write everything about them into a folder."""
    performances: list[PlanPerformance] = []
    files: list[Path] = []
    skipped: list[str] = []
    suffixes = []
    for suffix in SUFFIXES:
        try:
            check_suffix(suffix)
            suffixes.append(suffix)
        except MissingExtra as missing:
            skipped.append(str(missing))
    for name in SCENES:
        progress("reading the scene", 0.0)
        scene = load_scene(name)
        planner = planner_named(default_planner(len(scene.cast)), trace=True)
        performance = perform(scene, PlanStage(planner), progress=progress)
        targets = [folder / f"{name}{suffix}" for suffix in suffixes]
        written = performance.save(*targets, options=WriteOptions(video_rate_hz=VIDEO_RATE_HZ), progress=progress)
        performances.append(performance)
        files += written.files
        skipped += written.skipped
    numbers = folder / NUMBERS
    write_atomically(numbers, numbers_table(performances).encode())
    return Demo(tuple(performances), Delivery((*files, numbers), tuple(skipped)))


def numbers_table(performances: list[PlanPerformance]) -> str:
    """Return what there is to count and measure, as a table in Markdown."""
    lines = [
        "| scene | who | outcome | cost | at most … times the best | lasts | planned in | expansions | feet slide |",
        "|---|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    for performance in performances:
        cast = zip(performance.names, performance.plans, performance.realized, performance.contacts, strict=True)
        for name, plan, motion, contacts in cast:
            slide = ""
            if motion is not None and performance.scene.world.terrain is None:
                slide = f"{measure_quality(motion, contacts=contacts).foot_slide_mean_cm_s:.2f} cm/s"
            searched = plan.statistics
            lines.append(
                f"| {performance.scene.name} | {name} | {plan.outcome} | {plan.cost:.2f} | {plan.bound:.2f} "
                f"| {plan.duration_s:.2f} s | {1000 * (searched.setup_time_s + searched.time_s):.1f} ms "
                f"| {searched.expansions:,} | {slide} |"
            )
    lines.append("")
    for performance in performances:
        if performance.report is not None:
            lines.append(f"- {performance.scene.name}, full-rate check: {performance.report.summary}")
    return "\n".join(lines) + "\n"
