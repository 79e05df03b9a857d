"""Boxes along a grid that hold spans of heights of many cells."""

from __future__ import annotations

import numpy as np

from gambol.kernels.jit import kernel


@kernel
def fitting_span(starts, bottoms, tops, used, cell, box, tolerance_m):
    """Return the unused span of a cell that a box of heights can take in, or -1.

    box: least bottom, greatest bottom, least top, greatest top of the spans taken so far.
    """
    for i in range(starts[cell], starts[cell + 1]):
        if (
            not used[i]
            and max(box[1], bottoms[i]) - min(box[0], bottoms[i]) <= tolerance_m
            and max(box[3], tops[i]) - min(box[2], tops[i]) <= tolerance_m
        ):
            return i
    return -1


@kernel
def widened(box, bottom, top):
    return min(box[0], bottom), max(box[1], bottom), min(box[2], top), max(box[3], top)


@kernel
def grow_box(starts, bottoms, tops, used, seed, row, column, rows, columns, rows_first, tolerance_m):
    """Return how many rows and columns a box from a seed span can have, and its range of bottoms and tops."""
    box = (bottoms[seed], bottoms[seed], tops[seed], tops[seed])
    height = 1
    width = 1
    for stage in range(2):
        along_rows = (stage == 0) == rows_first
        while True:
            trial = box
            fits = (row + height < rows) if along_rows else (column + width < columns)
            length = width if along_rows else height
            if fits:
                for k in range(length):
                    if along_rows:
                        cell = (row + height) * columns + column + k
                    else:
                        cell = (row + k) * columns + column + width
                    i = fitting_span(starts, bottoms, tops, used, cell, trial, tolerance_m)
                    if i < 0:
                        fits = False
                        break
                    trial = widened(trial, bottoms[i], tops[i])
            if not fits:
                break
            box = trial
            if along_rows:
                height += 1
            else:
                width += 1
    return height, width, box


@kernel
def cover_with_boxes(starts, bottoms, tops, rows, columns, tolerance_m):
    """Return boxes (B, 6) that hold all spans: first row, column, rows, columns, bottom, top.

    Greedy: from the first span not yet held, as long as possible along one axis, then along the other; the
    better of both orders.  Within a box bottoms differ by at most `tolerance_m`, and so do tops.
    """
    used = np.zeros(len(bottoms), dtype=np.bool_)
    boxes = np.empty((len(bottoms), 6))
    count = 0
    for cell in range(rows * columns):
        row = cell // columns
        column = cell % columns
        for seed in range(starts[cell], starts[cell + 1]):
            if used[seed]:
                continue
            height, width, box = grow_box(
                starts, bottoms, tops, used, seed, row, column, rows, columns, False, tolerance_m
            )
            height2, width2, box2 = grow_box(
                starts, bottoms, tops, used, seed, row, column, rows, columns, True, tolerance_m
            )
            if height2 * width2 > height * width:
                height, width, box = height2, width2, box2
            for r in range(row, row + height):
                for c in range(column, column + width):
                    # Anything that fits the final range is in the box, also what was not chosen on the way.
                    for i in range(starts[r * columns + c], starts[r * columns + c + 1]):
                        if bottoms[i] >= box[0] and tops[i] <= box[3]:
                            used[i] = True
            boxes[count, 0], boxes[count, 1], boxes[count, 2], boxes[count, 3] = row, column, height, width
            boxes[count, 4], boxes[count, 5] = box[0], box[3]
            count += 1
    return boxes[:count]
