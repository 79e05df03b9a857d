"""Checks of a character's state machine: dead ends, unreachable behaviors, no way to stop or to turn."""

from __future__ import annotations

from difflib import get_close_matches

import numpy as np

from gambol.characters.character import LEAST_TRAVEL_M, LEAST_TURN_RAD, Behavior, Character
from gambol.characters.clip import Clip
from gambol.characters.finding import Finding
from gambol.geometry.arrays import BoolArray

# A stand that is held repeats its clip, and with it the clip's turn and drift.
MOST_DRIFT_RAD_S = np.radians(5.0)  # rad/s, > 0: a stand that turns faster is a warning
MOST_DRIFT_M_S = 0.1  # m/s, > 0: a stand that moves faster is a warning


def check_graph(character: Character) -> list[Finding]:
    """Look for dead ends, behaviors that nothing leads to, labels that do not meet, and no way to stop or turn."""
    allowed = np.isfinite(character.transition_costs)
    core = _core(allowed)
    leads_back = _reaching(allowed, core)
    led_to = _reaching(allowed.T, core)
    return [
        *_dead_ends(character, allowed, leads_back),
        *_unreachable(character, led_to),
        *_lone_labels(character, allowed),
        *_no_way_to_stop(character, allowed),
        *_drifting_stands(character, allowed),
        *_missing_directions(character, leads_back & led_to),
    ]


def _core(allowed: BoolArray) -> BoolArray:
    """Mark the largest set of behaviors that all lead to each other."""
    leads_to = allowed | np.eye(len(allowed), dtype=bool)
    while not np.array_equal(leads_to, farther := leads_to.astype(np.float32) @ leads_to > 0.0):
        leads_to = farther
    together = leads_to & leads_to.T
    sizes = together.sum(axis=1)
    # A behavior that may not even follow itself counts only if there is nothing else.
    weights = np.where((sizes > 1) | np.diag(allowed), sizes, 0)
    return together[int(np.argmax(weights if weights.any() else sizes))]


def _reaching(allowed: BoolArray, goal: BoolArray) -> BoolArray:
    """Mark the behaviors from which the goal can be reached, and the goal itself."""
    reached = np.array(goal)
    while True:
        grown = reached | (allowed @ reached)
        if np.array_equal(grown, reached):
            return reached
        reached = grown


def _dead_ends(character: Character, allowed: BoolArray, leads_back: BoolArray) -> list[Finding]:
    begins = sorted({behavior.begins for behavior in character.behaviors})
    found = []
    for index, behavior in enumerate(character.behaviors):
        if leads_back[index]:
            continue
        if not allowed[index].any():
            what = f"nothing may follow it: it ends with {behavior.ends!r}, and no behavior begins so"
            hint = f"let it end with {_near(behavior.ends, begins)}, {_or_add('begins', behavior.ends, behavior)}"
        else:
            what = "what follows it never leads back to most other behaviors"
            hint = f"add a behavior that begins with {behavior.ends!r} and ends with {_near(behavior.ends, begins)}"
        found.append(Finding("dead end", "error", behavior.name, what, hint))
    return found


def _unreachable(character: Character, led_to: BoolArray) -> list[Finding]:
    ends = sorted({behavior.ends for behavior in character.behaviors})
    found = []
    for index, behavior in enumerate(character.behaviors):
        if not led_to[index]:
            what = f"no way leads to it: it begins with {behavior.begins!r}"
            hint = f"let it begin with {_near(behavior.begins, ends)}, {_or_add('ends', behavior.begins, behavior)}"
            mirrored = "; if it starts on the other foot, mirror it (mirrored = true)"
            found.append(Finding("unreachable", "error", behavior.name, what, hint + mirrored))
    return found


def _lone_labels(character: Character, allowed: BoolArray) -> list[Finding]:
    """Find labels at which clips end but none begins, or the reverse, and no edge connects them."""
    if not character.labels_connect:
        return []
    begins = {behavior.begins for behavior in character.behaviors}
    ends = {behavior.ends for behavior in character.behaviors}
    found = []
    for label in sorted(begins ^ ends):
        is_end = label in ends
        using = [i for i, b in enumerate(character.behaviors) if (b.ends if is_end else b.begins) == label]
        if any((allowed[i] if is_end else allowed[:, i]).any() for i in using):
            continue
        names = ", ".join(character.behaviors[i].name for i in using)
        verb, other = ("end", "begins") if is_end else ("begin", "ends")
        what = f"{names} {verb}{'s' if len(using) == 1 else ''} with it, nothing {other} with it"
        hint = f"is it {_near(label, sorted(begins if is_end else ends))}?"
        found.append(Finding("lone label", "warning", f"label {label!r}", what, hint))
    return found


