"""Who meets what an edit puts into the world: trajectories that are held against pieces and against what moves."""

from __future__ import annotations

import math

import numpy as np

from gambol.crowd.kernels.reservations import FOREVER
from gambol.kernels.jit import allocation_free_kernel
from gambol.search.kernels.traffic import body_blocking_thing, is_quiet
from gambol.search.traffic_table import MARK_BLOCK_FRAMES
from gambol.world.kernels.geometry import disc_meets_piece

PARTS = 8
MOST_AT_ONCE = 4  # obstacles that one can be in and still get out of all
NEVER = np.int64(-1)
RESTING_SWAY_M = 0.05  # who stands sways by no more
# Columns of `Clips.parts`.
AHEAD, ASIDE, RADIUS, LOW, HIGH = range(5)


@allocation_free_kernel
def body_meets_pieces(pieces, clips, sample, x, y, c, s):
    """Tell whether a body, a sample at a pose, meets any of some pieces."""
    outer = clips.samples[sample, 4]
    for piece in range(pieces.radius.size):
        if (
            pieces.boxes[piece, 0] > x + outer
            or pieces.boxes[piece, 2] < x - outer
            or pieces.boxes[piece, 1] > y + outer
            or pieces.boxes[piece, 3] < y - outer
            or not disc_meets_piece(pieces, piece, x, y, outer)
        ):
            continue
        for part in range(PARTS):
            low, high = clips.parts[sample, part, LOW], clips.parts[sample, part, HIGH]
            if high <= low or pieces.bottom[piece] >= high or low >= pieces.top[piece]:
                continue
            ahead, aside = clips.parts[sample, part, AHEAD], clips.parts[sample, part, ASIDE]
            px, py = x + c * ahead - s * aside, y + s * ahead + c * aside
            if disc_meets_piece(pieces, piece, px, py, clips.parts[sample, part, RADIUS]):
                return True
    return False


@allocation_free_kernel
def instant_meets_pieces(pieces, clips, clip, instant, x, y, c, s):
    """Tell whether an instant of a clip, begun at a pose, meets any of some pieces."""
    sample = clips.first_sample[clip] + instant
    along, across = clips.samples[sample, 0], clips.samples[sample, 1]
    turn_c, turn_s = clips.samples[sample, 2], clips.samples[sample, 3]
    return body_meets_pieces(
        pieces, clips, sample, x + c * along - s * across, y + s * along + c * across,
        c * turn_c - s * turn_s, s * turn_c + c * turn_s,
    )  # fmt: skip


@allocation_free_kernel
def last_contact(pieces, clips, clip, x, y, c, s):
    """Return the last instant of a clip, begun at a pose, that meets any of some pieces, or NEVER."""
    for instant in range(clips.duration[clip], -1, -1):
        if instant_meets_pieces(pieces, clips, clip, instant, x, y, c, s):
            return np.int64(instant)
    return NEVER


@allocation_free_kernel
def contact_with_pieces(pieces, clips, flock, who, now):
    """Return the first and the last frame from now on at which a held trajectory meets any of some pieces.

    The last is FOREVER where it comes to rest in one; both are NEVER where it meets none.
    """
    first, last = NEVER, NEVER
    for segment in range(flock.count[who]):
        clip = np.int64(flock.clip[who, segment])
        begins = flock.frame[who, segment]
        x, y = flock.pose[who, segment, 0], flock.pose[who, segment, 1]
        c, s = flock.pose[who, segment, 3], flock.pose[who, segment, 4]
        for instant in range(max(now - begins, 0), clips.duration[clip] + 1):
            if instant_meets_pieces(pieces, clips, clip, np.int64(instant), x, y, c, s):
                last = begins + instant
                if first == NEVER:
                    first = last
    rest = clips.rest_sample[flock.kind[who]]
    if body_meets_pieces(
        pieces, clips, rest, flock.end[who, 0], flock.end[who, 1], flock.end[who, 3], flock.end[who, 4]
    ):
        last = FOREVER
        if first == NEVER:
            first = max(now, flock.end_frame[who])
    return first, last


@allocation_free_kernel
def list_contacts(pieces, box, clips, flock, count, now, listed, spans):
    """List who meets any of some pieces in a box from now on, and the first and last frames; return how many do."""
    total = np.int64(0)
    for who in range(count):
        if not flock.taken[who] or (
            flock.box[who, 0] > box[2]
            or flock.box[who, 2] < box[0]
            or flock.box[who, 1] > box[3]
            or flock.box[who, 3] < box[1]
        ):
            continue
        first, last = contact_with_pieces(pieces, clips, flock, np.int64(who), now)
        if first != NEVER:
            listed[total], spans[total, 0], spans[total, 1] = who, first, last
            total += 1
    return total


@allocation_free_kernel
def thing_met(traffic, actions, sample, x, y, c, s, frame, sway):
    """Return the number of something moving that a body meets at a frame of the traffic, or below 0."""
    return np.int64(
        body_blocking_thing(
            traffic, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high,
            actions.outer_radius, sample, x, y, c, s, frame, sway, 0.0, 0.0,
        )
    )  # fmt: skip


@allocation_free_kernel
def clip_meets_thing(traffic, actions, clips, clip, instant, x, y, c, s, frame):
    """Return what an instant of a clip, begun at a pose, meets at a frame of the traffic, or below 0."""
    sample = clips.first_sample[clip] + instant
    along, across = clips.samples[sample, 0], clips.samples[sample, 1]
    turn_c, turn_s = clips.samples[sample, 2], clips.samples[sample, 3]
    return thing_met(
        traffic, actions, sample, x + c * along - s * across, y + s * along + c * across,
        c * turn_c - s * turn_s, s * turn_c + c * turn_s, frame, 0.0,
    )  # fmt: skip


