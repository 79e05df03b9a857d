"""Places, regions and heights of things, for what is drawn around them."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from gambol.files.toml_lines import Key
from gambol.view.edit import entries
from gambol.view.edit.entries import BUMPS, Data, Spot
from gambol.view.edit.sketch import Sketch
from gambol.view.edit.toml_edit import get

AROUND_M = 0.12  # m, > 0: distance from a thing to its outline
PERSON_M = 1.9  # m, > 0: height of a character with some room above its head
SPOT_M = 0.1  # m, > 0: height of a mark on the ground
USUAL_TOLERANCE_M = 0.5  # m, > 0: radius of a goal that states no tolerance


def spot_of(data: Data, key: Key) -> Key:
    """Return the key of the spot, or else of the thing, that a key is about; (): it is about neither."""
    thing = entries.thing_key(key)
    if not thing:
        return ()
    known = {spot.key for spot in entries.spots(data, thing)}
    return next((key[:length] for length in range(len(key), len(thing), -1) if key[:length] in known), thing)


def region_of(data: Data, sketch: Sketch, key: Key) -> BaseGeometry | None:
    """Return the outline of a thing or spot in plan view; a group has those of all its areas."""
    if key in sketch.obstacles:
        regions = [one.footprint.region(one.pose) for one in sketch.obstacles[key]]
        return shapely.union_all(shapely.buffer(regions, AROUND_M))
    if key in sketch.movers:
        regions = [one.footprint.region(one.trajectory.at(0.0)[0]) for one in sketch.movers[key]]
        return shapely.union_all(shapely.buffer(regions, AROUND_M))
    if key[: len(BUMPS)] == BUMPS:
        entry = get(data, key, {})
        return shapely.Point(*entries.middle(entry)).buffer(float(entry.get("radius_m", 1.0)))
    if key == entries.thing_key(key) and key[:1] == ("groups",):
        return shapely.GeometryCollection([_spot_region(data, spot) for spot in entries.spots(data, key)])
    spot = _spot(data, key)
    return None if spot is None else _spot_region(data, spot)


def place_of(data: Data, key: Key) -> tuple[float, float]:
    """Return the place of a thing or spot."""
    spot = _spot(data, key)
    return (0.0, 0.0) if spot is None else (spot.x, spot.y)


def top_of(data: Data, sketch: Sketch, key: Key) -> float:
    """Return the height of a thing or spot above the ground."""
    if key in sketch.obstacles:
        return max((one.top_m for one in sketch.obstacles[key]), default=SPOT_M)
    if key in sketch.movers:
        return max((float(one.trajectory.at(0.0)[1][1]) for one in sketch.movers[key]), default=SPOT_M)
    spot = _spot(data, key)
    return PERSON_M if spot is not None and spot.key[-1] == "start" else SPOT_M


def ground_of(sketch: Sketch, places: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the heights of the ground at places (N, 2)."""
    terrain = sketch.world.terrain
    return np.zeros(len(places)) if terrain is None else terrain.height(np.asarray(places, dtype=np.float64))


def _spot(data: Data, key: Key) -> Spot | None:
    """Return the spot of a key, or else the first of its thing."""
    thing = entries.thing_key(key)
    spots = [*entries.spots(data, thing), *entries.corner_spots(data, thing)] if thing else []
    return next((one for one in spots if one.key == key), spots[0] if spots else None)


def _spot_region(data: Data, spot: Spot) -> BaseGeometry:
    value = get(data, spot.key)
    area = value if isinstance(value, list) and len(value) == 4 else get(value, ("area",))
    if area is not None:
        return shapely.box(*area).buffer(AROUND_M)
    line = get(value, ("line",))
    if line is not None:
        return shapely.LineString(line).buffer(2.0 * AROUND_M)
    radius = get(value, ("tolerance_m",)) or get(value, ("circle", "radius_m")) or USUAL_TOLERANCE_M
    return shapely.Point(spot.x, spot.y).buffer(float(radius) + AROUND_M)
