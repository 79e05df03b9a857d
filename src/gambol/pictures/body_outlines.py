"""Outlines of bodies seen from above, one for each kind of character, to be stamped on maps of crowds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely

from gambol.body.capsules import Body
from gambol.characters.character import Character
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray
from gambol.pictures.silhouette import silhouettes

ROUND_M = 0.02  # metres, >= 0: tolerance of outlines; larger: fewer corners
CLOSED_M = 0.06  # metres, >= 0: gaps narrower than twice this are filled
STILL = ("stand", "glide")  # behaviors whose first pose shows the body best, by preference


class BodyOutline(NamedTuple):
    """Outlines of a body and of its head, in the frame of its path: X ahead, metres."""

    body: FloatArray  # (B, 2)
    head: FloatArray  # (H, 2), empty if the skeleton has no head

    @property
    def size_m(self) -> float:
        """The greater of its length and width."""
        return float(np.ptp(self.body, axis=0).max())


def body_outline(character: Character) -> BodyOutline:
    """Return the outline of a standing character; if it cannot stand, at the start of its first behavior."""
    still = [behavior for name in STILL for behavior in character.behaviors if behavior.name == name]
    clip = (still or character.behaviors)[0].clips[0]
    shape = silhouettes(Body.from_skeleton(character.skeleton), clip.motion, [clip.margin])[0]
    return BodyOutline(_corners(shape.outline), _corners(shape.head))


def stamped(corners: FloatArray, poses: FloatArray) -> FloatArray:
    """Return corners (K, 2) of one outline at poses (M, 3): (M, K, 2)."""
    return planar.apply(poses[:, None, :], np.broadcast_to(corners, (len(poses), *corners.shape)))


def _corners(region: shapely.Geometry) -> FloatArray:
    if shapely.is_empty(region):
        return np.empty((0, 2))
    filled = shapely.buffer(shapely.buffer(region, CLOSED_M), -CLOSED_M)
    largest = max(shapely.get_parts(filled), key=shapely.area)
    return shapely.get_coordinates(shapely.simplify(largest.exterior, ROUND_M))[:-1]
