"""Whether a body's feet could have pushed it as it moves: masses of segments, the force of the ground, its line.

By the law of motion the ground pushes with the acceleration of the centre of mass less that of gravity, times the mass;
and along a line through the centre of mass that ends under the soles, or the body would tip over.  Only masses and
contacts are needed, so this holds for anyone's motion.  Spin is left out: in people it moves the line by a few
centimetres.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import Contacts, detect_contacts, point_positions, sole_points
from gambol.motion.joint_names import HEAD, HIPS, arms, find, legs
from gambol.motion.motion import Motion

GRAVITY_M_S2 = 9.81
LOW_PASS_HZ = 6.0  # larger: more of the noise of markers counts as force
LEAST_PUSH = 0.3  # times the weight: a smaller force has no line that means anything
OUTSIDE_M = 0.05  # metres beyond the edge of the soles: more is a miss
HALF_WIDTH_M = 0.045  # metres, of a foot

# Shares of the mass, and where a segment's centre is on the way to its far end [de Leva 1996, men].
HEAD_MASS, TRUNK_MASS, TRUNK_CENTRE = 0.0694, 0.4346, 0.43  # the trunk's centre: from between shoulders to between hips
HAND_MASS, FOOT_MASS, FOOT_CENTRE = 0.0061, 0.0137, 0.44  # the foot's centre: from heel to tip
ARM_MASSES = ((0.0271, 0.577), (0.0162, 0.457))  # upper arm, forearm: mass, centre
LEG_MASSES = ((0.1416, 0.41), (0.0433, 0.44))  # thigh, shank


@dataclass(frozen=True, eq=False)
class Balance:
    """What the ground must do to a body in each of F frames."""

    centre: FloatArray  # (F, 3) of mass, metres, low-passed
    push: FloatArray  # (F, 3) metres a second squared: the ground's force by mass; the body's weight if it stands still
    standing: BoolArray  # (F,) whether any foot is on the ground
    outside_m: FloatArray  # (F,) how far the force's line ends from the soles; NaN in flight and where it hardly pushes

    @property
    def missed(self) -> float | None:
        """Share of the frames with a force whose line ends more than 5 cm outside the soles; None without any."""
        known = ~np.isnan(self.outside_m)
        return float((self.outside_m[known] > OUTSIDE_M).mean()) if known.any() else None


def has_masses(motion: Motion) -> bool:
    """Tell whether a figure has all the segments that masses are known of."""
    skeleton = motion.skeleton
    return len(legs(skeleton)) == len(arms(skeleton)) == 2 and min(find(skeleton, HIPS), find(skeleton, HEAD)) >= 0


def measure_balance(motion: Motion, *, contacts: Contacts | None = None) -> Balance:
    """Measure what the ground must do for a person to move so; contacts are detected where they are not given."""
    if contacts is None:
        contacts = detect_contacts(motion)
    centre = low_passed(centre_of_mass(motion), motion.rate_hz)
    push = np.gradient(np.gradient(centre, axis=0), axis=0) * motion.rate_hz**2 + [0.0, 0.0, GRAVITY_M_S2]
    standing, outside = _outside(motion, contacts, centre, push)
    return Balance(centre, push, standing, outside)


def centre_of_mass(motion: Motion) -> FloatArray:
    """Return a person's centre of mass (F, 3)."""
    if not has_masses(motion):
        raise InvalidInput("masses are known of a figure with a head, hips, two arms and two legs")
    skeleton, places = motion.skeleton, motion.world_positions
    shoulders = np.mean([places[:, arm.root] for arm in arms(skeleton)], axis=0)
    hips = np.mean([places[:, leg.root] for leg in legs(skeleton)], axis=0)
    moment = TRUNK_MASS * (shoulders + TRUNK_CENTRE * (hips - shoulders)) + HEAD_MASS * _middle_of_head(motion)
    mass = TRUNK_MASS + HEAD_MASS
    for limbs, segments in ((arms(skeleton), ARM_MASSES), (legs(skeleton), LEG_MASSES)):
        for limb in limbs:
            for (near, far), (share, centre) in zip(
                ((limb.root, limb.middle), (limb.middle, limb.end)), segments, strict=True
            ):
                moment = moment + share * (places[:, near] + centre * (places[:, far] - places[:, near]))
                mass += share
    for arm in arms(skeleton):
        moment, mass = moment + HAND_MASS * places[:, arm.end], mass + HAND_MASS
    for leg in legs(skeleton):
        heel, *_, tip = np.moveaxis(point_positions(motion, sole_points(skeleton, leg)), 1, 0)
        moment, mass = moment + FOOT_MASS * (heel + FOOT_CENTRE * (tip - heel)), mass + FOOT_MASS
    return moment / mass


