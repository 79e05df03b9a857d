"""The things of a scene file, the spots by which they are moved, and the changes that moving and turning them makes.

Changes are of the file's text, and name things by their keys: ("obstacles", 3), ("cast", 0, "waypoints", 1).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gambol.io.entries import tables
from gambol.io.toml_lines import Key
from gambol.view.toml_edit import append_copy, cut, get, put

GRAIN = 2  # decimals of what is dragged: centimetres, and hundredths of degrees
BUMPS: Key = ("world", "terrain", "bumps")
ARRAYS = ("obstacles", "meshes", "movers", "cast", "groups")
LEAST_SIZE_M = 0.05  # to which a thing can be made smaller by dragging
ASIDE_M = 1.0  # so far from the first a copy comes to lie
Data = Mapping[str, Any]


class Thing(NamedTuple):
    """An entry of the file that can be chosen."""

    key: Key
    name: str


class Spot(NamedTuple):
    """A place that can be dragged: of a thing as a whole, or of a part of it."""

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


def thing_key(key: Key) -> Key:
    """Return the key of the thing that a key belongs to; none for what belongs to no thing."""
    length = len(BUMPS) + 1 if key[: len(BUMPS)] == BUMPS else 2
    return key[:length] if len(key) >= length and isinstance(key[length - 1], int) else ()


def key_of(text: str) -> Key:
    """Return the key that a message names, such as cast[0].start."""
    parts = re.findall(r"([^.\[\]]+)|\[(\d+)\]", text)
    return tuple(int(index) if index else name for name, index in parts)


def spots(data: Data, key: Key) -> list[Spot]:
    """Return the places of a thing: first its own, then those of its parts."""
    entry = get(data, key, {})
    array = key[0]
    if array == "cast":
        found = [_spot((*key, "start"), entry.get("start")), _spot((*key, "goal"), entry.get("goal"))]
        for name in ("waypoints", "goals"):
            values = entry.get(name)
            for index, value in enumerate(values if isinstance(values, list) else ()):
                found.append(_spot((*key, name, index), value))
        found.append(_area_spot((*key, "wander"), entry.get("wander")))
        return [spot for spot in found if spot is not None]
    if array == "groups":
        goals = entry.get("goals")
        found = [_area_spot((*key, "starts"), entry.get("starts"))]
        found += [_area_spot((*key, "goals"), goals)] if isinstance(goals, dict) else []
        for index, value in enumerate(goals if isinstance(goals, list) else ()):
            found.append(_area_spot((*key, "goals", index), value))
        return [spot for spot in found if spot is not None]
    own = Spot(key, *middle(entry))
    return [own, *_path_spots(key, entry)] if isinstance(entry, dict) else []


def corner_spots(data: Data, key: Key) -> list[Spot]:
    """Return the corners of a polygon, or the points of a wall along a line, in the world."""
    entry = get(data, key, {})
    name = points_key(entry)
    if name is None:
        return []
    at, turn = _frame(entry)
    return [
        Spot((*key, name, index), *(at + turn @ np.array(point, dtype=float)))
        for index, point in enumerate(entry[name]) if _is_point(point)
    ]  # fmt: skip


def points_key(entry: Data) -> str | None:
    """Return the key under which a shape has points; None for boxes and discs."""
    return next((name for name in ("corners", "line") if isinstance(entry.get(name), list)), None)


def middle(entry: Data) -> tuple[float, float]:
    """Return where a thing is."""
    place = _place(entry)
    if place is not None:
        return place
    for value in entry.get("path") or ():
        if isinstance(value, dict) and _place(value) is not None:
            return _place(value) or (0.0, 0.0)
    name = points_key(entry)
    points = [point for point in entry[name] if _is_point(point)] if name is not None else []
    if not points:
        return 0.0, 0.0
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    x, y = 0.5 * (low + high)
    return float(x), float(y)


def move(text: str, data: Data, key: Key, x: float, y: float) -> str:
    """Return the text with the spot of a key at another place."""
    entry, name = get(data, key), key[-1]
    x, y = round(x, GRAIN), round(y, GRAIN)
    if name == "start" or _is_point(entry):
        if len(key) > 2 and key[-2] in ("corners", "line"):
            at, turn = _frame(get(data, key[:-2], {}))
            x, y = (round(float(value), GRAIN) for value in turn.T @ (np.array([x, y]) - at))
        return put(text, key, [x, y])
    if isinstance(name, str) and name in ("starts", "goals", "wander") or (len(key) > 2 and key[-2] == "goals"):
        if not isinstance(entry, dict) or "at" not in entry:
            return _move_area(text, key, entry, x, y)
    if not isinstance(entry, dict):
        return text
    if "at" in entry or name == "goal" or (len(key) > 2 and key[-2] in ("waypoints", "path")):
        return put(text, (*key, "at"), [x, y])
    return _move_whole(text, key, entry, x, y)


def turn(text: str, data: Data, key: Key, heading_deg: float) -> str:
    """Return the text with a thing turned; what has no place of its own is turned about its middle."""
    entry = get(data, key, {})
    name = points_key(entry)
    if name is not None and "at" not in entry and "path" not in entry:
        at = np.array([round(value, GRAIN) for value in middle(entry)])
        points = [[round(float(value), 6) for value in np.array(point) - at] for point in entry[name]]
        text = put(put(text, (*key, name), points), (*key, "at"), at.tolist())
    return put(text, (*key, "heading_deg"), round(heading_deg, GRAIN))


def duplicate(text: str, data: Data, key: Key) -> tuple[str, Key]:
    """Return the text with a copy of a thing beside it, and the copy's key."""
    entry = get(data, key, {})
    copy = (*key[:-1], len(get(data, key[:-1], ())))
    text = append_copy(text, key)
    if isinstance(entry.get("name"), str):
        text = put(text, (*copy, "name"), free_name(data, entry["name"]))
    for spot in spots(data, key) if key[0] in ("cast", "groups") else [Spot(key, *middle(entry))]:
        text = move(text, data_with(data, key, copy), (*copy, *spot.key[len(key) :]), spot.x, spot.y - ASIDE_M)
    return text, copy


