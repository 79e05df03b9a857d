"""Who meets whom: clips that would be played against trajectories that are held.

A body at a frame is eight upright cylinders, which hold it from half a frame before to half a frame after.  Where two
clips meet, the last instant of the one and the first of the next both count, so each segment has all its frames.
Cheap first: the box around a trajectory, the circle around a segment, the circle around a body; then the parts.  While
two bodies are apart, as many frames are skipped as they need to come together at their greatest speeds.
"""

from __future__ import annotations

import math

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel

NOBODY = -1
FOREVER = np.int64(1) << 60
PARTS = 8
SLACK_M = 1e-6
PARTING_M = 0.01  # who comes nearer by less does not come nearer
DISC_MARGIN_M = 0.05  # a disc of the kind "gridmap" is so much larger than one who stands


@inlined_kernel
def parts_meet(clips, a, ax, ay, a_cosine, a_sine, b, bx, by, b_cosine, b_sine):
    """Tell whether two bodies, samples at poses, meet: touching counts."""
    samples, parts = clips.samples, clips.parts
    away_x, away_y = bx - ax, by - ay
    apart = math.sqrt(away_x * away_x + away_y * away_y)
    for i in range(PARTS):
        if parts[a, i, 5] + samples[b, 4] < apart:
            return False  # nor do those that follow, which reach less far
        px = ax + a_cosine * parts[a, i, 0] - a_sine * parts[a, i, 1]
        py = ay + a_sine * parts[a, i, 0] + a_cosine * parts[a, i, 1]
        radius, low, high = parts[a, i, 2], parts[a, i, 3], parts[a, i, 4]
        from_x, from_y = px - bx, py - by
        reach = radius + samples[b, 4]
        if from_x * from_x + from_y * from_y > reach * reach:
            continue
        own_x, own_y = b_cosine * from_x + b_sine * from_y, b_cosine * from_y - b_sine * from_x
        for j in range(PARTS):
            if parts[b, j, 3] > high or parts[b, j, 4] < low or parts[b, j, 4] <= parts[b, j, 3]:
                continue
            dx, dy = own_x - parts[b, j, 0], own_y - parts[b, j, 1]
            reach = radius + parts[b, j, 2]
            if dx * dx + dy * dy <= reach * reach:
                return True
    return False


@allocation_free_kernel
def clips_meet(
    clips, one, ax, ay, a_cosine, a_sine, a_begins, other, bx, by, b_cosine, b_sine, b_begins, first, last
):  # fmt: skip
    """Tell whether two clips meet at any frame from one to another, both included.

    A clip is a number of the table, or ~sample for a body that rests at its pose.
    """
    samples = clips.samples
    rests_a, rests_b = one < 0, other < 0
    a, b = ~one, ~other
    reach_a, reach_b, speed = 0.0, 0.0, 0.0
    first_a = first_b = np.int64(0)
    if rests_a:
        reach_a = samples[a, 4]
    else:
        reach_a, speed = clips.reach[one], speed + clips.stride[one]
        first_a = clips.first_sample[one] - a_begins
    if rests_b:
        reach_b = samples[b, 4]
    else:
        reach_b, speed = clips.reach[other], speed + clips.stride[other]
        first_b = clips.first_sample[other] - b_begins
    reach_both = reach_a + reach_b
    frame = first
    while frame <= last:
        px, py, pc, ps = ax, ay, a_cosine, a_sine
        if not rests_a:
            a = first_a + frame
            x, y = samples[a, 0], samples[a, 1]
            px, py = ax + a_cosine * x - a_sine * y, ay + a_sine * x + a_cosine * y
        qx, qy, qc, qs = bx, by, b_cosine, b_sine
        if not rests_b:
            b = first_b + frame
            x, y = samples[b, 0], samples[b, 1]
            qx, qy = bx + b_cosine * x - b_sine * y, by + b_sine * x + b_cosine * y
        away = (qx - px) * (qx - px) + (qy - py) * (qy - py)
        reach = samples[a, 4] + samples[b, 4]
        if away <= reach * reach:
            if not rests_a:
                c, s = samples[a, 2], samples[a, 3]
                pc, ps = a_cosine * c - a_sine * s, a_sine * c + a_cosine * s
            if not rests_b:
                c, s = samples[b, 2], samples[b, 3]
                qc, qs = b_cosine * c - b_sine * s, b_sine * c + b_cosine * s
            if parts_meet(clips, a, px, py, pc, ps, b, qx, qy, qc, qs):
                return True
            frame += 1
        else:
            gap = math.sqrt(away) - reach_both - SLACK_M
            if gap > 0.0:
                if speed <= 0.0:
                    return False
                frame += np.int64(gap / speed)
            frame += 1
    return False


