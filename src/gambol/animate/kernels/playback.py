"""Lay clips and the blends between them end to end."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.characters.kernels.blending import blend_pair
from gambol.geometry.kernels.quaternion import multiply
from gambol.kernels.jit import kernel


class BlendTable(NamedTuple):
    """N blends with W frames in all, each seen from its join's pose."""

    first: np.ndarray  # (N,) row of each blend's first frame
    window: np.ndarray  # (N,) frames on either side of the join
    root_positions: np.ndarray  # (W, 3) single precision, as all poses here: good to a thousandth of a millimetre
    rotations: np.ndarray  # (W, J, 4)
    offsets: np.ndarray  # (W, J, 3), or (1, J, 3) where all bones are rigid
    planted: np.ndarray  # (W, P)


@kernel
def fill_blends(clips, limbs, pairs, blends):
    """Blend pairs (N, 2) of clips into the rows that are laid out for them."""
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
def lay_out(clips, blends, step_clips, joins, rows, anchors):
    """Fill in where each frame of the motion comes from, and which pose carries it.

    step_clips (S,) are clips, joins (S - 1,) the blends between them.  Rows (F,) count in the clips'
    table, or, where negative, ~row in that of the blends.  Anchors: 2 s is where step s begins, 2 s + 1
    where it ends.
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
def carry(root_positions, rotations, row, x, y, heading, roots, turns, frame):
    """Copy a pose to a frame, carried by a planar pose."""
    cosine, sine = math.cos(heading), math.sin(heading)
    east, north = root_positions[row, 0], root_positions[row, 1]
    roots[frame, 0] = x + cosine * east - sine * north
    roots[frame, 1] = y + sine * east + cosine * north
    roots[frame, 2] = root_positions[row, 2]
    w, i, j, k = multiply(
        math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading),
        rotations[row, 0, 0], rotations[row, 0, 1], rotations[row, 0, 2], rotations[row, 0, 3],
    )  # fmt: skip
    turns[frame, 0, 0], turns[frame, 0, 1], turns[frame, 0, 2], turns[frame, 0, 3] = w, i, j, k
    for joint in range(1, rotations.shape[1]):
        for c in range(4):
            turns[frame, joint, c] = rotations[row, joint, c]


@kernel
def play(clips, blends, rows, anchors, poses, roots, turns):
    """Fill root positions (F, 3) and rotations (F, J, 4) of a motion that is laid out; poses are by anchor."""
    for f in range(rows.shape[0]):
        x, y, heading = poses[anchors[f], 0], poses[anchors[f], 1], poses[anchors[f], 2]
        if rows[f] >= 0:
            carry(clips.root_positions, clips.rotations, rows[f], x, y, heading, roots, turns, f)
        else:
            carry(blends.root_positions, blends.rotations, ~rows[f], x, y, heading, roots, turns, f)
