"""What a character would play next: best first over the fan of what it may, two clips and a stop.

A proposal is made from the state of one instant and writes nothing that another one reads.  Its first clip begins when
the one being played ends; its last brings the character to rest, where nobody comes by, ever.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.characters.kernels.clip_choice import choose_clip
from gambol.crowd.arrays import ARRIVED, LOST, NOBODY, ON_THE_WAY
from gambol.crowd.kernels.candidates import sink_candidate, swap_candidates
from gambol.crowd.kernels.lanes_obeyed import gate_at
from gambol.crowd.kernels.links import link_is_free
from gambol.crowd.kernels.manners import IN_LANE_FRAMES, idle_since, is_in_lane, is_near_lanes
from gambol.crowd.kernels.reservations import gather
from gambol.crowd.kernels.scores import gains, score_elsewhere, score_route
from gambol.crowd.kernels.targets import sees_way, target_on_route
from gambol.kernels.jit import merged_kernel, threaded_kernel

MOST_TESTS = np.int64(60)  # clips and stops that are looked at
MOST_TESTS_STUCK = np.int64(400)  # by who gets nowhere, or is before a gate: few ways lead through
PATIENCE_FRAMES = 45  # of getting nowhere after which one tries elsewhere
ASKED_FRAMES = 60  # for so long one tries to make way
FREE, BLOCKED = 1, 2
ONWARD, ELSEWHERE = range(2)  # what one aims at: to get on along the route, or away from here


@threaded_kernel
def propose_many(setting, proposals, begin, end, scratch):
    """Fill in the proposals from one number to another."""
    for number in range(begin, end):
        propose(setting, proposals, number, scratch)


@merged_kernel
def propose(setting, proposals, number, scratch):
    """Fill in one proposal."""
    flock, clips, fans = setting.flock, setting.clips, setting.fans
    who = proposals.who[number]
    playing = np.int64(flock.clip[who, 0])
    begins = flock.frame[who, 0] + clips.duration[playing]
    proposals.count[number], proposals.begins[number] = 0, begins
    proposals.blocker[number], proposals.tests[number] = NOBODY, 0
    proposals.aim[number] = ONWARD
    last = flock.count[who] > 1
    x = flock.pose[who, 1, 0] if last else flock.end[who, 0]
    y = flock.pose[who, 1, 1] if last else flock.end[who, 1]
    c = flock.pose[who, 1, 3] if last else flock.end[who, 3]
    s = flock.pose[who, 1, 4] if last else flock.end[who, 4]
    state = np.int64(clips.state[playing])
    asked = setting.now - flock.asked_frame[who] < ASKED_FRAMES and flock.asked_frame[who] > 0
    if asked and flock.condition[who] == ON_THE_WAY and is_in_lane(setting.floor, x, y):
        asked = setting.now - flock.anchor_frame[who] > IN_LANE_FRAMES
    yields = setting.now < flock.yields_until[who] and flock.condition[who] == ARRIVED
    away = math.hypot(flock.goal[who, 0] - x, flock.goal[who, 1] - y)
    if flock.condition[who] == LOST and not asked:
        return
    there = away <= flock.tolerance[who] and flock.stops[who] and fans.is_rest[state]
    settled = there or (flock.condition[who] == ARRIVED and away <= flock.tolerance[who])
    if (settled or flock.holds[who]) and not asked:
        return
    tx, ty = 0.0, 0.0
    fan = fan_of(setting, who, state, begins)
    x0, y0, x1, y1 = fan_box(fans, fan, x, y, c, s)
    near = gather(setting.cells, flock, who, x0, y0, x1, y1, scratch.near)
    waited_s = max(0.0, (setting.now - flock.anchor_frame[who]) / 30.0)
    idle = setting.now - idle_since(setting.floor, flock.best_frame[who], flock.anchor_frame[who], x, y)
    blocker = np.int64(NOBODY)  # who is in the way of where it really wants to go
    impatient = idle > PATIENCE_FRAMES and flock.condition[who] != ARRIVED
    for aim in range(ONWARD, ELSEWHERE + 1):
        count = np.int64(0)
        if aim == ONWARD:
            if flock.condition[who] != LOST and flock.way_count[who] > 0 and not (settled or yields):
                at = target_on_route(setting, who, x, y)
                tx, ty = flock.way[who, at, 0], flock.way[who, at, 1]
                count = score_route(setting, who, fan, x, y, c, s, tx, ty, at, waited_s, scratch)
        elif asked or impatient or not fans.is_rest[state]:
            # It gets nowhere by its own way: make way for others, or try elsewhere.
            stuck = idle > 4 * PATIENCE_FRAMES
            if stuck or gate_at(setting.floor, x, y) < 0:  # who is before a gate has to get through it
                count = score_elsewhere(setting, who, fan, x, y, c, s, tx, ty, asked, scratch)
        if count > 0:
            strays = aim == ELSEWHERE
            found = search(setting, who, fan, x, y, c, s, begins, near, count, strays, scratch, proposals, number)
            if aim == ONWARD:
                blocker = proposals.blocker[number]
            if found >= 0:
                if aim == ELSEWHERE or flock.escapes[who] != 0 or gains(setting, who, found, tx, ty, x, y, c, s):
                    proposals.aim[number] = aim
                    break
                proposals.count[number] = 0
    if blocker != NOBODY:
        proposals.blocker[number] = blocker


@merged_kernel
def fan_of(setting, who, state, begins):
    """Return the fan of a state that someone looks at for a clip that begins at a frame: a draw of clips."""
    first = setting.fans.first_fan[state]
    count = setting.fans.first_fan[state + 1] - first
    if count > 1:
        first += choose_clip(np.int64(setting.seed), np.int64(begins), setting.flock.number[who], count)
    return first


@merged_kernel
def fan_box(fans, fan, x, y, c, s):
    """Return a box around all that may be played from a pose."""
    x0, y0, x1, y1 = fans.box[fan, 0], fans.box[fan, 1], fans.box[fan, 2], fans.box[fan, 3]
    middle_x, middle_y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    half_x, half_y = 0.5 * (x1 - x0), 0.5 * (y1 - y0)
    at_x, at_y = x + c * middle_x - s * middle_y, y + s * middle_x + c * middle_y
    wide, deep = abs(c) * half_x + abs(s) * half_y, abs(s) * half_x + abs(c) * half_y
    return at_x - wide, at_y - deep, at_x + wide, at_y + deep


@merged_kernel
def search(
    setting, who, fan, x, y, c, s, begins, near, count, strays, scratch, proposals, number
):  # fmt: skip
    """Take the best candidate whose clips meet nothing and nobody; return its node, or -1."""
    fans = setting.fans
    base = fans.first[fan]
    for node in range(fans.first[fan + 1] - base):
        scratch.known[node] = 0
    tests = np.int64(0)
    proposals.count[number] = 0
    proposals.blocker[number] = NOBODY
    left = count
    for top in range(count // 2 - 1, -1, -1):
        sink_candidate(scratch, np.int64(top), count)
    flock = setting.flock
    idle = setting.now - idle_since(setting.floor, flock.best_frame[who], flock.anchor_frame[who], x, y)
    stuck = idle > 2 * PATIENCE_FRAMES
    sees = not strays and flock.way_count[who] > 0 and not is_near_lanes(setting.floor, x, y)
    sees = sees and sees_way(setting.floor, flock, who, x, y)
    most = MOST_TESTS_STUCK if stuck or gate_at(setting.floor, x, y) >= 0 else MOST_TESTS
    while tests < most:
        if left == 0:
            break
        left -= 1
        swap_candidates(scratch, np.int64(0), left)  # the best is at the top of a heap
        sink_candidate(scratch, np.int64(0), left)
        node, stop = np.int64(scratch.node[left]), np.int64(scratch.stop[left])
        parent = np.int64(fans.parent[node])
        if sees:
            px = x + c * fans.pose[node, 0] - s * fans.pose[node, 1]
            py = y + s * fans.pose[node, 0] + c * fans.pose[node, 1]
            if not sees_way(setting.floor, flock, who, px, py):
                continue  # it would be behind something
        is_free = True
        for link in range(3):  # the first clip, the second, the stop
            before, at = (np.int64(-1), parent) if link == 0 else (parent, node)
            if at < 0 or not is_free:
                continue
            known = scratch.known[at - base] if link < 2 else np.int8(0)
            if known != 0:
                is_free = known == FREE
                continue
            tests += 1
            is_free = link_is_free(setting, who, before, at, link == 2, stop, x, y, c, s, begins, near, strays, scratch)
            if link < 2:
                scratch.known[at - base] = FREE if is_free else BLOCKED
            if not is_free and proposals.blocker[number] == NOBODY:
                proposals.blocker[number] = scratch.blocker[0]
        if not is_free:
            continue
        clips = np.int64(0)
        if parent >= 0:
            proposals.clip[number, clips] = fans.clip[parent]
            clips += 1
        proposals.clip[number, clips] = fans.clip[node]
        clips += 1
        if stop >= 0:
            proposals.clip[number, clips] = stop
            clips += 1
        proposals.count[number] = clips
        proposals.tests[number] += tests
        return node
    proposals.tests[number] += tests
    return np.int64(-1)
