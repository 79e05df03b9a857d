"""Find characters of a crowd that touch each other in a stretch of time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.judges.kernels.crowd_figures import begin_row, keep_row, set_figure_tracks
from gambol.judges.kernels.prisms import between
from gambol.judges.kernels.touches import touch_in_stretch
from gambol.kernels.jit import allocation_free_kernel, threaded_kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray, Int64Array
    from gambol.judges.kernels.crowd_figures import Block, Figures, Steps, Workbench


class Crossings(NamedTuple):
    """Present characters, ordered by the grid cells that contain the middles of their boxes.

    Cells are larger than boxes: boxes that meet have their middles in neighbouring cells.
    """

    order: np.ndarray  # (M,) characters
    key: np.ndarray  # (M,) row of the cell times `columns`, plus its column; ascending
    columns: int  # number of cells in a row; the outermost cells are empty


@allocation_free_kernel
def first_at_least(values: Int64Array, value: int):
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low


@allocation_free_kernel
def disc_at(block: Block, who: int, tick: int, ticks_per_frame):
    """Return x, y and radius of a disc around a character at a tick; between frames discs move straight."""
    frame = tick // ticks_per_frame
    column = frame - block.first[who]
    x, y, radius = block.disc[who, column, 0], block.disc[who, column, 1], block.disc[who, column, 2]
    if tick != frame * ticks_per_frame:
        share = (tick - frame * ticks_per_frame) / ticks_per_frame
        x = between(x, block.disc[who, column + 1, 0], share)
        y = between(y, block.disc[who, column + 1, 1], share)
        radius = max(radius, block.disc[who, column + 1, 2])
    return x, y, radius


@allocation_free_kernel
def set_tracks_at(
    figures: Figures,
    steps: Steps,
    block: Block,
    who: int,
    tick: int,
    ticks_per_frame,
    bench: Workbench,
    tracks: FloatArray,
    slot: int,
):
    """Fill the tracks of a character's capsules from one tick to the next."""
    frame = tick // ticks_per_frame
    part = tick - frame * ticks_per_frame
    set_figure_tracks(
        figures, block, who, steps.kind[who], frame - block.first[who], part / ticks_per_frame,
        (part + 1) / ticks_per_frame, bench.starts, bench.ends, tracks, bench.boxes, slot,
    )  # fmt: skip


@allocation_free_kernel
def touch_pair(
    figures: Figures,
    steps: Steps,
    block: Block,
    first: int,
    second: int,
    ticks_per_step: int,
    rate_hz: float,
    bench: Workbench,
    rows: FloatArray,
    count: int,
):
    """Write a row for every tick in which two characters touch; return the number of rows, with or without room.

    A tick is the longest time in which all characters move straight: a frame of the highest rate, or less if the
    other rates do not divide it.
    """
    my_ticks = ticks_per_step // figures.frames_per_step[steps.kind[first]]
    other_ticks = ticks_per_step // figures.frames_per_step[steps.kind[second]]
    begin = max(block.first[first] * my_ticks, block.first[second] * other_ticks)
    end = min(block.last[first] * my_ticks, block.last[second] * other_ticks)
    if end <= begin:
        return count
    x, y, my_reach = disc_at(block, first, begin, my_ticks)
    other_x, other_y, other_reach = disc_at(block, second, begin, other_ticks)
    east, north, reach = x - other_x, y - other_y, my_reach + other_reach
    for tick in range(begin, end):
        x, y, my_reach = disc_at(block, first, tick + 1, my_ticks)
        other_x, other_y, other_reach = disc_at(block, second, tick + 1, other_ticks)
        next_east, next_north, next_reach = x - other_x, y - other_y, my_reach + other_reach
        moved_east, moved_north = next_east - east, next_north - north
        square = moved_east * moved_east + moved_north * moved_north
        share = 0.0
        if square > 0.0:
            share = min(max(-(east * moved_east + north * moved_north) / square, 0.0), 1.0)
        away = (east + share * moved_east) ** 2 + (north + share * moved_north) ** 2
        near = away <= max(reach, next_reach) ** 2
        east, north, reach = next_east, next_north, next_reach
        if not near:
            continue
        set_tracks_at(figures, steps, block, first, tick, my_ticks, bench, bench.mine, 0)
        set_tracks_at(figures, steps, block, second, tick, other_ticks, bench, bench.others, 1)
        begin_row(bench.row, first, second, tick)
        mine, other = steps.kind[first], steps.kind[second]
        share = touch_in_stretch(
            figures.radius[figures.capsule_first[mine] : figures.capsule_first[mine + 1]],
            figures.radius[figures.capsule_first[other] : figures.capsule_first[other + 1]],
            bench.boxes, 0, 1, bench.mine, bench.others, bench.near, bench.stack, bench.row,
        )  # fmt: skip
        bench.row[3] = (tick + share) / (ticks_per_step * rate_hz)
        count = keep_row(bench.row, rows, count)
    return count


@allocation_free_kernel
def boxes_meet(box: FloatArray, one: int, two: int):
    return (
        box[one, 0] <= box[two, 2]
        and box[two, 0] <= box[one, 2]
        and box[one, 1] <= box[two, 3]
        and box[two, 1] <= box[one, 3]
    )


@threaded_kernel
def find_block_touches(
    figures: Figures,
    steps: Steps,
    block: Block,
    crossings: Crossings,
    ticks_per_step: int,
    rate_hz: float,
    bench: Workbench,
    rows: FloatArray,
):
    """Fill rows (R, 10) with the touches of a block; return their number, which may be more than there is room for."""
    count = 0
    key, order = crossings.key, crossings.order
    for place in range(len(order)):
        own = key[place]
        one = order[place]
        for later in range(place + 1, len(order)):  # in the same cell and in the next of the row
            if key[later] > own + 1:
                break
            if boxes_meet(block.box, one, order[later]):
                first, second = min(one, order[later]), max(one, order[later])
                count = touch_pair(figures, steps, block, first, second, ticks_per_step, rate_hz, bench, rows, count)
        for later in range(first_at_least(key, own + crossings.columns - 1), len(order)):  # in the row above
            if key[later] > own + crossings.columns + 1:
                break
            if boxes_meet(block.box, one, order[later]):
                first, second = min(one, order[later]), max(one, order[later])
                count = touch_pair(figures, steps, block, first, second, ticks_per_step, rate_hz, bench, rows, count)
    return count
