"""The knobs around a chosen thing, which turn and shape it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from gambol.files.toml_lines import Key
from gambol.view.edit import entries
from gambol.view.edit.entries import BUMPS, Data
from gambol.view.edit.entry_changes import GRAIN, move, turn
from gambol.view.edit.outlines import region_of, top_of
from gambol.view.edit.sketch import Sketch
from gambol.view.edit.toml_edit import get, put

SIDE = 2.0  # radii of a knob, > 0: distance from a side to the knob that moves it
BEYOND = 5.0  # radii of a knob, > 0: distance from a thing to the knob that turns it
FACING_M = 1.1  # m, > 0: distance from a character to the knob that turns it, at least
LEAST_SIZE_M = 0.05  # m, > 0: the smallest size that a knob can give

Shape = Callable[[str, Data, float, float], str]  # from a text, what it says, and a knob's place to the changed text


class Knob(NamedTuple):
    """A ball to drag, and what that changes."""

    key: Key
    x: float
    y: float
    height_m: float  # above the ground
    shape: Shape
    is_part: bool = False  # it stands for a part of the thing, which can be chosen


def knobs_of(data: Data, sketch: Sketch, thing: Key, radius_m: float) -> list[Knob]:
    """Return the knobs of a thing.  radius_m: the radius of each."""
    entry = get(data, thing)
    if not isinstance(entry, dict):
        return []
    if thing[: len(BUMPS)] == BUMPS:
        x, y = entries.middle(entry)
        key = (*thing, "radius_m")
        return [Knob(key, x + float(entry.get("radius_m", 1.0)), y, 0.0, _radius(key))]
    if thing[0] == "cast":
        return [*_facing(data, thing, radius_m), *_for_many(data, thing)]
    if thing[0] == "groups":
        return _for_many(data, thing)
    if "recording" in entry:
        return []
    return [*_points(data, sketch, thing), *_around(data, sketch, thing, radius_m)]


def _points(data: Data, sketch: Sketch, thing: Key) -> list[Knob]:
    """Return the knobs of corners, and of the places of a path; the first of these is above the mover."""
    top = top_of(data, sketch, thing)
    found = [Knob(spot.key, spot.x, spot.y, top, _moving(spot.key), True) for spot in entries.corner_spots(data, thing)]
    for spot in entries.path_spots(thing, get(data, thing)):
        found.append(Knob(spot.key, spot.x, spot.y, top if spot.key[-1] == 0 else 0.0, _moving(spot.key), True))
    return found


def _around(data: Data, sketch: Sketch, thing: Key, radius_m: float) -> list[Knob]:
    """Return the knobs that make a shape longer and wider, and turn it, at the height of its top."""
    entry, top = get(data, thing), top_of(data, sketch, thing)
    heading = math.radians(entry.get("heading_deg", 0.0))
    ahead, aside = (math.cos(heading), math.sin(heading)), (-math.sin(heading), math.cos(heading))
    x, y = entries.middle(entry)
    side_m, reach = SIDE * radius_m, 0.0
    found = []
    if isinstance(entry.get("size"), list):
        reach = 0.5 * entry["size"][0]
        for axis, way in enumerate((ahead, aside)):
            away = 0.5 * entry["size"][axis] + side_m
            key = (*thing, "size", axis)
            found.append(Knob(key, x + away * way[0], y + away * way[1], top, _side(thing, axis, way, side_m)))
    if "radius_m" in entry:
        key = (*thing, "radius_m")
        found.append(Knob(key, x, y - float(entry["radius_m"]) - side_m, top, _radius(key, side_m)))
    elif "falling" not in entry:
        if not reach:
            region = region_of(data, sketch, thing)
            reach = 0.0 if region is None or region.is_empty else 0.5 * math.dist(region.bounds[:2], region.bounds[2:])
        away = reach + BEYOND * radius_m
        found.append(Knob((*thing, "turn"), x + away * ahead[0], y + away * ahead[1], top, _turning(thing)))
    return found


def _facing(data: Data, thing: Key, radius_m: float) -> list[Knob]:
    places = entries.spots(data, thing)
    if not places or places[0].key[-1] != "start":
        return []
    heading, away = math.radians(entries.facing_deg(data, thing)), max(FACING_M, BEYOND * radius_m)
    x, y = places[0].x + away * math.cos(heading), places[0].y + away * math.sin(heading)

    def shape(text: str, data: Data, x: float, y: float) -> str:
        start = entries.spots(data, thing)[0]
        return put(text, (*thing, "heading_deg"), float(round(math.degrees(math.atan2(y - start.y, x - start.x)))))

    return [Knob((*thing, "turn"), x, y, 0.0, shape)]


def _for_many(data: Data, thing: Key) -> list[Knob]:
    """Return the knobs of areas' corners, of lines' points, and of circles' radii."""
    found = []
    for spot in entries.spots(data, thing):
        value: Any = get(data, spot.key)
        area_key = spot.key if isinstance(value, list) else (*spot.key, "area")
        area, circle = get(data, area_key), get(value, ("circle",))
        line: Any = get(value, ("line",)) or ()
        if isinstance(area, list) and len(area) == 4:
            for corner in (0, 1):
                x, y = area[2 * corner : 2 * corner + 2]
                found.append(Knob((*area_key, corner), x, y, 0.0, _corner(area_key, corner)))
        elif isinstance(circle, dict):
            key = (*spot.key, "circle", "radius_m")
            found.append(Knob(key, spot.x + float(circle["radius_m"]), spot.y, 0.0, _radius(key)))
        for index, (x, y) in enumerate(line):
            key = (*spot.key, "line", index)
            found.append(Knob(key, x, y, 0.0, _moving(key)))
    return found


def _moving(key: Key) -> Shape:
    return lambda text, data, x, y: move(text, data, key, round(x, GRAIN), round(y, GRAIN))


def _turning(thing: Key) -> Shape:
    def shape(text: str, data: Data, x: float, y: float) -> str:
        x0, y0 = entries.middle(get(data, thing, {}))
        return turn(text, data, thing, float(round(math.degrees(math.atan2(y - y0, x - x0)))))

    return shape


def _side(thing: Key, axis: int, direction: tuple[float, float], beyond_m: float) -> Shape:
    def shape(text: str, data: Data, x: float, y: float) -> str:
        x0, y0 = entries.middle(get(data, thing, {}))
        half = (x - x0) * direction[0] + (y - y0) * direction[1] - beyond_m
        return put(text, (*thing, "size", axis), round(max(2.0 * half, LEAST_SIZE_M), GRAIN))

    return shape


def _radius(key: Key, beyond_m: float = 0.0) -> Shape:
    def shape(text: str, data: Data, x: float, y: float) -> str:
        radius = math.dist((x, y), entries.middle(get(data, key[:-1], {}))) - beyond_m
        return put(text, key, round(max(radius, LEAST_SIZE_M), GRAIN))

    return shape


def _corner(key: Key, corner: int) -> Shape:
    """Return what dragging a corner of an area does; it stays on its side of the other corner."""

    def shape(text: str, data: Data, x: float, y: float) -> str:
        area = list(get(data, key))
        for axis, value in enumerate((x, y)):
            other = area[2 * (1 - corner) + axis]
            limit = max(value, other + LEAST_SIZE_M) if corner else min(value, other - LEAST_SIZE_M)
            area[2 * corner + axis] = round(limit, GRAIN)
        return put(text, key, area)

    return shape
