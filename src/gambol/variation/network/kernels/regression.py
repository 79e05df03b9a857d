"""k-nearest kernel regression [L09 5.3.2], and what unrolls a network by it.

Tables are rows of nodes by columns of instances, so that distances to all instances are sums over contiguous rows.
"""

from __future__ import annotations

import math

from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.kernels.jit import allocation_free_kernel, threaded_kernel

LOG_ROOT_TAU = 0.5 * math.log(2.0 * math.pi)


@allocation_free_kernel
def keep_nearest(squared: FloatArray, most: int, near: FloatArray, which: Int64Array) -> int:
    """Write the least of squared distances, in order, and their indices; return how many there are."""
    count = 0
    worst = math.inf
    for index in range(len(squared)):
        distance = squared[index]
        if distance < worst:
            if count < most:
                count += 1
            place = count - 1
            while place > 0 and near[place - 1] > distance:
                near[place] = near[place - 1]
                which[place] = which[place - 1]
                place -= 1
            near[place] = distance
            which[place] = index
            if count == most:
                worst = near[count - 1]
    return count


@allocation_free_kernel
def weigh(near: FloatArray, count: int, width: float) -> None:
    """Replace squared distances by weights [L09 5.5]; the kernel is `width` times the neighbours' RMS distance wide."""
    total = 0.0
    for index in range(count):
        total += near[index]
    kernel_squared = width * width * total / count
    for index in range(count):
        near[index] = math.exp(-near[index] / kernel_squared) if kernel_squared > 0.0 else 1.0


@allocation_free_kernel
def mean_and_variance(weights: FloatArray, which: Int64Array, count: int, votes: FloatArray) -> tuple[float, float]:
    """Return the weighted mean and variance of the neighbours' votes [L09 5.6]."""
    total, mean, weighty = 0.0, 0.0, 0
    for index in range(count):
        total += weights[index]
        mean += weights[index] * votes[which[index]]
        weighty += weights[index] > 0.0
    mean /= total
    variance = 0.0
    for index in range(count):
        away = votes[which[index]] - mean
        variance += weights[index] * away * away
    if weighty < 2:
        return mean, 0.0
    return mean, variance / total * weighty / (weighty - 1.0)


@allocation_free_kernel
def log_density(value: float, mean: float, variance: float, least: float) -> float:
    """Return the logarithm of a Gaussian's density; `least` is the smallest standard deviation believed."""
    sigma = max(math.sqrt(variance), least)
    away = (value - mean) / sigma
    return -0.5 * away * away - math.log(sigma) - LOG_ROOT_TAU


@threaded_kernel
def unroll_frames(
    first: int,
    last: int,
    values: FloatArray,  # (F, D) frames before `first` are given; held numbers of all frames too
    means: FloatArray,  # (F, D) what would have been without chance
    sigmas: FloatArray,  # (F, D)
    held: BoolArray,  # (D,)
    noise: FloatArray,  # (F, D) standard deviations of chance
    clip_weights: FloatArray,  # (F, L)
    table: FloatArray,  # (2D, N) numbers of two frames
    speeds: FloatArray,  # (D, N) weighted
    deltas: FloatArray,  # (D, N) how numbers change to the third frame
    clips: Int64Array,  # (N,)
    speed_scale: FloatArray,  # (D,)
    starts: Int64Array,
    parents: Int64Array,
    neighbours: int,
    width: float,
    pull: float,
    whole_share: float,  # of all numbers in the distance, besides the parents
    least: FloatArray,  # (D,) smallest standard deviations
    whole: FloatArray,  # (N,) room to work in
    squared: FloatArray,  # (N,)
    near: FloatArray,  # (K,)
    which: Int64Array,  # (K,)
) -> None:
    """Write frames first to last, each from the two before."""
    count, instances = speeds.shape
    for frame in range(first, last + 1):
        for index in range(instances):
            whole[index] = 0.0
        if whole_share > 0.0:
            for node in range(2 * count):
                value = values[frame - 2, node] if node < count else values[frame - 1, node - count]
                for index in range(instances):
                    away = table[node, index] - value
                    whole[index] += whole_share * away * away
        for node in range(count):
            now = values[frame - 1, node]
            if held[node]:
                means[frame, node] = values[frame, node]
                continue
            speed = (now - values[frame - 2, node]) * speed_scale[node]
            for index in range(instances):
                away = speeds[node, index] - speed
                squared[index] = whole[index] + away * away
            for listing in range(starts[node], starts[node + 1]):
                parent = parents[listing]
                value = values[frame - 2, parent] if parent < count else values[frame - 1, parent - count]
                for index in range(instances):
                    away = table[parent, index] - value
                    squared[index] += away * away
            found = keep_nearest(squared, neighbours, near, which)
            weigh(near, found, width)
            total, back = 0.0, 0.0
            for index in range(found):
                near[index] *= clip_weights[frame, clips[which[index]]]
                total += near[index]
                back += near[index] * (table[count + node, which[index]] - now)
            delta, variance = mean_and_variance(near, which, found, deltas[node])
            mean = now + delta + pull * back / total
            sigma = max(math.sqrt(variance), least[node])
            means[frame, node] = mean
            sigmas[frame, node] = sigma
            values[frame, node] = mean + sigma * noise[frame, node]


