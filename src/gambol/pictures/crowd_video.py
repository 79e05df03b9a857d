"""A crowd as a video: all characters with whole bodies, in their world."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gambol.crowd.recording import Recording
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.pictures.camera import Camera
from gambol.pictures.crowd_cameras import crowd_cameras
from gambol.pictures.crowd_colors import crowd_colors
from gambol.pictures.crowd_figures import CrowdFigures
from gambol.pictures.lettering import INK, Text, draw_texts
from gambol.pictures.pixels import Pixels
from gambol.pictures.plan_video import brightened
from gambol.pictures.stage import PictureStage
from gambol.pictures.video import MOST_FRAMES, check_size, counted, write_video
from gambol.world.world import World

SIZE = (960, 540)  # pixels: width and height
RATE_HZ = 15.0  # frames a second
SECONDS = 10.0  # length of a video
BEGIN_S = 5.0  # seconds: by then all characters have set out
COARSENESS = 26  # as in `write_video`
MOST_BITS = 0.28  # bits for a pixel of a frame, at most: 10 s take less than 3 MB, however large the crowd


def crowd_video(
    path: Path | str,
    recording: Recording,
    world: World,
    *,
    from_s: float | None = None,
    seconds: float = SECONDS,
    camera: str = "overview",
    who: str | None = None,
    color_by: str | None = None,
    size: tuple[int, int] = SIZE,
    rate_hz: float = RATE_HZ,
    threads: int = 2,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write an .mp4 of a crowd.

    from_s: the recording's time at which the video begins; by default 5 s, or earlier if the recording is short.
    seconds: its length, cut off at the recording's end.
    camera, who: see `crowd_cameras`.  color_by: see `crowd_colors`.
    threads: the number of frames drawn at the same time; the result does not depend on it.
    progress: called with the number of frames done and the number of all.
    """
    check_size(size)
    times_s = video_times(recording, from_s, seconds, rate_hz)
    film = CrowdFilm.of(recording, world, times_s, camera=camera, who=who, color_by=color_by, size=size)
    pictures = counted(film.frames(range(len(times_s)), threads=threads), len(times_s), progress)
    most_bits_s = round(MOST_BITS * size[0] * size[1] * rate_hz)
    write_video(pictures, path, size, rate_hz=rate_hz, coarseness=COARSENESS, most_bits_s=most_bits_s)


def video_times(recording: Recording, from_s: float | None, seconds: float, rate_hz: float) -> FloatArray:
    """Return the times of a video's frames, in the recording's time."""
    if not (math.isfinite(rate_hz) and rate_hz > 0.0 and math.isfinite(seconds) and seconds > 0.0):
        raise InvalidInput(f"a video has a positive rate and length, not {rate_hz} Hz and {seconds} s")
    if from_s is None:
        from_s = min(BEGIN_S, max(0.0, recording.duration_s - seconds))
    if not 0.0 <= from_s <= recording.duration_s:
        raise InvalidInput(f"a video begins within the recording's {recording.duration_s:g} s, not at {from_s} s")
    count = int(min(seconds, recording.duration_s - from_s) * rate_hz + 1e-6) + 1
    if count > MOST_FRAMES:
        raise InvalidInput(f"a video has at most {MOST_FRAMES} frames, not {count}")
    return from_s + np.arange(count) / rate_hz


@dataclass(frozen=True, eq=False)
class CrowdFilm:
    """Everything that the frames of a video share."""

    stage: PictureStage
    figures: CrowdFigures
    times_s: FloatArray  # (F,)
    cameras: tuple[Camera, ...]  # (F,)
    size: tuple[int, int]

    @classmethod
    def of(
        cls,
        recording: Recording,
        world: World,
        times_s: FloatArray,
        *,
        camera: str = "overview",
        who: str | None = None,
        color_by: str | None = None,
        size: tuple[int, int] = SIZE,
    ) -> CrowdFilm:
        """Prepare a film of a recording at some times."""
        aspect = size[0] / size[1]
        cameras = crowd_cameras(recording, world, times_s, kind=camera, aspect=aspect, who=who)
        figures = CrowdFigures.of(recording, crowd_colors(recording, color_by))
        return cls(PictureStage.of(world), figures, times_s, tuple(cameras), size)

    def frame(self, number: int) -> Pixels:
        """Draw a frame."""
        time_s, camera = float(self.times_s[number]), self.cameras[number]
        picture = self.stage.crowd_picture(self.figures.at(time_s, camera, self.size), time_s, camera, self.size)
        letter = max(11, round(self.size[1] / 26))
        pad = 0.8 * letter
        texts = [Text(f"{time_s:.1f} s", self.size[0] - pad, self.size[1] - pad, letter, INK, "rs")]
        return draw_texts(brightened(picture, texts), texts)

    def frames(self, numbers: range, *, threads: int = 1) -> Iterator[Pixels]:
        """Draw frames one after another, some at the same time."""
        if threads <= 1:
            yield from (self.frame(number) for number in numbers)
            return
        with ThreadPoolExecutor(threads) as pool:
            drawn: deque[Future[Pixels]] = deque()
            for number in numbers:
                drawn.append(pool.submit(self.frame, number))
                if len(drawn) > threads:
                    yield drawn.popleft().result()
            while drawn:
                yield drawn.popleft().result()
