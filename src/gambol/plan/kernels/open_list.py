"""The open list: a heap of nodes by their estimate, four children to a node; the newer node goes first among equals."""

from __future__ import annotations

from gambol.jit import allocation_free_kernel

WIDTH = 4


@allocation_free_kernel
def is_before(estimate, node, other_estimate, other_node):
    return estimate < other_estimate or (estimate == other_estimate and node > other_node)


@allocation_free_kernel
def push(estimates, nodes, count, estimate, node):
    """Add an entry to a heap of `count`; there must be room."""
    at = count
    while at > 0:
        above = (at - 1) // WIDTH
        if not is_before(estimate, node, estimates[above], nodes[above]):
            break
        estimates[at] = estimates[above]
        nodes[at] = nodes[above]
        at = above
    estimates[at] = estimate
    nodes[at] = node


@allocation_free_kernel
def sift_down(estimates, nodes, count, at, estimate, node):
    """Place an entry at `at` or below it."""
    while True:
        best = WIDTH * at + 1
        if best >= count:
            break
        for child in range(best + 1, min(best + WIDTH, count)):
            if is_before(estimates[child], nodes[child], estimates[best], nodes[best]):
                best = child
        if not is_before(estimates[best], nodes[best], estimate, node):
            break
        estimates[at] = estimates[best]
        nodes[at] = nodes[best]
        at = best
    estimates[at] = estimate
    nodes[at] = node


@allocation_free_kernel
def pop(estimates, nodes, count):
    """Remove the first entry of a heap of `count`, at least one, and return its node."""
    first = nodes[0]
    if count > 1:
        sift_down(estimates, nodes, count - 1, 0, estimates[count - 1], nodes[count - 1])
    return first
