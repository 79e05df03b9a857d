"""How feet and hands are pitched: every angle is priced at every frame, and the least total price wins."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.climb.kernels.field import DistanceField, distance_at
from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel

TOLERANCE_M = 0.002  # what a part may enter for nothing
ENTERING_M = 0.004  # beyond, entering so far costs one
LIMIT_RAD = 0.12  # passing a joint's limit by so much costs one


class Balls(NamedTuple):
    """Balls that stand for a foot or a hand, in its own plane: ahead of the ankle or wrist along it, and up."""

    ahead: FloatArray  # (B,)
    up: FloatArray
    radius: FloatArray
    bends: NDArray[np.bool_]  # (B,) whether it moves with the toes
    hinge_ahead: float  # where the toes bend
    hinge_up: float


class LegLengths(NamedTuple):
    """A leg's bones: to the knee and to the ankle."""

    upper: float
    lower: float
    radius: float  # of knee and shank


class ArmLengths(NamedTuple):
    """An arm's bones: to the elbow, the wrist and the palm's middle."""

    upper: float
    lower: float
    palm: float
    radius: float  # of the forearm


@kernel
def distances(field, x, z, distance):
    """Fill the distances (F,) of points from what is solid."""
    for f in range(len(x)):
        distance[f] = distance_at(field, x[f], z[f])


@kernel
def wrapped(angle: float) -> float:
    """Return an angle as one between half a turn to either side."""
    return angle - 2.0 * math.pi * math.floor((angle + math.pi) / (2.0 * math.pi))


@kernel
def entered(field: DistanceField, x: float, z: float, radius: float) -> float:
    """Return the price of a ball's entering what is solid."""
    deep = radius - distance_at(field, x, z) - TOLERANCE_M
    if deep <= 0.0:
        return 0.0
    share = deep / ENTERING_M
    return share * share


@kernel
def outside(value: float, low: float, high: float) -> float:
    """Return the price of a joint's being past its limits."""
    over = max(low - value, value - high) / LIMIT_RAD
    return over * over if over > 0.0 else 0.0


@kernel
def ball_at(balls, b, sine_bend, cosine_bend, over, sine, cosine):
    """Return where a foot's ball is from the ankle, ahead and up, with its toes bent, turned over and pitched."""
    ahead, up = balls.ahead[b], balls.up[b]
    if balls.bends[b]:
        from_hinge, above = ahead - balls.hinge_ahead, up - balls.hinge_up
        ahead = balls.hinge_ahead + cosine_bend * from_hinge - sine_bend * above
        up = balls.hinge_up + sine_bend * from_hinge + cosine_bend * above
    ahead, up = over * ahead, over * up
    return cosine * ahead - sine * up, sine * ahead + cosine * up


@kernel
def price_feet(field, balls, margin, x, z, facing, bend, over, shank, wanted, tolerance, low, high, angles, price):
    """Fill what each pitch (K,) of a foot costs at each frame (F, K).

    margin: (F,) wanted around it.  x, z: (F,) the ankle.  bend: (F,) of the toes upward.  over: (F,) 1 for a foot
    that stands on its sole, -1 for one turned over, between in between.  shank: (F,) its direction; a foot square to
    it is at rest.  wanted, tolerance: (F,) the pitch one would like, and what deviation costs one.
    low, high: limits of the ankle from there, downward and upward.
    """
    for f in range(len(x)):
        sine_bend, cosine_bend = math.sin(bend[f]), math.cos(bend[f])
        for k in range(len(angles)):
            sine, cosine = math.sin(angles[k]), math.cos(angles[k])
            off = (angles[k] - wanted[f]) / tolerance[f]
            total = off * off
            if over[f] > 0.5:
                total += outside(angles[k] - shank[f] - 0.5 * math.pi, low, high)
            for b in range(len(balls.ahead)):
                ahead, up = ball_at(balls, b, sine_bend, cosine_bend, over[f], sine, cosine)
                total += entered(field, x[f] + facing[f] * ahead, z[f] + up, balls.radius[b] + margin[f])
            price[f, k] = total


@kernel
def depth_of_feet(field, balls, x, z, facing, bend, over, angles, deepest):
    """Fill how deep feet are in what is solid (F,) at given pitches (F,)."""
    for f in range(len(x)):
        sine_bend, cosine_bend = math.sin(bend[f]), math.cos(bend[f])
        sine, cosine = math.sin(angles[f]), math.cos(angles[f])
        deepest[f] = -1e9
        for b in range(len(balls.ahead)):
            ahead, up = ball_at(balls, b, sine_bend, cosine_bend, over[f], sine, cosine)
            deep = balls.radius[b] - distance_at(field, x[f] + facing[f] * ahead, z[f] + up)
            deepest[f] = max(deepest[f], deep)


