"""Kernels that find the narrow places of a floor and write one-way lanes into its cells."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from gambol.kernels.jit import allocation_free_kernel, kernel

FAN = 0.5  # radians by which two walls may be off from facing each other
FAN_STEPS = 5  # tried to each side
EVEN_CELLS = 1.15  # by so much the distances to both walls may differ on the middle line


@kernel
def middle_lines(
    clear: NDArray[np.float32],
    wall: NDArray[np.int32],
    cell_m: float,
    least_m: float,
    most_m: float,
    facing: NDArray[np.float32],
) -> None:
    """Mark the cells in the middle between two walls that face each other from `least_m` to `most_m` apart.

    clear: metres from each cell's centre to the nearest wall, not above 0 inside (rows, columns).
    wall: row and column of the nearest closed cell (2, rows, columns).
    facing: (5, rows, columns), written: width (0: not in the middle), the line's direction as cosine and sine of
        twice its angle, and by how many rows and columns the middle is off the cell's centre.
    """
    rows, columns = clear.shape
    for row in range(rows):
        for column in range(columns):
            near = clear[row, column]
            if near < 0.5 * least_m - cell_m or near > 0.5 * most_m + cell_m:
                continue
            y = float(wall[0, row, column] - row)
            x = float(wall[1, row, column] - column)
            far = math.hypot(x, y)
            x, y = x / far, y / far
            toward = math.atan2(-y, -x)
            best, best_angle = EVEN_CELLS * cell_m, -10.0
            for k in range(2 * FAN_STEPS + 1):
                step = (k + 1) // 2 * (1 if k % 2 == 1 else -1)
                angle = toward + step * FAN / FAN_STEPS
                # A wall at about this distance: the place as far away as the near wall is all but at one.
                gap = _between(clear, row + math.sin(angle) * near / cell_m, column + math.cos(angle) * near / cell_m)
                gap = max(gap, 0.0)
                if gap < best - 1e-3:
                    best, best_angle = gap, angle
            if best_angle < -9.0:
                continue
            u, v = x - math.cos(best_angle), y - math.sin(best_angle)
            length = math.hypot(u, v)
            width = length * near + best
            if width < least_m - 1e-3 or width > most_m:
                continue
            along = math.atan2(u, -v)
            facing[0, row, column] = width
            facing[1, row, column] = math.cos(2.0 * along)
            facing[2, row, column] = math.sin(2.0 * along)
            facing[3, row, column] = 0.5 * best / cell_m * math.sin(best_angle)
            facing[4, row, column] = 0.5 * best / cell_m * math.cos(best_angle)


@allocation_free_kernel
def _between(values: NDArray[np.float32], row: float, column: float) -> float:
    """Return the value at a place between the centres of cells, 0 beyond the outermost."""
    rows, columns = values.shape
    if not (0.0 <= row <= rows - 1.0 and 0.0 <= column <= columns - 1.0):
        return 0.0
    r, c = min(math.floor(row), rows - 2), min(math.floor(column), columns - 2)
    v, u = row - r, column - c
    low = (1.0 - u) * values[r, c] + u * values[r, c + 1]
    high = (1.0 - u) * values[r + 1, c] + u * values[r + 1, c + 1]
    return (1.0 - v) * low + v * high


@kernel
def detour_cells(
    walkable: NDArray[np.bool_],
    cut_row: float,
    cut_column: float,
    along_row: float,
    along_column: float,
    half_cut: float,
    limit: int,
    enough: int,
    seen: NDArray[np.int32],
    stamp: int,
    queue: NDArray[np.int32],
) -> tuple[int, int]:
    """Return how many cells' lengths it is from before a cut to behind it, and how many cells were found on the way.

    The cut is a line through (cut_row, cut_column), square to the direction, `half_cut` cells long to each side.
    The search begins two cells before it and goes at most `limit` cells; -1: it is farther, and then the count is
    `enough` unless all there is was found.  seen and queue are scratch, as large as the floor; `stamp` must be
    larger than any in `seen`.

    Distances alternate between four and eight neighbours: within six per cent of straight ones.
    """
    rows, columns = walkable.shape
    start_r, start_c = math.floor(cut_row - 2.0 * along_row + 0.5), math.floor(cut_column - 2.0 * along_column + 0.5)
    goal_r, goal_c = math.floor(cut_row + 2.0 * along_row + 0.5), math.floor(cut_column + 2.0 * along_column + 0.5)
    if not (0 <= start_r < rows and 0 <= start_c < columns and 0 <= goal_r < rows and 0 <= goal_c < columns):
        return 0, 0
    if not walkable[start_r, start_c] or not walkable[goal_r, goal_c]:
        return 0, 0
    head, tail, count = 0, 0, 0
    queue[tail] = start_r * columns + start_c
    tail += 1
    seen[start_r, start_c] = stamp
    way, level_end = 0, 1
    found = -1
    while head < tail:
        if head == level_end:
            level_end = tail
            way += 1
            if way > limit:
                break
        at = queue[head]
        head += 1
        count += 1
        row, column = at // columns, at % columns
        if abs(row - goal_r) <= 1 and abs(column - goal_c) <= 1:
            dr, dc = row - cut_row, column - cut_column
            if dr * along_row + dc * along_column > 0.5:
                found = way
                break
        wide = way % 2 == 1
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                if (dr == 0 and dc == 0) or (dr != 0 and dc != 0 and not wide):
                    continue
                r, c = row + dr, column + dc
                if not (0 <= r < rows and 0 <= c < columns) or not walkable[r, c] or seen[r, c] == stamp:
                    continue
                before = (row - cut_row) * along_row + (column - cut_column) * along_column
                behind = (r - cut_row) * along_row + (c - cut_column) * along_column
                if (before <= 0.0) != (behind <= 0.0):
                    side = (c - cut_column) * along_row - (r - cut_row) * along_column
                    if abs(side) <= half_cut:
                        continue
                seen[r, c] = stamp
                queue[tail] = r * columns + c
                tail += 1
    if found < 0 and head < tail:
        count = enough
    return found, count


@kernel
def stamp_samples(
    closed: NDArray[np.bool_],
    samples: NDArray[np.float64],
    along: NDArray[np.float64],
    rank: NDArray[np.int32],
    half: NDArray[np.float64],
    bend: NDArray[np.float64],
    nearest: NDArray[np.float32],
    owner: NDArray[np.int32],
) -> None:
    """Give every open cell beside a sample and in sight of it to the sample of the least rank and then distance.

    samples, along: (S, 2) row and column, and direction.  half: (S,) cells to each side.  rank: (S,) least is first.
    bend: (S,) by how much a sample has to reach farther ahead for every cell aside, not to leave gaps outside of bends.
    nearest, owner: (rows, columns), begun with infinity and -1.
    """
    rows, columns = closed.shape
    for s in range(len(samples)):
        row, column, far = samples[s, 0], samples[s, 1], half[s] + 2.0
        for r in range(max(0, int(row - far)), min(rows, int(row + far) + 2)):
            for c in range(max(0, int(column - far)), min(columns, int(column + far) + 2)):
                dr, dc = r - row, c - column
                ahead = abs(dr * along[s, 0] + dc * along[s, 1])
                aside = abs(dc * along[s, 0] - dr * along[s, 1])
                if closed[r, c] or aside > half[s] or ahead > 0.75 + bend[s] * aside:
                    continue
                away = math.hypot(dr, dc)
                other = owner[r, c]
                if other >= 0:
                    if rank[other] < rank[s] or (rank[other] == rank[s] and nearest[r, c] <= away + 1e-4):
                        continue
                if _in_sight(closed, row, column, dr, dc, away):
                    nearest[r, c] = away
                    owner[r, c] = s


@allocation_free_kernel
def _in_sight(closed: NDArray[np.bool_], row: float, column: float, dr: float, dc: float, away: float) -> bool:
    steps = int(away * 2.0) + 1
    for k in range(1, steps):
        share = k / steps
        if closed[math.floor(row + dr * share + 0.5), math.floor(column + dc * share + 0.5)]:
            return False
    return True


@kernel
def one_way_moves(
    walkable: NDArray[np.bool_], way: NDArray[np.int8], node: NDArray[np.int32], moves: NDArray[np.int32]
) -> int:
    """List the allowed moves (from, to) that begin, end or pass diagonally by a one-way cell; return how many.

    moves: (2, room for 24 a one-way cell), between nodes.  A move to one of the eight neighbours is allowed if it
    turns at most 75 degrees from the direction of the cell it leaves and of the one it enters, and cuts no corner of
    a closed cell.
    """
    rows, columns = walkable.shape
    count = 0
    for row in range(rows):
        for column in range(columns):
            if way[row, column] < 0 or not walkable[row, column]:
                continue
            for k in range(8):
                dr, dc = _neighbour(k)
                r, c = row + dr, column + dc
                if not (0 <= r < rows and 0 <= c < columns) or not walkable[r, c]:
                    continue
                if not walkable[row, c] or not walkable[r, column]:
                    continue
                if _along(k, way[row, column]) and _along(k, way[r, c]):
                    moves[0, count], moves[1, count] = node[row, column], node[r, c]
                    count += 1
                if way[r, c] < 0 and _along(k + 4, way[row, column]):  # the way in from a cell without a rule
                    moves[0, count], moves[1, count] = node[r, c], node[row, column]
                    count += 1
                if k % 2 == 1 and way[row, c] < 0 and way[r, column] < 0:  # past this cell, between two without a rule
                    moves[0, count], moves[1, count] = node[row, c], node[r, column]
                    moves[1, count + 1], moves[0, count + 1] = node[row, c], node[r, column]
                    count += 2
    return count


@allocation_free_kernel
def _neighbour(k: int) -> tuple[int, int]:
    """Return row and column of the neighbour k eighths of a turn counter-clockwise from +x."""
    dr = 0 if k % 4 == 0 else (1 if k < 4 else -1)
    dc = 0 if k % 4 == 2 else (1 if k < 2 or k > 6 else -1)
    return dr, dc


@allocation_free_kernel
def _along(eighth: int, way: int) -> bool:
    if way < 0:
        return True
    return min((2 * eighth - way) % 16, (way - 2 * eighth) % 16) <= 3  # sixteenths: 67.5 degrees
