"""Find collisions and touches of a crowd's characters in a stretch of time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.judges.kernels.bench import LEAVES, TIME, begin_row, keep_row
from gambol.judges.kernels.crowd_figures import place_frame
from gambol.judges.kernels.distance import between, planar_distance
from gambol.judges.kernels.prisms import collide, depart
from gambol.judges.kernels.touches import touch_in_stretch
from gambol.judges.kernels.tracks import set_tracks
from gambol.kernels.jit import allocation_free_kernel, threaded_kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import FloatArray, Int64Array
    from gambol.judges.kernels.bench import Bench
    from gambol.judges.kernels.crowd_figures import Block, Crowd
    from gambol.judges.kernels.distance import Prisms
    from gambol.judges.kernels.prisms import Surroundings


class Nearby(NamedTuple):
    """Parts of things that characters may meet in a stretch of time."""

    first: np.ndarray  # (N + 1,) first part of each character
    parts: np.ndarray  # (K, 3) thing, its first piece, the one after the last; ascending for each character
    standing: int  # number of standing things: each of their parts is one piece
    piece_pose: np.ndarray  # (P, 4) x, y, cosine and sine of the pieces of standing things


@allocation_free_kernel
def piece_distance(x: float, y: float, piece: int, prisms: Prisms, piece_pose: FloatArray):
    """Return the distance in the ground plane from a point to a piece of a standing thing."""
    east, north = x - piece_pose[piece, 0], y - piece_pose[piece, 1]
    cosine, sine = piece_pose[piece, 2], piece_pose[piece, 3]
    return planar_distance(cosine * east + sine * north, cosine * north - sine * east, prisms, piece)


@allocation_free_kernel
def gather_parts(crowd: Crowd, who: int, column: int, prisms: Prisms, nearby: Nearby, bench: Bench):
    """Collect the parts that a character may meet from one frame to the next; return their number."""
    one, two = crowd.block.disc[who, column], crowd.block.disc[who, column + 1]
    reach = max(one[2], two[2]) + 0.5 * math.sqrt((two[0] - one[0]) ** 2 + (two[1] - one[1]) ** 2)
    x, y = 0.5 * (one[0] + two[0]), 0.5 * (one[1] + two[1])
    count = 0
    for number in range(nearby.first[who], nearby.first[who + 1]):
        part = nearby.parts[number]
        if part[0] >= nearby.standing or piece_distance(x, y, part[1], prisms, nearby.piece_pose) <= reach:
            bench.parts[count, 0], bench.parts[count, 1], bench.parts[count, 2] = part[0], part[1], part[2]
            count += 1
    return count


@threaded_kernel
def find_block_collisions(crowd: Crowd, things: Surroundings, nearby: Nearby, bench: Bench, rows: FloatArray):
    """Fill rows with the collisions and departures of a block, of each interval between frames and of each frame.

    Returns the number of rows, which may be more than there is room for.
    """
    figures, block, bounds = crowd.figures, crowd.block, things.bounds
    count = 0
    for who in range(len(block.first)):
        first, last = block.first[who], block.last[who]
        kind = crowd.steps.kind[who]
        radius = figures.radius[figures.capsule_first[kind] : figures.capsule_first[kind + 1]]
        rate_hz = crowd.steps.rate_hz * figures.frames_per_step[kind]
        for column in range(last - first + 1):
            frame = first + column
            x, y, reach = block.disc[who, column, 0], block.disc[who, column, 1], block.disc[who, column, 2]
            if x - reach < bounds[0] or y - reach < bounds[1] or x + reach > bounds[2] or y + reach > bounds[3]:
                place_frame(crowd, who, column, bench, 0)
                begin_row(bench.row, who, LEAVES, frame)
                count = depart(bench, radius, things, frame / rate_hz, rows, count)
            if nearby.first[who] == nearby.first[who + 1] or frame == last:
                continue
            parts = bench.parts[: gather_parts(crowd, who, column, things.prisms, nearby, bench)]
            if len(parts) > 0:
                place_frame(crowd, who, column, bench, 0)
                place_frame(crowd, who, column + 1, bench, 1)
                begin_row(bench.row, who, LEAVES, frame)
                count = collide(
                    bench, radius, things, parts, frame / rate_hz, (frame + 1) / rate_hz, rows, count
                )  # fmt: skip
    return count


@allocation_free_kernel
def disc_at(block: Block, who: int, tick: int, ticks_per_frame: int):
    """Return x, y and radius of a disc around a character at a tick; between frames discs move straight."""
    frame = tick // ticks_per_frame
    column = frame - block.first[who]
    x, y, radius = block.disc[who, column, 0], block.disc[who, column, 1], block.disc[who, column, 2]
    if tick != frame * ticks_per_frame:
        share = (tick - frame * ticks_per_frame) / ticks_per_frame
        x = between(x, block.disc[who, column + 1, 0], share)
        y = between(y, block.disc[who, column + 1, 1], share)
        radius = max(radius, block.disc[who, column + 1, 2])
    return x, y, radius


@allocation_free_kernel
def set_tracks_at(
    crowd: Crowd, who: int, tick: int, ticks_per_frame: int, bench: Bench, tracks: FloatArray, box: FloatArray
):
    """Fill the tracks of a character's capsules from one tick to the next."""
    figures, kind, frame = crowd.figures, crowd.steps.kind[who], tick // ticks_per_frame
    column, part = frame - crowd.block.first[who], tick - frame * ticks_per_frame
    place_frame(crowd, who, column, bench, 0)
    place_frame(crowd, who, column + 1, bench, 1)
    radius = figures.radius[figures.capsule_first[kind] : figures.capsule_first[kind + 1]]
    set_tracks(bench, radius, part / ticks_per_frame, (part + 1) / ticks_per_frame, tracks, box)


