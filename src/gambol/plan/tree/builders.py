"""All ways to grow a tree, by name."""

from __future__ import annotations

from collections.abc import Callable

from gambol.plan.tree.cheapest import grow_cheapest
from gambol.plan.tree.choosing import grow_green_kelly, grow_inclusion_exclusion, grow_inner_product, grow_survivor
from gambol.plan.tree.diverse import grow_diverse
from gambol.plan.tree.exhaustive import grow_exhaustive
from gambol.plan.tree.pruned import grow_pruned
from gambol.plan.tree.surviving import grow_surviving
from gambol.plan.tree.tree import SearchTree

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
