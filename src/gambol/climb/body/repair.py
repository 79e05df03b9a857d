"""The last look at whole limbs: where one would still enter something it gives way, as little as will do, smoothly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.climb.body.kernels import repair
from gambol.climb.body.kernels.repair import CHANGES, END, LOWER, TOES, UPPER, RepairedLimb
from gambol.climb.kernels.field import DistanceField
from gambol.geometry.arrays import FloatArray

#: What costs one: an end's going ahead and up, pitch, swivel of elbow or knee, and bend of toes.
SCALE = np.array([0.06, 0.06, 0.35, 0.4, 0.35])
TURNS_IN_S = np.array([0.06, 0.06, 0.05, 0.06, 0.05])  # within which a change may begin or end
ENTERING_M = 0.002  # what costs one
MARGIN_M, AT_HOLDS_M = 0.006, -0.001  # kept of what is solid, in the open and where a limb holds something
NEAR_HOLDS_S = 0.12
AROUND_S = 0.4  # of what is tight: frames that may change
ROUNDS = (10, 5, 5)  # with the margin, and with more where frames still cut corners
MORE_M = 0.006
ENOUGH_M = 0.006  # of depth, also between frames
MOST = 0.5  # of the scale, in one round
FIRST_DAMPING = 4.0
PINNED = 1e8
BALLS_APART = 0.8  # radii


class Changes(NamedTuple):
    """What a limb gives way (F,)."""

    aside: FloatArray  # (F, 2) of its end, ahead and up, in metres
    pitch: FloatArray  # of hand or foot, about the body's y
    swivel: FloatArray  # of elbow or knee, about the line to the limb's end
    toes: FloatArray  # upward; of a hand: about its own x


class Ties(NamedTuple):
    """How firmly a limb is where it is (F,): 1 for what is free, more for what is not; PINNED does not give."""

    aside: FloatArray
    pitch: FloatArray
    toes: FloatArray


def limb_balls(body: Body, joints: tuple[str, ...]) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
    """Return parts (B,), places (B, 3) and radii (B,) of the balls of a limb: upper and lower bone, end, any toes."""
    parts: list[int] = []
    places: list[FloatArray] = []
    radii: list[float] = []
    for part, name in zip((UPPER, LOWER, END, TOES), joints, strict=False):
        for own in np.flatnonzero(body.joint == body.skeleton.index(name)):
            start, end, radius = body.start[own], body.end[own], float(body.radius[own])
            count = max(2, 1 + int(np.ceil(np.linalg.norm(end - start) / (BALLS_APART * radius))))
            for share in np.linspace(0.0, 1.0, count):
                place = (1.0 - share) * start + share * end
                along = np.array([0.0, 0.0, np.linalg.norm(place)])
                parts.append(part)
                places.append(along if part in (UPPER, LOWER) else place)
                radii.append(radius)
    return np.array(parts), np.array(places), np.array(radii)


def give_way(field: DistanceField, limb: RepairedLimb, ties: Ties, rate_hz: float) -> Changes:
    """Return the least and smoothest changes that keep a limb out of what is solid, as far as there are any."""
    count = len(limb.x)
    changes = np.zeros((count, CHANGES))
    deep = np.empty(count)
    repair.deepest_balls(field, limb, changes, deep)
    held = (ties.aside >= PINNED).astype(float)
    near = scipy.ndimage.maximum_filter1d(held, 2 * round(NEAR_HOLDS_S * rate_hz) + 1)
    margin = np.where(near > 0.0, AT_HOLDS_M, MARGIN_M)
    margin = scipy.ndimage.minimum_filter1d(margin, 3)
    tight = deep > np.maximum(margin, 0.002) - 0.002
    some = scipy.ndimage.maximum_filter1d(tight.astype(np.int8), 2 * round(AROUND_S * rate_hz) + 1).astype(bool)
    frames = np.flatnonzero(some)
    if len(frames) > 2:
        weight = np.stack((ties.aside, ties.aside, ties.pitch, np.ones(count), ties.toes), axis=-1)
        ends = (
            (frames == 0)
            | (frames == count - 1)
            | some[np.maximum(frames - 1, 0)] & some[np.minimum(frames + 1, count - 1)]
        )
        weight = np.where(ends[:, None], weight[frames], PINNED)
        part, margin = _part(limb, frames), margin[frames]
        found = np.zeros((len(frames), CHANGES))
        for rounds in ROUNDS:
            found = _solved(field, part, weight, margin, frames, found, rounds, rate_hz)
            deep = np.empty(len(frames))
            repair.deepest_balls(field, part, found, deep)
            if deep.max() < ENOUGH_M:
                break
            margin = margin + scipy.ndimage.maximum_filter1d(np.clip(deep - 0.5 * ENOUGH_M, 0.0, MORE_M), 5)
        changes[frames] = found
    return Changes(changes[:, :2], changes[:, 2], changes[:, 3], changes[:, 4])


def _part(limb: RepairedLimb, frames: NDArray[np.intp]) -> RepairedLimb:
    arrays = ("x", "cosine", "sine", "root", "pivot", "pole", "frame", "toes")
    return limb._replace(**{name: np.ascontiguousarray(getattr(limb, name)[frames]) for name in arrays})


def _solved(
    field: DistanceField,
    limb: RepairedLimb,
    weight: FloatArray,
    margin: FloatArray,
    frames: NDArray[np.intp],
    changes: FloatArray,
    rounds: int,
    rate_hz: float,
) -> FloatArray:
    """Return the changes (N, 5) of least price at some frames, from others on, by Gauss and Newton."""
    count = len(frames)
    follows = np.concatenate(([False], np.diff(frames) == 1))
    windows = np.flatnonzero(~follows)
    lengths = np.diff(np.append(windows, count))
    least, damping = np.full(len(windows), np.inf), np.full(len(windows), FIRST_DAMPING)
    stiffness = (TURNS_IN_S * rate_hz) ** 4
    normal, gradient, price = np.empty((count, CHANGES, CHANGES)), np.empty((count, CHANGES)), np.empty(count)
    best, best_normal, best_gradient = changes.copy(), normal.copy(), gradient.copy()
    for _ in range(rounds):
        repair.linearised(field, limb, changes, margin, ENTERING_M, normal, gradient, price)
        repair.smooth_price(changes, weight, SCALE, stiffness, follows, price)
        totals = np.add.reduceat(price, windows)
        is_better = totals < least
        better = np.repeat(is_better, lengths)
        best[better], best_normal[better], best_gradient[better] = changes[better], normal[better], gradient[better]
        least = np.minimum(least, totals)
        damping = np.where(is_better, damping / 4.0, 6.0 * damping)
        bands, right = np.zeros((2 * CHANGES + 1, count * CHANGES)), np.zeros(count * CHANGES)
        repair.smooth_system(best_normal, best_gradient, best, weight, SCALE, stiffness, follows, bands, right)
        bands[0] += (np.repeat(damping, lengths)[:, None] / SCALE**2).ravel()
        step = scipy.linalg.solveh_banded(bands, right, lower=True, check_finite=False).reshape(count, CHANGES)
        changes = best + np.clip(step, -MOST * SCALE, MOST * SCALE)
    return best
