"""Pictures of a character: its clips on contact sheets, its ways as a fan, and its state machine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gambol.body.skin import Skin, skin_around
from gambol.characters.character import Behavior, Character
from gambol.characters.clip import Clip
from gambol.geometry.arrays import FloatArray
from gambol.pictures.camera import Camera, view_axes
from gambol.pictures.figure import CLAY, faded, figure
from gambol.pictures.lettering import INK, PALE_INK, Text, draw_texts, text_width
from gambol.pictures.motion_strip import EARLY, EARLY_SHARE
from gambol.pictures.pixels import Pixels
from gambol.pictures.png import write_png
from gambol.pictures.render import render
from gambol.pictures.root_paths import draw_root_paths
from gambol.pictures.state_machine import draw_state_machine
from gambol.pictures.studio import Studio

SHEET_PX = 1500  # pixels: width of a sheet
COLUMNS = 2  # clips side by side on a sheet
ROWS = 10  # clips below each other on a sheet
GAP_PX = 10  # pixels between clips
HEAD_PX = 26  # pixels above each clip, for its name
ASPECTS = (3.6, 6.5)  # least and greatest width / height of a clip's row of poses: of people, of long animals
POSES = 8  # poses of each clip
LOOKING = (-0.55, 0.83, -0.20)  # direction of the view at figures that go along +X
SPACING = 0.62  # heights of the figure from one pose to the next, unless poses are wider
HEADROOM = 1.1  # heights of the figure that always fit into the picture, so that clips have one scale
MOST_BYTES = 900_000  # bytes of a sheet; colors become fewer above that


class Shown(NamedTuple):
    """A clip, and the first behavior that uses it."""

    behavior: Behavior
    clip: Clip


def character_pictures(
    character: Character, folder: Path, *, say: Callable[[str], None] | None = None
) -> tuple[Path, ...]:
    """Write the state machine, the fan of ways and contact sheets of all clips into a folder; return the files."""
    stem = "_".join(character.name.lower().replace("/", " ").split())
    machine, fan = folder / f"{stem}_states.png", folder / f"{stem}_ways.png"
    draw_state_machine(character, machine)
    draw_root_paths(character, fan)
    return machine, fan, *draw_clip_sheets(character, folder, stem=stem, say=say)


def draw_clip_sheets(
    character: Character, folder: Path, *, stem: str, say: Callable[[str], None] | None = None
) -> tuple[Path, ...]:
    """Write contact sheets of all distinct clips, twenty on a sheet; return the files."""
    shown = distinct_clips(character)
    skin = skin_around(character.skeleton)
    per_sheet = COLUMNS * ROWS
    paths: list[Path] = []
    for first in range(0, len(shown), per_sheet):
        path = folder / f"{stem}_clips_{first // per_sheet + 1}.png"
        draw_clips(shown[first : first + per_sheet], skin, path, say=say)
        paths.append(path)
    return tuple(paths)


def draw_clips(
    shown: Sequence[tuple[Behavior, Clip]], skin: Skin, path: Path | str, *, say: Callable[[str], None] | None = None
) -> None:
    """Write one contact sheet of some clips."""
    cells = []
    for behavior, clip in shown:
        if say is not None:
            say(f"drawing {clip.name}")
        cells.append(_cell(behavior, clip, skin))
    write_png(_page(cells), path, most_bytes=MOST_BYTES)


def distinct_clips(character: Character) -> list[Shown]:
    """Return every clip once, with the first behavior that uses it."""
    found: dict[int, Shown] = {}
    for behavior in character.behaviors:
        for clip in behavior.clips:
            found.setdefault(id(clip), Shown(behavior, clip))
    return list(found.values())


def _cell(behavior: Behavior, clip: Clip, skin: Skin) -> Pixels:
    """Return a clip's poses below its name."""
    width = (SHEET_PX - (COLUMNS - 1) * GAP_PX) // COLUMNS
    x, y, heading = clip.displacement
    name = Text(clip.name, 2, 0.7 * HEAD_PX, 15, INK)
    facts = (
        f"{behavior.begins} > {behavior.ends}, {clip.duration_s:.2f} s, "
        f"{x:.2f} m ahead, {_plain(y, 2)} m left, {_plain(np.degrees(heading), 0)} deg"
    )
    about = Text(facts, width - 4, 0.7 * HEAD_PX, 12, PALE_INK, "rs")
    fits = text_width(name) + text_width(about) + 20 < width
    head = np.full((HEAD_PX, width, 3), 255, dtype=np.uint8)
    return np.concatenate((draw_texts(head, [name, about] if fits else [name]), draw_poses(clip, skin, width)))


