"""The table of visited states: from a state to the best node known for it.

Open addressing; what is looked at together lies in one line of the cache: both parts of the key, the
node and its cost.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel

NOBODY = -1
PLACE, REST, COST, NODE = range(4)  # columns of the table
TURN = 2.0 * math.pi
HEADING_BITS, STATE_BITS, LEG_BITS, FRAME_BITS = 22, 14, 10, 17  # of the second part of a key


@inlined_kernel
def place_key(x, y, place_unit):
    """Return the position's part of a state's key: two whole numbers in one."""
    column = np.int64(math.floor(x / place_unit))
    row = np.int64(math.floor(y / place_unit))
    return (column << 32) ^ (row & 0xFFFFFFFF)


@inlined_kernel
def rest_key(heading, heading_count, state, leg, frame, frame_unit):
    """Return the rest of a state's key; a frame unit of 0 says that time does not matter."""
    turns = heading / TURN
    turns -= math.floor(turns)
    sector = np.int64(math.floor(turns * heading_count + 0.5)) % heading_count
    slot = np.int64(0)
    if frame_unit > 0:
        slot = np.int64(frame // frame_unit)
    above = (slot << LEG_BITS) | np.int64(leg)
    return (((above << STATE_BITS) | np.int64(state)) << HEADING_BITS) | sector


@inlined_kernel
def hashed(place, rest):
    """Mix both parts of a key [after the finaliser of S. Vigna's splitmix64]."""
    word = np.uint64(place) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(rest)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inlined_kernel
def find_slot(slots, place, rest):
    """Return the slot of a state: the one that holds it, or the empty one where it belongs."""
    mask = np.uint64(slots.shape[0] - 1)
    at = hashed(place, rest) & mask
    while slots[at, NODE] != NOBODY and (slots[at, PLACE] != place or slots[at, REST] != rest):
        at = (at + np.uint64(1)) & mask
    return np.int64(at)


@allocation_free_kernel
def move_entries(slots, larger):
    """Enter what is in one table into another, larger one, which is empty."""
    for slot in range(slots.shape[0]):
        if slots[slot, NODE] != NOBODY:
            at = find_slot(larger, slots[slot, PLACE], slots[slot, REST])
            for column in range(4):
                larger[at, column] = slots[slot, column]
