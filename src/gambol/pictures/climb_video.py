"""A climb as a video: the planar figure in its environment, with its holds and mode."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from gambol.climb.climb import ClimbMotion
from gambol.climb.figure import FREE
from gambol.climb.modes import Mode
from gambol.climb.problem import ClimbProblem
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.pictures.climb_environment import HELD, draw_ends, draw_environment, extent_of
from gambol.pictures.climb_figure import MODE_COLORS, Shape, posed
from gambol.pictures.climb_page import Extent
from gambol.pictures.climb_track import Track
from gambol.pictures.figure import faded
from gambol.pictures.lettering import INK, PALE_INK, Text, draw_texts
from gambol.pictures.mesh import Color
from gambol.pictures.page import Page
from gambol.pictures.pixels import Pixels
from gambol.pictures.plan_video import brightened
from gambol.pictures.video import MOST_FRAMES, RATE_HZ, check_size, counted, write_video

SIZE = (960, 540)  # pixels: width and height
STATURE_PX = 165.0  # pixels: least height of a figure, in a picture of usual height; wider scenes are followed
MOST_STATURE_PX = 300.0  # pixels: greatest height of a figure
SMOOTH_S = 0.8  # seconds: the camera's path is smoothed over this time; larger: calmer
LINGER_S = 0.7  # seconds after the end of the motion
FINER = 3  # >= 1: samples along each side of a pixel of the figure; larger: smoother and slower
LARGEST_PX = 8000  # pixels: greatest side of a whole environment
LEAST_PX = 320  # pixels: least side of a picture of default size
HIGHEST_PX = 640  # pixels: greatest height of a picture of default size


class View(NamedTuple):
    """An environment as pixels, and the mapping from places to pixels."""

    backdrop: Pixels
    scale: float  # pixels a metre
    low_x: float  # metres: the backdrop's left edge
    high_z: float  # metres: its upper edge

    def to_px(self, places: FloatArray) -> FloatArray:
        """Return the pixels (..., 2) of places on the backdrop."""
        return np.stack(
            (self.scale * (places[..., 0] - self.low_x), self.scale * (self.high_z - places[..., 1])), axis=-1
        )


def climb_video(
    path: Path | str,
    problem: ClimbProblem,
    motion: ClimbMotion,
    *,
    size: tuple[int, int] | None = None,
    rate_hz: float = RATE_HZ,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write an .mp4 of a climb from the side.

    size: width and height in pixels; by default chosen for the environment.
    progress: called with the number of frames done and the number of all.
    """
    size = size_for(problem) if size is None else size
    check_size(size)
    count = frame_count(motion, rate_hz)
    write_video(
        counted(climb_frames(problem, motion, size=size, rate_hz=rate_hz), count, progress), path, size, rate_hz=rate_hz
    )


def size_for(problem: ClimbProblem) -> tuple[int, int]:
    """Return a picture's size that shows a small environment in full, and a part of a large one."""
    low_x, low_z, high_x, high_z = extent_of(problem.environment)
    scale = _scale(problem, SIZE)
    wide, high = (2 * math.ceil(0.5 * scale * span) for span in (high_x - low_x, high_z - low_z))
    return min(SIZE[0], max(wide, LEAST_PX)), min(HIGHEST_PX, max(high, LEAST_PX))


def _scale(problem: ClimbProblem, size: tuple[int, int]) -> float:
    """Return the scale, in pixels a metre, at which the figure is easy to see."""
    low_x, low_z, high_x, high_z = extent_of(problem.environment)
    stature, finer = problem.figure.stature_m, size[1] / SIZE[1]
    whole = min(size[0] / (high_x - low_x), size[1] / (high_z - low_z))
    scale = min(max(whole, finer * STATURE_PX / stature), finer * MOST_STATURE_PX / stature)
    return min(scale, LARGEST_PX / (high_x - low_x), LARGEST_PX / (high_z - low_z))


def frame_count(motion: ClimbMotion, rate_hz: float) -> int:
    """Return the number of frames of a video that ends shortly after the motion."""
    if not (math.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"a video's rate must be positive, not {rate_hz}")
    count = math.ceil((motion.duration_s + LINGER_S) * rate_hz) + 1
    if count > MOST_FRAMES:
        raise InvalidInput(f"a video has at most {MOST_FRAMES} frames, not {count}")
    return count


def climb_frames(
    problem: ClimbProblem, motion: ClimbMotion, *, size: tuple[int, int] = SIZE, rate_hz: float = RATE_HZ
) -> Iterator[Pixels]:
    """Draw the frames of a video one by one."""
    track = Track.of(problem, motion)
    view = view_of(problem, size)
    indices = np.round(np.arange(frame_count(motion, rate_hz)) * motion.rate_hz / rate_hz).astype(np.intp)
    indices = indices.clip(0, len(track) - 1)
    corners = _corners(view, track, indices, size, rate_hz)
    for number, index in enumerate(indices.tolist()):
        left, top = corners[number]
        picture = view.backdrop[top : top + size[1], left : left + size[0]].copy()
        shapes = [
            Shape(view.to_px(shape.corners) - (left, top), shape.color, shape.edge) for shape in posed(track, index)
        ]
        paint(picture, shapes)
        paint(picture, _held(view, track, index, (left, top)))
        texts = _texts(track, index, min(number / rate_hz, motion.duration_s), size)
        yield draw_texts(brightened(picture, texts), texts)


