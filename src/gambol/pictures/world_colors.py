"""Kinds of things in a world and their colors, the same in maps, strips and videos."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from gambol.pictures.figure import CLAY
from gambol.pictures.mesh import Color, to_screen_color
from gambol.world.world import Obstacle

HURDLE_TOP_M = 1.05  # metres: things on the ground up to this height are hurdles, higher ones walls
BEAM_BOTTOM_M = 0.45  # metres: things that begin at this height or above are beams

#: Hurdles have a tint of jumps, beams a tint of low behaviors (see `kinds`).
THING_COLORS: Mapping[str, Color] = MappingProxyType(
    {
        "wall": (0.60, 0.61, 0.64),
        "hurdle": (0.91, 0.66, 0.50),
        "beam": (0.84, 0.68, 0.78),
        "annotated": (0.88, 0.77, 0.44),
        "mover": (0.48, 0.71, 0.88),
    }
)
TERRAIN: Color = (0.800, 0.812, 0.780)
CONTOUR: Color = (0.63, 0.66, 0.59)

#: Colors of the first characters; hues of further ones are spread by the golden section.
FIRST_COLORS: tuple[Color, ...] = (
    CLAY, (0.37, 0.62, 0.84), (0.45, 0.72, 0.50), (0.86, 0.52, 0.62), (0.62, 0.55, 0.82),
    (0.84, 0.47, 0.34), (0.36, 0.70, 0.70), (0.72, 0.66, 0.36),
)  # fmt: skip
GOLDEN_TURN = 0.6180339887498949  # turns of hue from one character to the next


def kind_of(obstacle: Obstacle) -> str:
    """Return an obstacle's kind, a key of `THING_COLORS`."""
    if obstacle.special is not None:
        return "annotated"
    if obstacle.bottom_m >= BEAM_BOTTOM_M:
        return "beam"
    return "hurdle" if obstacle.top_m <= HURDLE_TOP_M else "wall"


def character_color(index: int) -> Color:
    """Return the color of a picture's character by its number."""
    if index < len(FIRST_COLORS):
        return FIRST_COLORS[index]
    lightness = (0.72, 0.64, 0.78)[index % 3]
    return _from_oklch(lightness, 0.125, index * GOLDEN_TURN % 1.0)


def _from_oklch(lightness: float, chroma: float, turn: float) -> Color:
    """Return an sRGB color from OKLCH, in which equal steps look equal [Ottosson 2020, A perceptual color space]."""
    a, b = chroma * np.cos(2.0 * np.pi * turn), chroma * np.sin(2.0 * np.pi * turn)
    cones = (
        np.array([1.0, 1.0, 1.0]) * lightness
        + a * np.array([0.3963377774, -0.1055613458, -0.0894841775])
        + b * np.array([0.2158037573, -0.0638541728, -1.2914855480])
    ) ** 3
    matrix = np.array(
        [
            [4.0767416621, -3.3077115913, 0.2309699292],
            [-1.2684380046, 2.6097574011, -0.3413193965],
            [-0.0041960863, -0.7034186147, 1.7076147010],
        ]
    )
    red, green, blue = (float(value) for value in np.clip(to_screen_color(matrix @ cones), 0.0, 1.0))
    return red, green, blue
