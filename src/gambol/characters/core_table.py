"""A character's table as the core's struct."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.core import Struct, struct

_KNOWN: WeakKeyDictionary[Character, Struct] = WeakKeyDictionary()


def actions_struct(character: Character) -> Struct:
    """Return what a character can do as the core reads it, laid out once."""
    if character not in _KNOWN:
        _KNOWN[character] = struct_of_actions(action_table(character))
    return _KNOWN[character]


def struct_of_actions(actions: ActionTable) -> Struct:
    """Return an action table as the core reads it."""
    return struct(
        "gb_actions",
        behaviors=len(actions.behavior_cost),
        clips=len(actions.duration),
        samples=len(actions.path),
        behavior_clips=actions.behavior_clips,
        successors=actions.successors,
        behavior_successors=actions.behavior_successors,
        slopes=actions.slopes,
        clip_behavior=actions.clip_behavior,
        displacement=actions.displacement,
        duration=actions.duration,
        event=actions.event,
        clip_samples=actions.clip_samples,
        path=actions.path,
        outer_radius=actions.outer_radius,
        part_offset=actions.part_offset,
        part_radius=actions.part_radius,
        part_low=actions.part_low,
        part_high=actions.part_high,
    )
