"""Numbers by chance inside kernels: a state that is handed on, so that the same seed gives the same numbers."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gambol.kernels.jit import kernel


@kernel
def uniform(state: NDArray[np.uint64]) -> float:
    """Return a number from 0 up to 1 and step the state (1,) [xorshift64*, Vigna 2016]."""
    bits = state[0]
    bits ^= bits >> np.uint64(12)
    bits ^= bits << np.uint64(25)
    bits ^= bits >> np.uint64(27)
    state[0] = bits
    return float((bits * np.uint64(2685821657736338717)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def normal(state: NDArray[np.uint64]) -> float:
    """Return a number of the normal distribution."""
    first = max(uniform(state), 1e-300)
    return math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * uniform(state))


def chance_state(seed: int) -> NDArray[np.uint64]:
    """Return a state for a seed: any whole number."""
    mixed = np.random.SeedSequence(seed % 2**64).generate_state(1, np.uint64)
    return np.maximum(mixed, np.uint64(1))
