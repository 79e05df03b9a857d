"""What the horse can do, and the character made of it."""

from __future__ import annotations

from functools import cache

from gambol.character.builtin.authored import AuthoredClip
from gambol.character.builtin.from_authored import State, character_from
from gambol.character.builtin.horse.clips import HALT, STAND, START, author, gallop
from gambol.character.character import Character
from gambol.character.store import kept

TURNS = (10, 20)  # degrees
#: The papers' five gallops [LK05 3.1]; more are needed to set off and to stop.
LK05_STATES = 5


def horse_clips() -> tuple[AuthoredClip, ...]:
    """Author all clips; the first five are gallops."""
    return tuple(state.clip for state in _states())


@cache
def horse_character() -> Character:
    """Return the horse: the subset `lk05`, and halt, stand and start."""
    return kept("horse", _build)


def _build() -> Character:
    states = _states()
    members = [state.clip.name for state in states[:LK05_STATES]]
    return character_from("horse", states, subsets={"lk05": members})


@cache
def _states() -> tuple[State, ...]:
    turns = [
        State(f"gallop {side}", "turn", gallop(f"gallop-{side}-{angle}", sign * angle))
        for side, sign in (("left", 1.0), ("right", -1.0))
        for angle in TURNS
    ]
    return (
        State("gallop", "forward", gallop("gallop", 0.0)),
        *turns,
        State("halt", "wait", author(HALT)),
        State("stand", "wait", author(STAND)),
        State("start", "forward", author(START)),
    )
