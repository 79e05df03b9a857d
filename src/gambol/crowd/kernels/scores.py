"""What a proposal is worth, in seconds: those until its clips end and those from there to the goal.

The latter are those of the way left at full speed, of turning towards it and of getting up to speed.  Waiting counts
more the longer it has lasted.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.characters.kernels.clip_choice import scramble
from gambol.crowd.kernels.candidates import add_candidate
from gambol.crowd.kernels.manners import (
    DESPERATE_FRAMES,
    QUEUEING_S,
    STILL_M,
    comes_nearer,
    idle_since,
    is_in_lane,
    is_near_lanes,
    jumps_queue,
)
from gambol.crowd.kernels.sight import room_at, visible
from gambol.crowd.kernels.targets import LEAST_ROOM_M, NEAR_CORNER_M
from gambol.kernels.jit import allocation_free_kernel, merged_kernel

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
CROWDING_S = 0.2  # seconds that each who stands ahead counts for
ASIDE_M = 0.9  # metres from the line of who asked to make way
ELSEWHERE_M = 0.3  # who goes elsewhere goes at least so far
CHANCE_S = 2.0  # seconds by which chance decides where
ONLY_TURNING_S = 2.0  # so that who goes elsewhere rather goes than turns
ONWARD_SHARE = 0.5  # of the way gained counts then
GAIN_S = 0.05  # what brings less is no progress


@merged_kernel
def score_route(setting, who, fan, x, y, c, s, tx, ty, at, waited_s, scratch):
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
    word = scramble(np.int64(setting.seed + 8191 * flock.number[who] + 131 * setting.now))
    tolerance = flock.tolerance[who]
    queues = is_near_lanes(floor, x, y)
    keeps = flock.keeps_m[who] > 0.0 and waited_s < QUEUEING_S and not is_in_lane(floor, x, y)
    count = np.int64(0)
    for node in range(fans.first[fan], fans.first[fan + 1]):
        after, following = np.int64(fans.state[node]), np.int64(fans.following[node])
        rests = fans.is_rest[after]
        first, last = fans.first_stop[following], fans.first_stop[following + 1]
        if not rests and first == last:
            continue  # it cannot end here
        if rests and abs(fans.pose[node, 0]) + abs(fans.pose[node, 1]) < STILL_M and fans.loss_s[node] > 0.0:
            continue  # to turn on the spot is worth it if one can leave then, and that is a candidate too
        px = x + c * fans.pose[node, 0] - s * fans.pose[node, 1]
        py = y + s * fans.pose[node, 0] + c * fans.pose[node, 1]
        pc = c * fans.pose[node, 2] - s * fans.pose[node, 3]
        ps = s * fans.pose[node, 2] + c * fans.pose[node, 3]
        if keeps and jumps_queue(flock, clips, fans, who, node, x, y, px, py, pc, ps):
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


@merged_kernel
def score_elsewhere(setting, who, fan, x, y, c, s, tx, ty, asked, scratch):
    """Score all that gets away from here: aside from who asked to make way, else by chance, rather onward than back.

    What only turns on the spot is no candidate: to turn is worth it if one can leave then, and that is one too.  Only
    who has been stuck for long, in a corner perhaps, turns all the same.
    """
    flock, clips, fans = setting.flock, setting.clips, setting.fans
    speed = clips.speed[flock.kind[who]]
    off = math.hypot(tx - x, ty - y)
    ask_x, ask_y = flock.asked_from[who, 0], flock.asked_from[who, 1]
    ask_dx, ask_dy = flock.asked_from[who, 2], flock.asked_from[who, 3]
    word = scramble(np.int64(setting.seed + 193 * flock.number[who] + 7919 * setting.now))
    idle = setting.now - idle_since(setting.floor, flock.best_frame[who], flock.anchor_frame[who], x, y)
    desperate = idle > DESPERATE_FRAMES
    count = np.int64(0)
    for node in range(fans.first[fan], fans.first[fan + 1]):
        after, following = np.int64(fans.state[node]), np.int64(fans.following[node])
        rests = fans.is_rest[after]
        first, last = fans.first_stop[following], fans.first_stop[following + 1]
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
