"""The table of visited states: from a state to the best node known for it."""

from __future__ import annotations

import math

import numpy as np

from gambol.jit import inlined_kernel, kernel

NOBODY = -1
TURN = 2.0 * math.pi


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
    return (((slot << 6) | np.int64(leg)) << 36) | (np.int64(state) << 22) | sector


@inlined_kernel
def hashed(place, rest):
    """Mix both parts of a key [after the finaliser of S. Vigna's splitmix64]."""
    word = np.uint64(place) * np.uint64(0x9E3779B97F4A7C15) ^ np.uint64(rest)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))


@inlined_kernel
def find_slot(slots, node_place, node_rest, place, rest):
    """Return the slot of a state: where its best node stands, or the empty one where it belongs."""
    mask = np.uint64(slots.shape[0] - 1)
    at = hashed(place, rest) & mask
    while True:
        node = slots[at]
        if node == NOBODY or (node_place[node] == place and node_rest[node] == rest):
            return np.int64(at)
        at = (at + np.uint64(1)) & mask


@kernel
def twice_as_large(slots, node_place, node_rest):
    """Return a table of twice the size with the same entries."""
    larger = np.full(2 * slots.shape[0], NOBODY, dtype=np.int32)
    mask = np.uint64(larger.shape[0] - 1)
    for slot in range(slots.shape[0]):
        node = slots[slot]
        if node == NOBODY:
            continue
        at = hashed(node_place[node], node_rest[node]) & mask
        while larger[at] != NOBODY:
            at = (at + np.uint64(1)) & mask
        larger[at] = node
    return larger
