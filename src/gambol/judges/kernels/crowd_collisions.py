"""Find characters of a crowd that collide with things or leave the bounds in a stretch of time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.judges.kernels.crowd_figures import begin_row, keep_row, place_frame
from gambol.judges.kernels.distance import planar_distance
from gambol.judges.kernels.prisms import between, body_ball, enter_thing, first_span
from gambol.kernels.jit import allocation_free_kernel, kernel, threaded_kernel

if TYPE_CHECKING:
    from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
    from gambol.judges.kernels.crowd_figures import Block, Figures, Steps, Workbench
    from gambol.judges.kernels.distance import Ground, Prisms

LEAVES = -1  # number of the bounds among the things


class Walls(NamedTuple):
    """The pieces of standing things, by the square cells they reach into, and the moving things."""

    origin_x: float
    origin_y: float
    cell_m: float
    columns: int
    rows: int
    cell_first: np.ndarray  # (rows * columns + 1,)
    cell_piece: np.ndarray  # pieces by cell, ascending in each cell
    piece_thing: np.ndarray  # (P,) the thing of each piece
    piece_pose: np.ndarray  # (P, 4) x, y, cosine and sine
    moving: np.ndarray  # (M,) the moving things


@allocation_free_kernel
def piece_distance(x: float, y: float, piece: int, prisms: Prisms, piece_pose: FloatArray):
    """Return the distance in the ground plane from a point to a piece of a standing thing."""
    east, north = x - piece_pose[piece, 0], y - piece_pose[piece, 1]
    cosine, sine = piece_pose[piece, 2], piece_pose[piece, 3]
    return planar_distance(cosine * east + sine * north, cosine * north - sine * east, prisms, piece)


@kernel
def fill_cells(
    prisms: Prisms,
    still: BoolArray,
    piece_pose: FloatArray,
    piece_box: FloatArray,
    origin_x: float,
    origin_y: float,
    cell_m: float,
    columns: int,
    rows: int,
):
    """Return where each cell's pieces begin (cells + 1,), and the pieces, in order."""
    first = np.zeros(rows * columns + 1, dtype=np.int64)
    members = np.empty(0, dtype=np.int64)
    reach = math.sqrt(0.5) * cell_m + 1e-6
    for count_only in (True, False):
        for piece in range(len(still)):
            if not still[piece]:
                continue
            left, low = int((piece_box[piece, 0] - origin_x) / cell_m), int((piece_box[piece, 1] - origin_y) / cell_m)
            right, high = int((piece_box[piece, 2] - origin_x) / cell_m), int((piece_box[piece, 3] - origin_y) / cell_m)
            for row in range(max(low, 0), min(high + 1, rows)):
                for column in range(max(left, 0), min(right + 1, columns)):
                    x, y = origin_x + (column + 0.5) * cell_m, origin_y + (row + 0.5) * cell_m
                    if piece_distance(x, y, piece, prisms, piece_pose) > reach:
                        continue
                    cell = row * columns + column
                    if count_only:
                        first[cell + 1] += 1
                    else:
                        members[first[cell]] = piece
                        first[cell] += 1
        if count_only:
            first = np.cumsum(first)
            members = np.empty(first[-1], dtype=np.int64)
    for cell in range(rows * columns, 0, -1):  # each entry has moved to where the next began
        first[cell] = first[cell - 1]
    first[0] = 0
    return first, members


