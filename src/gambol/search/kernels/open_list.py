"""The open list: a heap of nodes by their estimate, four children to a node; the newer node goes first among equals.

An entry is one whole number, estimate above node, so that one comparison orders it and one line of the
cache holds all children of a node.
"""

from __future__ import annotations

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel

WIDTH = 4
NODE_BITS = 26
LAST_NODE = (1 << NODE_BITS) - 1
LARGEST_ESTIMATE = (1 << (62 - NODE_BITS)) - 1  # 68 km at a millionth of a metre


@inlined_kernel
def entry_of(estimate, node):
    return (estimate << NODE_BITS) | (LAST_NODE - node)


@inlined_kernel
def node_of(entry):
    return LAST_NODE - (entry & LAST_NODE)


@allocation_free_kernel
def push(entries, count, entry):
    """Add an entry to a heap of `count`; there must be room."""
    at = count
    while at > 0:
        above = (at - 1) // WIDTH
        if entry >= entries[above]:
            break
        entries[at] = entries[above]
        at = above
    entries[at] = entry


@allocation_free_kernel
def pop(entries, count):
    """Remove the first entry of a heap of `count`, at least one, and return it."""
    first = entries[0]
    last = count - 1
    entry = entries[last]
    at = 0
    while True:
        best = WIDTH * at + 1
        if best >= last:
            break
        for child in range(best + 1, min(best + WIDTH, last)):
            if entries[child] < entries[best]:
                best = child
        if entries[best] >= entry:
            break
        entries[at] = entries[best]
        at = best
    entries[at] = entry
    return first
