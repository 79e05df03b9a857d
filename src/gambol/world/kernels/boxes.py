"""Boxes along a grid, each holding spans of heights in many cells."""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.kernels.jit import kernel
from gambol.world.kernels.spans import Spans

Heights = tuple[float, float, float, float]  # spans' least bottom, greatest bottom, least top, greatest top


@kernel
def fitting_span(spans: Spans, used: BoolArray, cell: int, box: Heights, tolerance_m: float) -> int:
    """Return an unused span of a cell that fits into a box with the heights `box`, or -1."""
    for i in range(spans.starts[cell], spans.starts[cell + 1]):
        if (
            not used[i]
            and max(box[1], spans.bottoms[i]) - min(box[0], spans.bottoms[i]) <= tolerance_m
            and max(box[3], spans.tops[i]) - min(box[2], spans.tops[i]) <= tolerance_m
        ):
            return i
    return -1


@kernel
def widened(box: Heights, bottom: float, top: float) -> Heights:
    """Return the heights of a box with one more span."""
    return min(box[0], bottom), max(box[1], bottom), min(box[2], top), max(box[3], top)


@kernel
def grow_box(
    spans: Spans, used: BoolArray, seed: int, row: int, column: int, rows_first: bool, tolerance_m: float
) -> tuple[int, int, Heights]:
    """Return the number of rows and columns of the box grown from a seed span, and its heights."""
    box = (spans.bottoms[seed], spans.bottoms[seed], spans.tops[seed], spans.tops[seed])
    height = 1
    width = 1
    for stage in range(2):
        along_rows = (stage == 0) == rows_first
        while True:
            trial = box
            fits = (row + height < spans.rows) if along_rows else (column + width < spans.columns)
            length = width if along_rows else height
            if fits:
                for k in range(length):
                    if along_rows:
                        cell = (row + height) * spans.columns + column + k
                    else:
                        cell = (row + k) * spans.columns + column + width
                    i = fitting_span(spans, used, cell, trial, tolerance_m)
                    if i < 0:
                        fits = False
                        break
                    trial = widened(trial, spans.bottoms[i], spans.tops[i])
            if not fits:
                break
            box = trial
            if along_rows:
                height += 1
            else:
                width += 1
    return height, width, box


@kernel
def cover_with_boxes(spans: Spans, tolerance_m: float) -> FloatArray:
    """Return boxes (B, 6) that hold all spans: first row, first column, rows, columns, bottom, top.

    Greedy: each box starts at the first span not yet held, and grows along one axis, then along the other; the
    better of both orders is kept.  In a box bottoms differ by at most `tolerance_m`, and so do tops.
    """
    used = np.zeros(len(spans.bottoms), dtype=np.bool_)
    boxes = np.empty((len(spans.bottoms), 6))
    count = 0
    for cell in range(spans.rows * spans.columns):
        row = cell // spans.columns
        column = cell % spans.columns
        for seed in range(spans.starts[cell], spans.starts[cell + 1]):
            if used[seed]:
                continue
            height, width, box = grow_box(spans, used, seed, row, column, False, tolerance_m)
            height2, width2, box2 = grow_box(spans, used, seed, row, column, True, tolerance_m)
            if height2 * width2 > height * width:
                height, width, box = height2, width2, box2
            for r in range(row, row + height):
                for c in range(column, column + width):
                    # Anything that fits the final range is in the box, also what was not chosen on the way.
                    for i in range(spans.starts[r * spans.columns + c], spans.starts[r * spans.columns + c + 1]):
                        if spans.bottoms[i] >= box[0] and spans.tops[i] <= box[3]:
                            used[i] = True
            boxes[count, 0], boxes[count, 1], boxes[count, 2], boxes[count, 3] = row, column, height, width
            boxes[count, 4], boxes[count, 5] = box[0], box[3]
            count += 1
    return boxes[:count]
