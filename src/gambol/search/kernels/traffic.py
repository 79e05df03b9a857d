"""Look up what is where at a frame: the inner loop of planning among things that move.

A free answer holds for the whole time from half a frame before to half a frame after.  The cost
depends on what is near in space and time alone.  Frames count from 0.
"""

from __future__ import annotations

from gambol.geometry.kernels.convex import point_to_convex
from gambol.kernels.jit import allocation_free_kernel
from gambol.search.kernels.traffic_cells import EVERYWHERE, RESTING, cell_of, find_row, pack
from gambol.search.traffic_table import (
    BLOCK_FRAMES,
    CELL_M,
    CIRCLE_RADIUS,
    CIRCLE_X,
    CIRCLE_Y,
    COSINE,
    FIRST_FRAME,
    FIRST_SLOT,
    GONE_AFTER,
    GROWTH,
    HEAD,
    HIGHEST,
    KEY,
    LAST_FRAME,
    LOWEST,
    MARK_BLOCK_FRAMES,
    MARK_CELL_M,
    NEXT,
    ORIGIN_X,
    ORIGIN_Y,
    PRISM_HIGH,
    PRISM_LOW,
    PRISM_RADIUS,
    QUERY_RADIUS_M,
    RESTS_AFTER,
    RESTS_BEFORE,
    SINE,
    THING,
)

NOTHING = -1  # no thing is in the way
BEYOND_HORIZON = -2  # something is still moving, and nobody has laid out where

PARTS = 8  # of a body at an instant


@allocation_free_kernel
def disc_is_free_at(table, x, y, radius, low, high, frame):
    """Return whether nothing meets an upright cylinder at a frame."""
    return disc_blocking_thing(table, x, y, radius, low, high, frame) == NOTHING


@allocation_free_kernel
def body_is_free_at(
    table, part_offset, part_radius, part_low, part_high, outer_radius,
    sample, x, y, cosine, sine, frame, extra_radius, extra_low, extra_high,
):  # fmt: skip
    """Return whether nothing meets a body at a frame.

    The body is a sample of an `ActionTable`, at (x, y) with the heading's cosine and sine; on
    slopes its parts reach farther, lower and higher by `extra_radius`, `extra_low` and `extra_high`.
    """
    return body_blocking_thing(
        table, part_offset, part_radius, part_low, part_high, outer_radius,
        sample, x, y, cosine, sine, frame, extra_radius, extra_low, extra_high,
    ) == NOTHING  # fmt: skip


@allocation_free_kernel
def body_stays_free(
    table, part_offset, part_radius, part_low, part_high, outer_radius,
    sample, x, y, cosine, sine, first_frame, extra_radius, extra_low, extra_high,
):  # fmt: skip
    """Return whether a body that rests from a frame on is never met, as far as things are laid out."""
    frame = first_frame
    last = max(table.last_change + 1, first_frame)
    if table.is_endless:
        last = max(table.horizon, first_frame)
    while frame <= last:
        until = min(frame + MARK_BLOCK_FRAMES - 1, last)
        if not is_quiet(table, x, y, outer_radius[sample] + extra_radius, frame, until):
            for at in range(frame, until + 1):
                if not body_is_free_at(
                    table, part_offset, part_radius, part_low, part_high, outer_radius,
                    sample, x, y, cosine, sine, at, extra_radius, extra_low, extra_high,
                ):  # fmt: skip
                    return False
        frame = until + 1
    return True


