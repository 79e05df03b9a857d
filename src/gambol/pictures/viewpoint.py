"""Cameras that follow a motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from gambol.errors import UnknownName
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.travel import smooth_path, travel_heading
from gambol.pictures.camera import Camera, Point, view_axes

#: Directions of the view at a figure that faces +X.  In all but "front" and "follow" it goes to the right.
VIEWS: Mapping[str, Point] = MappingProxyType(
    {
        "side": (0.0, 1.0, -0.13),
        "front": (-1.0, 0.0, -0.13),
        "three-quarter": (-0.62, 0.78, -0.20),
        "follow": (0.94, 0.34, -0.28),
    }
)


@dataclass(frozen=True, eq=False)
class Tracking:
    """The place and heading of a camera that follows a motion, frame by frame."""

    anchors: FloatArray  # (F, 3) metres, on the ground below the figure
    headings: FloatArray  # (F,) radians

    @classmethod
    def of(cls, motion: Motion, ground: Ground, view: str) -> Tracking:
        """Follow the root's smoothed path; only "follow" turns with it, other views keep one direction."""
        direction_of(view)
        path = smooth_path(motion)
        anchors = np.column_stack((path[:, :2], ground.heights(path)))
        headings = path[:, 2] if view == "follow" else np.full(motion.frame_count, travel_heading(motion))
        return cls(anchors, headings)

    def to_local(self, points: FloatArray, frame: int) -> FloatArray:
        """Return world points (..., 3) in the anchor's frame, with the heading along +X."""
        offset = points - self.anchors[frame]
        level = planar.rotate(np.full(offset.shape[:-1], -self.headings[frame]), offset[..., :2])
        return np.concatenate((level, offset[..., 2:]), axis=-1)

    def place(self, camera: Camera, frame: int) -> Camera:
        """Return in the world, at a frame, a camera given in the anchor's frame."""
        turned = planar.rotate(self.headings[frame], np.array([camera.eye[:2], camera.target[:2]]))
        heights = np.array([camera.eye[2], camera.target[2]])
        eye, target = np.column_stack((turned, heights)) + self.anchors[frame]
        return Camera(_point(eye), _point(target), camera.field_of_view_rad, camera.orthographic_height_m)


def direction_of(view: str) -> Point:
    """Return the direction of a view by its name."""
    if view not in VIEWS:
        raise UnknownName("view", view, tuple(VIEWS))
    return VIEWS[view]


def aspect_of(points: FloatArray, direction: ArrayLike, *, least: float, most: float) -> float:
    """Return a picture's width / height that suits points (N, 3) seen along a direction."""
    right, down, _ = view_axes(np.asarray(direction, dtype=np.float64)) @ points.T
    return float(np.clip(np.ptp(right) / max(np.ptp(down), 1e-9), least, most))


def room_below(points: FloatArray, direction: ArrayLike, share: float) -> FloatArray:
    """Return a point (1, 3) that appears below all points, by a share of their height on the picture."""
    axes = view_axes(np.asarray(direction, dtype=np.float64))
    right, down, depth = axes @ points.T
    place = (right.mean(), down.max() + share * np.ptp(down), depth[np.argmax(down)])
    return (np.array(place) @ axes)[None]


def _point(values: FloatArray) -> Point:
    x, y, z = (float(value) for value in values)
    return x, y, z
