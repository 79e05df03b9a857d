"""One step of every kind from a state: what a look-up may begin with beside what its tree begins with."""

from __future__ import annotations

import math

import numpy as np

from gambol.characters.kernels.clip_choice import choose_clip
from gambol.kernels.jit import allocation_free_kernel
from gambol.search.kernels.search import ground_cost, may_be_played, state_word


@allocation_free_kernel
def fan_out(
    world, traffic, query, actions, moves, behaviors, x, y, heading, frame, clips, poses, frames, costs, counts
):  # fmt: skip
    """Play each of some behaviors from a pose and a frame; return how many may be, listed first.

    Filled are their clips, the poses (N, 3) and frames after them, and what they cost in whole units, the transition
    apart; counts[0] grows by the instants looked up.  Clips are chosen as the forward search does.
    """
    word = state_word(x, y, heading, frame if query.has_traffic else 0)
    cosine, sine = math.cos(heading), math.sin(heading)
    found = 0
    for behavior in behaviors:
        clip = np.int64(actions.behavior_clips[behavior])
        choice = actions.behavior_clips[behavior + 1] - clip
        if choice > 1:
            clip += choose_clip(query.seed, word, np.int64(behavior), choice)
        same = np.int64(moves.same[clip])
        ended = frame + actions.duration[same]
        if query.has_traffic and ended > query.horizon:
            continue
        if not may_be_played(
            world, traffic, query, actions, moves, np.int64(behavior), same, x, y, heading, frame, counts
        ):
            continue
        ahead, aside = actions.displacement[same, 0], actions.displacement[same, 1]
        poses[found, 0] = x + cosine * ahead - sine * aside
        poses[found, 1] = y + sine * ahead + cosine * aside
        poses[found, 2] = heading + actions.displacement[same, 2]
        clips[found], frames[found], costs[found] = clip, ended, moves.cost[behavior]
        if world.ground.has_terrain:
            costs[found] += ground_cost(world, query, actions, same, x, y, heading)
        found += 1
    return found