@allocation_free_kernel
def is_quiet(table, x, y, radius, first_frame, last_frame):
    """Return whether nothing comes near a circle from one frame to another; a quick look, false when in doubt."""
    if table.is_endless and last_frame > table.horizon:
        return False
    marks = table.marks
    first_block = first_frame // MARK_BLOCK_FRAMES
    last_block = min(last_frame, table.last_change) // MARK_BLOCK_FRAMES
    if table.has_giants and not is_unmarked(
        marks, EVERYWHERE, EVERYWHERE, first_block, last_block, first_frame, last_frame
    ):
        return False
    for column in range(cell_of(x - radius, MARK_CELL_M), cell_of(x + radius, MARK_CELL_M) + 1):
        for row in range(cell_of(y - radius, MARK_CELL_M), cell_of(y + radius, MARK_CELL_M) + 1):
            if not is_unmarked(marks, column, row, first_block, last_block, first_frame, last_frame):
                return False
    return True


@allocation_free_kernel
def is_unmarked(marks, column, row, first_block, last_block, first_frame, last_frame):
    """Return whether nothing moves through a coarse cell in some blocks of frames and nothing rests there."""
    for block in range(first_block, last_block + 1):
        if marks[find_row(marks, pack(block, column, row)), KEY] >= 0:
            return False
    at = find_row(marks, pack(RESTING, column, row))
    return marks[at, KEY] < 0 or (marks[at, RESTS_AFTER] >= last_frame and marks[at, RESTS_BEFORE] <= first_frame)


