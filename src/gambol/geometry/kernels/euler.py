"""Euler angles to quaternions and back, for any order of three different moving axes."""

from __future__ import annotations

import math

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.geometry.kernels.quaternion import Quaternion, multiply
from gambol.kernels.jit import kernel

TURN = 2.0 * math.pi  # radians of a whole turn


@kernel
def about_axis(axis: int, angle: float) -> Quaternion:
    """Return the turn about a coordinate axis (0, 1 or 2)."""
    cosine = math.cos(0.5 * angle)
    sine = math.sin(0.5 * angle)
    if axis == 0:
        return cosine, sine, 0.0, 0.0
    if axis == 1:
        return cosine, 0.0, sine, 0.0
    return cosine, 0.0, 0.0, sine


@kernel
def from_euler(angles: FloatArray, first: int, second: int, third: int) -> FloatArray:
    """Compose rows of three angles (N, 3) about three axes into quaternions (N, 4)."""
    count = angles.shape[0]
    result = np.empty((count, 4))
    for i in range(count):
        aw, ax, ay, az = about_axis(first, angles[i, 0])
        bw, bx, by, bz = about_axis(second, angles[i, 1])
        cw, cx, cy, cz = about_axis(third, angles[i, 2])
        w, x, y, z = multiply(aw, ax, ay, az, bw, bx, by, bz)
        w, x, y, z = multiply(w, x, y, z, cw, cx, cy, cz)
        result[i, 0] = w
        result[i, 1] = x
        result[i, 2] = y
        result[i, 3] = z
    return result


@kernel
def nearest_turn(angle: float, reference: float) -> float:
    """Return the angle plus the whole turns that bring it nearest to the reference."""
    return angle + TURN * round((reference - angle) / TURN)


@kernel
def to_euler(rotations: FloatArray, first: int, second: int, third: int) -> FloatArray:
    """Split tracks of quaternions (F, T, 4) into angles (F, T, 3), each nearest to the one before.

    The half sum and half difference of the outer angles follow from two arctangents [Bernardes &
    Viollet 2022, Quaternion to Euler angles conversion: a direct, general and computationally
    efficient method], which stays exact near gimbal lock, where only one of the two is defined.
    """
    frames, tracks = rotations.shape[0], rotations.shape[1]
    result = np.empty((frames, tracks, 3))
    # The published formulas turn about fixed axes: the same angles in reverse order.
    parity = 1.0 if (second - third) % 3 == 1 else -1.0
    for t in range(tracks):
        before_1 = 0.0
        before_2 = 0.0
        before_3 = 0.0
        for f in range(frames):
            w = rotations[f, t, 0]
            i = rotations[f, t, 1 + third]
            j = rotations[f, t, 1 + second]
            k = rotations[f, t, 1 + first] * parity
            # Rotating the middle axis by a quarter turn makes Tait-Bryan angles proper ones.
            a = w - j
            b = i + k
            c = j + w
            d = k - i
            middle = 2.0 * math.atan2(math.hypot(c, d), math.hypot(a, b))
            half_sum = math.atan2(b, a)
            half_difference = math.atan2(d, c)
            if middle < 1e-9:
                # Only the sum is defined: the third angle stays as it was.
                angle_3 = before_3
                angle_1 = (2.0 * half_sum - angle_3) * parity
            elif math.pi - middle < 1e-9:
                angle_3 = before_3
                angle_1 = (2.0 * half_difference + angle_3) * parity
            else:
                angle_3 = half_sum - half_difference
                angle_1 = (half_sum + half_difference) * parity
            angle_2 = middle - 0.5 * math.pi

            one_1 = nearest_turn(angle_1, before_1)
            one_2 = nearest_turn(angle_2, before_2)
            one_3 = nearest_turn(angle_3, before_3)
            two_1 = nearest_turn(angle_1 + math.pi, before_1)
            two_2 = nearest_turn(math.pi - angle_2, before_2)
            two_3 = nearest_turn(angle_3 + math.pi, before_3)
            one = abs(one_1 - before_1) + abs(one_2 - before_2) + abs(one_3 - before_3)
            two = abs(two_1 - before_1) + abs(two_2 - before_2) + abs(two_3 - before_3)
            if one <= two:
                before_1, before_2, before_3 = one_1, one_2, one_3
            else:
                before_1, before_2, before_3 = two_1, two_2, two_3
            result[f, t, 0] = before_1
            result[f, t, 1] = before_2
            result[f, t, 2] = before_3
    return result
