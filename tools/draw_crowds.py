"""Draw the crowds that ship: a map of each after a minute, and of some a picture, a strip of frames and a short video.

"density" draws what the soak found of crowds by their density.  Without names all are drawn, which takes a quarter of
an hour on one core.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image
from tools.draw.crowd_map import crowd_map
from tools.draw.density_plot import DENSITY, density_plot

from gambol.crowd.moment import moment
from gambol.crowd.recording import Recording
from gambol.files.disk import write_atomically
from gambol.pictures.crowd_picture import crowd_picture
from gambol.pictures.crowd_video import CrowdFilm, crowd_video, video_times
from gambol.scenes.file import load_scene
from gambol.scenes.find import shipped_scenes
from gambol.scenes.scene import Scene
from gambol.stages import CrowdStage, perform

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures" / "crowd"
DENSITY_RESULTS = ROOT / "evidence" / "soak" / "results" / "crowd-density.json"
RUN_S, WARM_UP_S = 60.0, 2.0
MOST_BYTES = 6_000_000  # of all together
VIDEO_SIZE, VIDEO_S = (640, 360), 8.0
STRIP_SIZE, STRIP_FRAMES = (640, 360), (2, 2)  # rows and columns
JPEG_QUALITY = 82
PICTURED = ("doorway-4",)  # as the command draws them, with plots


class Shot(NamedTuple):
    """How a scene is filmed."""

    camera: str
    from_s: float
    seconds: float = VIDEO_S


SHOTS = {
    "four-way": Shot("follow", 4.0),
    "plaza": Shot("orbit", 20.0),
    "doorway-4": Shot("overview", 8.0),
}


def draw_density() -> list[Path]:
    """Draw speeds, arrivals and waits against density, by the soak's results."""
    found = json.loads(DENSITY_RESULTS.read_text())["rows"].items()
    rows = [
        {**row, DENSITY: float(name), "longest_wait_s": row["longest_stand_s"]}
        for name, row in found
        if name != "alone"
    ]
    path = PICTURES / "density.png"
    density_plot(path, rows)
    return [path]


def draw(name: str) -> list[Path]:
    """Run a crowd and draw it; return the files that came of it."""
    scene = load_scene(name)
    perform(scene, CrowdStage(WARM_UP_S), check=False)  # compiles kernels, whose time is none of the crowd's
    performance = perform(scene, CrowdStage(RUN_S), check=False)
    recording, report = performance.recording, performance.course
    at_s = map_time(recording)
    path = PICTURES / f"{name}.png"
    crowd_map(path, recording, scene.world, time_s=at_s, title=name, report=report)
    files = [path]
    if name in PICTURED:
        files.append(PICTURES / f"{name}_picture.png")
        crowd_picture(files[-1], recording, scene.world, report=report, time_s=at_s, title=name)
    if name in SHOTS:
        files += [_strip(scene, recording, SHOTS[name]), _video(scene, recording, SHOTS[name])]
    return files


def map_time(recording: Recording) -> float:
    """Return the last whole second at which half of all are still there: where everybody leaves, the end is empty."""
    for second in range(int(recording.duration_s), 0, -1):
        if 2 * len(moment(recording, second).who) >= len(recording):
            return float(second)
    return 0.0


def _strip(scene: Scene, recording: Recording, shot: Shot) -> Path:
    """Write some frames of a video as one picture."""
    rows, columns = STRIP_FRAMES
    times = video_times(recording, shot.from_s, shot.seconds, 10.0)
    film = CrowdFilm.of(recording, scene.world, times, camera=shot.camera, size=STRIP_SIZE)
    chosen = np.linspace(0, len(times) - 1, rows * columns).round().astype(int).tolist()
    frames = [film.frame(number) for number in chosen]
    lines = [np.concatenate(frames[row * columns : (row + 1) * columns], axis=1) for row in range(rows)]
    data = BytesIO()
    Image.fromarray(np.concatenate(lines)).save(data, "JPEG", quality=JPEG_QUALITY, optimize=True, progressive=True)
    path = PICTURES / f"{scene.name}_strip.jpg"
    write_atomically(path, data.getvalue())
    return path


def _video(scene: Scene, recording: Recording, shot: Shot) -> Path:
    path = PICTURES / f"{scene.name}.mp4"
    crowd_video(
        path, recording, scene.world, from_s=shot.from_s, seconds=shot.seconds, camera=shot.camera, size=VIDEO_SIZE
    )
    return path


def main() -> None:
    known = [*(scene.name for scene in shipped_scenes() if scene.kind == "crowd"), DENSITY]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}")
    for name in parser.parse_args().names or known:
        begun = time.perf_counter()
        files = draw_density() if name == DENSITY else draw(name)
        sizes = ", ".join(f"{path.name} {path.stat().st_size // 1000} kB" for path in files)
        print(f"{name}: {time.perf_counter() - begun:.0f} s; {sizes}", flush=True)
    total = sum(path.stat().st_size for path in PICTURES.iterdir())
    print(f"{total / 1e6:.1f} MB in all")
    if total > MOST_BYTES:
        sys.exit(f"more than the {MOST_BYTES / 1e6:g} MB that the docs have for crowds")


if __name__ == "__main__":
    main()
