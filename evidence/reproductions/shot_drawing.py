"""Moments of a crowd that something is shot at, in the round [LK06 figure 15]."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from evidence.reproductions.item import Picture
from evidence.reproductions.scene_drawing import TEXT_PX, WIDTH_PX, stacked
from evidence.reproductions.shots import HIGH_M, RADIUS_M
from gambol.crowd import Recording
from gambol.pictures import INK, PALE_INK, Color, CrowdFigures, PictureStage, Polyline, Text, capsule, draw_texts
from gambol.pictures.crowd_colors import crowd_colors
from gambol.pictures.render import render
from gambol.world import Mover, World

ASPECT = 2.2
BALL: Color = (0.42, 0.42, 0.45)
LINE: Color = (0.80, 0.12, 0.14)
LINE_M, LINE_PX = 0.03, 2.0  # above the ground, and wide
SIDES = 28


def draw_shot(
    recording: Recording, world: World, shot: Mover, instants: Sequence[tuple[float, str]], *, around_m: float
) -> Picture:
    """Return a crowd at some times around where what is shot is half-way between them, words under each."""
    stage, figures = PictureStage.of(world), CrowdFigures.of(recording, crowd_colors(recording))
    middle_s = 0.5 * (instants[0][0] + instants[-1][0])
    x, y = shot.trajectory.at(middle_s)[0][:2]
    corners = np.array([(x + i * around_m, y + j * around_m) for i in (-1.0, 1.0) for j in (-1.0, 1.0)])
    camera = stage.overview(ASPECT, corners)
    way = np.column_stack((shot.trajectory.poses[:, :2], np.full(len(shot.trajectory.poses), LINE_M)))
    lines = (*stage.lines, Polyline(way, LINE, LINE_PX))
    size = (WIDTH_PX, round(WIDTH_PX / ASPECT))
    pictures = []
    for time_s, words in instants:
        center = (*shot.trajectory.at(time_s)[0][:2], 0.5 * HIGH_M)
        ball = capsule(center, center, RADIUS_M, RADIUS_M, BALL, sides=SIDES)
        flocks = figures.at(time_s, camera, size)
        picture = render(
            [*stage.things, ball], camera, size, polylines=lines, flocks=flocks, studio=stage.studio.lit_for(camera)
        )
        below = np.full((round(1.9 * TEXT_PX), WIDTH_PX, 3), 255, dtype=np.uint8)
        texts = [
            Text(words, 4, 1.3 * TEXT_PX, TEXT_PX, INK),
            Text(f"{time_s:.1f} s", WIDTH_PX - 4, 1.3 * TEXT_PX, TEXT_PX, PALE_INK, "rs"),
        ]
        pictures.append(np.concatenate((picture, draw_texts(below, texts))))
    return stacked(pictures)
