"""Coarse maps: how far it is from what stands, which open cells hang together, and the shortest ways between them."""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, kernel
from gambol.world.kernels.geometry import distance_to_piece

CLOSED = -2  # kinds of fine cells: nobody crosses it; else the obstacle crossed there, or OPEN
OPEN = -1
NOWHERE = -1
MIXED, ONE_KIND, ALL_ALIKE = 0, 1, 2  # cells of a square
FAR = np.int32(2**31 - 1)


@allocation_free_kernel
def room_across(actions, clip, thickness):
    """Return the highest top and the lowest bottom of what a clip gets over and under, so thick and square to its way.

    What is to be crossed lies between where the body is first and where it is last, slab after slab along
    the clip.  Who is low all the way gets under things of any thickness.
    """
    first = actions.clip_samples[clip]
    last = first + actions.duration[clip]
    over, under, highest = 0.0, math.inf, 0.0
    for sample in range(first, last + 1):
        highest = max(highest, actions.highest[sample])
    if actions.displacement[clip, 0] > 0.0:
        under = highest
    begin, end = -math.inf, math.inf
    for part in range(actions.part_radius.shape[1]):
        if actions.part_high[first, part] > actions.part_low[first, part]:
            begin = max(begin, part_ahead(actions, first, part) + actions.part_radius[first, part])
        if actions.part_high[last, part] > actions.part_low[last, part]:
            end = min(end, part_ahead(actions, last, part) - actions.part_radius[last, part])
    place = begin + 0.5 * thickness
    while place + 0.5 * thickness <= end:
        low, high = math.inf, -math.inf
        for sample in range(first, last + 1):
            if abs(actions.path[sample, 0] - place) > actions.outer_radius[sample] + 0.5 * thickness:
                continue
            for part in range(actions.part_radius.shape[1]):
                if actions.part_high[sample, part] <= actions.part_low[sample, part]:
                    continue
                away = abs(part_ahead(actions, sample, part) - place)
                if away < actions.part_radius[sample, part] + 0.5 * thickness:
                    low, high = min(low, actions.part_low[sample, part]), max(high, actions.part_high[sample, part])
        if low < math.inf:
            over, under = max(over, low), min(under, high)
        place += 0.05
    return over, under


@allocation_free_kernel
def part_ahead(actions, sample, part):
    """Return how far ahead of where its clip began a part of an instant is."""
    heading = actions.path[sample, 2]
    ahead, aside = actions.part_offset[sample, part, 0], actions.part_offset[sample, part, 1]
    return actions.path[sample, 0] + math.cos(heading) * ahead - math.sin(heading) * aside


@allocation_free_kernel
def thinnest(pieces, piece):
    """Return the least width of a piece, square to one of its sides, and its direction x, y; 0, 0 for a disc."""
    first, last = pieces.first_corner[piece], pieces.first_corner[piece + 1]
    least, across_x, across_y = math.inf, 0.0, 0.0
    for corner in range(first, last):
        following = corner + 1 if corner + 1 < last else first
        side_x = pieces.corner_x[following] - pieces.corner_x[corner]
        side_y = pieces.corner_y[following] - pieces.corner_y[corner]
        length = math.sqrt(side_x * side_x + side_y * side_y)
        if length <= 1e-9:
            continue
        normal_x, normal_y = -side_y / length, side_x / length
        near, far = math.inf, -math.inf
        for other in range(first, last):
            place = pieces.corner_x[other] * normal_x + pieces.corner_y[other] * normal_y
            near, far = min(near, place), max(far, place)
        if far - near < least:
            least, across_x, across_y = far - near, normal_x, normal_y
    return 2.0 * pieces.radius[piece] + (least if least < math.inf else 0.0), across_x, across_y


@allocation_free_kernel
def approach(pieces, chosen, reach, x0, y0, cell, window, distance, nearest):
    """Lower distances to those from the centres of a window's cells to the chosen pieces, where below the reach.

    window: its first row and column, and those after the last; distances are of its cells alone.  nearest: the
    obstacle that the distance is to.
    """
    for piece in chosen:
        left = max(window[1], math.floor((pieces.boxes[piece, 0] - reach - x0) / cell))
        right = min(window[3] - 1, math.floor((pieces.boxes[piece, 2] + reach - x0) / cell))
        bottom = max(window[0], math.floor((pieces.boxes[piece, 1] - reach - y0) / cell))
        top = min(window[2] - 1, math.floor((pieces.boxes[piece, 3] + reach - y0) / cell))
        for row in range(bottom, top + 1):
            for column in range(left, right + 1):
                away = distance_to_piece(pieces, piece, x0 + (column + 0.5) * cell, y0 + (row + 0.5) * cell)
                down, aside = row - window[0], column - window[1]
                if away < distance[down, aside]:
                    distance[down, aside] = away
                    nearest[down, aside] = pieces.obstacle[piece]