def _middle_of_head(motion: Motion) -> FloatArray:
    """Return the head's middle: half way from its joint to its tip, or its joint where there is none."""
    skeleton, head = motion.skeleton, find(motion.skeleton, HEAD)
    tips = skeleton.tip_offsets[skeleton.tip_parents == head]
    offset = 0.5 * tips[0] if len(tips) else np.zeros(3)
    return motion.world_positions[:, head] + quaternion.rotate(motion.world_rotations[:, head], offset)


def low_passed(tracks: FloatArray, rate_hz: float, *, cutoff_hz: float = LOW_PASS_HZ) -> FloatArray:
    """Return tracks (F, ...) without what is faster than a frequency: a Butterworth filter, there and back."""
    from scipy.signal import butter, sosfiltfilt

    if rate_hz <= 2.2 * cutoff_hz or len(tracks) < 30:
        return tracks
    padding = min(len(tracks) - 1, round(rate_hz / cutoff_hz * 2.0))
    return sosfiltfilt(butter(2, cutoff_hz, fs=rate_hz, output="sos"), tracks, axis=0, padlen=padding)


def _outside(motion: Motion, contacts: Contacts, centre: FloatArray, push: FloatArray) -> tuple[BoolArray, FloatArray]:
    """Return when any foot stands, and how far from the soles the force's line ends."""
    soles, stands = [], []
    for leg in legs(motion.skeleton):
        own = [p for p, point in enumerate(contacts.points) if point.name in (f"{leg.side}_heel", f"{leg.side}_toe")]
        points = point_positions(motion, sole_points(motion.skeleton, leg))
        soles.append(points)
        stands.append(np.repeat(np.any(contacts.planted[:, own], axis=1, keepdims=True), points.shape[1], axis=1))
    places, there = np.concatenate(soles, axis=1), np.concatenate(stands, axis=1)
    above = centre[:, 2] - contacts.ground.heights(centre)
    ends = centre[:, :2] - push[:, :2] * (above / np.maximum(push[:, 2], 1e-3))[:, None]
    standing: BoolArray = np.any(there, axis=1)
    outside = np.full(len(centre), np.nan)
    pushes = np.asarray(standing & (push[:, 2] > LEAST_PUSH * GRAVITY_M_S2))
    # Frames in which the same points stand are measured together.
    for pattern in np.unique(there[pushes], axis=0):
        now = pushes & np.all(there == pattern, axis=1)
        away = places[now][:, pattern, :2] - ends[now, None]
        outside[now] = np.maximum(0.0, _distance_to_hull(away) - HALF_WIDTH_M)
    return standing, outside


def _distance_to_hull(points: FloatArray) -> FloatArray:
    """Return how far the origin is from the convex hulls of a few points of the plane (F, P, 2); 0 inside."""
    nearest = np.linalg.norm(points, axis=2).min(axis=1)
    for one, two in combinations(np.moveaxis(points, 1, 0), 2):
        along = two - one
        length = np.maximum(np.einsum("fc,fc->f", along, along), 1e-12)
        share = np.clip(-np.einsum("fc,fc->f", one, along) / length, 0.0, 1.0)
        nearest = np.minimum(nearest, np.linalg.norm(one + share[:, None] * along, axis=1))
    for corners in combinations(np.moveaxis(points, 1, 0), 3):
        sides = np.stack(
            [a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0] for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)]
        )
        nearest = np.where((sides > 0.0).all(axis=0) | (sides < 0.0).all(axis=0), 0.0, nearest)
    return nearest