@threaded_kernel
def set_mover_boxes(prisms: Prisms, moving: Int64Array, time_from: float, time_to: float, boxes: FloatArray):
    """Fill boxes (M, 4: least x, y, greatest x, y) around the space that each moving thing covers from time to time."""
    for number in range(len(moving)):
        thing = moving[number]
        low_x = low_y = math.inf
        high_x = high_y = -math.inf
        reach = prisms.reach[thing]
        for span in range(first_span(prisms, thing, time_from), prisms.thing_span[thing + 1]):
            begin, end = prisms.span_from[span], prisms.span_to[span]
            if begin > time_to:
                break
            for time in (max(begin, time_from), min(end, time_to)):
                share = (time - begin) / (end - begin)
                x = between(prisms.pose_from[span, 0], prisms.pose_to[span, 0], share)
                y = between(prisms.pose_from[span, 1], prisms.pose_to[span, 1], share)
                low_x, high_x = min(low_x, x - reach), max(high_x, x + reach)
                low_y, high_y = min(low_y, y - reach), max(high_y, y + reach)
        boxes[number, 0], boxes[number, 1], boxes[number, 2], boxes[number, 3] = low_x, low_y, high_x, high_y


@allocation_free_kernel
def boxes_overlap(one: FloatArray, two: FloatArray):
    return one[0] <= two[2] and two[0] <= one[2] and one[1] <= two[3] and two[1] <= one[3]


@allocation_free_kernel
def gather_pieces(walls: Walls, box: FloatArray, pieces: Int64Array):
    """Collect the pieces near a box, each once and ascending; return their number."""
    left = max(math.floor((box[0] - walls.origin_x) / walls.cell_m), 0)
    right = min(math.floor((box[2] - walls.origin_x) / walls.cell_m), walls.columns - 1)
    low = max(math.floor((box[1] - walls.origin_y) / walls.cell_m), 0)
    high = min(math.floor((box[3] - walls.origin_y) / walls.cell_m), walls.rows - 1)
    count = 0
    for row in range(low, high + 1):
        for column in range(left, right + 1):
            cell = row * walls.columns + column
            for member in range(walls.cell_first[cell], walls.cell_first[cell + 1]):
                piece = walls.cell_piece[member]
                place = count
                while place > 0 and pieces[place - 1] >= piece:
                    place -= 1
                if place < count and pieces[place] == piece:
                    continue
                for later in range(count, place, -1):
                    pieces[later] = pieces[later - 1]
                pieces[place] = piece
                count += 1
    return count


@allocation_free_kernel
def depart(bounds: FloatArray, radius: FloatArray, starts: FloatArray, ends: FloatArray, row: FloatArray):
    """Write into a row how far the figure in the first slot leaves the bounds at most, and where."""
    for capsule in range(len(radius)):
        for points in (starts, ends):
            x, y = points[0, capsule, 0], points[0, capsule, 1]
            out = max(max(bounds[0] - x, x - bounds[2]), max(bounds[1] - y, y - bounds[3])) + radius[capsule]
            if out > row[4]:
                row[4], row[5], row[6], row[7], row[8] = out, x, y, points[0, capsule, 2], capsule


@allocation_free_kernel
def depart_block(
    figures: Figures,
    block: Block,
    who: int,
    radius: FloatArray,
    bounds: FloatArray,
    depth_limit: float,
    own_rate,
    bench: Workbench,
    rows: FloatArray,
    count: int,
):
    """Write a row for every frame at which a character is out of bounds; between frames it is never farther out."""
    for column in range(block.last[who] - block.first[who] + 1):
        x, y, reach = block.disc[who, column, 0], block.disc[who, column, 1], block.disc[who, column, 2]
        if x - reach >= bounds[0] and y - reach >= bounds[1] and x + reach <= bounds[2] and y + reach <= bounds[3]:
            continue
        place_frame(figures, block, who, column, len(radius), bench.starts, bench.ends, 0)
        frame = block.first[who] + column
        begin_row(bench.row, who, LEAVES, frame)
        depart(bounds, radius, bench.starts, bench.ends, bench.row)
        bench.row[3] = frame / own_rate
        if bench.row[4] > depth_limit:
            count = keep_row(bench.row, rows, count)
    return count