@allocation_free_kernel
def meets_trajectory(clips, flock, other, one, x, y, cosine, sine, begins, last, cx, cy, radius):
    """Tell whether a clip from a frame to another (or ~sample resting) meets a trajectory.

    cx, cy, radius: a circle around all of the clip.
    """
    for segment in range(flock.count[other]):
        number = np.int64(flock.clip[other, segment])
        from_frame = flock.frame[other, segment]
        to_frame = from_frame + clips.duration[number]
        if to_frame < begins or from_frame > last:
            continue
        bx, by = flock.pose[other, segment, 0], flock.pose[other, segment, 1]
        c, s = flock.pose[other, segment, 3], flock.pose[other, segment, 4]
        away_x = bx + c * clips.circle[number, 0] - s * clips.circle[number, 1] - cx
        away_y = by + s * clips.circle[number, 0] + c * clips.circle[number, 1] - cy
        reach = radius + clips.circle[number, 2]
        if away_x * away_x + away_y * away_y > reach * reach:
            continue
        if clips_meet(
            clips, one, x, y, cosine, sine, begins, number, bx, by, c, s, from_frame,
            max(begins, from_frame), min(last, to_frame),
        ):  # fmt: skip
            return True
    if last >= flock.end_frame[other]:
        rest = clips.rest_sample[flock.kind[other]]
        away_x, away_y = flock.end[other, 0] - cx, flock.end[other, 1] - cy
        reach = radius + clips.samples[rest, 4]
        if away_x * away_x + away_y * away_y <= reach * reach:
            from_frame = max(begins, flock.end_frame[other])
            until = from_frame if one < 0 else last  # two who rest are apart always or never
            return clips_meet(
                clips, one, x, y, cosine, sine, begins, ~rest, flock.end[other, 0], flock.end[other, 1],
                flock.end[other, 3], flock.end[other, 4], flock.end_frame[other], from_frame, until,
            )  # fmt: skip
    return False


@allocation_free_kernel
def who_meets_clip(clips, flock, near, count, clip, x, y, cosine, sine, begins):
    """Return one of those nearby whose trajectory a clip, begun at a pose and a frame, meets; or NOBODY.

    It comes to the front of those nearby: who is in the way of one clip is likely to be in that of the next one too.
    """
    radius = clips.circle[clip, 2]
    cx = x + cosine * clips.circle[clip, 0] - sine * clips.circle[clip, 1]
    cy = y + sine * clips.circle[clip, 0] + cosine * clips.circle[clip, 1]
    last = begins + clips.duration[clip]
    for i in range(count):
        other = near[i]
        if (
            flock.box[other, 0] <= cx + radius
            and flock.box[other, 2] >= cx - radius
            and flock.box[other, 1] <= cy + radius
            and flock.box[other, 3] >= cy - radius
            and meets_trajectory(clips, flock, other, clip, x, y, cosine, sine, begins, last, cx, cy, radius)
        ):
            near[0], near[i] = other, near[0]
            return other
    return np.int64(NOBODY)


@allocation_free_kernel
def who_meets_rest(clips, flock, near, count, kind, x, y, cosine, sine, begins):
    """Return the first of those nearby who meets one that stands from a frame on for ever; or NOBODY."""
    rest = clips.rest_sample[kind]
    radius = clips.samples[rest, 4]
    for i in range(count):
        other = near[i]
        if (
            flock.box[other, 0] <= x + radius
            and flock.box[other, 2] >= x - radius
            and flock.box[other, 1] <= y + radius
            and flock.box[other, 3] >= y - radius
            and meets_trajectory(clips, flock, other, ~rest, x, y, cosine, sine, begins, FOREVER, x, y, radius)
        ):
            return other
    return np.int64(NOBODY)


@allocation_free_kernel
def who_is_near_clip(clips, flock, near, count, kind, clip, x, y, cosine, sine, begins):
    """Return the first of those nearby whose disc one's own meets in the middle or at the end of a clip; or NOBODY.

    What is between these points in time is not looked at: reservations of the kind "gridmap" [L09 4.7.1].
    Those who are that near already may part: they count where one comes nearer still.
    """
    halfway = clips.duration[clip] // 2
    for i in range(count):
        other = near[i]
        other_x, other_y = root_at(clips, flock, other, begins)
        before = math.hypot(other_x - x, other_y - y) - PARTING_M
        reach = disc_radius(clips, kind) + disc_radius(clips, flock.kind[other])
        for frames in (halfway, clips.duration[clip]):
            sample = clips.first_sample[clip] + frames
            along, across = clips.samples[sample, 0], clips.samples[sample, 1]
            at_x, at_y = x + cosine * along - sine * across, y + sine * along + cosine * across
            other_x, other_y = root_at(clips, flock, other, begins + frames)
            if math.hypot(other_x - at_x, other_y - at_y) <= min(reach, before):
                return other
    return np.int64(NOBODY)