@kernel
def price_heads(field, balls, x, z, facing, lean, head, share, wanting, angles, price):
    """Fill what it costs (F, K) that a head is pitched farther forward by so much (K,).

    balls: of the neck, from its joint, and of the head (which "bends"), from the hinge.  x, z: (F,) the neck's joint.
    lean, head: (F,) of trunk and head.  share: of the bend between them that is the neck's.
    """
    for f in range(len(x)):
        for k in range(len(angles)):
            there = head[f] + angles[k]
            neck = lean[f] + share * (there - lean[f])
            sine, cosine = math.sin(neck), math.cos(neck)
            sine_head, cosine_head = math.sin(there), math.cos(there)
            hinge_x = balls.hinge_ahead * cosine + balls.hinge_up * sine
            hinge_z = balls.hinge_up * cosine - balls.hinge_ahead * sine
            total = (angles[k] / wanting) ** 2
            for b in range(len(balls.ahead)):
                ahead, up = balls.ahead[b], balls.up[b]
                if balls.bends[b]:
                    px, pz = (
                        hinge_x + ahead * cosine_head + up * sine_head,
                        hinge_z + up * cosine_head - ahead * sine_head,
                    )
                else:
                    px, pz = ahead * cosine + up * sine, up * cosine - ahead * sine
                total += entered(field, x[f] + facing[f] * px, z[f] + pz, balls.radius[b])
            price[f, k] = total


@kernel
def price_legs(field, leg, x, z, facing, from_hip, ahead, up, price):
    """Fill what it costs (F,) that knee and shank are where they come to be with an ankle moved ahead and up.

    x, z: (F,) the ankle before.  from_hip: (F, 2) to it, ahead and up.
    """
    for f in range(len(x)):
        dx, dz = from_hip[f, 0] + ahead, from_hip[f, 1] + up
        distance = max(1e-6, min(0.999 * (leg.upper + leg.lower), math.sqrt(dx * dx + dz * dz)))
        bend = (leg.upper**2 + distance**2 - leg.lower**2) / (2.0 * leg.upper * distance)
        bend = min(1.0, max(-1.0, bend))
        off = math.sqrt(1.0 - bend * bend)
        ux, uz = dx / distance, dz / distance
        knee_x, knee_z = leg.upper * (bend * ux - off * uz), leg.upper * (bend * uz + off * ux)
        total = 0.0
        for s in range(4):
            t = s / 4.0
            px, pz = knee_x + t * (dx - knee_x) - from_hip[f, 0], knee_z + t * (dz - knee_z) - from_hip[f, 1]
            total += entered(field, x[f] + facing[f] * px, z[f] + pz, leg.radius)
        price[f] = total


@kernel
def price_loose_hands(
    field, balls, arm, pelvis_x, facing, shoulder, palm, forearm, along, tolerance, wanted, wanting, low, high, reach,
    angles, price,
):  # fmt: skip
    """Fill what each bend (K,) of a wrist from the straight forearm costs at each frame (F, K).

    shoulder, palm: (F, 2) ahead of the pelvis and up.  forearm: (F,) its direction with a straight wrist.
    along, tolerance: (F,) the direction that a hand would like to have, and what deviation costs one.
    wanted, wanting: (F,) and the bend.  low, high: limits of the wrist, (F,) towards the palm and towards the back.
    reach: (F,) what costs one, in metres, where the arm is too short.
    """
    for f in range(len(forearm)):
        for k in range(len(angles)):
            direction = forearm[f] + angles[k]
            ahead, up = math.cos(direction), math.sin(direction)
            wrist_x, wrist_z = palm[f, 0] - arm.palm * ahead, palm[f, 1] - arm.palm * up
            dx, dz = wrist_x - shoulder[f, 0], wrist_z - shoulder[f, 1]
            distance = math.sqrt(dx * dx + dz * dz)
            most = 0.999 * (arm.upper + arm.lower)
            over = max(0.0, distance - most) / reach[f]
            away = wrapped(direction - along[f]) / tolerance[f]
            bent = (angles[k] - wanted[f]) / wanting[f]
            total = away * away + bent * bent + over * over
            distance = max(1e-6, min(most, distance))
            cosine = (arm.upper**2 + distance**2 - arm.lower**2) / (2.0 * arm.upper * distance)
            cosine = min(1.0, max(-1.0, cosine))
            sine = math.sqrt(1.0 - cosine * cosine)
            ux, uz = dx / distance, dz / distance
            elbow_x = shoulder[f, 0] + arm.upper * (cosine * ux + sine * uz)
            elbow_z = shoulder[f, 1] + arm.upper * (cosine * uz - sine * ux)
            lower = math.atan2(wrist_z - elbow_z, wrist_x - elbow_x)
            # A wrist is bent back or forward, never farther round.
            total += 0.3 * outside(angles[k] + wrapped(forearm[f] - lower), low[f], high)
            for s in range(4):
                t = s / 3.0
                x, z = elbow_x + t * (wrist_x - elbow_x), elbow_z + t * (wrist_z - elbow_z)
                total += entered(field, pelvis_x[f] + facing[f] * x, z, arm.radius)
            for b in range(len(balls.ahead)):
                x, z = wrist_x + balls.ahead[b] * ahead, wrist_z + balls.ahead[b] * up
                total += entered(field, pelvis_x[f] + facing[f] * x, z, balls.radius[b])
            price[f, k] = total


