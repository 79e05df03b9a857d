"""Characters made by code, so that everything works with nothing downloaded."""

from __future__ import annotations

from importlib import import_module

from gambol.characters.character import Character
from gambol.errors import UnknownName

#: Modules by character; each has a function `<name>_character`.
_MODULES = {name: f"{__name__}.{name}" for name in ("human", "skateboarder", "horse")}


def builtin_character(name: str) -> Character:
    """Return a character that ships with the package: "human", "skateboarder" or "horse".

    It is authored when first asked for, which takes some seconds, and kept.
    """
    if name not in _MODULES:
        raise UnknownName("built-in character", name, tuple(_MODULES))
    return getattr(import_module(_MODULES[name]), f"{name}_character")()
