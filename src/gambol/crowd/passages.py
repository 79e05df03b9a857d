"""Passages and junctions of a floor: the doors, corridors and mouths of streets that everybody has to go through."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt, find_objects, gaussian_filter, label

from gambol.crowd.floor import ROOM_CAP_M, Floor
from gambol.crowd.kernels.lanes import detour_cells, middle_lines

FloatArray = NDArray[np.float64]
LEAST_WIDTH_M = 0.9  # narrower, and nobody gets through for sure
MOST_WIDTH_M = 10.0  # wider, and streams part by themselves
TWO_WAY_M = 2.1  # room for two abreast, one each way
DETOUR_M = 25.0  # a passage counts if the way around it is longer than this
DETOUR_WIDTHS = 5.0  # and than so many times its width
LONG_M = 3.0  # a line longer than this may be closed at several places
LEAST_BEHIND_M2 = 20.0  # and if at least so much room is on either side of it: a niche is no passage
BODY_M = 0.35  # room that a standing body needs around its middle
JUNCTION_WIDER = 1.75  # the middle of a junction has at most so many times the room of its arms
ISLAND = 0.3  # radius of an island as a share of the junction's
JUNCTION_APART_M = 1.5  # tops of the room nearer than this are one junction
SQUARE = 0.97  # share of the distance between the walls that the circle between them has where they face each other


@dataclass(frozen=True, eq=False)
class Passage:
    """A narrow place between two walls, as long as they face each other: a door or a whole corridor."""

    number: int
    middle: tuple[float, float]  # where it is narrowest
    direction: tuple[float, float]  # through it, of unit length
    width_m: float  # where it is narrowest
    depth_m: float  # from one end to the other along its axis
    two_way: bool  # wide enough for two abreast
    axis: FloatArray  # (K, 2) metres, from its beginning to its end, about a cell apart
    along: FloatArray  # (K, 2) directions of the axis, of unit length
    widths: FloatArray  # (K,) metres between the walls
    rooms: FloatArray  # (K,) metres to the nearest wall

    @classmethod
    def along_axis(cls, axis: FloatArray, along: FloatArray, widths: FloatArray, rooms: FloatArray) -> Passage:
        """Return the passage along an axis, not yet numbered."""
        good = np.nonzero(widths <= widths.min() + 0.3)[0]
        k = int(good[np.argmin(np.abs(good - 0.5 * (len(axis) - 1)))])
        return cls(
            -1,
            (float(axis[k, 0]), float(axis[k, 1])),
            (float(along[k, 0]), float(along[k, 1])),
            float(widths[k]),
            float(np.linalg.norm(np.diff(axis, axis=0), axis=1).sum()),
            bool(widths[k] >= TWO_WAY_M),
            axis,
            along,
            widths,
            rooms,
        )

    def reversed(self) -> Passage:
        """Return the same passage from its end to its beginning."""
        return Passage.along_axis(self.axis[::-1], -self.along[::-1], self.widths[::-1], self.rooms[::-1])

    def mouth(self, *, end: bool) -> tuple[FloatArray, FloatArray]:
        """Return where the passage opens at one of its ends, and the direction out of it."""
        last = min(5, len(self.axis))
        along = self.along[-last:].mean(axis=0) if end else -self.along[:last].mean(axis=0)
        return self.axis[-1 if end else 0], along / np.linalg.norm(along)


@dataclass(frozen=True, eq=False)
class Junction:
    """A place where three or more passages meet around a wider middle."""

    number: int
    center: tuple[float, float]
    radius_m: float  # to the corners between its arms
    island_m: float  # radius of the middle that everybody goes around
    arms: tuple[tuple[int, bool], ...]  # numbers of passages, and whether it is their end that opens here


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
    far, wall = distance_transform_edt(padded > through_m, return_indices=True)
    clear = (far * cell_m + np.minimum(padded, through_m)[wall[0], wall[1]])[1:-1, 1:-1]
    clear = np.where(room < ROOM_CAP_M - 0.05, room, clear)
    wall = wall[:, 1:-1, 1:-1] - 1
    return Clearance(
        np.ascontiguousarray(clear, dtype=np.float32), room <= through_m, np.ascontiguousarray(wall, dtype=np.int32)
    )


def find_passages(floor: Floor, *, measured: Clearance | None = None) -> list[Passage]:
    """Return the passages of a floor, those of doors as well as those along corridors, by rows and columns.

    A passage is a connected line in the middle between two walls that face each other, 0.9 to 10 m apart, such that
    closing it anywhere makes the way from one side to the other longer than 25 m, or impossible: columns on a plaza
    make none.
    """
    clear, _, wall = measured or clearance(floor.room, floor.cell_m)
    facing = np.zeros((5, *clear.shape), dtype=np.float32)
    middle_lines(clear, wall, floor.cell_m, LEAST_WIDTH_M, MOST_WIDTH_M, facing)
    search = _Search(
        clear >= BODY_M, floor.cell_m, np.zeros(clear.shape, dtype=np.int32), np.empty(clear.size, dtype=np.int32)
    )
    passages = [_passage(line, floor) for line in _lines(facing, clear, search)]
    return _joined_at_bends(floor, clear, passages)


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


class _Line(NamedTuple):
    """A middle line as a row of samples in cells."""

    cells: FloatArray  # (K, 2) row and column
    along: FloatArray  # (K, 2) direction as (row, column)
    widths: FloatArray  # (K,) metres
    rooms: FloatArray  # (K,) metres
    narrowest: int


def _lines(facing: NDArray[np.float32], clear: NDArray[np.float32], search: _Search) -> list[_Line]:
    """Return the connected middle lines that nobody gets around, narrow ones and wide ones apart."""
    inside = facing[0] > 0.0
    if not inside.any():
        return []
    weight = gaussian_filter(inside.astype(np.float32), 1.0)
    width = gaussian_filter(facing[0], 1.0) / np.maximum(weight, 1e-6)
    twice = np.stack([gaussian_filter(part, 0.35 / search.cell_m) for part in facing[1:3]])
    lines: list[_Line] = []
    for two_way in (False, True):
        labels, _ = label(inside & ((width >= TWO_WAY_M) == two_way), structure=np.ones((3, 3)))
        for number, box in enumerate(find_objects(labels), start=1):
            rows, columns = np.nonzero(labels[box] == number)
            rows, columns = rows + box[0].start, columns + box[1].start
            is_long = max(np.ptp(rows), np.ptp(columns)) * search.cell_m > LONG_M
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


def _is_needed_somewhere(line: _Line, search: _Search) -> bool:
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
) -> _Line | None:
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
    return _Line(points, along, widths, mean(clear[rows, columns]), narrowest)


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


def _passage(line: _Line, floor: Floor) -> Passage:
    axis = (line.cells[:, ::-1] + 0.5) * floor.cell_m + (floor.x0, floor.y0)
    along = np.ascontiguousarray(line.along[:, ::-1])
    return Passage.along_axis(axis, along, line.widths, line.rooms)


def _joined_at_bends(floor: Floor, clear: NDArray[np.float32], passages: list[Passage]) -> list[Passage]:
    """Join passages for two that meet in pairs, such as the legs of a corridor with bends; number all."""
    left = dict(enumerate(passages))
    # Each end, as (passage, end), and the end that it meets.
    other: dict[tuple[int, bool], tuple[int, bool]] = {}
    for _, _, arms in _meetings(floor, clear, passages):
        if len(arms) == 2 and arms[0][0] != arms[1][0]:
            other[arms[0]], other[arms[1]] = arms[1], arms[0]
    joined: list[Passage] = []
    while left:
        start = min(left)
        at, end, been = start, False, {start}
        while (at, end) in other and other[at, end][0] not in been:  # to the beginning of the row
            at, far = other[at, end]
            been.add(at)
            end = not far
        row = left.pop(at)
        row = row if not end else row.reversed()
        end = not end
        while (at, end) in other and other[at, end][0] in left:
            at, far = other[at, end]
            part = left.pop(at)
            row = _bent(row, part.reversed() if far else part, floor.cell_m)
            end = not far
        joined.append(row)
    joined.sort(key=lambda passage: (passage.middle[1], passage.middle[0]))
    return [replace(passage, number=number) for number, passage in enumerate(joined)]


def _bent(one: Passage, other: Passage, cell_m: float) -> Passage:
    """Return two passages as one, with a smooth curve from the end of the one to the beginning of the other."""
    (start, out), (stop, back) = one.mouth(end=True), other.mouth(end=False)
    far_m = float(np.linalg.norm(stop - start))
    share = np.linspace(0.0, 1.0, max(2, round(1.2 * far_m / cell_m)) + 1)[1:-1, None]
    bows = (
        (1.0 + 2.0 * share) * (1.0 - share) ** 2,
        share * (1.0 - share) ** 2 * far_m * 1.2,
        share**2 * (3.0 - 2.0 * share),
        share**2 * (share - 1.0) * far_m * 1.2,
    )
    curve = bows[0] * start + bows[1] * out + bows[2] * stop - bows[3] * back
    ahead = np.gradient(np.vstack((start, curve, stop)), axis=0)[1:-1]
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    mixed = lambda a, b: (1.0 - share[:, 0]) * a + share[:, 0] * b  # noqa: E731
    return Passage.along_axis(
        np.vstack((one.axis, curve, other.axis)),
        np.vstack((one.along, ahead, other.along)),
        np.concatenate((one.widths, mixed(one.widths[-1], other.widths[0]), other.widths)),
        np.concatenate((one.rooms, mixed(one.rooms[-1], other.rooms[0]), other.rooms)),
    )


def find_junctions(floor: Floor, passages: list[Passage], *, measured: Clearance | None = None) -> list[Junction]:
    """Return the places where three or more two-way passages open into a middle hardly wider than they are."""
    clear = (measured or clearance(floor.room, floor.cell_m)).clear
    crossings = [meeting for meeting in _meetings(floor, clear, passages) if len(meeting[2]) >= 3]
    return [
        Junction(number, (float(top[0]), float(top[1])), room_m, ISLAND * room_m, tuple(arms))
        for number, (top, room_m, arms) in enumerate(crossings)
    ]


def _meetings(
    floor: Floor, clear: NDArray[np.float32], passages: list[Passage]
) -> list[tuple[FloatArray, float, list[tuple[int, bool]]]]:
    """Return the tops of the room that ends of two-way passages lead to: place, room, places in the list and ends."""
    tops: list[tuple[FloatArray, float, list[tuple[int, bool]]]] = []
    for number, passage in enumerate(passages):
        if not passage.two_way:
            continue
        for end in (False, True):
            top, room_m = _top_near(floor, clear, passage, end=end)
            start, _ = passage.mouth(end=end)
            half_m = 0.5 * float(passage.widths[-1 if end else 0])
            if room_m > JUNCTION_WIDER * half_m or np.linalg.norm(top - start) > 2.0 * half_m + 1.0:
                continue
            for at, _, arms in tops:
                if np.linalg.norm(at - top) < JUNCTION_APART_M:
                    arms.append((number, end))
                    break
            else:
                tops.append((top, room_m, [(number, end)]))
    return tops


def _top_near(floor: Floor, clear: NDArray[np.float32], passage: Passage, *, end: bool) -> tuple[FloatArray, float]:
    """Return the place of most room that one comes to by always going where there is more, from a mouth on."""
    start, out = passage.mouth(end=end)
    x, y = start + 0.25 * passage.width_m * out
    row, column = int((y - floor.y0) / floor.cell_m), int((x - floor.x0) / floor.cell_m)
    rows, columns = clear.shape
    row, column = min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)
    for _ in range(200):
        r0, c0 = max(row - 2, 0), max(column - 2, 0)
        near = clear[r0 : row + 3, c0 : column + 3]
        best = int(np.argmax(near))
        r, c = r0 + best // near.shape[1], c0 + best % near.shape[1]
        if clear[r, c] <= clear[row, column] + 1e-4:
            break
        row, column = r, c
    # The middle of all cells that have as much room: a top between cells is in none of their centres.
    r0, c0 = max(row - 2, 0), max(column - 2, 0)
    near = clear[r0 : row + 3, c0 : column + 3]
    rr, cc = np.nonzero(near >= clear[row, column] - 0.25 * floor.cell_m)
    top = np.array([floor.x0 + (c0 + cc.mean() + 0.5) * floor.cell_m, floor.y0 + (r0 + rr.mean() + 0.5) * floor.cell_m])
    return top, float(clear[row, column])
