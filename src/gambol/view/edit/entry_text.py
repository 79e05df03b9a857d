"""The text of one thing, for changes by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gambol.errors import InvalidInput, MalformedFile
from gambol.files.entries import Problems, parse_toml, shown_key, validate
from gambol.files.toml_lines import Key
from gambol.scenes.file_model import ActorEntry, GroupEntry
from gambol.scenes.world_model import BumpEntry, MeshEntry, MoverEntry, ObstacleEntry
from gambol.view.edit.toml_edit import Spans, get

#: What validates an entry, by the first part of its key.
MODELS = {
    "obstacles": ObstacleEntry,
    "movers": MoverEntry,
    "meshes": MeshEntry,
    "cast": ActorEntry,
    "groups": GroupEntry,
    "world": BumpEntry,
}


def entry_text(text: str, key: Key) -> str:
    """Return the text of a thing as it stands in the file."""
    start, end = _span(text, key)
    return text[start:end].replace("\r\n", "\n")


def with_entry_text(text: str, key: Key, entry: str) -> str:
    """Return the file's text with another text for a thing; a text of another kind is an error."""
    start, end = _span(text, key)
    is_inline = key in Spans(text).values
    parent: Key = ("value",) if is_inline else key[:-1]
    said = parse_toml(f"value = [{entry}\n]" if is_inline else entry)
    found = get(said, parent)
    if not (isinstance(found, list) and len(found) == 1 and isinstance(found[0], dict) and _is_all(said, parent)):
        head = "{ … }" if is_inline else f"[[{'.'.join(str(part) for part in parent)}]]"
        raise InvalidInput(f"expected one {head} and nothing else")
    problems = Problems(entry)
    validate(MODELS[str(key[0])], found[0], problems)
    problems.raise_if_any()
    newline = "\r\n" if "\r\n" in text else "\n"
    changed = f"{text[:start]}{entry.strip().replace(chr(10), newline)}{text[end:]}"
    parse_toml(changed)
    return changed


def _is_all(said: Mapping[str, Any], key: Key) -> bool:
    """Tell whether data hold nothing beside the value at a key."""
    return all(len(get(said, key[:depth])) == 1 for depth in range(len(key)))


def _span(text: str, key: Key) -> tuple[int, int]:
    spans = Spans(text)
    if key in spans.values:
        return spans.values[key]
    blocks = spans.own_blocks(key)
    if not blocks:
        raise MalformedFile(f"there is no {shown_key(key)} in this file")
    first, last = spans.blocks.index(blocks[0]), spans.blocks.index(blocks[-1])
    if last - first + 1 != len(blocks):
        raise InvalidInput("its tables stand in several places of the file: change them there")
    return blocks[0].start, blocks[-1].end
