"""The shapes of what moves, each in its own frame and stored once however often it is placed."""

from __future__ import annotations

import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.clip import Clip
from gambol.geometry.arrays import FloatArray
from gambol.kernels.growing_array import GrowingArray
from gambol.world.footprint import Footprint

ANY_HEIGHT_M = 1e9  # a footprint's heights are those of the mover at the frame


class Outline(NamedTuple):
    """What holds some shapes: a circle each, in its own frame, and heights."""

    centre: FloatArray  # (N, 2)
    radius: FloatArray  # (N,)
    low: FloatArray  # (N,)
    high: FloatArray  # (N,)


class ShapeLibrary:
    """Shapes as ranges of prisms, prisms as ranges of corners."""

    def __init__(self) -> None:
        self.shape_prisms = GrowingArray(np.int64, 2)
        self.prisms = GrowingArray(np.float64, 3)
        self.prism_corners = GrowingArray(np.int64, 2)
        self.corner_x = GrowingArray(np.float64)
        self.corner_y = GrowingArray(np.float64)
        self._of_clip: dict[int, tuple[int, Clip, Outline]] = {}  # by identity; the clip is kept alive for that

    def copy(self) -> ShapeLibrary:
        twin = copy.copy(self)
        for name in ("shape_prisms", "prisms", "prism_corners", "corner_x", "corner_y"):
            setattr(twin, name, getattr(self, name).copy())
        twin._of_clip = dict(self._of_clip)
        return twin

    def clip(self, clip: Clip) -> tuple[int, Outline]:
        """Return the shape of a clip's first instant, which those of the others follow, and what holds them."""
        known = self._of_clip.get(id(clip))
        if known is None:
            known = self._of_clip[id(clip)] = (len(self.shape_prisms), clip, self._add_clip(clip))
        return known[0], known[2]

    def _add_clip(self, clip: Clip) -> Outline:
        shape = clip.shape
        there = shape.high > shape.low  # not a part that the figure lacks
        self._add(
            there.sum(axis=1),
            np.stack((shape.radius[there], shape.low[there], shape.high[there]), axis=1),
            np.ones(int(there.sum()), dtype=np.int64),
            shape.offset[there],
        )
        return Outline(np.zeros((len(there), 2)), shape.outer_radius, shape.lowest, shape.highest)

    def footprint(self, footprint: Footprint) -> tuple[int, Outline]:
        """Add a footprint's pieces as one shape of any height; return it and what holds it."""
        pieces = footprint.pieces
        corners = np.concatenate([piece.corners for piece in pieces])
        counts = np.array([len(piece.corners) for piece in pieces])
        radii = np.array([piece.radius_m for piece in pieces])
        spans = np.broadcast_to((-ANY_HEIGHT_M, ANY_HEIGHT_M), (len(pieces), 2))
        added = len(self.shape_prisms)
        self._add(np.array([len(pieces)]), np.column_stack((radii, spans)), counts, corners)
        round_corner = np.repeat(radii, counts)
        low, high = (corners - round_corner[:, None]).min(axis=0), (corners + round_corner[:, None]).max(axis=0)
        centre = 0.5 * (low + high)
        radius = (np.linalg.norm(corners - centre, axis=1) + round_corner).max()
        return added, Outline(centre[None], np.array([radius]), np.array([-ANY_HEIGHT_M]), np.array([ANY_HEIGHT_M]))

    def _add(self, shape_sizes: NDArray, prisms: FloatArray, prism_sizes: NDArray, corners: FloatArray) -> None:
        self.shape_prisms.append(_ranges(shape_sizes, len(self.prisms)))
        self.prism_corners.append(_ranges(prism_sizes, len(self.corner_x)))
        self.prisms.append(prisms)
        self.corner_x.append(corners[:, 0])
        self.corner_y.append(corners[:, 1])


def _ranges(sizes: NDArray, first: int) -> NDArray[np.int64]:
    """Return consecutive ranges (N, 2) of the given sizes."""
    ends = first + np.cumsum(sizes)
    return np.stack((ends - sizes, ends), axis=1)
