"""The lines in the middle between walls that face each other, where these are too close for anybody to get around."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.crowd.floor import ROOM_CAP_M
from gambol.crowd.kernels.lanes import detour_cells, middle_lines
from gambol.geometry.arrays import FloatArray

LEAST_WIDTH_M = 0.9  # narrower, and nobody gets through for sure
MOST_WIDTH_M = 10.0  # wider, and streams part by themselves
TWO_WAY_M = 2.1  # room for two abreast, one each way
DETOUR_M = 25.0  # a passage counts if the way around it is longer than this
DETOUR_WIDTHS = 5.0  # and than so many times its width
LEAST_BEHIND_M2 = 20.0  # and if at least so much room is on either side of it: a niche is no passage
LONG_M = 3.0  # a line longer than this may be closed at several places
SMOOTH_M = 0.35  # over which directions of middle lines are averaged
BODY_M = 0.35  # room that a standing body needs around its middle


class Clearance(NamedTuple):
    """How far the walls are from the cells of a floor, with no cap."""

    clear: NDArray[np.float32]  # (rows, columns) metres, not above 0 within walls
    closed: NDArray[np.bool_]  # (rows, columns) cells that a wall may run through
    wall: NDArray[np.int32]  # (2, rows, columns): row and column of the nearest closed cell, perhaps just outside


def clearance(room: NDArray[np.float32], cell_m: float) -> Clearance:
    """Measure the distance from every cell to the nearest wall or bound.

    Cells that a wall may run through between their centres are closed, however thin it is.
    """
    through_m = 0.71 * cell_m
    padded = np.pad(room, 1, constant_values=-0.5 * cell_m)
    far, wall = cast(
        "tuple[FloatArray, NDArray[np.int32]]",
        scipy.ndimage.distance_transform_edt(padded > through_m, return_indices=True),
    )
    clear = (far * cell_m + np.minimum(padded, through_m)[wall[0], wall[1]])[1:-1, 1:-1]
    clear = np.where(room < ROOM_CAP_M - 0.05, room, clear)
    wall = wall[:, 1:-1, 1:-1] - 1
    return Clearance(
        np.ascontiguousarray(clear, dtype=np.float32), room <= through_m, np.ascontiguousarray(wall, dtype=np.int32)
    )


def connected(cells: NDArray[np.bool_], *, diagonally: bool = False) -> NDArray[np.int32]:
    """Return the number, from 1 on, of the connected part that each of the cells belongs to; 0 in all others."""
    labels, _ = cast(
        "tuple[NDArray[np.int32], int]", scipy.ndimage.label(cells, structure=np.ones((3, 3)) if diagonally else None)
    )
    return labels


@dataclass(eq=False)
class _Search:
    """Searches for ways around a closed passage, with the arrays they share."""

    walkable: NDArray[np.bool_]
    cell_m: float
    seen: NDArray[np.int32]
    queue: NDArray[np.int32]
    stamp: int = 0

    def is_needed(self, middle: Sequence[float], along: Sequence[float], width_m: float) -> bool:
        """Tell whether closing a place between two walls makes a long detour, with room enough on both sides.

        middle, along: row and column, and direction.
        """
        half = 0.5 * float(width_m) / self.cell_m + 1.5
        limit = round(max(DETOUR_M, DETOUR_WIDTHS * float(width_m)) / self.cell_m)
        enough = round(LEAST_BEHIND_M2 / self.cell_m**2)
        row, column = float(middle[0]), float(middle[1])
        for sign in (1.0, -1.0):
            self.stamp += 1
            dr, dc = sign * float(along[0]), sign * float(along[1])
            way, count = detour_cells(
                self.walkable, row, column, dr, dc, half, limit, enough, self.seen, self.stamp, self.queue
            )
            if way >= 0 or count < enough:
                return False
        return True


class MiddleLine(NamedTuple):
    """A middle line as a row of samples in cells."""

    cells: FloatArray  # (K, 2) row and column
    along: FloatArray  # (K, 2) direction as (row, column)
    widths: FloatArray  # (K,) metres
    rooms: FloatArray  # (K,) metres
    narrowest: int


def find_middle_lines(measured: Clearance, cell_m: float) -> list[MiddleLine]:
    """Return the connected lines between walls 0.9 to 10 m apart that cannot be closed without a long detour.

    Lines where there is room for two abreast and lines where there is not are apart.
    """
    clear = measured.clear
    facing = np.zeros((5, *clear.shape), dtype=np.float32)
    middle_lines(clear, measured.wall, cell_m, LEAST_WIDTH_M, MOST_WIDTH_M, facing)
    search = _Search(clear >= BODY_M, cell_m, np.zeros(clear.shape, np.int32), np.empty(clear.size, np.int32))
    inside = facing[0] > 0.0
    if not inside.any():
        return []
    weight = scipy.ndimage.gaussian_filter(inside.astype(np.float32), 1.0)
    width = scipy.ndimage.gaussian_filter(facing[0], 1.0) / np.maximum(weight, 1e-6)
    twice = np.stack([scipy.ndimage.gaussian_filter(part, SMOOTH_M / cell_m) for part in facing[1:3]], dtype=np.float32)
    lines: list[MiddleLine] = []
    for two_way in (False, True):
        labels = connected(inside & ((width >= TWO_WAY_M) == two_way), diagonally=True)
        for number, box in enumerate(scipy.ndimage.find_objects(labels), start=1):
            rows, columns = np.nonzero(labels[box] == number)
            rows, columns = rows + box[0].start, columns + box[1].start
            is_long = max(np.ptp(rows), np.ptp(columns)) * cell_m > LONG_M
            if not is_long:
                k = int(np.argmin(facing[0, rows, columns]))
                row, column = rows[k], columns[k]
                angle = 0.5 * math.atan2(twice[1, row, column], twice[0, row, column])
                if not search.is_needed((row, column), (math.sin(angle), math.cos(angle)), facing[0, row, column]):
                    continue
            line = _line(rows, columns, facing, twice, clear)
            if line is not None and (not is_long or _is_needed_somewhere(line, search)):
                lines.append(line)
    return lines


def _is_needed_somewhere(line: MiddleLine, search: _Search) -> bool:
    last = len(line.cells) - 1
    return any(
        search.is_needed(tuple(line.cells[k]), tuple(line.along[k]), line.widths[k])
        for k in (line.narrowest, last // 4, last - last // 4)
    )


def _line(
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    facing: NDArray[np.float32],
    twice: NDArray[np.float32],
    clear: NDArray[np.float32],
) -> MiddleLine | None:
    """Return the samples of one connected line in order, or None where it is no narrow place."""
    cells = list(zip(rows.tolist(), columns.tolist(), strict=True))
    steps = _steps_from(cells, _farthest(cells, _farthest(cells, cells[0])))
    order = np.array([steps[cell] for cell in cells])
    length = int(order.max()) + 1
    if length <= 4 and _is_top(rows, columns, twice, clear):
        return None
    share = np.bincount(order, minlength=length).astype(np.float64)
    mean = lambda values: np.bincount(order, weights=values, minlength=length) / share  # noqa: E731
    points = np.column_stack((mean(rows + facing[3, rows, columns]), mean(columns + facing[4, rows, columns])))
    angle = 0.5 * np.arctan2(mean(twice[1, rows, columns]), mean(twice[0, rows, columns]))
    along = np.column_stack((np.sin(angle), np.cos(angle)))
    ahead = points[np.minimum(np.arange(length) + 3, length - 1)] - points[np.maximum(np.arange(length) - 3, 0)]
    along *= np.where(np.sum(along * ahead, axis=1) < 0.0, -1.0, 1.0)[:, None]
    widths = mean(facing[0, rows, columns])
    good = np.nonzero(widths <= widths.min() + 0.3)[0]
    narrowest = int(good[np.argmin(np.abs(good - 0.5 * (length - 1)))])
    return MiddleLine(points, along, widths, mean(clear[rows, columns]), narrowest)


def _is_top(
    rows: NDArray[np.int64], columns: NDArray[np.int64], twice: NDArray[np.float32], clear: NDArray[np.float32]
) -> bool:
    """Tell whether there is less room on a side of a short line than on it: no door, but the middle of a crossing."""
    angle = 0.5 * np.arctan2(twice[1, rows, columns].mean(), twice[0, rows, columns].mean())
    here = clear[rows, columns].mean()
    offset = np.rint(4.0 * np.array([np.sin(angle), np.cos(angle)])).astype(int)
    middle = np.rint([rows.mean(), columns.mean()]).astype(int)
    last = np.array(clear.shape) - 1
    sides = [clear[tuple(np.clip(middle + sign * offset, 0, last))] for sign in (-1, 1)]
    return bool(min(sides) < here)


def _steps_from(cells: list[tuple[int, int]], start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Return the number of steps from one cell of a connected set to each of the others, in the order found."""
    left = set(cells)
    left.discard(start)
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        row, column = at = waiting.popleft()
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)):
            cell = (row + dr, column + dc)
            if cell in left:
                left.discard(cell)
                steps[cell] = steps[at] + 1
                waiting.append(cell)
    return steps


def _farthest(cells: list[tuple[int, int]], start: tuple[int, int]) -> tuple[int, int]:
    steps = _steps_from(cells, start)
    return max(steps, key=lambda cell: (steps[cell], cell))
