"""Feet and hands where they should be, in new motions [L09 5.5].

Contacts come with a drawn motion.  First the root is moved over the ground, slowly, so that what is planted slides
least; then each limb turns so that it does not slide at all (`easing`).  Both are ours; equation 5.7 frame by frame, as
printed, is in `printed`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import solveh_banded

from gambol.motion.contact_points import ContactPoint, point_positions, sole_points
from gambol.motion.contacts import Contacts
from gambol.motion.joint_names import Limb, arms, legs
from gambol.motion.motion import Motion
from gambol.variation.easing import Wishes, eased_angles
from gambol.variation.examples import Examples
from gambol.variation.limbs import LimbAngles, limb_angles
from gambol.variation.limits import limits_of
from gambol.variation.model import Drawn

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
ROOT_S = 0.12  # slower drifts of the feet are taken out by the root, faster ones by the legs
ROOT_REST = 1e-3  # how much cheaper it is to shift the root than to let feet slide: for times without contact
MARGIN = 0.08  # of the examples' range, that a limb's angle may leave it by


def constrained(examples: Examples, drawn: Drawn, contacts: Contacts) -> Motion:
    """Return the motion that was drawn, its planted feet and hands at rest."""
    motion = examples.encoding.decode(limits_of(examples).brought_back(drawn.values))
    if not contacts.planted.any():
        return motion
    heights = _heights(examples, contacts)
    motion = rooted(motion, contacts, heights)
    for limb in (*legs(motion.skeleton), *arms(motion.skeleton)):
        motion = _planted(motion, examples, limb, contacts, heights)
    return motion


def rooted(motion: Motion, contacts: Contacts, heights: FloatArray) -> Motion:
    """Shift the root, slowly, so that planted points slide, and leave their heights (2, P), as little as it can make them.

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


def _heights(examples: Examples, contacts: Contacts) -> FloatArray:
    """Return how low and how high each point is planted in the examples, (2, P)."""
    low, high = np.full(len(contacts.points), np.inf), np.full(len(contacts.points), -np.inf)
    for item in examples.items:
        heights = point_positions(item.motion, contacts.points)[..., 2]
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
    soles = sole_points(motion.skeleton, limb) if limb in legs(motion.skeleton) else ()
    every = (*points, *soles)
    angles = limb_angles([item.motion for item in examples.items], limb)
    frames = angles.frames(motion, every)
    before = angles.of(motion)
    places = point_positions(motion, every)
    floors = np.full(places.shape[:2], -np.inf)
    lowest = np.min([point_positions(item.motion, soles)[..., 2].min(axis=0) for item in examples.items], axis=0)
    floors[:, len(points) :] = np.minimum(lowest, 0.0)
    weights = np.zeros(places.shape)
    weights[:, : len(points), 2] = planted
    places[:, : len(points), 2] = np.clip(places[:, : len(points), 2], *heights[:, own])
    stays = np.zeros((motion.frame_count - 1, len(every)))
    stays[:, : len(points)] = planted[1:] & planted[:-1]
    wishes = Wishes(places, weights, stays, floors, *_range(angles, examples))
    return angles.turned(motion, eased_angles(frames, before, wishes, rate_hz=motion.rate_hz))


def _is_on(point: ContactPoint, limb: Limb, motion: Motion) -> bool:
    return bool(motion.skeleton.is_below(limb.end)[point.joint])


def _range(angles: LimbAngles, examples: Examples) -> FloatArray:
    """Return the lowest and highest that angles may be, (2, N)."""
    shown = [angles.of(item.motion) for item in examples.items]
    low = np.min([one.min(axis=0) for one in shown], axis=0)
    high = np.max([one.max(axis=0) for one in shown], axis=0)
    room = MARGIN * (high - low)
    return np.stack((low - room, high + room))
