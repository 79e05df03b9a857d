"""Find the line of each key of a TOML text, for error messages."""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right

Key = tuple[str | int, ...]  # table keys, and indices into arrays

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|' r"'''.*?'{3,5}|" r'"(?:\\.|[^"\\\n])*"|' r"'[^'\n]*'", re.DOTALL)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^\s,\]}#]+(?: \d\d:[^\s,\]}#]+)?")  # a blank may separate a date from its time


def key_lines(text: str) -> dict[Key, int]:
    """Return the line, counted from 1, on which each key and array element of a valid TOML text begins."""
    return Scanner(text).scan()


class Scanner:
    """Walks a text that `tomllib` has accepted, without checks."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.ends = [match.start() for match in re.finditer("\n", text)]
        self.lines: dict[Key, int] = {}
        self.last_index: dict[Key, int] = {}  # index of the last element of each array of tables

    def scan(self) -> dict[Key, int]:
        table: Key = ()
        self.skip_blank()
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table)
            self.skip_blank()
        return self.lines

    def header(self) -> Key:
        start, is_array = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if is_array else 1
        keys = self.dotted_key()
        self.skip_blank()
        self.at += 2 if is_array else 1
        table: Key = ()
        for key in keys[:-1]:
            self.note((*table, key), start)
            table = self.entered((*table, key))
        table = (*table, keys[-1])
        if is_array:
            self.note(table, start)
            self.last_index[table] = self.last_index.get(table, -1) + 1
            table = (*table, self.last_index[table])
        self.note(table, start)
        return table

    def entered(self, table: Key) -> Key:
        """Return a table's key, or the key of the last element if it is an array of tables."""
        return (*table, self.last_index[table]) if table in self.last_index else table

    def pair(self, table: Key) -> None:
        start = self.at
        key = (*table, *self.dotted_key())
        for depth in range(len(table) + 1, len(key) + 1):
            self.note(key[:depth], start)
        self.skip_blank()
        self.at += 1  # the equals sign
        self.value(key)

    def value(self, key: Key) -> None:
        self.skip_blank()
        opening = self.text[self.at]
        if opening in "[{":
            self.at += 1
            self.skip_blank()
            index = 0
            while self.text[self.at] not in "]}":
                if opening == "{":
                    self.pair(key)
                else:
                    self.note((*key, index), self.at)
                    self.value((*key, index))
                index += 1
                self.skip_blank()
                self.at += self.text[self.at] == ","
                self.skip_blank()
            self.at += 1
            return
        match = (_STRING if opening in "\"'" else _SCALAR).match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def dotted_key(self) -> tuple[str, ...]:
        keys: list[str] = []
        while True:
            self.skip_blank()
            if self.text[self.at] in "\"'":
                match = _STRING.match(self.text, self.at)
                assert match is not None
                keys.append(tomllib.loads(f"key = {match[0]}")["key"])
            else:
                match = _BARE_KEY.match(self.text, self.at)
                assert match is not None
                keys.append(match[0])
            self.at = match.end()
            self.skip_blank()
            if not self.text.startswith(".", self.at):
                return tuple(keys)
            self.at += 1

    def note(self, key: Key, position: int) -> None:
        self.lines.setdefault(key, bisect_right(self.ends, position - 1) + 1)

    def skip_blank(self) -> None:
        match = _BLANK.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
