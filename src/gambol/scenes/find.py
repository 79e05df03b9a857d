"""The scenes that ship with the package."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from gambol.errors import UnknownName
from gambol.files.entries import parse_toml

FOLDER = Path(__file__).parent / "shipped"


class ShippedScene(NamedTuple):
    """A scene that ships with the package."""

    name: str
    kind: str
    summary: str


@cache
def shipped_scenes() -> tuple[ShippedScene, ...]:
    """Return the scenes that ship with the package, by name."""
    return tuple(
        ShippedScene(path.stem, data.get("kind", "plan"), data.get("summary", ""))
        for path in sorted(FOLDER.glob("*.toml"))
        for data in (parse_toml(path.read_text(encoding="utf-8")),)
    )


def shipped_path(name: str) -> Path:
    """Return the file of a shipped scene; for an unknown name, raise an error that suggests a near one."""
    known = [scene.name for scene in shipped_scenes()]
    if name not in known:
        raise UnknownName("scene", name, known)
    return FOLDER / f"{name}.toml"
