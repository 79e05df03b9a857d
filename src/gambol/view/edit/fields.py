"""The fields of a thing in the panel, and how each changes the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from gambol.files.toml_lines import Key
from gambol.view.edit import entries
from gambol.view.edit.entries import BUMPS, Data
from gambol.view.edit.entry_changes import move, turn
from gambol.view.edit.toml_edit import cut, get, put

Value = Any  # number, text, choice, or two numbers
Apply = Callable[[str, Data, Value], str]  # from a text, what it says, and a new value to the changed text
HIGHEST_M = 4.0  # m, > 0: upper end of sliders for heights, unless the thing is higher
LEAST_TOP_M = 0.05  # m, > 0: lower end of the slider for a top
HIGHEST_HILL_M = 5.0  # m, > 0: ends of the slider for a hill or hollow, unless it is higher or deeper
KINDS = ("plan", "crowd", "climb")  # kinds of scenes
THEN = ("stand", "leave", "repeat")  # what an actor of a crowd does after its last goal


class Field(NamedTuple):
    """One control of the panel."""

    label: str
    kind: str  # number, whole, slider, place, text, choice or check
    value: Value
    apply: Apply
    low: float | None = None
    high: float | None = None
    step: float | None = None
    options: tuple[str, ...] = ()


def scene_fields(data: Data) -> list[Field]:
    """Return the fields of the scene as a whole."""
    bounds = get(data, ("world", "bounds"), [0, 0, 20, 20])
    low, high = tuple(float(one) for one in bounds[:2]), tuple(float(one) for one in bounds[2:])
    return [
        _text(("name",), data, "Name"),
        _text(("summary",), data, "Summary"),
        Field("Kind", "choice", data.get("kind", "plan"), _at(("kind",)), options=KINDS),
        Field("Seed", "whole", data.get("seed", 0), _at(("seed",)), low=0),
        Field("Bounds from", "place", low, lambda text, data, value: _set_bounds(text, data, value, 0), step=0.5),
        Field("Bounds to", "place", high, lambda text, data, value: _set_bounds(text, data, value, 2), step=0.5),
    ]


def thing_fields(data: Data, key: Key, part: Key = ()) -> list[Field]:
    """Return the fields of a thing, and of a part of it: a corner, or a place of its path."""
    entry = get(data, key)
    if not isinstance(entry, dict):
        return []
    if key[0] == "cast":
        return _actor_fields(data, key, entry)
    if key[0] == "groups":
        return _group_fields(data, key, entry)
    if key[: len(BUMPS)] == BUMPS:
        height = float(entry.get("height_m", 0.0))
        highest = max(HIGHEST_HILL_M, abs(height))
        return [
            _place(key, entry),
            _number((*key, "radius_m"), data, "Radius", 1.0, low=0.1),
            Field("Height", "slider", height, _at((*key, "height_m")), -highest, highest, 0.05),
            _number((*key, "flat_m"), data, "Level top", 0.0, low=0.0),
        ]
    found = [_text((*key, "name"), data, "Name"), _place(key, entry)]
    if len(part) > 3:
        found.append(_spot_field(part_name(part).capitalize(), part, data))
    if "falling" not in entry and "recording" not in entry:
        heading = _wrapped(entry.get("heading_deg", 0.0))
        found.append(Field("Turn", "slider", heading, _turned(key), -180.0, 180.0, 1.0))
    if key[0] == "meshes":
        return [*found, _number((*key, "scale"), data, "Scale", 1.0, low=0.001)]
    found += _shape_fields(data, key, entry)
    return [*found, *_motion_fields(data, key, entry, part)] if key[0] == "movers" else found


def _shape_fields(data: Data, key: Key, entry: Data) -> list[Field]:
    found = []
    if isinstance(entry.get("size"), list):
        found += [
            _number((*key, "size", 0), data, "Length", 1.0, low=0.05),
            _number((*key, "size", 1), data, "Width", 1.0, low=0.05),
        ]
    if "radius_m" in entry:
        found.append(_number((*key, "radius_m"), data, "Radius", 1.0, low=0.05))
    if "line" in entry:
        found.append(_number((*key, "thickness_m"), data, "Thickness", 0.2, low=0.05))
    if "falling" in entry:
        return found
    bottom, top = float(entry.get("bottom_m", 0.0)), float(entry.get("top_m", 3.0))
    high = max(HIGHEST_M, bottom, top)
    return [
        *found,
        Field("Bottom", "slider", bottom, _at((*key, "bottom_m"), least=0.0), 0.0, high, 0.05),
        Field("Top", "slider", top, _at((*key, "top_m"), least=LEAST_TOP_M), LEAST_TOP_M, high, 0.05),
    ]


def _motion_fields(data: Data, key: Key, entry: Data, part: Key) -> list[Field]:
    found = []
    if "back_and_forth" in entry:
        own = (*key, "back_and_forth")
        axes = ("world-x", "world-y", "own-x", "own-y")
        along = entry["back_and_forth"].get("along", axes[0])
        found += [
            Field("Along", "choice", along, _at((*own, "along")), options=axes),
            _number((*own, "range_m"), data, "Range", 1.0),
            _number((*own, "speed_m_s"), data, "Speed", 1.0, low=0.05),
            _number((*own, "start_s"), data, "Starts at", 0.0, low=0.0),
        ]
    if "spin" in entry:
        found.append(_number((*key, "spin", "deg_s"), data, "Degrees a second", 30.0, step=1.0))
    if "falling" in entry:
        own = (*key, "falling")
        towards = _wrapped(entry["falling"].get("heading_deg", 0.0))
        found += [
            Field("Falls towards", "slider", towards, _at((*own, "heading_deg")), -180.0, 180.0, 1.0),
            _number((*own, "length_m"), data, "Length", 4.0, low=0.1),
            _number((*own, "start_s"), data, "Starts at", 0.0, low=0.0),
            _number((*own, "duration_s"), data, "Lasts", 1.0, low=0.1),
        ]
    if "path" in entry:
        repeat, ways = entry.get("repeat", "once"), ("once", "loop", "bounce")
        found.append(Field("After the last", "choice", repeat, _at((*key, "repeat")), options=ways))
        places = range(len(entry["path"]))
        for index in places if part[:-1] != (*key, "path") else (int(part[-1]),):
            found.append(_number((*key, "path", index, "time_s"), data, f"Time {index + 1}", 0.0))
    return found


def _actor_fields(data: Data, key: Key, entry: Data) -> list[Field]:
    places = entries.spots(data, key)
    heading = round(_wrapped(entries.facing_deg(data, key)), 1)
    found = [
        _text((*key, "name"), data, "Name"),
        _text((*key, "character"), data, "Character", "human"),
        _spot_field("Start", (*key, "start"), data),
        Field("Faces", "slider", heading, _at((*key, "heading_deg")), -180.0, 180.0, 1.0),
        Field("Faces the first goal", "check", "heading_deg" not in entry, _face(key, heading)),
    ]
    for spot in places[1:]:
        if spot.key[-1] != "wander":
            label = "Goal" if spot.key[-1] == "goal" else part_name(spot.key).capitalize()
            found.append(_spot_field(label, spot.key, data))
    if "goal" in entry:
        tolerance = entry["goal"].get("tolerance_m", 0.5) if isinstance(entry["goal"], dict) else 0.5
        found.append(Field("Tolerance", "number", float(tolerance), _tolerance((*key, "goal")), 0.05, None, 0.05))
    if data.get("kind") == "crowd":
        if isinstance(entry.get("goals"), list):
            found.append(Field("Then", "choice", entry.get("then", "stand"), _at((*key, "then")), options=THEN))
        found.append(_number((*key, "appears_at_s"), data, "Appears at", 0.0, low=0.0))
    else:
        found.append(_number((*key, "starts_at_s"), data, "Starts at", 0.0, low=0.0))
    return found


#: Names of parts of a thing, by the key of their array.
_PART_NAMES = {"waypoints": "Way-point", "goals": "Goal", "path": "Place", "corners": "Corner", "line": "Point"}


def part_name(key: Key) -> str:
    """Return the name of a part of a thing."""
    if len(key) > 3 and key[-2] in _PART_NAMES:
        return f"{_PART_NAMES[str(key[-2])].lower()} {int(key[-1]) + 1}"
    return str(key[-1]) if len(key) == 3 else ""


def _group_fields(data: Data, key: Key, entry: Data) -> list[Field]:
    found = [
        _text((*key, "name"), data, "Name"),
        _text((*key, "character"), data, "Character", "human"),
        Field("Count", "whole", int(entry.get("count", 1)), _at((*key, "count")), 1, 10_000, 1),
        _number((*key, "spacing_m"), data, "Spacing", 1.2, low=0.1),
        _number((*key, "jitter_m"), data, "Jitter", 0.0, low=0.0),
        _number((*key, "tolerance_m"), data, "Tolerance", 0.5, low=0.05),
        Field("Goals by chance", "check", bool(entry.get("mixed", False)), _at((*key, "mixed"))),
    ]
    for name in ("starts", "goals", "wander"):
        area = get(entry, (name, "area"))
        if isinstance(area, list) and len(area) == 4:
            for corner, label in ((0, "from"), (2, "to")):
                value = (float(area[corner]), float(area[corner + 1]))
                apply = _corner((*key, name, "area"), corner)
                found.append(Field(f"{name.capitalize()} {label}", "place", value, apply, step=0.5))
    return [*found, *_group_crowd_fields(data, key, entry)] if data.get("kind") == "crowd" else found


def _group_crowd_fields(data: Data, key: Key, entry: Data) -> list[Field]:
    """Return the fields of a group that only crowds have."""
    found = []
    if "goals" in entry:
        found.append(Field("Then", "choice", entry.get("then", "stand"), _at((*key, "then")), options=THEN))
    return [
        *found,
        _number((*key, "appears_at_s"), data, "Appears at", 0.0, low=0.0),
        _number((*key, "interval_s"), data, "One every (s)", 0.0, low=0.0),
        Field("Stay together", "check", bool(entry.get("together", False)), _at((*key, "together"))),
    ]


def _corner(key: Key, corner: int) -> Apply:
    def apply(text: str, data: Data, value: Value) -> str:
        area = list(get(data, key))
        area[corner : corner + 2] = value
        return put(text, key, area)

    return apply


def _at(key: Key, *, least: float | None = None) -> Apply:
    """Return the change that puts a value at a key.  least: the least value; None: there is none."""
    return lambda text, data, value: put(text, key, value if least is None else max(value, least))


def _text(key: Key, data: Data, label: str, default: str = "") -> Field:
    """Return a field of text; an empty text removes the key."""

    def apply(text: str, data: Data, value: Value) -> str:
        if value.strip():
            return put(text, key, value)
        return text if get(data, key) is None else cut(text, key)

    return Field(label, "text", str(get(data, key, default)), apply)


def _number(key: Key, data: Data, label: str, default: float, *, low: float | None = None, step: float = 0.05) -> Field:
    return Field(label, "number", float(get(data, key, default)), _at(key), low, None, step)


def _place(key: Key, entry: Data) -> Field:
    return Field("At", "place", entries.middle(entry), _moved(key), step=0.1)


def _spot_field(label: str, key: Key, data: Data) -> Field:
    known = [*entries.spots(data, key[:2]), *entries.corner_spots(data, key[:2])]
    spot = next((one for one in known if one.key == key), None)
    return Field(label, "place", (spot.x, spot.y) if spot is not None else (0.0, 0.0), _moved(key), step=0.1)


def _moved(key: Key) -> Apply:
    return lambda text, data, value: move(text, data, key, *value)


def _turned(key: Key) -> Apply:
    return lambda text, data, value: turn(text, data, key, value)


def _tolerance(key: Key) -> Apply:
    """Return the change of a goal's tolerance, which needs the goal's long form."""

    def apply(text: str, data: Data, value: Value) -> str:
        goal = get(data, key)
        return put(text, key, {**(goal if isinstance(goal, dict) else {"at": goal}), "tolerance_m": value})

    return apply


def _face(key: Key, heading_deg: float) -> Apply:
    """Return the change that makes an actor face its first goal, or state its heading."""
    own = (*key, "heading_deg")
    return lambda text, data, value: cut(text, own) if value else put(text, own, heading_deg)


def _set_bounds(text: str, data: Data, value: tuple[float, float], first: int) -> str:
    bounds = list(get(data, ("world", "bounds"), [0, 0, 20, 20]))
    bounds[first : first + 2] = value
    return put(text, ("world", "bounds"), bounds)


def _wrapped(degrees: float) -> float:
    """Return an angle from -180 up to 180 degrees."""
    return 180.0 - (180.0 - float(degrees)) % 360.0
