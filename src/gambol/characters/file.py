"""Character files: TOML in, a character out, with every mistake listed by its key."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from gambol.characters.build import Say, build_character, check_cuts
from gambol.characters.character import Character
from gambol.characters.expand import expand
from gambol.characters.file_model import BehaviorEntry, CharacterFile, ClipEntry, ReadingEntry
from gambol.characters.takes import Takes, motions_folder
from gambol.errors import FileProblem, InvalidInput, MalformedFile
from gambol.files.disk import read_bytes
from gambol.files.entries import Problems, parse_toml, readable, tables, validate
from gambol.files.toml_lines import Key


def read_character(path: Path, motions: Path | str | None, say: Say | None) -> Character:
    """Read a character file and build what it says; motions: the folder of motion files, in place of the file's."""
    try:
        return _load(_text(path), path.parent, motions, say)
    except FileProblem as problem:
        raise problem.in_file(path) from None


def parse_character(text: str) -> CharacterFile:
    """Return what a character file says, without looking at the motion files it names."""
    problems = Problems(text)
    spec = _validated(parse_toml(text), problems)
    problems.raise_if_any()
    assert spec is not None
    return spec


def read_character_file(path: Path | str) -> CharacterFile:
    """Read what a character file says, without looking at the motion files it names."""
    try:
        return parse_character(_text(Path(path)))
    except FileProblem as problem:
        raise problem.in_file(path) from None


def _load(text: str, beside: Path, motions: Path | str | None, say: Say | None) -> Character:
    data = parse_toml(text)
    problems = Problems(text)
    spec = _validated(data, problems)
    folder = _folder(data, beside, motions, problems)
    if spec is None or folder is None or problems:
        if folder is not None:
            check_cuts(_readable_cuts(data), Takes(folder, *_reading(data)), problems)
        problems.raise_if_any()
    assert spec is not None
    assert folder is not None
    return build_character(spec, folder, problems=problems, say=say)


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedFile(f"this is not text in UTF-8: {error.reason}", path=path) from None


def _validated(data: Mapping[str, Any], problems: Problems) -> CharacterFile | None:
    spec = validate(CharacterFile, data, problems)
    _check_names(data, spec, problems)
    return spec


def _folder(data: Mapping[str, Any], beside: Path, motions: Path | str | None, problems: Problems) -> Path | None:
    stated = data.get("motions", ".")
    if motions is not None:
        if not Path(motions).is_dir():
            raise InvalidInput(f"there is no folder {motions}")
        return Path(motions)
    if not isinstance(stated, str):
        return None  # said already
    try:
        return motions_folder(stated, beside=beside)
    except InvalidInput as error:
        problems.add(("motions",), str(error))
        return None


def _check_names(data: Mapping[str, Any], spec: CharacterFile | None, problems: Problems) -> None:
    """Add names that occur twice, and edges, subsets and labels that name what does not exist.

    It looks at all that can be read, so that a mistake elsewhere does not hide these.
    """
    names: dict[str, Key] = {}
    unread: list[str] = []  # names of behaviors with mistakes: what they expand to is not known
    labels: list[tuple[Key, str]] = []
    for index, raw in enumerate(tables(data.get("behaviors"))):
        key: Key = ("behaviors", index)
        entry = readable(BehaviorEntry, raw) if spec is None else spec.behaviors[index]
        if entry is None:
            unread += [name for name in (raw.get("name"), raw.get("mirrored_as")) if isinstance(name, str)]
            continue
        for one in expand(entry):
            if one.name in names:
                problems.add((*key, "name"), f"there are two behaviors {one.name!r}")
            names[one.name] = key
            labels += [((*key, "begins"), one.begins), ((*key, "ends"), one.ends)]
    known = [*names, *unread]
    _check_labels(data, labels, problems)
    for index, raw in enumerate(tables(data.get("edges"))):
        for side in ("source", "target"):
            name = raw.get(side)
            if isinstance(name, str) and name not in names and not name.startswith(tuple(unread) or ("\0",)):
                problems.add_unknown(("edges", index, side), "behavior", name, known)
    subsets = data.get("subsets")
    for subset, members in subsets.items() if isinstance(subsets, Mapping) else ():
        for index, pattern in enumerate(members if isinstance(members, list) else ()):
            if isinstance(pattern, str) and not unread and not any(fnmatchcase(name, pattern) for name in names):
                problems.add_unknown(("subsets", subset, index), "behavior", pattern, known)


def _check_labels(data: Mapping[str, Any], labels: list[tuple[Key, str]], problems: Problems) -> None:
    stated = data.get("labels")
    if not isinstance(stated, list):
        return
    for key, label in labels:
        if label not in stated:
            problems.add_unknown(key, "label", label, [name for name in stated if isinstance(name, str)])


def _readable_cuts(data: Mapping[str, Any]) -> list[tuple[Key, ClipEntry]]:
    """Return the cuts that are stated without mistakes, whatever surrounds them."""
    found: list[tuple[Key, ClipEntry]] = []
    for i, behavior in enumerate(tables(data.get("behaviors"))):
        for j, raw in enumerate(tables(behavior.get("clips"))):
            entry = readable(ClipEntry, raw)
            if entry is not None:
                found.append((("behaviors", i, "clips", j), entry))
    return found


def _reading(data: Mapping[str, Any]) -> tuple[ReadingEntry, dict[str, ReadingEntry]]:
    stated = data.get("takes")
    takes = {file: readable(ReadingEntry, raw) for file, raw in stated.items()} if isinstance(stated, dict) else {}
    return (
        readable(ReadingEntry, data.get("reading", {})) or ReadingEntry(),
        {file: entry for file, entry in takes.items() if entry is not None},
    )
