"""Passages and junctions of a floor: the doors, corridors and mouths of streets that everybody has to go through."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.floor import Floor
from gambol.crowd.middle_lines import TWO_WAY_M, Clearance, MiddleLine, clearance, find_middle_lines
from gambol.geometry.arrays import FloatArray

JUNCTION_WIDER = 1.75  # the middle of a junction has at most so many times the room of its arms
JUNCTION_APART_M = 1.5  # tops of the room nearer than this are one junction
ISLAND = 0.3  # radius of an island as a share of the junction's


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
            float(widths.min()),
            float(np.linalg.norm(np.diff(axis, axis=0), axis=1).sum()),
            bool(widths.min() >= TWO_WAY_M),
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


def find_passages(floor: Floor, *, measured: Clearance | None = None) -> list[Passage]:
    """Return the passages of a floor, those of doors as well as those along corridors, by rows and columns.

    A passage is a connected line in the middle between two walls that face each other, 0.9 to 10 m apart, such that
    closing it anywhere makes the way from one side to the other longer than 25 m, or impossible: columns on a plaza
    make none.
    """
    measured = measured or clearance(floor.room, floor.cell_m)
    passages = [_passage(line, floor) for line in find_middle_lines(measured, floor.cell_m)]
    return _joined_at_bends(floor, measured.clear, passages)


def _passage(line: MiddleLine, floor: Floor) -> Passage:
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