@allocation_free_kernel
def likeness(kind, room, first_row, first_column, block):
    """Tell how much alike the cells of a square are: those of one kind hang together, all alike have the same room."""
    sort, space = kind[first_row, first_column], room[first_row, first_column]
    alike = ALL_ALIKE
    for row in range(first_row, first_row + block):
        for column in range(first_column, first_column + block):
            if kind[row, column] != sort:
                return MIXED
            if room[row, column] != space:
                alike = ONE_KIND
    return alike


@kernel
def order_of_cells(block):
    """Return the cells of a square in the order in which those that hang together are come to, from the first on."""
    order, stack = np.empty((block * block, 2), np.int64), np.empty((block * block, 2), np.int64)
    seen = np.zeros((block, block), np.bool_)
    stack[0, 0], stack[0, 1], seen[0, 0] = 0, 0, True
    size, turn = 1, 0
    while size > 0:
        size -= 1
        r, c = stack[size, 0], stack[size, 1]
        order[turn, 0], order[turn, 1] = r, c
        turn += 1
        for side in range(4):
            nr, nc = r + (side == 0) - (side == 1), c + (side == 2) - (side == 3)
            if 0 <= nr < block and 0 <= nc < block and not seen[nr, nc]:
                seen[nr, nc] = True
                stack[size, 0], stack[size, 1] = nr, nc
                size += 1
    return order


@allocation_free_kernel
def tell_kinds(bounds, x0, y0, cell, window, slimmest, to_closed, to_crossing, nearest, room, kind):
    """Fill the room of the cells of a window (rows, columns), also to the bounds, and their kinds.

    to_closed, to_crossing, nearest: of the window alone.
    """
    for row in range(window[0], window[2]):
        y = y0 + cell * (row + 0.5)
        inside_y = min(y - bounds[1], bounds[3] - y)
        for column in range(window[1], window[3]):
            x = x0 + cell * (column + 0.5)
            down, right = row - window[0], column - window[1]
            space = min(to_closed[down, right], min(min(x - bounds[0], bounds[2] - x), inside_y))
            room[row, column] = space
            kind[row, column] = nearest[down, right] if to_crossing[down, right] < slimmest else OPEN
            if space < slimmest:
                kind[row, column] = CLOSED


