"""The trees that a character plans with: one for each transition label that plans begin at or go on from."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from gambol.character.character import Character
from gambol.plan.moves import rest_label
from gambol.plan.tree.cheapest import grow_cheapest
from gambol.plan.tree.diverse import grow_diverse
from gambol.plan.tree.fit import edge_costs, tree_behaviors
from gambol.plan.tree.tree import SearchTree

PLANNER_NODES = 500_000  # of all trees of a character together
HUB_SHARE = 0.75  # labels with so many of the behaviors that the greatest has are hubs too
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
    """Return two trees for each root label; those used last are kept, for characters that are alike too.

    One is the cheapest tree, whose paths cost little; the other the diverse one, which has more ways around things.
    They hold the behaviors that begin and end at root labels: other gaits would make them thin, and lead to where no
    tree goes on.

    nodes: of all of them together.
    """
    return _grown(_Alike(character), nodes, seed)


class _Alike:
    """A character as a key: the same for those of which the same trees grow."""

    def __init__(self, character: Character) -> None:
        self.character = character
        labels = tuple((one.begins, one.ends) for one in character.behaviors)
        self._content = character.name, tree_behaviors(character), labels, edge_costs(character).tobytes()

    def __hash__(self) -> int:
        return hash(self._content)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Alike) and self._content == other._content


@lru_cache(maxsize=KEPT)
def _grown(alike: _Alike, nodes: int, seed: int) -> tuple[SearchTree, ...]:
    labels = root_labels(alike.character)
    between = [one.name for one in alike.character.behaviors if one.begins in labels and one.ends in labels]
    grown = alike.character.only(between)
    each = max(1, nodes // (2 * len(labels)))
    return tuple(
        grow(grown, nodes=each, begins=label, seed=seed) for label in labels for grow in (grow_cheapest, grow_diverse)
    )
