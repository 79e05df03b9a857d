"""The things of a scene file, by keys such as ("obstacles", 3), and the spots by which they are moved."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gambol.files.entries import tables
from gambol.files.toml_lines import Key
from gambol.view.edit.toml_edit import get

BUMPS: Key = ("world", "terrain", "bumps")  # key of the hills and hollows of a terrain
ARRAYS = ("obstacles", "meshes", "movers", "cast", "groups")  # keys of the other arrays of things
Data = Mapping[str, Any]  # what a scene file says, as plain dictionaries and lists


class Thing(NamedTuple):
    """An entry of the file that a user can choose."""

    key: Key
    name: str


class Spot(NamedTuple):
    """A place that a user can drag: of a whole thing, or of a part of it."""

    key: Key
    x: float
    y: float


def things(data: Data) -> list[Thing]:
    """Return all things in the order of the file."""
    found = []
    for array in ARRAYS:
        for index, entry in enumerate(tables(data.get(array))):
            found.append(Thing((array, index), _name(array, index, entry)))
    for index in range(len(tables(get(data, BUMPS)))):
        found.append(Thing((*BUMPS, index), f"bump {index}"))
    return found


def name_of(data: Data, key: Key) -> str:
    """Return the name of a thing; "": there is none."""
    return next((one.name for one in things(data) if one.key == key), "")


def thing_key(key: Key) -> Key:
    """Return the key of the thing that a key belongs to; (): it belongs to none."""
    length = len(BUMPS) + 1 if key[: len(BUMPS)] == BUMPS else 2
    return key[:length] if len(key) >= length and isinstance(key[length - 1], int) else ()


def key_of(text: str) -> Key:
    """Return the key that a message names, such as "cast[0].start"."""
    parts = re.findall(r"([^.\[\]]+)|\[(\d+)\]", text)
    return tuple(int(index) if index else name for name, index in parts)


def spots(data: Data, key: Key) -> list[Spot]:
    """Return the spots of a thing: first its own, then those of its parts."""
    entry = get(data, key, {})
    array = key[0]
    if array == "cast":
        found = [_spot((*key, "start"), entry.get("start")), _spot((*key, "goal"), entry.get("goal"))]
        for name in ("waypoints", "goals"):
            values = entry.get(name)
            for index, value in enumerate(values if isinstance(values, list) else ()):
                found.append(_spot((*key, name, index), value))
        found.append(area_spot((*key, "wander"), entry.get("wander")))
        return [spot for spot in found if spot is not None]
    if array == "groups":
        goals = entry.get("goals")
        found = [area_spot((*key, "starts"), entry.get("starts"))]
        found += [area_spot((*key, "goals"), goals)] if isinstance(goals, dict) else []
        for index, value in enumerate(goals if isinstance(goals, list) else ()):
            found.append(area_spot((*key, "goals", index), value))
        found.append(area_spot((*key, "wander"), entry.get("wander")))
        return [spot for spot in found if spot is not None]
    own = Spot(key, *middle(entry))
    return [own, *path_spots(key, entry)] if isinstance(entry, dict) else []


def corner_spots(data: Data, key: Key) -> list[Spot]:
    """Return the corners of a polygon, or the points of a line, in the world."""
    entry = get(data, key, {})
    name = points_key(entry)
    if name is None:
        return []
    at, turn = frame(entry)
    return [
        Spot((*key, name, index), *(at + turn @ np.array(point, dtype=float)))
        for index, point in enumerate(entry[name])
        if is_point(point)
    ]


def points_key(entry: Data) -> str | None:
    """Return the key of a shape's points; None: it is a box or a disc."""
    return next((name for name in ("corners", "line") if isinstance(entry.get(name), list)), None)


def middle(entry: Data) -> tuple[float, float]:
    """Return the middle of a thing: its place, the first place of its path, or the middle of its points."""
    place = _place(entry)
    if place is not None:
        return place
    for value in entry.get("path") or ():
        if isinstance(value, dict) and _place(value) is not None:
            return _place(value) or (0.0, 0.0)
    name = points_key(entry)
    points = [point for point in entry[name] if is_point(point)] if name is not None else []
    if not points:
        return 0.0, 0.0
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    x, y = 0.5 * (low + high)
    return float(x), float(y)


def free_name(data: Data, name: str) -> str:
    """Return a name like this one that no thing has."""
    taken = {thing.name for thing in things(data)}
    stem = re.sub(r" \d+$", "", name)
    return next(one for one in (stem, *(f"{stem} {number}" for number in range(2, len(taken) + 3))) if one not in taken)


def _name(array: str, index: int, entry: Data) -> str:
    given = entry.get("name")
    if isinstance(given, str) and given:
        return given
    kind = {"obstacles": "obstacle", "movers": "mover", "meshes": "mesh", "groups": "group"}.get(array)
    return f"{kind or entry.get('character', 'human')}-{index}"


def is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, (int, float)) for one in value)


def _place(entry: Data) -> tuple[float, float] | None:
    at = entry.get("at")
    return (float(at[0]), float(at[1])) if isinstance(at, list) and is_point(at) else None


def _spot(key: Key, value: object) -> Spot | None:
    place = _place(value if isinstance(value, dict) else {"at": value})
    return None if place is None else Spot(key, *place)


def area_spot(key: Key, value: object) -> Spot | None:
    if isinstance(value, dict):
        if isinstance(value.get("circle"), dict):
            return _spot(key, value["circle"])
        value = value.get("area") or [one for point in value.get("line") or () for one in point]
    if not (isinstance(value, list) and len(value) == 4 and all(isinstance(one, (int, float)) for one in value)):
        return None
    x0, y0, x1, y1 = value
    return Spot(key, 0.5 * (x0 + x1), 0.5 * (y0 + y1))


def path_spots(key: Key, entry: Data) -> list[Spot]:
    found = [_spot((*key, "path", index), place) for index, place in enumerate(entry.get("path") or ())]
    return [spot for spot in found if spot is not None]


def frame(entry: Data) -> tuple[np.ndarray, np.ndarray]:
    """Return the origin (2,) of a shape's points in the world, and the matrix (2, 2) that turns them."""
    heading = math.radians(entry.get("heading_deg") or 0.0)
    cosine, sine = math.cos(heading), math.sin(heading)
    return np.array(_place(entry) or (0.0, 0.0)), np.array([[cosine, -sine], [sine, cosine]])


def facing_deg(data: Data, key: Key) -> float:
    """Return the first heading of an actor in degrees: the one it states, or that towards its first goal."""
    heading = get(data, (*key, "heading_deg"))
    if isinstance(heading, (int, float)):
        return float(heading)
    places = spots(data, key)
    ahead = [spot for spot in places if spot.key[-2:] in (("waypoints", 0), ("goals", 0))]
    ahead += [spot for spot in places if spot.key[-1] == "goal"]
    if not ahead or places[0].key[-1] != "start":
        return 0.0
    return math.degrees(math.atan2(ahead[0].y - places[0].y, ahead[0].x - places[0].x))
