"""k-nearest kernel regression [L09 5.3.2], and the loops that unroll a network by it.

Tables are rows of nodes by columns of instances, so that distances to all instances are sums over contiguous rows.
"""

from __future__ import annotations

import math

from gambol.geometry.arrays import FloatArray, Int64Array
from gambol.kernels.jit import allocation_free_kernel, threaded_kernel
from gambol.variation.network.tables import (
    FirstFrames,
    Frames,
    Instances,
    MotionProgress,
    Pairs,
    ParentLists,
    Room,
    Window,
)

LOG_ROOT_TAU = 0.5 * math.log(2.0 * math.pi)  # logarithm of the square root of a whole turn, for Gaussian densities


@allocation_free_kernel
def keep_nearest(squared: FloatArray, most: int, near: FloatArray, which: Int64Array) -> int:
    """Write the `most` least squared distances (N,), in order, and their indices (K,); return their number."""
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
    """Replace squared distances (K,) by weights [L09 5.5]; the kernel is `width` times their root mean square wide."""
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
    frames: Frames,  # written
    data: Instances,
    parents: ParentLists,
    neighbours: int,
    width: float,
    pull: float,
    whole_share: float,
    room: Room,
) -> None:
    """Write frames first to last, each from the two before.

    pull, whole_share: see `Manner`.
    """
    count, instances = data.speeds.shape
    values, table, speeds, squared = frames.values, data.table, data.speeds, room.squared
    for frame in range(first, last + 1):
        _whole_distances(frame, values, table, whole_share, room.whole)
        for node in range(count):
            now = values[frame - 1, node]
            if frames.held[node]:
                frames.means[frame, node] = values[frame, node]
                continue
            speed = (now - values[frame - 2, node]) * data.speed_scale[node]
            for index in range(instances):
                away = speeds[node, index] - speed
                squared[index] = room.whole[index] + away * away
            for listing in range(parents.starts[node], parents.starts[node + 1]):
                parent = parents.nodes[listing]
                value = values[frame - 2, parent] if parent < count else values[frame - 1, parent - count]
                for index in range(instances):
                    away = table[parent, index] - value
                    squared[index] += away * away
            found = keep_nearest(squared, neighbours, room.near, room.which)
            weigh(room.near, found, width)
            total, back = 0.0, 0.0
            for index in range(found):
                room.near[index] *= frames.clip_weights[frame, data.clips[room.which[index]]]
                total += room.near[index]
                back += room.near[index] * (table[count + node, room.which[index]] - now)
            delta, variance = mean_and_variance(room.near, room.which, found, data.deltas[node])
            mean = now + delta + pull * back / total
            sigma = max(math.sqrt(variance), data.least_sigma[node])
            frames.means[frame, node] = mean
            frames.sigmas[frame, node] = sigma
            values[frame, node] = mean + sigma * frames.noise[frame, node]


@allocation_free_kernel
def _whole_distances(
    frame: int,
    values: FloatArray,  # (F, D)
    table: FloatArray,  # (2D, N)
    share: float,
    whole: FloatArray,  # (N,) written
) -> None:
    """Write the share of squared distances that all numbers of the two frames before give together."""
    count = values.shape[1]
    for index in range(len(whole)):
        whole[index] = 0.0
    if share <= 0.0:
        return
    for node in range(2 * count):
        value = values[frame - 2, node] if node < count else values[frame - 1, node - count]
        for index in range(len(whole)):
            away = table[node, index] - value
            whole[index] += share * away * away


@threaded_kernel
def first_frames(
    first: FirstFrames,  # written
    observed: bool,  # nodes are known: only their means and standard deviations are written
    order: Int64Array,  # (2D,) nodes, parents before children
    pairs: Pairs,
    parents: ParentLists,
    neighbours: int,
    width: float,
    least: float,  # smallest standard deviation
    room: Room,
) -> None:
    """Write both first frames, parents before children."""
    table, near, which, squared, targets = pairs.table, room.near, room.which, room.squared, room.whole
    count, columns = table.shape[0] // 2, table.shape[1]
    for place in range(len(order)):
        node = order[place]
        if first.given[node]:
            first.means[node] = first.nodes[node]
            continue
        change = pairs.by_change and node >= count
        for index in range(columns):
            squared[index] = 0.0
            targets[index] = table[node, index] - (table[node - count, index] if change else 0.0)
        for listing in range(parents.starts[node], parents.starts[node + 1]):
            parent = parents.nodes[listing]
            for index in range(columns):
                away = table[parent, index] - first.nodes[parent]
                squared[index] += away * away
        if parents.starts[node] == parents.starts[node + 1]:
            found = columns
            for index in range(columns):
                near[index] = 1.0
                which[index] = index
        else:
            found = keep_nearest(squared, neighbours, near, which)
            weigh(near, found, width)
        for index in range(found):
            near[index] *= first.clip_weights[pairs.clips[which[index]]]
        mean, variance = mean_and_variance(near, which, found, targets)
        sigma = max(math.sqrt(variance), least)
        first.means[node] = mean + (first.nodes[node - count] if change else 0.0)
        first.sigmas[node] = sigma
        if not observed:
            first.nodes[node] = first.means[node] + sigma * first.noise[node]


@threaded_kernel
def follow(
    first: int,
    last: int,
    values: FloatArray,  # (F, D)
    data: Instances,
    planted: FloatArray,  # (N, P) 1 where a point rests
    window: Window,
    voters: int,
    width: float,
    progress: MotionProgress,  # written
    room: Room,
) -> None:
    """Write the phase of frames, by the nearest whole pose, and which points rest, by the nearest few."""
    count, instances = data.speeds.shape
    squared, near, which, reached = room.squared, room.near, room.which, progress.reached
    for frame in range(first, last + 1):
        for index in range(instances):
            squared[index] = 0.0
        for node in range(count):
            before, now = values[frame - 1 if frame else 0, node], values[frame, node]
            speed = (now - before) * data.speed_scale[node]
            for index in range(instances):
                a = data.table[count + node, index] - now
                b = data.speeds[node, index] - speed
                squared[index] += a * a + b * b
        start = reached[frame - 1] if frame > 0 else reached[0]
        for index in range(instances):
            if not -window.back <= _way(start, data.phases[index], window.cyclic) <= window.ahead:
                squared[index] = math.inf
        found = keep_nearest(squared, voters, near, which)
        reached[frame] = start
        if found > 0:
            nearest = int(which[0])
            reached[frame] = start + max(0.0, _way(start, data.phases[nearest], window.cyclic))
            weigh(near, found, width)
        for point in range(planted.shape[1]):
            total, vote = 0.0, 0.0
            for index in range(found):
                total += near[index]
                vote += near[index] * planted[which[index], point]
            progress.votes[frame, point] = vote / total if total > 0.0 else 0.0


@allocation_free_kernel
def _way(start: float, phase: float, cyclic: bool) -> float:
    """Return how far a phase is ahead of another; in a cycle, the shorter way round."""
    way = phase - start
    return way - math.floor(way + 0.5) if cyclic else way
