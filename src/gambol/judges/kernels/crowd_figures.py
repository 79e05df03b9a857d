"""The delivered frames of a crowd: which frame of a clip or blend each character shows, and its capsules."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, threaded_kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gambol.geometry.arrays import FloatArray
    from gambol.judges.kernels.bench import Bench


class Figures(NamedTuple):
    """Capsules of K kinds in all their R frames, each seen from the pose that places the frame."""

    frames_per_step: np.ndarray  # (K,) number of delivered frames in a planning frame
    ticks_per_step: int  # number of ticks in a planning frame: in a tick, all characters move straight
    capsule_first: np.ndarray  # (K + 1,)
    radius: np.ndarray  # (C,) metres
    kind_clip: np.ndarray  # (K + 1,) first clip of each kind
    clip_first: np.ndarray  # (G,) row of each clip's first frame, without margin
    clip_steps: np.ndarray  # (G,) frames from the clip's first to its last
    clip_end: np.ndarray  # (G, 3) the path's last pose
    blend_first: np.ndarray  # (B,) row of each blend's first frame
    blend_window: np.ndarray  # (B,) number of frames on either side of the join
    axis_first: np.ndarray  # (R,) number of a row's first axis
    axes: np.ndarray  # (A, 6) x, y, z of an axis's start and end; single precision
    disc: np.ndarray  # (R, 3) x, y and radius of a disc in the ground plane around all capsules


class Steps(NamedTuple):
    """The S steps of N characters; the steps of one character are consecutive."""

    rate_hz: float  # planning frames a second
    kind: np.ndarray  # (N,)
    begin: np.ndarray  # (N,) first planning frame
    end: np.ndarray  # (N,) last planning frame
    first_step: np.ndarray  # (N + 1,)
    clip: np.ndarray  # (S,) number of the clip within the kind
    frame: np.ndarray  # (S,)
    pose: np.ndarray  # (S, 3)
    join: np.ndarray  # (S,) blend with the next step, -1 for none


class Block(NamedTuple):
    """All characters at the delivered frames of a stretch of time; columns count from each one's first frame."""

    first: np.ndarray  # (N,) first delivered frame; a character's own frames count from time 0
    last: np.ndarray  # (N,) last delivered frame; absent characters have it before the first
    row: np.ndarray  # (N, F) row of `Figures`
    anchor: np.ndarray  # (N, F, 4) the pose that places it: x, y, cosine and sine
    disc: np.ndarray  # (N, F, 3) x, y and radius of a disc around the body
    box: np.ndarray  # (N, 4) least x, y, greatest x, y during the stretch


class Crowd(NamedTuple):
    """A crowd in a stretch of time."""

    figures: Figures
    steps: Steps
    block: Block


@allocation_free_kernel
def fill_discs(axes: NDArray[np.float32], radius: FloatArray, margin: float, discs: FloatArray):
    """Fill x, y and radius (F, 3) of discs in the ground plane around capsules with axes (F * C, 6)."""
    count = len(radius)
    for frame in range(len(discs)):
        low_x = low_y = math.inf
        high_x = high_y = -math.inf
        for capsule in range(count):
            for end in (0, 3):
                x, y = axes[frame * count + capsule, end], axes[frame * count + capsule, end + 1]
                low_x, high_x = min(low_x, x - radius[capsule]), max(high_x, x + radius[capsule])
                low_y, high_y = min(low_y, y - radius[capsule]), max(high_y, y + radius[capsule])
        middle_x, middle_y = 0.5 * (low_x + high_x), 0.5 * (low_y + high_y)
        reach = 0.0
        for capsule in range(count):
            for end in (0, 3):
                east = axes[frame * count + capsule, end] - middle_x
                north = axes[frame * count + capsule, end + 1] - middle_y
                reach = max(reach, math.sqrt(east * east + north * north) + radius[capsule])
        discs[frame, 0], discs[frame, 1], discs[frame, 2] = middle_x, middle_y, reach + margin


@allocation_free_kernel
def step_at(steps: Steps, who: int, frame: int, per_step: int):
    """Return the step to which a delivered frame belongs; where two steps meet, the first."""
    low, high = steps.first_step[who], steps.first_step[who + 1] - 1
    while low < high:
        middle = (low + high + 1) // 2
        if steps.frame[middle] * per_step < frame:
            low = middle
        else:
            high = middle - 1
    return low