def data_with(data: Data, key: Key, copy: Key) -> Data:
    """Return data in which a copy of a thing is already there."""
    array = [*get(data, key[:-1]), get(data, key)]
    if key[: len(BUMPS)] == BUMPS:
        return {"world": {"terrain": {"bumps": array}}}
    return {**data, key[0]: array}


def delete(text: str, data: Data, key: Key) -> str:
    """Return the text without a thing, or without a part of one that can do without."""
    if key[: len(BUMPS)] == BUMPS and len(get(data, BUMPS)) == 1 and set(get(data, BUMPS[:-1])) == {"bumps"}:
        return cut(text, BUMPS[:-1])
    return cut(text, key)


def can_lose(data: Data, key: Key) -> bool:
    """Tell whether a part can be deleted by itself: one of several points, places or goals."""
    least = {"waypoints": 1, "goals": 2, "path": 2, "line": 3, "corners": 4}
    return len(key) > 3 and key[-2] in least and len(get(data, key[:-1], ())) >= least[str(key[-2])]


def add_point(text: str, data: Data, key: Key) -> tuple[str, Key] | None:
    """Return the text with one more way-point, place of a path or corner, and its key; None for what has none."""
    entry = get(data, key, {})
    if key[0] == "cast" and entry.get("follow") is None and entry.get("wander") is None:
        name = "goals" if isinstance(entry.get("goals"), list) else "waypoints"
        places = [spot for spot in spots(data, key) if spot.key[-1] not in ("goal",)]
        ends = [spot for spot in spots(data, key) if spot.key[-1] == "goal"] or places[-1:]
        last, end = places[-1], ends[0]
        at = [round(0.5 * (last.x + end.x), GRAIN), round(0.5 * (last.y + end.y) + (last is end) * ASIDE_M, GRAIN)]
        point = (*key, name, len(entry.get(name, ())))
        return put(text, point, at), point
    if isinstance(entry.get("path"), list) and entry["path"]:
        known = [spot for spot in _path_spots(key, entry)]
        x, y = (known[-1].x, known[-1].y) if known else middle(entry)
        time_s = entry["path"][-1].get("time_s", 0.0) + 2.0
        point = (*key, "path", len(entry["path"]))
        return put(text, point, {"time_s": time_s, "at": [round(x + 2.0, GRAIN), round(y, GRAIN)]}), point
    name = points_key(entry)
    if name is None:
        return None
    points = [list(point) for point in entry[name]]
    ring = [*points, points[0]] if name == "corners" else points
    lengths = [math.dist(a, b) for a, b in zip(ring[:-1], ring[1:], strict=True)]
    index = int(np.argmax(lengths)) + 1
    halfway = [round(0.5 * (a + b), GRAIN) for a, b in zip(ring[index - 1], ring[index], strict=True)]
    return put(text, (*key, name), [*points[:index], halfway, *points[index:]]), (*key, name, index)


