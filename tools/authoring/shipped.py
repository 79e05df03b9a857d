"""Who authors which character, and how far a character that ships is from one made anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from tools.authoring.horse import horse_character
from tools.authoring.human import human_character
from tools.authoring.skateboarder import skateboarder_character

from gambol.characters.character import Character

AUTHORS: Mapping[str, Callable[[], Character]] = {
    "human": human_character,
    "skateboarder": skateboarder_character,
    "horse": horse_character,
}


def largest_displacement_m(one: Character, other: Character) -> float:
    """Return how far a joint or a tip is from the same one of the other character, in any frame of any clip."""
    pairs = [
        pair for a, b in zip(one.behaviors, other.behaviors, strict=True) for pair in zip(a.clips, b.clips, strict=True)
    ]
    return max(
        float(np.linalg.norm(mine - others, axis=-1).max())
        for a, b in pairs
        for mine, others in (
            (a.motion.world_positions, b.motion.world_positions),
            (a.motion.tip_positions, b.motion.tip_positions),
        )
    )