@threaded_kernel
def find_block_touches(crowd: Crowd, pairs: Int64Array, bench: Bench, rows: FloatArray):
    """Fill rows with the touches of pairs (P, 2) of characters in a block, of each tick.

    Returns the number of rows, which may be more than there is room for.
    """
    count = 0
    for pair in range(len(pairs)):
        count = touch_pair(crowd, pairs[pair, 0], pairs[pair, 1], bench, rows, count)
    return count


@allocation_free_kernel
def touch_pair(crowd: Crowd, first: int, second: int, bench: Bench, rows: FloatArray, count: int):
    """Write a row for every tick in which two characters touch; return the number of rows, with or without room.

    A tick is the longest time in which all characters move straight: a frame of the highest rate, or less if the
    other rates do not divide it.
    """
    figures, steps, block = crowd.figures, crowd.steps, crowd.block
    mine, other = steps.kind[first], steps.kind[second]
    my_radius = figures.radius[figures.capsule_first[mine] : figures.capsule_first[mine + 1]]
    other_radius = figures.radius[figures.capsule_first[other] : figures.capsule_first[other + 1]]
    my_ticks = figures.ticks_per_step // int(figures.frames_per_step[mine])
    other_ticks = figures.ticks_per_step // int(figures.frames_per_step[other])
    begin = max(block.first[first] * my_ticks, block.first[second] * other_ticks)
    end = min(block.last[first] * my_ticks, block.last[second] * other_ticks)
    if end <= begin:
        return count
    x, y, my_reach = disc_at(block, first, begin, my_ticks)
    other_x, other_y, other_reach = disc_at(block, second, begin, other_ticks)
    east, north, reach = x - other_x, y - other_y, my_reach + other_reach
    for tick in range(begin, end):
        x, y, my_reach = disc_at(block, first, tick + 1, my_ticks)
        other_x, other_y, other_reach = disc_at(block, second, tick + 1, other_ticks)
        next_east, next_north, next_reach = x - other_x, y - other_y, my_reach + other_reach
        moved_east, moved_north = next_east - east, next_north - north
        square = moved_east * moved_east + moved_north * moved_north
        share = 0.0
        if square > 0.0:
            share = min(max(-(east * moved_east + north * moved_north) / square, 0.0), 1.0)
        away = (east + share * moved_east) ** 2 + (north + share * moved_north) ** 2
        near = away <= max(reach, next_reach) ** 2
        east, north, reach = next_east, next_north, next_reach
        if not near:
            continue
        set_tracks_at(crowd, first, tick, my_ticks, bench, bench.mine, bench.boxes[0])
        set_tracks_at(crowd, second, tick, other_ticks, bench, bench.others, bench.boxes[1])
        begin_row(bench.row, first, second, tick)
        share = touch_in_stretch(bench, my_radius, other_radius)
        bench.row[TIME] = (tick + share) / (figures.ticks_per_step * steps.rate_hz)
        count = keep_row(bench.row, rows, count)
    return count