def view_of(problem: ClimbProblem, size: tuple[int, int]) -> View:
    """Draw an environment at a scale at which the figure is easy to see; a picture shows all or a part of it."""
    low_x, low_z, high_x, high_z = extent_of(problem.environment)
    scale = _scale(problem, size)
    # The backdrop is at least as large as the picture, in whole pixels.
    wide, high = (
        max(pixels, math.ceil(scale * span))
        for pixels, span in zip(size, (high_x - low_x, high_z - low_z), strict=True)
    )
    middle_x, middle_z = 0.5 * (low_x + high_x), 0.5 * (low_z + high_z)
    extent: Extent = (
        middle_x - 0.5 * wide / scale,
        middle_z - 0.5 * high / scale,
        middle_x + 0.5 * wide / scale,
        middle_z + 0.5 * high / scale,
    )
    page = Page(wide, high)
    axes = page.axes(0.0, 0.0, wide, high)
    draw_environment(axes, problem.environment, extent=extent, ticks=False)
    draw_ends(axes, problem)
    return View(page.pixels(), scale, extent[0], extent[3])


def _corners(
    view: View, track: Track, indices: NDArray[np.intp], size: tuple[int, int], rate_hz: float
) -> list[tuple[int, int]]:
    """Return the upper left corner of each frame on the backdrop: the figure is in the middle, if there is room."""
    middles = view.to_px(track.centres[indices])
    middles = scipy.ndimage.gaussian_filter1d(middles, SMOOTH_S * rate_hz, axis=0, mode="nearest")
    high, wide, _ = view.backdrop.shape
    corners = np.round(middles - 0.5 * np.array(size)).clip(0, (wide - size[0], high - size[1])).astype(int)
    return [(int(left), int(top)) for left, top in corners]


def _held(view: View, track: Track, index: int, corner: tuple[int, int]) -> list[Shape]:
    """Return discs on the held grasp points."""
    points = track.problem.environment.grasp_points
    holds = sorted({int(hold) for hold in track.path.grasps[index] if hold != FREE})
    turns = np.linspace(0.0, 2.0 * np.pi, 20, endpoint=False)
    ring = max(3.0, 0.030 * view.scale) * np.column_stack((np.cos(turns), np.sin(turns)))
    places = view.to_px(np.array([(points[hold].x, points[hold].z) for hold in holds]).reshape(-1, 2))
    return [Shape(ring + place - corner, HELD, INK) for place in places]


def _texts(track: Track, index: int, time_s: float, size: tuple[int, int]) -> list[Text]:
    letter = max(11, round(size[1] / 24))
    pad = 0.9 * letter
    mode = Mode(int(track.path.modes[index]))
    return [
        Text(mode.label, pad, size[1] - pad, letter, faded(MODE_COLORS[mode], INK, 0.2)),
        Text(f"{time_s:.1f} s", size[0] - pad, size[1] - pad, letter, PALE_INK, "rs"),
    ]


def paint(picture: Pixels, shapes: Sequence[Shape]) -> None:
    """Paint shapes with corners in pixels onto a picture, with smooth edges."""
    if not shapes:
        return
    everything = np.concatenate([shape.corners for shape in shapes])
    height, width, _ = picture.shape
    left, top = np.floor(everything.min(axis=0) - 2.0).astype(int).clip(0, (width, height))
    right, bottom = np.ceil(everything.max(axis=0) + 2.0).astype(int).clip(0, (width, height))
    if right <= left or bottom <= top:
        return
    part = picture[top:bottom, left:right]
    image = Image.fromarray(part.repeat(FINER, axis=0).repeat(FINER, axis=1))
    draw = ImageDraw.Draw(image)
    for shape in shapes:
        outline = [(float(x), float(y)) for x, y in FINER * (shape.corners - (left, top))]
        draw.polygon(outline, fill=_bytes(shape.color))
        draw.line([*outline, outline[0], outline[1]], fill=_bytes(shape.edge), width=FINER, joint="curve")
    finer = np.asarray(image, dtype=np.uint16).reshape(bottom - top, FINER, right - left, FINER, 3)
    picture[top:bottom, left:right] = (finer.sum(axis=(1, 3)) + FINER * FINER // 2) // (FINER * FINER)


def _bytes(color: Color) -> tuple[int, int, int]:
    red, green, blue = (round(255.0 * value) for value in color)
    return red, green, blue
