"""What a search needs to know of a character beyond its action table: whole-number costs, states, outer circles."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import ActionTable, action_table
from gambol.characters.character import Character
from gambol.core import Struct, struct_of

#: Costs are whole numbers of this, so that sums and comparisons are exact.
COST_UNIT = 1e-6
NO_COST = np.int64(2**62)
SHORTEST_STEP_M = 1e-4  # metres between samples of who stands
ROUNDING_M, ROUNDING = 1e-5, 1e-5  # more than single precision is off, in metres and as a share


class Moves(NamedTuple):
    """B behaviors, T transitions, C clips, S samples, as in the action table."""

    cost: np.ndarray  # (B,) whole units
    transition_cost: np.ndarray  # (T,) whole units
    state: np.ndarray  # (B,) behaviors that the same ones may follow at the same costs are one state
    same: np.ndarray  # (C,) the first clip that is the same as this one: of many copies one is looked at
    circle: np.ndarray  # (C, 3) centre and radius of a circle around all of a clip, in the frame of its start
    samples: np.ndarray  # (S, 6) x, y, cosine and sine of the heading, outer radius, metres since the clip's start
    parts: np.ndarray  # (S, 8, 6) ahead, aside, radius, low, high, reach from the root; the farthest reaching first
    pace: np.ndarray  # (C, 2) greatest outer radius, samples a metre where it goes fastest
    cost_per_way: float  # least cost of a metre of sampled way, in units
    cost_per_chord: float  # least cost of a metre of displacement, in units
    longest_step: float  # metres between neighbouring samples
    widest: int  # most behaviors that may follow one
    reach_m: float  # metres: no part of a body gets farther from where a clip begins


_KNOWN: WeakKeyDictionary[Character, Moves] = WeakKeyDictionary()
_STRUCTS: WeakKeyDictionary[Character, Struct] = WeakKeyDictionary()


def moves_of(character: Character) -> Moves:
    """Return the moves of a character, worked out once."""
    if character not in _KNOWN:
        _KNOWN[character] = compile_moves(character, action_table(character))
    return _KNOWN[character]


def moves_struct(character: Character) -> Struct:
    """Return the moves of a character as the core reads them, laid out once."""
    if character not in _STRUCTS:
        _STRUCTS[character] = struct_of("gb_moves", moves_of(character))
    return _STRUCTS[character]


def compile_moves(character: Character, actions: ActionTable) -> Moves:
    """Work out what a search needs beside the action table."""
    starts, lengths = actions.clip_samples, actions.duration.astype(np.int64) + 1
    steps = np.zeros(len(actions.path))
    steps[1:] = np.hypot(*np.diff(actions.path[:, :2], axis=0).T)
    steps[starts] = 0.0  # from one clip's end to the next one's start nobody goes
    total = np.cumsum(steps)
    clip_of_sample = np.zeros(len(steps), dtype=np.int64)
    distinct = np.unique(starts)
    clip_of_sample[distinct[1:]] = 1
    arc = total - total[distinct][np.cumsum(clip_of_sample)]
    cost = np.round(actions.behavior_cost / COST_UNIT).astype(np.int64)
    way = arc[starts + lengths - 1]
    chord = np.hypot(actions.displacement[:, 0], actions.displacement[:, 1])
    clip_cost, circle = cost[actions.clip_behavior].astype(np.float64), _circles(actions)
    return Moves(
        cost=cost,
        transition_cost=np.round(actions.successor_costs / COST_UNIT).astype(np.int64),
        state=_states(character),
        same=np.unique(starts, return_index=True)[1][np.unique(starts, return_inverse=True)[1]].astype(np.int32),
        circle=circle,
        samples=_samples(actions, arc),
        parts=_parts(actions),
        pace=_paces(actions, steps),
        cost_per_way=_least_ratio(clip_cost, way),
        cost_per_chord=_least_ratio(clip_cost, chord),
        longest_step=float(steps.max()),
        widest=int(np.diff(actions.behavior_successors).max(initial=0)),
        reach_m=float((np.hypot(circle[:, 0], circle[:, 1]) + circle[:, 2]).max()),
    )


def label_successors(character: Character, label: str) -> NDArray[np.int32]:
    """Return the behaviors that may begin where a transition label says."""
    indices = [index for index, behavior in enumerate(character.behaviors) if behavior.begins == label]
    return np.array(indices, dtype=np.int32)


def rest_label(character: Character) -> str | None:
    """Return the transition label of a character at rest: where it starts from, if it can.

    That is where its behavior `start` begins, else the first whose name begins with `start-`, else where the first
    behavior begins and ends that stands and can be held.
    """
    plain = (behavior.begins for behavior in character.behaviors if behavior.name == "start")
    others = (behavior.begins for behavior in character.behaviors if behavior.name.startswith("start-"))
    held = (
        behavior.begins
        for behavior in character.behaviors
        if behavior.kind == "wait" and behavior.begins == behavior.ends and behavior.can_be_held
    )
    return next(chain(plain, others, held), None)


def may_be_last(character: Character, name: str | None) -> NDArray[np.bool_]:
    """Return which behaviors may end a plan (B,): the one asked for, else what ends at rest, else any."""
    if name is not None:
        return np.array([name in (behavior.name, behavior.label) for behavior in character.behaviors])
    rest = rest_label(character)
    resting = np.array([behavior.ends == rest for behavior in character.behaviors])
    return resting if rest is not None and resting.any() else np.ones(len(character.behaviors), dtype=bool)


def _states(character: Character) -> NDArray[np.int32]:
    _, states = np.unique(character.transition_costs, axis=0, return_inverse=True)
    return states.reshape(-1).astype(np.int32)


def _samples(actions: ActionTable, arc: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y, heading = actions.path.T
    return np.stack((x, y, np.cos(heading), np.sin(heading), actions.outer_radius, arc), axis=1)


def _parts(actions: ActionTable) -> NDArray[np.float64]:
    """Return the parts, what is read together side by side; a part that a figure does not have reaches nowhere."""
    reach = np.linalg.norm(actions.part_offset, axis=-1) + actions.part_radius
    reach = np.where(actions.part_high > actions.part_low, reach, -np.inf)
    columns = (
        actions.part_offset[..., 0], actions.part_offset[..., 1], actions.part_radius, actions.part_low,
        actions.part_high, reach,
    )  # fmt: skip
    order = np.argsort(-reach, axis=1, kind="stable")
    return np.ascontiguousarray(np.take_along_axis(np.stack(columns, axis=-1), order[..., None], axis=1))


def _paces(actions: ActionTable, steps: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return for each clip its greatest outer radius, and how many samples a metre has where it goes fastest."""
    paces = np.empty((len(actions.duration), 2), np.float32)
    for clip, (first, duration) in enumerate(zip(actions.clip_samples, actions.duration, strict=True)):
        longest = max(float(steps[first + 1 : first + duration + 1].max()), SHORTEST_STEP_M)
        paces[clip] = actions.outer_radius[first : first + duration + 1].max() + ROUNDING_M, (1.0 - ROUNDING) / longest
    return paces


def _least_ratio(costs: NDArray[np.float64], lengths: NDArray[np.float64]) -> float:
    moving = lengths > 1e-9
    return float((costs[moving] / lengths[moving]).min()) * (1.0 - 1e-12) if moving.any() else 0.0


def _circles(actions: ActionTable) -> NDArray[np.float64]:
    """Return a circle around each clip's samples, centred on the box around them."""
    known: dict[int, tuple[float, float, float]] = {}
    rows: Sequence[tuple[float, float, float]] = [
        known.get(int(start)) or known.setdefault(int(start), _circle(actions, int(start), int(duration)))
        for start, duration in zip(actions.clip_samples, actions.duration, strict=True)
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _circle(actions: ActionTable, start: int, duration: int) -> tuple[float, float, float]:
    samples = slice(start, start + duration + 1)
    places, reach = actions.path[samples, :2], actions.outer_radius[samples]
    centre = 0.5 * ((places - reach[:, None]).min(axis=0) + (places + reach[:, None]).max(axis=0))
    radius = (np.hypot(*(places - centre).T) + reach).max()
    return float(centre[0]), float(centre[1]), float(radius)
