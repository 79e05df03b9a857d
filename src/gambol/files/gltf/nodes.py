"""The node hierarchy of a glTF file: parents and children."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gambol.errors import MalformedFile
from gambol.files.gltf import fields
from gambol.files.gltf.fields import Json

MAX_NODES = 100_000  # the most nodes that are read
WORLD = -1  # in place of a node: the world itself


@dataclass(frozen=True, eq=False)
class Nodes:
    """All nodes of a file, in its axes and units."""

    specs: list[Json]
    names: list[str]  # "" where the file gives none
    parents: list[int]  # -1 for a root
    children: list[list[int]]
    order: list[int]  # parents before children
    rank: list[int]  # place of each node in that order

    def with_ancestors(self, chosen: Iterable[int]) -> list[int]:
        """Return these nodes and all above them, parents before children."""
        wanted: set[int] = set()
        for node in chosen:
            while node >= 0 and node not in wanted:
                wanted.add(node)
                node = self.parents[node]
        return sorted(wanted, key=self.rank.__getitem__)

    def with_descendants(self, chosen: Iterable[int]) -> list[int]:
        """Return these nodes and all below them, parents before children."""
        wanted = set(chosen)
        for node in self.order:
            if self.parents[node] in wanted:
                wanted.add(node)
        return [node for node in self.order if node in wanted]

    def common_ancestor(self, chosen: Iterable[int]) -> int:
        """Return the lowest node that is, or is above, each of these; -1 where there is none."""
        chosen = set(chosen)
        above = self.with_ancestors(chosen)
        below = {node: int(node in chosen) for node in above}
        for node in reversed(above):
            if self.parents[node] >= 0:
                below[self.parents[node]] += below[node]
        return next((node for node in reversed(above) if below[node] == len(chosen)), -1)


def read_nodes(contents: Json) -> Nodes:
    """Read the hierarchy, which must be a forest."""
    specs = fields.objects(contents, "nodes")
    if not specs:
        raise MalformedFile("the file has no nodes, so nothing that could move")
    if len(specs) > MAX_NODES:
        raise MalformedFile(f"{len(specs):,} nodes are more than the {MAX_NODES:,} that are read")
    parents = [-1] * len(specs)
    children = []
    for node, spec in enumerate(specs):
        children.append(fields.indices(spec, "children", f"nodes[{node}]", below=len(specs)))
        for child in children[-1]:
            if parents[child] >= 0:
                raise MalformedFile(f"nodes[{child}] is a child of both nodes[{parents[child]}] and nodes[{node}]")
            parents[child] = node
    order = [node for node, parent in enumerate(parents) if parent < 0]
    for node in order:  # the list grows within the loop: breadth first, without recursion
        order.extend(children[node])
    if len(order) < len(specs):
        cyclic = next(iter(set(range(len(specs))) - set(order)))
        raise MalformedFile(f"the node hierarchy is cyclic: nodes[{cyclic}] hangs on itself")
    rank = [0] * len(specs)
    for place_in_order, node in enumerate(order):
        rank[node] = place_in_order
    return Nodes(specs, [fields.text(spec, "name") for spec in specs], parents, children, order, rank)
