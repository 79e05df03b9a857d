"""Prisms and distances to them, by shapely; and what the core's judge measures."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import ArrayLike

from gambol.core import ffi, lib, pointer
from gambol.judges.tables import Prisms, convex_outline, struct_of_prisms
from gambol.world import Piece

Ends = tuple[ArrayLike, ArrayLike]


def random_piece(rng: np.random.Generator) -> Piece:
    count = int(rng.integers(1, 7))
    corners = rng.normal(size=(count, 2))
    corners = corners if count < 3 else convex_outline(corners)
    return Piece(corners, float(rng.choice([0.0, rng.uniform(0.05, 0.5)])) if len(corners) > 2 else 0.2)


def signed_distances(points: np.ndarray, piece: Piece, bottom: ArrayLike, top: ArrayLike) -> np.ndarray:
    """Return distances of points (N, 3) to a prism, negative inside; its heights may differ from point to point."""
    kinds = {1: shapely.Point, 2: shapely.LineString}
    count = len(piece.corners)
    shape = kinds.get(count, shapely.Polygon)(piece.corners[0] if count == 1 else piece.corners)
    spots = shapely.points(points[:, :2])
    inside = shapely.contains(shape, spots) if count > 2 else np.zeros(len(points), dtype=bool)
    edge = shapely.distance(shape.boundary if count > 2 else shape, spots)
    plan = np.where(inside, -edge, edge) - piece.radius_m
    upright = np.maximum(bottom - points[:, 2], points[:, 2] - top)
    outside = np.hypot(np.maximum(plan, 0.0), np.maximum(upright, 0.0))
    return np.where((plan <= 0.0) & (upright <= 0.0), np.maximum(plan, upright), outside)


def axis_distance(axis: Ends, prisms: Prisms, piece: int, heights: tuple[float, float]) -> tuple[float, float]:
    """Return the core's least signed distance from an axis to a prism, and where on the axis it is."""
    where = ffi.new("double *")
    found = lib.gb_check_axis_distance(
        struct_of_prisms(prisms).c, piece, ffi.new("double[2]", heights), pointer(_flat(axis), "double"), where
    )
    return found, where[0]


def segment_distance(one: Ends, two: Ends) -> tuple[float, float, float]:
    """Return the core's distance between two axes, and where on each it is."""
    where = ffi.new("double[2]")
    found = lib.gb_check_segment_distance(pointer(_flat(one), "double"), pointer(_flat(two), "double"), where)
    return found, where[0], where[1]


def _flat(axis: Ends) -> np.ndarray:
    return np.ascontiguousarray(np.concatenate(axis), dtype=np.float64)
