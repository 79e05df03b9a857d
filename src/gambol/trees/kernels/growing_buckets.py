"""Nodes by where they are, for the nearest one: square buckets of linked nodes, searched in rings."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel

NONE = -1


class Buckets(NamedTuple):
    """Nodes that may still have children, linked within square buckets."""

    x0: float
    y0: float
    size: float
    rows: int
    columns: int
    first: np.ndarray  # (rows * columns,) int32 a node in each bucket, or NONE
    after: np.ndarray  # (N,) int32 the next in its bucket, or NONE
    before: np.ndarray  # (N,) int32 the one before in its bucket, or NONE
    held: np.ndarray  # (1,) int64, how many there are


@allocation_free_kernel
def bucket_along(value, start, size, count):
    return min(max(math.floor((value - start) / size), 0), count - 1)


@allocation_free_kernel
def put_node(buckets, pose, node):
    """Put a node into its bucket."""
    bucket = bucket_along(pose[node, 1], buckets.y0, buckets.size, buckets.rows) * buckets.columns + bucket_along(
        pose[node, 0], buckets.x0, buckets.size, buckets.columns
    )
    following = buckets.first[bucket]
    buckets.after[node], buckets.before[node] = following, NONE
    if following != NONE:
        buckets.before[following] = node
    buckets.first[bucket] = node
    buckets.held[0] += 1


@allocation_free_kernel
def take_node(buckets, pose, node):
    """Take a node out of its bucket."""
    following, preceding = buckets.after[node], buckets.before[node]
    if following != NONE:
        buckets.before[following] = preceding
    if preceding != NONE:
        buckets.after[preceding] = following
    else:
        bucket = bucket_along(pose[node, 1], buckets.y0, buckets.size, buckets.rows) * buckets.columns + bucket_along(
            pose[node, 0], buckets.x0, buckets.size, buckets.columns
        )
        buckets.first[bucket] = following
    buckets.held[0] -= 1


@allocation_free_kernel
def nearest_node(buckets, pose, x, y):
    """Return the node nearest to a place, of equally near ones the first to have grown; NONE if there is none left."""
    row = bucket_along(y, buckets.y0, buckets.size, buckets.rows)
    column = bucket_along(x, buckets.x0, buckets.size, buckets.columns)
    best, least = np.int64(NONE), math.inf
    if buckets.held[0] == 0:
        return best
    for ring in range(max(buckets.rows, buckets.columns)):
        # Nothing in this ring is nearer than the ring before it is wide.
        closest = (ring - 1) * buckets.size
        if closest > 0.0 and closest * closest > least:
            break
        for r in range(max(row - ring, 0), min(row + ring, buckets.rows - 1) + 1):
            step = 1 if abs(r - row) == ring else 2 * ring
            for c in range(column - ring, column + ring + 1, max(step, 1)):
                if c < 0 or c >= buckets.columns:
                    continue
                node = np.int64(buckets.first[r * buckets.columns + c])
                while node != NONE:
                    dx, dy = pose[node, 0] - x, pose[node, 1] - y
                    distance = dx * dx + dy * dy
                    if distance < least or (distance == least and node < best):
                        best, least = node, distance
                    node = np.int64(buckets.after[node])
    return best


@allocation_free_kernel
def least_node_near(buckets, pose, load, x, y, reach):
    """Return the node with the least load within reach of a place, of equal ones the first to have grown, or NONE."""
    best, least = np.int64(NONE), np.int64(0)
    left = bucket_along(x - reach, buckets.x0, buckets.size, buckets.columns)
    right = bucket_along(x + reach, buckets.x0, buckets.size, buckets.columns)
    bottom = bucket_along(y - reach, buckets.y0, buckets.size, buckets.rows)
    top = bucket_along(y + reach, buckets.y0, buckets.size, buckets.rows)
    for row in range(bottom, top + 1):
        for column in range(left, right + 1):
            node = np.int64(buckets.first[row * buckets.columns + column])
            while node != NONE:
                dx, dy = pose[node, 0] - x, pose[node, 1] - y
                if dx * dx + dy * dy <= reach * reach and (
                    best == NONE or load[node] < least or (load[node] == least and node < best)
                ):
                    best, least = node, load[node]
                node = np.int64(buckets.after[node])
    return best
