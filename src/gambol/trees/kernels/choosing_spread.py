"""Choose the path farthest from those chosen, by the mean separation at equal arc lengths."""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, kernel
from gambol.trees.kernels.choosing import add_path, missing_nodes

BLOCK = 1024  # paths whose separations are summed at a time: they stay in the nearest cache


@kernel
def resample_paths(parent, clip, pose, clip_samples, duration, path, arc, before_m, leaves, step_m, xs, ys):
    """Fill xs, ys (K, P): where each path is after step_m, 2 step_m and so on; past its end it stays there.

    before_m (N,): a path's length up to the clip that leads to a node; arc: within the clip, by sample.
    """
    chain = np.empty(len(parent), dtype=np.int64)
    for index in range(len(leaves)):
        depth, node = 0, leaves[index]
        while node > 0:
            chain[depth] = node
            depth += 1
            node = parent[node]
        point = 0
        for level in range(depth - 1, -1, -1):
            node = chain[level]
            before = parent[node]
            x, y = np.float64(pose[before, 0]), np.float64(pose[before, 1])
            cosine, sine = math.cos(np.float64(pose[before, 2])), math.sin(np.float64(pose[before, 2]))
            first = clip_samples[clip[node]]
            for sample in range(first + 1, first + duration[clip[node]] + 1):
                start, end = before_m[node] + arc[sample - 1], before_m[node] + arc[sample]
                while point < len(xs) and (point + 1) * step_m <= end:
                    share = ((point + 1) * step_m - start) / (end - start) if end > start else 1.0
                    along = path[sample - 1, 0] + share * (path[sample, 0] - path[sample - 1, 0])
                    across = path[sample - 1, 1] + share * (path[sample, 1] - path[sample - 1, 1])
                    xs[point, index] = x + cosine * along - sine * across
                    ys[point, index] = y + sine * along + cosine * across
                    point += 1
        while point < len(xs):
            xs[point, index], ys[point, index] = pose[leaves[index], 0], pose[leaves[index], 1]
            point += 1


@kernel
def choose_farthest(parent, leaves, xs, ys, first, deepest, budget, picked, radii):
    """Fill picked with the nodes chosen, in order, and return how many; budget: nodes but for the root.

    first: index of the path to begin with, -1: none fits.  radii: after each choice the largest distance of any
    path to the nearest one chosen, times the number of points.
    """
    is_in = np.zeros(len(parent), dtype=np.bool_)
    is_in[0] = True
    nearest = np.full(len(leaves), np.inf)
    count, best = 0, first
    apart = np.empty(BLOCK)
    while best >= 0:
        picked[count] = leaves[best]
        budget -= add_path(parent, is_in, leaves[best])
        for start in range(0, len(leaves), BLOCK):
            size = min(BLOCK, len(leaves) - start)
            apart[:size] = 0.0
            for point in range(len(xs)):
                add_separations(xs[point], ys[point], start, size, xs[point, best], ys[point, best], apart)
            for index in range(size):
                nearest[start + index] = min(nearest[start + index], apart[index])
        best, radius = -1, 0.0
        for index in range(len(leaves)):
            radius = max(radius, nearest[index])
            if (
                not is_in[leaves[index]]
                and (best < 0 or nearest[index] > nearest[best])
                and (deepest <= budget or missing_nodes(parent, is_in, leaves[index]) <= budget)
            ):
                best = index
        radii[count] = radius
        count += 1
    return count


@allocation_free_kernel
def add_separations(xs, ys, start, size, x, y, apart):
    for index in range(size):
        dx, dy = xs[start + index] - x, ys[start + index] - y
        apart[index] += math.sqrt(dx * dx + dy * dy)
