"""Take up proposals one after another, and let time pass."""

from __future__ import annotations

import math

import numpy as np

from gambol.characters.kernels.clip_choice import scramble
from gambol.crowd.arrays import ARRIVED, NOBODY, ON_THE_WAY
from gambol.crowd.kernels.manners import idle_since, is_near_lanes
from gambol.crowd.kernels.propose import ELSEWHERE, ONWARD
from gambol.crowd.kernels.reservations import who_is_near_clip, who_meets_clip, who_meets_rest
from gambol.crowd.kernels.sight import crosses_jam
from gambol.kernels.jit import allocation_free_kernel, merged_kernel

RETRY_FRAMES = 6  # who moves tries again after so many frames,
RESTING_RETRY_FRAMES = 10  # and who stands after at least so many
REROUTE_FRAMES = 90  # who gets nowhere for so long looks for another route
SAME_POINT_FRAMES = 240  # who makes for one way-point for so long near lanes does too
JAM_FRAMES = 60  # and so does who makes for one through a jam
ASKING_FRAMES = 30  # after so long one asks who is in the way
MOVED_M = 0.5  # who has come so far does not stand about
GAINED_M = 0.4  # who is so much nearer to its goal gets on
YIELDING_FRAMES = 30  # for so long who has made way stays away
STAYING_M = 0.05  # who comes no farther with a clip stands
PASSING_M = 1.0  # a goal where one does not stop is reached by passing it at this distance
#: What is counted.
COMMITTED, LOST_TO_OTHERS, NOT_FOUND, TESTS = range(4)


@allocation_free_kernel
def commit_many(setting, proposals, count, changed, totals):
    """Take up proposals in their order, each if it meets nobody who has just taken up another; the others keep theirs.

    All were made against what everyone held before: only what has changed since then is looked at.
    changed (N,): scratch for the numbers of those who have.
    """
    flock, clips, fans = setting.flock, setting.clips, setting.fans
    changes = np.int64(0)
    for number in range(count):
        who = proposals.who[number]
        totals[TESTS] += proposals.tests[number]
        note_progress(setting, proposals, number)
        if proposals.count[number] == 0:
            totals[NOT_FOUND] += 1
            resting = fans.is_rest[clips.state[flock.clip[who, 0]]]
            word = scramble(np.int64(setting.seed + 911 * flock.number[who] + setting.now))
            flock.ready[who] = setting.now + (RESTING_RETRY_FRAMES + word % 8 if resting else RETRY_FRAMES)
        elif is_met(setting, proposals, number, changed, changes):
            totals[LOST_TO_OTHERS] += 1
            flock.ready[who] = setting.now + 1
        else:
            take_up(setting, proposals, number)
            changed[changes] = who
            changes += 1
            totals[COMMITTED] += 1
        ask_to_make_way(setting, proposals, number)
    return changes


@allocation_free_kernel
def begin_of(flock, who):
    """Return where the clip after the present one begins: x, y, heading, cosine, sine."""
    if flock.count[who] > 1:
        return (
            flock.pose[who, 1, 0], flock.pose[who, 1, 1], flock.pose[who, 1, 2], flock.pose[who, 1, 3],
            flock.pose[who, 1, 4],
        )  # fmt: skip
    return flock.end[who, 0], flock.end[who, 1], flock.end[who, 2], flock.end[who, 3], flock.end[who, 4]


@merged_kernel
def is_met(setting, proposals, number, others, count):
    """Tell whether a proposal meets what some others hold."""
    flock, clips = setting.flock, setting.clips
    who = proposals.who[number]
    kind = np.int64(flock.kind[who])
    x, y, _, c, s = begin_of(flock, who)
    frame = proposals.begins[number]
    for i in range(proposals.count[number]):
        clip = np.int64(proposals.clip[number, i])
        if not setting.soft:
            if who_meets_clip(clips, flock, others, count, clip, x, y, c, s, frame) != NOBODY:
                return True
        elif i == 0 or i + 1 < proposals.count[number]:  # nothing is reserved for a stop
            if who_is_near_clip(clips, flock, others, count, kind, clip, x, y, c, s, frame) != NOBODY:
                return True
        dx, dy = clips.displacement[clip, 0], clips.displacement[clip, 1]
        turn_c, turn_s = clips.displacement[clip, 3], clips.displacement[clip, 4]
        x, y = x + c * dx - s * dy, y + s * dx + c * dy
        c, s = c * turn_c - s * turn_s, s * turn_c + c * turn_s
        frame += clips.duration[clip]
    return not setting.soft and who_meets_rest(clips, flock, others, count, kind, x, y, c, s, frame) != NOBODY


