"""The hands and feet of a person: mittens with thumbs, and feet that stand flat on their soles.

Proportions are in leg lengths, as everywhere on a person.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gambol.body.parts import Landmarks, Part
from gambol.geometry.arrays import FloatArray
from gambol.motion.joint_names import Limb

PALM_LENGTH = 0.09
FINGERS_LENGTH = 0.085
PALM_RADIUS = 0.020
FINGERTIP_RADIUS = 0.013
FINGER_RADIUS = 0.0095
THUMB_LENGTH = 0.065
THUMB_RADIUS = 0.0145
HALF_PALM = 0.020  # from the middle of the palm to the axis of either half
#: With fewer fingers than this (thumb apart) a hand is a mitten.
SEPARATE_FINGERS = 3

HEEL_RADIUS = 0.040
ANKLE_RADIUS = 0.040
INSTEP_RADIUS = 0.032
BALL_RADIUS = 0.024
TOE_TAPER = 0.92  # the toes' radius over the ball's
ARCH_HEIGHT = 0.012
HALF_FOOT = 0.020  # from the middle of the ball to the axis of either half
HEEL_BEHIND = 0.020  # the heel's centre, behind the ankle
ANKLE_HEIGHT = 0.082  # at least, above the sole
BALL_AHEAD = 0.150  # where a skeleton has no toes
TOES_LENGTH = 0.080
BALL_SHARE = BALL_AHEAD / (BALL_AHEAD + TOES_LENGTH)


def finger_joints(person: Landmarks, arm: Limb) -> list[int]:
    """Return the first joint of each finger, without the thumb: those away from the wrist that hang on it."""
    skeleton, wrist = person.skeleton, person.skeleton.rest_positions[arm.end]
    away = np.linalg.norm(skeleton.rest_positions - wrist, axis=1) > 0.01 * person.unit
    first = skeleton.is_below(arm.end) & away
    first[1:] &= ~away[skeleton.parents[1:]]
    thumbs = thumb_joints(person, arm)
    return [int(joint) for joint in np.flatnonzero(first) if joint not in thumbs]


def thumb_joints(person: Landmarks, arm: Limb) -> list[int]:
    """Return the joints of the thumb, from the wrist on."""
    below = np.flatnonzero(person.skeleton.is_below(arm.end))
    return [int(joint) for joint in below if "thumb" in person.skeleton.names[joint].lower()]


def hand_parts(person: Landmarks, arm: Limb) -> Iterator[Part]:
    """Make a palm as two rods side by side; fingers in one piece and a thumb, unless they have bones of their own."""
    unit, wrist = person.unit, person.skeleton.rest_positions[arm.end]
    fingers, thumbs = finger_joints(person, arm), thumb_joints(person, arm)
    along, across = _hand_directions(person, arm, fingers, thumbs)
    knuckles, fingertips = _finger_reach(person, arm, fingers, along)
    palm_radius, mitten = PALM_RADIUS * unit, len(fingers) < SEPARATE_FINGERS
    for side in (1.0, -1.0):
        aside = side * HALF_PALM * unit * across
        first, last = wrist + knuckles * along + aside, wrist + fingertips * along + 0.4 * aside
        yield Part(arm.end, wrist + 0.5 * aside, first, palm_radius, palm_radius)
        if mitten:
            owner = fingers[0] if fingers else arm.end
            yield Part(owner, first, last, palm_radius, FINGERTIP_RADIUS * unit)
    if mitten:
        ball = wrist + unit * (0.025 * along + 0.5 * HALF_PALM * across)
        end = ball + THUMB_LENGTH * unit * (0.8 * along + 0.6 * across)
        yield Part(thumbs[0] if thumbs else arm.end, ball, end, THUMB_RADIUS * unit, THUMB_RADIUS * unit)


def _finger_reach(person: Landmarks, arm: Limb, fingers: list[int], along: FloatArray) -> tuple[float, float]:
    """Return how far the knuckles and the centres of the fingertips are from the wrist.

    Captured hands are often mere stubs, so both are at least a person's, and at most half as much again.
    """
    skeleton, unit = person.skeleton, person.unit
    wrist = skeleton.rest_positions[arm.end]
    knuckles = np.max((skeleton.rest_positions[fingers] - wrist) @ along, initial=PALM_LENGTH * unit)
    knuckles = min(float(knuckles), 1.5 * PALM_LENGTH * unit)
    tips = skeleton.rest_tip_positions[skeleton.is_below(arm.end)[skeleton.tip_parents]]
    least = knuckles + FINGERS_LENGTH * unit
    tip = np.max((tips - wrist) @ along - 0.8 * FINGERTIP_RADIUS * unit, initial=least)
    return knuckles, min(float(tip), 1.5 * least)


def _hand_directions(
    person: Landmarks, arm: Limb, fingers: list[int], thumbs: list[int]
) -> tuple[FloatArray, FloatArray]:
    """Return unit vectors along the hand and across the palm, towards the thumb."""
    skeleton, points = person.skeleton, person.skeleton.rest_positions
    forearm = points[arm.end] - points[arm.middle]
    reach = np.mean(points[fingers], axis=0) - points[arm.end] if fingers else forearm
    along = unit_vector(reach, unit_vector(forearm, person.left))
    ends = [points[thumb] for thumb in thumbs]
    ends += [*skeleton.rest_tip_positions[np.isin(skeleton.tip_parents, thumbs)]]
    # Without a thumb the palm faces down, or inwards, and the thumb forward.
    to_thumb = ends[-1] - points[arm.end] if ends else person.forward
    return along, unit_vector(to_thumb - (to_thumb @ along) * along, perpendicular(along))


def foot_parts(person: Landmarks, leg: Limb) -> Iterator[Part]:
    """Make a heel, an instep, and two rods to the ball and on to the toes, all flat on one sole."""
    unit = person.unit
    points = person.skeleton.rest_positions
    ankle = points[leg.end]
    ball, toe_end = _ball_and_toe_end(person, leg)
    forward, down = _foot_directions(person, leg, ball, toe_end)
    # The sole lies below the ball by its radius, and below the ankle by a person's height at least.
    sole = max((ball - ankle) @ down + BALL_RADIUS * unit, ANKLE_HEIGHT * unit)
    # A ball that lies higher is thicker, so that the foot still reaches around it.
    ball_height = float(sole - (ball - ankle) @ down)
    ball_radius = float(np.clip(0.6 * ball_height, BALL_RADIUS * unit, 1.6 * BALL_RADIUS * unit))
    toe_radius = ball_radius * TOE_TAPER

    def on_sole(point: FloatArray, radius: float) -> FloatArray:
        return point + (sole - radius - (point - ankle) @ down) * down

    # The middle of the toes, between both rods, reaches to the tip.
    shortened = min(0.6 * toe_radius, max(float((toe_end - ball) @ forward), 0.0))
    ankle_radius, heel_radius = ANKLE_RADIUS * unit, HEEL_RADIUS * unit
    # Capsules are as thick all along as at their thicker end, and must not sink below the sole.
    heel = on_sole(ankle - HEEL_BEHIND * unit * forward, heel_radius)
    instep = on_sole(ankle + 0.6 * (ball - ankle), ankle_radius)
    yield Part(leg.end, ankle, heel, ankle_radius, heel_radius)
    yield Part(leg.end, ankle, instep, ankle_radius, INSTEP_RADIUS * unit)
    arch, ball = on_sole(ankle, ball_radius + ARCH_HEIGHT * unit), on_sole(ball, ball_radius)
    toes = on_sole(toe_end - shortened * forward, toe_radius)
    owner = leg.toe if leg.toe >= 0 else leg.end
    for side in (1.0, -1.0):
        aside = side * HALF_FOOT * unit * np.cross(down, forward)
        yield Part(leg.end, arch + 0.5 * aside, ball + aside, ball_radius, ball_radius)
        yield Part(owner, ball + aside, toes + 0.7 * aside, ball_radius, toe_radius)


def _ball_and_toe_end(person: Landmarks, leg: Limb) -> tuple[FloatArray, FloatArray]:
    """Return the ball of the foot and the end of its toes, made up where the skeleton has none."""
    unit, ankle = person.unit, person.skeleton.rest_positions[leg.end]
    ends = _ends_beyond(person, leg.end if leg.toe < 0 else leg.toe)
    if leg.toe < 0:
        toe_end = ends[0] if ends else ankle + (BALL_AHEAD + TOES_LENGTH) * unit * person.forward
        return ankle + BALL_SHARE * (toe_end - ankle), toe_end
    ball = person.skeleton.rest_positions[leg.toe]
    shin = _shin(person, leg)
    ahead = ball - ankle - ((ball - ankle) @ shin) * shin
    return ball, ends[0] if ends else ball + TOES_LENGTH * unit * unit_vector(ahead, person.forward)


def _ends_beyond(person: Landmarks, joint: int) -> list[FloatArray]:
    """Return the tips of a joint, then its children, that are farther than a point from it."""
    skeleton = person.skeleton
    tips = skeleton.rest_tip_positions[skeleton.tip_parents == joint]
    ends = [*tips, *skeleton.rest_positions[skeleton.children(joint)]]
    here = skeleton.rest_positions[joint]
    return [end for end in ends if np.linalg.norm(end - here) > 0.01 * person.unit]


def _foot_directions(
    person: Landmarks, leg: Limb, ball: FloatArray, toe_end: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return unit vectors ahead along the sole and down out of it."""
    shin = _shin(person, leg)
    forward = unit_vector(toe_end - ball, person.forward)
    # A foot stretched along its shin says nothing about its sole.
    if abs(forward @ shin) > 0.9:
        forward = unit_vector(person.forward - (person.forward @ shin) * shin, perpendicular(shin))
    return forward, unit_vector(shin - (shin @ forward) * forward, -person.up)


def _shin(person: Landmarks, leg: Limb) -> FloatArray:
    points = person.skeleton.rest_positions
    return unit_vector(points[leg.end] - points[leg.middle], -person.up)


def unit_vector(vector: FloatArray, otherwise: FloatArray) -> FloatArray:
    """Scale to unit length, or return the other vector where there is no direction."""
    length = np.linalg.norm(vector)
    return vector / length if length > 1e-9 else otherwise


def perpendicular(direction: FloatArray) -> FloatArray:
    """Return some unit vector at right angles to a unit vector."""
    x, y, z = direction
    # Whatever turns in the plane of the two largest components stays long.
    across = np.array([0.0, -z, y]) if abs(x) <= max(abs(y), abs(z)) else np.array([-y, x, 0.0])
    return across / np.linalg.norm(across)