@kernel
def gather_places(kind, room, block, is_new, before, place_of):
    """Number the connected parts, of one kind each, of every square of `block` fine cells; return what each is.

    kind (rows, columns): CLOSED, OPEN or an obstacle; room: distances, the greatest of a part is where it is
    represented, nearest to the square's middle at equal ones.  Returned are the row and the column of that cell,
    and the first place of each square.  is_new: squares (S,) to look at; the others are as they were `before`,
    which is what was returned, and place_of, of a map of as many cells.
    """
    rows, columns = kind.shape
    old_row, old_column, old_first, old_place_of = before
    first_of = np.empty(len(is_new) + 1, np.int64)
    square = -1
    squares = (-(-rows // block)) * (-(-columns // block))
    where_row, where_column = np.empty(2 * squares, np.int32), np.empty(2 * squares, np.int32)
    stack = np.empty(block * block, np.int64)
    order = order_of_cells(block)
    away_of = ((order - 0.5 * (block - 1)) ** 2).sum(axis=1)
    count = 0
    for corner_row in range(0, rows, block):
        for corner_column in range(0, columns, block):
            last_row, last_column = min(corner_row + block, rows), min(corner_column + block, columns)
            while count + block * block > len(where_row):
                where_row = np.concatenate((where_row, np.empty_like(where_row)))
                where_column = np.concatenate((where_column, np.empty_like(where_column)))
            square += 1
            first_of[square] = count
            if not is_new[square]:
                later = count - old_first[square]
                for row in range(corner_row, last_row):
                    for column in range(corner_column, last_column):
                        place = old_place_of[row, column]
                        place_of[row, column] = place if place < 0 else place + later
                for place in range(old_first[square], old_first[square + 1]):
                    where_row[count], where_column[count] = old_row[place], old_column[place]
                    count += 1
                continue
            for row in range(corner_row, last_row):
                for column in range(corner_column, last_column):
                    place_of[row, column] = NOWHERE
            is_whole = last_row - corner_row == block and last_column - corner_column == block
            alike = MIXED if not is_whole else likeness(kind, room, corner_row, corner_column, block)
            if alike != MIXED:  # as most squares are, and quickly done
                if kind[corner_row, corner_column] == CLOSED:
                    continue
                if alike == ALL_ALIKE and block % 2 == 1:
                    for row in range(corner_row, last_row):
                        for column in range(corner_column, last_column):
                            place_of[row, column] = count
                    where_row[count], where_column[count] = corner_row + block // 2, corner_column + block // 2
                    count += 1
                    continue
                best_room, best_away = -math.inf, math.inf
                for turn in range(block * block):
                    r, c = corner_row + order[turn, 0], corner_column + order[turn, 1]
                    place_of[r, c] = count
                    space = room[r, c]
                    if space > best_room + 1e-9 or (space > best_room - 1e-9 and away_of[turn] < best_away):
                        best_room, best_away = space, away_of[turn]
                        where_row[count], where_column[count] = r, c
                count += 1
                continue
            across = last_column - corner_column
            for row in range(corner_row, last_row):
                for column in range(corner_column, last_column):
                    if kind[row, column] == CLOSED or place_of[row, column] != NOWHERE:
                        continue
                    sort = kind[row, column]
                    best_room, best_away = -math.inf, math.inf
                    stack[0] = (row - corner_row) * across + column - corner_column
                    place_of[row, column] = count
                    size = 1
                    while size > 0:
                        size -= 1
                        down, right = stack[size] // across, stack[size] % across
                        r, c = corner_row + down, corner_column + right
                        away_r, away_c = down - 0.5 * (block - 1), right - 0.5 * (block - 1)
                        away = away_r * away_r + away_c * away_c
                        if room[r, c] > best_room + 1e-9 or (room[r, c] > best_room - 1e-9 and away < best_away):
                            best_room, best_away = room[r, c], away
                            where_row[count], where_column[count] = r, c
                        if r + 1 < last_row and place_of[r + 1, c] == NOWHERE and kind[r + 1, c] == sort:
                            place_of[r + 1, c] = count
                            stack[size] = (down + 1) * across + right
                            size += 1
                        if down > 0 and place_of[r - 1, c] == NOWHERE and kind[r - 1, c] == sort:
                            place_of[r - 1, c] = count
                            stack[size] = (down - 1) * across + right
                            size += 1
                        if c + 1 < last_column and place_of[r, c + 1] == NOWHERE and kind[r, c + 1] == sort:
                            place_of[r, c + 1] = count
                            stack[size] = down * across + right + 1
                            size += 1
                        if right > 0 and place_of[r, c - 1] == NOWHERE and kind[r, c - 1] == sort:
                            place_of[r, c - 1] = count
                            stack[size] = down * across + right - 1
                            size += 1
                    count += 1
    first_of[square + 1] = count
    return where_row[:count].copy(), where_column[:count].copy(), first_of


@kernel
def side_ways(place_of, block, first_of):
    """Return the pairs of places whose cells have a side in common, both ways; some more than once.

    first_of (S + 1,): the first place of each square of `block` cells.
    """
    rows, columns = place_of.shape
    size = 0
    here, there = np.empty(rows + columns, np.int32), np.empty(rows + columns, np.int32)
    for row in range(rows):
        if size + 4 * columns > len(here):
            here = np.concatenate((here, np.empty(len(here) + 4 * columns, np.int32)))
            there = np.concatenate((there, np.empty(len(there) + 4 * columns, np.int32)))
        column = -1
        while column + 1 < columns:
            column += 1
            square = (row // block) * (-(-columns // block)) + column // block
            if row % block < block - 1 and column % block == 0 and first_of[square + 1] - first_of[square] <= 1:
                column = min(column + block, columns) - 1  # all of one place: only its last cells have other neighbours
            one = place_of[row, column]
            if one < 0:
                continue
            for side in range(2):
                next_row, next_column = row + side, column + 1 - side
                if next_row >= rows or next_column >= columns:
                    continue
                other = place_of[next_row, next_column]
                if other < 0 or other == one:
                    continue
                before_row, before_column = row - 1 + side, column - side  # along the border of the two
                if before_row >= 0 and before_column >= 0 and place_of[before_row, before_column] == one:
                    if place_of[before_row + side, before_column + 1 - side] == other:
                        continue
                here[size], there[size], here[size + 1], there[size + 1] = one, other, other, one
                size += 2
    return here[:size].copy(), there[:size].copy()
