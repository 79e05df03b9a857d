"""Scenes: a world and its cast, from TOML files."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".aims": "Follow Visit Wander",
        ".file": "load_scene parse_scene",
        ".find": "ShippedScene shipped_path shipped_scenes",
        ".scene": "Actor Scene",
    },
)
