"""The only folder in which a viewer reads and writes."""

from __future__ import annotations

import os
from pathlib import Path

from gambol.errors import InvalidInput
from gambol.files.entries import parse_toml
from gambol.view.named_files import read_with, way_out_of_character, ways_out

MOST_LOOKED_AT = 100_000  # files and folders: a listing ends after this many; larger: slower in huge folders
MOST_SHOWN = 80  # characters: an error shows at most this much of a bad name


class Folder:
    """Files by names that come from a browser; no name leads out of the folder."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path).resolve()
        if not self.path.is_dir():
            raise InvalidInput(f"{path} is no folder")

    def file(self, name: str, suffix: str) -> Path:
        """Return the path of a file in the folder; a name outside of it, or with another suffix, is an error."""
        text = name.strip()
        if not text or "\0" in text:
            raise InvalidInput("a file needs a name")
        try:
            path = (self.path / text).resolve()
            is_something_else = path.exists() and not path.is_file()
        except (OSError, RuntimeError, ValueError) as error:
            raise InvalidInput(f"{name[:MOST_SHOWN]!r} is no file name: {error}") from None
        if self.path not in path.parents:
            raise InvalidInput(f"{name!r} is outside of the folder {self.path}")
        if is_something_else:
            raise InvalidInput(f"{name!r} is a folder or the like, not a file")
        if path.suffix.lower() != suffix:
            raise InvalidInput(f"expected a name that ends in {suffix}, not {name!r}")
        return path

    def names(self, *suffixes: str) -> list[str]:
        """Return the files with these suffixes in the folder and below it, except in hidden folders."""
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
        """Raise if a scene's text names files outside of the folder.  beside: the folder of the scene."""
        for _, _, message in ways_out(parse_toml(text), beside=beside, within=self.path):
            raise InvalidInput(message)

    def check_character(self, file: Path) -> None:
        """Raise if a character file is outside of the folder, or names files there."""
        if message := way_out_of_character(file, self.path):
            raise InvalidInput(message)

    def check_motion(self, file: Path) -> None:
        """Raise if a motion file, or a file that is read with it, is outside of the folder."""
        for one in read_with(file):
            if self.path not in one.resolve().parents:
                raise InvalidInput(f"{one.name} is outside of the folder {self.path}")

    def _holds(self, path: Path) -> bool:
        return path.is_file() and self.path in path.resolve().parents
