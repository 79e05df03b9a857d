"""A contact sheet: a motion's poses side by side, each from the same distance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from gambol.body.skin import Skin
from gambol.errors import InvalidInput
from gambol.motion.contacts import detect_contacts
from gambol.motion.motion import Motion
from gambol.pictures.camera import Camera
from gambol.pictures.figure import figure, skin_of, spread_frames
from gambol.pictures.lettering import PALE_INK, Text, draw_texts, text_width
from gambol.pictures.pixels import Pixels
from gambol.pictures.png import write_png
from gambol.pictures.render import LARGEST_SIDE, render
from gambol.pictures.studio import Studio
from gambol.pictures.viewpoint import Tracking, aspect_of, direction_of, room_below

GAP_PX = 6  # pixels between cells
PAPER = 255  # white
MOST_CELLS = 400  # cells of a sheet
LEAST_CELL_PX = 40  # pixels: least width of a cell
TITLE_PX = 24  # pixels: size of the title's letters
LABEL_ROOM = 0.05  # shares of the figures' height on the picture, kept free below them


def contact_sheet(
    motion: Motion,
    path: Path | str,
    *,
    columns: int = 6,
    rows: int = 2,
    skin: Skin | None = None,
    title: str | None = None,
    view: str = "three-quarter",
    width_px: int = 1500,
) -> None:
    """Write a PNG with poses evenly spaced in time, read from left to right and from top to bottom.

    All cells have the same scale, and the camera follows the root's path over the ground.

    view: "side", "front", "three-quarter", or "follow", which turns with the figure.
    """
    if columns < 1 or rows < 1 or columns * rows > MOST_CELLS:
        raise InvalidInput(f"a contact sheet has 1 to {MOST_CELLS} cells, not {columns} x {rows}")
    cell_width = (width_px - (columns - 1) * GAP_PX) // columns
    if not (cell_width >= LEAST_CELL_PX and width_px <= LARGEST_SIDE):
        raise InvalidInput(
            f"{columns} cells of at least {LEAST_CELL_PX} pixels do not fit into {width_px} (of at most {LARGEST_SIDE})"
        )
    frames = spread_frames(motion, columns * rows)
    cells = _cells(motion, frames, skin_of(motion) if skin is None else skin, view, cell_width)
    labelled = [_labelled(cell, motion, frame) for cell, frame in zip(cells, frames, strict=True)]
    page = _page(labelled, columns)
    write_png(page if title is None else _titled(page, motion, title), path)


def _cells(motion: Motion, frames: list[int], skin: Skin, view: str, width: int) -> list[Pixels]:
    ground = detect_contacts(motion).ground
    tracking = Tracking.of(motion, ground, view)
    poses = skin.deform(motion, frames)
    local = np.concatenate([tracking.to_local(pose, frame) for pose, frame in zip(poses, frames, strict=True)])
    local = np.concatenate((local, np.zeros((1, 3))))  # the ground below is part of the picture
    direction = direction_of(view)
    local = np.concatenate((local, room_below(local, direction, LABEL_ROOM)))
    aspect = aspect_of(local, direction, least=0.6, most=1.6)
    camera = Camera.framing(local, direction, aspect=aspect, margin=0.09)
    size = (width, max(1, round(width / aspect)))
    cells = []
    for pose, frame in zip(poses, frames, strict=True):
        placed = tracking.place(camera, frame)
        studio = replace(Studio(), ground=ground).lit_for(placed)
        cells.append(render([figure(skin, pose)], placed, size, studio=studio))
    return cells


def _labelled(cell: Pixels, motion: Motion, frame: int) -> Pixels:
    """Write time and frame number into the lower left corner."""
    size = max(9, min(15, round(0.06 * cell.shape[1])))
    pad, baseline = 0.7 * size, cell.shape[0] - 0.75 * size
    time = Text(f"{frame / motion.rate_hz:.2f} s", pad, baseline, size)
    number = Text(f"frame {frame}", pad + text_width(time) + 0.7 * size, baseline, size, PALE_INK)
    return draw_texts(cell, [time, number] if number.x + text_width(number) <= cell.shape[1] - pad else [time])


def _page(cells: list[Pixels], columns: int) -> Pixels:
    """Lay cells out on white paper."""
    height, width, _ = cells[0].shape
    columns = min(columns, len(cells))
    rows = -(-len(cells) // columns)
    shape = (rows * (height + GAP_PX) - GAP_PX, columns * (width + GAP_PX) - GAP_PX, 3)
    page = np.full(shape, PAPER, dtype=np.uint8)
    for index, cell in enumerate(cells):
        y, x = index // columns * (height + GAP_PX), index % columns * (width + GAP_PX)
        page[y : y + height, x : x + width] = cell
    return page


def _titled(page: Pixels, motion: Motion, title: str) -> Pixels:
    """Put a title above a page, with the motion's length where there is room."""
    width = page.shape[1]
    head = np.full((round(2.2 * TITLE_PX), width, 3), PAPER, dtype=np.uint8)
    name = Text(title, 1, 1.35 * TITLE_PX, TITLE_PX)
    frames = f"{motion.frame_count} frames at {motion.rate_hz:g} Hz, {motion.duration_s:.2f} s"
    about = Text(frames, width - 2, 1.35 * TITLE_PX, round(0.65 * TITLE_PX), PALE_INK, "rs")
    fits = text_width(name) + text_width(about) + TITLE_PX < width
    return np.concatenate((draw_texts(head, [name, about] if fits else [name]), page))
