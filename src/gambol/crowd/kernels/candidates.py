"""What may be played, kept as a heap of which the least score is on top."""

from __future__ import annotations

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel, merged_kernel


@merged_kernel
def add_candidate(scratch, count, score, node, stop):
    scratch.score[count], scratch.node[count], scratch.stop[count] = score, node, stop
    return count + 1


@allocation_free_kernel
def swap_candidates(scratch, one, other):
    scratch.score[one], scratch.score[other] = scratch.score[other], scratch.score[one]
    scratch.node[one], scratch.node[other] = scratch.node[other], scratch.node[one]
    scratch.stop[one], scratch.stop[other] = scratch.stop[other], scratch.stop[one]


@allocation_free_kernel
def sink_candidate(scratch, at, count):
    """Let a candidate sink in a heap of which the least score is on top; of equals the lower node is the better one."""
    while True:
        least = 2 * at + 1
        if least >= count:
            return
        if least + 1 < count and is_better(scratch, least + 1, least):
            least += 1
        if not is_better(scratch, least, at):
            return
        swap_candidates(scratch, at, least)
        at = least


@inlined_kernel
def is_better(scratch, one, other):
    if scratch.score[one] != scratch.score[other]:
        return scratch.score[one] < scratch.score[other]
    return scratch.node[one] < scratch.node[other]
