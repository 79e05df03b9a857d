"""The parts of a person, in proportion to the legs.

All proportions are in leg lengths (thigh plus shin), the one length that skeletons give reliably:
captured ones have trunks, necks and hands that are often too short.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gambol.body.hands_and_feet import FINGER_RADIUS, SEPARATE_FINGERS, finger_joints, foot_parts, hand_parts
from gambol.body.parts import Bone, Landmarks, Part, are_inside, bone_parts, bones, path_down
from gambol.geometry.arrays import FloatArray
from gambol.motion.figure import prop_joints
from gambol.motion.joint_names import Limb

Profile = tuple[tuple[float, float], ...]  # (how far along, radius), from 0 to 1

#: The trunk from the hip joints (0) to the shoulders (1): how far its outer columns stand to each
#: side and their radius, the radius of the column in the middle, and how far all stand ahead.
TRUNK_HEIGHTS = (0.0, 0.15, 0.28, 0.42, 0.78, 1.0)
TRUNK_HALF_WIDTHS = (0.090, 0.090, 0.075, 0.062, 0.092, 0.095)
TRUNK_SIDE_RADII = (0.094, 0.099, 0.094, 0.089, 0.102, 0.064)
TRUNK_MIDDLE_RADII = (0.106, 0.114, 0.110, 0.105, 0.125, 0.078)
TRUNK_AHEAD = (-0.010, -0.008, -0.004, 0.0, 0.010, 0.0)
THIGH: Profile = ((0.0, 0.102), (0.25, 0.092), (0.6, 0.081), (1.0, 0.066))
SHIN: Profile = ((0.0, 0.066), (0.28, 0.069), (1.0, 0.041))
UPPER_ARM: Profile = ((0.0, 0.068), (0.45, 0.058), (1.0, 0.047))
FOREARM: Profile = ((0.0, 0.047), (0.3, 0.048), (1.0, 0.031))
NECK: Profile = ((0.0, 0.062), (1.0, 0.057))
PELVIS_RADIUS = 0.100
BUTTOCK_RADIUS = 0.088
SHOULDER_RADIUS = 0.060
CRANIUM_RADIUS = 0.096
CHIN_RADIUS = 0.060
#: From the head's joint to the top, at least; captured heads often end at the markers' band.
HEAD_HEIGHT = 0.185
#: A head tip nearer than this gives no direction.
LEAST_HEAD = 0.01
#: The longest piece of trunk, in heights as above, that one cone may stand for.
TRUNK_PIECE = 0.3


def human_parts(person: Landmarks) -> list[Part]:
    """Return the parts of a person, and of all else that hangs on the skeleton."""
    parts = [*_trunk(person), *_neck(person), *_head(person)]
    for arm in person.arms:
        parts += [*_shoulder(person, arm), *_along(person, arm.root, arm.middle, UPPER_ARM)]
        parts += [*_along(person, arm.middle, arm.end, FOREARM), *hand_parts(person, arm)]
    for leg in person.legs:
        parts += [*_thigh(person, leg), *_along(person, leg.middle, leg.end, SHIN), *foot_parts(person, leg)]
    return parts + _other_parts(person, parts)


def _along(person: Landmarks, joint: int, end: int, profile: Profile) -> Iterator[Part]:
    """Wrap the way from a joint to another one in cones that follow a profile."""
    points = person.skeleton.rest_positions
    start, way = points[joint], points[end] - points[joint]
    for (at, radius), (next_at, next_radius) in pairwise(profile):
        unit = person.unit
        yield Part(joint, start + at * way, start + next_at * way, unit * radius, unit * next_radius)


def _thigh(person: Landmarks, leg: Limb) -> Iterator[Part]:
    # Thighs may meet at the hips; further down a narrow skeleton's must still be two.
    half_distance = abs((person.skeleton.rest_positions[leg.root] - person.hip_middle) @ person.left) / person.unit
    profile = tuple((at, min(radius, (0.95 if at == 0.0 else 0.8) * half_distance)) for at, radius in THIGH)
    return _along(person, leg.root, leg.middle, profile)


def _trunk(person: Landmarks) -> Iterator[Part]:
    """Stand three columns side by side from the hip joints to the shoulders, on a pelvis that lies across."""
    points, unit = person.skeleton.rest_positions, person.unit
    aside = points[person.legs[0].root] - person.hip_middle
    centre = person.hip_middle + 0.02 * unit * person.up
    yield Part(person.hips, centre - 0.8 * aside, centre + 0.8 * aside, PELVIS_RADIUS * unit, PELVIS_RADIUS * unit)
    behind = person.hip_middle - 0.045 * unit * person.forward
    yield Part(person.hips, behind - 0.55 * aside, behind + 0.55 * aside, BUTTOCK_RADIUS * unit, BUTTOCK_RADIUS * unit)

    path = path_down(person.skeleton, person.hips, person.chest)
    way = [(person.hips, person.hip_middle, points[person.hips])]
    way += [(joint, points[joint], points[child]) for joint, child in pairwise(path)]
    way += [(person.chest, points[person.chest], person.shoulder_middle)]
    for joint, start, end in way:
        if np.linalg.norm(end - start) > 0.01 * unit:
            yield from _trunk_columns(person, joint, start, end)


def _trunk_columns(person: Landmarks, joint: int, start: FloatArray, end: FloatArray) -> Iterator[Part]:
    unit = person.unit
    trunk = person.shoulder_middle - person.hip_middle
    low, high = (float((point - person.hip_middle) @ trunk / (trunk @ trunk)) for point in (start, end))
    pieces = max(1, int(np.ceil(min(abs(high - low), 1.0) / TRUNK_PIECE)))
    fractions = np.linspace(0.0, 1.0, pieces + 1)

    def profile(values: tuple[float, ...]) -> FloatArray:
        return unit * np.interp(low + fractions * (high - low), TRUNK_HEIGHTS, values)

    centres = start + fractions[:, None] * (end - start) + profile(TRUNK_AHEAD)[:, None] * person.forward
    asides = profile(TRUNK_HALF_WIDTHS)[:, None] * person.left
    for side, radii in ((1.0, TRUNK_SIDE_RADII), (-1.0, TRUNK_SIDE_RADII), (0.0, TRUNK_MIDDLE_RADII)):
        ends, radius = centres + side * asides, profile(radii)
        for i in range(pieces):
            yield Part(joint, ends[i], ends[i + 1], float(radius[i]), float(radius[i + 1]))


def _neck(person: Landmarks) -> Iterator[Part]:
    if person.head < 0:
        return
    path = path_down(person.skeleton, person.chest, person.head)
    for joint, child in pairwise(path):
        if person.skeleton.bone_lengths[child] > 0.01 * person.unit:
            yield from _along(person, joint, child, NECK)


def _head(person: Landmarks) -> Iterator[Part]:
    """Make an egg: a cranium below the top of the head, and a chin that shows where the face is."""
    if person.head < 0:
        return
    unit = person.unit
    joint = person.skeleton.rest_positions[person.head]
    tips = person.skeleton.tip_offsets[person.skeleton.tip_parents == person.head]
    top = tips[0] if len(tips) else HEAD_HEIGHT * unit * person.up
    height = float(np.linalg.norm(top))
    upward = top / height if height > LEAST_HEAD * unit else person.up
    forward = person.forward - (person.forward @ upward) * upward
    height = max(height, HEAD_HEIGHT * unit)
    crown = joint + (height - CRANIUM_RADIUS * unit) * upward
    chin = joint + unit * (0.050 * forward + 0.010 * upward)
    cheeks, cheek_radius = 0.5 * (crown + chin), 0.5 * (CRANIUM_RADIUS + CHIN_RADIUS)
    yield Part(person.head, crown, cheeks, CRANIUM_RADIUS * unit, cheek_radius * unit)
    yield Part(person.head, cheeks, chin, cheek_radius * unit, CHIN_RADIUS * unit)


def _neck_height(person: Landmarks) -> float:
    """Return how far up the neck the slope to the shoulders starts."""
    if person.head < 0:
        return 0.0
    head = (person.skeleton.rest_positions[person.head] - person.shoulder_middle) @ person.up
    return float(np.clip(0.25 * head, 0.0, 0.075 * person.unit))


def _shoulder(person: Landmarks, arm: Limb) -> Iterator[Part]:
    """Reach from the chest to the shoulder joint, and slope from the neck."""
    points, unit = person.skeleton.rest_positions, person.unit
    path = path_down(person.skeleton, person.chest, arm.root)
    joint = path[-2] if len(path) > 1 else person.chest
    aside = points[arm.root] - person.shoulder_middle
    radius = SHOULDER_RADIUS * unit
    yield Part(joint, person.shoulder_middle + 0.3 * aside, points[arm.root], radius, radius)
    slope = person.shoulder_middle + _neck_height(person) * person.up
    yield Part(joint, slope + 0.1 * aside, person.shoulder_middle + 0.8 * aside, 0.045 * unit, 0.04 * unit)


def _other_parts(person: Landmarks, wrapped: list[Part]) -> list[Part]:
    """Wrap what a person's skeleton has besides: fingers, tails, wings, clothes, tools."""
    skeleton = person.skeleton
    done = _wrapped_joints(person)
    others = [bone for bone in bones(skeleton) if not done[bone.joint if bone.child < 0 else bone.child]]
    if not others:
        return []
    # Twist and face bones lie within what is wrapped already.
    ends = np.array([(bone.start, bone.end) for bone in others]).reshape(-1, 3)
    within = np.all(are_inside(ends, wrapped).reshape(-1, 2), axis=1)
    others = [bone for bone, inside in zip(others, within, strict=True) if not inside]
    in_hand = skeleton.is_below(person.arms[0].end) | skeleton.is_below(person.arms[1].end)
    fingers = [bone for bone in others if in_hand[bone.joint]]
    return [*_finger_parts(person, fingers), *bone_parts(skeleton, [b for b in others if not in_hand[b.joint]])]


def _finger_parts(person: Landmarks, fingers: list[Bone]) -> list[Part]:
    radius = FINGER_RADIUS * person.unit
    return [Part(bone.joint, bone.start, bone.end, radius, radius) for bone in fingers]


def _wrapped_joints(person: Landmarks) -> NDArray[np.bool_]:
    """Mark the joints (J,) up to which a person's parts stand for the bones, and whose tips they cover."""
    skeleton = person.skeleton
    # Above the hips of a person there are only helpers, such as a root on the floor.
    done = ~skeleton.is_below(person.hips) | prop_joints(skeleton)
    done[path_down(skeleton, person.hips, person.chest)] = True
    if person.head >= 0:
        done[path_down(skeleton, person.chest, person.head)] = True
    for limb in (*person.legs, *person.arms):
        done[path_down(skeleton, person.hips, limb.end)] = True
    for leg in person.legs:
        done |= skeleton.is_below(leg.end)
    for arm in person.arms:
        if len(finger_joints(person, arm)) < SEPARATE_FINGERS:
            done |= skeleton.is_below(arm.end)
    return done
