"""Take the slide out of planted feet, and leave everything but the legs as it was.

A foot is planted by its heel, by its toe (the ball joint), or by both; it rolls from one to the other.  Each planted
point is pinned to one place in the ground plane while it is planted; heights stay as they are.  A pin's correction is
spread over the time before and after along a smooth curve, and weakened where it would make a leg faster than it ever
is in the motion.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy

from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.geometry.smoothing import envelope, gaussian
from gambol.motion.contacts import Contacts, detect_contacts, point_positions, runs, sole_points
from gambol.motion.ground import Ground
from gambol.motion.joint_names import Limb, legs
from gambol.motion.motion import Motion
from gambol.motion.two_bone_ik import limb_rotations

STIFF_S = 0.03  # seconds within which a correction changes its speed; larger: corrections are smoother
FADE_S = 0.3  # seconds within which a correction fades where no other pin follows
HASTE = (
    30.0  # extra cost of a changing correction at the swing's peak, where it is 1 at rest; larger: swings change less
)
GRIP = (
    1e6  # cost of missing a pin, where bending the correction within one frame costs 1; larger: pins hold more firmly
)
LIFT_S = 0.1  # seconds before and after a foot would sink into the ground during which it rises
PIVOT_RAD = np.radians(20.0)  # radians from its usual heading beyond which a planted foot turns on its toe
PEAK_TOLERANCE = 1.01  # times a leg's fastest moment in the motion: a corrected leg may be as fast
NO_PEAK = (1.5, 0.3)  # radians and metres a second: a leg may always be as fast, even if it hardly moves in the motion
EASING_ROUNDS = 60  # the most rounds that loosen pins
EASING_STEP = 1.0  # exponent added to the looseness of pins around a new peak, in each round
EASING_S = 0.08  # seconds: standard deviation of the bell that the first round loosens around a peak
EASING_GROWTH = 1.2  # factor on the width of that bell from round to round
LOOSEST = 36.0  # largest exponent of looseness: nothing is left of the pin


class FootTrack(NamedTuple):
    """One foot through time."""

    ankles: FloatArray  # (F, 3)
    heels: FloatArray  # (F, 3) from ankle to heel, in the world
    toes: FloatArray  # (F, 3) from ankle to toe, in the world
    heel_planted: BoolArray  # (F,)
    toe_planted: BoolArray  # (F,)


def remove_foot_skate(motion: Motion, contacts: Contacts | None = None) -> Motion:
    """Pin planted feet to the ground by bending the legs.

    Only hips, knees and ankles turn: the root and all other joints keep their rotations to the last bit.  Feet keep
    their pitch and roll in the world, and their heading except for the small turn that a flat foot needs to stand
    still.  Knees bend to the side they bend to in the motion.  Where a leg cannot reach, or would have to be faster
    than at its fastest, the pin gives way.

    contacts: None takes those of `detect_contacts`.
    """
    contacts = detect_contacts(motion) if contacts is None else contacts
    if len(contacts.planted) != motion.frame_count:
        raise InvalidInput(f"contacts of {len(contacts.planted)} frames for a motion of {motion.frame_count}")
    limbs = legs(motion.skeleton)
    peaks = np.array(NO_PEAK) / motion.rate_hz
    for leg in limbs:
        peaks = np.maximum(peaks, leg_speeds(motion, leg).max(axis=0, initial=0.0))
    rotations = np.array(motion.rotations)
    for leg in limbs:
        track = foot_track(motion, leg, contacts)
        if track.heel_planted.any() or track.toe_planted.any():
            rotations[:, (leg.root, leg.middle, leg.end)] = _planted_leg(motion, leg, track, peaks)
    return motion.with_rotations(rotations)


def raise_sunken_feet(motion: Motion, ground: Ground) -> Motion:
    """Bend the legs so that no heel, ball or toe tip is below the ground, and change nothing else.

    Feet keep their orientation in the world, and rise and sink back smoothly.  They may slide a
    little: remove foot skate afterwards, which keeps heights.
    """
    rotations = np.array(motion.rotations)
    for leg in legs(motion.skeleton):
        lift = _lift(motion, leg, ground)
        if lift.any():
            targets = motion.world_positions[:, leg.end] + lift[:, None] * [0.0, 0.0, 1.0]
            rotations[:, (leg.root, leg.middle, leg.end)] = limb_rotations(motion, leg, targets)
    return motion.with_rotations(rotations)


def leg_speeds(motion: Motion, leg: Limb) -> FloatArray:
    """Return how far a leg's fastest joint turns and moves from each frame to the next, (F - 1, 2).

    Turns are in radians relative to the parent, of hip, knee and ankle; moves are in metres in the world, of knee,
    ankle and toe.
    """
    turning = [leg.root, leg.middle, leg.end]
    turns = quaternion.angle(motion.rotations[:-1, turning], motion.rotations[1:, turning])
    moving = [leg.middle, leg.end, leg.toe if leg.toe >= 0 else leg.end]
    steps = np.linalg.norm(np.diff(motion.world_positions[:, moving], axis=0), axis=-1)
    return np.column_stack((turns.max(axis=1), steps.max(axis=1)))


def _planted_leg(motion: Motion, leg: Limb, track: FootTrack, peaks: FloatArray) -> FloatArray:
    """Return the local rotations (F, 3, 4) of hip, knee and ankle with the foot planted.

    Around frames where the leg would be faster than the peaks, pins loosen round by round, more and over a longer
    time, until none is left: at worst the leg moves as it did.
    """
    joints = (leg.root, leg.middle, leg.end)
    rotations = np.array(motion.rotations)
    loose = np.zeros(motion.frame_count)
    for number in range(EASING_ROUNDS):
        moves, turns = corrections(track, motion.rate_hz, loose=loose)
        feet = quaternion.multiply(turns, motion.world_rotations[:, leg.end])
        rotations[:, joints] = limb_rotations(motion, leg, track.ankles + moves, end_rotations=feet)
        above = leg_speeds(motion.with_rotations(rotations), leg) > PEAK_TOLERANCE * peaks + 1e-12
        if not above.any():
            break
        width = EASING_S * EASING_GROWTH**number * motion.rate_hz
        near = gaussian(np.concatenate(([0.0], above.any(axis=1))), width, edges="constant")
        loose = np.minimum(loose + EASING_STEP * np.minimum(1.0, 3.0 * width * near), LOOSEST)
    return rotations[:, joints]


def foot_track(motion: Motion, leg: Limb, contacts: Contacts) -> FootTrack:
    """Return the track of a foot; a point that the contacts lack is never planted."""
    ankles = motion.world_positions[:, leg.end]
    positions = point_positions(motion, contacts.points) - ankles[:, None]
    arms, planted = [], []
    for part in ("heel", "toe"):
        point = contacts.index(f"{leg.side}_{part}")
        arms.append(positions[:, point] if point >= 0 else np.zeros_like(ankles))
        planted.append(contacts.planted[:, point] if point >= 0 else np.zeros(motion.frame_count, dtype=bool))
    return FootTrack(ankles, *arms, *planted)


def corrections(track: FootTrack, rate_hz: float, *, loose: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how far to move the ankle (F, 3) and how to turn the foot (F, 4) so that nothing slides."""
    heel_planted, headings = _flat_phases(track)
    flat = heel_planted & track.toe_planted
    haste = _haste(track)
    turns = quaternion.from_heading(spread(headings, flat, haste, loose, rate_hz)[:, 0])
    track = track._replace(
        heels=quaternion.rotate(turns, track.heels),
        toes=quaternion.rotate(turns, track.toes),
        heel_planted=heel_planted,
    )
    moves = np.zeros_like(track.ankles)
    moves[:, :2] = _pinned_ankles(track) - track.ankles[:, :2]
    return spread(moves, heel_planted | track.toe_planted, haste, loose, rate_hz), turns


