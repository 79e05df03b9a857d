"""Colors of those in a running crowd: shades of one for a group where there are some groups, else one for each."""

from __future__ import annotations

from collections.abc import Sequence

from gambol.pictures.crowd_colors import MOST_GROUPS, SHADES
from gambol.pictures.mesh import Color
from gambol.pictures.world_colors import character_color


class Palette:
    """Colors by number and name; a name says its group before its last hyphen."""

    def __init__(self, cast: Sequence[str]) -> None:
        """cast: the names of all who are to come, by which it is decided how to color."""
        self._groups = {group: number for number, group in enumerate(dict.fromkeys(map(_group, cast)))}
        self._by_group = 1 < len(self._groups) <= MOST_GROUPS

    def color(self, who: int, name: str) -> Color:
        if not self._by_group:
            return character_color(who)
        base = character_color(self._groups.setdefault(_group(name), len(self._groups)))
        shade = SHADES[who % len(SHADES)]
        red, green, blue = (value + shade * (1.0 - value) if shade > 0.0 else value * (1.0 + shade) for value in base)
        return red, green, blue


def _group(name: str) -> str:
    return name.rpartition("-")[0] or name