@threaded_kernel
def lay_block(figures: Figures, steps: Steps, frame_from: int, frame_to: int, block: Block):
    """Fill a block from one planning frame to another."""
    for who in range(len(steps.kind)):
        begin, end = max(steps.begin[who], frame_from), min(steps.end[who], frame_to)
        if end <= begin:
            block.first[who], block.last[who] = 0, -1
            continue
        per_step = int(figures.frames_per_step[steps.kind[who]])
        block.first[who], block.last[who] = begin * per_step, end * per_step
        lay_character(figures, steps, who, per_step, block)


@allocation_free_kernel
def lay_character(figures: Figures, steps: Steps, who: int, per_step: int, block: Block):
    """Fill one character's frames, by the same rule as `realize`."""
    first, last = block.first[who], block.last[who]
    clips = figures.kind_clip[steps.kind[who]]
    first_step, last_step = steps.first_step[who], steps.first_step[who + 1] - 1
    low_x = low_y = math.inf
    high_x = high_y = -math.inf
    frame = first
    step = step_at(steps, who, frame, per_step)
    while frame <= last:
        clip = clips + steps.clip[step]
        begin = steps.frame[step] * per_step
        length = figures.clip_steps[clip]
        before = figures.blend_window[steps.join[step - 1]] if step > first_step else 0
        after = figures.blend_window[steps.join[step]] if step < last_step else 0
        x, y, heading = steps.pose[step, 0], steps.pose[step, 1], steps.pose[step, 2]
        cosine, sine = math.cos(heading), math.sin(heading)
        end_x = x + cosine * figures.clip_end[clip, 0] - sine * figures.clip_end[clip, 1]
        end_y = y + sine * figures.clip_end[clip, 0] + cosine * figures.clip_end[clip, 1]
        end_heading = heading + figures.clip_end[clip, 2]
        end_cosine, end_sine = math.cos(end_heading), math.sin(end_heading)
        until = last
        if step < last_step:
            until = min(last, steps.frame[step + 1] * per_step)
        while frame <= until:
            column = frame - first
            offset = min(max(frame - begin, 0), length)
            anchor = block.anchor[who, column]
            anchor[0], anchor[1], anchor[2], anchor[3] = x, y, cosine, sine
            if step > first_step and offset < before:
                row = figures.blend_first[steps.join[step - 1]] + before + offset
            elif step < last_step and offset > length - max(after, 1):
                row = figures.blend_first[steps.join[step]] + after + offset - length
                anchor[0], anchor[1], anchor[2], anchor[3] = end_x, end_y, end_cosine, end_sine
            else:
                row = figures.clip_first[clip] + offset
            block.row[who, column] = row
            disc, radius = block.disc[who, column], figures.disc[row, 2]
            disc[0] = anchor[0] + anchor[2] * figures.disc[row, 0] - anchor[3] * figures.disc[row, 1]
            disc[1] = anchor[1] + anchor[3] * figures.disc[row, 0] + anchor[2] * figures.disc[row, 1]
            disc[2] = radius
            low_x, high_x = min(low_x, disc[0] - radius), max(high_x, disc[0] + radius)
            low_y, high_y = min(low_y, disc[1] - radius), max(high_y, disc[1] + radius)
            frame += 1
        step += 1
    box = block.box[who]
    box[0], box[1], box[2], box[3] = low_x, low_y, high_x, high_y


@allocation_free_kernel
def place_frame(crowd: Crowd, who: int, column: int, bench: Bench, slot: int):
    """Put the axes of a character at a frame on the bench."""
    figures, anchor = crowd.figures, crowd.block.anchor[who, column]
    x, y, cosine, sine = anchor[0], anchor[1], anchor[2], anchor[3]
    kind, first = crowd.steps.kind[who], figures.axis_first[crowd.block.row[who, column]]
    for capsule in range(figures.capsule_first[kind + 1] - figures.capsule_first[kind]):
        axis = figures.axes[first + capsule]
        for end, points in ((0, bench.starts), (3, bench.ends)):
            points[slot, capsule, 0] = x + cosine * axis[end] - sine * axis[end + 1]
            points[slot, capsule, 1] = y + sine * axis[end] + cosine * axis[end + 1]
            points[slot, capsule, 2] = axis[end + 2]
