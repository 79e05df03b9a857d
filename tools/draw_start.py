"""Draw the pictures of the README, the five-minute start and the first tutorials.

    python tools/draw_start.py [CAPTURES]

CAPTURES: a folder with CMU's 108_01.bvh and 108_02.bvh, for the pictures of the first character.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import imageio_ffmpeg
import numpy as np
from PIL import Image

DOCS = Path(__file__).parent.parent / "docs"
START, TUTORIALS = DOCS / "pictures" / "start", DOCS / "pictures" / "tutorials"
MOVING_PX, MOVING_HZ = (480, 270), 12
MOST_MOVING, MOST_STILL = 2_000_000, 150_000  # bytes


def gambol(folder: Path, command: str) -> None:
    """Run a command of the pages in a folder."""
    program = "from gambol.cli.app import main; main()"
    subprocess.run([sys.executable, "-c", program, *command.split()[1:]], cwd=folder, check=True)


def moving(video: Path, target: Path) -> None:
    """Make an animated WebP of a video: pages show it without a player."""
    width, height = MOVING_PX
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-i", str(video)]
    command += ["-vf", f"fps={MOVING_HZ},scale={width}:{height}", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, check=True, capture_output=True).stdout
    frames = [Image.fromarray(frame) for frame in np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3)]
    later = frames[1:]
    frames[0].save(target, save_all=True, append_images=later, duration=1000 // MOVING_HZ, loop=0, quality=60, method=6)
    if target.stat().st_size > MOST_MOVING:
        sys.exit(f"{target.name} is {target.stat().st_size} bytes large")


def still(picture: Path, target: Path, *, width_px: int = 1000) -> None:
    """Make a JPEG of a picture, small enough for a page."""
    image = Image.open(picture).convert("RGB")
    if image.width > width_px:
        image = image.resize((width_px, round(image.height * width_px / image.width)), Image.Resampling.LANCZOS)
    image.save(target, quality=82, optimize=True)
    if target.stat().st_size > MOST_STILL:
        sys.exit(f"{target.name} is {target.stat().st_size} bytes large")


def files_of(page: Path) -> dict[str, str]:
    """Return the files that a page has its reader write, each block after `<!-- file: NAME -->`; the last of a name."""
    text = page.read_text(encoding="utf-8")
    return dict(re.findall(r"<!-- file: (\S+) -->\n```\w*\n(.*?)```", text, re.DOTALL))


def draw_start(folder: Path) -> None:
    """Draw what the start page plans."""
    for name, text in files_of(DOCS / "start.md").items():
        (folder / name).write_text(text)
    gambol(folder, "gambol plan hurdles -o out/hurdles.mp4 -o out/hurdles.png")
    gambol(folder, "gambol plan yard.toml -o out/yard.png")
    moving(folder / "out" / "hurdles.mp4", START / "hurdles.webp")
    still(folder / "out" / "hurdles.png", START / "hurdles.jpg")
    still(folder / "out" / "yard.png", START / "yard.jpg")


def draw_first_character(folder: Path, captures: Path) -> None:
    """Draw what the tutorial of the first character makes of captures."""
    (folder / "captures").symlink_to(captures.resolve())
    for name, text in files_of(DOCS / "tutorials" / "first_character.md").items():
        (folder / name).write_text(text)
    gambol(folder, "gambol inspect captures/108_01.bvh -o out/108_01.png")
    gambol(folder, "gambol character show walker.toml -o out/walker")
    gambol(folder, "gambol plan park.toml -o out/walk.png")
    still(folder / "out" / "108_01.png", TUTORIALS / "inspect.jpg")
    for part in ("states", "ways", "clips_1"):
        still(folder / "out" / "walker" / f"walker_{part}.png", TUTORIALS / f"walker_{part}.jpg", width_px=850)
    still(folder / "out" / "walk.png", TUTORIALS / "park.jpg")


if __name__ == "__main__":
    START.mkdir(parents=True, exist_ok=True)
    TUTORIALS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        draw_start(Path(made))
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory() as made:
            draw_first_character(Path(made), Path(sys.argv[1]))
