"""Exact depths of capsules in polygons, from distances between segments and outlines."""

from __future__ import annotations

import numpy as np
import shapely

from gambol.geometry.arrays import FloatArray

NEAR_M = 0.5  # m, > 0: farther away only a lower bound of the clearance is computed; larger is slower
DEPTH_SAMPLES = 65  # points, >= 2, along an axis that enters a polygon; more measures depths more exactly


class Solids:
    """Polygons that capsules must stay out of."""

    def __init__(self, polygons: tuple[FloatArray, ...]) -> None:
        self.polygons = np.array([shapely.Polygon(corners) for corners in polygons], dtype=object)
        shapely.prepare(self.polygons)

    def clearances(self, starts: FloatArray, ends: FloatArray, radii: FloatArray) -> FloatArray:
        """Return the distances (N,) of capsules' surfaces from all polygons; negative inside.

        For capsules farther than NEAR_M, the result is at least NEAR_M minus the radius, but may be too small.
        """
        low, high = np.minimum(starts, ends), np.maximum(starts, ends)
        distances = np.full(len(starts), NEAR_M)
        for polygon in self.polygons:
            low_x, low_z, high_x, high_z = polygon.bounds
            is_near = (high >= (low_x - NEAR_M, low_z - NEAR_M)) & (low <= (high_x + NEAR_M, high_z + NEAR_M))
            near = np.flatnonzero(is_near.all(axis=1))
            lines = shapely.linestrings(np.stack([starts[near], ends[near]], axis=1))
            apart = shapely.distance(lines, polygon)
            crossing = np.flatnonzero(apart <= 0.0)
            apart[crossing] = -_depths(starts[near[crossing]], ends[near[crossing]], polygon)
            distances[near] = np.minimum(distances[near], apart)
        return distances - radii

    def nearest_point(self, start: FloatArray, end: FloatArray) -> tuple[float, float]:
        """Return the point of a segment that is nearest to a polygon, or the middle of the part inside it."""
        if len(self.polygons) == 0:
            return float(start[0]), float(start[1])
        line = shapely.LineString([start, end])
        polygon = self.polygons[np.argmin(shapely.distance(line, self.polygons))]
        inside = line.intersection(polygon)
        place = (
            inside.centroid if not inside.is_empty else shapely.Point(shapely.shortest_line(line, polygon).coords[0])
        )
        return place.x, place.y


def _depths(starts: FloatArray, ends: FloatArray, polygon: shapely.Polygon) -> FloatArray:
    """Return the depths of the deepest points of segments that all meet a polygon, metres."""
    shares = np.linspace(0.0, 1.0, DEPTH_SAMPLES)[:, None]
    places = shapely.points(starts[:, None] * (1.0 - shares) + ends[:, None] * shares)
    depths = np.where(shapely.covers(polygon, places), shapely.distance(places, polygon.exterior), 0.0)
    return depths.max(axis=1, initial=0.0)
