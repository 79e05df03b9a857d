"""Draw the pictures that the documentation shows."""

from __future__ import annotations

import tempfile
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image
from tools.draw.contact_sheet import contact_sheet
from tools.draw.motion_film import motion_frames

from gambol.animate.playing import play, realized_contacts
from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.characters.step import place_steps
from gambol.characters.store import load_character
from gambol.files.disk import write_atomically
from gambol.geometry import quaternion
from gambol.motion.edits import take
from gambol.motion.motion import Motion
from gambol.motion.quality import measure_quality
from gambol.pictures.quality_picture import quality_picture
from gambol.pictures.video import SIZE, write_video

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
ROWS = 12  # clips to a picture
SEQUENCE = (
    "start", "jog", "jog-left-30", "jump-over", "jog", "duck", "crawl-in", "crawl-cycle", "crawl-out",
    "jog-right-30", "stop", "stand", "go", "jog",
)  # fmt: skip


def turntable(views: int = 6) -> Motion:
    """Return the built-in human in its rest pose, turned a little further each frame."""
    skeleton = load_character("human").skeleton
    rotations = quaternion.identity(views, skeleton.joint_count)
    rotations[:, 0] = quaternion.from_heading(np.linspace(0.0, np.pi, views))
    return Motion(skeleton, 1.0, np.tile(skeleton.offsets[0], (views, 1)), rotations)


def draw_sequence() -> None:
    """Draw and film a sequence of behaviors of the built-in human, realized."""
    human = load_character("human")
    steps = place_steps(human, SEQUENCE)
    motion, contacts = play(human, steps), realized_contacts(human, steps)
    captions = {step.frame / human.planning_rate_hz: name for step, name in zip(steps, SEQUENCE, strict=True)}
    title = "start, jog, turn, jump, duck, crawl, stop, stand, go"
    contact_sheet(motion, FOLDER / "sequence.png", columns=8, rows=3, title=title)
    frames = motion_frames(motion, captions=captions, contacts=contacts)
    write_video(frames, FOLDER / "sequence.mp4", SIZE)


def draw_clips(character: Character) -> None:
    """Draw every distinct clip as a row of poses, some rows to a picture; of two mirror images, the left one."""
    clips = {clip.name: clip for behavior in character.behaviors for clip in behavior.clips}
    shown = [
        clip for name, clip in clips.items() if "-right" not in name or name.replace("-right", "-left") not in clips
    ]
    for number, first in enumerate(range(0, len(shown), ROWS), start=1):
        rows = [clip_row(clip) for clip in shown[first : first + ROWS]]
        page = Image.new("RGB", (max(row.width for row in rows), sum(row.height for row in rows)), "white")
        top = 0
        for row in rows:
            page.paste(row, (0, top))
            top += row.height
        data = BytesIO()
        page.save(data, "JPEG", quality=80, optimize=True, progressive=True)
        write_atomically(FOLDER / "clips" / f"{character.name}-{number}.jpg", data.getvalue())


def clip_row(clip: Clip) -> Image.Image:
    inside = take(clip.motion, slice(clip.margin, clip.motion.frame_count - clip.margin))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "row.png"
        contact_sheet(inside, path, columns=10, rows=1, title=clip.name, width_px=900)
        return Image.open(path).convert("RGB")


def main() -> None:
    steady = play(load_character("human"), ["walk"] * 3)
    quality_picture(steady, measure_quality(steady), FOLDER / "walk_quality.png", title="gambol inspect walk.bvh")
    contact_sheet(turntable(), FOLDER / "body.png", columns=6, rows=1, title="The body at rest", view="front")
    draw_sequence()
    for name in ("human", "skateboarder", "horse"):
        draw_clips(load_character(name))


if __name__ == "__main__":
    main()
