"""Polygons, with holes or without, as few convex ones."""

from __future__ import annotations

import numpy as np
import shapely

from gambol.geometry.arrays import FloatArray

STRAIGHT = 1e-9  # square metres: a corner may turn the wrong way by this much; larger takes dented areas for convex


def convex_parts(shape: shapely.Polygon) -> list[FloatArray]:
    """Cut a polygon into convex ones: triangulate it, then remove every edge that is not needed.

    Hertel and Mehlhorn's method: at most four times the fewest possible, and fast for many corners.
    """
    if shape.convex_hull.area - shape.area <= STRAIGHT:
        return [_outline(shape)]
    triangles = shapely.orient_polygons(shapely.get_parts(shapely.constrained_delaunay_triangles(shape)))
    points, number = np.unique(shapely.get_coordinates(triangles), axis=0, return_inverse=True)
    corners = number.reshape(-1, 4)[:, :3]
    parts: dict[int, list[int]] = {k: list(map(int, loop)) for k, loop in enumerate(corners)}
    owner: dict[tuple[int, int], int] = {}
    for k, loop in parts.items():
        for a, b in zip(loop, loop[1:] + loop[:1], strict=True):
            owner[a, b] = k
    inner = [(a, b) for a, b in owner if a < b and (b, a) in owner]
    # Long cuts are removed first, so that short ones are left.
    inner.sort(key=lambda edge: (-float(np.hypot(*(points[edge[0]] - points[edge[1]]))), edge))
    for a, b in inner:
        one, other = owner[a, b], owner[b, a]
        if one == other:
            continue
        joined = _joined(parts[one], parts[other], a, b)
        if len(set(joined)) == len(joined) and _is_convex(points[joined]):
            parts[one] = joined
            for p, q in zip(joined, joined[1:] + joined[:1], strict=True):
                owner[p, q] = one
            del parts[other]
    return [_outline(shapely.Polygon(points[loop])) for loop in parts.values()]


def _joined(one: list[int], other: list[int], a: int, b: int) -> list[int]:
    """Return two loops as one, without the edge from a to b of the first and from b to a of the other."""
    k, m = one.index(b), other.index(a)
    start = one[k:] + one[:k]  # from b round to a
    rest = other[m:] + other[:m]  # from a round to b
    return start + rest[1:-1]


def _is_convex(loop: FloatArray) -> bool:
    along = np.roll(loop, -1, axis=0) - loop
    after = np.roll(along, -1, axis=0)
    return bool(np.all(along[:, 0] * after[:, 1] - along[:, 1] * after[:, 0] >= -STRAIGHT))


def _outline(shape: shapely.Polygon) -> FloatArray:
    """Return the corners of a convex polygon counter-clockwise, each once, without those on straight sides."""
    return shapely.get_coordinates(shapely.orient_polygons(shape.convex_hull))[:-1].copy()