@merged_kernel
def take_up(setting, proposals, number):
    """Replace what comes after the present clip."""
    flock, clips = setting.flock, setting.clips
    who = proposals.who[number]
    x, y, heading, _, _ = begin_of(flock, who)
    frame = proposals.begins[number]
    flock.count[who] = 1 + proposals.count[number]
    for i in range(proposals.count[number]):
        clip = np.int64(proposals.clip[number, i])
        c, s = math.cos(heading), math.sin(heading)
        set_segment(flock, who, np.int64(i + 1), clip, frame, x, y, heading, c, s)
        dx, dy = clips.displacement[clip, 0], clips.displacement[clip, 1]
        x, y = x + c * dx - s * dy, y + s * dx + c * dy
        heading += clips.displacement[clip, 2]
        frame += clips.duration[clip]
    set_end(flock, who, frame, x, y, heading)
    set_box(clips, flock, who)
    flock.ready[who] = proposals.begins[number]
    if proposals.aim[number] == ELSEWHERE:
        flock.yields_until[who] = frame + YIELDING_FRAMES
        flock.asked_frame[who] = 0
        from_x, from_y, _, _, _ = begin_of(flock, who)
        if math.hypot(x - from_x, y - from_y) > MOVED_M:
            flock.best_way[who] += 1.0  # it counts as getting on to come back


@allocation_free_kernel
def set_segment(flock, who, segment, clip, frame, x, y, heading, c, s):
    flock.clip[who, segment], flock.frame[who, segment] = clip, frame
    flock.pose[who, segment, 0], flock.pose[who, segment, 1], flock.pose[who, segment, 2] = x, y, heading
    flock.pose[who, segment, 3], flock.pose[who, segment, 4] = c, s


@allocation_free_kernel
def set_end(flock, who, frame, x, y, heading):
    flock.end_frame[who] = frame
    flock.end[who, 0], flock.end[who, 1], flock.end[who, 2] = x, y, heading
    flock.end[who, 3], flock.end[who, 4] = math.cos(heading), math.sin(heading)


@allocation_free_kernel
def set_box(clips, flock, who):
    """Put a box around a trajectory."""
    radius = clips.samples[clips.rest_sample[flock.kind[who]], 4]
    x0, y0 = flock.end[who, 0] - radius, flock.end[who, 1] - radius
    x1, y1 = flock.end[who, 0] + radius, flock.end[who, 1] + radius
    for segment in range(flock.count[who]):
        clip = flock.clip[who, segment]
        c, s = flock.pose[who, segment, 3], flock.pose[who, segment, 4]
        x = flock.pose[who, segment, 0] + c * clips.circle[clip, 0] - s * clips.circle[clip, 1]
        y = flock.pose[who, segment, 1] + s * clips.circle[clip, 0] + c * clips.circle[clip, 1]
        radius = clips.circle[clip, 2]
        x0, y0, x1, y1 = min(x0, x - radius), min(y0, y - radius), max(x1, x + radius), max(y1, y + radius)
    flock.box[who, 0], flock.box[who, 1], flock.box[who, 2], flock.box[who, 3] = x0, y0, x1, y1


@merged_kernel
def note_progress(setting, proposals, number):
    """Remember when someone last got nearer to its goal."""
    flock = setting.flock
    who = proposals.who[number]
    if flock.way_count[who] == 0:
        return
    at = min(flock.way_at[who], flock.way_count[who] - 1)
    x, y, _, _, _ = begin_of(flock, who)
    left = math.hypot(flock.way[who, at, 0] - x, flock.way[who, at, 1] - y) + flock.way[who, at, 2]
    if left < flock.best_way[who] - GAINED_M:
        flock.best_way[who], flock.best_frame[who] = left, setting.now
    elif setting.now - flock.best_frame[who] > REROUTE_FRAMES:
        if (setting.now + flock.number[who]) % REROUTE_FRAMES < RETRY_FRAMES:
            flock.way_wanted[who] = True  # the route may be none from where it has come to
    if setting.now - flock.way_frame[who] > SAME_POINT_FRAMES and is_near_lanes(setting.floor, x, y):
        flock.way_wanted[who] = True  # it may go around and around a way-point that it may not stop at
    if setting.now - flock.way_frame[who] > JAM_FRAMES:
        if crosses_jam(setting.floor, x, y, x, y, flock.way[who, at, 0], flock.way[who, at, 1]):
            flock.way_wanted[who] = True


