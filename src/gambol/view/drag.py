"""Dragging things over the ground."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import viser

Moved = Callable[[float, float, bool], None]  # x, y, and whether it was let go there
LEAST_FALL = 1e-6  # of a line of sight for each metre: one that falls less never comes to the ground


def on_ground(eye: np.ndarray, point: np.ndarray, height_m: float = 0.0) -> tuple[float, float] | None:
    """Return where the line of sight through a point comes to a height; None where it never does."""
    eye, point = np.asarray(eye, dtype=float), np.asarray(point, dtype=float)
    way = point - eye
    if way[2] * np.sign(height_m - eye[2]) < LEAST_FALL * np.linalg.norm(way):
        return None
    x, y, _ = eye + way * ((height_m - eye[2]) / way[2])
    return float(x), float(y)


def make_draggable(handle: Any, moved: Moved) -> None:
    """Let a thing be dragged over the ground with the mouse; `moved` is told of each place it comes to."""
    taken: dict[int, tuple[float, float]] = {}  # by browser: from where it was taken to its middle
    heights: dict[int, float] = {}  # at which it was taken
    places: dict[int, tuple[float, float]] = {}  # to which it came last

    @handle.on_drag("left")
    async def _(event: viser.SceneNodeDragEvent) -> None:  # what is no coroutine may be told of the end first
        eye = event.client.camera.position
        if event.phase == "start":
            height_m = float(event.start_position[2])
            place = on_ground(eye, np.array(event.start_position), height_m)
            if place is not None:
                taken[event.client_id] = (handle.position[0] - place[0], handle.position[1] - place[1])
            heights[event.client_id] = height_m
            return
        if event.client_id not in taken:
            heights.pop(event.client_id, None)
            return
        place = on_ground(eye, np.array(event.end_position), heights[event.client_id])
        if place is not None:
            places[event.client_id] = (place[0] + taken[event.client_id][0], place[1] + taken[event.client_id][1])
        if event.client_id in places:  # let go in the sky, it stays where it was last
            moved(*places[event.client_id], event.phase == "end")
        if event.phase == "end":
            del taken[event.client_id], heights[event.client_id]
            places.pop(event.client_id, None)
