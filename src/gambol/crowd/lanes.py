"""One-way lanes at passages and junctions, laid from the map alone: right-hand traffic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation, label
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from gambol.crowd.floor import Floor, note_lanes
from gambol.crowd.kernels.lanes import one_way_moves, stamp_samples
from gambol.crowd.passages import (
    BODY_M,
    SQUARE,
    Clearance,
    Junction,
    Passage,
    clearance,
    find_junctions,
    find_passages,
)

FloatArray = NDArray[np.float64]
LANE_M = 6.0  # of entry and exit lanes outside a passage
STREET_M = 6.0  # in passages wider than this only the ends have lanes: between them there is room to mix
LEAST_LANE_M = 1.0  # shorter ones are of no use
SIDE_M = 1.0  # a mouth as near as this to another passage opens into its side
SIDE_SPARE_M = 0.5  # beside such a mouth the other passage has no rule either
TURNING_M = 3.0  # left without a rule before a wall ahead, to turn round
TURNING = 0.75  # or so many times the width of a dead end
FAN = 0.12  # metres by which a lane outside a passage gets wider with each metre
GATE_LANE_M = 1.3  # width of each lane outside a passage too narrow for two
GATE_APRON_M = 0.5  # before a gate that belongs to its throat: both lanes meet there
PART_M = 1.5  # from here on exit lanes lead away from the middle line
MOST_GATES = 127  # as many as have a number in the floor's cells
ROUNDS = 12  # of taking back lanes that cut places off
GIVING_UP = 5  # round from which on whole passages are given up
SIXTEENTH = np.pi / 8.0


@dataclass(frozen=True, eq=False)
class Gate:
    """A passage for one direction at a time; its cells bear its number in `floor.gate`."""

    number: int
    passage: int
    middle: tuple[float, float]
    direction: tuple[float, float]
    width_m: float
    cells: NDArray[np.int32]  # (N, 2) row and column


@dataclass(frozen=True, eq=False)
class Lanes:
    """What was found on a floor and ruled."""

    passages: tuple[Passage, ...]
    junctions: tuple[Junction, ...]
    gates: tuple[Gate, ...]
    ruled_cells: int  # with a direction
    taken_back_cells: int  # that had one, but would have cut a place off
    given_up: tuple[int, ...]  # numbers of passages that have no lanes because they would have cut a place off


class _Samples(NamedTuple):
    """Places along the middle lines of passages and before their mouths, from which cells get their rule."""

    place: FloatArray  # (S, 2) x, y
    along: FloatArray  # (S, 2) of the axis; before a mouth: out of it
    half_m: FloatArray  # (S,) to each side
    out_m: FloatArray  # (S,) from the mouth on, 0 within the passage
    bend: FloatArray  # (S,) radians a cell by which the axis turns, at most
    passage: NDArray[np.int64]  # (S,)


def lay_lanes(floor: Floor) -> Lanes:
    """Write one-way directions and gates of a floor in place: `floor.way` and `floor.gate`.

    Every passage for two has two lanes, one for each direction, each at the right-hand side; so have the six metres
    before and behind it.  Passages too narrow are gates.  Junctions are roundabouts.  No place is cut off from
    any other: rules that would do so are taken back.
    """
    floor.way[:] = -1
    floor.gate[:] = -1
    measured = clearance(floor.room, floor.cell_m)
    passages = find_passages(floor, measured=measured)
    if not passages:
        note_lanes(floor)
        return Lanes((), (), (), 0, 0, ())
    junctions = find_junctions(floor, passages, measured=measured)
    meeting = {arm for junction in junctions for arm in junction.arms}
    samples = _throat_samples(floor, measured, passages, meeting)
    throats = _owners(floor, measured, samples)
    parts, crossings = [samples], np.zeros(throats.shape, dtype=bool)
    for passage in passages:
        for end in (False, True):
            if (passage.number, end) in meeting:
                continue
            opening = _side_opening(floor, samples, throats, passage, end=end)
            if opening is not None:
                crossings |= opening
                continue
            length_m = min(LANE_M, _free_ahead(floor, measured, *passage.mouth(end=end)) - TURNING_M)
            if length_m >= LEAST_LANE_M:
                parts.append(_mouth_samples(passage, length_m, floor.cell_m, end=end))
    samples = _joined(parts)
    owner = _owners(floor, measured, samples)
    gates = _write_passages(floor, passages, samples, owner)
    floor.way[crossings] = -1
    islands = np.zeros(floor.room.shape, dtype=bool)
    for junction in junctions:
        _write_ring(floor, measured, passages, junction, islands)
    taken_back, given_up = _take_back(floor, islands, np.where(owner >= 0, samples.passage[owner], -1))
    note_lanes(floor)
    ruled = int(np.count_nonzero(floor.way >= 0))
    return Lanes(tuple(passages), tuple(junctions), tuple(gates), ruled, taken_back, given_up)


def _throat_samples(
    floor: Floor, measured: Clearance, passages: list[Passage], meeting: set[tuple[int, bool]]
) -> _Samples:
    """Return samples along passages, but for dead ends, where there must be room to turn, and the middle of streets."""
    parts: list[_Samples] = []
    for passage in passages:
        away = np.linalg.norm(np.diff(passage.axis, axis=0, prepend=passage.axis[:1]), axis=1).cumsum()
        street = passage.two_way and passage.width_m > STREET_M
        near_end = np.zeros(len(away), dtype=bool)
        kept = np.ones(len(away), dtype=bool)
        for end in (False, True):
            from_end = away[-1] - away if end else away
            free_m = _free_ahead(floor, measured, *passage.mouth(end=end))
            turning_m = max(TURNING_M, TURNING * passage.width_m)
            dead = passage.two_way and free_m < turning_m and (passage.number, end) not in meeting
            if dead:
                kept &= from_end >= turning_m - free_m
            near_end |= (from_end <= LANE_M) & (not dead)
        if street:
            kept &= near_end
        if not passage.two_way:
            parts += [_apron_samples(passage, floor.cell_m, end=end) for end in (False, True)]
        count = int(kept.sum())
        parts.append(
            _Samples(
                passage.axis[kept],
                passage.along[kept],
                0.5 * passage.widths[kept],
                np.zeros(count),
                _bends(passage)[kept],
                np.full(count, passage.number),
            )
        )
    return _joined(parts)


def _apron_samples(passage: Passage, cell_m: float, *, end: bool) -> _Samples:
    """Return samples right before one end of a gate, that count as its throat."""
    start, out = passage.mouth(end=end)
    out_m = np.arange(cell_m, GATE_APRON_M + 1e-6, cell_m)
    count = len(out_m)
    return _Samples(
        start + out_m[:, None] * out,
        np.tile(out, (count, 1)),
        np.full(count, 0.5 * passage.width_m),
        np.zeros(count),
        np.zeros(count),
        np.full(count, passage.number),
    )


def _joined(parts: list[_Samples]) -> _Samples:
    return _Samples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _side_opening(
    floor: Floor, samples: _Samples, owner: NDArray[np.int32], passage: Passage, *, end: bool
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


def _bends(passage: Passage) -> FloatArray:
    """Return by how much the axis turns from each sample to the next or from the last one, whichever is more."""
    turn = np.linalg.norm(np.diff(passage.along, axis=0), axis=1)
    return np.maximum(np.append(turn, 0.0), np.insert(turn, 0, 0.0))


def _mouth_samples(passage: Passage, length_m: float, cell_m: float, *, end: bool) -> _Samples:
    """Return samples before one end of a passage, for its entry and exit lanes."""
    start, out = passage.mouth(end=end)
    out_m = np.arange(cell_m, length_m, cell_m)
    if passage.two_way:
        half_m = 0.5 * passage.width_m + FAN * out_m
    else:
        out_m = out_m[out_m > GATE_APRON_M]
        half_m = np.full(len(out_m), max(0.5 * passage.width_m, GATE_LANE_M))
    count = len(out_m)
    return _Samples(
        start + out_m[:, None] * out,
        np.tile(out, (count, 1)),
        half_m,
        out_m,
        np.zeros(count),
        np.full(count, passage.number),
    )


def _free_ahead(floor: Floor, measured: Clearance, start: FloatArray, out: FloatArray) -> float:
    """Return how far one can go straight on from a mouth until a wall, or as far as matters."""
    far_m = np.arange(0.0, LANE_M + TURNING_M + 0.01, 0.5 * floor.cell_m)
    column, row = (np.floor((start + far_m[:, None] * out - (floor.x0, floor.y0)) / floor.cell_m).astype(int)).T
    rows, columns = measured.clear.shape
    inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
    closed = ~inside | measured.closed[row.clip(0, rows - 1), column.clip(0, columns - 1)]
    return float(far_m[np.argmax(closed)]) if closed.any() else LANE_M + TURNING_M


def _owners(floor: Floor, measured: Clearance, samples: _Samples) -> NDArray[np.int32]:
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


def _write_passages(floor: Floor, passages: list[Passage], samples: _Samples, owner: NDArray[np.int32]) -> list[Gate]:
    rows, columns = np.nonzero(owner >= 0)
    s = owner[rows, columns]
    center = np.column_stack((columns, rows)) * floor.cell_m + (
        0.5 * floor.cell_m + floor.x0,
        0.5 * floor.cell_m + floor.y0,
    )
    offset = center - samples.place[s]
    along = samples.along[s]
    left = along[:, 0] * offset[:, 1] - along[:, 1] * offset[:, 0]
    two_way = np.array([passage.two_way for passage in passages])[samples.passage[s]]
    throat = samples.out_m[s] == 0.0
    angle = np.arctan2(along[:, 1], along[:, 0]) + np.where(left > 0.0, np.pi, 0.0)
    angle -= np.where((left <= 0.0) & (samples.out_m[s] > PART_M), SIXTEENTH, 0.0)
    # Before a gate lanes lead to and from the throat.
    from_throat = offset + along * (samples.out_m[s] + 1.0)[:, None]
    radial = np.arctan2(from_throat[:, 1], from_throat[:, 0]) + np.where(left > 0.0, np.pi, 0.0)
    angle = np.where(two_way | throat, angle, radial)
    ruled = two_way | ~throat
    way = np.rint(angle / SIXTEENTH).astype(np.int64) % 16
    floor.way[rows[ruled], columns[ruled]] = way[ruled]
    gates: list[Gate] = []
    for passage in passages:
        mine = throat & (samples.passage[s] == passage.number)
        if passage.two_way or not mine.any() or len(gates) == MOST_GATES:
            continue
        cells = np.column_stack((rows[mine], columns[mine])).astype(np.int32)
        floor.gate[cells[:, 0], cells[:, 1]] = len(gates)
        gates.append(Gate(len(gates), passage.number, passage.middle, passage.direction, passage.width_m, cells))
    return gates


def _write_ring(
    floor: Floor, measured: Clearance, passages: list[Passage], junction: Junction, islands: NDArray[np.bool_]
) -> None:
    """Write a roundabout into the middle of a junction, up to the lines where its arms begin; note its island."""
    rows, columns = floor.room.shape
    y = floor.y0 + (np.arange(rows) + 0.5) * floor.cell_m - junction.center[1]
    x = floor.x0 + (np.arange(columns) + 0.5) * floor.cell_m - junction.center[0]
    near_rows = np.nonzero(np.abs(y) <= junction.radius_m)[0]
    near_columns = np.nonzero(np.abs(x) <= junction.radius_m)[0]
    box = np.ix_(near_rows, near_columns)
    dx, dy = np.meshgrid(x[near_columns], y[near_rows])
    away = np.hypot(dx, dy)
    ring = (away <= junction.radius_m) & ~measured.closed[box]
    for number, end in junction.arms:
        passage = passages[number]
        square = passage.rooms <= 0.5 * passage.widths / SQUARE + 0.25 * floor.cell_m
        k = np.nonzero(square)[0]
        k = (int(k[-1]) if end else int(k[0])) if len(k) else (-1 if end else 0)
        into = passage.along[k] * (-1.0 if end else 1.0)
        begins_m = float(np.dot(passage.axis[k] - junction.center, into))
        ring &= dx * into[0] + dy * into[1] <= max(begins_m, 0.5 * junction.radius_m)
    outward = np.clip(2.0 - 2.0 * away / junction.island_m, 0.0, 1.0) * np.pi / 3.0
    angle = np.arctan2(dy, dx) + 0.5 * np.pi - outward
    islands[box] |= ring & (away <= junction.island_m)
    floor.way[box] = np.where(ring, np.rint(angle / SIXTEENTH).astype(np.int64) % 16, floor.way[box])


def _take_back(floor: Floor, islands: NDArray[np.bool_], passage_of: NDArray[np.int64]) -> tuple[int, tuple[int, ...]]:
    """Take back rules until everybody can get from everywhere to everywhere they could without.

    Return how many cells lost theirs, and the passages that lost all.  First go single cells, then their neighbours,
    then passages, at last all rules of the part of the floor.  Islands are left alone: nobody is to go there, and
    everybody can leave them.
    """
    walkable = floor.room >= BODY_M
    floor.way[floor.room <= 0.0] = -1
    whole, _ = label(walkable)
    taken, given_up = 0, set[int]()
    for turn in range(ROUNDS + 1):
        wrong = cut_off(floor.way, walkable, whole) & ~islands
        if not wrong.any():
            break
        if turn > 0:  # to have no rule is not enough where all around have one: let there be a way out
            wrong = binary_dilation(wrong, structure=np.ones((3, 3)))
        if turn >= GIVING_UP:
            concerned = np.unique(passage_of[wrong & (floor.way >= 0)])
            given_up.update(int(number) for number in concerned if number >= 0)
            wrong |= np.isin(passage_of, concerned[concerned >= 0])
        if turn == ROUNDS:
            wrong = np.isin(whole, np.unique(whole[wrong]))
        back = wrong & (floor.way >= 0)
        taken += int(np.count_nonzero(back))
        floor.way[back] = -1
    return taken, tuple(sorted(given_up))


def cut_off(way: NDArray[np.int8], walkable: NDArray[np.bool_], whole: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return the walkable cells that cannot be reached from, or cannot reach, most of their connected part.

    whole: numbers of the parts that are connected without any rule, 0 in cells that are not walkable.
    """
    free = walkable & (way < 0)
    ruled = walkable & (way >= 0)
    region, count = label(free)
    node = region.astype(np.int32) - 1
    ruled_count = int(np.count_nonzero(ruled))
    node[ruled] = count + np.arange(ruled_count, dtype=np.int32)
    moves = np.empty((2, 16 * ruled_count + 1), dtype=np.int32)
    used = one_way_moves(walkable, way, node, moves)
    total = count + ruled_count
    graph = coo_array((np.ones(used, dtype=np.int8), (moves[0, :used], moves[1, :used])), shape=(total, total)).tocsr()
    _, strong = connected_components(graph, directed=True, connection="strong")
    strong_of = np.where(walkable, strong[node] + 1, 0)
    cells = np.bincount(strong_of.ravel())
    part_of = np.zeros(len(cells), dtype=np.int64)
    part_of[strong_of[walkable]] = whole[walkable]
    best = np.zeros(int(whole.max()) + 1, dtype=np.int64)
    for number in np.argsort(cells, kind="stable"):
        best[part_of[number]] = number
    return walkable & (strong_of != best[whole])
