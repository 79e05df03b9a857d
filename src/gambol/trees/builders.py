"""All ways to grow a tree, by name."""

from __future__ import annotations

from collections.abc import Callable

from gambol.trees.cheapest import grow_cheapest
from gambol.trees.choosing import grow_green_kelly, grow_inclusion_exclusion, grow_inner_product, grow_survivor
from gambol.trees.diverse import grow_diverse
from gambol.trees.exhaustive import grow_exhaustive
from gambol.trees.pruned import grow_pruned
from gambol.trees.surviving import grow_surviving
from gambol.trees.tree import SearchTree

#: Each takes a character, then keywords: its budget, `begins`, `endings`, `seed` and settings of its own.
BUILDERS: dict[str, Callable[..., SearchTree]] = {
    "exhaustive": grow_exhaustive,
    "pruned": grow_pruned,
    "diverse": grow_diverse,
    "surviving": grow_surviving,
    "cheapest": grow_cheapest,
    "green-kelly": grow_green_kelly,
    "inner-product": grow_inner_product,
    "inclusion-exclusion": grow_inclusion_exclusion,
    "survivor": grow_survivor,
}
