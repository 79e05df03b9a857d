"""Lay clips and the blends between them end to end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.characters.kernels.blending import blend_pair
from gambol.geometry.kernels.quaternion import multiply
from gambol.kernels.jit import kernel

if TYPE_CHECKING:
    from gambol.characters.motion_table import LimbTable, MotionTable
    from gambol.geometry.arrays import FloatArray, Int64Array


class BlendTable(NamedTuple):
    """N blends with W frames in all, each seen from its join's pose.

    Poses are in single precision: that is good to a thousandth of a millimetre.
    """

    first: np.ndarray  # (N,) row of each blend's first frame
    window: np.ndarray  # (N,) number of frames on either side of the join
    root_positions: np.ndarray  # (W, 3) metres
    rotations: np.ndarray  # (W, J, 4) local
    offsets: np.ndarray  # (W, J, 3) metres, or (1, J, 3) where all bones are rigid
    planted: np.ndarray  # (W, P) whether each contact point rests


@kernel
def fill_blends(clips: MotionTable, limbs: LimbTable, pairs: Int64Array, blends: BlendTable):
    """Blend pairs (N, 2) of clips and write the frames into the blends' rows."""
    for n in range(pairs.shape[0]):
        mixed = blend_pair(clips, limbs, pairs[n, 0], pairs[n, 1], True)
        for f in range(mixed.roots.shape[0]):
            row = blends.first[n] + f
            for c in range(3):
                blends.root_positions[row, c] = mixed.roots[f, c]
            for j in range(mixed.rotations.shape[1]):
                for c in range(4):
                    blends.rotations[row, j, c] = mixed.rotations[f, j, c]
                if blends.offsets.shape[0] > 1:
                    for c in range(3):
                        blends.offsets[row, j, c] = mixed.offsets[f, j, c]
            for p in range(mixed.planted.shape[1]):
                blends.planted[row, p] = mixed.planted[f, p]


@kernel
def lay_out(
    clips: MotionTable,
    blends: BlendTable,
    step_clips: Int64Array,
    joins: Int64Array,
    rows: Int64Array,
    anchors: Int64Array,
):
    """Fill in where each frame of the motion comes from, and which pose places it.

    step_clips (S,) are the clips of the steps, joins (S - 1,) the blends between them.  rows (F,) are rows
    in the clips' table or, where negative, ~row in the blends' table.  anchors (F,) are poses: 2 s is the
    start of step s, 2 s + 1 its end.
    """
    frame = 0
    for s in range(step_clips.shape[0]):
        clip = step_clips[s]
        steps = clips.steps[clip]
        before = blends.window[joins[s - 1]] if s > 0 else 0
        after = blends.window[joins[s]] if s < joins.shape[0] else 0
        # The frame where two clips meet is the last one of the first.
        for f in range(0 if s == 0 else 1, steps + 1):
            if f < before:
                rows[frame] = ~(blends.first[joins[s - 1]] + before + f)
                anchors[frame] = 2 * s
            elif s < joins.shape[0] and f > steps - max(after, 1):
                rows[frame] = ~(blends.first[joins[s]] + after + f - steps)
                anchors[frame] = 2 * s + 1
            else:
                rows[frame] = clips.first[clip] + clips.margin[clip] + f
                anchors[frame] = 2 * s
            frame += 1


@kernel
def carry(root_positions: np.ndarray, rotations: np.ndarray, row, x, y, heading, roots, turns, frame):
    """Copy a row of poses (N, 3) and (N, J, 4) to a frame of roots and turns, placed at a planar pose."""
    cosine, sine = math.cos(heading), math.sin(heading)
    east, north = root_positions[row, 0], root_positions[row, 1]
    roots[frame, 0] = x + cosine * east - sine * north
    roots[frame, 1] = y + sine * east + cosine * north
    roots[frame, 2] = root_positions[row, 2]
    w, i, j, k = rotations[row, 0, 0], rotations[row, 0, 1], rotations[row, 0, 2], rotations[row, 0, 3]
    w, i, j, k = multiply(math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading), w, i, j, k)
    turns[frame, 0, 0], turns[frame, 0, 1], turns[frame, 0, 2], turns[frame, 0, 3] = w, i, j, k
    for joint in range(1, rotations.shape[1]):
        for c in range(4):
            turns[frame, joint, c] = rotations[row, joint, c]


@kernel
def play(
    clips: MotionTable,
    blends: BlendTable,
    rows: Int64Array,
    anchors: Int64Array,
    poses: FloatArray,
    roots: FloatArray,
    turns: FloatArray,
):
    """Fill root positions (F, 3) and rotations (F, J, 4) of a motion from its layout; poses (2 S, 3) by anchor."""
    for f in range(rows.shape[0]):
        x, y, heading = poses[anchors[f], 0], poses[anchors[f], 1], poses[anchors[f], 2]
        if rows[f] >= 0:
            carry(clips.root_positions, clips.rotations, rows[f], x, y, heading, roots, turns, f)
        else:
            carry(blends.root_positions, blends.rotations, ~rows[f], x, y, heading, roots, turns, f)
