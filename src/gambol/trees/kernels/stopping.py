"""Which of the nodes that a look-up gave up are those where its traces stopped."""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import threaded_kernel
from gambol.trees.kernels.look_up import edge_may_be_free


@threaded_kernel
def find_stopped(tables, scratch, sx, sy, sh, blocked, stopped):
    """Write for each of the nodes that a query stamped as blocked whether a trace stopped there, or passed.

    What lies before a node was looked at only if the glance at its own clip was well: where that fails the trace
    stopped, and where the parent is not blocked too.
    """
    tree, actions = tables.tree, tables.actions
    stamp = scratch.number[0]
    cosine, sine = math.cos(sh), math.sin(sh)
    for number in range(len(blocked)):
        node = np.int64(blocked[number])
        parent = np.int64(tree.parent[node])
        clip = np.int64(tree.clip_of[tree.clip[node]])
        if parent == 0 or clip < 0 or scratch.stamp[parent] != stamp:
            stopped[number] = True
            continue
        px, py = np.float64(tree.pose[node, 0]), np.float64(tree.pose[node, 1])
        x, y = sx + cosine * px - sine * py, sy + sine * px + cosine * py
        px, py = np.float64(tree.pose[parent, 0]), np.float64(tree.pose[parent, 1])
        stopped[number] = not edge_may_be_free(
            tables.world, tables.room, tables.query, actions, tables.moves, tree, node, clip,
            sx + cosine * px - sine * py, sy + sine * px + cosine * py, sh + np.float64(tree.pose[parent, 2]), x, y,
            scratch.counts,
        )  # fmt: skip