@allocation_free_kernel
def contact_with_traffic(traffic, base, actions, clips, flock, who, now):
    """Return the first and the last frame from now on at which a held trajectory meets what moves; or NEVER.

    base: the frame at which the traffic's own frame 0 is.  Looked at as far as things are laid out.
    """
    first, last = NEVER, NEVER
    for segment in range(flock.count[who]):
        clip = np.int64(flock.clip[who, segment])
        begins = flock.frame[who, segment]
        x, y = flock.pose[who, segment, 0], flock.pose[who, segment, 1]
        c, s = flock.pose[who, segment, 3], flock.pose[who, segment, 4]
        middle_x = x + c * clips.circle[clip, 0] - s * clips.circle[clip, 1]
        middle_y = y + s * clips.circle[clip, 0] + c * clips.circle[clip, 1]
        from_frame = max(now, begins)
        to_frame = begins + clips.duration[clip]
        if is_quiet(traffic, middle_x, middle_y, clips.circle[clip, 2], from_frame - base, to_frame - base):
            continue
        for frame in range(from_frame, to_frame + 1):
            met = clip_meets_thing(traffic, actions, clips, clip, frame - begins, x, y, c, s, frame - base)
            if met >= 0:
                last = np.int64(frame)
                if first == NEVER:
                    first = last
    stand = np.int64(clips.stand[clips.first_stand[flock.kind[who]]])
    sample = clips.first_sample[stand]
    x, y, c, s = flock.end[who, 0], flock.end[who, 1], flock.end[who, 3], flock.end[who, 4]
    frame = max(now, flock.end_frame[who])
    until = base + (traffic.horizon if traffic.is_endless else traffic.last_change + 1)
    until = max(until, frame)
    while frame <= until:
        block = min(frame + MARK_BLOCK_FRAMES - 1, until)
        reach = actions.outer_radius[sample] + RESTING_SWAY_M
        if not is_quiet(traffic, x, y, reach, frame - base, block - base):
            for at in range(frame, block + 1):
                met = thing_met(traffic, actions, sample, x, y, c, s, at - base, RESTING_SWAY_M)
                if met >= 0:
                    last = np.int64(at) if at < until else FOREVER
                    if first == NEVER:
                        first = np.int64(at)
        frame = block + 1
    return first, last


@allocation_free_kernel
def list_meetings(traffic, base, actions, clips, flock, places, count, now, listed, spans):
    """List who of some meets what moves from now on, and the first and last frames; return how many do."""
    total = np.int64(0)
    for number in range(count):
        who = places[number]
        if flock.taken[who]:
            first, last = contact_with_traffic(traffic, base, actions, clips, flock, who, now)
            if first != NEVER:
                listed[total], spans[total, 0], spans[total, 1] = who, first, last
                total += 1
    return total


@allocation_free_kernel
def ask_routes_anew(flock, count, box):
    """Ask for new routes of all whose way ahead leads through a box."""
    for who in range(count):
        if not flock.taken[who] or flock.way_count[who] == 0:
            continue
        x, y = flock.end[who, 0], flock.end[who, 1]
        for point in range(min(flock.way_at[who], flock.way_count[who] - 1), flock.way_count[who]):
            to_x, to_y = flock.way[who, point, 0], flock.way[who, point, 1]
            if leg_meets_box(x, y, to_x, to_y, box):
                flock.way_wanted[who] = True
                break
            x, y = to_x, to_y


@allocation_free_kernel
def leg_meets_box(x0, y0, x1, y1, box):
    """Tell whether a straight line from a point to another comes into a box."""
    enters, leaves = 0.0, 1.0
    for axis in range(2):
        start, along = (x0, x1 - x0) if axis == 0 else (y0, y1 - y0)
        low, high = box[axis], box[axis + 2]
        if abs(along) < 1e-12:
            if start < low or start > high:
                return False
            continue
        near, far = (low - start) / along, (high - start) / along
        if near > far:
            near, far = far, near
        enters, leaves = max(enters, near), min(leaves, far)
    return enters <= leaves


@allocation_free_kernel
def way_out(floor, x, y, needed, farthest):
    """Return the nearest point that has so much room, no farther off than so many cells; infinite where none is."""
    rows, columns = floor.room.shape
    middle_row, middle_column = int((y - floor.y0) / floor.cell_m), int((x - floor.x0) / floor.cell_m)
    best_x, best_y, least = math.inf, math.inf, math.inf
    for ring in range(farthest + 1):
        if (ring - 1) * floor.cell_m > least:
            break
        for row in range(max(middle_row - ring, 0), min(middle_row + ring, rows - 1) + 1):
            on_edge = abs(row - middle_row) == ring
            step = 1 if on_edge or ring == 0 else 2 * ring
            for column in range(middle_column - ring, middle_column + ring + 1, step):
                if 0 <= column < columns and floor.room[row, column] >= needed:
                    at_x, at_y = floor.x0 + (column + 0.5) * floor.cell_m, floor.y0 + (row + 0.5) * floor.cell_m
                    away = math.hypot(at_x - x, at_y - y)
                    if away < least:
                        best_x, best_y, least = at_x, at_y, away
    return best_x, best_y
