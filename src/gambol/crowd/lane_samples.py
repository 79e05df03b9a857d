"""Samples along passages and before their mouths: which cells lie beside which of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.floor import Floor
from gambol.crowd.kernels.lanes import stamp_samples
from gambol.crowd.middle_lines import Clearance
from gambol.crowd.passages import Passage
from gambol.geometry.arrays import FloatArray

LANE_M = 6.0  # of entry and exit lanes outside a passage
STREET_M = 6.0  # in passages wider than this only the ends have lanes: between them there is room to mix
SIDE_M = 1.0  # a mouth as near as this to another passage opens into its side
SIDE_SPARE_M = 0.5  # beside such a mouth the other passage has no rule either
TURNING_M = 3.0  # left without a rule before a wall ahead, to turn round
TURNING = 0.75  # or so many times the width of a dead end
FAN = 0.12  # metres by which a lane outside a passage gets wider with each metre,
DOOR_FAN = 0.5  # and one that leads to a door, where people come from all sides
FLANK_WIDE_M = 0.75  # beside the lane that leads to a door, where nobody comes in
GATE_LANE_M = 1.3  # width of each lane outside a passage too narrow for two
GATE_APRON_M = 0.5  # before a gate that belongs to it: both lanes meet there
GATE_RUN_UP_M = 1.5  # or so much before a door, where there is room for it


class Samples(NamedTuple):
    """Places along the middle lines of passages and before their mouths, from which cells get their rule."""

    place: FloatArray  # (S, 2) x, y
    along: FloatArray  # (S, 2) of the axis; before a mouth: out of it
    half_m: FloatArray  # (S,) to each side
    out_m: FloatArray  # (S,) from the mouth on, 0 within the passage
    bend: FloatArray  # (S,) radians a cell by which the axis turns, at most
    passage: NDArray[np.int64]  # (S,)
    fan: FloatArray  # (S,) metres by which its entry lane gets wider with each metre


def throat_samples(
    floor: Floor,
    measured: Clearance,
    passages: list[Passage],
    meeting: set[tuple[int, bool]],
    doors: set[tuple[int, bool]],
) -> Samples:
    """Return samples along passages, but for dead ends, where there must be room to turn, and the middle of streets."""
    parts: list[Samples] = []
    for passage in passages:
        away = np.linalg.norm(np.diff(passage.axis, axis=0, prepend=passage.axis[:1]), axis=1).cumsum()
        street = passage.two_way and passage.width_m > STREET_M
        near_end = np.zeros(len(away), dtype=bool)
        kept = np.ones(len(away), dtype=bool)
        for end in (False, True):
            from_end = away[-1] - away if end else away
            free_m = free_ahead(floor, measured, *passage.mouth(end=end))
            turning_m = max(TURNING_M, TURNING * passage.width_m)
            dead = passage.two_way and free_m < turning_m and (passage.number, end) not in meeting
            if dead:
                kept &= from_end >= turning_m - free_m
                if np.count_nonzero(kept) * floor.cell_m < passage.width_m:  # a bay
                    kept[:] = False
            near_end |= (from_end <= LANE_M) & (not dead)
        if street:
            kept &= near_end
        if not passage.two_way:
            for end in (False, True):
                apron_m = GATE_RUN_UP_M if (passage.number, end) in doors else GATE_APRON_M
                parts.append(_apron_samples(passage, apron_m, floor.cell_m, end=end))
        count = int(kept.sum())
        parts.append(
            Samples(
                passage.axis[kept],
                passage.along[kept],
                0.5 * passage.widths[kept],
                np.zeros(count),
                _bends(passage)[kept],
                np.full(count, passage.number),
                np.zeros(count),
            )
        )
    return joined(parts)


def _apron_samples(passage: Passage, apron_m: float, cell_m: float, *, end: bool) -> Samples:
    """Return samples right before one end of a gate, that belong to it."""
    start, out = passage.mouth(end=end)
    out_m = np.arange(cell_m, apron_m + 1e-6, cell_m)
    count = len(out_m)
    return Samples(
        start + out_m[:, None] * out,
        np.tile(out, (count, 1)),
        np.full(count, 0.5 * passage.width_m),
        np.zeros(count),
        np.zeros(count),
        np.full(count, passage.number),
        np.zeros(count),
    )


def joined(parts: list[Samples]) -> Samples:
    return Samples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _bends(passage: Passage) -> FloatArray:
    """Return by how much the axis turns from each sample to the next or from the last one, whichever is more."""
    turn = np.linalg.norm(np.diff(passage.along, axis=0), axis=1)
    return np.maximum(np.append(turn, 0.0), np.insert(turn, 0, 0.0))


def mouth_samples(passage: Passage, length_m: float, cell_m: float, *, end: bool, is_door: bool) -> Samples:
    """Return samples before one end of a passage, for its entry and exit lanes and what is beside them."""
    start, out = passage.mouth(end=end)
    out_m = np.arange(cell_m, length_m, cell_m)
    fan = DOOR_FAN if is_door else FAN
    if passage.two_way:
        half_m = 0.5 * passage.width_m + fan * out_m + (FLANK_WIDE_M if is_door else 0.0)
    else:
        out_m = out_m[out_m > (GATE_RUN_UP_M if is_door else GATE_APRON_M)]
        half_m = np.full(len(out_m), max(0.5 * passage.width_m, GATE_LANE_M))
    count = len(out_m)
    return Samples(
        start + out_m[:, None] * out,
        np.tile(out, (count, 1)),
        half_m,
        out_m,
        np.zeros(count),
        np.full(count, passage.number),
        np.full(count, fan),
    )


def free_ahead(floor: Floor, measured: Clearance, start: FloatArray, out: FloatArray) -> float:
    """Return how far one can go straight on from a mouth until a wall, or as far as matters."""
    far_m = np.arange(0.0, LANE_M + TURNING_M + 0.01, 0.5 * floor.cell_m)
    column, row = (np.floor((start + far_m[:, None] * out - (floor.x0, floor.y0)) / floor.cell_m).astype(int)).T
    rows, columns = measured.clear.shape
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    closed = ~inside | measured.closed[row.clip(0, rows - 1), column.clip(0, columns - 1)]
    return float(far_m[np.argmax(closed)]) if closed.any() else LANE_M + TURNING_M


def owners(floor: Floor, measured: Clearance, samples: Samples) -> NDArray[np.int32]:
    """Return for each cell the sample that rules it, or -1."""
    owner = np.full(floor.room.shape, -1, dtype=np.int32)
    nearest = np.full(floor.room.shape, np.inf, dtype=np.float32)
    cells = ((samples.place - (floor.x0, floor.y0)) / floor.cell_m - 0.5)[:, ::-1]
    # Within one lane the nearest sample counts, among passages the nearer throat: ranks in steps of two metres.
    rank = np.where(samples.out_m > 0.0, 1 + samples.out_m // 2.0, 0.0).astype(np.int32)
    half = samples.half_m / floor.cell_m + 0.5
    along = np.ascontiguousarray(samples.along[:, ::-1])
    stamp_samples(measured.closed, np.ascontiguousarray(cells), along, rank, half, samples.bend, nearest, owner)
    return owner


def side_opening(
    floor: Floor, samples: Samples, owner: NDArray[np.int32], passage: Passage, *, end: bool
) -> NDArray[np.bool_] | None:
    """Return the cells of another passage right before a mouth that opens into its side, or None."""
    start, out = passage.mouth(end=end)
    ahead = start + np.arange(0.0, SIDE_M, floor.cell_m)[:, None] * out
    column, row = np.floor((ahead - (floor.x0, floor.y0)) / floor.cell_m).astype(int).T
    inside = (row >= 0) & (row < owner.shape[0]) & (column >= 0) & (column < owner.shape[1])
    met = owner[row[inside], column[inside]]
    met = met[met >= 0]
    met = met[(samples.passage[met] != passage.number) & (np.abs(samples.along[met] @ out) < 0.7)]
    if len(met) == 0:
        return None
    rows, columns = np.nonzero(owner >= 0)
    offset = (np.column_stack((columns, rows)) + 0.5) * floor.cell_m + (floor.x0, floor.y0) - start
    aside = np.abs(out[0] * offset[:, 1] - out[1] * offset[:, 0])
    chosen = (samples.passage[owner[rows, columns]] == samples.passage[met[0]]) & (
        aside <= 0.5 * passage.width_m + SIDE_SPARE_M
    )
    far = samples.half_m[met[0]] * 2.0 + SIDE_M
    chosen &= np.abs(offset @ out) <= far
    cells = np.zeros(owner.shape, dtype=bool)
    cells[rows[chosen], columns[chosen]] = True
    return cells
