"""Whether a tree is one of a character's, and how its clips are numbered there."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from gambol.characters.action_table import action_table
from gambol.characters.character import Behavior, Character
from gambol.errors import InvalidInput
from gambol.search.moves import COST_UNIT, moves_of
from gambol.trees.tree import SearchTree, TreeBehavior

FORBIDDEN = -1


@dataclass(frozen=True, eq=False)
class Fit:
    """A tree's clips in the numbering of a character, who may have more behaviors, fewer, or other weights."""

    clip: np.ndarray  # (C,) int32: the character's clip for each of the tree's, -1: it has none
    behavior: np.ndarray  # (B,) int32: the character's behavior for each of the tree's, -1: it has none
    least_ratio: float  # no path costs less than this times what the tree says
    is_as_grown: bool  # every path costs what the tree says


_KNOWN: WeakKeyDictionary[SearchTree, WeakKeyDictionary[Character, Fit]] = WeakKeyDictionary()
_EDGE_COSTS: WeakKeyDictionary[Character, np.ndarray] = WeakKeyDictionary()


def tree_behaviors(character: Character) -> tuple[TreeBehavior, ...]:
    """Return what a tree grown from a character remembers of its behaviors."""
    return tuple(TreeBehavior(one.name, len(one.clips), behavior_digest(one)) for one in character.behaviors)


def behavior_digest(behavior: Behavior) -> str:
    """Return a hash of all that a tree relies on: how long its clips last and where they lead."""
    digest = hashlib.sha256()
    for clip in behavior.clips:
        digest.update(np.int64(clip.duration).tobytes())
        digest.update(np.ascontiguousarray(clip.displacement, dtype=np.float64).tobytes())
        digest.update(np.ascontiguousarray(clip.path, dtype=np.float64).tobytes())
    return digest.hexdigest()[:32]


def edge_costs(character: Character) -> np.ndarray:
    """Return what playing a behavior after another costs (B, B), in whole units; -1 where it may not follow."""
    if character not in _EDGE_COSTS:
        moves, transitions = moves_of(character), character.transition_costs
        allowed = np.isfinite(transitions)
        extra = np.round(np.where(allowed, transitions, 0.0) / COST_UNIT).astype(np.int64)
        _EDGE_COSTS[character] = np.where(allowed, extra + moves.cost[None, :], FORBIDDEN)
    return _EDGE_COSTS[character]


def fit(tree: SearchTree, character: Character) -> Fit:
    """Return how a tree fits a character, worked out once; one that was grown for other clips is refused."""
    known = _KNOWN.setdefault(tree, WeakKeyDictionary())
    if character not in known:
        known[character] = _fit(tree, character)
    return known[character]


def _fit(tree: SearchTree, character: Character) -> Fit:
    if abs(tree.planning_rate_hz - character.planning_rate_hz) > 1e-9:
        raise InvalidInput(
            f"a tree grown at {tree.planning_rate_hz:g} planning frames a second is not for {character.name!r}, "
            f"which plans at {character.planning_rate_hz:g}"
        )
    behavior = np.array([_index(character, one, tree.character) for one in tree.behaviors], dtype=np.int32)
    if not (behavior >= 0).any():
        raise InvalidInput(f"a tree grown for {tree.character!r} has no behavior that {character.name!r} has")
    first_clip = action_table(character).behavior_clips
    clip = np.concatenate(
        [
            np.full(one.clips, -1, np.int32) if index < 0 else np.arange(one.clips, dtype=np.int32) + first_clip[index]
            for one, index in zip(tree.behaviors, behavior, strict=True)
        ]
    ).astype(np.int32)
    present = np.flatnonzero(behavior >= 0)
    costs = edge_costs(character)[np.ix_(behavior[present], behavior[present])]
    grown = tree.edge_cost[np.ix_(present, present)]
    lost = np.argwhere((grown >= 0) & (costs < 0))
    if len(lost):
        before, after = (tree.behaviors[present[index]].name for index in lost[0])
        raise InvalidInput(f"in this tree {after!r} follows {before!r}, which {character.name!r} does not allow")
    moves = moves_of(character)
    old = np.concatenate((grown[grown >= 0], tree.first_cost[present][tree.first_cost[present] >= 0]))
    new = np.concatenate((costs[grown >= 0], moves.cost[behavior[present]][tree.first_cost[present] >= 0]))
    ratios = new[old > 0] / old[old > 0]
    return Fit(
        clip=clip,
        behavior=behavior,
        least_ratio=float(ratios.min()) if len(ratios) else 1.0,
        is_as_grown=bool((old == new).all()),
    )


def _index(character: Character, one: TreeBehavior, grown_for: str) -> int:
    """Return a behavior of a tree in a character, or -1; one of the same name but other clips is refused."""
    for index, behavior in enumerate(character.behaviors):
        if behavior.name == one.name:
            if len(behavior.clips) != one.clips or behavior_digest(behavior) != one.digest:
                raise InvalidInput(
                    f"{character.name!r} has other clips for {one.name!r} than {grown_for!r}, whose tree this is; "
                    "grow one anew"
                )
            return index
    return -1
