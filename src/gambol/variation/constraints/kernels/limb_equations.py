"""The normal equations of equation 5.7 for all frames of a limb at once."""

from __future__ import annotations

from typing import NamedTuple

from gambol.geometry.arrays import FloatArray
from gambol.kernels.jit import kernel
from gambol.variation.constraints.kernels.limb import LimbFrames

GRIP = 1e6  # cost of missing a place by a metre, squared, where turning by a radian, squared, costs 1; larger: firmer
FIRMNESS = 1e6  # cost of leaving the range of the data by a radian, squared; larger: the range is kept more strictly


class Wishes(NamedTuple):
    """What P points of a limb with N angles should do in F frames."""

    places: FloatArray  # (F, P, 3) metres: where the points should be
    weights: FloatArray  # (F, P, 3) how firmly, 0 to 1
    stays: FloatArray  # (F - 1, P) how firmly, 0 to 1, points should move over the ground as `slides` says
    slides: FloatArray  # (F - 1, P, 2) metres until the next frame
    floors: FloatArray  # (F, P) metres: points should be no lower
    low: FloatArray  # (N,) radians: angles should be no smaller
    high: FloatArray  # (N,) radians: and no larger
    lowest: FloatArray  # (3, 3) radians: the joints' rotation vectors should be no smaller
    highest: FloatArray  # (3, 3) radians: and no larger


class Equations(NamedTuple):
    """Normal equations of all angles in all frames, F N unknowns."""

    bands: FloatArray  # (2 N + 1, F N) the lower half of the matrix, by its diagonals
    pulls: FloatArray  # (F N,)


@kernel
def add_frames(
    places: FloatArray,  # (F, P, 3) where the points are
    slopes: FloatArray,  # (F, P, 3, N) how they move with each angle
    angles: FloatArray,  # (F, N)
    before: FloatArray,  # (F, N) the angles to stay near
    wishes: Wishes,
    limb: LimbFrames,
    smooth: FloatArray,  # (N,) weight of the squared bend of an angle's change
    equations: Equations,  # written
) -> float:
    """Gather the normal equations of a limb's frames; return the cost of the angles as they are."""
    equations.bands[:] = 0.0
    equations.pulls[:] = 0.0
    cost = 0.0
    for frame in range(len(places)):
        for i in range(angles.shape[1]):
            cost = _add_angle(frame, i, angles, before, wishes, smooth, equations, cost)
        for joint in range(3):
            for axis in range(3):
                cost = _add_turn(frame, joint, axis, angles, wishes, limb, equations, cost)
        for point in range(places.shape[1]):
            cost = _add_place(frame, point, places, slopes, wishes, equations, cost)
            if frame < len(places) - 1 and wishes.stays[frame, point] > 0.0:
                cost = _add_stay(frame, point, places, slopes, wishes, equations, cost)
    return cost


@kernel
def _outside(value: float, low: float, high: float) -> float:
    """Return by how much a value is above `high`, or, as a negative number, below `low`."""
    if value > high:
        return value - high
    return value - low if value < low else 0.0


@kernel
def _add_angle(
    frame: int,
    i: int,
    angles: FloatArray,
    before: FloatArray,
    wishes: Wishes,
    smooth: FloatArray,
    equations: Equations,
    cost: float,
) -> float:
    """Keep an angle near what it was, inside its range, and its change smooth in time."""
    bands, pulls = equations
    frames, count = angles.shape
    at = frame * count
    bands[0, at + i] += 1.0
    away = angles[frame, i] - before[frame, i]
    pulls[at + i] -= away
    cost += away * away
    over = _outside(angles[frame, i], wishes.low[i], wishes.high[i])
    if over != 0.0:
        bands[0, at + i] += FIRMNESS
        pulls[at + i] -= FIRMNESS * over
        cost += FIRMNESS * over * over
    if 0 < frame < frames - 1:
        bend = 0.0
        for step in range(-1, 2):
            share = -2.0 if step == 0 else 1.0
            bend += share * (angles[frame + step, i] - before[frame + step, i])
        cost += smooth[i] * bend * bend
        for step in range(-1, 2):
            share = -2.0 if step == 0 else 1.0
            pulls[at + step * count + i] -= smooth[i] * share * bend
            for other in range(-1, step + 1):
                other_share = -2.0 if other == 0 else 1.0
                bands[(step - other) * count, at + other * count + i] += smooth[i] * share * other_share
    return cost


@kernel
def _add_turn(
    frame: int,
    joint: int,
    axis: int,
    angles: FloatArray,
    wishes: Wishes,
    limb: LimbFrames,
    equations: Equations,
    cost: float,
) -> float:
    """Keep one number of a joint's rotation vector inside its range."""
    bands, pulls = equations
    joints, axes, count = limb.joints, limb.axes, angles.shape[1]
    turn = limb.held[frame, joint, axis]
    for i in range(count):
        if joints[i] == joint:
            turn += angles[frame, i] * axes[i, axis]
    over = _outside(turn, wishes.lowest[joint, axis], wishes.highest[joint, axis])
    if over == 0.0:
        return cost
    at = frame * count
    for i in range(count):
        if joints[i] == joint:
            pulls[at + i] -= FIRMNESS * over * axes[i, axis]
            for j in range(i + 1):
                if joints[j] == joint:
                    bands[i - j, at + j] += FIRMNESS * axes[i, axis] * axes[j, axis]
    return cost + FIRMNESS * over * over


@kernel
def _add_place(
    frame: int,
    point: int,
    places: FloatArray,
    slopes: FloatArray,
    wishes: Wishes,
    equations: Equations,
    cost: float,
) -> float:
    """Bring a point to where it should be, and, where nothing is said of its height, up to its floor."""
    bands, pulls = equations
    count = slopes.shape[3]
    at = frame * count
    for axis in range(3):
        weight = GRIP * wishes.weights[frame, point, axis]
        missing = wishes.places[frame, point, axis] - places[frame, point, axis]
        if axis == 2 and places[frame, point, 2] < wishes.floors[frame, point] and weight == 0.0:
            weight, missing = GRIP, wishes.floors[frame, point] - places[frame, point, 2]
        if weight > 0.0:
            cost += weight * missing * missing
            for i in range(count):
                pulls[at + i] += weight * slopes[frame, point, axis, i] * missing
                for j in range(i + 1):
                    product = slopes[frame, point, axis, i] * slopes[frame, point, axis, j]
                    bands[i - j, at + j] += weight * product
    return cost


@kernel
def _add_stay(
    frame: int,
    point: int,
    places: FloatArray,
    slopes: FloatArray,
    wishes: Wishes,
    equations: Equations,
    cost: float,
) -> float:
    """Let a point move over the ground, until the next frame, by its slide and no more."""
    bands, pulls = equations
    count = slopes.shape[3]
    at = frame * count
    weight = GRIP * wishes.stays[frame, point]
    for axis in range(2):
        slide = places[frame + 1, point, axis] - places[frame, point, axis] - wishes.slides[frame, point, axis]
        cost += weight * slide * slide
        for i in range(count):
            now, then = -slopes[frame, point, axis, i], slopes[frame + 1, point, axis, i]
            pulls[at + i] -= weight * now * slide
            pulls[at + count + i] -= weight * then * slide
            for j in range(count):
                earlier, later = -slopes[frame, point, axis, j], slopes[frame + 1, point, axis, j]
                if j <= i:
                    bands[i - j, at + j] += weight * now * earlier
                    bands[i - j, at + count + j] += weight * then * later
                bands[count + i - j, at + j] += weight * then * earlier
    return cost
