"""Inputs, variants and other motions, played side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from gambol.body.skin import Skin
from gambol.errors import InvalidInput
from gambol.motion.edits import resample
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.pictures.camera import Camera
from gambol.pictures.figure import figure, skin_of, spread_frames
from gambol.pictures.lettering import INK, Text, draw_texts
from gambol.pictures.pixels import Pixels
from gambol.pictures.render import render
from gambol.pictures.studio import Studio
from gambol.pictures.variation_poses import motion_color
from gambol.pictures.video import RATE_HZ, write_video
from gambol.pictures.viewpoint import Tracking, aspect_of, direction_of

CELL_PX = 240  # pixels: height of a cell
LABEL_PX = 16  # pixels: size of letters
TIMES = 3  # the longest motion is played this number of times
LONGEST_S = 20.0  # seconds: greatest length of the video
LEVEL = Ground(0.0)


def side_by_side(
    path: Path | str,
    rows: Mapping[str, Sequence[Motion]],
    *,
    skin: Skin | None = None,
    view: str = "three-quarter",
    times: int = TIMES,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Write an .mp4 with a row for each set of motions, all with one skeleton; each starts again when it ends.

    Cameras follow all motions at the same distance.

    progress: called with the share of frames done.
    """
    sets = {words: [resample(motion, RATE_HZ) for motion in motions] for words, motions in rows.items() if motions}
    if not sets:
        raise InvalidInput("a video side by side needs at least one motion")
    first = next(iter(sets.values()))[0]
    skin = skin_of(first) if skin is None else skin
    columns = max(len(motions) for motions in sets.values())
    everything = [motion for motions in sets.values() for motion in motions]
    camera, aspect = _camera(skin, everything, view)
    cell = (2 * round(0.5 * CELL_PX * aspect), CELL_PX)
    frames = min(times * max(motion.frame_count for motion in everything), round(LONGEST_S * RATE_HZ))
    size = (cell[0] * columns, cell[1] * len(sets))
    drawn = _frames(sets, skin, camera, cell, columns, frames, view)
    write_video(drawn if progress is None else _told(drawn, frames, progress), path, size)


def _camera(skin: Skin, motions: Sequence[Motion], view: str) -> tuple[Camera, float]:
    """Return a camera that shows all poses of all motions around their anchors, and its width / height."""
    points = [np.zeros((1, 3))]
    for motion in motions:
        tracking = Tracking.of(motion, LEVEL, view)
        shown = spread_frames(motion, 6)
        poses = skin.deform(motion, shown)[:, ::10]
        points += [tracking.to_local(pose, frame) for pose, frame in zip(poses, shown, strict=True)]
    everything = np.concatenate(points)
    aspect = aspect_of(everything, direction_of(view), least=0.8, most=1.8)
    return Camera.framing(everything, direction_of(view), aspect=aspect, margin=0.09), aspect


def _frames(
    sets: Mapping[str, Sequence[Motion]],
    skin: Skin,
    camera: Camera,
    cell: tuple[int, int],
    columns: int,
    count: int,
    view: str,
) -> Iterator[Pixels]:
    trackings = {words: [Tracking.of(motion, LEVEL, view) for motion in motions] for words, motions in sets.items()}
    for frame in range(count):
        rows = []
        for words, motions in sets.items():
            cells = []
            for number, motion in enumerate(motions):
                own = frame % motion.frame_count
                placed = trackings[words][number].place(camera, own)
                body = figure(skin, skin.deform(motion, [own])[0], motion_color(number))
                cells.append(render([body], placed, cell, studio=Studio().lit_for(placed)))
            empty = np.full((cell[1], cell[0], 3), 245, dtype=np.uint8)
            row = np.concatenate([*cells, *[empty] * (columns - len(cells))], axis=1)
            rows.append(draw_texts(row, [Text(words, LABEL_PX, 1.5 * LABEL_PX, LABEL_PX, INK)]))
        yield np.concatenate(rows)


def _told(frames: Iterator[Pixels], count: int, progress: Callable[[float], None]) -> Iterator[Pixels]:
    for number, frame in enumerate(frames):
        progress(number / count)
        yield frame