def spread(values: FloatArray, held: BoolArray, haste: FloatArray, loose: FloatArray, rate_hz: float) -> FloatArray:
    """Continue values (F, C) from the frames that hold them to all others, smoothly, fading to zero.

    Of all curves c the result has the least sum over the frames of
    grip |c - values|^2 + |c''|^2 + haste |c' / STIFF_S|^2 + |c / (STIFF_S FADE_S)|^2, with time in frames; the grip is
    zero where nothing is held.  Looseness (F,) weakens the grip and strengthens the fading exponentially.
    """
    frames = len(values)
    stiff, fade = STIFF_S * rate_hz, FADE_S * rate_hz
    grip = np.where(held, GRIP * np.exp(-loose), 0.0)
    bands = np.zeros((3, frames))  # the upper half of a symmetric matrix: second, first, main diagonal
    bands[2] = grip + np.exp(loose) / (stiff * fade) ** 2
    tension = 0.5 * (haste[1:] + haste[:-1]) / stiff**2
    bands[2, 1:] += tension
    bands[2, :-1] += tension
    bands[1, 1:] -= tension
    for shift, weight in ((0, 1.0), (1, 4.0), (2, 1.0)):
        bands[2, shift : frames - 2 + shift] += weight
    bands[1, 1 : frames - 1] -= 2.0
    bands[1, 2:] -= 2.0
    bands[0, 2:] += 1.0
    return scipy.linalg.solveh_banded(bands, grip[:, None] * values)


