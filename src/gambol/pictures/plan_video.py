"""Plans as a video: characters, obstacles, movers and terrain in motion."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray
from gambol.geometry.smoothing import gaussian
from gambol.motion.motion import Motion
from gambol.pictures.camera import Camera
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK, PALE_INK, Text, draw_texts, text_width
from gambol.pictures.pixels import Pixels
from gambol.pictures.shown import Shown, show_all
from gambol.pictures.stage import FIELD_OF_VIEW_RAD, PictureStage, skins_for
from gambol.pictures.video import MOST_FRAMES, RATE_HZ, SIZE, check_size, counted, write_video
from gambol.search.plan import Plan
from gambol.search.problem import Problem
from gambol.world.world import World

CAMERAS = ("follow", "fixed")
FOLLOWING = (0.42, 0.78, -0.52)  # direction of the view of a following camera
ROOM_M = 2.4  # metres shown around the characters
SMOOTH_S = 0.9  # seconds: a following camera's path is smoothed over this time; larger: calmer
LINGER_S = 0.7  # seconds after the last character has arrived
MOST_NAMED = 4  # characters: with more, no behaviors are written and the camera stands still by default
PLATE = 0.55  # 0 to 1: pictures are this much whiter behind words


def plan_video(
    path: Path | str,
    world: World,
    plans: Sequence[Plan],
    motions: Sequence[Motion | None],
    *,
    problems: Sequence[Problem] | None = None,
    names: Sequence[str] | None = None,
    camera: str | None = None,
    captions: bool = True,
    size: tuple[int, int] = SIZE,
    rate_hz: float = RATE_HZ,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write an .mp4 of all characters in their world, from time 0 until the last has arrived.

    motions: the motion made from each plan; None for a plan without steps.
    camera: "follow" keeps all characters in view, "fixed" shows the whole world; None follows up to four characters.
    progress: called with the number of frames done and the number of all.
    """
    if not (math.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"a video's rate must be positive, not {rate_hz}")
    check_size(size)
    shown = show_all(plans, motions, problems, names)
    count = frame_count(shown, rate_hz)
    pictures = plan_frames(world, shown, count, camera=camera, captions=captions, size=size, rate_hz=rate_hz)
    write_video(counted(pictures, count, progress), path, size, rate_hz=rate_hz)


def frame_count(shown: Sequence[Shown], rate_hz: float) -> int:
    """Return the number of frames of a video that ends shortly after the last character has arrived."""
    count = math.ceil((max(one.ends_s for one in shown) + LINGER_S) * rate_hz) + 1
    if count > MOST_FRAMES:
        raise InvalidInput(f"a video has at most {MOST_FRAMES} frames, not {count}")
    return count


def plan_frames(
    world: World,
    shown: Sequence[Shown],
    count: int,
    *,
    camera: str | None,
    captions: bool,
    size: tuple[int, int],
    rate_hz: float,
) -> Iterator[Pixels]:
    """Render `count` frames of a world and its characters, from time 0 on."""
    acting = [one for one in shown if one.motion is not None]
    if camera is None:
        camera = "follow" if len(acting) <= MOST_NAMED else "fixed"
    if camera not in CAMERAS:
        raise UnknownName("camera", camera, CAMERAS)
    stage, skins = PictureStage.of(world), skins_for(acting)
    times = np.arange(count) / rate_hz
    if camera == "follow" and acting:
        cameras = _following(stage, acting, times, size)
    else:
        cameras = [stage.overview(size[0] / size[1])] * count
    for time_s, placed in zip(times.tolist(), cameras, strict=True):
        picture = stage.picture(acting, skins, time_s, placed, size)
        texts = _texts(acting, time_s, size, captions=captions)
        yield draw_texts(brightened(picture, texts), texts)


def _following(stage: PictureStage, shown: Sequence[Shown], times: FloatArray, size: tuple[int, int]) -> list[Camera]:
    """Return cameras that keep all characters in view and move smoothly."""
    places = np.stack([_places(one, times) for one in shown], axis=1)
    low, high = places.min(axis=1), places.max(axis=1)
    sigma = SMOOTH_S / max(times[1] - times[0], 1e-9) if len(times) > 1 else 1.0
    center = gaussian(0.5 * (low + high), sigma, edges="edge")
    spread = gaussian(0.5 * np.linalg.norm(high - low, axis=1), sigma, edges="edge") + ROOM_M
    terrain = stage.world.terrain
    height = np.zeros(len(times)) if terrain is None else terrain.height(center)
    forward = np.array(FOLLOWING) / np.linalg.norm(FOLLOWING)
    tangent = math.tan(0.5 * FIELD_OF_VIEW_RAD) * min(1.0, 0.8 * size[0] / size[1])
    targets = np.column_stack((center, height + 0.7))
    eyes = targets - (spread / tangent)[:, None] * forward
    return [
        Camera(tuple(eye), tuple(target), FIELD_OF_VIEW_RAD)
        for eye, target in zip(eyes.tolist(), targets.tolist(), strict=True)
    ]


def _places(shown: Shown, times: FloatArray) -> FloatArray:
    return np.column_stack([np.interp(times, shown.times_s, shown.path[:, axis]) for axis in (0, 1)])


def _texts(shown: Sequence[Shown], time_s: float, size: tuple[int, int], *, captions: bool) -> list[Text]:
    """Return the time, and the behaviors of a few characters."""
    letter = max(11, round(size[1] / 22))
    pad = 0.9 * letter
    texts = [Text(f"{time_s:.1f} s", size[0] - pad, size[1] - pad, letter, PALE_INK, "rs")]
    if not captions or len(shown) > MOST_NAMED:
        return texts
    y = size[1] - pad
    for one in reversed(shown):
        doing = one.behavior_at(time_s) or ("has arrived" if time_s >= one.ends_s else "waits")
        words = doing if len(shown) == 1 else f"{one.name}: {doing}"
        texts.append(Text(words, pad, y, letter, faded(one.color, INK, 1.0 if len(shown) == 1 else 0.45)))
        y -= 1.35 * letter
    return texts


def brightened(picture: Pixels, texts: Sequence[Text]) -> Pixels:
    """Return a copy of a picture that is brighter behind texts, so that they can be read."""
    bright = picture.copy()
    for text in texts:
        width, pad = text_width(text), 0.4 * text.size_px
        left = text.x - width if text.anchor == "rs" else text.x
        rows = slice(max(0, round(text.y - text.size_px)), round(text.y + pad))
        columns = slice(max(0, round(left - pad)), round(left + width + pad))
        bright[rows, columns] = np.round(255.0 - (1.0 - PLATE) * (255.0 - bright[rows, columns])).astype(np.uint8)
    return bright
