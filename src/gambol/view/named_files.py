"""The files that a scene or a character names, and which of them lie outside of the folder that may be read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from gambol.characters.store import is_character_file
from gambol.characters.takes import motions_folder
from gambol.errors import GambolError
from gambol.files.disk import read_bytes
from gambol.files.entries import parse_toml, tables
from gambol.files.toml_lines import Key
from gambol.scenes.file import MAX_BYTES
from gambol.view.edit.toml_edit import get

NOWHERE = Path("/")  # stands for a name that cannot be a file's


class WayOut(NamedTuple):
    """A file that a scene names and that may not be read."""

    key: Key
    file: Path
    message: str


def named_files(data: Mapping[str, Any]) -> list[tuple[Key, str]]:
    """Return the files that a scene names, each with its key."""
    keys: list[Key] = [("world", "terrain", "image", "file"), ("world", "terrain", "mesh", "file")]
    for array, name in (("meshes", "file"), ("movers", "recording"), ("cast", "character"), ("groups", "character")):
        keys += [(array, index, name) for index in range(len(tables(data.get(array))))]
    found = [(key, get(data, key)) for key in keys]
    return [
        (key, name)
        for key, name in found
        if isinstance(name, str) and name and (key[-1] != "character" or is_character_file(name))
    ]


def ways_out(data: Mapping[str, Any], *, beside: Path, within: Path) -> list[WayOut]:
    """Return the files outside of a folder that a scene names, itself or through its characters' files.

    beside: the folder of the scene; within: the folder that may be read, links resolved.
    """
    found = []
    for key, name in named_files(data):
        file = place_of(beside, name)
        if within not in file.parents:
            found.append(WayOut(key, file, f"{name!r} is outside of the folder {within}"))
        elif key[-1] == "character" and (message := way_out_of_character(file, within)):
            found.append(WayOut(key, file, message))
    return found


def way_out_of_character(file: Path, within: Path) -> str:
    """Return a message about what a character file names outside of a folder; "": nothing.

    A file that is no character file passes: reading it raises the error.
    """
    if within not in file.resolve().parents:
        return f"{file.name} is outside of the folder {within}"
    try:
        data = parse_toml(read_bytes(file, max_bytes=MAX_BYTES).decode("utf-8-sig"))
        stated = data.get("motions", ".")
        folder = motions_folder(stated if isinstance(stated, str) else ".", beside=file.parent)
    except (GambolError, UnicodeDecodeError):
        return ""
    if within != folder.resolve() and within not in folder.resolve().parents:
        return f"{file.name} takes its motions from {stated!r}, outside of the folder {within}"
    for name in _files_in(data):
        for read in read_with(place_of(folder, name)):
            if within not in read.resolve().parents:
                return f"{file.name} names {name!r}, outside of the folder {within}"
    return ""


def read_with(motion: Path) -> list[Path]:
    """Return a motion file and the files that are read with it: for an AMC file the skeletons beside it."""
    return [motion, *motion.parent.glob("*.asf")] if motion.suffix.lower() == ".amc" else [motion]


def place_of(folder: Path, name: str) -> Path:
    """Return the file of a name, links resolved."""
    try:
        return (folder / name).resolve()
    except (OSError, RuntimeError, ValueError):  # links in a circle, or impossible names
        return NOWHERE


def _files_in(value: Any) -> Iterator[str]:
    """Yield all files that a character file's tables name."""
    for one in value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ():
        yield from _files_in(one)
    if isinstance(value, Mapping) and isinstance(value.get("file"), str):
        yield value["file"]
