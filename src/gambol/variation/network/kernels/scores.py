"""Scores of many candidate edges of one node: each adds one row to the distances, or takes one away."""

from __future__ import annotations

import math

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.kernels.jit import threaded_kernel
from gambol.variation.network.kernels.regression import keep_nearest, log_density, mean_and_variance, weigh
from gambol.variation.network.tables import Instances, Room, Toggles


@threaded_kernel
def score_node(
    node: int,
    real: FloatArray,  # (F, D) the sequence that is left out
    others: FloatArray,  # (F, N) squared distances by the node's other parents, from the real sequence
    data: Instances,
    toggles: Toggles,
    neighbours: int,
    width: float,
    scores: FloatArray,  # (C,) added to
    room: Room,
) -> None:
    """Add how well a sequence's node is re-synthesised alone, with each candidate edge [L09 5.4]."""
    table, speeds, squared, near, which = data.table, data.speeds, room.squared, room.near, room.which
    count, instances = speeds.shape
    frames = len(real)
    for trial in range(len(scores)):
        extra, sign = toggles.edges[trial], toggles.signs[trial]
        before, now = real[0, node], real[1, node]
        for frame in range(2, frames):
            speed = (now - before) * data.speed_scale[node]
            if extra < 0:
                for index in range(instances):
                    a = table[node, index] - before
                    b = table[count + node, index] - now
                    c = speeds[node, index] - speed
                    squared[index] = others[frame, index] + a * a + b * b + c * c
            else:
                value = real[frame - 2, extra] if extra < count else real[frame - 1, extra - count]
                for index in range(instances):
                    a = table[node, index] - before
                    b = table[count + node, index] - now
                    c = speeds[node, index] - speed
                    d = table[extra, index] - value
                    squared[index] = max(0.0, others[frame, index] + a * a + b * b + c * c + sign * d * d)
            found = keep_nearest(squared, neighbours, near, which)
            weigh(near, found, width)
            delta, variance = mean_and_variance(near, which, found, data.deltas[node])
            before, now = now, now + delta
            scores[trial] += log_density(real[frame, node], now, variance, data.least_sigma[node])


@threaded_kernel
def other_distances(
    real: FloatArray,  # (F, D)
    table: FloatArray,  # (2D, N)
    parents: Int64Array,  # nodes of two frames
    others: FloatArray,  # (F, N) written
) -> None:
    """Write squared distances from a sequence's frames, by the parents in the two frames before."""
    count = table.shape[0] // 2
    for frame in range(len(real)):
        for index in range(table.shape[1]):
            others[frame, index] = 0.0
        if frame < 2:
            continue
        for listing in range(len(parents)):
            parent = parents[listing]
            value = real[frame - 2, parent] if parent < count else real[frame - 1, parent - count]
            for index in range(table.shape[1]):
                away = table[parent, index] - value
                others[frame, index] += away * away


@threaded_kernel
def score_prior(
    targets: FloatArray,  # (M,) what is predicted of each pair of frames
    table: FloatArray,  # (2D, M)
    parents: Int64Array,
    toggles: Toggles,
    neighbours: int,
    width: float,
    least: float,  # smallest standard deviation
    scores: FloatArray,  # (C,) written
    others: FloatArray,  # (M, M) to work in
    room: Room,
) -> None:
    """Write how well each pair of frames is predicted from all the others, with each candidate edge [L09 5.3]."""
    squared, near, which = room.squared, room.near, room.which
    pairs = len(targets)
    for pair in range(pairs):
        for index in range(pairs):
            total = 0.0
            for listing in range(len(parents)):
                away = table[parents[listing], index] - table[parents[listing], pair]
                total += away * away
            others[pair, index] = total
    for trial in range(len(scores)):
        extra, sign = toggles.edges[trial], toggles.signs[trial]
        left = len(parents) + (0 if extra < 0 else (1 if sign > 0.0 else -1))
        score = 0.0
        for pair in range(pairs):
            if left == 0:  # a Gaussian of the others
                mean, variance = 0.0, 0.0
                for index in range(pairs):
                    mean += targets[index] if index != pair else 0.0
                mean /= pairs - 1.0
                for index in range(pairs):
                    away = targets[index] - mean if index != pair else 0.0
                    variance += away * away
                variance /= max(pairs - 2.0, 1.0)
            else:
                for index in range(pairs):
                    squared[index] = others[pair, index]
                    if extra >= 0:
                        away = table[extra, index] - table[extra, pair]
                        squared[index] = max(0.0, squared[index] + sign * away * away)
                squared[pair] = math.inf
                found = keep_nearest(squared, neighbours, near, which)
                weigh(near, found, width)
                mean, variance = mean_and_variance(near, which, found, targets)
            score += log_density(targets[pair], mean, variance, least)
        scores[trial] = score
