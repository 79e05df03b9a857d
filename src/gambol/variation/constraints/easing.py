"""Equation 5.7 for all frames of a limb at once, seen from both sides in time: ours.

As printed, a frame knows only the two before it: a correction that a contact needs arrives, and leaves, all at once.
Here the change of a limb's angles is the smoothest and smallest over the whole motion with which what is planted stays:
it begins before a contact and fades after it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import solveh_banded

from gambol.geometry.arrays import FloatArray
from gambol.variation.constraints.kernels import limb as limb_kernels
from gambol.variation.constraints.limbs import LimbFrames

EASE_S = 0.05  # a correction comes and goes within about four times as long
LAST = 2  # ankle or wrist
LAST_SMOOTH = 0.003  # how much more suddenly it may turn
GRIP = 1e6  # how much dearer, per square metre, it is to miss a place than to turn, per square radian
FIRMNESS = 1e6  # how much dearer it is to leave the range of the data
ROUNDS = 40
DONE = 1e-4  # a round that makes things better by a smaller share is the last,
DONE_RAD = 1e-5  # and one that turns by less
LONGEST_RAD = 0.5  # a round turns no angle by more: farther away slopes say nothing
LEAST_DAMPING = 10.0  # of a round's turns, where a round without it made things worse
DAMPING_GROWTH = 10.0


class Wishes(NamedTuple):
    """What is asked of P points of a limb with N angles, in F frames."""

    places: FloatArray  # (F, P, 3) metres, where they should be
    weights: FloatArray  # (F, P, 3) how firmly, from 0 to 1
    stays: FloatArray  # (F - 1, P) how firmly they should move over the ground, until the next frame, by
    slides: FloatArray  # (F - 1, P, 2) metres
    floors: FloatArray  # (F, P) metres, heights that they should not be below
    low: FloatArray  # (N,) radians, angles that should not be left
    high: FloatArray  # (N,)
    lowest: FloatArray  # (3, 3) radians, joints' rotation vectors that should not be left
    highest: FloatArray  # (3, 3)


def eased_angles(
    frames: LimbFrames, before: FloatArray, wishes: Wishes, *, rate_hz: float, ease_s: float = EASE_S
) -> FloatArray:
    """Return the limb's angles (F, N) that fulfil wishes and stay near those before, smoothly."""
    count = before.shape[1]
    smooth = (ease_s * rate_hz) ** 4 * np.where(frames.joints == LAST, LAST_SMOOTH, 1.0)
    shape = (2 * count + 1, before.size)
    bands, pulls, new_bands, new_pulls = np.empty(shape), np.empty(before.size), np.empty(shape), np.empty(before.size)

    def gather(angles: FloatArray, bands: FloatArray, pulls: FloatArray) -> float:
        return limb_kernels.add_frames(
            *frames.places(angles), angles, before, wishes.places, GRIP * wishes.weights, wishes.stays, wishes.slides,
            wishes.floors, wishes.low, wishes.high, frames.held, frames.joints, frames.axes, wishes.lowest,
            wishes.highest, FIRMNESS, GRIP, 1.0, smooth, bands, pulls,
        )  # fmt: skip

    angles, damping = np.array(before), 0.0
    cost = gather(angles, bands, pulls)
    for _ in range(ROUNDS):
        damped = np.array(bands)
        damped[0] += damping
        change = solveh_banded(damped, pulls, lower=True, check_finite=False).reshape(angles.shape)
        is_too_far = np.abs(change).max() > LONGEST_RAD
        new_cost = np.inf if is_too_far else gather(angles + change, new_bands, new_pulls)
        if new_cost > cost:
            damping = max(LEAST_DAMPING, DAMPING_GROWTH * damping)
            continue
        angles += change
        gained, cost = cost - new_cost, new_cost
        bands, pulls, new_bands, new_pulls = new_bands, new_pulls, bands, pulls
        damping = damping / DAMPING_GROWTH if damping > LEAST_DAMPING else 0.0
        if gained < DONE * cost or np.abs(change).max() < DONE_RAD:
            break
    return angles
