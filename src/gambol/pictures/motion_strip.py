"""A motion strip: one picture of a figure at several instants along its way."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gambol.body.skin import Skin
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import Contacts
from gambol.motion.motion import Motion
from gambol.motion.travel import smooth_path, travel_heading
from gambol.pictures.camera import Camera, view_axes
from gambol.pictures.figure import CLAY, faded, figure, spread_frames
from gambol.pictures.footprints import footprints, side_colors
from gambol.pictures.lettering import INK, PALE_INK, Text, draw_texts, text_width
from gambol.pictures.mesh import Color, Mesh, Polyline
from gambol.pictures.pixels import Pixels
from gambol.pictures.render import render
from gambol.pictures.studio import Studio
from gambol.pictures.viewpoint import aspect_of, room_below

ALONG = (-0.20, 0.95, -0.27)  # direction of the view at a figure that goes along +X
IN_PLACE = (-0.80, 0.60, -0.22)  # direction of the view at a figure that stays in place and faces +X
WIDE_RAD = math.radians(30.0)  # radians from left to right: a small angle keeps all figures upright
SPACING = 0.55  # heights of the figure from pose to pose, at least; smaller lets poses hide each other
LENGTHS = 0.85  # lengths of the figure, back to front, from pose to pose, at least
FEWEST = 3  # poses along a way; on a shorter way, the figure counts as staying in place
MOST = 12  # poses along a way
IN_PLACE_POSES = 7  # poses of a figure that stays in place
EARLY: Color = (0.87, 0.87, 0.86)  # color toward which early figures fade
EARLY_SHARE = 0.85  # 0 to 1: the first figure has faded this much
PATH: Color = (0.45, 0.47, 0.50)


class Strip(NamedTuple):
    """A strip as pixels, and where its figures stand."""

    pixels: Pixels  # (H, W, 3)
    frames: tuple[int, ...]
    feet_px: FloatArray  # (N, 2) the ground below each figure, in pixels from the top left
    has_marks: bool  # footprints are seen


def draw_strip(
    motion: Motion,
    contacts: Contacts,
    skin: Skin,
    *,
    width_px: int,
    least_aspect: float = 1.6,
) -> Strip:
    """Return a strip without any text, at least `least_aspect` times as wide as it is high.

    It shows the figure several times, evenly spaced along its way, pale at first, with path and footprints.  Where the
    motion stays in place, the figures are set apart to the right instead, evenly spaced in time, without both.
    """
    spacing = _spacing(skin)
    frames, is_travelling = _frames(motion, spacing)
    placed = skin.deform(motion, frames)
    way = smooth_path(motion)[:, :2]
    below = np.column_stack((way, contacts.ground.heights(way)))
    looking = ALONG if is_travelling else IN_PLACE
    direction = np.array([*planar.rotate(travel_heading(motion), np.array(looking[:2])), looking[2]])
    shifts = np.zeros((len(frames), 3)) if is_travelling else _side_by_side(placed, direction, spacing)
    shifts[:, 2] += contacts.ground.heights(shifts) - contacts.ground.height_m
    placed, feet = placed + shifts[:, None], below[frames] + shifts
    marks = footprints(motion, contacts) if is_travelling else []
    lines = [Polyline(below, PATH, width_px=max(1.0, width_px / 700))] if is_travelling else []
    camera, size = _camera(np.concatenate((placed.reshape(-1, 3), feet)), direction, width_px, least_aspect)
    studio = replace(Studio(), ground=contacts.ground).lit_for(camera)
    pixels = render([*_figures(skin, placed), *marks], camera, size, polylines=lines, studio=studio)
    return Strip(pixels, tuple(frames), camera.project(feet, size)[0], len(marks) > 0)


def labelled_strip(strip: Strip, motion: Motion, contacts: Contacts) -> Pixels:
    """Return a strip's pixels with the time below each figure and a legend of the footprints."""
    return draw_texts(strip.pixels, [*_times(strip, motion), *_legend(strip, contacts)])


def _frames(motion: Motion, spacing: float) -> tuple[list[int], bool]:
    """Return the frames to show, and whether the figure goes far enough to be shown along its way."""
    way = smooth_path(motion)[:, :2]
    gone = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))))
    room = int(gone[-1] / spacing) + 1
    if room < FEWEST or float(np.ptp(way, axis=0).max()) < spacing * (FEWEST - 1):
        return spread_frames(motion, IN_PLACE_POSES), False
    frames = np.searchsorted(gone, np.linspace(0.0, gone[-1], min(MOST, room))).clip(0, motion.frame_count - 1)
    return sorted({int(frame) for frame in frames}), True


def _spacing(skin: Skin) -> float:
    """Return the distance from figure to figure along their way; at rest they face +X."""
    length, _, height = np.ptp(skin.vertices, axis=0).tolist()
    return max(SPACING * height, LENGTHS * length, 1e-3)


def _side_by_side(placed: FloatArray, direction: FloatArray, spacing: float) -> FloatArray:
    """Return shifts (N, 3) that set figures (N, V, 3) apart, to the right in a view along the direction."""
    right = view_axes(direction)[0]
    widest = float(np.ptp(placed @ right, axis=1).max())
    return np.arange(len(placed))[:, None] * max(spacing, 1.08 * widest) * right


def _figures(skin: Skin, placed: FloatArray) -> list[Mesh]:
    shares = np.linspace(EARLY_SHARE, 0.0, len(placed)) if len(placed) > 1 else np.zeros(1)
    return [figure(skin, pose, faded(CLAY, EARLY, float(share))) for pose, share in zip(placed, shares, strict=True)]


def _camera(
    points: FloatArray, direction: FloatArray, width_px: int, least_aspect: float
) -> tuple[Camera, tuple[int, int]]:
    """Return the nearest camera along a direction that shows all points, with room for labels below."""
    points = np.concatenate((points, room_below(points, direction, 0.05)))
    aspect = aspect_of(points, direction, least=least_aspect, most=max(5.0, least_aspect))
    field_of_view = 2.0 * math.atan(math.tan(0.5 * WIDE_RAD) / aspect)
    camera = Camera.framing(points, direction, aspect=aspect, margin=0.05, field_of_view_rad=field_of_view)
    return camera, (width_px, max(1, round(width_px / aspect)))


def _times(strip: Strip, motion: Motion) -> list[Text]:
    """Return times of figures along the lower edge, without those that would meet others."""
    height, width, _ = strip.pixels.shape
    size = max(9, round(width / 100))
    texts, free = [], 0.0
    for frame, (x, _) in sorted(zip(strip.frames, strip.feet_px, strict=True), key=lambda item: float(item[1][0])):
        text = Text(f"{frame / motion.rate_hz:.2f} s", float(x), height - 0.9 * size, size, PALE_INK, "ms")
        if float(x) - 0.5 * text_width(text) > free:
            texts.append(text)
            free = float(x) + 0.5 * text_width(text) + 0.5 * size
    return texts


def _legend(strip: Strip, contacts: Contacts) -> list[Text]:
    """Return a legend of the footprints, for the upper right corner."""
    width = strip.pixels.shape[1]
    size = max(9, round(width / 100))
    texts, x = [], width - 1.3 * size
    for side, color in reversed(side_colors(contacts.points).items() if strip.has_marks else ()):
        word = Text(f"{side} foot", x, 2.2 * size, size, faded(color, INK, 0.1), "rs")
        texts.append(word)
        x -= text_width(word) + 1.2 * size
    return texts
