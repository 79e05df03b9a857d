"""Whether a clip of a proposal, or its stop, meets nothing and nobody and breaks no rule."""

from __future__ import annotations

import math

import numpy as np

from gambol.crowd.arrays import NO_DOOR, NOBODY
from gambol.crowd.kernels.lanes_obeyed import clip_obeys_lanes, may_rest_here, rests_well_in_lane
from gambol.crowd.kernels.manners import DESPERATE_FRAMES, POLITE_FRAMES, crowds_others, idle_since, is_in_lane
from gambol.crowd.kernels.reservations import who_is_near_clip, who_meets_clip, who_meets_rest
from gambol.crowd.kernels.targets import AT_HAND_M
from gambol.kernels.jit import merged_kernel
from gambol.search.kernels.collision import clip_is_free, clip_is_free_in_traffic, instant_is_free
from gambol.search.kernels.traffic import body_stays_free
from gambol.world.kernels.lookup import clearance


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
