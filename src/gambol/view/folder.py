"""The folder that a viewer reads and writes in, and nothing outside of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gambol.errors import InvalidInput
from gambol.io.entries import parse_toml

MOST_LOOKED_AT = 100_000  # files and folders, when files are listed


class Folder:
    """Files by names that come from a browser: no such name leads out of the folder."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path).resolve()
        if not self.path.is_dir():
            raise InvalidInput(f"{path} is no folder")

    def file(self, name: str, suffix: str) -> Path:
        """Return the path of a file in the folder; a name that leads elsewhere, or has another suffix, is an error."""
        text = name.strip()
        if not text or "\0" in text:
            raise InvalidInput("a file needs a name")
        try:
            path = (self.path / text).resolve()
        except (OSError, RuntimeError) as error:
            raise InvalidInput(f"{name!r} is no file name: {error}") from None
        if self.path not in path.parents:
            raise InvalidInput(f"{name!r} is outside of the folder {self.path}")
        if path.suffix.lower() != suffix:
            raise InvalidInput(f"a name that ends in {suffix} is expected, not {name!r}")
        return path

    def names(self, *suffixes: str) -> list[str]:
        """Return the files in the folder, and in those below, that end so; hidden folders are passed over."""
        found, looked_at = [], 0
        for place, folders, files in os.walk(self.path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            paths = (Path(place, name) for name in files)
            found += [path for path in paths if path.suffix.lower() in suffixes and self._holds(path)]
            looked_at += len(folders) + len(files)
            if looked_at > MOST_LOOKED_AT:
                break
        return sorted(str(path.relative_to(self.path)) for path in found)

    def refuse_ways_out(self, text: str, beside: Path) -> None:
        """Refuse the text of a TOML file that names files outside of the folder, seen from where it lies."""
        for word in _words(parse_toml(text)):
            try:
                path = (beside / word).resolve()
                leads_out = path.is_file() and self.path not in path.parents
            except (OSError, RuntimeError, ValueError):
                continue  # no name of a file
            if leads_out:
                raise InvalidInput(f"{word!r} is outside of the folder {self.path}")

    def _holds(self, path: Path) -> bool:
        return path.is_file() and self.path in path.resolve().parents


def _words(value: Any) -> Iterator[str]:
    """Yield all texts in what a file says."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _words(one)
