"""Give a motion to another body with the same joints: other bone lengths, another rest pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.errors import InvalidInput, UnknownName
from gambol.motion.contacts import Contacts, contact_points, detect_contacts, leg_length, point_positions
from gambol.motion.foot_skate import remove_foot_skate
from gambol.motion.joint_names import legs
from gambol.motion.motion import Motion
from gambol.motion.rest import retarget_rotations
from gambol.motion.skeleton import Skeleton


def retarget(motion: Motion, target: Skeleton) -> Motion:
    """Return the motion on another skeleton with the same joint names; planted feet stay planted.

    Bones take the source's directions (see `gambol.motion.rest`), the root's path scales with the length of the legs,
    the planted feet are set down on the source's ground and pinned where they stand.  Joint translations of the source
    are dropped: they belong to its bones.
    """
    ordered = _in_order_of(motion, target)
    source = ordered.skeleton
    rotations = retarget_rotations(ordered.rotations, source, target)
    contacts = detect_contacts(motion)
    ratio = _size_ratio(source, target)
    # Scale about a point of the ground under the start, so that the place in the world stays.
    anchor = np.array([*motion.root_positions[0, :2], 0.0])
    anchor[2] = contacts.ground.heights(anchor)
    roots = anchor + (motion.root_positions - anchor) * ratio
    result = Motion(target, motion.rate_hz, roots, rotations)
    points = contact_points(target)
    if tuple(point.name for point in points) != tuple(point.name for point in contacts.points):
        return result
    planted = Contacts(points, contacts.planted, contacts.ground)
    return remove_foot_skate(_set_down(result, motion, contacts, planted), planted)


def _in_order_of(motion: Motion, target: Skeleton) -> Motion:
    """Return the motion with its joints in the target's order, on a skeleton of the source's bones."""
    source = motion.skeleton
    for name in target.names:
        if name not in source:
            raise UnknownName("joint in the motion to retarget", name, source.names)
    if source.joint_count != target.joint_count:
        extra = sorted(set(source.names) - set(target.names))
        raise InvalidInput(f"the target skeleton lacks joints of the motion: {', '.join(extra[:8])}")
    order = np.array([source.index(name) for name in target.names])
    for joint in range(1, target.joint_count):
        above = source.names[source.parents[order[joint]]]
        if above != target.names[target.parents[joint]]:
            raise InvalidInput(
                f"joint {target.names[joint]!r} hangs on {above!r} in the motion "
                f"and on {target.names[target.parents[joint]]!r} in the target"
            )
    bones = Skeleton(target.names, target.parents, source.offsets[order])
    return Motion(bones, motion.rate_hz, motion.root_positions, motion.rotations[:, order])


def _size_ratio(source: Skeleton, target: Skeleton) -> float:
    """Compare leg lengths, or all bones together where there are no legs."""
    if legs(source) and legs(target):
        return leg_length(target) / leg_length(source)
    return float(target.bone_lengths.sum() / max(source.bone_lengths.sum(), 1e-9))


def _set_down(result: Motion, motion: Motion, before: Contacts, after: Contacts) -> Motion:
    """Lift or lower the figure so that on average its planted feet are as high above the ground as before.

    The height of a foot's points above its sole belongs to the foot: on both sides the height at rest is subtracted.
    """
    feet = [index for index, point in enumerate(before.points) if not point.is_hand]
    planted = before.planted[:, feet]
    if not planted.any():
        return result
    gap = _heights_above_rest(motion, before)[:, feet] - _heights_above_rest(result, after)[:, feet]
    lift = np.array([0.0, 0.0, gap[planted].mean()])
    return replace(result, root_positions=result.root_positions + lift)


def _heights_above_rest(motion: Motion, contacts: Contacts) -> np.ndarray:
    """Return the heights of contact points above the ground, minus their heights in the rest pose, (F, P)."""
    positions = point_positions(motion, contacts.points)
    rest = motion.skeleton.rest_positions[[point.joint for point in contacts.points], 2]
    rest = rest + [point.offset[2] for point in contacts.points]
    return positions[..., 2] - contacts.ground.heights(positions) - (rest - rest.min())
