"""Draw a clip by hashing: the same place in the same plan always gets the same clip."""

from __future__ import annotations

from gambol.kernels.jit import kernel

WORD = 0xFFFFFFFF


@kernel
def scramble(word):
    """Mix the bits of a 32-bit word: a bijection in which every bit of the input flips half of the output's.

    Multipliers and shifts are those found by search in C. Wellons, "Prospecting for hash functions" (2018).
    """
    # A product may overflow 64 bits; only its lower half counts, and that is right all the same.
    word = ((word ^ (word >> 16)) * 0x7FEB352D) & WORD
    word = ((word ^ (word >> 15)) * 0x846CA68B) & WORD
    return word ^ (word >> 16)


@kernel
def choose_clip(seed, step, behavior, count):
    """Return which of a behavior's clips to play as the given step of a plan: a number below the count."""
    word = scramble(seed & WORD)
    word = scramble(word ^ ((seed >> 32) & WORD))
    word = scramble(word ^ (step & WORD))
    word = scramble(word ^ (behavior & WORD))
    return (word * count) >> 32