@merged_kernel
def ask_to_make_way(setting, proposals, number):
    """Ask who stands in the way of someone that has got nowhere for a while."""
    flock, clips, fans = setting.flock, setting.clips, setting.fans
    who, other = proposals.who[number], proposals.blocker[number]
    if other == NOBODY or flock.way_count[who] == 0:
        return
    x, y, _, _, _ = begin_of(flock, who)
    if setting.now - idle_since(setting.floor, flock.best_frame[who], flock.anchor_frame[who], x, y) < ASKING_FRAMES:
        return
    if proposals.count[number] > 0 and proposals.aim[number] == ONWARD:
        return
    if flock.count[other] > 1 or not fans.is_rest[clips.state[flock.clip[other, 0]]]:
        return
    at = min(flock.way_at[who], flock.way_count[who] - 1)
    dx, dy = flock.way[who, at, 0] - x, flock.way[who, at, 1] - y
    away = math.hypot(dx, dy)
    if away < 0.01:
        return
    flock.asked_frame[other] = setting.now
    flock.asked_from[other, 0], flock.asked_from[other, 1] = x, y
    flock.asked_from[other, 2], flock.asked_from[other, 3] = dx / away, dy / away
    flock.ready[other] = min(flock.ready[other], setting.now + 1)


@allocation_free_kernel
def advance(clips, fans, flock, count, now, seed, started, arrived):
    """Let everyone whose clip is over begin the next, or stand on.

    started, arrived (N,): filled with who began a clip and who came to a goal; returns how many of each.
    """
    starts, arrivals = np.int64(0), np.int64(0)
    for who in range(count):
        if not flock.taken[who]:
            continue
        if flock.count[who] > 1:
            if flock.frame[who, 1] > now:
                continue
        elif flock.end_frame[who] > now:
            continue
        flock.before[who] = flock.clip[who, 0]
        if flock.count[who] > 1:
            for segment in range(1, flock.count[who]):
                set_segment(
                    flock, who, np.int64(segment - 1), flock.clip[who, segment], flock.frame[who, segment],
                    flock.pose[who, segment, 0], flock.pose[who, segment, 1], flock.pose[who, segment, 2],
                    flock.pose[who, segment, 3], flock.pose[who, segment, 4],
                )  # fmt: skip
            flock.count[who] -= 1
        else:
            stand_on(clips, flock, who, now, seed)
        set_box(clips, flock, who)
        flock.ready[who] = now
        started[starts] = who
        starts += 1
        x, y = flock.pose[who, 0, 0], flock.pose[who, 0, 1]
        if math.hypot(x - flock.anchor[who, 0], y - flock.anchor[who, 1]) > MOVED_M:
            flock.anchor[who, 0], flock.anchor[who, 1], flock.anchor_frame[who] = x, y, now
        if flock.condition[who] == ON_THE_WAY:
            if has_arrived(clips, fans, flock, who):
                arrived[arrivals] = who
                arrivals += 1
    return starts, arrivals


@allocation_free_kernel
def has_arrived(clips, fans, flock, who):
    """Tell whether someone rests at its goal or, where it need not stop, passes it with the clip that now begins.

    Nothing can keep it from that any more, so it may already turn to where it goes next.
    """
    x, y = flock.pose[who, 0, 0], flock.pose[who, 0, 1]
    gx, gy = flock.goal[who, 0], flock.goal[who, 1]
    if flock.stops[who]:
        rests = fans.is_rest[clips.state[flock.before[who]]] and flock.count[who] == 1
        stays = math.hypot(flock.end[who, 0] - x, flock.end[who, 1] - y) < STAYING_M
        return rests and stays and math.hypot(x - gx, y - gy) <= flock.tolerance[who]
    to_x, to_y, _, _, _ = begin_of(flock, who)
    dx, dy = to_x - x, to_y - y
    length = dx * dx + dy * dy
    share = 0.0
    if length > 0.0:
        share = min(max(((gx - x) * dx + (gy - y) * dy) / length, 0.0), 1.0)
    return math.hypot(x + share * dx - gx, y + share * dy - gy) <= max(flock.tolerance[who], PASSING_M)


@allocation_free_kernel
def stand_on(clips, flock, who, now, seed):
    """Begin another clip of standing at the end of the trajectory."""
    kind = flock.kind[who]
    first, last = clips.first_stand[kind], clips.first_stand[kind + 1]
    clip = np.int64(clips.stand[first])  # the shortest, so that who waits can leave soon
    if flock.condition[who] == ARRIVED:
        word = scramble(np.int64(seed + 6151 * flock.number[who] + 17 * now))
        clip = np.int64(clips.stand[first + word % (last - first)])
    x, y, heading = flock.end[who, 0], flock.end[who, 1], flock.end[who, 2]
    set_segment(flock, who, np.int64(0), clip, now, x, y, heading, flock.end[who, 3], flock.end[who, 4])
    flock.end_frame[who] = now + clips.duration[clip]


@allocation_free_kernel
def list_ready(flock, count, now, listed):
    """List who may plan now and has not yet begun to stand for want of a plan; return how many there are."""
    total = np.int64(0)
    for who in range(count):
        if flock.taken[who] and flock.ready[who] <= now:
            if flock.condition[who] != ARRIVED or flock.asked_frame[who] > 0 or flock.escapes[who] != 0:
                listed[total] = who
                total += 1
    return total
