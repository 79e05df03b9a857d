"""How large a tree may become."""

from __future__ import annotations

from gambol.errors import InvalidInput
from gambol.trees.tree import MOST_NODES

NODE_BYTES = 24


def budget_nodes(nodes: int | None, bytes_: int | None, default: int) -> int:
    """Return how many nodes a budget allows, root included: a number of them, or of bytes without goal lists."""
    if nodes is not None and bytes_ is not None:
        raise InvalidInput("a budget is a number of nodes or of bytes, not both")
    if bytes_ is not None:
        nodes = int(bytes_) // NODE_BYTES
    count = default if nodes is None else int(nodes)
    if not 1 <= count <= MOST_NODES:
        raise InvalidInput(f"a budget must allow for at least the root and at most {MOST_NODES:,} nodes, not {count:,}")
    return count
