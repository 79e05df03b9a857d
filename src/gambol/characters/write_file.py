"""Write a character file as TOML that people like to read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.items import AoT, Array, InlineTable, Table

from gambol.characters.file_model import CharacterFile
from gambol.files.disk import write_atomically

_ENTRIES = ("behaviors", "edges")  # written as [[behaviors]] and [[edges]]


def format_character(spec: CharacterFile) -> str:
    """Return a character file's text, without values that equal the default; `extra` is kept unchanged."""
    document = tomlkit.document()
    stated = spec.model_dump(exclude_defaults=True)
    tables = {key: value for key, value in stated.items() if isinstance(value, Mapping)}
    for key, value in stated.items():
        if key not in _ENTRIES and key not in tables:
            document.add(key, tomlkit.item(value))
    for key in ("reading", "takes", "skeleton", *_ENTRIES, "subsets", "extra"):
        if key in _ENTRIES and key in stated:
            document.add(key, _entries(stated[key]))
        elif key in tables:
            document.add(key, tomlkit.item(tables[key]) if key == "extra" else _table(tables[key]))
    return tomlkit.dumps(document)


def write_character(path: Path | str, spec: CharacterFile) -> None:
    """Write a character file completely or not at all."""
    write_atomically(path, format_character(spec).encode())


def _entries(values: list[Mapping[str, Any]]) -> AoT:
    array = tomlkit.aot()
    for value in values:
        array.append(_table(value))
    return array


def _table(values: Mapping[str, Any]) -> Table:
    table = tomlkit.table()
    for key, value in values.items():
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            table.add(key, _rows(value))
        elif isinstance(value, Mapping):
            table.add(key, _inline(value))
        else:
            table.add(key, list(value) if isinstance(value, tuple) else value)
    return table


def _rows(values: list[Mapping[str, Any]] | tuple[Mapping[str, Any], ...]) -> Array:
    """Return tables as an array, one on each line."""
    array = tomlkit.array()
    for value in values:
        array.append(_inline(value))
    return array.multiline(len(values) > 1)


def _inline(values: Mapping[str, Any]) -> InlineTable:
    table = tomlkit.inline_table()
    for key, value in values.items():
        if isinstance(value, Mapping):
            table.append(key, _inline(value))
        elif isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            array = tomlkit.array()
            for one in value:
                array.append(_inline(one))
            table.append(key, array)
        else:
            table.append(key, list(value) if isinstance(value, tuple) else value)
    return table
