"""The shortest way out of what an edit has put onto someone, or into its way.

Only for those who find nothing else: clips may meet what one is already in, the sooner it is left the better; never
anybody else's trajectory, nor any other obstacle.  At last one stands free; or, where two clips do not lead so
far, as near to the way out as they do.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.crowd.arrays import ALL_THINGS, MOVING_THINGS, NOBODY
from gambol.crowd.kernels.edits import NEVER, body_meets_pieces, clip_meets_thing, last_contact, way_out
from gambol.crowd.kernels.propose import fan_box
from gambol.crowd.kernels.reservations import FOREVER, gather, who_meets_clip, who_meets_rest
from gambol.jit import allocation_free_kernel, merged_kernel
from gambol.plan.kernels.collision import clip_is_free, clip_is_free_in_traffic, instant_is_free
from gambol.plan.kernels.traffic import body_stays_free

MOST_TESTS = 400  # candidates
LONGER = 0.05  # frames that each frame of a longer way counts for
STILL_IN = 1e6  # frames that resting in what one is in counts for,
NEARER = 1e3  # and each metre from there to the way out
NEARER_M = 0.25  # who cannot get out yet comes so much nearer to the way out, or stays
FARTHEST_CELLS = np.int64(120)  # that a way out may be off
NO_SCORE = 1e30


@allocation_free_kernel
def find_ways_out(setting, pieces, held_until, proposals, count, scratch, untils):
    """Fill in the empty ones of some proposals whose makers meet something that was edited.

    pieces: of all obstacles that anyone still meets.  held_until (N,): last frame at which each meets anything by
    what it holds.  untils (M,): scratch, by nodes of the largest fan.
    """
    for number in range(count):
        who = proposals.who[number]
        if setting.flock.escapes[who] != 0 and proposals.count[number] == 0:
            find_way_out(setting, pieces, held_until[who], proposals, number, who, scratch, untils)


@merged_kernel
def find_way_out(setting, pieces, held_until, proposals, number, who, scratch, untils):
    """Fill in one proposal: of all that may be played, what leaves it all soonest."""
    flock, clips, fans, floor = setting.flock, setting.clips, setting.fans, setting.floor
    escapes = np.int64(flock.escapes[who])
    playing = np.int64(flock.clip[who, 0])
    begins = flock.frame[who, 0] + clips.duration[playing]
    last = flock.count[who] > 1
    x = flock.pose[who, 1, 0] if last else flock.end[who, 0]
    y = flock.pose[who, 1, 1] if last else flock.end[who, 1]
    c = flock.pose[who, 1, 3] if last else flock.end[who, 3]
    s = flock.pose[who, 1, 4] if last else flock.end[who, 4]
    state = np.int64(clips.state[playing])
    x0, y0, x1, y1 = fan_box(fans, state, x, y, c, s)
    near = gather(setting.cells, flock, who, x0, y0, x1, y1, scratch.near)
    rest = clips.rest_sample[flock.kind[who]]
    needed = clips.samples[rest, 4]
    out_x, out_y = way_out(floor, x, y, needed, FARTHEST_CELLS)
    held_x, held_y = flock.end[who, 0], flock.end[who, 1]
    held_away = math.hypot(held_x - out_x, held_y - out_y) if out_x != math.inf else 0.0
    base = fans.first[state]
    candidates = np.int64(0)
    for node in range(base, fans.first[state + 1]):
        parent = np.int64(fans.parent[node])
        clip = np.int64(fans.clip[node])
        px, py, pc, ps, frame = x, y, c, s, begins
        until = begins - 1
        if parent >= 0:
            px, py, pc, ps = placed(fans, parent, x, y, c, s)
            frame = begins + np.int64(fans.frames[parent])
            until = untils[parent - base]
        until = max(until, met_until(setting, pieces, escapes, clip, px, py, pc, ps, frame))
        untils[node - base] = until
        after = np.int64(fans.state[node])
        rests = fans.is_rest[after]
        first, end = fans.first_stop[after], fans.first_stop[after + 1]
        if not rests and first == end:
            continue
        ex, ey, ec, es = placed(fans, np.int64(node), x, y, c, s)
        frame = begins + np.int64(fans.frames[node])
        stop = np.int64(-1)
        if not rests:
            stop = np.int64(fans.stop[first])
            until = max(until, met_until(setting, pieces, escapes, stop, ex, ey, ec, es, frame))
            ex, ey, ec, es = moved(clips, stop, ex, ey, ec, es)
            frame += clips.duration[stop]
        score = float(until - begins + 1) + LONGER * (frame - begins)
        if body_meets_pieces(pieces, clips, rest, ex, ey, ec, es):
            away = math.hypot(ex - out_x, ey - out_y)
            if held_until != FOREVER or not away < held_away - NEARER_M:
                continue
            score = STILL_IN + NEARER * away + LONGER * (frame - begins)
        elif until >= held_until:
            continue  # what it holds is as good
        scratch.score[candidates], scratch.node[candidates], scratch.stop[candidates] = score, node, stop
        candidates += 1
    tests = np.int64(0)
    blocker = np.int64(NOBODY)
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
            is_free = clip_is_possible(setting, escapes, clip, px, py, pc, ps, frame, near, scratch)
            px, py, pc, ps = moved(clips, clip, px, py, pc, ps)
            frame += clips.duration[clip]
        if is_free and may_rest_at_last(setting, pieces, escapes, who, px, py, pc, ps, frame, near, scratch):
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
        if blocker == NOBODY:
            blocker = scratch.blocker[0]
    proposals.tests[number] += tests
    if proposals.count[number] == 0 and blocker != NOBODY and out_x != math.inf:
        ask_aside(setting, blocker, x, y, out_x, out_y)


@merged_kernel
def ask_aside(setting, other, x, y, to_x, to_y):
    """Ask who stands in the way of someone that wants to get out to make way."""
    flock, clips, fans = setting.flock, setting.clips, setting.fans
    away = math.hypot(to_x - x, to_y - y)
    if away > 0.01 and flock.count[other] == 1 and fans.is_rest[clips.state[flock.clip[other, 0]]]:
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


@merged_kernel
def met_until(setting, pieces, escapes, clip, x, y, c, s, frame):
    """Return the last frame at which a clip, begun at a pose and a frame, meets what one is in; before all if none."""
    clips = setting.clips
    until = np.int64(-1)
    if escapes != MOVING_THINGS:
        instant = last_contact(pieces, clips, clip, x, y, c, s)
        if instant != NEVER:
            until = frame + instant
    if escapes == MOVING_THINGS or escapes == ALL_THINGS:
        instant = last_meeting(setting.traffic, setting.actions, clips, clip, x, y, c, s, frame - setting.traffic_frame)
        if instant != NEVER:
            until = max(until, frame + instant)
    return until


@allocation_free_kernel
def last_meeting(traffic, actions, clips, clip, x, y, c, s, frame):
    """Return the last instant of a clip, begun at a frame of the traffic, that meets what moves; or NEVER."""
    for instant in range(clips.duration[clip], -1, -1):
        if clip_meets_thing(traffic, actions, clips, clip, np.int64(instant), x, y, c, s, frame + instant) >= 0:
            return np.int64(instant)
    return NEVER


@merged_kernel
def clip_is_possible(setting, escapes, clip, x, y, c, s, frame, near, scratch):
    """Tell whether a clip meets nobody, and nothing but what one is in."""
    clips = setting.clips
    first = clips.first_sample[clip]
    heading = math.atan2(s, c)
    scratch.blocker[0] = NOBODY
    if escapes != ALL_THINGS:
        ignored = escapes - 1 if escapes > 0 else np.int64(-1)
        if not clip_is_free(
            setting.world, clips, clip, first, first + clips.duration[clip], x, y, heading, ignored, scratch.counts
        ):
            return False
    if setting.has_traffic and escapes > 0:
        if not clip_is_free_in_traffic(
            setting.world, setting.traffic, setting.actions, clips, clip, x, y, heading,
            frame - setting.traffic_frame, scratch.counts,
        ):  # fmt: skip
            return False
    other = who_meets_clip(clips, setting.flock, scratch.near, near, clip, x, y, c, s, frame)
    scratch.blocker[0] = other
    return other == NOBODY


@merged_kernel
def may_rest_at_last(setting, pieces, escapes, who, x, y, c, s, frame, near, scratch):
    """Tell whether one may stand at a pose from a frame on: free of all, or in what one is in alone."""
    clips = setting.clips
    kind = np.int64(setting.flock.kind[who])
    rest = clips.rest_sample[kind]
    scratch.blocker[0] = NOBODY
    still_in = body_meets_pieces(pieces, clips, rest, x, y, c, s)
    if not still_in or escapes != ALL_THINGS:
        ignored = escapes - 1 if still_in and escapes > 0 else np.int64(-1)
        if not instant_is_free(setting.world, clips, rest, x, y, math.atan2(s, c), ignored):
            return False
    if setting.has_traffic:
        stand = np.int64(clips.stand[clips.first_stand[kind]])
        actions = setting.actions
        if not body_stays_free(
            setting.traffic, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high,
            actions.outer_radius, clips.first_sample[stand], x, y, c, s, frame - setting.traffic_frame, 0.05, 0.0, 0.0,
        ):  # fmt: skip
            return False
    other = who_meets_rest(clips, setting.flock, scratch.near, near, kind, x, y, c, s, frame)
    scratch.blocker[0] = other
    return other == NOBODY
