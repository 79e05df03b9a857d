"""Scenes: a world and its cast, from TOML files."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".file": "load_scene",
        ".find": "ShippedScene shipped_scenes",
        ".scene": "Actor Scene",
    },
)
