"""What the horse can do, and the character made of it."""

from __future__ import annotations

from functools import cache

from tools.authoring.authored import AuthoredClip
from tools.authoring.from_authored import State, character_from
from tools.authoring.horse.clips import HALT, STAND, START, author, gallop
from tools.authoring.horse.walk import STAND as STAND_SHORT
from tools.authoring.horse.walk import START as START_WALK
from tools.authoring.horse.walk import STEP_AHEAD, STEP_BACK, spot_turn, walk
from tools.authoring.horse.walk import STOP as STOP_WALK

from gambol.characters.character import Character

TURNS = (10, 20)  # degrees
WALK_TURNS, SPOT_TURNS = (20, 45), (45, 90)
SIDES = (("left", 1.0), ("right", -1.0))
#: A metre at a walk costs more: without other preferences the horse is in a hurry.
WALK_WEIGHT = 3.0
#: The papers' five gallops [LK05 3.1]; more are needed to set off and to stop.
LK05_STATES = 5


def horse_clips() -> tuple[AuthoredClip, ...]:
    """Author all clips; the first five are gallops."""
    return tuple(state.clip for state in _states())


@cache
def horse_character() -> Character:
    """Return the horse with the subsets `lk05`, which gallops, and `crowd`, which walks."""
    states = _states()
    subsets = {
        "lk05": [state.clip.name for state in states[:LK05_STATES]],
        "crowd": [state.clip.name for state in _walks()],
    }
    return character_from("horse", states, subsets=subsets)


@cache
def _states() -> tuple[State, ...]:
    turns = [
        State(f"gallop {side}", "turn", gallop(f"gallop-{side}-{angle}", sign * angle))
        for side, sign in SIDES
        for angle in TURNS
    ]
    return (
        State("gallop", "forward", gallop("gallop", 0.0)),
        *turns,
        State("halt", "wait", author(HALT)),
        State("stand", "wait", author(STAND)),
        State("start", "forward", author(START)),
        *_walks(),
    )


@cache
def _walks() -> tuple[State, ...]:
    """Return the walk and what leads into it and out of it, and steps about."""
    return (
        State("walk", "forward", walk("walk", 0.0), weight=WALK_WEIGHT),
        *(
            State(f"walk {side}", "turn", walk(f"walk-{side}-{angle}", sign * angle), weight=WALK_WEIGHT)
            for side, sign in SIDES
            for angle in WALK_TURNS
        ),
        State("start walk", "change", author(START_WALK)),
        State("stop walk", "change", author(STOP_WALK)),
        State("stand short", "wait", author(STAND_SHORT)),
        State("step ahead", "side", author(STEP_AHEAD)),
        State("step back", "side", author(STEP_BACK)),
        *(
            State(f"spot {side}", "side", spot_turn(f"spot-{side}-{angle}", sign * angle))
            for angle in SPOT_TURNS
            for side, sign in SIDES
        ),
    )
