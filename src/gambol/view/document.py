"""The scene that is open: its text, what it says, and the way back through what was changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from gambol.errors import EntryProblem, FileProblem, GambolError, InvalidEntries, InvalidInput, MalformedFile
from gambol.files.disk import read_bytes, write_atomically
from gambol.files.entries import parse_toml, shown_key
from gambol.files.toml_lines import key_lines
from gambol.scenes.file import MAX_BYTES, parse_scene
from gambol.scenes.find import shipped_path
from gambol.scenes.scene import Scene
from gambol.view.edit.toml_edit import append, cut, get, put
from gambol.view.named_files import WayOut, named_files, place_of, ways_out

Edit = Callable[[str], str]  # of a text
Change = Callable[[dict[str, Any]], None]  # of plain data
MOST_STEPS_BACK = 1000
ONE_STEP_S = 1.0  # changes about the same that follow within this time are undone at once


class Document:
    """A scene as a text that is changed entry by entry; comments and what is not changed stay as they were.

    What is changed is kept also where it makes no valid scene: then there are `problems`, and `scene` is the last
    valid one.  Only what has no problems is saved.
    """

    def __init__(self, text: str, *, beside: Path, path: Path | None = None, within: Path | None = None) -> None:
        """beside: the folder of the files that it names; within: that which they may not lead out of.

        within: None: the same folder, and whatever the text names as it is.
        """
        self.beside = beside
        self.path = path  # where it was read from, or saved to; None: nowhere yet, or a shipped scene
        self._within = (beside if within is None else within).resolve()
        self.text, self._saved = text, text
        self._trusted = self._named_now() if within is None else set[Path]()
        self.problems: tuple[EntryProblem, ...] = ()
        self.scene = self._read(text)
        self._back: list[str] = []
        self._forth: list[str] = []
        self._last: tuple[str, float] = ("", 0.0)  # what was changed last, and when

    @classmethod
    def open(cls, source: Path | str, *, within: Path | None = None) -> Document:
        """Read a scene file, or the shipped scene of this name; one with mistakes is an error that lists them."""
        path = Path(source)
        is_file = path.suffix == ".toml" or path.exists()
        at = path if is_file else shipped_path(str(source))
        try:
            text = decoded(read_bytes(at, max_bytes=MAX_BYTES))
            return cls(text, beside=at.parent, path=path if is_file else None, within=within)
        except FileProblem as problem:
            raise problem.in_file(at) from None

    @property
    def is_saved(self) -> bool:
        return self.text == self._saved

    @property
    def is_valid(self) -> bool:
        return not self.problems

    @property
    def can_undo(self) -> bool:
        return bool(self._back)

    @property
    def can_redo(self) -> bool:
        return bool(self._forth)

    @property
    def data(self) -> dict[str, Any]:
        """What the text says, as plain dictionaries and lists."""
        return parse_toml(self.text)

    @property
    def readable_data(self) -> dict[str, Any]:
        """What the text says, without the names of files that may not be read."""
        data = self.data
        for key, _, _ in self._ways_out(data) if self.problems else ():
            del get(data, key[:-1])[key[-1]]
        return data

    def confine(self, within: Path) -> None:
        """Let changes name files of a folder only; what is named already may go on being named."""
        self._trusted |= self._named_now()
        self._within = within.resolve()

    def edit(self, edit: Edit, *, about: str = "") -> None:
        """Change the text; what then is wrong with it is kept and told in `problems`.

        about: changes about the same that follow each other at once, as those of a slider, are one step back.
        """
        text = edit(self.text)
        if text == self.text:
            return
        parse_toml(text)  # what is no TOML is never kept
        now = time.monotonic()
        goes_on = about != "" and self._last[0] == about and now - self._last[1] < ONE_STEP_S and self.can_undo
        self._last = (about, now)
        if not goes_on:
            self._back = [*self._back, self.text][-MOST_STEPS_BACK:]
        self._forth = []
        self._take(text)

    def change(self, change: Change, *, about: str = "") -> None:
        """Change plain data, and the text accordingly; what makes no valid scene is an error, and nothing changes."""
        new = deepcopy(self.data)
        change(new)
        text = matched(self.text, new)
        self._read(text)
        self.edit(lambda _: text, about=about)

    def undo(self) -> None:
        """Go back to what was before the last change, if there was one."""
        if self._back:
            self._forth.append(self.text)
            self._last = ("", 0.0)
            self._take(self._back.pop())

    def redo(self) -> None:
        """Make the change again that was undone last, if there is one."""
        if self._forth:
            self._back.append(self.text)
            self._last = ("", 0.0)
            self._take(self._forth.pop())

    def save(self, path: Path) -> None:
        """Write the text to a file, with the files that it names beside it; one with mistakes is an error."""
        if self.problems:
            raise InvalidEntries(self.problems)
        folder = path.parent.resolve()
        copies = list(self._copies(folder)) if folder != self.beside.resolve() else []
        try:
            for target, content in copies:
                write_atomically(target, content)
            if copies:
                parse_scene(self.text, beside=folder)  # what they name in turn has to be there too
        except GambolError:
            for target, _ in copies:
                target.unlink(missing_ok=True)
            raise
        write_atomically(path, self.text.encode())
        self.path, self.beside, self._saved = path, path.parent, self.text
        if self._within not in path.resolve().parents:
            self._within = folder
        self._last = ("", 0.0)

    def _copies(self, folder: Path) -> Iterator[tuple[Path, bytes]]:
        """Return the files that have to come along into another folder; one that is there and differs is an error."""
        for key, name in named_files(self.data):
            content = read_bytes(place_of(self.beside, name))
            target = (folder / name).resolve()
            if folder.resolve() not in target.parents:
                raise InvalidInput(f"{shown_key(key)}: {name} would lead out of {folder}: save the scene beside it")
            if not target.exists():
                yield target, content
            elif read_bytes(target) != content:
                raise InvalidInput(f"{shown_key(key)}: there is another {name} in {folder} already")

    def _take(self, text: str) -> None:
        self.text = text
        try:
            self.scene, self.problems = self._read(text), ()
        except InvalidEntries as error:
            self.problems = error.problems
        except MalformedFile as error:
            self.problems = (EntryProblem("", error.message, error.line),)

    def _read(self, text: str) -> Scene:
        """Return the scene of a text; files that it may not name are not even looked at."""
        outside = self._ways_out(parse_toml(text))
        if outside:
            lines = key_lines(text)
            raise InvalidEntries([EntryProblem(shown_key(key), why, lines.get(key)) for key, _, why in outside])
        return parse_scene(text, beside=self.beside)

    def _ways_out(self, data: dict[str, Any]) -> list[WayOut]:
        found = ways_out(data, beside=self.beside, within=self._within)
        return [one for one in found if one.file not in self._trusted]

    def _named_now(self) -> set[Path]:
        return {place_of(self.beside, name) for _, name in named_files(self.data)}


def decoded(content: bytes) -> str:
    """Return the text of a file's contents."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MalformedFile(f"this is not text in UTF-8: {error.reason}") from None


def matched(text: str, data: Mapping[str, Any]) -> str:
    """Return the text with as little changed as makes it say what the data say."""
    old = parse_toml(text)
    for name in old.keys() - data.keys():
        text = cut(text, (name,))
    for name, value in data.items():
        before = old.get(name, [])
        if not (isinstance(value, list) and isinstance(before, list) and all(isinstance(one, dict) for one in value)):
            text = put(text, (name,), value)
            continue
        gone = next((at for at in range(len(before)) if before[:at] + before[at + 1 :] == value), None)
        if gone is not None:
            text = cut(text, (name, gone))
            continue
        for index in reversed(range(len(value), len(before))):
            text = cut(text, (name, index))
        for index, one in enumerate(value[: len(before)]):
            text = put(text, (name, index), one)
        for one in value[len(before) :]:
            text = append(text, name, one)
    return text
