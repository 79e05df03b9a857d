"""A character as flat arrays, which kernels read."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.core import Struct, struct_of


class ActionTable(NamedTuple):
    """B behaviors, C clips and S samples (planning frames of distinct clips), as one struct of arrays.

    Clips that are the same object share their samples: a hundred thousand copies of one clip cost only
    a hundred thousand rows of the clips' arrays.
    """

    behavior_cost: np.ndarray  # (B,)
    behavior_clips: np.ndarray  # (B + 1,) first clip of each behavior; its clips are consecutive
    successors: np.ndarray  # (T,) behaviors that may follow, by behavior
    successor_costs: np.ndarray  # (T,) cost of the transition itself
    behavior_successors: np.ndarray  # (B + 1,) first entry of each behavior in `successors`
    slopes: np.ndarray  # (B, 2) rise per metre, lowest and highest
    clip_behavior: np.ndarray  # (C,) behavior of each clip
    displacement: np.ndarray  # (C, 3) x, y, heading
    duration: np.ndarray  # (C,) planning frames
    event: np.ndarray  # (C,) planning frame
    clip_samples: np.ndarray  # (C,) first sample of each clip; a clip has duration + 1 samples
    path: np.ndarray  # (S, 3) x, y, heading
    outer_radius: np.ndarray  # (S,) metres, around the path's pose
    lowest: np.ndarray  # (S,) metres
    highest: np.ndarray  # (S,) metres
    part_offset: np.ndarray  # (S, 8, 2) metres, in the frame of the path's pose
    part_radius: np.ndarray  # (S, 8) metres
    part_low: np.ndarray  # (S, 8) metres
    part_high: np.ndarray  # (S, 8) metres


_tables: WeakKeyDictionary[Character, ActionTable] = WeakKeyDictionary()
_structs: WeakKeyDictionary[Character, Struct] = WeakKeyDictionary()


def action_table(character: Character) -> ActionTable:
    """Return a character's table; it is compiled once and kept while the character exists."""
    if character not in _tables:
        _tables[character] = compile_actions(character)
    return _tables[character]


def compile_actions(character: Character) -> ActionTable:
    """Flatten a character; behaviors and clips keep their order."""
    clips = [clip for behavior in character.behaviors for clip in behavior.clips]
    distinct: dict[int, Clip] = {id(clip): clip for clip in clips}
    starts: dict[int, int] = {}
    count = 0
    for key, clip in distinct.items():
        starts[key] = count
        count += clip.duration + 1
    shapes = [clip.shape for clip in distinct.values()]
    facts = {key: (clip.displacement, clip.duration, clip.event) for key, clip in distinct.items()}
    sizes = np.array([len(behavior.clips) for behavior in character.behaviors])
    allowed = np.isfinite(character.transition_costs)
    rows, columns = np.nonzero(allowed)
    return ActionTable(
        behavior_cost=np.array([behavior.cost(character.cost_by) for behavior in character.behaviors]),
        behavior_clips=_offsets(sizes),
        successors=columns.astype(np.int32),
        successor_costs=character.transition_costs[rows, columns],
        behavior_successors=_offsets(allowed.sum(axis=1)),
        slopes=np.array([behavior.slopes for behavior in character.behaviors], dtype=np.float64),
        clip_behavior=np.repeat(np.arange(len(sizes), dtype=np.int32), sizes),
        displacement=np.array([facts[id(clip)][0] for clip in clips]),
        duration=np.array([facts[id(clip)][1] for clip in clips], dtype=np.int32),
        event=np.array([facts[id(clip)][2] for clip in clips], dtype=np.int32),
        clip_samples=np.array([starts[id(clip)] for clip in clips], dtype=np.int64),
        path=np.concatenate([clip.path for clip in distinct.values()]),
        outer_radius=np.concatenate([shape.outer_radius for shape in shapes]),
        lowest=np.concatenate([shape.lowest for shape in shapes]),
        highest=np.concatenate([shape.highest for shape in shapes]),
        part_offset=np.concatenate([shape.offset for shape in shapes]),
        part_radius=np.concatenate([shape.radius for shape in shapes]),
        part_low=np.concatenate([shape.low for shape in shapes]),
        part_high=np.concatenate([shape.high for shape in shapes]),
    )


def _offsets(sizes: np.ndarray) -> np.ndarray:
    """Return where each group begins, and where the last one ends."""
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)


def actions_struct(character: Character) -> Struct:
    """Return what a character can do as the core reads it, laid out once."""
    if character not in _structs:
        _structs[character] = struct_of_actions(action_table(character))
    return _structs[character]


def struct_of_actions(actions: ActionTable) -> Struct:
    """Return an action table as the core reads it."""
    return struct_of(
        "gb_actions",
        actions,
        behaviors=len(actions.behavior_cost),
        clips=len(actions.duration),
        samples=len(actions.path),
    )
