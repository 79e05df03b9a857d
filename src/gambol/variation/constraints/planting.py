"""Keep planted points at rest: by the root, slowly, then by the limbs.  Ours; equation 5.7 goes frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import ContactPoint, Contacts, point_positions, sole_points
from gambol.motion.joint_names import Limb, arms, legs
from gambol.motion.motion import Motion
from gambol.motion.quality import slide_speeds
from gambol.variation.constraints.easing import eased_angles
from gambol.variation.constraints.kernels.limb_equations import Wishes
from gambol.variation.constraints.limbs import LimbAngles, limb_angles
from gambol.variation.constraints.limits import covering
from gambol.variation.constraints.peaks import Peaks, peaks_of
from gambol.variation.examples import Examples

ROOT_S = 0.12  # seconds: the root takes out drifts of the feet slower than this, the legs faster ones
ROOT_BACK_S = 0.1  # seconds: slower shifts of the root fade, to keep the length of the way; larger: they fade less
STAY = 0.01  # 0 to 1: how firmly planted points stay over the ground, where 1 is as firm as their heights
MOST_SHARPER = 1.2  # times the examples' highest acceleration of a joint: a limb with higher ones is loosened
SLACK = 1.05  # times the motion's own highest acceleration, if that is higher: the same
LOOSENING_ROUNDS = 6  # the most rounds of loosening
LOOSENING = 0.1  # 0 to 1: factor on the firmness near such a peak, in each round; smaller: looser
LOOSENED_S = 0.05  # seconds: standard deviation of the bell that is loosened around a peak
SLOWLY = 0.25  # 0 to 1: floors loosen by this power of the firmness of points; smaller: more slowly
LOOSE_FLOOR_M = 0.003  # metres: a floor that is fully loose lets a foot sink this much deeper than drawn
RISE_S = 0.08  # seconds before and after a foot would sink into the ground during which it rises
LEAST_RISE_M = 1e-4  # metres: smaller rises are left out
MOST_SLIDE = 0.92  # times the examples' mean slide: feet slide no more
SLIDE_ROUNDS = 3  # the most rounds that shrink slides
CACHED = 8  # sets of examples whose plantings are kept
MARGIN = 0.05  # share of the examples' range that a joint's rotation vector may leave it by


class Planting(NamedTuple):
    """A limb, and how the examples plant it."""

    angles: LimbAngles
    low: FloatArray  # (N,) radians: its smallest angles; knees and elbows bend to one side only
    high: FloatArray  # (N,) radians: its largest angles
    least: FloatArray  # (3, 3) radians: the smallest numbers of its joints' rotation vectors
    most: FloatArray  # (3, 3) radians: the largest
    columns: list[int]  # (Q) its own among the contacts' points
    points: tuple[ContactPoint, ...]  # these Q, and S points of the sole, which may sink into the ground
    lowest: FloatArray  # (Q + S,) metres: lowest heights of planted points, and of soles at any time
    highest: FloatArray  # (Q,) metres: highest heights of planted points


def planted_motion(motion: Motion, examples: Examples, contacts: Contacts, slides: FloatArray | None = None) -> Motion:
    """Return the motion with planted feet and hands at rest, no deeper in the ground than in the examples.

    slides: (F - 1, P, 2) metres that planted points may slide in the world, on average no more than in the examples;
    None: they do not slide.
    """
    slides = np.zeros((motion.frame_count - 1, len(contacts.points), 2)) if slides is None else slides
    limbs = [data for data in plantings(examples) if contacts.planted[:, data.columns].any()]
    planted, most = motion, MOST_SLIDE * examples_slide(examples)
    for _ in range(SLIDE_ROUNDS):
        planted = rooted(motion, contacts, limbs, slides)
        for data in limbs:
            planted = _planted(planted, data, contacts, peaks_of(examples), slides)
        slide = mean_slide(planted, contacts)
        if slide <= most or not slides.any():
            break
        slides = slides * (most / slide) ** 2  # squared, as a part of the slide is not from `slides`
    return planted


def rooted(motion: Motion, contacts: Contacts, limbs: Sequence[Planting], slides: FloatArray) -> Motion:
    """Shift the root, slowly, so that planted points slide, float and sink as little as possible.

    Over the ground the shift has the least sum of squared slides, of squared changes of its speed times ROOT_S squared,
    and of its own square over ROOT_BACK_S squared: the way keeps its drawn length.  Upward it is the same with squared
    misses of the heights, and with fourth powers of the two times.
    """
    planted = contacts.planted
    shifts = np.zeros((motion.frame_count, 3))
    stiff, back = ROOT_S * motion.rate_hz, 1.0 / (ROOT_BACK_S * motion.rate_hz)
    stays = (planted[1:] & planted[:-1]).astype(np.float64)
    if stays.any():
        steps = np.diff(point_positions(motion, contacts.points)[..., :2], axis=0) - slides
        too_far = np.einsum("fp,fpc->fc", stays, steps)
        equations = _differences(stays.sum(axis=1), 1) + _differences(np.full(motion.frame_count - 2, stiff**2), 2)
        equations[0] += back**2
        pulls = np.zeros((motion.frame_count, 2))
        pulls[:-1] += too_far
        pulls[1:] -= too_far
        shifts[:, :2] = scipy.linalg.solveh_banded(equations, pulls, lower=True)
    if limbs:
        lifts = np.sum([_lifts(motion, data, planted) for data in limbs], axis=0)
        equations = _differences(np.full(motion.frame_count - 2, stiff**4), 2)
        equations[0] += np.sum([planted[:, data.columns].any(axis=1) for data in limbs], axis=0) + back**4
        shifts[:, 2] = scipy.linalg.solveh_banded(equations, lifts, lower=True)
    return replace(motion, root_positions=motion.root_positions + shifts)


def mean_slide(motion: Motion, contacts: Contacts) -> float:
    """Return the mean speed at which planted feet slide, metres a second; 0 where none is planted."""
    speeds = slide_speeds(motion, contacts)
    known = speeds[~np.isnan(speeds)]
    return float(known.mean()) if len(known) else 0.0


@lru_cache(maxsize=CACHED)
def examples_slide(examples: Examples) -> float:
    """Return the mean slide of the examples that have planted feet, metres a second."""
    slides = [mean_slide(item.motion, item.contacts) for item in examples.items if item.contacts.planted.any()]
    return float(np.mean(slides)) if slides else 0.0


@lru_cache(maxsize=CACHED)
def plantings(examples: Examples) -> tuple[Planting, ...]:
    """Return how the examples plant their legs and arms."""
    skeleton = examples.skeleton
    return tuple(_planting(examples, limb) for limb in (*legs(skeleton), *arms(skeleton)))


def _planting(examples: Examples, limb: Limb) -> Planting:
    motions = [item.motion for item in examples.items]
    angles = limb_angles(motions, limb)
    shown = np.concatenate([angles.of(motion) for motion in motions])
    stops = angles.stops(motions[0])
    vectors = np.concatenate([angles.vectors(motion) for motion in motions])
    least, most = vectors.min(axis=0), vectors.max(axis=0)
    room = MARGIN * (most - least)
    below = examples.skeleton.is_below(limb.end)
    all_points = examples.items[0].contacts.points
    columns = [p for p, point in enumerate(all_points) if below[point.joint]]
    soles = sole_points(examples.skeleton, limb) if limb in legs(examples.skeleton) else ()
    points = (*(all_points[p] for p in columns), *soles)
    heights = np.concatenate([point_positions(motion, points)[..., 2] for motion in motions])
    planted = np.ones(heights.shape, dtype=bool)
    planted[:, : len(columns)] = np.concatenate([item.contacts.planted[:, columns] for item in examples.items])
    lowest = np.where(planted, heights, np.inf).min(axis=0)
    lowest = np.where(np.isinf(lowest), -np.inf, lowest)
    lowest[len(columns) :] = np.minimum(lowest[len(columns) :], 0.0)
    highest = np.where(planted, heights, -np.inf).max(axis=0)[: len(columns)]
    return Planting(
        angles,
        np.minimum(stops[0], shown.min(axis=0)),
        np.maximum(stops[1], shown.max(axis=0)),
        least - room,
        most + room,
        columns,
        points,
        lowest,
        np.where(np.isinf(highest), np.inf, highest),
    )


def _lifts(motion: Motion, data: Planting, planted: BoolArray) -> FloatArray:
    """Return how far a planted limb should rise (F,), out of the ground; negative where all of it floats."""
    heights = point_positions(motion, data.points)[..., 2]
    own = planted[:, data.columns]
    count = len(data.columns)
    counts = np.concatenate((own, np.ones((len(own), len(data.points) - count), dtype=bool)), axis=1)
    depths = np.where(counts, data.lowest - heights, 0.0).max(axis=1)
    floats = np.where(own, heights[:, :count] - data.highest, np.inf).min(axis=1)
    lifts = np.where(depths > 0.0, depths, -np.maximum(floats, 0.0))
    return np.where(own.any(axis=1), lifts, 0.0)


def _differences(weights: FloatArray, order: int) -> FloatArray:
    """Return the matrix of a weighted sum of squared differences of a curve (F,), as its lower three bands."""
    steps = np.diff(np.eye(order + 1), n=order, axis=0)[0]
    bands = np.zeros((3, len(weights) + order))
    for i in range(order + 1):
        for j in range(i + 1):
            bands[i - j, j : j + len(weights)] += weights * steps[i] * steps[j]
    return bands


def _planted(motion: Motion, data: Planting, contacts: Contacts, peaks: Peaks, slides: FloatArray) -> Motion:
    """Return the motion with one limb's planted points at rest, at heights that keep the pitch of the foot.

    Where that would jerk the limb more than the examples do, planted points give way, round by round.
    """
    planted, count = contacts.planted[:, data.columns], len(data.columns)
    places = point_positions(motion, data.points)
    depths = np.maximum(data.lowest[count:] - places[:, count:, 2], 0.0).max(axis=1, initial=0.0)
    rises = covering(depths[:, None], max(1, round(RISE_S * motion.rate_hz)))
    floors = np.where(rises > LEAST_RISE_M, places[..., 2] + rises, data.lowest)
    floors[:, :count] = -np.inf
    places[..., 2] += np.maximum(_lifts(motion, data, contacts.planted)[:, None], rises)
    weights, stays = np.zeros(places.shape), np.zeros((motion.frame_count - 1, len(data.points)))
    steps = np.zeros((*stays.shape, 2))
    steps[:, :count] = slides[:, data.columns]
    angles = data.angles
    frames, before, vectors = angles.frames(motion, data.points), angles.of(motion), angles.vectors(motion)
    least, greatest = np.minimum(data.least, vectors.min(axis=0)), np.maximum(data.most, vectors.max(axis=0))
    own = motion.skeleton.is_below(data.angles.limb.middle)
    most = np.maximum(MOST_SHARPER, SLACK * peaks.sharper(motion).max(axis=0, initial=0.0))[own]
    firm, turned = np.ones(motion.frame_count), motion
    for _ in range(LOOSENING_ROUNDS):
        weights[:, :count, 2] = planted * firm[:, None]
        stays[:, :count] = STAY * (planted[1:] & planted[:-1]) * np.minimum(firm[1:], firm[:-1])[:, None]
        given = floors - (LOOSE_FLOOR_M + rises) * (1.0 - firm[:, None] ** SLOWLY)
        wishes = Wishes(places, weights, stays, steps, given, data.low, data.high, least, greatest)
        turned = data.angles.turned(motion, eased_angles(frames, before, wishes, rate_hz=motion.rate_hz))
        over = (peaks.sharper(turned)[:, own] > most).any(axis=1)
        if not over.any():
            break
        around = LOOSENED_S * motion.rate_hz
        near = scipy.ndimage.gaussian_filter1d(np.pad(over.astype(np.float64), 1), around, mode="constant")
        firm *= LOOSENING ** np.minimum(1.0, np.sqrt(2.0 * np.pi) * around * near)
    return turned
