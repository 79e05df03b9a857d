"""The bodies that are compared: the character's own of eight parts, and the papers' disc."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.characters import PARTS, Behavior, Character, Clip, SweptShape

DISC_RADIUS_M = 0.3
DISC_HEIGHT_M = 1.8


def with_disc(character: Character, radius_m: float = DISC_RADIUS_M) -> Character:
    """Return a character whose body is, at every instant of every clip, one upright disc around the root.

    The papers look up points in grids grown by a radius.  As a shape, and not as an annotation, the disc is
    tested by the same code as any body, and ways around obstacles are known for it.
    """
    known: dict[int, Clip] = {}

    def disc_clip(clip: Clip) -> Clip:
        return known.setdefault(id(clip), replace(clip, shape=_disc(clip.duration + 1, radius_m)))

    def disc_behavior(behavior: Behavior) -> Behavior:
        return replace(behavior, clips=tuple(disc_clip(clip) for clip in behavior.clips))

    return replace(character, behaviors=tuple(map(disc_behavior, character.behaviors)))


def _disc(instants: int, radius_m: float) -> SweptShape:
    """Return a shape whose first part is the disc; parts without height are not there."""
    radius, high = np.zeros((instants, len(PARTS))), np.zeros((instants, len(PARTS)))
    radius[:, 0], high[:, 0] = radius_m, DISC_HEIGHT_M
    return SweptShape(np.zeros((instants, len(PARTS), 2)), radius, np.zeros_like(high), high)
