"""Packages that list their public names, and import what a name stands for when it is first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def public(package: str, table: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package.

    table: public names, with spaces between them, by the module that has them; a module of the package itself begins
    with a dot (".plan").  A module that is public as a whole stands for itself (".edits": "edits").  No function has
    the name of a module beside it: importing the module would put it in the function's place.
    """
    places = {name: module for module, names in table.items() for name in names.split()}

    def get(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(places[name], package)
        value = module if places[name] == f".{name}" else getattr(module, name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*vars(sys.modules[package]), *places})

    return get, listed, sorted(places)
