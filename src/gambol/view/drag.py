"""Dragging things over the ground, or in the plane of a climb."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import viser

Moved = Callable[[float, float, bool], None]  # x, y (in an upright plane: x, z), and whether the hand let go there
LEAST_FALL = 1e-6  # > 0: a line of sight that falls by less for each metre never reaches the plane
GROUND = 2  # axis across the ground: z
UPRIGHT = 1  # axis across the plane of a climb: y


def on_plane(eye: np.ndarray, point: np.ndarray, axis: int, at_m: float) -> tuple[float, float] | None:
    """Return where the line of sight through a point reaches a plane across an axis; None: nowhere."""
    eye, point = np.asarray(eye, dtype=float), np.asarray(point, dtype=float)
    way = point - eye
    if way[axis] * np.sign(at_m - eye[axis]) < LEAST_FALL * np.linalg.norm(way):
        return None
    place = np.delete(eye + way * ((at_m - eye[axis]) / way[axis]), axis)
    return float(place[0]), float(place[1])


def on_ground(eye: np.ndarray, point: np.ndarray, height_m: float = 0.0) -> tuple[float, float] | None:
    """Return where the line of sight through a point reaches a height; None: nowhere."""
    return on_plane(eye, point, GROUND, height_m)


def make_draggable(handle: Any, moved: Moved, *, axis: int = GROUND) -> None:
    """Make a thing follow the mouse over the ground; `moved` is called for each place.

    axis: the axis across the plane in which it is dragged.
    """
    first, second = (one for one in range(3) if one != axis)
    taken: dict[int, tuple[float, float]] = {}  # by browser: from the point where it was taken to its middle
    heights: dict[int, float] = {}  # by browser: the height at which it was taken
    places: dict[int, tuple[float, float]] = {}  # by browser: its last place

    @handle.on_drag("left")
    async def _(event: viser.SceneNodeDragEvent) -> None:  # a plain function may hear of the end first
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
        if event.client_id in places:  # let go in the sky: it stays at its last place
            moved(*places[event.client_id], event.phase == "end")
        if event.phase == "end":
            del taken[event.client_id], heights[event.client_id]
            places.pop(event.client_id, None)
