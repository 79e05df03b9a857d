"""New things that can be added to a scene, and new scenes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from gambol.errors import UnknownName
from gambol.files.toml_lines import Key
from gambol.view.edit.entries import BUMPS, Data, free_name, points_key, spots, things
from gambol.view.edit.entry_changes import GRAIN
from gambol.view.edit.toml_edit import append, get, literal, put

Entry = dict[str, Any]
Make = Callable[[float, float], list[tuple[str, Entry]]]  # from a place to entries, each with the name of its array
FAR_M = 6.0  # m, > 0: distance of a new character from its goal, if there is room
APART_M = 1.5  # m, > 0: distance of a new thing from others, if there is room
WIDE_M = 4.5  # m, > 0: distance of a new group, hill or hollow from others, if there is room
GOAL_APART_M = 3.0  # m, > 0: distance of a new goal from its start, if there is room
MOST_RINGS = 20  # >= 1: rings of places that are tried around the wanted one; larger: slower in full scenes
NEW_KINDS = ("plan", "crowd")  # kinds of new scenes


def new_scene(name: str, kind: str, width_m: float, depth_m: float) -> str:
    """Return the text of a scene with nothing in it."""
    if kind not in NEW_KINDS:
        raise UnknownName("kind of scene", kind, NEW_KINDS)
    said = "" if kind == "plan" else f"kind = {literal(kind)}\n"
    return f"name = {literal(name)}\n{said}\n[world]\nbounds = [0, 0, {literal(width_m)}, {literal(depth_m)}]\n"


def _obstacle(name: str, **shape: Any) -> Make:
    return lambda x, y: [("obstacles", {"name": name, "at": [x, y], **shape})]


def _mover(name: str, **motion: Any) -> Make:
    return lambda x, y: [("movers", {"name": name, "at": [x, y], **motion})]


def _polygon(x: float, y: float) -> list[tuple[str, Entry]]:
    return [("obstacles", {"name": "polygon", "at": [x, y], "corners": [[-1.5, -1], [1.5, -1], [1, 1.5], [-1, 1]]})]


def _archway(x: float, y: float) -> list[tuple[str, Entry]]:
    post = {"size": [0.4, 0.4], "top_m": 2.6}
    return [
        ("obstacles", {"name": "archway, south", "at": [x, round(y - 1.2, GRAIN)], **post}),
        ("obstacles", {"name": "archway, north", "at": [x, round(y + 1.2, GRAIN)], **post}),
        ("obstacles", {"name": "archway, beam", "at": [x, y], "size": [0.4, 2.8], "bottom_m": 2.2, "top_m": 2.6}),
    ]


def _along_a_path(x: float, y: float) -> list[tuple[str, Entry]]:
    places = [{"time_s": 0, "at": [x, y]}, {"time_s": 4, "at": [round(x + 4, GRAIN), y]}]
    return [("movers", {"name": "cart", "size": [1.2, 0.8], "top_m": 1, "repeat": "bounce", "path": places})]


def _character(kind: str, name: str) -> Make:
    def made(x: float, y: float) -> list[tuple[str, Entry]]:
        who = {} if kind == "human" else {"character": kind}
        return [("cast", {"name": name, **who, "start": [x, y], "goal": [round(x + FAR_M, GRAIN), y]})]

    return made


def _wanderer(x: float, y: float) -> list[tuple[str, Entry]]:
    return [("cast", {"name": "wanderer", "start": [x, y], "wander": {}})]


def _group(x: float, y: float) -> list[tuple[str, Entry]]:
    starts, goals = [x - 2, y - 2, x + 2, y + 2], [x + FAR_M - 2, y - 2, x + FAR_M + 2, y + 2]
    return [("groups", {"name": "group", "count": 6, "starts": {"area": starts}, "goals": {"area": goals}})]


def _bump(height_m: float) -> Make:
    return lambda x, y: [("bumps", {"at": [x, y], "radius_m": 4, "height_m": height_m})]


#: All new things by what the panel calls them.
TEMPLATES: Mapping[str, Make] = MappingProxyType(
    {
        "Wall": _obstacle("wall", size=[4, 0.4]),
        "Box": _obstacle("box", size=[1.5, 1.5], top_m=1.5),
        "Disc": _obstacle("disc", radius_m=0.7),
        "Polygon": _polygon,
        "Wall along a line": lambda x, y: [
            ("obstacles", {"name": "line", "at": [x, y], "line": [[-2, 0], [1, 0], [2, 2]], "thickness_m": 0.3})
        ],
        "Hurdle": _obstacle("hurdle", size=[0.25, 3], top_m=0.4),
        "Beam": _obstacle("beam", size=[0.3, 3], bottom_m=1.25, top_m=1.6),
        "Archway": _archway,
        "Hill": _bump(1.0),
        "Hollow": _bump(-0.5),
        "Mover, back and forth": _mover(
            "door", size=[0.4, 2], back_and_forth={"along": "own-y", "range_m": 3, "speed_m_s": 1}
        ),
        "Mover, turning": _mover("bar", size=[4, 0.3], top_m=1.2, spin={"deg_s": 30}),
        "Mover, along a path": _along_a_path,
        "Falling log": _mover(
            "log", radius_m=0.25, falling={"length_m": 6, "heading_deg": 0, "start_s": 4, "duration_s": 1.5}
        ),
        "Person": _character("human", "Ann"),
        "Skateboarder": _character("skateboarder", "Sam"),
        "Horse": _character("horse", "Bay"),
        "Wanderer": _wanderer,
        "Group": _group,
    }
)
WIDE = ("Group", "Hill", "Hollow")  # things that keep WIDE_M from others
CROWD_ONLY = ("Wanderer",)  # things that plans cannot have
PLAN_ONLY = ("Hill", "Hollow")  # things that crowds cannot have


def templates_for(kind: str) -> tuple[str, ...]:
    """Return the names of the new things for a kind of scene."""
    without = PLAN_ONLY if kind == "crowd" else CROWD_ONLY
    return tuple(name for name in TEMPLATES if name not in without)


def add(text: str, data: Data, template: str, x: float, y: float) -> tuple[str, Key]:
    """Return the text with a new thing near a place, inside the bounds, and the key of the last entry added."""
    if template not in TEMPLATES:
        raise UnknownName("thing to add", template, tuple(TEMPLATES))
    x, y = room_near(data, x, y, apart_m=WIDE_M if template in WIDE else APART_M)
    key: Key = ()
    for array, entry in TEMPLATES[template](x, y):
        entry = _inside(data, entry)
        if array == "bumps":
            key = (*BUMPS, len(get(data, BUMPS, ())))
            text = put(text, key, entry)
            continue
        key = (array, len(data.get(array, ())))
        entry["name"] = free_name(data, entry["name"])
        text, data = append(text, array, entry), {**data, array: [*data.get(array, ()), entry]}
    return text, key


def room_near(
    data: Data, x: float, y: float, *, apart_m: float = APART_M, also: Iterable[tuple[float, float, float]] = ()
) -> tuple[float, float]:
    """Return the nearest free place inside the bounds or, if there is none, the one with most room.

    also: more places to keep away from, each with a distance.
    """
    taken = [
        (spot.x, spot.y, apart_m + (0.0 if spot.key[: len(BUMPS)] == BUMPS else _reach_m(get(data, spot.key))))
        for thing in things(data)
        for spot in spots(data, thing.key)
    ]
    taken += also
    x0, y0, x1, y1 = _bounds(data)
    x, y = min(max(x, x0), x1), min(max(y, y0), y1)
    best, most_m = (x, y), -math.inf
    for place in _around(x, y):
        if not (x0 + 1.0 <= place[0] <= x1 - 1.0 and y0 + 1.0 <= place[1] <= y1 - 1.0):
            continue
        room_m = min((math.dist(place, one[:2]) - one[2] for one in taken), default=0.0)
        if room_m > most_m:
            best, most_m = place, room_m
        if room_m >= 0.0:
            break
    return round(best[0], 1), round(best[1], 1)


def _reach_m(entry: Any) -> float:
    """Return how far a shape reaches from its middle; 0: it has no shape."""
    if not isinstance(entry, dict):
        return 0.0
    if isinstance(entry.get("size"), list):
        return 0.5 * math.hypot(*entry["size"])
    if isinstance(entry.get("area"), list):
        return 0.5 * math.dist(entry["area"][:2], entry["area"][2:])
    name = points_key(entry)
    if name is not None:
        low, high = ([pick(values) for values in zip(*entry[name], strict=True)] for pick in (min, max))
        return 0.5 * math.dist(low, high)
    return float(entry.get("radius_m", 0.0))


def _around(x: float, y: float) -> Iterator[tuple[float, float]]:
    yield x, y
    for ring in range(1, MOST_RINGS):
        for step in range(8 * ring):
            angle = 2.0 * math.pi * step / (8 * ring)
            yield x + ring * APART_M * math.cos(angle), y + ring * APART_M * math.sin(angle)


def _inside(data: Data, entry: Entry) -> Entry:
    """Return an entry with its goals inside the bounds, and a single goal at a free place."""
    x0, y0, x1, y1 = _bounds(data)
    if isinstance(entry.get("goal"), list):
        x, y = entry["goal"]
        also = [(*entry["start"], GOAL_APART_M)]
        entry = {**entry, "goal": list(room_near(data, x if x <= x1 - 1.0 else x - 2.0 * FAR_M, y, also=also))}
    for name in ("starts", "goals"):
        if isinstance(entry.get(name), dict):
            low_x, low_y, high_x, high_y = entry[name]["area"]
            dx = max(x0 - low_x, 0.0) + min(x1 - high_x, 0.0)
            dy = max(y0 - low_y, 0.0) + min(y1 - high_y, 0.0)
            area = [round(value, GRAIN) for value in (low_x + dx, low_y + dy, high_x + dx, high_y + dy)]
            entry = {**entry, name: {"area": area}}
    return entry


def _bounds(data: Data) -> tuple[float, float, float, float]:
    bounds = get(data, ("world", "bounds"))
    is_whole = isinstance(bounds, list) and len(bounds) == 4 and all(isinstance(one, (int, float)) for one in bounds)
    return tuple(bounds) if is_whole else (0.0, 0.0, 20.0, 20.0)
