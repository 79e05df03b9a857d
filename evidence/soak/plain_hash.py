"""The hashes that plans depend on, in plain Python."""

from __future__ import annotations

import math

WORD = 0xFFFFFFFF


def scrambled(word: int) -> int:
    """Return a word of 32 bits, mixed [C. Wellons 2018]."""
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & WORD
    word = ((word ^ (word >> 15)) * 0x846CA68B) & WORD
    return word ^ (word >> 16)


def chosen_clip(seed: int, word: int, behavior: int, count: int) -> int:
    """Return which of `count` clips a step plays."""
    mixed = 0
    for part in (seed & WORD, (seed >> 32) & WORD, word & WORD, behavior & WORD):
        mixed = scrambled(mixed ^ part)
    return (mixed * count) >> 32


def state_word(x: float, y: float, heading: float, frame: int) -> int:
    """Return a word of a state: its place in millimetres, its heading in tenths of a degree, its frame."""
    turns = heading / (2.0 * math.pi)
    tenths = math.floor((turns - math.floor(turns)) * 3600.0 + 0.5) % 3600
    mixed = 0
    for part in (math.floor(x * 1000.0 + 0.5), math.floor(y * 1000.0 + 0.5), tenths, frame):
        mixed = scrambled(mixed ^ (part & WORD))
    return mixed
