"""Equation 5.7 for all frames of a limb at once, looking both ways in time: ours.

As printed, a frame knows only the two before it: a correction for a contact comes, and goes, all at once.  Here the
change of a limb's angles is the smoothest and smallest over the whole motion that keeps planted points at rest: it
begins before a contact and fades after it.
"""

from __future__ import annotations

import numpy as np
import scipy

from gambol.geometry.arrays import FloatArray
from gambol.variation.constraints.kernels.limb import LimbFrames
from gambol.variation.constraints.kernels.limb_equations import Equations, Wishes, add_frames

EASE_S = 0.05  # seconds: a correction comes and goes within about four times as long; larger: more gently
LAST = 2  # index of a limb's last joint: ankle or wrist
LAST_SMOOTH = 0.003  # smoothness of the last joint, as a share of the others'; smaller: it may turn more suddenly
ROUNDS = 40  # the most rounds of the search
DONE = 1e-4  # share of the cost: a round that saves less is the last
DONE_RAD = 1e-5  # radians: a round that turns no angle by more is the last
LONGEST_RAD = 0.5  # radians: a round may turn no angle by more, as slopes say nothing farther away
LEAST_DAMPING = 10.0  # first damping of a round's turns, after a round made things worse
DAMPING_GROWTH = 10.0  # factor by which damping grows after a bad round and falls after a good one


def eased_angles(
    frames: LimbFrames, before: FloatArray, wishes: Wishes, *, rate_hz: float, ease_s: float = EASE_S
) -> FloatArray:
    """Return the limb's angles (F, N) that fulfil the wishes and stay near the angles before, smoothly."""
    count = before.shape[1]
    smooth = (ease_s * rate_hz) ** 4 * np.where(frames.joints == LAST, LAST_SMOOTH, 1.0)
    now, trial = (Equations(np.empty((2 * count + 1, before.size)), np.empty(before.size)) for _ in range(2))

    def gather(angles: FloatArray, equations: Equations) -> float:
        return add_frames(*frames.places(angles), angles, before, wishes, frames, smooth, equations)

    angles, damping = np.array(before), 0.0
    cost = gather(angles, now)
    for _ in range(ROUNDS):
        damped = np.array(now.bands)
        damped[0] += damping
        change = scipy.linalg.solveh_banded(damped, now.pulls, lower=True, check_finite=False).reshape(angles.shape)
        is_too_far = np.abs(change).max() > LONGEST_RAD
        new_cost = np.inf if is_too_far else gather(angles + change, trial)
        if new_cost > cost:
            damping = max(LEAST_DAMPING, DAMPING_GROWTH * damping)
            continue
        angles += change
        gained, cost = cost - new_cost, new_cost
        now, trial = trial, now
        damping = damping / DAMPING_GROWTH if damping > LEAST_DAMPING else 0.0
        if gained < DONE * cost or np.abs(change).max() < DONE_RAD:
            break
    return angles
