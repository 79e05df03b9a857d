"""From a clip, a time in it and a place to joints in the world."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel, inlined_kernel

NO_CLIP = -1
NONE, FEW, ALL = 0, 1, 2  # how much detail
BETWEEN = 1e-4  # of a frame: nearer to one than this, a time is that frame's


class PoseTable(NamedTuple):
    """Poses of one kind of character in R rows, each seen from where its clip begins; C clips, D distinct, J joints.

    A clip's frames are rows in order.  Where another clip comes before or after, its first or last frames are
    others: those of the blend of the two.
    """

    per_step: int  # frames in a planning frame
    steps: np.ndarray  # (C,) frames from a clip's first to its last
    clip_row: np.ndarray  # (C,) row of a clip's first frame
    distinct: np.ndarray  # (C,) which of the distinct clips it is
    join: np.ndarray  # (D, D) number of the blend of one with the next, -1 for none
    window: np.ndarray  # (N,) how many frames of either clip a blend replaces, at least 1
    end_row: np.ndarray  # (N,) row of the first of the last frames of the first clip
    begin_row: np.ndarray  # (N,) row of the first frame of the second clip
    positions: np.ndarray  # (R, J, 3) single precision
    rotations: np.ndarray  # (R, J, 4) single precision, of joints in the clip's frame; (1, 1, 4) where not wanted


@inlined_kernel
def row_of(table, clip, before, after, frame):
    """Return the row of a clip's frame, given the clips before and after it, or NO_CLIP."""
    if before >= 0:
        join = table.join[table.distinct[before], table.distinct[clip]]
        if join >= 0 and frame < table.window[join]:
            return np.int64(table.begin_row[join] + frame)
    if after >= 0:
        join = table.join[table.distinct[clip], table.distinct[after]]
        late = frame - table.steps[clip]
        if join >= 0 and late > -table.window[join]:
            return np.int64(table.end_row[join] + table.window[join] - 1 + late)
    return np.int64(table.clip_row[clip] + frame)


@inlined_kernel
def frame_in(table, clip, phase):
    """Return the frame at or before a time in planning frames, and how far on the way to the next one it is."""
    time = phase * table.per_step
    if not time > 0.0:  # nor if it is no number
        time = 0.0
    elif time > table.steps[clip]:
        time = float(table.steps[clip])
    frame = np.int64(time + BETWEEN)
    share = time - frame
    return frame, share if share > BETWEEN else 0.0


@inlined_kernel
def place_joint(table, row, next_row, share, joint, x, y, cosine, sine, positions, m):
    """Write where one joint is."""
    east, north = table.positions[row, joint, 0], table.positions[row, joint, 1]
    up = table.positions[row, joint, 2]
    if share > 0.0:
        part = np.float32(share)
        east += part * (table.positions[next_row, joint, 0] - east)
        north += part * (table.positions[next_row, joint, 1] - north)
        up += part * (table.positions[next_row, joint, 2] - up)
    positions[m, joint, 0] = x + cosine * east - sine * north
    positions[m, joint, 1] = y + sine * east + cosine * north
    positions[m, joint, 2] = up


@inlined_kernel
def turn_joint(table, row, next_row, share, joint, cosine, sine, rotations, m):
    """Write how one joint is turned; (cosine, sine) are of half the heading."""
    w, i = table.rotations[row, joint, 0], table.rotations[row, joint, 1]
    j, k = table.rotations[row, joint, 2], table.rotations[row, joint, 3]
    if share > 0.0:
        a, b = table.rotations[next_row, joint, 0], table.rotations[next_row, joint, 1]
        c, d = table.rotations[next_row, joint, 2], table.rotations[next_row, joint, 3]
        part = np.float32(share)
        other = part if w * a + i * b + j * c + k * d >= 0.0 else -part
        own = np.float32(1.0) - part
        w, i, j, k = own * w + other * a, own * i + other * b, own * j + other * c, own * k + other * d
        length = math.sqrt(w * w + i * i + j * j + k * k)
        w, i, j, k = w / length, i / length, j / length, k / length
    rotations[m, joint, 0] = cosine * w - sine * k
    rotations[m, joint, 1] = cosine * i - sine * j
    rotations[m, joint, 2] = cosine * j + sine * i
    rotations[m, joint, 3] = cosine * k + sine * w


@allocation_free_kernel
def place_joints(table, few, who, clip, before, after, phase, pose, detail, positions, rotations):
    """Fill positions (M, J, 3), and rotations (M, J, 4) unless they have no rows, of characters `who` (M,).

    clip, before, after (N,) are the clips played, NO_CLIP for none; phase (N,) is in planning frames since the clip
    began, pose (N, 3) where it did, detail (N,) NONE, FEW or ALL.  What is not asked for is left as it is.
    """
    turns = rotations.shape[0] > 0
    for m in range(who.shape[0]):
        n = who[m]
        if detail[n] == NONE or clip[n] < 0:
            continue
        frame, share = frame_in(table, clip[n], phase[n])
        row = row_of(table, clip[n], before[n], after[n], frame)
        next_row = row_of(table, clip[n], before[n], after[n], frame + 1) if share > 0.0 else row
        x, y, heading = pose[n, 0], pose[n, 1], pose[n, 2]
        cosine, sine = math.cos(heading), math.sin(heading)
        if detail[n] == FEW:
            for f in range(few.shape[0]):
                place_joint(table, row, next_row, share, few[f], x, y, cosine, sine, positions, m)
        else:
            for joint in range(positions.shape[1]):
                place_joint(table, row, next_row, share, joint, x, y, cosine, sine, positions, m)
        if turns:
            cosine, sine = math.cos(0.5 * heading), math.sin(0.5 * heading)
            if detail[n] == FEW:
                for f in range(few.shape[0]):
                    turn_joint(table, row, next_row, share, few[f], cosine, sine, rotations, m)
            else:
                for joint in range(rotations.shape[1]):
                    turn_joint(table, row, next_row, share, joint, cosine, sine, rotations, m)
