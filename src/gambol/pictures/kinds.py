"""Colors of kinds of behaviors, also for the color-blind (Okabe and Ito's set)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from gambol.pictures.mesh import Color

#: Keys are those of `gambol.characters.character.DEFAULT_WEIGHTS`.
KIND_COLORS: Mapping[str, Color] = MappingProxyType(
    {
        "forward": (0.0, 0.447, 0.698),
        "turn": (0.0, 0.62, 0.451),
        "change": (0.337, 0.706, 0.914),
        "jump": (0.835, 0.369, 0.0),
        "low": (0.8, 0.475, 0.655),
        "side": (0.70, 0.55, 0.0),
        "wait": (0.35, 0.35, 0.37),
    }
)
