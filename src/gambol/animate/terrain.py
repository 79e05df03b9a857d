"""Let a motion made on level ground follow the ground of a terrain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gambol.animate.ground.board import lay_board, rolling_plane
from gambol.animate.ground.carriage import carriage, carried
from gambol.animate.ground.footings import Footing, end_places, hand_footing, leg_footing, riding_footing
from gambol.animate.ground.reach import give_way
from gambol.animate.ground.soles import standing_soles
from gambol.errors import InvalidInput
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import Contacts
from gambol.motion.motion import Motion
from gambol.motion.two_bone_ik import limb_rotations
from gambol.world.terrain import Terrain


def over_terrain(motion: Motion, contacts: Contacts, terrain: Terrain) -> Motion:
    """Return the motion, made on level ground at height zero, adapted to a terrain.

    The root keeps its place in the ground plane.  It rises by the height of the ground around it, smoothed
    over neighbouring frames [LK05 3.4].  Planted feet, hooves and hands stand on the ground and lie along
    it, and slide no more than before; swinging ones keep their height above the ground below them.  Legs
    bend as before; where a leg cannot reach, the body sinks.  A board rolls on its wheels.  Over level
    ground at height zero nothing changes.
    """
    if len(contacts.planted) != motion.frame_count:
        raise InvalidInput(f"contacts for {motion.frame_count} frames expected, not for {len(contacts.planted)}")
    if np.ptp(terrain.heights_m) == 0.0:
        level = np.array([0.0, 0.0, terrain.heights_m[0, 0]])
        return replace(motion, root_positions=motion.root_positions + level) if level.any() else motion
    soles = standing_soles(motion.skeleton, contacts)
    board = rolling_plane(motion, terrain)
    borne = carriage(motion, terrain, board)
    legs = [
        leg_footing(motion, sole, terrain, borne.shift)
        if board is None
        else riding_footing(motion, sole, terrain, board)
        for sole in soles
        if not sole.is_arm
    ]

    def hands(result: Motion) -> list[Footing]:
        return [hand_footing(motion, sole, terrain, borne.shift, result) for sole in soles if sole.is_arm]

    result = carried(motion, give_way(motion, borne, legs, hands))
    rotations = _planted(motion, result, [*legs, *hands(result)])
    if board is None:
        return result.with_rotations(rotations)
    translations = np.array(np.broadcast_to(motion.local_offsets, (*rotations.shape[:2], 3)))
    lay_board(motion, board, result, rotations, translations)
    return replace(result, rotations=rotations, translations=translations)


def _planted(motion: Motion, result: Motion, footings: Sequence[Footing]) -> FloatArray:
    """Return local rotations (F, J, 4) that bend limbs until their soles are in place."""
    rotations = np.array(result.rotations)
    world, parents = motion.world_rotations, motion.skeleton.parents
    for footing in footings:
        limb, joint = footing.sole.limb, footing.sole.joint
        ends = quaternion.multiply(footing.above, world[:, limb.end])
        places = end_places(motion, footing)
        rotations[:, (limb.root, limb.middle, limb.end)] = limb_rotations(result, limb, places, end_rotations=ends)
        if joint != limb.end:
            above = quaternion.multiply(footing.above, world[:, parents[joint]])
            turned = quaternion.multiply(footing.turns, world[:, joint])
            rotations[:, joint] = quaternion.multiply(quaternion.conjugate(above), turned)
    return rotations