def _haste(track: FootTrack) -> FloatArray:
    """Return the cost of changing a correction at each frame (F,): the faster the foot, the higher.

    Corrections then change while the foot is slow, and the swing keeps its peak speed.
    """
    if len(track.ankles) < 2:
        return np.ones(len(track.ankles))
    speeds = np.linalg.norm(np.gradient(track.ankles + track.toes, axis=0), axis=1)
    return 1.0 + HASTE * np.minimum(1.0, speeds / max(float(np.percentile(speeds, 99.0)), 1e-9)) ** 4


def _flat_phases(track: FootTrack) -> tuple[BoolArray, FloatArray]:
    """Return when the heel is really planted, and the turns (F, 1) that keep a flat foot's heading.

    That heading is the median of the phase.  While a foot is turned far from it, it turns on its toe, however slowly
    its heel moves; if it mostly is, it does so throughout the phase.
    """
    heel_planted = np.array(track.heel_planted)
    turns = np.zeros((len(track.ankles), 1))
    soles = (track.toes - track.heels)[:, :2]
    for first, last in runs(track.heel_planted & track.toe_planted):
        phase = slice(first, last + 1)
        mean = soles[phase].mean(axis=0)
        sines = soles[phase, 0] * mean[1] - soles[phase, 1] * mean[0]
        from_mean = np.arctan2(sines, soles[phase] @ mean)
        turns[phase, 0] = from_mean - np.median(from_mean)
        away = np.abs(turns[phase, 0])
        heel_planted[phase] = (away <= PIVOT_RAD) & (np.median(away) <= 0.4 * PIVOT_RAD)
    return heel_planted, turns


def _pinned_ankles(track: FootTrack) -> FloatArray:
    """Return where the ankle must be in the ground plane (F, 2) so that planted points stay in place.

    Within one stance the foot's own shape ties heel and toe together; the place of the whole stance is the one with
    the least squares of moves.
    """
    heel_stays = track.heel_planted[1:] & track.heel_planted[:-1]
    toe_stays = track.toe_planted[1:] & track.toe_planted[:-1]
    steps = np.diff(track.ankles[:, :2], axis=0)
    # The ankle circles the heel while that is planted, and the toe while only the toe is.
    steps[toe_stays] = -np.diff(track.toes[:, :2], axis=0)[toe_stays]
    steps[heel_stays] = -np.diff(track.heels[:, :2], axis=0)[heel_stays]
    ankles = np.cumsum(np.concatenate((track.ankles[:1, :2], steps)), axis=0)
    for first, last in runs(track.heel_planted | track.toe_planted):
        stance = slice(first, last + 1)
        ankles[stance] += (track.ankles[stance, :2] - ankles[stance]).mean(axis=0)
    return ankles


def _lift(motion: Motion, leg: Limb, ground: Ground) -> FloatArray:
    """Return how far to raise a foot (F,) so that no point of its sole is below the ground, smoothly."""
    soles = point_positions(motion, sole_points(motion.skeleton, leg))
    depths = np.maximum(ground.heights(soles) - soles[..., 2], 0.0).max(axis=1)
    reach = max(1, round(LIFT_S * motion.rate_hz))
    return envelope(depths, reach)
