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
TURNING_M = 3.0  # left without a rule before a wall ahead, to turn round
FAN = 0.12  # metres by which a lane outside a passage gets wider with each metre
GATE_LANE_M = 1.3  # width of each lane outside a passage too narrow for two
GATE_APRON_M = 0.5  # before the throat of a gate where both lanes meet and no rule holds
PART_M = 1.5  # from here on exit lanes lead away from the middle line
ROUNDS = 12  # of taking back lanes that cut places off
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


class _Samples(NamedTuple):
    """Places along the middle lines of passages and before their mouths, from which cells get their rule."""

    place: FloatArray  # (S, 2) x, y
    along: FloatArray  # (S, 2) of the axis; before a mouth: out of it
    half_m: FloatArray  # (S,) to each side
    out_m: FloatArray  # (S,) from the mouth on, 0 within the passage
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
        return Lanes((), (), (), 0, 0)
    junctions = find_junctions(floor, passages, measured=measured)
    samples = _samples(floor, measured, passages, junctions)
    owner = _owners(floor, measured, samples)
    gates = _write_passages(floor, passages, samples, owner)
    islands = np.zeros(floor.room.shape, dtype=bool)
    for junction in junctions:
        _write_ring(floor, measured, passages, junction, islands)
    taken_back = _take_back(floor, islands)
    note_lanes(floor)
    return Lanes(tuple(passages), tuple(junctions), tuple(gates), int(np.count_nonzero(floor.way >= 0)), taken_back)


def _samples(floor: Floor, measured: Clearance, passages: list[Passage], junctions: list[Junction]) -> _Samples:
    meeting = {arm for junction in junctions for arm in junction.arms}
    parts: list[_Samples] = []
    for passage in passages:
        kept = np.ones(len(passage.axis), dtype=bool)
        away = np.linalg.norm(np.diff(passage.axis, axis=0, prepend=passage.axis[:1]), axis=1).cumsum()
        if passage.two_way and passage.width_m > STREET_M:
            kept &= np.minimum(away, away[-1] - away) <= LANE_M
        for end in (False, True):
            if (passage.number, end) in meeting:
                continue
            start, out = passage.mouth(end=end)
            free_m = _free_ahead(floor, measured, start, out)
            length_m = min(LANE_M, free_m - TURNING_M)
            if length_m < 0.0:  # a dead end
                kept &= (away[-1] - away if end else away) >= -length_m
            elif length_m >= 1.0:
                parts.append(_mouth_samples(passage, start, out, length_m, floor.cell_m))
        parts.append(
            _Samples(
                passage.axis[kept],
                passage.along[kept],
                0.5 * passage.widths[kept],
                np.zeros(int(kept.sum())),
                np.full(int(kept.sum()), passage.number),
            )
        )
    return _Samples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _mouth_samples(passage: Passage, start: FloatArray, out: FloatArray, length_m: float, cell_m: float) -> _Samples:
    out_m = np.arange(cell_m, length_m, cell_m)
    if passage.two_way:
        half_m = 0.5 * passage.width_m + FAN * out_m
    else:
        out_m = out_m[out_m >= GATE_APRON_M]
        half_m = np.full(len(out_m), max(0.5 * passage.width_m, GATE_LANE_M))
    count = len(out_m)
    return _Samples(
        start + out_m[:, None] * out, np.tile(out, (count, 1)), half_m, out_m, np.full(count, passage.number)
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
    stamp_samples(measured.closed, np.ascontiguousarray(cells), along, rank, half, nearest, owner)
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
        if passage.two_way or not mine.any():
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
    outward = np.clip(1.0 - away / junction.island_m, 0.0, 1.0) * np.pi / 3.0
    angle = np.arctan2(dy, dx) + 0.5 * np.pi - outward
    islands[box] |= ring & (away <= junction.island_m)
    floor.way[box] = np.where(ring, np.rint(angle / SIXTEENTH).astype(np.int64) % 16, floor.way[box])


def _take_back(floor: Floor, islands: NDArray[np.bool_]) -> int:
    """Take back rules until everybody can get from everywhere to everywhere they could without; return how many.

    Islands are left alone: nobody is to go there, and everybody can leave them.
    """
    walkable = floor.room >= BODY_M
    floor.way[floor.room <= 0.0] = -1
    whole, _ = label(walkable, structure=np.ones((3, 3)))
    taken = 0
    for turn in range(ROUNDS):
        wrong = cut_off(floor.way, walkable, whole) & ~islands
        if not wrong.any():
            break
        back = binary_dilation(wrong, iterations=1 + turn, structure=np.ones((3, 3))) if turn > 2 else wrong
        back &= floor.way >= 0
        if not back.any():
            back = binary_dilation(wrong, iterations=2, structure=np.ones((3, 3))) & (floor.way >= 0)
        taken += int(np.count_nonzero(back))
        floor.way[back] = -1
    else:
        wrong = cut_off(floor.way, walkable, whole) & ~islands
        back = np.isin(whole, np.unique(whole[wrong])) & (floor.way >= 0)
        taken += int(np.count_nonzero(back))
        floor.way[back] = -1
    return taken


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