@kernel
def price_laid_hands(
    field, balls, arm, pelvis_x, facing, shoulder, palm, along, tilt, left, most_bent, reach, turning, angles, price
):
    """Fill what it costs (F, K) that hands on surfaces are turned on them, fingers inward from along the surface.

    shoulder, palm: (F, 3) in the body's space.  tilt: of the fingers into the surface.  left: 1 or -1.
    reach: (F,) what costs one, in metres, where the arm is too short.  turning: (F,) and by how much a hand is turned.
    """
    for f in range(len(along)):
        ahead, up = math.cos(along[f]), math.sin(along[f])
        for k in range(len(angles)):
            cosine, sine = math.cos(tilt) * math.cos(angles[k]), math.cos(tilt) * math.sin(angles[k])
            dx, dy, dz = cosine * ahead + math.sin(tilt) * up, -left * sine, cosine * up - math.sin(tilt) * ahead
            wx, wy, wz = palm[f, 0] - arm.palm * dx, palm[f, 1] - arm.palm * dy, palm[f, 2] - arm.palm * dz
            sx, sy, sz = shoulder[f, 0], shoulder[f, 1], shoulder[f, 2]
            distance = math.sqrt((wx - sx) ** 2 + (wy - sy) ** 2 + (wz - sz) ** 2)
            most = 0.999 * (arm.upper + arm.lower)
            over = max(0.0, distance - most) / reach[f]
            total = over * over + (angles[k] / turning[f]) ** 2
            distance = max(1e-6, min(most, distance))
            bend = (arm.upper**2 + distance**2 - arm.lower**2) / (2.0 * arm.upper * distance)
            bend = min(1.0, max(-1.0, bend))
            off = math.sqrt(1.0 - bend * bend)
            ux, uy, uz = (wx - sx) / distance, (wy - sy) / distance, (wz - sz) / distance
            flat = max(1e-9, math.sqrt(ux * ux + uz * uz))
            ex = sx + arm.upper * (bend * ux + off * uz / flat)
            ey = sy + arm.upper * bend * uy
            ez = sz + arm.upper * (bend * uz - off * ux / flat)
            straight = ((wx - ex) * dx + (wy - ey) * dy + (wz - ez) * dz) / arm.lower
            total += 0.3 * outside(math.acos(min(1.0, max(-1.0, straight))), -most_bent, most_bent)
            for s in range(4):
                t = s / 3.0
                x, z = ex + t * (wx - ex), ez + t * (wz - ez)
                total += entered(field, pelvis_x[f] + facing[f] * x, z, arm.radius)
            for b in range(len(balls.ahead)):
                x, z = wx + balls.ahead[b] * dx, wz + balls.ahead[b] * dz
                total += entered(field, pelvis_x[f] + facing[f] * x, z, balls.radius[b])
            price[f, k] = total


@kernel
def least_path(price: FloatArray, moving: FloatArray, chosen: NDArray[np.int64]) -> None:
    """Choose one of K at every frame so that prices (F, K), and those of moving between them (K, K), are least."""
    frames, count = price.shape
    came = np.zeros((frames, count), dtype=np.int64)
    total, other = np.empty(count), np.empty(count)
    for k in range(count):
        total[k] = price[0, k]
    for f in range(1, frames):
        for k in range(count):
            best, least = 0, 1e300
            for j in range(count):
                cost = total[j] + moving[k, j]
                if cost < least:
                    best, least = j, cost
            came[f, k] = best
            other[k] = least + price[f, k]
        for k in range(count):
            total[k] = other[k]
    best = 0
    for k in range(count):
        if total[k] < total[best]:
            best = k
    for f in range(frames - 1, -1, -1):
        chosen[f] = best
        best = came[f, best]
