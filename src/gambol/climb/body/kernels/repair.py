"""Whole limbs in space against what is solid, as balls: how deep they are, and how that changes with small turns."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.climb.kernels.field import distance_at
from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel

#: Changes of a limb: of its end ahead and up (metres), pitch of hand or foot, swivel of elbow or knee, bend of
#: toes, or of a hand about its own x.
CHANGES = 5
UPPER, LOWER, END, TOES = range(4)
DIFFERENCE = 1e-3
STRAIGHTEST = 0.9995  # a limb that would have to be longer is too short
SHORT_M = 0.001  # what costs one of that


class RepairedLimb(NamedTuple):
    """One arm or leg at some frames, in the body's space, with the balls that stand for it."""

    x: FloatArray  # (F,) the pelvis in the world
    cosine: FloatArray  # (F,) of the way the body faces
    sine: FloatArray
    root: FloatArray  # (F, 3)
    pivot: FloatArray  # (F, 3) palm or ankle
    pole: FloatArray  # (F, 3) where elbow or knee stands off
    frame: FloatArray  # (F, 3, 3) of hand or foot
    toes: FloatArray  # (F,) bend
    upper: float
    lower: float
    to_pivot: FloatArray  # (3,) in the frame of hand or foot
    hinge: FloatArray  # (3,) of the toes
    flexes: bool  # a hand has no toes: it bends about its own x instead, around the pivot
    part: NDArray[np.int64]  # (B,) UPPER, LOWER, END or TOES
    local: FloatArray  # (B, 3); of UPPER and LOWER only the last counts, as a distance from the joint
    radius: FloatArray  # (B,)


@kernel
def place_balls(limb, f, change, x, z):
    """Write where balls are (B,) in the world's plane after a change (5,); return how far the limb is too short."""
    m, pitch_cosine, pitch_sine = limb.frame[f], math.cos(change[2]), math.sin(change[2])
    # Rows of the frame, pitched about the body's y; the row across stays.
    xx, xy, xz = (
        pitch_cosine * m[0, 0] + pitch_sine * m[2, 0],
        pitch_cosine * m[0, 1] + pitch_sine * m[2, 1],
        pitch_cosine * m[0, 2] + pitch_sine * m[2, 2],
    )
    zx, zy, zz = (
        pitch_cosine * m[2, 0] - pitch_sine * m[0, 0],
        pitch_cosine * m[2, 1] - pitch_sine * m[0, 1],
        pitch_cosine * m[2, 2] - pitch_sine * m[0, 2],
    )
    flex_cosine, flex_sine = (math.cos(change[4]), math.sin(change[4])) if limb.flexes else (1.0, 0.0)
    p0 = limb.to_pivot[0]
    p1 = flex_cosine * limb.to_pivot[1] - flex_sine * limb.to_pivot[2]
    p2 = flex_sine * limb.to_pivot[1] + flex_cosine * limb.to_pivot[2]
    ex = limb.pivot[f, 0] + change[0] - (xx * p0 + xy * p1 + xz * p2)
    ey = limb.pivot[f, 1] - (m[1, 0] * p0 + m[1, 1] * p1 + m[1, 2] * p2)
    ez = limb.pivot[f, 2] + change[1] - (zx * p0 + zy * p1 + zz * p2)
    sx, sy, sz = limb.root[f, 0], limb.root[f, 1], limb.root[f, 2]
    lx, ly, lz = ex - sx, ey - sy, ez - sz
    distance = max(1e-6, math.sqrt(lx * lx + ly * ly + lz * lz))
    lx, ly, lz = lx / distance, ly / distance, lz / distance
    most = STRAIGHTEST * (limb.upper + limb.lower)
    short = max(0.0, distance - most)
    span = min(distance, most)
    ex, ey, ez = sx + span * lx, sy + span * ly, sz + span * lz
    # Where the middle joint stands off: the pole at right angles to the line, turned about it.
    ax, ay, az = limb.pole[f, 0], limb.pole[f, 1], limb.pole[f, 2]
    along = ax * lx + ay * ly + az * lz
    ax, ay, az = ax - along * lx, ay - along * ly, az - along * lz
    size = max(1e-9, math.sqrt(ax * ax + ay * ay + az * az))
    ax, ay, az = ax / size, ay / size, az / size
    turn_cosine, turn_sine = math.cos(change[3]), math.sin(change[3])
    ax, ay, az = (
        turn_cosine * ax + turn_sine * (ly * az - lz * ay),
        turn_cosine * ay + turn_sine * (lz * ax - lx * az),
        turn_cosine * az + turn_sine * (lx * ay - ly * ax),
    )
    bend = (limb.upper**2 + span**2 - limb.lower**2) / (2.0 * limb.upper * span)
    bend = min(1.0, max(-1.0, bend))
    off = math.sqrt(1.0 - bend * bend)
    ux, uy, uz = bend * lx + off * ax, bend * ly + off * ay, bend * lz + off * az
    kx, ky, kz = sx + limb.upper * ux, sy + limb.upper * uy, sz + limb.upper * uz
    vx, vy, vz = (ex - kx) / limb.lower, (ey - ky) / limb.lower, (ez - kz) / limb.lower
    toes_cosine, toes_sine = math.cos(limb.toes[f] + change[4]), math.sin(limb.toes[f] + change[4])
    for b in range(len(limb.part)):
        part, l0, l1, l2 = limb.part[b], limb.local[b, 0], limb.local[b, 1], limb.local[b, 2]
        if part == UPPER:
            bx, by, bz = sx + l2 * ux, sy + l2 * uy, sz + l2 * uz
        elif part == LOWER:
            bx, by, bz = kx + l2 * vx, ky + l2 * vy, kz + l2 * vz
        else:
            if part == TOES:
                l0, l2 = toes_cosine * l0 - toes_sine * l2, toes_sine * l0 + toes_cosine * l2
                l0, l1, l2 = limb.hinge[0] + l0, limb.hinge[1] + l1, limb.hinge[2] + l2
            l1, l2 = flex_cosine * l1 - flex_sine * l2, flex_sine * l1 + flex_cosine * l2
            bx = ex + xx * l0 + xy * l1 + xz * l2
            by = ey + m[1, 0] * l0 + m[1, 1] * l1 + m[1, 2] * l2
            bz = ez + zx * l0 + zy * l1 + zz * l2
        x[b] = limb.x[f] + limb.cosine[f] * bx - limb.sine[f] * by
        z[b] = bz
    return short