@inlined_kernel
def disc_radius(clips, kind):
    return clips.samples[clips.rest_sample[kind], 4] + DISC_MARGIN_M


@allocation_free_kernel
def root_at(clips, flock, who, frame):
    """Return where the root of someone is at a frame, x and y, by what it holds; before that, where it begins."""
    for segment in range(flock.count[who]):
        number = flock.clip[who, segment]
        passed = max(frame - flock.frame[who, segment], 0)
        if passed < clips.duration[number]:
            sample = clips.first_sample[number] + passed
            along, across = clips.samples[sample, 0], clips.samples[sample, 1]
            c, s = flock.pose[who, segment, 3], flock.pose[who, segment, 4]
            x, y = flock.pose[who, segment, 0], flock.pose[who, segment, 1]
            return x + c * along - s * across, y + s * along + c * across
    return flock.end[who, 0], flock.end[who, 1]


@allocation_free_kernel
def gather(cells, flock, who, x0, y0, x1, y1, near):
    """Collect the others whose trajectories' boxes meet a box; return how many there are."""
    count = np.int64(0)
    left = nearest_cell(x0 - cells.half[0] - SLACK_M - cells.x0, cells.cell_m, cells.columns)
    right = nearest_cell(x1 + cells.half[0] + SLACK_M - cells.x0, cells.cell_m, cells.columns)
    bottom = nearest_cell(y0 - cells.half[1] - SLACK_M - cells.y0, cells.cell_m, cells.rows)
    top = nearest_cell(y1 + cells.half[1] + SLACK_M - cells.y0, cells.cell_m, cells.rows)
    for row in range(bottom, top + 1):
        for entry in range(cells.first[row * cells.columns + left], cells.first[row * cells.columns + right + 1]):
            other = np.int64(cells.who[entry])
            if (
                flock.box[other, 0] <= x1
                and flock.box[other, 2] >= x0
                and flock.box[other, 1] <= y1
                and flock.box[other, 3] >= y0
                and other != who
            ):
                near[count] = other
                count += 1
    return count


@allocation_free_kernel
def sort_into_cells(flock, count, cells):
    """Sort those who are there by the cells of the middles of their boxes; remember the largest box."""
    cells.first[:] = 0
    cells.still[:] = 0
    half_x, half_y = 0.0, 0.0
    for who in range(count):
        if flock.taken[who]:
            cells.first[cell_of(flock, who, cells) + 1] += 1
            if flock.count[who] == 1:
                cells.still[cell_of(flock, who, cells)] += 1
            half_x = max(half_x, 0.5 * (flock.box[who, 2] - flock.box[who, 0]))
            half_y = max(half_y, 0.5 * (flock.box[who, 3] - flock.box[who, 1]))
    cells.half[0], cells.half[1] = half_x, half_y
    total = cells.rows * cells.columns
    for cell in range(total):
        cells.first[cell + 1] += cells.first[cell]
    for who in range(count - 1, -1, -1):  # from the last on, so that each cell has its own in ascending order
        if flock.taken[who]:
            cell = cell_of(flock, who, cells)
            cells.first[cell + 1] -= 1
            cells.who[cells.first[cell + 1]] = who
    for cell in range(total):  # what was counted down is where the cell begins
        cells.first[cell] = cells.first[cell + 1]
    cells.first[total] = count_taken(flock, count)


@inlined_kernel
def cell_of(flock, who, cells):
    """Return the cell of the middle of a trajectory's box, or the nearest there is."""
    column = nearest_cell(0.5 * (flock.box[who, 0] + flock.box[who, 2]) - cells.x0, cells.cell_m, cells.columns)
    row = nearest_cell(0.5 * (flock.box[who, 1] + flock.box[who, 3]) - cells.y0, cells.cell_m, cells.rows)
    return row * cells.columns + column


@inlined_kernel
def nearest_cell(along, cell_m, cells):
    """Return the cell in a row of so many at some metres from its beginning, or the nearest there is."""
    return np.int64(min(max(along / cell_m, 0.0), cells - 1.0))


@inlined_kernel
def count_taken(flock, count):
    total = np.int64(0)
    for who in range(count):
        if flock.taken[who]:
            total += 1
    return total
