"""A motion as a short video, through the ffmpeg that comes with imageio-ffmpeg."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.body.skin import Skin
from gambol.errors import InvalidInput, UnreadableFile
from gambol.files.disk import atomic_path
from gambol.motion.contacts import Contacts, detect_contacts
from gambol.motion.edits import resample
from gambol.motion.motion import Motion
from gambol.pictures.camera import Camera
from gambol.pictures.figure import figure, skin_of
from gambol.pictures.lettering import Text, draw_texts
from gambol.pictures.render import render
from gambol.pictures.studio import Studio
from gambol.pictures.viewpoint import Tracking, direction_of

Pixels = NDArray[np.uint8]
SIZE = (640, 360)
RATE_HZ = 30.0
COARSENESS = 23
MOST_FRAMES = 30 * 600  # ten minutes


def motion_frames(
    motion: Motion,
    *,
    captions: dict[float, str] | None = None,
    skin: Skin | None = None,
    view: str = "three-quarter",
    size: tuple[int, int] = SIZE,
    contacts: Contacts | None = None,
) -> Iterator[Pixels]:
    """Render a motion at 30 frames a second; the camera goes along with the figure.

    captions: what to write from which second on, such as the behavior's name.
    """
    motion = resample(motion, RATE_HZ)
    if motion.frame_count > MOST_FRAMES:
        raise InvalidInput(
            f"{motion.duration_s:.0f} s are more than the {MOST_FRAMES / RATE_HZ:.0f} s a video may last"
        )
    skin = skin_of(motion) if skin is None else skin
    ground = (contacts or detect_contacts(motion)).ground
    tracking = Tracking.of(motion, ground, view)
    shown = np.linspace(0, motion.frame_count - 1, 24).astype(int).tolist()
    local = [tracking.to_local(pose, frame) for pose, frame in zip(skin.deform(motion, shown), shown, strict=True)]
    points = np.concatenate((*local, np.zeros((1, 3))))
    camera = Camera.framing(points, direction_of(view), aspect=size[0] / size[1], margin=0.12)
    for frame in range(motion.frame_count):
        placed = tracking.place(camera, frame)
        studio = replace(Studio(), ground=ground).lit_for(placed)
        pose = skin.deform(motion, [frame])[0]
        picture = render([figure(skin, pose)], placed, size, studio=studio)
        yield _captioned(picture, captions or {}, frame / motion.rate_hz)


def _captioned(picture: Pixels, captions: dict[float, str], now_s: float) -> Pixels:
    begun = [start for start in captions if start <= now_s + 1e-9]
    if not begun:
        return picture
    return draw_texts(picture, [Text(captions[max(begun)], 14, picture.shape[0] - 14, 18)])


def write_video(
    frames: Iterator[Pixels],
    path: Path | str,
    size: tuple[int, int],
    *,
    rate_hz: float = RATE_HZ,
    coarseness: int = COARSENESS,
    most_bits_s: int | None = None,
) -> None:
    """Encode pictures (H, W, 3) of one size as H.264 that browsers and editors play.

    coarseness: the encoder's constant rate factor; six more halve the file.
    most_bits_s: what a second may take, about; the pictures are coarser where that is not enough.
    """
    from imageio_ffmpeg import get_ffmpeg_exe

    limit = [] if most_bits_s is None else ["-maxrate", str(most_bits_s), "-bufsize", str(2 * most_bits_s)]
    with atomic_path(path) as temporary:
        command = [
            get_ffmpeg_exe(), "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{size[0]}x{size[1]}", "-r", f"{rate_hz:g}", "-i", "-", "-an", "-c:v", "libx264",
            "-crf", str(coarseness), *limit, "-pix_fmt", "yuv420p", "-movflags", "+faststart", "-f", "mp4",
            str(temporary),
        ]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as encoder:
            assert encoder.stdin is not None
            assert encoder.stderr is not None
            try:
                for picture in frames:
                    encoder.stdin.write(np.ascontiguousarray(picture).tobytes())
                encoder.stdin.close()
            except BrokenPipeError:
                pass  # what it says is more helpful
            complaint = encoder.stderr.read().decode(errors="replace").strip()
        if encoder.returncode != 0:
            raise UnreadableFile(f"ffmpeg could not write the video: {complaint[-300:]}", path=path)
