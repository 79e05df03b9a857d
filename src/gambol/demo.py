"""The embedded default job: realize a sequence of behaviors, export it, picture it, report on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gambol.character.builtin import builtin_character
from gambol.character.step import place_steps
from gambol.errors import MissingExtra
from gambol.io.formats import write_motion
from gambol.motion.contacts import Contacts
from gambol.motion.motion import Motion
from gambol.motion.quality import Quality, measure_quality
from gambol.pictures.contact_sheet import contact_sheet
from gambol.pictures.quality_picture import quality_picture
from gambol.pictures.video import motion_video
from gambol.synthesis.realize import realize, realized_contacts

FORMATS = (".bvh", ".glb", ".usda")
SEQUENCE = (
    "start", "jog", "jog-left-30", "jump-over", "jog", "duck", "crawl-in", "crawl-cycle", "crawl-out",
    "jog-right-30", "stop", "stand", "go", "jog",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Demo:
    """What the demo made."""

    motion: Motion
    quality: Quality
    files: tuple[Path, ...]
    skipped: tuple[str, ...]  # why some files are not there


@dataclass(frozen=True, eq=False)
class Performance:
    """A realized sequence, with its authored contacts and when each behavior begins."""

    motion: Motion
    contacts: Contacts
    captions: dict[float, str]  # seconds to behavior


def demo_performance() -> Performance:
    """Realize the hand-written sequence for the built-in human."""
    human = builtin_character("human")
    steps = place_steps(human, SEQUENCE)
    captions = {step.frame / human.planning_rate_hz: name for step, name in zip(steps, SEQUENCE, strict=True)}
    return Performance(realize(human, steps), realized_contacts(human, steps), captions)


def make_demo(folder: Path, *, say: Callable[[str], None]) -> Demo:
    """Write the demo's files into a folder, saying what is being done."""
    say("Getting the built-in human (the first time it is authored, which takes some seconds)")
    builtin_character("human")
    say(f"Realizing {len(SEQUENCE)} behaviors: {', '.join(SEQUENCE)}")
    performance = demo_performance()
    motion = performance.motion
    files: list[Path] = []
    skipped: list[str] = []
    for suffix in FORMATS:
        path = folder / f"demo{suffix}"
        say(f"Writing {path}")
        try:
            write_motion(path, motion, name="human")
            files.append(path)
        except MissingExtra as missing:
            skipped.append(str(missing))
    quality = measure_quality(motion, contacts=performance.contacts)
    sheet, report, video = (folder / name for name in ("demo_contact_sheet.png", "demo_quality.png", "demo.mp4"))
    say(f"Drawing {sheet} and {report}")
    contact_sheet(motion, sheet, columns=8, rows=3, title="start, jog, turn, jump, duck, crawl, stop, stand, go")
    quality_picture(motion, quality, report, title="gambol demo")
    say(f"Filming {video} ({motion.duration_s:.0f} s)")
    motion_video(motion, video, captions=performance.captions, contacts=performance.contacts)
    return Demo(motion, quality, (*files, sheet, report, video), tuple(skipped))
