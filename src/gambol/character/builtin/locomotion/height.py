"""How high the pelvis is: as the gait has it, but falling freely in flight and never beyond the legs' reach."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.character.builtin import human_skeleton as human
from gambol.character.builtin.authored import RATE_HZ
from gambol.character.builtin.figure import FigureTracks, assemble
from gambol.character.builtin.mass import GRAVITY_M_S2, centre_of_mass
from gambol.geometry import quaternion

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]

REACH = 0.9945 * (human.THIGH_M + human.SHANK_M)
ROUNDS = 8
# Weights of what is wanted: to curve as meant, to be as high as meant; and of what must be.
CURVE, STAY, MUST = 1.0, 0.04, 300.0


def solve_height(
    tracks: FigureTracks, meant: FloatArray, standing: BoolArray, free: BoolArray
) -> FloatArray:
    """Return the pelvis's height (F,), as near to what is meant as gravity and the legs allow.

    standing: (F, 2) which feet are on the ground.
    free: (F,) where the height may differ from what is meant.
    """
    height = np.array(meant)
    flying = ~standing.any(axis=1)
    flying[[0, -1]] = False
    for _ in range(ROUNDS):
        tracks.pelvis[:, 2] = height
        motion = assemble(tracks, RATE_HZ)
        limbs = centre_of_mass(motion)[:, 2] - height
        highest = highest_pelvis(tracks, standing)
        height = _least_squares(meant, limbs, flying, highest, height, free)
    return height


def highest_pelvis(tracks: FigureTracks, standing: BoolArray) -> FloatArray:
    """Return how high the pelvis may be (F,) for the legs of standing feet to reach the ground."""
    turn = quaternion.multiply(
        quaternion.from_heading(tracks.pelvis_yaw),
        quaternion.multiply(
            quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), tracks.track("pelvis_pitch")),
            quaternion.from_axis_angle(np.array([1.0, 0.0, 0.0]), tracks.track("pelvis_roll")),
        ),
    )
    highest = np.full(tracks.frame_count, np.inf)
    for side, left in enumerate((1.0, -1.0)):
        offset = np.array([0.0, human.HIP_HALF_WIDTH_M * left, -human.HIPS_ABOVE_HIP_JOINTS_M])
        hip = quaternion.rotate(turn, offset)
        level = np.linalg.norm(tracks.pelvis[:, :2] + hip[:, :2] - tracks.ankles[:, side, :2], axis=1)
        above = np.sqrt(np.maximum(REACH**2 - level**2, 0.0))
        limit = tracks.ankles[:, side, 2] + above - hip[:, 2]
        highest = np.where(standing[:, side], np.minimum(highest, limit), highest)
    return highest


def _least_squares(
    meant: FloatArray, limbs: FloatArray, flying: BoolArray, highest: FloatArray, last: FloatArray, free: BoolArray
) -> FloatArray:
    """Solve for the height by frame; `last` says which limits of reach are in question."""
    count = len(meant)
    second = np.zeros((count - 2, count))
    rows = np.arange(count - 2)
    second[rows, rows], second[rows, rows + 1], second[rows, rows + 2] = 1.0, -2.0, 1.0
    flight = flying[1:-1]
    fall = -GRAVITY_M_S2 / RATE_HZ**2 - second @ limbs
    difference = np.where(flight, fall - second @ meant, 0.0)
    weight = np.where(flight, MUST, CURVE)
    # A leg at its limit is seen by the little that is left of its excess; without any it lets go again.
    tight = last > highest
    matrix = np.vstack((weight[:, None] * second, STAY * np.eye(count), MUST * np.eye(count)[tight]))
    wanted = np.concatenate((weight * difference, np.zeros(count), MUST * (highest - meant)[tight]))
    moved = np.zeros(count)
    if free.any():
        moved[free] = np.linalg.lstsq(matrix[:, free], wanted, rcond=None)[0]
    return meant + moved
