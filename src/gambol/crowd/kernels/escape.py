"""The shortest way out of what an edit has put onto someone, or into its way.

Only for those who find nothing else: clips may meet what one is already in, the sooner it is left the better; never
anybody else's trajectory, nor any other obstacle.  At last one stands free; or, where two clips do not lead so
far, as near to the way out as they do.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.crowd.arrays import FROM_MOVERS, FROM_OBSTACLES, NOBODY
from gambol.crowd.kernels.edits import (
    AHEAD,
    ASIDE,
    HIGH,
    LOW,
    MOST_AT_ONCE,
    NEVER,
    PARTS,
    RADIUS,
    RESTING_SWAY_M,
    body_meets_pieces,
    clip_meets_thing,
    last_contact,
    way_out,
)
from gambol.crowd.kernels.propose import fan_box, fan_of
from gambol.crowd.kernels.reservations import FOREVER, gather, who_meets_clip, who_meets_rest
from gambol.kernels.jit import allocation_free_kernel, merged_kernel
from gambol.search.kernels.collision import clip_is_free_in_traffic
from gambol.search.kernels.traffic import body_stays_free
from gambol.world.kernels.geometry import disc_is_inside, disc_meets_piece
from gambol.world.kernels.lookup import bin_of, clearance

MOST_TESTS = 400  # candidates
LONGER = 0.05  # frames that each frame of a longer way counts for
STILL_IN = 1e6  # frames that resting in what one is in counts for,
NEARER = 1e3  # and each metre from there to the way out
NEARER_M = 0.25  # who cannot get out yet comes so much nearer to the way out, or stays
FARTHEST_CELLS = np.int64(120)  # that a way out may be off
CLOSE_M = 2.5  # who stands so close to one who finds no way out is asked to make way
NO_SCORE = 1e30


@allocation_free_kernel
def find_ways_out(setting, pieces, left, held_until, proposals, count, scratch, untils):
    """Fill in the empty ones of some proposals whose makers meet something that was edited.

    pieces: of all obstacles that anyone still meets.  left (N, MOST_AT_ONCE): numbers of those that each may still
    meet, -1: none.  held_until (N, 2): last frames at which each meets such an obstacle and what moves by what it
    holds, -1: never.  untils (M, 2): scratch, by nodes of the largest fan.
    """
    for number in range(count):
        who = proposals.who[number]
        if setting.flock.escapes[who] != 0 and proposals.count[number] == 0:
            find_way_out(setting, pieces, left, held_until, proposals, number, who, scratch, untils)


@merged_kernel
def find_way_out(setting, pieces, left, held_until, proposals, number, who, scratch, untils):
    """Fill in one proposal: of all that may be played, what leaves it all soonest; neither later than what it holds."""
    flock, clips, fans, floor = setting.flock, setting.clips, setting.fans, setting.floor
    escapes = np.int64(flock.escapes[who])
    playing = np.int64(flock.clip[who, 0])
    begins = flock.frame[who, 0] + clips.duration[playing]
    held_obstacle, held_mover = held_until[who, 0], held_until[who, 1]
    if max(held_obstacle, held_mover) < begins:
        return  # nothing is better than what it holds
    last = flock.count[who] > 1
    x = flock.pose[who, 1, 0] if last else flock.end[who, 0]
    y = flock.pose[who, 1, 1] if last else flock.end[who, 1]
    c = flock.pose[who, 1, 3] if last else flock.end[who, 3]
    s = flock.pose[who, 1, 4] if last else flock.end[who, 4]
    state = np.int64(clips.state[playing])
    fan = fan_of(setting, who, state, begins)
    x0, y0, x1, y1 = fan_box(fans, fan, x, y, c, s)
    near = gather(setting.cells, flock, who, x0, y0, x1, y1, scratch.near)
    rest = clips.rest_sample[flock.kind[who]]
    needed = clips.samples[rest, 4]
    out_x, out_y = way_out(floor, x, y, needed, FARTHEST_CELLS)
    held_x, held_y = flock.end[who, 0], flock.end[who, 1]
    held_away = math.hypot(held_x - out_x, held_y - out_y) if out_x != math.inf else 0.0
    base = fans.first[fan]
    candidates = np.int64(0)
    for node in range(base, fans.first[fan + 1]):
        parent = np.int64(fans.parent[node])
        clip = np.int64(fans.clip[node])
        px, py, pc, ps, frame = x, y, c, s, begins
        in_obstacle, in_mover = NEVER, NEVER
        if parent >= 0:
            px, py, pc, ps = placed(fans, parent, x, y, c, s)
            frame = begins + np.int64(fans.frames[parent])
            in_obstacle, in_mover = untils[parent - base, 0], untils[parent - base, 1]
        if escapes & FROM_OBSTACLES:
            in_obstacle = max(in_obstacle, met_until(pieces, clips, clip, px, py, pc, ps, frame))
        if escapes & FROM_MOVERS:
            in_mover = max(in_mover, meets_until(setting, clip, px, py, pc, ps, frame))
        untils[node - base, 0], untils[node - base, 1] = in_obstacle, in_mover
        rests = fans.is_rest[fans.state[node]]
        following = np.int64(fans.following[node])
        first, end = fans.first_stop[following], fans.first_stop[following + 1]
        if not rests and first == end:
            continue
        ex, ey, ec, es = placed(fans, np.int64(node), x, y, c, s)
        frame = begins + np.int64(fans.frames[node])
        stop = np.int64(-1)
        if not rests:
            stop = np.int64(fans.stop[first])
            if escapes & FROM_OBSTACLES:
                in_obstacle = max(in_obstacle, met_until(pieces, clips, stop, ex, ey, ec, es, frame))
            if escapes & FROM_MOVERS:
                in_mover = max(in_mover, meets_until(setting, stop, ex, ey, ec, es, frame))
            ex, ey, ec, es = moved(clips, stop, ex, ey, ec, es)
            frame += clips.duration[stop]
        score = max(in_obstacle, in_mover, begins - 1) - begins + 1.0 + LONGER * (frame - begins)
        if in_mover > held_mover:
            continue
        if escapes & FROM_OBSTACLES and body_meets_pieces(pieces, clips, rest, ex, ey, ec, es):
            away = math.hypot(ex - out_x, ey - out_y)
            if held_obstacle != FOREVER or not away < held_away - NEARER_M:
                continue
            score = STILL_IN + NEARER * away + LONGER * (frame - begins)
        elif in_obstacle > held_obstacle or (in_obstacle == held_obstacle and in_mover == held_mover):
            continue  # what it holds is as good
        scratch.score[candidates], scratch.node[candidates], scratch.stop[candidates] = score, node, stop
        candidates += 1
    tests = np.int64(0)
    while tests < MOST_TESTS:
        best, least = np.int64(-1), NO_SCORE
        for candidate in range(candidates):
            if scratch.score[candidate] < least:
                best, least = np.int64(candidate), scratch.score[candidate]
        if best < 0:
            break
        scratch.score[best] = math.inf
        tests += 1
        node, stop = np.int64(scratch.node[best]), np.int64(scratch.stop[best])
        parent = np.int64(fans.parent[node])
        is_free = True
        px, py, pc, ps, frame = x, y, c, s, begins
        for link in range(3):
            clip = stop
            if link == 0:
                clip = np.int64(fans.clip[parent]) if parent >= 0 else np.int64(-1)
            elif link == 1:
                clip = np.int64(fans.clip[node])
            if clip < 0 or not is_free:
                continue
            is_free = clip_is_possible(setting, left, who, clip, px, py, pc, ps, frame, near, scratch)
            px, py, pc, ps = moved(clips, clip, px, py, pc, ps)
            frame += clips.duration[clip]
        if is_free and may_rest_at_last(setting, left, who, px, py, pc, ps, frame, near, scratch):
            links = np.int64(0)
            if parent >= 0:
                proposals.clip[number, links] = fans.clip[parent]
                links += 1
            proposals.clip[number, links] = fans.clip[node]
            links += 1
            if stop >= 0:
                proposals.clip[number, links] = stop
                links += 1
            proposals.count[number] = links
            break
    proposals.tests[number] += tests
    if proposals.count[number] == 0 and held_obstacle == FOREVER and out_x != math.inf:
        ask_around(setting, near, x, y, out_x, out_y, scratch)


@merged_kernel
def ask_around(setting, near, x, y, to_x, to_y, scratch):
    """Ask all who stand close by to make way for someone that wants to get out."""
    flock, clips, fans = setting.flock, setting.clips, setting.fans
    away = math.hypot(to_x - x, to_y - y)
    for i in range(near):
        other = scratch.near[i]
        if (
            away > 0.01
            and math.hypot(flock.end[other, 0] - x, flock.end[other, 1] - y) < CLOSE_M
            and flock.count[other] == 1
            and fans.is_rest[clips.state[flock.clip[other, 0]]]
        ):
            flock.asked_frame[other] = setting.now
            flock.asked_from[other, 0], flock.asked_from[other, 1] = x, y
            flock.asked_from[other, 2], flock.asked_from[other, 3] = (to_x - x) / away, (to_y - y) / away
            flock.ready[other] = min(flock.ready[other], setting.now + 1)


@allocation_free_kernel
def placed(fans, node, x, y, c, s):
    """Return the pose where a node of a fan ends that begins at a pose."""
    px, py, pc, ps = fans.pose[node, 0], fans.pose[node, 1], fans.pose[node, 2], fans.pose[node, 3]
    return x + c * px - s * py, y + s * px + c * py, c * pc - s * ps, s * pc + c * ps


@allocation_free_kernel
def moved(clips, clip, x, y, c, s):
    """Return the pose where a clip ends that begins at a pose."""
    px, py = clips.displacement[clip, 0], clips.displacement[clip, 1]
    pc, ps = clips.displacement[clip, 3], clips.displacement[clip, 4]
    return x + c * px - s * py, y + s * px + c * py, c * pc - s * ps, s * pc + c * ps


@allocation_free_kernel
def met_until(pieces, clips, clip, x, y, c, s, frame):
    """Return the last frame at which a clip, begun at a pose and a frame, meets some pieces; or NEVER."""
    instant = last_contact(pieces, clips, clip, x, y, c, s)
    return NEVER if instant == NEVER else frame + instant


@merged_kernel
def meets_until(setting, clip, x, y, c, s, frame):
    """Return the last frame at which a clip, begun at a pose and a frame, meets what moves; or NEVER."""
    at = frame - setting.traffic_frame
    instant = last_meeting(setting.traffic, setting.actions, setting.clips, clip, x, y, c, s, at)
    return NEVER if instant == NEVER else frame + instant


@allocation_free_kernel
def last_meeting(traffic, actions, clips, clip, x, y, c, s, frame):
    """Return the last instant of a clip, begun at a frame of the traffic, that meets what moves; or NEVER."""
    for instant in range(clips.duration[clip], -1, -1):
        if clip_meets_thing(traffic, actions, clips, clip, np.int64(instant), x, y, c, s, frame + instant) >= 0:
            return np.int64(instant)
    return NEVER


@merged_kernel
def clip_is_possible(setting, left, who, clip, x, y, c, s, frame, near, scratch):
    """Tell whether a clip meets nobody, and nothing but what one is in."""
    clips = setting.clips
    if not clip_is_free_but(setting.world, clips, clip, x, y, c, s, left, who):
        return False
    if setting.has_traffic and not setting.flock.escapes[who] & FROM_MOVERS:
        if not clip_is_free_in_traffic(
            setting.world, setting.traffic, setting.actions, clips, clip, x, y, math.atan2(s, c),
            frame - setting.traffic_frame, scratch.counts,
        ):  # fmt: skip
            return False
    return who_meets_clip(clips, setting.flock, scratch.near, near, clip, x, y, c, s, frame) == NOBODY


@merged_kernel
def may_rest_at_last(setting, left, who, x, y, c, s, frame, near, scratch):
    """Tell whether one may stand at a pose from a frame on: free of all but what one is in."""
    clips = setting.clips
    kind = np.int64(setting.flock.kind[who])
    if not body_is_free_but(setting.world, clips, clips.rest_sample[kind], x, y, c, s, left, who):
        return False
    if setting.has_traffic:
        stand = np.int64(clips.stand[clips.first_stand[kind]])
        actions = setting.actions
        if not body_stays_free(
            setting.traffic, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high,
            actions.outer_radius, clips.first_sample[stand], x, y, c, s, frame - setting.traffic_frame,
            RESTING_SWAY_M, 0.0, 0.0,
        ):  # fmt: skip
            return False
    return who_meets_rest(clips, setting.flock, scratch.near, near, kind, x, y, c, s, frame) == NOBODY


@allocation_free_kernel
def clip_is_free_but(world, clips, clip, x, y, c, s, left, who):
    """Tell whether a clip, begun at a pose, stays inside the bounds and meets no obstacle but those being left."""
    first = clips.first_sample[clip]
    for sample in range(first, first + clips.duration[clip] + 1):
        along, across = clips.samples[sample, 0], clips.samples[sample, 1]
        turn_c, turn_s = clips.samples[sample, 2], clips.samples[sample, 3]
        if not body_is_free_but(
            world, clips, sample, x + c * along - s * across, y + s * along + c * across,
            c * turn_c - s * turn_s, s * turn_c + c * turn_s, left, who,
        ):  # fmt: skip
            return False
    return True


@allocation_free_kernel
def body_is_free_but(world, clips, sample, x, y, c, s, left, who):
    """Tell whether a body, a sample at a pose, is inside the bounds and meets no obstacle but those being left."""
    if clearance(world, x, y) >= clips.samples[sample, 4]:
        return True
    for part in range(PARTS):
        low, high = clips.parts[sample, part, LOW], clips.parts[sample, part, HIGH]
        if high <= low:
            continue
        ahead, aside = clips.parts[sample, part, AHEAD], clips.parts[sample, part, ASIDE]
        radius = clips.parts[sample, part, RADIUS]
        px, py = x + c * ahead - s * aside, y + s * ahead + c * aside
        if not disc_is_inside(world.bounds, px, py, radius):
            return False
        bins, pieces = world.bins, world.pieces
        where = bin_of(world.x0, world.y0, bins, px, py)
        for entry in range(bins.first_entry[where], bins.first_entry[where + 1]):
            if bins.gap[entry] >= radius:
                break
            piece = bins.piece[entry]
            if (
                bins.bottom[entry] < high
                and low < bins.top[entry]
                and not is_left(left, who, pieces.obstacle[piece])
                and disc_meets_piece(pieces, piece, px, py, radius)
            ):
                return False
    return True


@allocation_free_kernel
def is_left(left, who, obstacle):
    """Tell whether an obstacle is among those that someone is leaving."""
    for at in range(MOST_AT_ONCE):
        if left[who, at] == obstacle:
            return True
    return False
