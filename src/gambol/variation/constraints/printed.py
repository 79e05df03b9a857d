"""Equation 5.7 as printed: each limb and frame by itself, near the prediction and smooth after the two frames before.

    min over q of w1 |q - predicted|^2 + w2 |q - 2 q(-1) + q(-2)|^2, with the planted points where they came to rest

The thesis leaves two things open.  Ours: points rest where they are when their contact begins; after a contact a limb
returns to the drawn motion like a critically damped spring.
"""

from __future__ import annotations

import numpy as np

from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import Contacts
from gambol.motion.joint_names import arms, legs
from gambol.motion.motion import Motion
from gambol.variation.constraints.kernels import limb as limb_kernels
from gambol.variation.constraints.kernels.limb import LimbFrames
from gambol.variation.constraints.limbs import limb_angles

NEAR = 1.0  # weight w1: larger keeps angles nearer to the predicted ones
SMOOTH = 5.0  # weight w2: larger makes angles smoother
FADE_S = 0.06  # seconds: time constant of the spring; larger: a limb returns to the drawn motion more slowly


def planted_by_frame(motion: Motion, predicted: Motion, contacts: Contacts) -> Motion:
    """Return a motion whose planted feet and hands stay, frame by frame; predicted: the motion without chance."""
    for limb in (*legs(motion.skeleton), *arms(motion.skeleton)):
        below = motion.skeleton.is_below(limb.end)
        own = [p for p, point in enumerate(contacts.points) if below[point.joint]]
        planted = contacts.planted[:, own]
        if planted.any():
            angles = limb_angles([motion], limb)
            frames = angles.frames(motion, [contacts.points[p] for p in own])
            turned = angles_by_frame(frames, angles.of(motion), angles.of(predicted), planted, rate_hz=motion.rate_hz)
            motion = angles.turned(motion, turned)
    return motion


def angles_by_frame(
    frames: LimbFrames, drawn: FloatArray, predicted: FloatArray, planted: BoolArray, *, rate_hz: float
) -> FloatArray:
    """Return a limb's angles (F, N) by equation 5.7; planted (F, P): which points rest."""
    angles = np.empty_like(drawn)
    fading = float(np.exp(-1.0 / (FADE_S * rate_hz)))
    limb_kernels.follow_frames(
        np.ascontiguousarray(drawn),
        np.ascontiguousarray(predicted),
        np.ascontiguousarray(planted),
        NEAR,
        SMOOTH,
        fading,
        frames,
        angles,
    )
    return angles


def angles_at(
    frames: LimbFrames, frame: int, wanted: FloatArray, start: FloatArray, places: FloatArray, on: BoolArray
) -> FloatArray:
    """Return a frame's angles (N,) nearest to the wanted ones with the points (P,) that are on at places (P, 3)."""
    angles = np.array(start, dtype=np.float64)
    wanted, places = (np.asarray(values, dtype=np.float64) for values in (wanted, places))
    resting = np.asarray(on, dtype=np.bool_)
    limb_kernels.nearest_angles(frame, wanted, angles, places, resting, frames, np.empty((len(on), 3)))
    return angles
