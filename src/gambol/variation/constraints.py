"""Feet and hands where they should be, in new motions [L09 5.5].

Contacts come with a drawn motion.  First the root is moved over the ground, slowly, so that what is planted slides
least; then each limb turns so that it does not slide at all (`easing`).  Both are ours; equation 5.7 frame by frame, as
printed, is in `printed`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import solveh_banded

from gambol.errors import InvalidInput
from gambol.motion.contact_points import ContactPoint, point_positions, sole_points
from gambol.motion.contacts import Contacts
from gambol.motion.joint_names import Limb, arms, legs
from gambol.motion.motion import Motion
from gambol.variation.easing import Wishes, eased_angles
from gambol.variation.examples import Examples
from gambol.variation.limbs import LimbAngles, end_point, limb_angles
from gambol.variation.limits import limits_of
from gambol.variation.model import Drawn
from gambol.variation.printed import planted_by_frame

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
ROOT_S = 0.12  # slower drifts of the feet are taken out by the root, faster ones by the legs
ROOT_REST = 1e-3  # how much cheaper it is to shift the root than to let feet slide: for times without contact
REACH_EASE_S = 0.12  # see `easing.EASE_S`; hands that are sent somewhere go there more gently than feet land
CACHED = 16  # sets of examples and limbs whose data are kept
MARGIN = 0.08  # of the examples' range, that a limb's angle may leave it by


class LimbData(NamedTuple):
    """What examples show of a limb."""

    angles: LimbAngles
    low: FloatArray  # (N,) radians, the least that its angles may be
    high: FloatArray  # (N,)
    soles: tuple[ContactPoint, ...]  # S points that may sink into the ground
    floors: FloatArray  # (S,) metres, how deep they do


def constrained(examples: Examples, drawn: Drawn, contacts: Contacts, *, printed: bool = False) -> Motion:
    """Return the motion that was drawn, its planted feet and hands at rest.

    printed: by equation 5.7 frame by frame, instead of all frames at once, and nothing more.
    """
    if printed:
        predicted = examples.encoding.decode(drawn.means)
        return planted_by_frame(examples.encoding.decode(drawn.values), predicted, contacts)
    motion = examples.encoding.decode(limits_of(examples).brought_back(drawn.values))
    if not contacts.planted.any():
        return motion
    heights = _heights(examples)
    motion = rooted(motion, contacts, heights)
    for limb in (*legs(motion.skeleton), *arms(motion.skeleton)):
        motion = _planted(motion, examples, limb, contacts, heights)
    return motion


def reach(motion: Motion, end: str, frames: ArrayLike, positions: ArrayLike, *, ease_s: float = REACH_EASE_S) -> Motion:
    """Return the motion with a hand or a foot at positions (K, 3) in frames (K,), as far as it can reach.

    end: "left_hand", "right_hand" (their knuckles), "left_heel", "left_toe", "right_heel" or "right_toe".
    ease_s: how gently the limb comes and goes; it takes about four times as long.

    Only the limb's angles change, and fade back to what they were.  Knees and elbows never bend backward; a position
    out of reach is approached.
    """
    limb, point = end_point(motion.skeleton, end)
    at, wanted = np.asarray(frames, dtype=np.intp), np.asarray(positions, dtype=np.float64)
    if at.ndim != 1 or wanted.shape != (len(at), 3) or not np.all(np.isfinite(wanted)):
        raise InvalidInput(f"frames (K,) and finite positions (K, 3) expected, not {at.shape} and {wanted.shape}")
    if len(at) and not (at.min() >= 0 and at.max() < motion.frame_count):
        raise InvalidInput(f"frames from 0 to {motion.frame_count - 1} expected, not {at.min()} to {at.max()}")
    angles = limb_angles([motion], limb)
    places, weights = np.zeros((motion.frame_count, 1, 3)), np.zeros((motion.frame_count, 1, 3))
    places[at, 0], weights[at, 0] = wanted, 1.0
    stays, floors = np.zeros((motion.frame_count - 1, 1)), np.full((motion.frame_count, 1), -np.inf)
    before = angles.of(motion)
    stops = angles.stops(motion)
    stops = np.stack((np.minimum(stops[0], before.min(axis=0)), np.maximum(stops[1], before.max(axis=0))))
    wishes = Wishes(places, weights, stays, floors, *stops)
    limb_frames = angles.frames(motion, (point,))
    return angles.turned(motion, eased_angles(limb_frames, before, wishes, rate_hz=motion.rate_hz, ease_s=ease_s))


def rooted(motion: Motion, contacts: Contacts, heights: FloatArray) -> Motion:
    """Shift the root, slowly, so that planted points slide, and leave their heights (2, P), as little as it can help.

    Over the ground: of all shifts it has the least sum of squared slides, and of squared changes of its own speed times
    ROOT_S squared.  Upward: the least of squared distances to the heights, and of squared changes of its speed times
    ROOT_S to the fourth.
    """
    places = point_positions(motion, contacts.points)
    planted = contacts.planted
    shifts = np.zeros((motion.frame_count, 3))
    stiff = ROOT_S * motion.rate_hz
    stays = (planted[1:] & planted[:-1]).astype(np.float64)
    if stays.any():
        slides = np.einsum("fp,fpc->fc", stays, np.diff(places[..., :2], axis=0))
        shifts[1:, :2] = np.cumsum(_smoothest(-slides, stays.sum(axis=1), stiff**2, order=1), axis=0)
    missing = np.where(planted, np.clip(places[..., 2], *heights) - places[..., 2], 0.0)
    shifts[:, 2:] = _smoothest(missing.sum(axis=1)[:, None], planted.sum(axis=1), stiff**4, order=2)
    return replace(motion, root_positions=motion.root_positions + shifts)


def _smoothest(sums: FloatArray, weights: FloatArray, stiffness: float, *, order: int) -> FloatArray:
    """Return curves c (F, C) with the least sum of weights c^2 - 2 sums c + stiffness |differences of an order|^2."""
    count = len(sums)
    steps = np.diff(np.eye(order + 1), n=order, axis=0)[0]
    bands = np.zeros((order + 1, count))
    bands[0] = weights + ROOT_REST
    for i in range(order + 1):
        for j in range(i + 1):
            bands[i - j, j : count - order + j] += stiffness * steps[i] * steps[j]
    return solveh_banded(bands, sums, lower=True)


@lru_cache(maxsize=CACHED)
def _heights(examples: Examples) -> FloatArray:
    """Return how low and how high each point is planted in the examples, (2, P)."""
    count = len(examples.items[0].contacts.points)
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    for item in examples.items:
        heights = point_positions(item.motion, item.contacts.points)[..., 2]
        planted = item.contacts.planted
        low = np.minimum(low, np.where(planted, heights, np.inf).min(axis=0))
        high = np.maximum(high, np.where(planted, heights, -np.inf).max(axis=0))
    return np.stack((low, high))


def _planted(motion: Motion, examples: Examples, limb: Limb, contacts: Contacts, heights: FloatArray) -> Motion:
    """Return the motion with one limb's planted points at rest."""
    own = [p for p, point in enumerate(contacts.points) if _is_on(point, limb, motion)]
    planted = contacts.planted[:, own]
    if not planted.any():
        return motion
    points = tuple(contacts.points[p] for p in own)
    data = _limb_data(examples, limb)
    every = (*points, *data.soles)
    places = point_positions(motion, every)
    floors = np.full(places.shape[:2], -np.inf)
    floors[:, len(points) :] = data.floors
    weights = np.zeros(places.shape)
    weights[:, : len(points), 2] = planted
    places[:, : len(points), 2] = np.clip(places[:, : len(points), 2], *heights[:, own])
    stays = np.zeros((motion.frame_count - 1, len(every)))
    stays[:, : len(points)] = planted[1:] & planted[:-1]
    wishes = Wishes(places, weights, stays, floors, data.low, data.high)
    frames, before = data.angles.frames(motion, every), data.angles.of(motion)
    return data.angles.turned(motion, eased_angles(frames, before, wishes, rate_hz=motion.rate_hz))


def _is_on(point: ContactPoint, limb: Limb, motion: Motion) -> bool:
    return bool(motion.skeleton.is_below(limb.end)[point.joint])


@lru_cache(maxsize=CACHED)
def _limb_data(examples: Examples, limb: Limb) -> LimbData:
    """Return what is the same for all motions drawn from examples."""
    motions = [item.motion for item in examples.items]
    angles = limb_angles(motions, limb)
    shown = np.concatenate([angles.of(motion) for motion in motions])
    low, high = shown.min(axis=0), shown.max(axis=0)
    room = MARGIN * (high - low)
    stops = angles.stops(motions[0])
    low, high = np.maximum(low - room, np.minimum(stops[0], low)), np.minimum(high + room, np.maximum(stops[1], high))
    soles = sole_points(examples.skeleton, limb) if limb in legs(examples.skeleton) else ()
    lowest = np.min([point_positions(motion, soles)[..., 2].min(axis=0) for motion in motions], axis=0)
    return LimbData(angles, low, high, soles, np.minimum(lowest, 0.0))
