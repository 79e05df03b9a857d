"""Draw the moving picture of the README and the short videos of the gallery.

    python tools/draw_readme.py [FOLDER]

FOLDER: where the films are made that they are cut from; what is there already is not made again.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import imageio_ffmpeg
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from gambol import Crowd, Footprint, Mover, World, load_scene
from gambol.crowd.recording import Recording
from gambol.pictures.camera import Camera
from gambol.pictures.crowd_video import CrowdFilm, video_times
from gambol.pictures.video import write_video
from gambol.stages.crowds import Entrance
from gambol.world import Trajectory

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"
GALLERY, MOVING = PICTURES / "gallery", PICTURES / "start" / "readme.webp"
MOST_MOVING, MOST_VIDEO = 700_000, 600_000  # bytes
MOVING_S, MOVING_HZ, TILE_PX = 5.0, 12, (360, 202)
BALL = "ball.mp4"
BALL_SIZE, BALL_HZ = (640, 360), 20.0
BALL_FROM, BALL_TO, BALL_RADIUS_M = (16.0, 26.0), (50.0, 26.0), 0.6  # in the scene crowd-150
BALL_SEEN_S, BALL_THROWN_S, BALL_ROLLS_S = 8.0, 9.0, 6.0  # seen coming from the first on

Pixels = NDArray[np.uint8]


class Film(NamedTuple):
    """A command that makes a film, and the part of it that the gallery shows."""

    command: str
    from_s: float
    until_s: float
    speed: float = 1.0


FILMS = {
    "tree.mp4": Film("gambol plan falling-tree -o tree.mp4", 0.0, 9.6),
    "course.mp4": Film("gambol climb climb-course -o course.mp4 --view three-quarter", 0.0, 47.0, 5.0),
    "skateboarder.mp4": Film("gambol plan skateboarder -o skateboarder.mp4", 7.0, 16.5),
    "horses.mp4": Film("gambol plan horses -o horses.mp4", 1.0, 10.5),
    BALL: Film("", 0.0, 7.5),  # made below: no command throws things
    "hurdles.mp4": Film("gambol plan hurdles -o hurdles.mp4", 2.5, 10.5),
}
#: The README's tiles, row by row: the film, and when it begins.
TILES = (("tree.mp4", 2.2), ("course.mp4", 36.6), ("hurdles.mp4", 3.4), (BALL, 1.0))


def make_films(folder: Path) -> None:
    """Make those films that a folder does not have."""
    for name, film in FILMS.items():
        if (folder / name).exists():
            continue
        if name == BALL:
            film_ball(folder / name)
            continue
        program = "from gambol.cli.app import main; main()"
        subprocess.run([sys.executable, "-c", program, *film.command.split()[1:]], cwd=folder, check=True)


def roll_ball() -> tuple[Recording, World]:
    """Roll a ball through 150 people; return what they did, and the world with the ball."""
    scene = load_scene("crowd-150")
    crowd = Crowd(scene.world, list({id(one.character): one.character for one in scene.cast}.values()), seed=scene.seed)
    entrance = Entrance(scene, crowd)
    until_s = BALL_THROWN_S + BALL_ROLLS_S
    times_s, heights_m = np.array([BALL_THROWN_S, until_s]), np.array([(0.0, 2.0 * BALL_RADIUS_M)] * 2)
    way = Trajectory(times_s, np.array([(*BALL_FROM, 0.0), (*BALL_TO, 0.0)]), heights_m=heights_m)
    ball = Mover("ball", Footprint.disc(BALL_RADIUS_M), way)
    thrown = -1
    while crowd.time_s < until_s + 3.0:
        if thrown < 0 and crowd.time_s >= BALL_SEEN_S:
            thrown = crowd.throw(ball)
        entrance.admit()
        crowd.step()
    print(f"the ball met {len(crowd.edits[thrown].hits)} people")
    return crowd.recording(), replace(scene.world, movers=(*scene.world.movers, ball))


def film_ball(path: Path) -> None:
    """Film how people make way for a ball."""
    recording, world = roll_ball()
    times_s = video_times(recording, BALL_THROWN_S - 0.5, 7.5, BALL_HZ)
    film = CrowdFilm.of(recording, world, times_s, size=BALL_SIZE)
    share = np.clip((times_s - BALL_THROWN_S) / BALL_ROLLS_S, 0.0, 1.0)
    places = np.asarray(BALL_FROM) + share[:, None] * np.subtract(BALL_TO, BALL_FROM)
    cameras = tuple(Camera((x - 11.0, y - 15.0, 12.0), (x + 1.0, y, 0.5)) for x, y in places.tolist())
    frames = replace(film, cameras=cameras).frames(range(len(times_s)))
    write_video(frames, path, BALL_SIZE, rate_hz=BALL_HZ, coarseness=27, most_bits_s=900_000)


def cut(source: Path, film: Film, target: Path) -> None:
    """Write a part of a film as a small video, and its middle frame as a poster."""
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-y", "-i", str(source)]
    command += ["-vf", f"trim={film.from_s}:{film.until_s},setpts=(PTS-STARTPTS)/{film.speed},fps=20,scale=640:-2"]
    command += ["-an", "-c:v", "libx264", "-preset", "slow", "-crf", "27", "-pix_fmt", "yuv420p"]
    subprocess.run([*command, "-movflags", "+faststart", str(target)], check=True)
    if target.stat().st_size > MOST_VIDEO:
        sys.exit(f"{target.name} is {target.stat().st_size} bytes large")
    frames = read(target, 0.0, (film.until_s - film.from_s) / film.speed, 2.0, (640, 360))
    Image.fromarray(frames[len(frames) // 2]).save(target.with_suffix(".jpg"), quality=82, optimize=True)


def read(video: Path, from_s: float, seconds: float, rate_hz: float, size: tuple[int, int]) -> Pixels:
    """Return frames (F, H, W, 3) of a part of a video."""
    width, height = size
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-loglevel", "error", "-ss", str(from_s), "-i", str(video)]
    command += ["-t", str(seconds), "-vf", f"fps={rate_hz},scale={width}:{height}:flags=lanczos"]
    raw = subprocess.run([*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], check=True, capture_output=True).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3)


def draw_moving(folder: Path) -> None:
    """Draw the tiles of the README side by side as an animated WebP: pages show it without a player."""
    tiles = [read(folder / name, from_s, MOVING_S, MOVING_HZ, TILE_PX) for name, from_s in TILES]
    count = min(len(tile) for tile in tiles)
    gap = 4
    width, height = TILE_PX
    frames = np.full((count, 2 * height + gap, 2 * width + gap, 3), 255, np.uint8)
    for number, tile in enumerate(tiles):
        top, left = (number // 2) * (height + gap), (number % 2) * (width + gap)
        frames[:, top : top + height, left : left + width] = tile[:count]
    first, *later = [Image.fromarray(frame) for frame in frames]
    pace = 1000 // MOVING_HZ
    first.save(MOVING, save_all=True, append_images=later, duration=pace, loop=0, quality=58, method=6)
    if MOVING.stat().st_size > MOST_MOVING:
        sys.exit(f"{MOVING.name} is {MOVING.stat().st_size} bytes large")


def draw(folder: Path) -> None:
    """Make the films, and draw what the pages show of them."""
    GALLERY.mkdir(parents=True, exist_ok=True)
    make_films(folder)
    for name, film in FILMS.items():
        cut(folder / name, film, GALLERY / name)
    draw_moving(folder)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            draw(Path(made))
