"""A character's table as the core's struct."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.core import Struct, struct_of

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
