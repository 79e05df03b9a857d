"""One-way lanes at passages and junctions, laid from the map alone: right-hand traffic."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from gambol.crowd.doors import Door, find_doors
from gambol.crowd.floor import Floor, note_lanes
from gambol.crowd.kernels.floor import FORECOURT, KEPT_CLEAR
from gambol.crowd.lane_check import take_back
from gambol.crowd.lane_samples import (
    DOOR_FAN,
    FAN,
    LANE_M,
    TURNING_M,
    Samples,
    free_ahead,
    joined,
    mouth_samples,
    owners,
    side_opening,
    throat_samples,
)
from gambol.crowd.middle_lines import Clearance, clearance
from gambol.crowd.passages import Junction, Passage, find_junctions, find_passages

LEAST_LANE_M = 1.0  # shorter ones are of no use
MEETING_M = 2.0  # behind the mouth of a door is where those who come in would meet
FLANK_M = 4.5  # before a door nobody comes into its lane from beside
PART_M = 1.5  # from here on exit lanes lead away from the middle line
FORECOURT_M, FORECOURT_SIDE_M = 1.2, 1.6  # before a gate where nobody stops: how deep, and how far to each side
CLEAR_M = 5.0  # before a door, but for its lanes, nobody stops
MOST_GATES = FORECOURT - 1  # as many as have a number in the floor's cells
SIXTEENTH = np.pi / 8.0
SQUARE = 0.97  # share of the distance between the walls that the circle between them has where they face each other


@dataclass(frozen=True, eq=False)
class Gate:
    """A passage for one direction at a time, with what is before it; its cells bear its number in `floor.gate`."""

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
    doors: tuple[Door, ...]
    ruled_cells: int  # with a direction
    taken_back_cells: int  # that had one, but would have cut a place off
    given_up: tuple[int, ...]  # numbers of passages that have no lanes because they would have cut a place off


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
        return Lanes((), (), (), (), 0, 0, ())
    junctions = find_junctions(floor, passages, measured=measured)
    meeting = {arm for junction in junctions for arm in junction.arms}
    doors = find_doors(floor, passages, meeting)
    door_mouths = {(door.passage, door.end) for door in doors}
    samples = throat_samples(floor, measured, passages, meeting, door_mouths)
    throats = owners(floor, measured, samples)
    parts, crossings = [samples], np.zeros(throats.shape, dtype=bool)
    with_throat = set(samples.passage.tolist())
    for passage, end in product(passages, (False, True)):
        if (passage.number, end) in meeting or passage.number not in with_throat:  # a bay is all dead end
            continue
        opening = side_opening(floor, samples, throats, passage, end=end)
        if opening is not None:
            crossings |= opening
            continue
        length_m = min(LANE_M, free_ahead(floor, measured, *passage.mouth(end=end)) - TURNING_M)
        if length_m >= LEAST_LANE_M:
            is_door = (passage.number, end) in door_mouths
            parts.append(mouth_samples(passage, length_m, floor.cell_m, end=end, is_door=is_door))
    samples = joined(parts)
    owner = owners(floor, measured, samples)
    gates = _write_passages(floor, passages, samples, owner)
    floor.way[crossings] = -1
    islands = np.zeros(floor.room.shape, dtype=bool)
    for junction in junctions:
        _write_ring(floor, measured, passages, junction, islands)
    passage_of = np.append(samples.passage, -1)[owner]
    taken_back, given_up = take_back(floor, islands, passage_of)
    doors = [door for door in doors if door.passage not in given_up]
    for door in doors:
        _keep_clear(floor, door)
    note_lanes(floor)
    ruled = int(np.count_nonzero(floor.way >= 0))
    return Lanes(tuple(passages), tuple(junctions), tuple(gates), tuple(doors), ruled, taken_back, given_up)


def _write_passages(floor: Floor, passages: list[Passage], samples: Samples, owner: NDArray[np.int32]) -> list[Gate]:
    rows, columns = np.nonzero(owner >= 0)
    s = owner[rows, columns]
    center = (np.column_stack((columns, rows)) + 0.5) * floor.cell_m + (floor.x0, floor.y0)
    offset = center - samples.place[s]
    along = samples.along[s]
    left = along[:, 0] * offset[:, 1] - along[:, 1] * offset[:, 0]
    two_way = np.array([passage.two_way for passage in passages])[samples.passage[s]]
    throat = samples.out_m[s] == 0.0
    outward = np.arctan2(along[:, 1], along[:, 0])
    angle = outward + np.where(left > 0.0, np.pi, 0.0)
    angle -= np.where((left <= 0.0) & (samples.out_m[s] > PART_M), SIXTEENTH, 0.0)
    # People come to a door from all sides, so that its lane begins wide; right before it nobody comes in from beside.
    half_m = 0.5 * np.array([passage.width_m for passage in passages])[samples.passage[s]]
    out_m, fan = samples.out_m[s], samples.fan[s]
    to_door = (fan == DOOR_FAN) & two_way
    angle = np.where(to_door & (left > 0.0), outward + np.arctan2(0.5 * half_m - left, -out_m - MEETING_M), angle)
    flank = to_door & (left > half_m + fan * out_m)
    angle = np.where(flank, outward + 2.0 * SIXTEENTH, angle)
    # Before a gate lanes lead to and from the throat.
    from_throat = offset + along * (samples.out_m[s] + 1.0)[:, None]
    radial = np.arctan2(from_throat[:, 1], from_throat[:, 0]) + np.where(left > 0.0, np.pi, 0.0)
    angle = np.where(two_way | throat, angle, radial)
    ruled = two_way | ~throat
    ruled &= ~(to_door & (left <= 0.0) & (-left > half_m + FAN * out_m))
    ruled &= ~(flank & (out_m > FLANK_M))
    way = np.rint(angle / SIXTEENTH).astype(np.int64) % 16
    floor.way[rows[ruled], columns[ruled]] = way[ruled]
    gates: list[Gate] = []
    for passage in passages:
        mine = throat & (samples.passage[s] == passage.number)
        if passage.two_way or not mine.any() or len(gates) == MOST_GATES:
            continue
        cells = np.column_stack((rows[mine], columns[mine])).astype(np.int32)
        gates.append(Gate(len(gates), passage.number, passage.middle, passage.direction, passage.width_m, cells))
        floor.gate[cells[:, 0], cells[:, 1]] = gates[-1].number
        _write_forecourt(floor, gates[-1], 0.5 * passage.depth_m)
    return gates


def _write_forecourt(floor: Floor, gate: Gate, depth_m: float) -> None:
    """Mark the cells beside the mouths of a gate where nobody may stop: they would stand in each other's way.

    Beside the lanes, up to the wall, one goes as the lanes do: to the gate at the right, away from it at the left.
    depth_m: from the gate's middle to its mouths.
    """
    rows, columns = floor.room.shape
    x = floor.x0 + (np.arange(columns) + 0.5) * floor.cell_m - gate.middle[0]
    y = floor.y0 + (np.arange(rows) + 0.5) * floor.cell_m - gate.middle[1]
    direction = np.array(gate.direction)
    along = x[None, :] * direction[0] + y[:, None] * direction[1]
    left = y[:, None] * direction[0] - x[None, :] * direction[1]
    near = (np.abs(along) <= depth_m + FORECOURT_M) & (np.abs(left) <= FORECOURT_SIDE_M) & (floor.room > 0.0)
    near &= floor.gate < 0
    floor.gate[near] = gate.number + FORECOURT
    outward = np.arctan2(y[:, None], x[None, :])
    angle = np.where(left * along > 0.0, outward + np.pi, outward)
    unruled = near & (floor.way < 0)
    floor.way[unruled] = (np.rint(angle / SIXTEENTH).astype(np.int64) % 16)[unruled]


def _keep_clear(floor: Floor, door: Door) -> None:
    """Mark the cells around the lanes before a door: who stands there is wedged between the wall and the queue."""
    out_m, left_m = door.around(floor)
    around = (out_m >= 0.0) & (np.hypot(out_m, left_m) <= CLEAR_M) & (floor.room > 0.0)
    floor.gate[around & (floor.way < 0) & (floor.gate < 0)] = KEPT_CLEAR


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