@threaded_kernel
def first_frames(
    nodes: FloatArray,  # (2D,) written, but where given
    means: FloatArray,  # (2D,)
    sigmas: FloatArray,  # (2D,)
    given: BoolArray,  # (2D,)
    observed: bool,  # nodes are known: only their means and standard deviations are written
    noise: FloatArray,  # (2D,)
    clip_weights: FloatArray,  # (L,)
    order: Int64Array,
    table: FloatArray,  # (2D, M)
    clips: Int64Array,  # (M,)
    starts: Int64Array,
    parents: Int64Array,
    by_change: bool,  # the second frame is the first plus a change
    neighbours: int,
    width: float,
    least: float,
    squared: FloatArray,
    near: FloatArray,
    which: Int64Array,
    targets: FloatArray,  # (M,) room to work in
) -> None:
    """Write both first frames, parents before children."""
    count = table.shape[0] // 2
    pairs = table.shape[1]
    for place in range(len(order)):
        node = order[place]
        if given[node]:
            means[node] = nodes[node]
            continue
        change = by_change and node >= count
        for index in range(pairs):
            squared[index] = 0.0
            targets[index] = table[node, index] - (table[node - count, index] if change else 0.0)
        for listing in range(starts[node], starts[node + 1]):
            value = nodes[parents[listing]]
            for index in range(pairs):
                away = table[parents[listing], index] - value
                squared[index] += away * away
        if starts[node] == starts[node + 1]:
            found = pairs
            for index in range(pairs):
                near[index] = 1.0
                which[index] = index
        else:
            found = keep_nearest(squared, neighbours, near, which)
            weigh(near, found, width)
        for index in range(found):
            near[index] *= clip_weights[clips[which[index]]]
        mean, variance = mean_and_variance(near, which, found, targets)
        sigma = max(math.sqrt(variance), least)
        means[node] = mean + (nodes[node - count] if change else 0.0)
        sigmas[node] = sigma
        if not observed:
            nodes[node] = means[node] + sigma * noise[node]


@threaded_kernel
def follow(
    values: FloatArray,  # (F, D)
    first: int,
    last: int,
    table: FloatArray,
    speeds: FloatArray,
    speed_scale: FloatArray,
    phases: FloatArray,  # (N,) of the instances
    planted: FloatArray,  # (N, P) 1 where a point rests
    back: float,
    ahead: float,
    cyclic: bool,
    voters: int,
    width: float,
    reached: FloatArray,  # (F,) written: never less than the frame before
    votes: FloatArray,  # (F, P) written
    squared: FloatArray,
    near: FloatArray,
    which: Int64Array,
) -> None:
    """Write how far frames have come, by the nearest whole pose, and which points rest, by the nearest few.

    Poses count that are at most `back` behind and `ahead` before the phase reached in the frame before.
    """
    count, instances = speeds.shape
    for frame in range(first, last + 1):
        for index in range(instances):
            squared[index] = 0.0
        for node in range(count):
            before, now = values[frame - 1 if frame else 0, node], values[frame, node]
            speed = (now - before) * speed_scale[node]
            for index in range(instances):
                a = table[count + node, index] - now
                b = speeds[node, index] - speed
                squared[index] += a * a + b * b
        start = reached[frame - 1] if frame > 0 else reached[0]
        for index in range(instances):
            way = phases[index] - start
            if cyclic:
                way -= math.floor(way + 0.5)
            if not -back <= way <= ahead:
                squared[index] = math.inf
        found = keep_nearest(squared, voters, near, which)
        reached[frame] = start
        if found > 0:
            way = phases[which[0]] - start
            if cyclic:
                way -= math.floor(way + 0.5)
            reached[frame] = start + max(0.0, way)
            weigh(near, found, width)
        for point in range(planted.shape[1]):
            total, vote = 0.0, 0.0
            for index in range(found):
                total += near[index]
                vote += near[index] * planted[which[index], point]
            votes[frame, point] = vote / total if total > 0.0 else 0.0
