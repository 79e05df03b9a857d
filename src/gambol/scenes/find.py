"""Find scenes, those that ship with the package by their names; quickly, before anything that reads them is loaded."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from gambol.errors import InvalidInput, UnknownName, UnreadableFile

FOLDER = Path(__file__).parent / "shipped"


class ShippedScene(NamedTuple):
    """A scene that ships with the package."""

    name: str
    kind: str
    summary: str


@cache
def shipped_scenes() -> tuple[ShippedScene, ...]:
    """Return the scenes that ship with the package, by name."""
    from gambol.files.entries import parse_toml  # slow to load

    return tuple(
        ShippedScene(path.stem, data.get("kind", "plan"), data.get("summary", ""))
        for path in sorted(FOLDER.glob("*.toml"))
        for data in (parse_toml(path.read_text(encoding="utf-8")),)
    )


def shipped_path(name: str) -> Path:
    """Return the file of a shipped scene; for an unknown name, raise an error that suggests a near one."""
    known = {path.stem: path for path in sorted(FOLDER.glob("*.toml"))}
    if name not in known:
        raise UnknownName("scene", name, tuple(known))
    return known[name]


def scene_path(source: Path | str) -> Path:
    """Return the file of a scene, named by its path or, if it ships, by its name; raise an error if there is none."""
    path = Path(source)
    if path.suffix != ".toml" and not path.exists():
        file = path.with_name(f"{path.name}.toml")
        if not (FOLDER / f"{source}.toml").exists() and file.is_file():
            raise InvalidInput(f"no scene {str(source)!r}; did you mean the file {str(file)!r}?")
        return shipped_path(str(source))
    try:
        path.stat()
    except OSError as error:
        raise UnreadableFile(error.strerror or str(error), path=path) from error
    return path
