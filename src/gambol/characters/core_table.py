"""A character's tables as the core's structs."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.characters.motion_table import LimbTable, MotionTable
from gambol.core import Struct, lib, struct_of
from gambol.geometry.arrays import FloatArray, Int64Array

_KNOWN: WeakKeyDictionary[Character, Struct] = WeakKeyDictionary()


def actions_struct(character: Character) -> Struct:
    """Return what a character can do as the core reads it, laid out once."""
    if character not in _KNOWN:
        _KNOWN[character] = struct_of_actions(action_table(character))
    return _KNOWN[character]


def struct_of_actions(actions: ActionTable) -> Struct:
    """Return an action table as the core reads it."""
    return struct_of(
        "gb_actions",
        actions,
        behaviors=len(actions.behavior_cost),
        clips=len(actions.duration),
        samples=len(actions.path),
    )


def struct_of_clips(table: MotionTable) -> Struct:
    """Return the frames of clips as the core reads them."""
    return struct_of(
        "gb_clip_frames",
        table,
        joints=table.rotations.shape[1],
        points=table.planted.shape[1],
        is_rigid=len(table.offsets) == 1,
    )


def struct_of_limbs(limbs: LimbTable) -> Struct:
    """Return legs and arms as the core reads them."""
    return struct_of(
        "gb_limbs",
        limbs,
        joints=len(limbs.parents),
        limbs=len(limbs.joints),
        points=len(limbs.point_limb),
        soles=len(limbs.sole_limb),
        chain=limbs.joints,
    )


def room_for_joins(clips: Struct, windows: Int64Array) -> FloatArray:
    """Return room to blend as many frames on either side of a join as the widest of some windows has."""
    return np.empty(lib.gb_join_room(clips.c, int(windows.max(initial=0))))
