"""What a character would play next: best first over the fan of what it may, two clips and a stop.

A proposal is made from the state of one instant and writes nothing that another one reads.  Its first clip begins when
the one being played ends; its last brings the character to rest, where nobody comes by, ever.  Proposals are scored
in seconds: those until the clips end, and those of the way left at full speed, of turning towards it and of getting up
to speed.  Waiting counts more the longer it has lasted.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.character.action_table import ActionTable
from gambol.character.kernels.clip_choice import scramble
from gambol.crowd.arrays import ARRIVED, LOST, NO_DOOR, NOBODY, ON_THE_WAY, Cells, Flock, Gates
from gambol.crowd.floor import Floor
from gambol.crowd.kernels.floor import BLOCK
from gambol.crowd.kernels.lanes_obeyed import cell_at, clip_obeys_lanes, gate_at, may_rest_here, rests_well_in_lane
from gambol.crowd.kernels.reservations import gather, who_is_near_clip, who_meets_clip, who_meets_rest
from gambol.crowd.kernels.sight import is_good_way, room_at, visible
from gambol.crowd.kinds import Clips, Fans
from gambol.jit import allocation_free_kernel, inlined_kernel, merged_kernel, threaded_kernel
from gambol.plan.kernels.collision import clip_is_free, clip_is_free_in_traffic, instant_is_free
from gambol.plan.kernels.traffic import body_stays_free
from gambol.plan.traffic_table import TrafficTable
from gambol.world.kernels.lookup import clearance
from gambol.world.table import WorldTable

TURNING_S = 2.8  # that turning around takes
WAITING = 2.0  # a second of waiting counts for so many,
IMPATIENCE_S = 0.15  # and for so many more by second that one has waited,
MOST_IMPATIENT_S = 20.0  # up to here
CREEPING_S = 1.5  # stepping up to others, where there are no lanes before which one queues
ONE_CLIP_S = 0.25  # a proposal of one clip counts for so much more than one of two
LONGER = 0.001  # seconds for each frame: of equals, the one that goes farther is taken
ORBIT_S = 3.0  # being where no turn at this gait leads to the goal
PASSED_M = 1.0  # at which distance a goal is passed where one does not stop
OVERSHOOT_S = 1.0  # coming near a goal without stopping there
NEAR_GOAL_M = 7.0  # from here on one looks for ways to stop at the goal
NEAR_CORNER_M = 6.0  # from here on one looks around a corner of the route
LOOK_AHEAD_M = 25.0  # way-points that are farther off are not looked for before one comes near the one before
REACHED_M = 0.5
POLITE_FRAMES = 600  # after which one also stops where one stands in others' way
QUEUEING_S = 40.0  # after which one does not wait for one's turn any longer
MOST_TESTS = np.int64(60)  # clips and stops that are looked at
MOST_TESTS_STUCK = np.int64(400)  # by who gets nowhere, or is before a gate: few ways lead through
PATIENCE_FRAMES = 45  # of getting nowhere after which one tries elsewhere
DESPERATE_FRAMES = 240  # after which one also turns where one cannot leave, and crosses lanes
QUEUEING_FRAMES = 450  # for which one stands in a queue before one minds
CROWDING_S = 0.2  # seconds that each who stands ahead counts for
IN_LANE_FRAMES = 1200  # for so long who queues in a lane makes way for nobody: all want the same there
ASKED_FRAMES = 60  # for so long one tries to make way
ASIDE_M = 0.9  # metres from the line of who asked to make way
ELSEWHERE_M = 0.3  # who goes elsewhere goes at least so far
CHANCE_S = 2.0  # seconds by which chance decides where
ONLY_TURNING_S = 2.0  # so that who goes elsewhere rather goes than turns
ONWARD_SHARE = 0.5  # of the way gained counts then
STILL_M = 0.1
SPACE_M = 1.4  # that those who queue keep from each other
LEAST_ROOM_M = 0.05
AT_HAND_M = 4.0  # so near to its goal one need not obey lanes any more
GAIN_S = 0.05  # what brings less is no progress
FREE, BLOCKED = 1, 2
ONWARD, ELSEWHERE = range(2)  # what one aims at: to get on along the route, or away from here


class Setting(NamedTuple):
    """All that a proposal reads."""

    world: WorldTable
    traffic: TrafficTable
    has_traffic: bool
    traffic_frame: int  # at which the traffic's own frame 0 is
    floor: Floor
    gates: Gates
    actions: ActionTable
    clips: Clips
    fans: Fans
    flock: Flock
    cells: Cells
    now: int
    seed: int
    radius: np.ndarray  # (K,) metres that a kind needs to see a way-point
    turning: np.ndarray  # (K,) metres that a kind needs to turn around
    soft: bool  # whether one meets others only at the ends and middles of clips, as discs [L09 4.7.1]


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
    x0, y0, x1, y1 = fan_box(fans, state, x, y, c, s)
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
                count = score_route(setting, who, state, x, y, c, s, tx, ty, at, waited_s, scratch)
        elif asked or impatient or not fans.is_rest[state]:
            # It gets nowhere by its own way: make way for others, or try elsewhere.
            stuck = idle > 4 * PATIENCE_FRAMES
            if stuck or gate_at(setting.floor, x, y) < 0:  # who is before a gate has to get through it
                count = score_elsewhere(setting, who, state, x, y, c, s, tx, ty, asked, scratch)
        if count > 0:
            strays = aim == ELSEWHERE
            found = search(setting, who, state, x, y, c, s, begins, near, count, strays, scratch, proposals, number)
            if aim == ONWARD:
                blocker = proposals.blocker[number]
            if found >= 0:
                if aim == ELSEWHERE or flock.escapes[who] != 0 or gains(setting, who, found, tx, ty, x, y, c, s):
                    proposals.aim[number] = aim
                    break
                proposals.count[number] = 0
    if blocker != NOBODY:
        proposals.blocker[number] = blocker


@allocation_free_kernel
def is_near_lanes(floor, x, y):
    """Tell whether lanes are a few metres away: there one queues."""
    row, column = math.floor((y - floor.y0) / floor.cell_m), math.floor((x - floor.x0) / floor.cell_m)
    rows, columns = floor.room.shape
    return 0 <= row < rows and 0 <= column < columns and floor.lanes[row // BLOCK, column // BLOCK]


@allocation_free_kernel
def is_in_lane(floor, x, y):
    """Tell whether a place is in a one-way lane."""
    row, column = cell_at(floor, x, y)
    return row >= 0 and floor.way[row, column] >= 0


@allocation_free_kernel
def idle_since(floor, best_frame, anchor_frame, x, y):
    """Return the frame since which someone gets no nearer to its goal, or nowhere else; a while of queueing apart."""
    return min(best_frame, anchor_frame + (QUEUEING_FRAMES if is_near_lanes(floor, x, y) else 0))


@merged_kernel
def fan_box(fans, state, x, y, c, s):
    """Return a box around all that may be played from a pose."""
    x0, y0, x1, y1 = fans.box[state, 0], fans.box[state, 1], fans.box[state, 2], fans.box[state, 3]
    middle_x, middle_y = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    half_x, half_y = 0.5 * (x1 - x0), 0.5 * (y1 - y0)
    at_x, at_y = x + c * middle_x - s * middle_y, y + s * middle_x + c * middle_y
    wide, deep = abs(c) * half_x + abs(s) * half_y, abs(s) * half_x + abs(c) * half_y
    return at_x - wide, at_y - deep, at_x + wide, at_y + deep


@merged_kernel
def gains(setting, who, node, tx, ty, x, y, c, s):
    """Tell whether a node of the fan is nearer to a target than where one is, or faces it better, or is at it."""
    flock, fans = setting.flock, setting.fans
    px, py = x + c * fans.pose[node, 0] - s * fans.pose[node, 1], y + s * fans.pose[node, 0] + c * fans.pose[node, 1]
    pc, ps = c * fans.pose[node, 2] - s * fans.pose[node, 3], s * fans.pose[node, 2] + c * fans.pose[node, 3]
    before, after = math.hypot(tx - x, ty - y), math.hypot(tx - px, ty - py)
    if flock.way_at[who] == flock.way_count[who] - 1 and flock.way_ends[who] and after <= flock.tolerance[who]:
        return True
    facing_before = (c * (tx - x) + s * (ty - y)) / max(before, 0.05)
    facing_after = (pc * (tx - px) + ps * (ty - py)) / max(after, 0.05)
    speed = setting.clips.speed[flock.kind[who]]
    return (before - after) / speed + 0.5 * TURNING_S * (facing_after - facing_before) > GAIN_S


@merged_kernel
def target_on_route(setting, who, x, y):
    """Return the farthest way-point that is seen from a place; ask for a new route where none is."""
    flock, floor = setting.flock, setting.floor
    # Parts of a body fit where a circle around it does not: who stands at a wall sees along it.
    radius = min(setting.radius[flock.kind[who]], max(room_at(floor, x, y) - 0.02, LEAST_ROOM_M))
    count = flock.way_count[who]
    at = min(flock.way_at[who], count - 1)
    if flock.way_ends[who] and is_at_hand(floor, radius, x, y, flock.goal[who, 0], flock.goal[who, 1]):
        flock.way_at[who] = count - 1
        return count - 1
    if not visible(floor, radius, x, y, flock.way[who, at, 0], flock.way[who, at, 1]):
        seen = at - 1
        while seen >= 0 and not visible(floor, radius, x, y, flock.way[who, seen, 0], flock.way[who, seen, 1]):
            seen -= 1
        if seen < 0:
            flock.way_wanted[who] = True
            return at
        at = seen
    while at + 1 < count:
        if abs(flock.way[who, at, 0] - x) + abs(flock.way[who, at, 1] - y) < REACHED_M:
            at += 1  # it is there: what comes next must do, in sight or not
            continue
        next_x, next_y = flock.way[who, at + 1, 0], flock.way[who, at + 1, 1]
        is_far = abs(flock.way[who, at, 0] - x) + abs(flock.way[who, at, 1] - y) > NEAR_CORNER_M
        if is_far and abs(next_x - x) + abs(next_y - y) > LOOK_AHEAD_M:
            break
        if not is_good_way(floor, x, y, radius, x, y, next_x, next_y):
            break
        at += 1
    if at == count - 1 and not flock.way_ends[who]:
        flock.way_wanted[who] = True  # the route goes on
    if at != flock.way_at[who]:
        flock.way_at[who], flock.way_frame[who] = at, setting.now
    return at


@allocation_free_kernel
def is_at_hand(floor, radius, x, y, to_x, to_y):
    """Tell whether a goal is a few metres away and in sight, lanes or no lanes."""
    dx, dy = to_x - x, to_y - y
    away = math.sqrt(dx * dx + dy * dy)
    if away > AT_HAND_M:
        return False
    steps = np.int64(away / floor.cell_m) + 1
    for step in range(steps + 1):
        if room_at(floor, x + dx * step / steps, y + dy * step / steps) < radius:
            return False
    return True


@merged_kernel
def add_candidate(scratch, count, score, node, stop):
    scratch.score[count], scratch.node[count], scratch.stop[count] = score, node, stop
    return count + 1


@merged_kernel
def score_route(setting, who, state, x, y, c, s, tx, ty, at, waited_s, scratch):
    """Score all that may be played by the way left from a target on; return how many candidates there are.

    at: the number of the way-point that is the target.
    """
    flock, clips, fans, floor = setting.flock, setting.clips, setting.fans, setting.floor
    kind = flock.kind[who]
    speed = clips.speed[kind]
    rest = flock.way[who, at, 2]
    is_last = at == flock.way_count[who] - 1
    is_goal = is_last and flock.way_ends[who] and flock.stops[who]
    from_x, from_y = tx - x, ty - y
    off = math.sqrt(from_x * from_x + from_y * from_y)
    near_goal = is_goal and off < NEAR_GOAL_M
    corner = not is_last and off < NEAR_CORNER_M
    radius = min(setting.radius[kind], max(room_at(floor, x, y) - 0.02, LEAST_ROOM_M))
    next_x, next_y, next_rest = 0.0, 0.0, 0.0
    if corner:
        next_x, next_y, next_rest = flock.way[who, at + 1, 0], flock.way[who, at + 1, 1], flock.way[who, at + 1, 2]
    impatience = WAITING + IMPATIENCE_S * min(waited_s, MOST_IMPATIENT_S)
    word = scramble(np.int64(setting.seed + 8191 * who + 131 * setting.now))
    tolerance = flock.tolerance[who]
    queues = is_near_lanes(floor, x, y)
    keeps = flock.keeps_m[who] > 0.0 and waited_s < QUEUEING_S and not is_in_lane(floor, x, y)
    count = np.int64(0)
    for node in range(fans.first[state], fans.first[state + 1]):
        after = np.int64(fans.state[node])
        rests = fans.is_rest[after]
        first, last = fans.first_stop[after], fans.first_stop[after + 1]
        if not rests and first == last:
            continue  # it cannot end here
        if rests and abs(fans.pose[node, 0]) + abs(fans.pose[node, 1]) < STILL_M and fans.loss_s[node] > 0.0:
            continue  # to turn on the spot is worth it if one can leave then, and that is a candidate too
        px = x + c * fans.pose[node, 0] - s * fans.pose[node, 1]
        py = y + s * fans.pose[node, 0] + c * fans.pose[node, 1]
        pc = c * fans.pose[node, 2] - s * fans.pose[node, 3]
        ps = s * fans.pose[node, 2] + c * fans.pose[node, 3]
        if keeps and jumps_queue(flock, clips, fans, who, after, x, y, px, py, pc, ps):
            continue
        spent = fans.loss_s[node] + fans.waiting_s[node] * impatience
        if near_goal:
            if rests:
                if (px - tx) * (px - tx) + (py - ty) * (py - ty) <= tolerance * tolerance:
                    count = add_candidate(scratch, count, spent, node, np.int64(-1))
                    continue
            else:
                arrives = False
                for entry in range(first, last):
                    stop = np.int64(fans.stop[entry])
                    ex = px + pc * clips.displacement[stop, 0] - ps * clips.displacement[stop, 1]
                    ey = py + ps * clips.displacement[stop, 0] + pc * clips.displacement[stop, 1]
                    if (ex - tx) * (ex - tx) + (ey - ty) * (ey - ty) <= tolerance * tolerance:
                        score = spent + clips.duration[stop] / 30.0
                        count = add_candidate(scratch, count, score, node, stop)
                        arrives = True
                if arrives:
                    continue
        to_x, to_y, left = tx, ty, rest
        if corner and visible(floor, radius, px, py, next_x, next_y):
            to_x, to_y, left = next_x, next_y, next_rest
        dx, dy = to_x - px, to_y - py
        d = math.sqrt(dx * dx + dy * dy)
        facing = (pc * dx + ps * dy) / d if d > 0.05 else 1.0
        score = spent + (d + left) / speed + 0.5 * TURNING_S * (1.0 - facing) + fans.settling_s[after]
        if is_last and not rests:
            turning = fans.turning_m[after]
            aside = abs(pc * dy - ps * dx) - turning
            within = turning - max(tolerance, PASSED_M if not is_goal else 0.0)
            if within > 0.0 and (facing * d) * (facing * d) + aside * aside < within * within:
                score += ORBIT_S  # it could only go around its goal
        if near_goal:
            score += OVERSHOOT_S
        else:
            score += CROWDING_S * standers_ahead(setting.cells, px, py, pc, ps, d)
        if rests:
            if not queues:
                score += CREEPING_S
        elif fans.parent[node] < 0:
            score += ONE_CLIP_S
        score += 0.001 * ((word ^ (node * 2654435761)) & 15) - LONGER * fans.frames[node]
        stop = np.int64(-1) if rests else np.int64(fans.stop[first])
        count = add_candidate(scratch, count, score, node, stop)
    return count


@allocation_free_kernel
def jumps_queue(flock, clips, fans, who, state, x, y, px, py, pc, ps):
    """Tell whether who stops in a state reached at a pose would be nearer to its door than it may be."""
    ex, ey = px, py
    if not fans.is_rest[state]:
        stop = fans.stop[fans.first_stop[state]]
        ex += pc * clips.displacement[stop, 0] - ps * clips.displacement[stop, 1]
        ey += ps * clips.displacement[stop, 0] + pc * clips.displacement[stop, 1]
    return comes_nearer(flock, who, x, y, ex, ey)


@allocation_free_kernel
def crowds_others(flock, who, x, y, to_x, to_y, near, others):
    """Tell whether who stops at a place would be too near to someone that stands, and nearer than it is now."""
    for i in range(near):
        other = others[i]
        dx, dy = to_x - flock.end[other, 0], to_y - flock.end[other, 1]
        after = dx * dx + dy * dy
        if after < SPACE_M * SPACE_M:
            dx, dy = x - flock.end[other, 0], y - flock.end[other, 1]
            if after < dx * dx + dy * dy:
                return True
    return False


@allocation_free_kernel
def comes_nearer(flock, who, x, y, to_x, to_y):
    """Tell whether someone would come nearer to its door than it may be."""
    after = math.hypot(to_x - flock.keeps_from[who, 0], to_y - flock.keeps_from[who, 1])
    if after >= flock.keeps_m[who]:
        return False
    return after < math.hypot(x - flock.keeps_from[who, 0], y - flock.keeps_from[who, 1]) - STILL_M


@allocation_free_kernel
def standers_ahead(cells, x, y, c, s, as_far_as):
    """Return how many stand on the way straight ahead, those nearer counting more."""
    total, scale = 0.0, 1.0 / cells.cell_m
    for step in range(3):
        along = 2.0 + 3.0 * step
        if along > as_far_as:
            break
        column = np.int64((x + along * c - cells.x0) * scale)
        row = np.int64((y + along * s - cells.y0) * scale)
        if 0 <= row < cells.rows and 0 <= column < cells.columns:
            total += (1.0 - 0.3 * step) * cells.still[row * cells.columns + column]
    return total


@merged_kernel
def score_elsewhere(setting, who, state, x, y, c, s, tx, ty, asked, scratch):
    """Score all that gets away from here: aside from who asked to make way, else by chance, rather onward than back.

    What only turns on the spot is no candidate: to turn is worth it if one can leave then, and that is one too.  Only
    who has been stuck for long, in a corner perhaps, turns all the same.
    """
    flock, clips, fans = setting.flock, setting.clips, setting.fans
    speed = clips.speed[flock.kind[who]]
    off = math.hypot(tx - x, ty - y)
    ask_x, ask_y = flock.asked_from[who, 0], flock.asked_from[who, 1]
    ask_dx, ask_dy = flock.asked_from[who, 2], flock.asked_from[who, 3]
    word = scramble(np.int64(setting.seed + 193 * who + 7919 * setting.now))
    idle = setting.now - idle_since(setting.floor, flock.best_frame[who], flock.anchor_frame[who], x, y)
    desperate = idle > DESPERATE_FRAMES
    count = np.int64(0)
    for node in range(fans.first[state], fans.first[state + 1]):
        after = np.int64(fans.state[node])
        rests = fans.is_rest[after]
        first, last = fans.first_stop[after], fans.first_stop[after + 1]
        if not rests and first == last:
            continue
        px = x + c * fans.pose[node, 0] - s * fans.pose[node, 1]
        py = y + s * fans.pose[node, 0] + c * fans.pose[node, 1]
        pc = c * fans.pose[node, 2] - s * fans.pose[node, 3]
        ps = s * fans.pose[node, 2] + c * fans.pose[node, 3]
        ex, ey, stop, seconds = px, py, np.int64(-1), fans.loss_s[node] + 2.0 * fans.waiting_s[node]
        if not rests:
            stop = np.int64(fans.stop[first])
            ex = px + pc * clips.displacement[stop, 0] - ps * clips.displacement[stop, 1]
            ey = py + ps * clips.displacement[stop, 0] + pc * clips.displacement[stop, 1]
            seconds += clips.duration[stop] / 30.0
        if flock.keeps_m[who] > 0.0 and not (asked or desperate) and comes_nearer(flock, who, x, y, ex, ey):
            continue
        turns = math.hypot(ex - x, ey - y) < ELSEWHERE_M
        if turns and not (desperate and fans.loss_s[node] > 0.0):
            continue
        if asked:
            lateral = abs(ask_dx * (ey - ask_y) - ask_dy * (ex - ask_x))
            score = seconds + 4.0 * max(0.0, ASIDE_M - lateral)
        else:
            chance = scramble(np.int64(word ^ (node * 40503))) % 1024 / 1024.0
            score = 0.5 * seconds + CHANCE_S * chance + ONWARD_SHARE * (math.hypot(tx - ex, ty - ey) - off) / speed
            score += CROWDING_S * standers_ahead(setting.cells, px, py, pc, ps, 9.0)
        if turns:
            score += ONLY_TURNING_S
        count = add_candidate(scratch, count, score, node, stop)
    return count


@allocation_free_kernel
def swap_candidates(scratch, one, other):
    scratch.score[one], scratch.score[other] = scratch.score[other], scratch.score[one]
    scratch.node[one], scratch.node[other] = scratch.node[other], scratch.node[one]
    scratch.stop[one], scratch.stop[other] = scratch.stop[other], scratch.stop[one]


@allocation_free_kernel
def sink_candidate(scratch, at, count):
    """Let a candidate sink in a heap of which the least score is on top; of equals the lower node is the better one."""
    while True:
        least = 2 * at + 1
        if least >= count:
            return
        if least + 1 < count and is_better(scratch, least + 1, least):
            least += 1
        if not is_better(scratch, least, at):
            return
        swap_candidates(scratch, at, least)
        at = least


@inlined_kernel
def is_better(scratch, one, other):
    if scratch.score[one] != scratch.score[other]:
        return scratch.score[one] < scratch.score[other]
    return scratch.node[one] < scratch.node[other]


@allocation_free_kernel
def sees_way(floor, flock, who, x, y):
    """Tell whether the way-point that someone makes for, or the next, is in sight of a place."""
    at = flock.way_at[who]
    if visible(floor, LEAST_ROOM_M, x, y, flock.way[who, at, 0], flock.way[who, at, 1]):
        return True
    return at + 1 < flock.way_count[who] and visible(
        floor, LEAST_ROOM_M, x, y, flock.way[who, at + 1, 0], flock.way[who, at + 1, 1]
    )


@merged_kernel
def search(
    setting, who, state, x, y, c, s, begins, near, count, strays, scratch, proposals, number
):  # fmt: skip
    """Take the best candidate whose clips meet nothing and nobody; return its node, or -1."""
    fans = setting.fans
    base = fans.first[state]
    for node in range(fans.first[state + 1] - base):
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


@merged_kernel
def link_is_free(setting, who, parent, node, ends, stop, x, y, c, s, begins, near, strays, scratch):
    """Test the clip that leads to a node of the fan or, where it `ends`, the stop after it and standing for ever."""
    fans, clips = setting.fans, setting.clips
    scratch.blocker[0] = NOBODY
    from_x, from_y = x, y
    at = node if ends else parent
    if at >= 0:
        px, py, pc, ps = fans.pose[at, 0], fans.pose[at, 1], fans.pose[at, 2], fans.pose[at, 3]
        x, y = x + c * px - s * py, y + s * px + c * py
        c, s = c * pc - s * ps, s * pc + c * ps
        begins = begins + np.int64(fans.frames[at])
    clip = stop if ends else np.int64(fans.clip[node])
    if clip >= 0:
        if not clip_is_clear(setting, who, clip, x, y, c, s, begins, near, ends, strays, scratch):
            return False
        dx, dy = clips.displacement[clip, 0], clips.displacement[clip, 1]
        pc, ps = clips.displacement[clip, 3], clips.displacement[clip, 4]
        x, y = x + c * dx - s * dy, y + s * dx + c * dy
        c, s = c * pc - s * ps, s * pc + c * ps
        begins = begins + clips.duration[clip]
    return not ends or may_rest(setting, who, from_x, from_y, x, y, c, s, begins, near, scratch)


@merged_kernel
def clip_is_clear(setting, who, clip, x, y, c, s, begins, near, ends, strays, scratch):
    """Tell whether a clip begun at a pose and a frame meets nothing and nobody, and obeys the lanes."""
    clips = setting.clips
    first = clips.first_sample[clip]
    heading = math.atan2(s, c)
    if not clip_is_free(
        setting.world, clips, clip, first, first + clips.duration[clip], x, y, heading, np.int64(-1), scratch.counts
    ):
        return False
    flock = setting.flock
    idle = setting.now - idle_since(setting.floor, flock.best_frame[who], flock.anchor_frame[who], x, y)
    desperate = strays and idle > DESPERATE_FRAMES
    off_x, off_y = flock.goal[who, 0] - x, flock.goal[who, 1] - y
    at_hand = off_x * off_x + off_y * off_y < AT_HAND_M * AT_HAND_M
    if not clip_obeys_lanes(
        setting.floor, setting.gates, clips, clip, x, y, c, s, not (desperate or at_hand), not strays
    ):
        return False
    if setting.has_traffic and not clip_is_free_in_traffic(
        setting.world, setting.traffic, setting.actions, clips, clip, x, y, heading,
        begins - setting.traffic_frame, scratch.counts,
    ):  # fmt: skip
        return False
    other = np.int64(NOBODY)
    if not setting.soft:
        other = who_meets_clip(clips, setting.flock, scratch.near, near, clip, x, y, c, s, begins)
    elif not ends:  # nothing is reserved for a stop
        kind = np.int64(setting.flock.kind[who])
        other = who_is_near_clip(clips, setting.flock, scratch.near, near, kind, clip, x, y, c, s, begins)
    scratch.blocker[0] = other
    return other == NOBODY


@merged_kernel
def may_rest(setting, who, from_x, from_y, x, y, c, s, begins, near, scratch):
    """Tell whether one may stand at a pose from a frame on for ever."""
    clips = setting.clips
    flock = setting.flock
    kind = np.int64(setting.flock.kind[who])
    heading = math.atan2(s, c)
    if not instant_is_free(setting.world, clips, clips.rest_sample[kind], x, y, heading, np.int64(-1)):
        return False
    off_x, off_y = setting.flock.goal[who, 0] - x, setting.flock.goal[who, 1] - y
    at_goal = off_x * off_x + off_y * off_y <= setting.flock.tolerance[who] * setting.flock.tolerance[who]
    is_polite = not at_goal and setting.now - flock.anchor_frame[who] < POLITE_FRAMES
    if not at_goal and not may_rest_here(setting.floor, setting.gates, x, y, c, s, is_polite):
        return False
    has_ticket = not at_goal and flock.door[who] != NO_DOOR
    if has_ticket and not rests_well_in_lane(setting.floor, x, y, c, s, is_polite):
        return False
    if clearance(setting.world, x, y) < min(setting.turning[kind], clearance(setting.world, from_x, from_y)):
        return False  # where it could not even turn around
    if setting.has_traffic:
        stand = np.int64(clips.stand[clips.first_stand[kind]])
        sample = clips.first_sample[stand]
        actions = setting.actions
        if not body_stays_free(
            setting.traffic, actions.part_offset, actions.part_radius, actions.part_low, actions.part_high,
            actions.outer_radius, sample, x, y, c, s, begins - setting.traffic_frame, 0.05, 0.0, 0.0,
        ):  # fmt: skip
            return False
    if setting.soft:
        return True
    if has_ticket and is_polite and not is_in_lane(setting.floor, x, y):
        if crowds_others(flock, who, from_x, from_y, x, y, near, scratch.near):
            return False
    other = who_meets_rest(clips, setting.flock, scratch.near, near, kind, x, y, c, s, begins)
    scratch.blocker[0] = other
    return other == NOBODY