@kernel
def deepest_balls(field, limb, changes, deepest):
    """Fill how deep limbs are in what is solid (F,), between frames too (which counts for the frame before)."""
    count = len(limb.part)
    x, z, next_x, next_z = np.empty(count), np.empty(count), np.empty(count), np.empty(count)
    place_balls(limb, 0, changes[0], next_x, next_z)
    for f in range(len(limb.x)):
        x[:], z[:] = next_x, next_z
        last = f == len(limb.x) - 1
        if not last:
            place_balls(limb, f + 1, changes[f + 1], next_x, next_z)
        deep = -1e9
        for b in range(count):
            deep = max(deep, limb.radius[b] - distance_at(field, x[b], z[b]))
            if not last:
                between = distance_at(field, 0.5 * (x[b] + next_x[b]), 0.5 * (z[b] + next_z[b]))
                deep = max(deep, limb.radius[b] - between)
        deepest[f] = deep


@kernel
def linearised(field, limb, changes, margin, entering, normal, gradient, price):
    """Fill the price (F,) of entering what is solid, its gradient (F, 5) and Gauss-Newton's matrix (F, 5, 5).

    margin: (F,) wanted.  entering: what costs one, in metres.
    """
    count = len(limb.part)
    x, z, other_x, other_z = np.empty(count), np.empty(count), np.empty(count), np.empty(count)
    change, slope = np.empty(CHANGES), np.empty((CHANGES, count + 1))
    off = np.empty(count + 1)
    for f in range(len(limb.x)):
        normal[f], gradient[f], price[f] = 0.0, 0.0, 0.0
        change[:] = changes[f]
        short = place_balls(limb, f, change, x, z)
        total = 0.0
        for b in range(count):
            off[b] = max(0.0, limb.radius[b] + margin[f] - distance_at(field, x[b], z[b])) / entering
            total += off[b] * off[b]
        off[count] = short / SHORT_M
        total += off[count] * off[count]
        price[f] = total
        if total == 0.0:
            continue
        for k in range(CHANGES):
            change[k] += DIFFERENCE
            other = place_balls(limb, f, change, other_x, other_z)
            change[k] -= DIFFERENCE
            for b in range(count):
                slope[k, b] = 0.0
                if off[b] > 0.0:
                    # The field's slope at the ball, over a step long enough to see around corners.
                    there = limb.radius[b] + margin[f] - distance_at(field, other_x[b], other_z[b])
                    slope[k, b] = (there / entering - off[b]) / DIFFERENCE
            slope[k, count] = (other - short) / SHORT_M / DIFFERENCE if off[count] > 0.0 else 0.0
        for k in range(CHANGES):
            for b in range(count + 1):
                gradient[f, k] += slope[k, b] * off[b]
            for j in range(k + 1):
                product = 0.0
                for b in range(count + 1):
                    product += slope[k, b] * slope[j, b]
                normal[f, k, j] = product
                normal[f, j, k] = product


@kernel
def smooth_system(normal, gradient, changes, weight, scale, stiffness, follows, bands, right):
    """Add up a banded system (lower form) for a step of all changes, and its right side, with what smoothness asks.

    weight: (F, 5) of keeping a change at nothing, in units of scale (5,).  stiffness: (5,) of second differences.
    follows: (F,) whether a frame comes right after the row before.
    """
    frames = len(changes)
    for f in range(frames):
        for k in range(CHANGES):
            row = f * CHANGES + k
            own = weight[f, k] / scale[k] ** 2
            bands[0, row] += own + normal[f, k, k]
            right[row] -= own * changes[f, k] + gradient[f, k]
            for j in range(k):
                bands[k - j, f * CHANGES + j] += normal[f, k, j]
    for f in range(1, frames - 1):
        if not (follows[f] and follows[f + 1]):
            continue
        for k in range(CHANGES):
            stiff = stiffness[k] / scale[k] ** 2
            bend = changes[f - 1, k] - 2.0 * changes[f, k] + changes[f + 1, k]
            before, here, after = (f - 1) * CHANGES + k, f * CHANGES + k, (f + 1) * CHANGES + k
            right[before] -= stiff * bend
            right[here] += 2.0 * stiff * bend
            right[after] -= stiff * bend
            bands[0, before] += stiff
            bands[0, here] += 4.0 * stiff
            bands[0, after] += stiff
            bands[CHANGES, before] -= 2.0 * stiff
            bands[CHANGES, here] -= 2.0 * stiff
            bands[2 * CHANGES, before] += stiff


@kernel
def smooth_price(changes, weight, scale, stiffness, follows, price):
    """Add to the prices of frames (F,) what the changes and their bends cost."""
    frames = len(changes)
    for f in range(frames):
        for k in range(CHANGES):
            price[f] += weight[f, k] * (changes[f, k] / scale[k]) ** 2
            if 0 < f < frames - 1 and follows[f] and follows[f + 1]:
                bend = (changes[f - 1, k] - 2.0 * changes[f, k] + changes[f + 1, k]) / scale[k]
                price[f] += stiffness[k] * bend * bend
