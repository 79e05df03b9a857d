"""What the skateboarder can do, and the character made of it."""

from __future__ import annotations

from functools import cache

from tools.authoring.authored import AuthoredClip
from tools.authoring.from_authored import State, character_from
from tools.authoring.skateboarder.glides import duck, glide, roll
from tools.authoring.skateboarder.ollie import HIGH, LOW, ollie
from tools.authoring.skateboarder.pivot import pivot
from tools.authoring.skateboarder.pushing import (
    push,
    scoot,
    slow_down,
    speed_up,
    stand,
    stand_short,
    start,
    start_slow,
    stop,
    stop_and_wait,
    stop_slow,
)

from gambol.characters.character import Character

TURNS = (20, 45)  # degrees
PIVOTS = (45, 90)
SCOOT_TURN = 30
#: A metre at a slow roll costs more: without other preferences the rider is in a hurry.
ROLL_WEIGHT = 1.5
SIDES = (("left", 1.0), ("right", -1.0))
#: What has no place in a crowd: special motions, and what cannot be left for long.
NOT_IN_CROWDS = ("jump-low", "jump-high", "duck", "duck-low", "stop-and-wait", "stand")
#: The papers' eleven states, all of which begin and end in a glide [LK05 3.1]; more are needed to set off and to stop.
LK05_STATES = 11


def skateboarder_clips() -> tuple[AuthoredClip, ...]:
    """Author all clips; the first eleven begin and end in a glide."""
    return tuple(state.clip for state in _states())


@cache
def skateboarder_character() -> Character:
    """Return the skateboarder with the subsets `lk05` and `crowd`, which neither jumps nor ducks."""
    states = _states()
    subsets = {
        "lk05": [state.clip.name for state in states[:LK05_STATES]],
        "crowd": [state.clip.name for state in states if state.clip.name not in NOT_IN_CROWDS],
    }
    return character_from("skateboarder", states, subsets=subsets, riding=True)


@cache
def _states() -> tuple[State, ...]:
    turns = [
        State(f"glide {side}", "turn", glide(f"glide-{side}-{angle}", sign * angle))
        for side, sign in SIDES
        for angle in TURNS
    ]
    small_moves = [
        State("stand short", "wait", stand_short("stand-short")),
        State("scoot", "side", scoot("scoot", 0.0)),
        *(
            State(f"scoot {side}", "side", scoot(f"scoot-{side}-{SCOOT_TURN}", sign * SCOOT_TURN))
            for side, sign in SIDES
        ),
        *(
            State(f"pivot {side}", "side", pivot(f"pivot-{side}-{angle}", sign * angle))
            for angle in PIVOTS
            for side, sign in SIDES
        ),
    ]
    return (
        State("glide", "forward", glide("glide", 0.0)),
        *turns,
        State("push", "forward", push("push")),
        State("jump", "jump", ollie("jump-low", LOW)),
        State("jump", "jump", ollie("jump-high", HIGH)),
        State("duck", "low", duck("duck", deep=False)),
        State("duck", "low", duck("duck-low", deep=True)),
        State("stop and wait", "wait", stop_and_wait("stop-and-wait")),
        State("stop", "wait", stop("stop")),
        State("stand", "wait", stand("stand")),
        State("start", "forward", start("start")),
        *small_moves,
        State("roll", "forward", roll("roll", 0.0), weight=ROLL_WEIGHT),
        *(
            State(f"roll {side}", "turn", roll(f"roll-{side}-{angle}", sign * angle), weight=ROLL_WEIGHT)
            for side, sign in SIDES
            for angle in TURNS
        ),
        State("start slow", "change", start_slow("start-slow")),
        State("stop slow", "change", stop_slow("stop-slow")),
        State("speed up", "change", speed_up("speed-up")),
        State("slow down", "change", slow_down("slow-down")),
    )