def _row_aspect(skin: Skin) -> float:
    """Return the width / height of a row of poses for a figure that faces +X at rest."""
    length, _, height = np.ptp(skin.vertices, axis=0)
    spacing = max(SPACING * height, 1.04 * length)
    return float(np.clip(POSES * spacing / (1.25 * HEADROOM * height), *ASPECTS))


def draw_poses(clip: Clip, skin: Skin, width_px: int) -> Pixels:
    """Return a clip's poses, evenly spaced in time and set apart from left to right, as if on a treadmill.

    Figures that go straight ahead face half to the right and half to the reader.
    """
    inside = (clip.margin, clip.motion.frame_count - 1 - clip.margin)
    frames = np.unique(np.linspace(*inside, POSES).round().astype(int)).tolist()
    poses = np.array(skin.deform(clip.motion, frames))
    steps = np.arange(inside[0], inside[1] + 1, clip.frames_per_step)
    for pose, frame in zip(poses, frames, strict=True):
        pose[:, :2] -= [np.interp(frame, steps, clip.path[:, axis]) for axis in (0, 1)]
    right = view_axes(np.array(LOOKING))[0]
    size = float(np.ptp(skin.vertices[:, 2]))
    spacing = max(SPACING * size, 1.04 * float(np.ptp(poses @ right, axis=1).max()))
    poses += (np.arange(len(poses)) * spacing)[:, None, None] * right
    room = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, HEADROOM * size]])  # keeps all clips of a figure at about one scale
    aspect = _row_aspect(skin)
    camera = _camera_afar(np.concatenate((poses.reshape(-1, 3), room)), aspect)
    shades = np.linspace(EARLY_SHARE, 0.0, len(poses))
    figures = [figure(skin, pose, faded(CLAY, EARLY, float(share))) for pose, share in zip(poses, shades, strict=True)]
    return render(figures, camera, (width_px, round(width_px / aspect)), studio=Studio().lit_for(camera))


def _plain(value: float, digits: int) -> str:
    """Format a number; zero has no sign."""
    return f"{round(float(value), digits) + 0.0:.{digits}f}"


def _camera_afar(points: FloatArray, aspect: float) -> Camera:
    """Return a camera without perspective, which sees all figures from the same side."""
    axes = view_axes(np.array(LOOKING))
    low, high = (points @ axes.T).min(axis=0), (points @ axes.T).max(axis=0)
    height = 1.06 * max(high[1] - low[1], (high[0] - low[0]) / aspect)
    middle = 0.5 * (low + high)
    eye, target = (np.array([*middle[:2], depth]) @ axes for depth in (low[2] - 2.0 * height, middle[2]))
    return Camera(tuple(eye.tolist()), tuple(target.tolist()), orthographic_height_m=height)


def _page(cells: list[Pixels]) -> Pixels:
    height, width, _ = cells[0].shape
    columns = min(COLUMNS, len(cells))
    rows = -(-len(cells) // columns)
    page = np.full((rows * (height + GAP_PX) - GAP_PX, SHEET_PX, 3), 255, dtype=np.uint8)
    for index, cell in enumerate(cells):
        y, x = index // columns * (height + GAP_PX), index % columns * (width + GAP_PX)
        page[y : y + height, x : x + width] = cell
    return page
