"""Key postures: a whole body fitted to a stance, and made comfortable."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.climb.figure import FREE
from gambol.climb.kernels.kinematics import centre_of_mass, place
from gambol.climb.kernels.posture import fit_posture
from gambol.climb.modes import Mode
from gambol.climb.stances.setting import StanceSetting
from gambol.climb.stances.stance import Stance
from gambol.geometry.arrays import FloatArray

MARGIN_M = 0.008  # that key postures keep clear of what is solid
STEPS = 320  # of a descent
TRIES = 3
WORST = 14.0  # logarithm of the discomfort beyond which no key posture is taken


class Posture(NamedTuple):
    q: FloatArray
    discomfort: float  # its logarithm, 0 or more


def _swing_arms(q: FloatArray) -> None:
    """Let arms hang, against the legs: wherever they were, that is where a walker's go."""
    for arm, hip in ((4, 10), (6, 8)):
        q[arm] = 0.75 * (q[hip] - q[2]) - 0.06 + q[2]
        q[arm + 1] = 0.4


class Poser:
    """Fits postures for one problem."""

    def __init__(self, setting: StanceSetting, state: NDArray[np.uint64]) -> None:
        self._setting = setting
        self._state = state
        self.fits = 0

    def centre(self, facing: float, q: FloatArray) -> tuple[float, float]:
        points = np.empty((12, 2))
        place(self._setting.figure, float(facing), q, points)
        return centre_of_mass(self._setting.figure, points)

    def fit(
        self, stance: Stance, start: FloatArray, allowed: tuple[float, float], *, effort: float = 1.0
    ) -> Posture | None:
        """Return a comfortable posture for a stance, its centre of mass in an allowed stretch; None if none is found.

        start: a configuration to begin at; if that leads nowhere, others follow.
        """
        setting = self._setting
        targets = setting.targets(stance.facing, stance.grasps)
        grasps = np.array(stance.grasps, dtype=np.int32)
        balance = setting.span(stance.mode, stance.facing, stance.grasps)
        top = setting.head_room(stance.mode, stance.grasps)
        span = np.array([*allowed, top, *balance])
        for attempt in range(TRIES):
            q = np.array(start) if attempt == 0 else self._guess(stance, targets, jitter=attempt - 1)
            if stance.mode == Mode.WALK:
                _swing_arms(q)
            self.fits += 1
            violation, discomfort = fit_posture(
                setting.figure, setting.field, setting.usage, float(stance.facing), int(stance.mode), targets, grasps,
                span, MARGIN_M, int(effort * STEPS), self._state, q,
            )  # fmt: skip
            if violation <= 0.0:
                return Posture(q, discomfort) if discomfort <= WORST else None
        return None

    def _guess(self, stance: Stance, targets: FloatArray, *, jitter: int) -> FloatArray:
        """Return what a figure in a stance looks like, roughly."""
        figure, scale, facing = self._setting.figure, self._setting.scale, stance.facing
        held = [limb for limb in range(4) if stance.grasps[limb] != FREE]
        hands = targets[[limb for limb in held if limb < 2]]
        feet = targets[[limb for limb in held if limb >= 2]]
        leg = figure.thigh + figure.shank
        q = np.zeros(12)
        q[4:8] = 0.1, 0.4, 0.1, 0.4
        q[8:12] = 0.25, 0.4, 0.25, 0.4
        if stance.mode == Mode.WALK or not len(hands):
            q[:3] = feet[:, 0].mean(), feet[:, 1].mean() + 0.93 * leg, 0.06
        elif stance.mode == Mode.CRAWL:
            middle = 0.5 * (hands[:, 0].mean() + feet[:, 0].mean()) if len(feet) else hands[:, 0].mean() - 0.4 * facing
            q[:3] = middle - 0.15 * facing * scale, hands[:, 1].mean() + 0.42 * scale, 1.3
            q[3] = -0.6
            q[4:8] = 1.4, 0.2, 1.4, 0.2
            q[8:12] = 1.5, 1.5, 1.5, 1.5
        elif stance.mode == Mode.SWING and not len(feet):
            q[:3] = hands[:, 0].mean(), hands[:, 1].mean() - 0.58 * scale - figure.shoulder, 0.0
        else:
            low = feet[:, 1].mean() + 0.7 * leg if len(feet) else hands[:, 1].mean() - 0.9 * scale
            high = hands[:, 1].mean() - 0.1 * scale - figure.shoulder
            x = hands[:, 0].mean() - 0.35 * facing * scale
            if len(feet):
                x = 0.5 * (x + feet[:, 0].mean() - 0.1 * facing * scale)
            q[:3] = x, 0.5 * (low + high), 0.1
        if jitter:
            rng = np.random.default_rng(int(self._state[0] % np.uint64(2**32)))
            q[:2] += rng.normal(0.0, 0.15 * scale, 2)
            q[2] += rng.normal(0.0, 0.4)
        return q
