"""Dragging things over the ground, or in the plane of a climb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import viser

Moved = Callable[[float, float, bool], None]  # x, y (in an upright plane: x, z), and whether it was let go there
LEAST_FALL = 1e-6  # of a line of sight for each metre: one that falls less never comes to the ground
GROUND, UPRIGHT = 2, 1  # the axis across


def on_plane(eye: np.ndarray, point: np.ndarray, axis: int, at_m: float) -> tuple[float, float] | None:
    """Return where the line of sight through a point comes to a plane across an axis; None where it never does."""
    eye, point = np.asarray(eye, dtype=float), np.asarray(point, dtype=float)
    way = point - eye
    if way[axis] * np.sign(at_m - eye[axis]) < LEAST_FALL * np.linalg.norm(way):
        return None
    place = np.delete(eye + way * ((at_m - eye[axis]) / way[axis]), axis)
    return float(place[0]), float(place[1])


def on_ground(eye: np.ndarray, point: np.ndarray, height_m: float = 0.0) -> tuple[float, float] | None:
    """Return where the line of sight through a point comes to a height; None where it never does."""
    return on_plane(eye, point, GROUND, height_m)


def make_draggable(handle: Any, moved: Moved, *, axis: int = GROUND) -> None:
    """Let a thing be dragged over the ground with the mouse; `moved` is told of each place it comes to.

    axis: that across the plane over which it is dragged.
    """
    first, second = (one for one in range(3) if one != axis)
    taken: dict[int, tuple[float, float]] = {}  # by browser: from where it was taken to its middle
    heights: dict[int, float] = {}  # at which it was taken
    places: dict[int, tuple[float, float]] = {}  # to which it came last

    @handle.on_drag("left")
    async def _(event: viser.SceneNodeDragEvent) -> None:  # what is no coroutine may be told of the end first
        eye = event.client.camera.position
        if event.phase == "start":
            height_m = float(event.start_position[axis])
            place = on_plane(eye, np.array(event.start_position), axis, height_m)
            if place is not None:
                taken[event.client_id] = (handle.position[first] - place[0], handle.position[second] - place[1])
            heights[event.client_id] = height_m
            return
        if event.client_id not in taken:
            heights.pop(event.client_id, None)
            return
        place = on_plane(eye, np.array(event.end_position), axis, heights[event.client_id])
        if place is not None:
            places[event.client_id] = (place[0] + taken[event.client_id][0], place[1] + taken[event.client_id][1])
        if event.client_id in places:  # let go in the sky, it stays where it was last
            moved(*places[event.client_id], event.phase == "end")
        if event.phase == "end":
            del taken[event.client_id], heights[event.client_id]
            places.pop(event.client_id, None)
