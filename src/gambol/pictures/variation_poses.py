"""Poses of many motions, overlaid at equal shares of their time to show what varies.

As in figures 5.4 and 5.5 of L09, inputs are above, variants below, and each motion has its own color.
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from gambol.body.skin import Skin
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.travel import align_to_travel, smooth_path
from gambol.pictures.camera import Camera, view_axes
from gambol.pictures.figure import figure, skin_of
from gambol.pictures.lettering import PALE_INK, Text, draw_texts
from gambol.pictures.mesh import Color
from gambol.pictures.motion_strip import WIDE_RAD
from gambol.pictures.pixels import Pixels
from gambol.pictures.png import write_png
from gambol.pictures.render import render
from gambol.pictures.studio import Studio
from gambol.pictures.viewpoint import aspect_of, direction_of, room_below

WIDTH_PX = 1400  # pixels: width of the picture
LABEL_PX = 17  # pixels: size of letters
APART = 1.06  # widths of the widest pose from pose to pose
GOLDEN = 0.6180339887  # turns of hue from one motion to the next; this number keeps all hues apart
GOES_M = 0.5  # metres: a motion that ends farther from its start is turned to go along +X
WIDE = 2.8  # width / height of a row of poses, about
FEWEST = 3  # poses in a row
MOST = 8  # poses in a row
LOWEST_M = 0.02  # metres: if all bodies are higher above the ground, the picture does not include the ground


def overlaid_poses(
    path: Path | str,
    rows: Sequence[tuple[str, Sequence[Motion]]],
    *,
    phases: Sequence[float] | None = None,
    skin: Skin | None = None,
    view: str = "three-quarter",
    width_px: int = WIDTH_PX,
) -> None:
    """Write a PNG with a row for each set of motions: see `draw_overlaid_poses`."""
    write_png(draw_overlaid_poses(rows, phases=phases, skin=skin, view=view, width_px=width_px), path)


def draw_overlaid_poses(
    rows: Sequence[tuple[str, Sequence[Motion]]],
    *,
    phases: Sequence[float] | None = None,
    skin: Skin | None = None,
    view: str = "three-quarter",
    width_px: int = WIDTH_PX,
    colors: Callable[[int], Color] | None = None,
) -> Pixels:
    """Return a row for each set of motions: their poses at shares of their time, overlaid.

    rows: words about each set, and its motions, all with one skeleton.
    phases: the shares of time, from 0 to 1; None takes as many as fill a row.
    colors: gives the color of a set's motion by its number; None: `motion_color`.
    """
    colors = colors or motion_color
    sets = [(words, list(motions)) for words, motions in rows if len(motions)]
    if not sets or (phases is not None and not all(0.0 <= phase <= 1.0 for phase in phases)):
        raise InvalidInput("overlaid poses need motions, and shares of their time from 0 to 1")
    skin = skin_of(sets[0][1][0]) if skin is None else skin
    phases = _filling(skin, sets[0][1][0], view) if phases is None else phases
    placed = [np.stack([_poses(skin, motion, phases) for motion in motions]) for _, motions in sets]
    direction = np.array(direction_of(view))
    right = view_axes(direction)[0]
    widest = max(float(np.ptp(group @ right, axis=(0, 2)).max()) for group in placed)
    shifts = np.arange(len(phases))[:, None] * APART * widest * right
    placed = [group + shifts[:, None] for group in placed]
    everything = np.concatenate([group.reshape(-1, 3) for group in placed])
    ground = np.column_stack((everything[:, :2], np.zeros(len(everything))))
    floats = float(everything[:, 2].min()) > LOWEST_M
    points = everything if floats else np.concatenate((everything, ground[:1]))
    points = np.concatenate((points, room_below(points, direction, 0.04)))
    aspect = aspect_of(points, direction, least=1.6, most=5.0)
    field_of_view = 2.0 * math.atan(math.tan(0.5 * WIDE_RAD) / aspect)
    camera = Camera.framing(points, direction, aspect=aspect, margin=0.04, field_of_view_rad=field_of_view)
    size = (width_px, max(1, round(width_px / aspect)))
    studio = Studio().lit_for(camera)
    pictures = []
    for (words, _), group in zip(sets, placed, strict=True):
        meshes = [figure(skin, pose, colors(number)) for number, poses in enumerate(group) for pose in poses]
        pictures.append(_labelled(render(meshes, camera, size, studio=studio), words))
    return np.concatenate(pictures)


def motion_color(number: int) -> Color:
    """Return a motion's color by its number; colors of neighbours are far apart."""
    hue = (0.58 + GOLDEN * number) % 1.0
    r, g, b = colorsys.hls_to_rgb(hue, 0.60, 0.55)
    return r, g, b


def _poses(skin: Skin, motion: Motion, phases: Sequence[float]) -> FloatArray:
    """Return vertices (N, V, 3) at shares of a motion's time, above the origin; motions that travel go along +X."""
    frames = [round(phase * (motion.frame_count - 1)) for phase in phases]
    if np.linalg.norm(motion.root_positions[-1, :2] - motion.root_positions[0, :2]) > GOES_M:
        motion = align_to_travel(motion)
    way = smooth_path(motion)[frames, :2]
    return skin.deform(motion, frames) - np.column_stack((way, np.zeros(len(frames))))[:, None]


def _filling(skin: Skin, motion: Motion, view: str) -> list[float]:
    """Return evenly spaced shares of time, as many as fill a row."""
    poses = _poses(skin, motion, (0.1, 0.4, 0.7))
    right, down, _ = view_axes(np.array(direction_of(view)))
    widest, highest = (float(np.ptp(poses @ axis, axis=1).max()) for axis in (right, down))
    count = int(np.clip(round(WIDE * highest / (APART * widest)), FEWEST, MOST))
    return [(number + 0.5) / count for number in range(count)]


def _labelled(picture: Pixels, words: str) -> Pixels:
    """Return a picture with words in a band above it."""
    band = np.repeat(picture[:1], round(1.8 * LABEL_PX), axis=0)
    return draw_texts(np.concatenate((band, picture)), [Text(words, LABEL_PX, 1.4 * LABEL_PX, LABEL_PX, PALE_INK)])
