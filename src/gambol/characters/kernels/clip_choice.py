"""Choose a clip by hashing: the same step of the same plan always gets the same clip.

For kernels of crowds and of growers of trees: others ask the core.
"""

from __future__ import annotations

from gambol.kernels.jit import kernel

WORD = 0xFFFFFFFF  # mask: the lower 32 bits


@kernel
def scramble(word):
    """Mix the bits of a 32-bit word: a bijection in which each input bit flips about half of the output bits.

    Multipliers and shifts come from C. Wellons, "Prospecting for hash functions" (2018).
    """
    # A product may overflow 64 bits; its lower half, which alone counts, is still right.
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & WORD
    word = ((word ^ (word >> 15)) * 0x846CA68B) & WORD
    return word ^ (word >> 16)


@kernel
def choose_clip(seed, step, behavior, count):
    """Return which of a behavior's clips a step of a plan plays: a number from 0 to count - 1."""
    word = scramble(seed & WORD)
    word = scramble(word ^ ((seed >> 32) & WORD))
    word = scramble(word ^ (step & WORD))
    word = scramble(word ^ (behavior & WORD))
    return (word * count) >> 32
