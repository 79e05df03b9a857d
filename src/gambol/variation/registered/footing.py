"""Keep feet where they stand when shapes are mixed: the root gives way.

A mixture of bent legs bends unlike any of them, so a planted foot drifts.  Here the paths of the contact points are
learned as numbers too; the root of a new motion then moves so that planted points follow these paths.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from gambol.geometry import planar
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import ContactPoint, point_positions
from gambol.motion.motion import Motion
from gambol.variation.encoding import Encoding, path_of
from gambol.variation.examples import Examples

BLUR_S = 0.04  # seconds: standard deviation of the smoothing of the root's change; larger: the root moves more smoothly
EDGE_FRAMES = 1  # frames at either end of a contact that do not count: there the foot still lands, or lifts already
END_S = 0.15  # seconds before and after a seam within which the root returns to its drawn way
SLIDE_SHARE = 0.9  # share of the examples' slides that planted points keep, as captured feet are never quite still
MOST_SLIDES = 95.0  # percentile of the examples' speeds: planted points slide no faster
FREE = 0.02  # weight of the drawn root, where a planted point's is 1; larger: the root gives way less


def point_numbers(motion: Motion, points: tuple[ContactPoint, ...], encoding: Encoding) -> FloatArray:
    """Return the paths of contact points (F, 3 P): speeds in the root's axes and heights, or places."""
    places = point_positions(motion, points)
    if encoding.root == "absolute":
        return places.reshape(len(places), -1)
    headings = path_headings(encoding.encode(motion), encoding)
    return _as_seen(places, headings, encoding.rate_hz)


def speeds_among(encoding: Encoding, points: int) -> BoolArray:
    """Return which numbers of a motion (D,) and of its points (3 P,) after them are speeds."""
    travelling = encoding.root == "travelling"
    root = np.zeros(encoding.count, dtype=bool)
    root[:3] = travelling
    return np.concatenate((root, np.tile([travelling, travelling, False], points)))


def footed(
    values: FloatArray,
    wanted: FloatArray,
    planted: BoolArray,
    encoding: Encoding,
    points: tuple[ContactPoint, ...],
    *,
    goes_on: bool = False,
) -> FloatArray:
    """Return the numbers (F, D) with a root that gives way, so that planted points go as wanted (F, 3 P).

    goes_on: other pieces come before and after, so the root goes as drawn at both ends.
    """
    if not planted.any():
        return values
    motion = encoding.decode(values)
    places = point_positions(motion, points)
    if encoding.root == "travelling":
        places = _as_seen(places, path_headings(values, encoding), encoding.rate_hz).reshape(places.shape)
    missing = wanted.reshape(places.shape) - places
    blur = BLUR_S * encoding.rate_hz
    weights = scipy.ndimage.minimum_filter1d(planted.astype(np.float64), 1 + 2 * EDGE_FRAMES, axis=0, mode="constant")
    wish = scipy.ndimage.gaussian_filter1d(np.einsum("fp,fpc->fc", weights, missing), blur, axis=0, mode="constant")
    total = scipy.ndimage.gaussian_filter1d(weights.sum(axis=1), blur, mode="constant")
    given_way = wish / (total + FREE)[:, None]
    if goes_on:
        from_end = np.minimum(np.arange(len(values)), np.arange(len(values))[::-1]) / (END_S * encoding.rate_hz)
        given_way *= np.sin(0.5 * np.pi * np.minimum(from_end, 1.0))[:, None] ** 2
    result = values.copy()
    if encoding.root == "travelling":
        result[:, :2] += given_way[:, :2]
        result[:, 3] += given_way[:, 2]
    else:
        result[:, :3] += given_way
    return result


class Slides(NamedTuple):
    """How fast planted points of examples slide, in metres a second."""

    mean: float
    fastest: FloatArray  # (P,) percentile MOST_SLIDES of each point's speeds


def slides_of(wanted: FloatArray, planted: BoolArray, encoding: Encoding, shown: Slides | None = None) -> FloatArray:
    """Return the slides of planted points since the frame before (F, P, 2), in metres, from their paths (F, 3 P).

    shown: the slides that examples show: no point slides faster, and the mean is a little less; None: no limit.
    """
    ways = wanted.reshape(len(wanted), -1, 3)[..., :2]
    if encoding.root == "travelling":
        steps = ways / encoding.rate_hz
    else:
        steps = np.concatenate((np.zeros_like(ways[:1]), np.diff(ways, axis=0)))
    if shown is None:
        return steps
    speeds = np.linalg.norm(steps, axis=-1) * encoding.rate_hz
    stays = planted & np.concatenate((planted[:1], planted[:-1]))
    share = np.where(stays, np.minimum(1.0, shown.fastest / np.maximum(speeds, 1e-9)), 0.0)
    mean = float(np.sum(share * speeds) / max(1, stays.sum()))
    return SLIDE_SHARE * min(1.0, shown.mean / max(mean, 1e-9)) * share[..., None] * steps


def slides_shown(examples: Examples) -> Slides:
    """Return how fast planted points of examples slide."""
    found: list[list[float]] = [[] for _ in examples.items[0].contacts.points]
    for item in examples.items:
        places = point_positions(item.motion, item.contacts.points)[..., :2]
        speeds = np.linalg.norm(np.diff(places, axis=0), axis=-1) * item.motion.rate_hz
        stays = item.contacts.planted[1:] & item.contacts.planted[:-1]
        for point, own in enumerate(found):
            own.extend(speeds[stays[:, point], point])
    fastest = np.array([np.percentile(own, MOST_SLIDES) if own else 0.0 for own in found])
    every = [speed for own in found for speed in own]
    return Slides(float(np.mean(every)) if every else 0.0, fastest)


def path_headings(values: FloatArray, encoding: Encoding) -> FloatArray:
    """Return the headings of a travelling root (F,), from 0."""
    return path_of(values, encoding.rate_hz)[:, 2]


def _as_seen(places: FloatArray, headings: FloatArray, rate_hz: float) -> FloatArray:
    """Return points' speeds over the ground in the root's axes, and heights: (F, 3 P)."""
    ways = planar.rotate(-headings[:-1, None], np.diff(places[..., :2], axis=0)) * rate_hz
    ways = np.concatenate((ways[:1], ways))
    return np.concatenate((ways, places[..., 2:]), axis=-1).reshape(len(places), -1)
