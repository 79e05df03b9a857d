"""Which cells are connected, from run to run of open cells along rows."""

from __future__ import annotations

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, kernel


@allocation_free_kernel
def join(leader, one, other):
    """Let two runs have the same leader, the first of both."""
    while leader[one] != one:
        one = leader[one]
    while leader[other] != other:
        other = leader[other]
    leader[max(one, other)] = min(one, other)


@kernel
def number_parts(closed):
    """Return numbers (rows, columns) that are the same for open cells that are connected, by corners too; 0: closed.

    Parts are numbered from 1 in the order of their first cells.
    """
    rows, columns = closed.shape
    part = np.zeros((rows, columns), np.int32)
    leader = np.zeros(rows + columns + 2, np.int32)  # of each run: one that it is connected with, or itself
    count = 0
    for row in range(rows):
        if count + columns + 2 > len(leader):
            leader = np.concatenate((leader, np.zeros(len(leader) + columns, np.int32)))
        run = joined = 0  # the run of this row, and the one of the row above that it was joined with last
        for column in range(columns):
            if closed[row, column]:
                if run > 0 and row > 0 and part[row - 1, column] > 0:  # across the corner at its end
                    join(leader, part[row - 1, column], run)
                run = joined = 0
                continue
            if run == 0:
                count += 1
                run = count
                leader[run] = run
                if row > 0 and column > 0 and part[row - 1, column - 1] > 0:
                    join(leader, part[row - 1, column - 1], run)
            part[row, column] = run
            above = part[row - 1, column] if row > 0 else 0
            if above > 0 and above != joined:
                join(leader, above, run)
                joined = above
    number = np.zeros(count + 1, np.int32)
    parts = 0
    for run in range(1, count + 1):
        first = run
        while leader[first] != first:
            first = leader[first]
        if first == run:
            parts += 1
            number[run] = parts
        else:
            number[run] = number[first]
    for row in range(rows):
        for column in range(columns):
            part[row, column] = number[part[row, column]]
    return part
