"""Feet that stay: equation 5.7 beside scipy's sequential least squares, and all frames of a motion at once."""

from __future__ import annotations

import time

import numpy as np
from scipy.optimize import minimize
from tests.variation.test_variation_constraints import limb_of, sliding, walks

from evidence.benchmarks.timing import Row, median_seconds
from gambol.variation import constrained
from gambol.variation.constraints.limbs import VARYING
from gambol.variation.constraints.printed import angles_at, angles_by_frame

ON = np.array([True])


def run() -> list[Row]:
    rows = []
    for name, what in (("left_toe", "a foot, 6 angles"), ("left_hand", "a hand, 7 angles")):
        frames, angles = limb_of(1, name)
        rng = np.random.default_rng(1)
        wanted = angles + rng.normal(0.0, 0.05, angles.shape)
        aims = frames.places(angles + rng.normal(0.0, 0.05, angles.shape))[0]
        planted = np.ones((len(angles), 1), dtype=bool)
        seconds = median_seconds(lambda: angles_by_frame(frames, angles, wanted, planted, rate_hz=60.0))  # noqa: B023
        start, worst = time.perf_counter(), 0.0
        for frame in range(len(angles)):
            one = frames._replace(**{field: getattr(frames, field)[frame : frame + 1] for field in VARYING})

            found = minimize(
                lambda q, frame=frame: np.sum((q - wanted[frame]) ** 2), angles[frame], method="SLSQP",  # noqa: B023
                constraints={"type": "eq", "fun": lambda q, frame=frame: one.places(q[None])[0][0, 0] - aims[frame, 0]},  # noqa: B023
                options={"ftol": 1e-16, "maxiter": 500},
            )  # fmt: skip
            ours = angles_at(frames, frame, wanted[frame], angles[frame], aims[frame], ON)
            worst = max(worst, float(np.abs(found.x - ours).max()))
        oracle = (time.perf_counter() - start) / len(angles)
        ours = seconds / len(angles)
        rows.append(
            Row(
                f"equation 5.7, a frame of {what}",
                f"{1e6 * ours:.0f} µs",
                f"{1e3 * oracle:.1f} ms (scipy SLSQP)",
                f"{oracle / ours:.0f}",
                f"the same angles to {worst:.0e} rad",
            )
        )
    drawn, contacts = sliding(0.02)
    seconds = median_seconds(lambda: constrained(walks(), drawn, contacts))
    lasts = len(drawn.values) / walks().rate_hz
    rows.append(
        Row(
            "feet of a walk planted, all frames at once, ranges and accelerations kept",
            f"{lasts / seconds:.0f} times real time",
            "(none)",
            "",
            f"{1e3 * seconds / lasts:.1f} ms a second of motion",
        )
    )
    return rows
