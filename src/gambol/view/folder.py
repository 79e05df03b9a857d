"""The folder that a viewer reads and writes in, and nothing outside of it."""

from __future__ import annotations

from pathlib import Path

from gambol.errors import InvalidInput


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

    def names(self, suffix: str) -> list[str]:
        """Return the files in the folder, and in those below, that end so."""
        found = (path for path in self.path.rglob(f"*{suffix}") if path.is_file())
        return sorted(str(path.relative_to(self.path)) for path in found)
