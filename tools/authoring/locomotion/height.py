"""How high the pelvis is: as the gait has it, but falling freely in flight and never beyond the legs' reach."""

from __future__ import annotations

import numpy as np
from scipy.linalg import solveh_banded
from tools.authoring import human_skeleton as human
from tools.authoring.authored import RATE_HZ
from tools.authoring.figure import FigureTracks, assemble
from tools.authoring.mass import GRAVITY_M_S2, centre_of_mass

from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray

REACH = 0.9945 * (human.THIGH_M + human.SHANK_M)
NEARLY_STRAIGHT = 0.988 * (human.THIGH_M + human.SHANK_M)  # from here on swinging feet are drawn in
ROUNDS = 12
LETTING_GO = 6  # after so many rounds no leg at its limit lets go any more
SETTLED_M = 2e-6
# Weights of what is wanted: to curve as meant, to be as high as meant; and of what must be.
CURVE, STAY, MUST = 1.0, 0.04, 300.0


def solve_height(tracks: FigureTracks, meant: FloatArray, standing: BoolArray, free: slice) -> None:
    """Set the pelvis's height, as near to what is meant (F,) as gravity and the legs allow.

    standing: (F, 2) which feet are on the ground.
    free: the frames, in one piece, where the height may differ from what is meant.
    """
    height = np.array(meant)
    flying = ~(standing[:, 0] | standing[:, 1])
    flying[[0, -1]] = False
    ankles = np.array(tracks.ankles)
    highest = highest_pelvis(tracks, standing)
    tight = np.zeros(len(meant), dtype=bool)
    for number in range(ROUNDS):
        tracks.pelvis[:, 2] = height
        tracks.ankles = keep_in_reach(tracks, ankles, standing)
        limbs = centre_of_mass(assemble(tracks, RATE_HZ))[:, 2] - height
        # A leg at its limit is seen by the little that is left of its excess; without any it lets go again.
        tight = (height > highest) | (tight & (number > LETTING_GO))
        last, height = height, _least_squares(meant, limbs, flying, np.where(tight, highest, np.nan), free)
        if np.abs(height - last).max() < SETTLED_M:
            break
    tracks.pelvis[:, 2] = height
    tracks.ankles = keep_in_reach(tracks, ankles, standing)


def highest_pelvis(tracks: FigureTracks, standing: BoolArray) -> FloatArray:
    """Return how high the pelvis may be (F,) for the legs of standing feet to reach the ground."""
    hips = _hips_from_pelvis(tracks)
    level = np.linalg.norm(tracks.pelvis[:, None, :2] + hips[..., :2] - tracks.ankles[..., :2], axis=2)
    above = np.sqrt(np.maximum(REACH**2 - level**2, 0.0))
    limits = tracks.ankles[..., 2] + above - hips[..., 2]
    return np.where(standing, limits, np.inf).min(axis=1)


def keep_in_reach(tracks: FigureTracks, ankles: FloatArray, standing: BoolArray) -> FloatArray:
    """Draw swinging feet in where the legs would get too straight."""
    hips = tracks.pelvis[:, None] + _hips_from_pelvis(tracks)
    legs = ankles - hips
    length = np.linalg.norm(legs, axis=2)
    room = REACH - NEARLY_STRAIGHT
    soft = REACH - room * np.exp(np.minimum(NEARLY_STRAIGHT - length, 0.0) / room)
    drawn_in = ~standing & (length > NEARLY_STRAIGHT)
    return np.where(drawn_in[..., None], hips + legs * (soft / length)[..., None], ankles)


def _hips_from_pelvis(tracks: FigureTracks) -> FloatArray:
    """Return the hip joints (F, 2, 3) relative to the pelvis, turned with it."""
    turn = quaternion.multiply(
        quaternion.from_heading(tracks.pelvis_yaw),
        quaternion.multiply(
            quaternion.from_axis_angle(np.array([0.0, 1.0, 0.0]), tracks.track("pelvis_pitch")),
            quaternion.from_axis_angle(np.array([1.0, 0.0, 0.0]), tracks.track("pelvis_roll")),
        ),
    )
    width, depth = human.HIP_HALF_WIDTH_M, -human.HIPS_ABOVE_HIP_JOINTS_M
    return quaternion.rotate(turn[:, None], np.array([[0.0, width, depth], [0.0, -width, depth]]))


def _least_squares(
    meant: FloatArray, limbs: FloatArray, flying: BoolArray, limit: FloatArray, free: slice
) -> FloatArray:
    """Solve for the height (F,); a limit that is a number is to be met."""
    flight = flying[1:-1]
    fall = -GRAVITY_M_S2 / RATE_HZ**2 - np.diff(limbs + meant, 2)
    weight = np.where(flight, MUST, CURVE) ** 2
    tight = np.where(np.isnan(limit), 0.0, MUST**2)
    # The normal equations have five diagonals; these are the main one and the two below it.
    bands = np.zeros((3, len(meant)))
    bands[0] = STAY**2 + tight
    wanted = tight * np.nan_to_num(limit - meant)
    for offset, factor in enumerate((1.0, -2.0, 1.0)):
        inner = slice(offset, offset + len(weight))
        bands[0, inner] += factor**2 * weight
        wanted[inner] += factor * weight * np.where(flight, fall, 0.0)
    bands[1, :-2] -= 2.0 * weight
    bands[1, 1:-1] -= 2.0 * weight
    bands[2, :-2] += weight
    moved = np.zeros(len(meant))
    moved[free] = solveh_banded(bands[:, free], wanted[free], lower=True)
    return meant + moved
