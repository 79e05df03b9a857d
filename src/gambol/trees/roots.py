"""The trees that a character plans with: one for each transition label that plans begin at or go on from."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from statistics import median
from weakref import WeakKeyDictionary

from gambol.characters.character import LEAST_TRAVEL_M, Character
from gambol.search.crossing import SPECIAL_KINDS
from gambol.search.moves import rest_label
from gambol.trees.cache import kept_tree
from gambol.trees.cheapest import REACH_M
from gambol.trees.fit import edge_costs, tree_behaviors
from gambol.trees.region import REGION_CELL_M, Region
from gambol.trees.tree import SearchTree

PLANNER_NODES = 500_000  # of all trees of a character together
HUB_SHARE = 0.75  # labels with so many of the behaviors that the greatest has are hubs too
SMALL_SHARE = 0.15  # labels with so few of the behaviors that the greatest has are passed through
REACH_STRIDES = 6.0  # of the usual length, that trees reach at least
KEPT = 8  # characters whose trees are kept


def root_labels(character: Character) -> tuple[str, ...]:
    """Return the labels to root trees at: that of rest, if there is one, and the hubs.

    A hub is where most behaviors begin that end at it again: who goes on is there most of the time.
    """
    rest = rest_label(character)
    through = Counter(one.begins for one in character.behaviors if one.begins == one.ends != rest)
    through = through or Counter(one.begins for one in character.behaviors)
    most = max(through.values())
    hubs = [label for label, count in through.items() if count >= HUB_SHARE * most and label != rest]
    return tuple(([] if rest is None else [rest]) + hubs)


def trees_for(character: Character, *, nodes: int = PLANNER_NODES, seed: int = 0) -> tuple[SearchTree, ...]:
    """Return two trees for each root label.

    One is the cheapest tree, whose paths cost little; the other the diverse one, which has more ways around things.
    They hold the behaviors between root labels and small ones, such as that of crawling: other gaits would make them
    thin, and lead to where no tree goes on.  The cheapest one at rest holds all: who is at rest may go a little way in
    any gait, and rest again.

    They are grown once and kept, here and in the user's cache.

    nodes: of all of them together.
    """
    if character not in _ALIKE:
        _ALIKE[character] = _Alike(character)
    return _grown(_ALIKE[character], nodes, seed)


def reach_for(character: Character) -> float:
    """Return how far trees of a character should reach: 16 m, and farther for those who go far in a step."""
    ordinary = [one for one in character.behaviors if one.kind not in SPECIAL_KINDS] or character.behaviors
    strides = [clip.chord_m for one in ordinary for clip in one.clips[:1] if clip.chord_m >= LEAST_TRAVEL_M]
    return max(REACH_M, REACH_STRIDES * median(strides)) if strides else REACH_M


class _Alike:
    """A character as a key: the same for those of which the same trees grow."""

    def __init__(self, character: Character) -> None:
        # A copy: who is kept by its own key is kept for ever.
        self.character = character.only([one.name for one in character.behaviors], name=character.name)
        behaviors = tuple(
            (one.label, one.kind, one.begins, one.ends, one.cost(character.cost_by)) for one in character.behaviors
        )
        self._content = (
            character.name, character.planning_rate_hz, tree_behaviors(character), behaviors,
            edge_costs(character).tobytes(),
        )  # fmt: skip
        self._hash = hash(self._content)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Alike) and self._content == other._content


_ALIKE: WeakKeyDictionary[Character, _Alike] = WeakKeyDictionary()


@lru_cache(maxsize=KEPT)
def _grown(alike: _Alike, nodes: int, seed: int) -> tuple[SearchTree, ...]:
    labels = root_labels(alike.character)
    begun = Counter(one.begins for one in alike.character.behaviors)
    held = {*labels, *(label for label, count in begun.items() if count <= SMALL_SHARE * max(begun.values()))}
    grown = alike.character.only([one.name for one in alike.character.behaviors if {one.begins, one.ends} <= held])
    each, reach_m = max(1, nodes // (2 * len(labels))), reach_for(alike.character)
    region = Region.disc(reach_m, cell_m=reach_m / REACH_M * REGION_CELL_M)
    trees: list[SearchTree] = []
    for label in labels:
        common = {"nodes": each, "begins": label, "seed": seed}
        all_gaits = alike.character if label == rest_label(alike.character) else grown
        trees.append(kept_tree(all_gaits, "cheapest", {**common, "reach_m": reach_m}))
        trees.append(kept_tree(grown, "diverse", {**common, "region": region}))
    return tuple(trees)