@allocation_free_kernel
def collide_block(
    figures: Figures,
    block: Block,
    who: int,
    radius: FloatArray,
    prisms: Prisms,
    walls: Walls,
    pieces: Int64Array,
    near: int,
    mover_boxes: FloatArray,
    ground: Ground,
    depth_limit: float,
    own_rate,
    bench: Workbench,
    rows: FloatArray,
    count: int,
):
    """Write a row for every interval between frames and every thing that a character enters in it.

    pieces: only the first `near` of them are close.
    """
    widest = 0.0
    for capsule in range(len(radius)):
        widest = max(widest, radius[capsule])
    row = bench.row
    for column in range(block.last[who] - block.first[who]):
        frame = block.first[who] + column
        time_from, time_to = frame / own_rate, (frame + 1) / own_rate
        x, y = block.disc[who, column, 0], block.disc[who, column, 1]
        next_x, next_y = block.disc[who, column + 1, 0], block.disc[who, column + 1, 1]
        reach = max(block.disc[who, column, 2], block.disc[who, column + 1, 2])
        reach += 0.5 * math.sqrt((next_x - x) ** 2 + (next_y - y) ** 2)
        x, y = 0.5 * (x + next_x), 0.5 * (y + next_y)
        placed = False
        ball = (0.0, 0.0, 0.0, 0.0)
        begin_row(row, who, LEAVES, frame)
        for number in range(near + len(walls.moving)):
            if number < near:
                piece = pieces[number]
                thing, piece_from, piece_to = walls.piece_thing[piece], piece, piece + 1
                if piece_distance(x, y, piece, prisms, walls.piece_pose) > reach:
                    continue
            else:
                thing = walls.moving[number - near]
                piece_from, piece_to = prisms.thing_piece[thing], prisms.thing_piece[thing + 1]
                if not boxes_overlap(block.box[who], mover_boxes[number - near]):
                    continue
            if not placed:
                place_frame(figures, block, who, column, len(radius), bench.starts, bench.ends, 0)
                place_frame(figures, block, who, column + 1, len(radius), bench.starts, bench.ends, 1)
                ball = body_ball(bench.starts, bench.ends, 0, 1)
                placed = True
            if row[1] != thing:
                count = keep_row(row, rows, count)
                begin_row(row, who, thing, frame)
            enter_thing(
                bench.starts, bench.ends, radius, widest, 0, 1, time_from, time_to, ball, prisms, thing, piece_from,
                piece_to, ground, depth_limit, bench.case, bench.stack, row[3:],
            )  # fmt: skip
        count = keep_row(row, rows, count)
    return count


@threaded_kernel
def find_block_collisions(
    figures: Figures,
    steps: Steps,
    block: Block,
    prisms: Prisms,
    walls: Walls,
    mover_boxes: FloatArray,
    ground: Ground,
    bounds: FloatArray,
    depth_limit: float,
    rate_hz: float,
    bench: Workbench,
    pieces: Int64Array,
    rows: FloatArray,
):
    """Fill rows (R, 10) with the collisions of a block; return their number, which may be more than there is room for.

    pieces: (P,) room for the pieces near a character.
    """
    count = 0
    for who in range(len(block.first)):
        if block.last[who] < block.first[who]:
            continue
        box = block.box[who]
        inside = box[0] >= bounds[0] and box[1] >= bounds[1] and box[2] <= bounds[2] and box[3] <= bounds[3]
        near = gather_pieces(walls, box, pieces)
        met = near > 0
        for number in range(len(walls.moving)):
            met = met or boxes_overlap(box, mover_boxes[number])
        kind = steps.kind[who]
        radius = figures.radius[figures.capsule_first[kind] : figures.capsule_first[kind + 1]]
        own_rate = rate_hz * figures.frames_per_step[kind]
        if not inside:
            count = depart_block(figures, block, who, radius, bounds, depth_limit, own_rate, bench, rows, count)
        if met:
            count = collide_block(
                figures, block, who, radius, prisms, walls, pieces, near, mover_boxes, ground, depth_limit, own_rate,
                bench, rows, count,
            )  # fmt: skip
    return count
