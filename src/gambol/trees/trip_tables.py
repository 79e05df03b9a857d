"""What trips of a character read beside its trees: what may follow what, and where trees go on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import action_table
from gambol.characters.character import Behavior, Character
from gambol.core import Struct, lib, rows, struct
from gambol.errors import InvalidInput
from gambol.geometry.arrays import BoolArray
from gambol.search.crossing import SPECIAL_KINDS
from gambol.search.moves import moves_of, rest_label
from gambol.trees.fit import edge_costs, fit
from gambol.trees.tree import SearchTree

MOST_TREES = int(lib.GB_TRIP_TREES)
LEAST_GAIN_M = 0.2  # metres, > 0: a clip that leads less far is not how a character gets on
REACH_SHARE = 0.98  # share of a tree's nodes that are within its reach

_BRANCHES: WeakKeyDictionary[SearchTree, WeakKeyDictionary[Character, Struct]] = WeakKeyDictionary()
_REACH_M: WeakKeyDictionary[SearchTree, float] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Transitions:
    """B behaviors and T trees; rows B of the arrays are of a start, and filled for each."""

    allowed: BoolArray  # (B + 1, B) what may follow
    extra: NDArray[np.int64]  # (B + 1, B) whole units that the transition costs
    may_use: BoolArray  # (B + 1, MOST_TREES) whether a tree goes on after a behavior
    overhead: NDArray[np.float64]  # (B + 1,) whole units that the next step costs beyond the metres that it brings
    rests: BoolArray  # (B + 1,) whether the character is at rest after a behavior
    goes_on: BoolArray  # (B,) whether any tree goes on after it
    crosses: BoolArray  # (B,) whether it is there to cross something
    roots: BoolArray  # (T, B) behaviors that a tree begins with
    beyond: NDArray[np.float64]  # (B,) whole units that a behavior costs beyond the metres that it brings

    @classmethod
    def of(cls, character: Character, trees: tuple[SearchTree, ...]) -> Transitions:
        """Work them out for a character."""
        if len(trees) > MOST_TREES:
            raise InvalidInput(f"at most {MOST_TREES} trees are asked for a trip, not {len(trees)}")
        edges, moves, count = edge_costs(character), moves_of(character), len(character.behaviors)
        allowed, extra = np.zeros((count + 1, count), np.bool_), np.zeros((count + 1, count), np.int64)
        allowed[:count] = edges >= 0
        extra[:count] = np.where(edges >= 0, edges - moves.cost, 0)
        roots = np.array([_roots(tree, character) for tree in trees])
        may_use = np.zeros((count + 1, MOST_TREES), np.bool_)
        may_use[:, : len(trees)] = (allowed[:, None, :] & roots).any(axis=2)
        rest = rest_label(character)
        beyond = _beyond(character)
        overhead = np.array([_least(beyond[row]) for row in allowed])
        return cls(
            allowed,
            extra,
            may_use,
            overhead,
            rests=np.array([*(rest is not None and one.ends == rest for one in character.behaviors), False]),
            goes_on=np.any(may_use[:count], axis=1),
            crosses=np.array([_crosses(one) for one in character.behaviors]),
            roots=roots,
            beyond=beyond,
        )

    def begun(self, first: NDArray[np.int32], *, at_rest: bool) -> Transitions:
        """Return a copy whose start may be followed by some behaviors."""
        made = replace(
            self, allowed=self.allowed.copy(), may_use=self.may_use.copy(), overhead=self.overhead.copy(),
            rests=self.rests.copy(),
        )  # fmt: skip
        made.allowed[-1] = False
        made.allowed[-1, first] = True
        made.may_use[-1, : len(self.roots)] = (made.allowed[-1] & self.roots).any(axis=1)
        made.overhead[-1] = _least(self.beyond[made.allowed[-1]])
        made.rests[-1] = at_rest
        return made


def _crosses(behavior: Behavior) -> bool:
    return behavior.kind in SPECIAL_KINDS or behavior.annotation.special is not None


def _roots(tree: SearchTree, character: Character) -> BoolArray:
    """Return which of the character's behaviors a tree begins with (B,)."""
    behavior = fit(tree, character).behavior
    roots = np.zeros(len(character.behaviors), np.bool_)
    roots[behavior[(behavior >= 0) & (tree.first_cost >= 0)]] = True
    return roots


def _beyond(character: Character) -> NDArray[np.float64]:
    """Return what each behavior (B,) costs beyond the least for the way that it leads; infinite if it leads nowhere."""
    actions, moves = action_table(character), moves_of(character)
    chords = np.hypot(actions.displacement[:, 0], actions.displacement[:, 1])
    farthest = np.maximum.reduceat(chords, actions.behavior_clips[:-1])
    return np.where(farthest >= LEAST_GAIN_M, np.maximum(moves.cost - farthest * moves.cost_per_chord, 0.0), np.inf)


def _least(costs: NDArray[np.float64]) -> float:
    """Return the least of some costs; 0 where none is finite."""
    known = costs[np.isfinite(costs)]
    return float(known.min()) if len(known) else 0.0


def branches_struct(tree: SearchTree, character: Character) -> Struct:
    """Return a tree's nodes by their parents, at a character's own costs, as the core reads them; laid out once."""
    known = _BRANCHES.setdefault(tree, WeakKeyDictionary())
    if character not in known:
        cost = _costs(tree, character)[1:]
        order = np.lexsort((cost, tree.parent[1:]))
        pose, entry = tree.pose[1:][order], rows("gb_branch", len(order))
        entry["x"], entry["y"] = pose[:, 0], pose[:, 1]
        entry["cosine"], entry["sine"] = np.cos(pose[:, 2].astype(np.float64)), np.sin(pose[:, 2].astype(np.float64))
        entry["cost"], entry["node"] = cost[order], order + 1
        first = np.searchsorted(tree.parent[1:][order], np.arange(len(tree) + 1)).astype(np.int32)
        known[character] = struct("gb_branches", first=first, entry=entry)
    return known[character]


def _costs(tree: SearchTree, character: Character) -> NDArray[np.int64]:
    """Return what the path to each node (N,) costs a character, in whole units; rise and fall apart."""
    fitted = fit(tree, character)
    if fitted.is_as_grown:
        return tree.cost.astype(np.int64)
    behavior = np.maximum(fitted.behavior, 0)[tree.clip_behavior[tree.clip]]
    edges, moves = edge_costs(character), moves_of(character)
    cost = np.where(tree.parent > 0, edges[behavior[np.maximum(tree.parent, 0)], behavior], moves.cost[behavior])
    cost[0] = 0
    total, above = cost.copy(), np.maximum(tree.parent, 0)
    while above.any():  # each round adds what twice as many nodes up the path cost
        total += total[above]
        above = above[above]
    return total


def reach_m(tree: SearchTree) -> float:
    """Return within what distance of the root nearly all of a tree's nodes are, worked out once."""
    if tree not in _REACH_M:
        _REACH_M[tree] = float(np.quantile(np.hypot(tree.pose[:, 0], tree.pose[:, 1]), REACH_SHARE))
    return _REACH_M[tree]


def end_groups(tree: SearchTree, character: Character, may_end: BoolArray) -> BoolArray:
    """Return which groups of a tree's nodes hold what may end each leg (L, G); may_end: (L, B)."""
    behavior = fit(tree, character).behavior
    groups = np.zeros((len(may_end), tree.grid.groups), np.bool_)
    for leg, may in enumerate(may_end):
        known = (behavior >= 0) & may[np.maximum(behavior, 0)]
        groups[leg, tree.behavior_group[known]] = True
    return groups
