"""Write videos through the ffmpeg that comes with imageio-ffmpeg."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from gambol.errors import InvalidInput, UnreadableFile
from gambol.files.disk import atomic_path
from gambol.pictures.pixels import Pixels

SIZE = (640, 360)  # pixels: width and height
RATE_HZ = 30.0  # frames a second
COARSENESS = 22  # 0 to 51: the encoder's constant rate factor; six more halve the file
PRESET = "veryfast"  # of the encoder: a slower one makes files a tenth smaller in twice the time
MOST_FRAMES = 30 * 600  # frames of a video: ten minutes


def counted(pictures: Iterator[Pixels], count: int, progress: Callable[[int, int], None] | None) -> Iterator[Pixels]:
    """Pass on pictures; call `progress` after each with the number of those done and the number of all."""
    for number, picture in enumerate(pictures, start=1):
        yield picture
        if progress is not None:
            progress(number, count)


def check_size(size: tuple[int, int]) -> None:
    """Refuse a width or height that the encoder cannot use."""
    if size[0] % 2 or size[1] % 2 or min(size) < 2:
        raise InvalidInput(f"a video's sides are even numbers of pixels, not {size[0]} x {size[1]}")


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

    coarseness: the encoder's constant rate factor, 0 to 51; six more halve the file.
    most_bits_s: limit of bits a second, about; pictures become coarser to keep it.
    """
    from imageio_ffmpeg import get_ffmpeg_exe

    limit = [] if most_bits_s is None else ["-maxrate", str(most_bits_s), "-bufsize", str(2 * most_bits_s)]
    with atomic_path(path) as temporary:
        command = [
            get_ffmpeg_exe(), "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{size[0]}x{size[1]}", "-r", f"{rate_hz:g}", "-i", "-", "-an", "-c:v", "libx264",
            "-preset", PRESET, "-crf", str(coarseness), *limit, "-pix_fmt", "yuv420p", "-movflags", "+faststart",
            "-f", "mp4", str(temporary),
        ]  # fmt: skip
        with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as encoder:
            assert encoder.stdin is not None
            assert encoder.stderr is not None
            try:
                for picture in frames:
                    encoder.stdin.write(np.ascontiguousarray(picture).tobytes())
                encoder.stdin.close()
            except BrokenPipeError:
                pass  # the encoder's own message is more helpful
            complaint = encoder.stderr.read().decode(errors="replace").strip()
        if encoder.returncode != 0:
            raise UnreadableFile(f"ffmpeg could not write the video: {complaint[-300:]}", path=path)
