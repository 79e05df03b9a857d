"""Where a node of a tree is: its parent's pose and the displacement of the clip that leads to it.

Poses are float32 by definition: a child's pose is computed in float64 from its parent's float32 pose and
then rounded.  Whoever grows a tree and whoever reads it get the same numbers, whatever the order.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel

TURN = 2.0 * math.pi


@inlined_kernel
def child_pose(x, y, heading, ahead, aside, turned):
    """Return the pose after a clip's displacement, as float64 numbers that float32 holds exactly."""
    x, y, heading = np.float64(x), np.float64(y), np.float64(heading)
    cosine, sine = math.cos(heading), math.sin(heading)
    facing = heading + turned
    facing -= TURN * math.floor(facing / TURN + 0.5)
    return (
        np.float64(np.float32(x + cosine * ahead - sine * aside)),
        np.float64(np.float32(y + sine * ahead + cosine * aside)),
        np.float64(np.float32(facing)),
    )


@allocation_free_kernel
def place_nodes(parent, clip, displacement, duration, clip_behavior, edge_cost, first_cost, pose, cost, frame):
    """Fill pose (N, 3), cost (N,) in whole units and frame (N,) of nodes that come after their parents; 0 is the root.

    edge_cost (B, B): of playing a behavior after another; first_cost (B,): of playing it first.
    """
    pose[0, 0], pose[0, 1], pose[0, 2] = 0.0, 0.0, 0.0
    cost[0], frame[0] = 0, 0
    for node in range(1, len(parent)):
        before, played = parent[node], clip[node]
        x, y, heading = child_pose(
            pose[before, 0], pose[before, 1], pose[before, 2],
            displacement[played, 0], displacement[played, 1], displacement[played, 2],
        )  # fmt: skip
        pose[node, 0], pose[node, 1], pose[node, 2] = x, y, heading
        behavior = clip_behavior[played]
        if before == 0:
            cost[node] = first_cost[behavior]
        else:
            cost[node] = cost[before] + edge_cost[clip_behavior[clip[before]], behavior]
        frame[node] = frame[before] + duration[played]
