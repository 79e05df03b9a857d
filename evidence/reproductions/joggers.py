"""Five jogs of one clip each, straight on and to either side, and the same with variants made in advance [L09 6]."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from importlib.resources import as_file, files

import numpy as np

from evidence.reproductions.variation_inputs import captures
from gambol.characters import Character, include_blending, load_character
from gambol.variation import fill

AHEAD_VARIANTS, TURN_VARIANTS = 12, 5
BUILT_IN = ("jog", "jog-left-30", "jog-left-45", "jog-right-30", "jog-right-45")
SEED = 1


def five_jogs() -> Character:
    """Return captured jogs where there are captures, else the built-in human's."""
    return _five_jogs(captures() is not None)


def filled(character: Character, *, preset: str, variants: tuple[int, int]) -> Character:
    """Return the character with so many variants of the jog straight on, and of each turn."""
    counts = {one.name: variants[0 if one.name == "jog" else 1] for one in character.behaviors}
    return fill(character, counts, preset=preset, seed=SEED)


def turns_deg(character: Character) -> list[float]:
    """Return by how much each jog turns to the left, in degrees."""
    return [float(np.degrees(one.clips[0].displacement[2])) for one in character.behaviors]


@cache
def _five_jogs(captured: bool) -> Character:
    if captured:
        with as_file(files("evidence.reproductions") / "joggers.toml") as path:
            character = load_character(path)
    else:
        character = load_character("human").only(list(BUILT_IN))
    jogs = tuple(replace(one, clips=one.clips[:1]) for one in character.behaviors)
    return include_blending(replace(character, name="joggers", behaviors=jogs, transitions=(), subsets={}))