def _no_way_to_stop(character: Character, allowed: BoolArray) -> list[Finding]:
    held = np.array([allowed[i, i] and b.can_be_held for i, b in enumerate(character.behaviors)])
    if not held.any():
        standing = [b.name for b in character.behaviors if b.can_be_held]
        hint = (
            f"let {standing[0]!r} begin and end with the same label, so that it may follow itself"
            if standing
            else 'add a behavior that stands still (kind = "wait") and begins and ends with the same label, '
            "and one that leads to it: cut a stop-and-wait into stop, stand and go"
        )
        return [Finding("no way to stop", "error", character.name, "no behavior stands and may follow itself", hint)]
    stops = _reaching(allowed, held)
    where = ", ".join(sorted({character.behaviors[i].begins for i in np.flatnonzero(held)}))
    what = "from here no behavior is reached in which to stand still"
    found = []
    for index, behavior in enumerate(character.behaviors):
        if not stops[index] and allowed[index].any():
            hint = f"add a behavior that begins with {behavior.ends!r} and ends with {where!r}"
            found.append(Finding("no way to stop", "error", behavior.name, what, hint))
    return found


def _drifting_stands(character: Character, allowed: BoolArray) -> list[Finding]:
    """Look for stands that turn or move on while they are held."""
    found = []
    for index, behavior in enumerate(character.behaviors):
        if not allowed[index, index] or behavior.kind != "wait" or not behavior.can_be_held:
            continue
        rates = [clip.displacement / (clip.duration / character.planning_rate_hz) for clip in _distinct(behavior)]
        turn, creep = max(abs(rate[2]) for rate in rates), max(float(np.hypot(*rate[:2])) for rate in rates)
        if turn > MOST_DRIFT_RAD_S or creep > MOST_DRIFT_M_S:
            what = f"held, it turns by {np.degrees(turn):.0f} degrees and creeps {100 * creep:.0f} cm a second"
            hint = (
                "move the first or last frame of the cut so that the hips face the same way and are at the same place "
                "at both ends, or cut a longer piece"
            )
            found.append(Finding("drifting stand", "warning", behavior.name, what, hint))
    return found


def _missing_directions(character: Character, usable: BoolArray) -> list[Finding]:
    """Look for ways to the left, to the right and straight on among the behaviors that can be used repeatedly."""
    turns = [_mean_turn(b) for i, b in enumerate(character.behaviors) if usable[i] and _travels(b)]
    found = []
    for side, other, sign in (("left", "right", 1.0), ("right", "left", -1.0)):
        if not any(sign * turn > LEAST_TURN_RAD for turn in turns):
            hint = f"mirror one that turns {other} (mirrored_as), or bend a forward one (bends_deg = [{30 * sign:g}])"
            what = f"no behavior that can be reached turns {side} while it travels"
            found.append(Finding("missing direction", "error", character.name, what, hint))
    if not any(abs(turn) <= np.radians(15.0) for turn in turns):
        what = "no behavior that can be reached goes straight on"
        hint = "add a forward clip, or bend a turning one back (bend_deg)"
        found.append(Finding("missing direction", "error", character.name, what, hint))
    return found


def _travels(behavior: Behavior) -> bool:
    return any(clip.reach_m >= LEAST_TRAVEL_M for clip in _distinct(behavior))


def _mean_turn(behavior: Behavior) -> float:
    return float(np.mean([clip.displacement[2] for clip in _distinct(behavior)]))


def _distinct(behavior: Behavior) -> list[Clip]:
    return list({id(clip): clip for clip in behavior.clips}.values())


def _near(label: str, known: list[str]) -> str:
    near = get_close_matches(label, [name for name in known if name != label], n=1, cutoff=0.5)
    return repr(near[0]) if near else " or ".join(repr(name) for name in known if name != label) or "another label"


def _or_add(side: str, label: str, behavior: Behavior) -> str:
    edge = f'source = "{behavior.name}"' if side == "begins" else f'target = "{behavior.name}"'
    return f"add a behavior that {side} with {label!r}, or an edge with {edge}"