def free_name(data: Data, name: str) -> str:
    """Return a name like this one that nothing in the scene has."""
    taken = {thing.name for thing in things(data)}
    stem = re.sub(r" \d+$", "", name)
    return next(one for one in (stem, *(f"{stem} {number}" for number in range(2, len(taken) + 3))) if one not in taken)


def _name(array: str, index: int, entry: Data) -> str:
    given = entry.get("name")
    if isinstance(given, str) and given:
        return given
    kind = {"obstacles": "obstacle", "movers": "mover", "meshes": "mesh", "groups": "group"}.get(array)
    return f"{kind or entry.get('character', 'human')}-{index}"


def _is_point(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(isinstance(one, (int, float)) for one in value)


def _place(entry: Data) -> tuple[float, float] | None:
    at = entry.get("at")
    return (float(at[0]), float(at[1])) if isinstance(at, list) and _is_point(at) else None


def _spot(key: Key, value: object) -> Spot | None:
    place = _place(value if isinstance(value, dict) else {"at": value})
    return None if place is None else Spot(key, *place)


def _area_spot(key: Key, value: object) -> Spot | None:
    if isinstance(value, dict):
        if isinstance(value.get("circle"), dict):
            return _spot(key, value["circle"])
        value = value.get("area") or [one for point in value.get("line") or () for one in point]
    if not (isinstance(value, list) and len(value) == 4 and all(isinstance(one, (int, float)) for one in value)):
        return None
    x0, y0, x1, y1 = value
    return Spot(key, 0.5 * (x0 + x1), 0.5 * (y0 + y1))


def _path_spots(key: Key, entry: Data) -> list[Spot]:
    found = [_spot((*key, "path", index), place) for index, place in enumerate(entry.get("path") or ())]
    return [spot for spot in found if spot is not None]


def _frame(entry: Data) -> tuple[np.ndarray, np.ndarray]:
    """Return where the origin of a shape's points is in the world, and how they are turned."""
    heading = math.radians(entry.get("heading_deg") or 0.0)
    cosine, sine = math.cos(heading), math.sin(heading)
    return np.array(_place(entry) or (0.0, 0.0)), np.array([[cosine, -sine], [sine, cosine]])


def _move_area(text: str, key: Key, value: Any, x: float, y: float) -> str:
    """Move places for many: an area, a line or a circle."""
    spot = _area_spot(key, value)
    if spot is None:
        return text
    if isinstance(value, dict) and isinstance(value.get("circle"), dict):
        return put(text, (*key, "circle", "at"), [x, y])
    dx, dy = x - spot.x, y - spot.y
    if isinstance(value, dict) and value.get("area") is None:
        line = [[round(px + dx, GRAIN), round(py + dy, GRAIN)] for px, py in value["line"]]
        return put(text, (*key, "line"), line)
    area = value["area"] if isinstance(value, dict) else value
    moved = [round(one + (dx, dy)[index % 2], GRAIN) for index, one in enumerate(area)]
    return put(text, (*key, "area") if isinstance(value, dict) else key, moved)


def _move_whole(text: str, key: Key, entry: Data, x: float, y: float) -> str:
    """Move a thing without a place of its own: all places of its path, or all its points."""
    x0, y0 = middle(entry)
    dx, dy = x - x0, y - y0
    for spot in _path_spots(key, entry):
        text = put(text, (*spot.key, "at"), [round(spot.x + dx, GRAIN), round(spot.y + dy, GRAIN)])
    name = points_key(entry)
    if name is not None and not _path_spots(key, entry):
        points = [[round(px + dx, GRAIN), round(py + dy, GRAIN)] for px, py in entry[name]]
        text = put(text, (*key, name), points)
    elif name is None and not _path_spots(key, entry):
        text = put(text, (*key, "at"), [x, y])
    return text
