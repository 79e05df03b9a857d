"""The scene that is open: its text, what it says, and its changes, which can be undone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gambol.errors import EntryProblem, FileProblem, GambolError, InvalidEntries, InvalidInput, MalformedFile
from gambol.files.disk import read_bytes, write_atomically
from gambol.files.entries import parse_toml, shown_key
from gambol.files.toml_lines import key_lines
from gambol.scenes.file import MAX_BYTES, parse_scene
from gambol.scenes.find import shipped_path
from gambol.scenes.scene import Scene
from gambol.view.edit.toml_edit import get
from gambol.view.named_files import WayOut, named_files, place_of, ways_out

Edit = Callable[[str], str]  # from a text to the changed text
MOST_STEPS_BACK = 1000  # >= 1: number of changes that can be undone; larger: more memory
ONE_STEP_S = 1.0  # s, >= 0: changes about the same subject within this time are undone together


class Document:
    """A scene as a text that is changed entry by entry; comments and everything unchanged stay as they were.

    A change that makes the scene invalid is kept: then there are `problems`, and `scene` is the last valid scene.
    Only a text without problems is saved.
    """

    def __init__(self, text: str, *, beside: Path, path: Path | None = None, within: Path | None = None) -> None:
        """beside: the folder from which the scene names files.

        within: the folder that these files may not lie outside of; None: `beside`, but files named now are allowed.
        """
        self.beside = beside
        self.path = path  # where it was read from or saved to; None: nowhere yet, or a shipped scene
        self._within = (beside if within is None else within).resolve()
        self.text, self._saved = text, text
        self._trusted = self._named_now() if within is None else set[Path]()
        self.problems: tuple[EntryProblem, ...] = ()
        self.scene = self._read(text)
        self._back: list[str] = []
        self._forth: list[str] = []
        self._last: tuple[str, float] = ("", 0.0)  # the subject of the last change, and when it was made

    @classmethod
    def open(cls, source: Path | str, *, within: Path | None = None) -> Document:
        """Read a scene file, or the shipped scene of this name; mistakes in it raise an error that lists them."""
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
        """What the text says, without the names of files that are not allowed."""
        data = self.data
        for key, _, _ in self._ways_out(data) if self.problems else ():
            del get(data, key[:-1])[key[-1]]
        return data

    def confine(self, within: Path) -> None:
        """Allow changes to name files of a folder only; files that are named already stay allowed."""
        self._trusted |= self._named_now()
        self._within = within.resolve()

    def edit(self, edit: Edit, *, about: str = "") -> None:
        """Change the text; `problems` then says what is wrong with it.

        about: the subject; changes about one subject in quick succession, as by a slider, are undone together.
        """
        text = edit(self.text)
        if text == self.text:
            return
        parse_toml(text)  # a text that is no TOML is never kept
        now = time.monotonic()
        goes_on = about != "" and self._last[0] == about and now - self._last[1] < ONE_STEP_S and self.can_undo
        self._last = (about, now)
        if not goes_on:
            self._back = [*self._back, self.text][-MOST_STEPS_BACK:]
        self._forth = []
        self._take(text)

    def undo(self) -> None:
        """Undo the last change, if there was one."""
        if self._back:
            self._forth.append(self.text)
            self._last = ("", 0.0)
            self._take(self._back.pop())

    def redo(self) -> None:
        """Redo the change that was undone last, if there is one."""
        if self._forth:
            self._back.append(self.text)
            self._last = ("", 0.0)
            self._take(self._forth.pop())

    def save(self, path: Path) -> None:
        """Write the text to a file, and copy the files that it names beside it; a text with problems is an error."""
        if self.problems:
            raise InvalidEntries(self.problems)
        folder = path.parent.resolve()
        copies = list(self._copies(folder)) if folder != self.beside.resolve() else []
        try:
            for target, content in copies:
                write_atomically(target, content)
            if copies:
                parse_scene(self.text, beside=folder)  # the files that they name in turn must be there too
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
        """Yield the files to copy into another folder; a different file of the same name there is an error."""
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
        """Return the scene of a text; files that are not allowed are not even opened."""
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
