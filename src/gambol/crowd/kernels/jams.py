"""Where there are many, so that others rather go around."""

from __future__ import annotations

from gambol.crowd.arrays import NO_DOOR
from gambol.crowd.kernels.floor import BLOCK
from gambol.kernels.jit import allocation_free_kernel

STANDING_FRAMES = 90  # who has come nowhere for so long stands,
STANDING = 2  # and counts for so many
JAM_BEGINS, JAM_ENDS = 0.3, 0.2  # so many on a square metre are a jam, and so few none any more


@allocation_free_kernel
def note_jams(flock, count, now, floor, people):
    """Mark the blocks of a floor with many people, but for those that have lanes or queues, which have their order.

    people: scratch for numbers, as many rows and columns as there are blocks.
    """
    people[:] = 0
    block_m = floor.cell_m * BLOCK
    rows, columns = floor.jam.shape
    for who in range(count):
        if flock.taken[who] and flock.door[who] == NO_DOOR:
            row, column = int((flock.end[who, 1] - floor.y0) / block_m), int((flock.end[who, 0] - floor.x0) / block_m)
            stands = now - flock.anchor_frame[who] > STANDING_FRAMES
            people[min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)] += STANDING if stands else 1
    for row in range(rows):
        for column in range(columns):
            least = (JAM_ENDS if floor.jam[row, column] else JAM_BEGINS) * block_m * block_m
            floor.jam[row, column] = people[row, column] >= least and not floor.lanes[row, column]
