"""Colors of a crowd's characters: one for each character, group or kind."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.recording import Recording
from gambol.errors import UnknownName
from gambol.geometry.arrays import FloatArray
from gambol.pictures.world_colors import character_color

COLORINGS = ("each", "group", "kind")
MOST_GROUPS = 12  # groups with colors of their own; more could not be told apart
SHADES = (0.0, 0.10, -0.09, 0.18, -0.16)  # -1 to 1: members of a group are darker (< 0) or lighter (> 0) by these


def groups_of(recording: Recording) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Return the groups' names, and each character's group (N,), named by its name up to the last hyphen."""
    named = [name.rpartition("-")[0] or name for name in recording.names]
    groups = {group: number for number, group in enumerate(dict.fromkeys(named))}
    return tuple(groups), np.array([groups[group] for group in named], dtype=np.int64)


def crowd_colors(recording: Recording, by: str | None = None) -> FloatArray:
    """Return a color for each character (N, 3), in sRGB.

    by: "each" gives each character its own color, "group" and "kind" shades of one; None: "group" if there are few.
    """
    names, group = groups_of(recording)
    if by is None:
        by = "group" if 1 < len(names) <= MOST_GROUPS else "each"
    if by not in COLORINGS:
        raise UnknownName("coloring", by, COLORINGS)
    if by == "each":
        return np.array([character_color(number) for number in range(len(recording))]).reshape(-1, 3)
    number = group if by == "group" else recording.kind
    base = np.array([character_color(one) for one in range(int(number.max(initial=0)) + 1)])[number]
    shade = np.array(SHADES)[np.arange(len(recording)) % len(SHADES), None]
    return np.where(shade > 0.0, base + shade * (1.0 - base), base * (1.0 + shade))
