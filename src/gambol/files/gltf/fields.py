"""Take values out of a glTF file's JSON, and check them.

Errors name the value (`where` is the object's path, such as "nodes[3]"): a broken file gives an explanation instead of
a KeyError.
"""

from __future__ import annotations

from typing import Any

from gambol.errors import MalformedFile

Json = dict[str, Any]
MAX_VALUE = 1e9  # larger coordinates, scales and times count as damage


def objects(parent: Json, key: str, where: str = "") -> list[Json]:
    """Return a list of objects; a missing one is empty."""
    value = parent.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise MalformedFile(f"{_path(where, key)} must be a list of objects")
    return value


def section(parent: Json, key: str, where: str = "") -> Json:
    """Return a nested object; a missing one is empty."""
    value = parent.get(key, {})
    if not isinstance(value, dict):
        raise MalformedFile(f"{_path(where, key)} must be an object, not {shown(value)}")
    return value


def integer(parent: Json, key: str, where: str, *, default: int | None = None, low: int = 0, below: int) -> int:
    """Return a whole number in [low, below)."""
    value = parent.get(key, default)
    if not _is_integer(value) or not low <= value < below:
        raise MalformedFile(f"{_path(where, key)} must be a whole number in [{low}, {below}), not {shown(value)}")
    return value


def indices(parent: Json, key: str, where: str, *, below: int) -> list[int]:
    """Return a list of indices in [0, below); a missing one is empty."""
    value = parent.get(key, [])
    if not isinstance(value, list):
        raise MalformedFile(f"{_path(where, key)} must be a list of indices, not {shown(value)}")
    for item in value:
        if not _is_integer(item) or not 0 <= item < below:
            raise MalformedFile(f"{_path(where, key)} must hold indices in [0, {below}), not {shown(item)}")
    return value


def numbers(parent: Json, key: str, where: str, *, count: int) -> list[float] | None:
    """Return a list of `count` plausible numbers, or None where it is missing."""
    if key not in parent:
        return None
    value = parent[key]
    if not isinstance(value, list) or len(value) != count or not all(_is_number(item) for item in value):
        raise MalformedFile(f"{_path(where, key)} must be {count} numbers within ±{MAX_VALUE:.0e}, not {shown(value)}")
    return [float(item) for item in value]


def text(parent: Json, key: str) -> str:
    """Return a text, or "" where it is missing or no text; lone surrogates, which no file can hold, become "?"."""
    value = parent.get(key, "")
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


def shown(value: object) -> str:
    """Quote a value of the file for a message, at most 60 characters of it."""
    if isinstance(value, (list, dict)):
        return f"a {'list' if isinstance(value, list) else 'object'} of {len(value)}"
    if isinstance(value, int) and abs(value) > MAX_VALUE:
        return "an enormous number"  # printing one can take longer than reading the file
    quoted = repr(value)
    return quoted if len(quoted) <= 60 else quoted[:57] + "..."


def _is_integer(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -MAX_VALUE <= value <= MAX_VALUE


def _path(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key
