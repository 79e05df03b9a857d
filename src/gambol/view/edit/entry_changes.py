"""Changes of the things of a scene: moved, turned, copied, deleted.

Each takes the file's text and what it says (`data`), names a thing by its key, and returns the changed text.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from gambol.files.toml_lines import Key
from gambol.view.edit.entries import (
    BUMPS,
    Data,
    Spot,
    area_spot,
    frame,
    free_name,
    is_point,
    middle,
    path_spots,
    points_key,
    spots,
)
from gambol.view.edit.toml_edit import append_copy, cut, get, put

GRAIN = 2  # decimals of dragged numbers in metres and degrees; larger: finer, longer texts
FINE = 6  # decimals of computed numbers
ASIDE_M = 1.0  # m, > 0: distance of a copy from the original


def move(text: str, data: Data, key: Key, x: float, y: float) -> str:
    """Return the text with the spot of a key at another place."""
    entry, name = get(data, key), key[-1]
    x, y = round(x, FINE), round(y, FINE)
    if name == "start" or is_point(entry):
        if len(key) > 2 and key[-2] in ("corners", "line"):
            at, turn = frame(get(data, key[:-2], {}))
            x, y = (round(float(value), FINE) for value in turn.T @ (np.array([x, y]) - at))
        return put(text, key, [x, y])
    is_for_many = name in ("starts", "goals", "wander") or (len(key) > 2 and key[-2] == "goals")
    if is_for_many and not (isinstance(entry, dict) and "at" in entry):
        return _move_area(text, key, entry, x, y)
    if not isinstance(entry, dict):
        return text
    if "at" in entry or name == "goal" or (len(key) > 2 and key[-2] in ("waypoints", "path")):
        return put(text, (*key, "at"), [x, y])
    return _move_whole(text, key, entry, x, y)


def turn(text: str, data: Data, key: Key, heading_deg: float) -> str:
    """Return the text with a thing turned; points without a place of their own turn about their middle."""
    entry = get(data, key, {})
    name = points_key(entry)
    if name is not None and "at" not in entry and "path" not in entry:
        at = np.array([round(value, GRAIN) for value in middle(entry)])
        points = [[round(float(value), FINE) for value in np.array(point) - at] for point in entry[name]]
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
    """Return data that already hold a copy of a thing."""
    array = [*get(data, key[:-1]), get(data, key)]
    if key[: len(BUMPS)] == BUMPS:
        return {"world": {"terrain": {"bumps": array}}}
    return {**data, str(key[0]): array}


def delete(text: str, data: Data, key: Key) -> str:
    """Return the text without a thing or a part of one."""
    if key[: len(BUMPS)] == BUMPS and len(get(data, BUMPS)) == 1 and set(get(data, BUMPS[:-1])) == {"bumps"}:
        return cut(text, BUMPS[:-1])
    return cut(text, key)


def can_lose(data: Data, key: Key) -> bool:
    """Tell whether a part can be deleted alone: its array still has enough points, places or goals."""
    least = {"waypoints": 1, "goals": 2, "path": 2, "line": 3, "corners": 4}
    return len(key) > 3 and key[-2] in least and len(get(data, key[:-1], ())) >= least[str(key[-2])]


def add_point(text: str, data: Data, key: Key) -> tuple[str, Key] | None:
    """Return the text with one more way-point, place of a path or corner, and its key; None: the thing has none."""
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
        known = path_spots(key, entry)
        x, y = (known[-1].x, known[-1].y) if known else middle(entry)
        time_s = entry["path"][-1].get("time_s", 0.0) + 2.0
        point = (*key, "path", len(entry["path"]))
        return put(text, point, {"time_s": time_s, "at": [round(x + 2.0, GRAIN), round(y, GRAIN)]}), point
    name = points_key(entry)
    if name is None:
        return None
    points = [list(point) for point in entry[name]]
    ring = [*points, points[0]] if name == "corners" else points
    lengths = [math.dist(a, b) for a, b in pairwise(ring)]
    index = int(np.argmax(lengths)) + 1
    halfway = [round(0.5 * (a + b), GRAIN) for a, b in zip(ring[index - 1], ring[index], strict=True)]
    return put(text, (*key, name), [*points[:index], halfway, *points[index:]]), (*key, name, index)


def _move_area(text: str, key: Key, value: Any, x: float, y: float) -> str:
    """Move an area, a line or a circle."""
    spot = area_spot(key, value)
    if spot is None:
        return text
    if isinstance(value, dict) and isinstance(value.get("circle"), dict):
        return put(text, (*key, "circle", "at"), [x, y])
    dx, dy = x - spot.x, y - spot.y
    if isinstance(value, dict) and value.get("area") is None:
        line = [[round(px + dx, FINE), round(py + dy, FINE)] for px, py in value["line"]]
        return put(text, (*key, "line"), line)
    area = value["area"] if isinstance(value, dict) else value
    moved = [round(one + (dx, dy)[index % 2], FINE) for index, one in enumerate(area)]
    return put(text, (*key, "area") if isinstance(value, dict) else key, moved)


def _move_whole(text: str, key: Key, entry: Data, x: float, y: float) -> str:
    """Move a thing without a place of its own: all places of its path, or all its points."""
    x0, y0 = middle(entry)
    dx, dy = x - x0, y - y0
    for spot in path_spots(key, entry):
        text = put(text, (*spot.key, "at"), [round(spot.x + dx, FINE), round(spot.y + dy, FINE)])
    name = points_key(entry)
    if name is not None and not path_spots(key, entry):
        points = [[round(px + dx, FINE), round(py + dy, FINE)] for px, py in entry[name]]
        text = put(text, (*key, name), points)
    elif name is None and not path_spots(key, entry):
        text = put(text, (*key, "at"), [x, y])
    return text