@allocation_free_kernel
def disc_blocking_thing(table, x, y, radius, low, high, frame):
    """Return the number of a thing that meets an upright cylinder at a frame, NOTHING or BEYOND_HORIZON."""
    if table.is_endless and frame > table.horizon:
        return BEYOND_HORIZON
    spread = max(radius - QUERY_RADIUS_M, 0.0)
    for block in (frame // BLOCK_FRAMES, RESTING):
        for column in range(cell_of(x - spread, CELL_M), cell_of(x + spread, CELL_M) + 1):
            for row in range(cell_of(y - spread, CELL_M), cell_of(y + spread, CELL_M) + 1):
                entry = first_entry(table.cells, block, column, row)
                if entry >= 0:
                    thing = disc_meets_entries(table, entry, x, y, radius, low, high, frame)
                    if thing >= 0:
                        return thing
        if table.has_giants:
            entry = first_entry(table.cells, block, EVERYWHERE, EVERYWHERE)
            thing = disc_meets_entries(table, entry, x, y, radius, low, high, frame)
            if thing >= 0:
                return thing
    return NOTHING


@allocation_free_kernel
def disc_meets_entries(table, entry, x, y, radius, low, high, frame):
    """Return the first thing of a list that meets an upright cylinder at a frame, or NOTHING."""
    while entry >= 0:
        thing = table.entries[entry, THING]
        first, last = records_at(table, thing, frame)
        for record in range(first, last):
            if disc_meets_record(table, record, x, y, radius, low, high):
                return thing
        entry = table.entries[entry, NEXT]
    return NOTHING


@allocation_free_kernel
def body_blocking_thing(
    table, part_offset, part_radius, part_low, part_high, outer_radius,
    sample, x, y, cosine, sine, frame, extra_radius, extra_low, extra_high,
):  # fmt: skip
    """Return the number of a thing that meets a body at a frame, NOTHING or BEYOND_HORIZON."""
    if table.is_endless and frame > table.horizon:
        return BEYOND_HORIZON
    spread = max(outer_radius[sample] + extra_radius - QUERY_RADIUS_M, 0.0)
    for block in (frame // BLOCK_FRAMES, RESTING):
        for column in range(cell_of(x - spread, CELL_M), cell_of(x + spread, CELL_M) + 1):
            for row in range(cell_of(y - spread, CELL_M), cell_of(y + spread, CELL_M) + 1):
                entry = first_entry(table.cells, block, column, row)
                if entry >= 0:
                    thing = body_meets_entries(
                        table, entry, part_offset, part_radius, part_low, part_high, outer_radius,
                        sample, x, y, cosine, sine, frame, extra_radius, extra_low, extra_high,
                    )  # fmt: skip
                    if thing >= 0:
                        return thing
        if table.has_giants:
            thing = body_meets_entries(
                table, first_entry(table.cells, block, EVERYWHERE, EVERYWHERE),
                part_offset, part_radius, part_low, part_high, outer_radius,
                sample, x, y, cosine, sine, frame, extra_radius, extra_low, extra_high,
            )  # fmt: skip
            if thing >= 0:
                return thing
    return NOTHING


@allocation_free_kernel
def body_meets_entries(
    table, entry, part_offset, part_radius, part_low, part_high, outer_radius,
    sample, x, y, cosine, sine, frame, extra_radius, extra_low, extra_high,
):  # fmt: skip
    """Return the first thing of a list that meets a body at a frame, or NOTHING."""
    while entry >= 0:
        thing = table.entries[entry, THING]
        first, last = records_at(table, thing, frame)
        for record in range(first, last):
            if not circles_meet(table.records, record, x, y, outer_radius[sample] + extra_radius):
                continue
            for part in range(PARTS):
                low, high = part_low[sample, part], part_high[sample, part]
                if high <= low:
                    continue  # a figure without this part
                ahead, left = part_offset[sample, part, 0], part_offset[sample, part, 1]
                if disc_meets_record(
                    table, record, x + cosine * ahead - sine * left, y + sine * ahead + cosine * left,
                    part_radius[sample, part] + extra_radius, low - extra_low, high + extra_high,
                ):  # fmt: skip
                    return thing
        entry = table.entries[entry, NEXT]
    return NOTHING


@allocation_free_kernel
def first_entry(cells, block, column, row):
    """Return where the list of a cell begins, or -1."""
    at = find_row(cells, pack(block, column, row))
    return cells[at, HEAD] if cells[at, KEY] >= 0 else -1


@allocation_free_kernel
def records_at(table, thing, frame):
    """Return a thing's first record at a frame and one past its last: none once it is gone.

    Before its first frame it rests, and after its last if it stays.
    """
    things = table.things
    if frame > things[thing, GONE_AFTER]:
        return 0, 0
    at = min(max(frame, things[thing, FIRST_FRAME]), things[thing, LAST_FRAME])
    slot = things[thing, FIRST_SLOT] + at - things[thing, FIRST_FRAME]
    return table.slots[slot, 0], table.slots[slot, 1]


@allocation_free_kernel
def circles_meet(records, record, x, y, radius):
    """Return whether a circle meets the one around a record."""
    away_x, away_y = x - records[record, CIRCLE_X], y - records[record, CIRCLE_Y]
    reach = radius + records[record, CIRCLE_RADIUS]
    return away_x * away_x + away_y * away_y <= reach * reach


@allocation_free_kernel
def disc_meets_record(table, record, x, y, radius, low, high):
    """Return whether an upright cylinder meets a record: touching counts."""
    records = table.records
    if low > records[record, HIGHEST] or high < records[record, LOWEST]:
        return False
    if not circles_meet(records, record, x, y, radius):
        return False
    from_x, from_y = x - records[record, ORIGIN_X], y - records[record, ORIGIN_Y]
    cosine, sine = records[record, COSINE], records[record, SINE]
    own_x, own_y = cosine * from_x + sine * from_y, cosine * from_y - sine * from_x
    wide = radius + records[record, GROWTH]
    shape = table.record_shapes[record]
    for prism in range(table.shape_prisms[shape, 0], table.shape_prisms[shape, 1]):
        if low > table.prisms[prism, PRISM_HIGH] or high < table.prisms[prism, PRISM_LOW]:
            continue
        reach = wide + table.prisms[prism, PRISM_RADIUS]
        first, last = table.prism_corners[prism, 0], table.prism_corners[prism, 1]
        if last - first == 1:
            away_x, away_y = own_x - table.corner_x[first], own_y - table.corner_y[first]
            if away_x * away_x + away_y * away_y <= reach * reach:
                return True
        elif point_to_convex(table.corner_x, table.corner_y, first, last, own_x, own_y) <= reach:
            return True
    return False
