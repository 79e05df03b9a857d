"""How deep capsules are in polygons, exactly: distances between segments and outlines, no field."""

from __future__ import annotations

import numpy as np
import shapely

from gambol.geometry.arrays import FloatArray

NEAR_M = 0.5  # farther than this from a polygon's box, only a lower bound of the clearance is wanted
DEPTH_SAMPLES = 65  # along a segment whose middle line is itself inside


class Solids:
    """Polygons that capsules must stay out of."""

    def __init__(self, polygons: tuple[FloatArray, ...]) -> None:
        self.polygons = np.array([shapely.Polygon(corners) for corners in polygons], dtype=object)
        shapely.prepare(self.polygons)

    def clearances(self, starts: FloatArray, ends: FloatArray, radii: FloatArray) -> FloatArray:
        """Return how far the surfaces of capsules (N,) are from all polygons: negative where they are inside one.

        Farther than NEAR_M away, less may be returned than there is, but no less than NEAR_M minus the radius.
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
        """Return the place on a segment that is nearest to a polygon, or in the middle of what is inside."""
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
    """Return how far inside a polygon the deepest points of segments are, which all meet it."""
    shares = np.linspace(0.0, 1.0, DEPTH_SAMPLES)[:, None]
    places = shapely.points(starts[:, None] * (1.0 - shares) + ends[:, None] * shares)
    depths = np.where(shapely.covers(polygon, places), shapely.distance(places, polygon.exterior), 0.0)
    return depths.max(axis=1, initial=0.0)
