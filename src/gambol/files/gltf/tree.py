"""The joints of a character as one tree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.files.gltf.nodes import WORLD, Nodes
from gambol.files.gltf.rigs import Rig
from gambol.files.gltf.source import GltfSource


@dataclass(frozen=True, eq=False)
class GltfTree:
    """Members in skeleton order: joints, and leaves that may be tips."""

    members: tuple[int, ...]  # nodes; the first is the root
    parents: NDArray[np.int32]  # (M,) index among the members, -1 for the root
    may_be_tip: NDArray[np.bool_]  # (M,)
    is_joint: NDArray[np.bool_]  # (M,) False for leaves that the skin does not list


def arrange(source: GltfSource, rig: Rig) -> GltfTree:
    """Order a character's joints under one root, skipping nodes between them, and find possible tips."""
    nodes, joints = source.nodes, dict.fromkeys(rig.joints)
    leaves = [
        child
        for joint in joints
        for child in nodes.children[joint]
        if child not in joints and not nodes.children[child] and _looks_like_tip(nodes, child)
    ]
    members = [*joints, *leaves]
    above = _nearest_members(nodes, members)
    roots = [node for node in members if above[node] is None]
    if len(roots) > 1:
        root = nodes.common_ancestor(roots)
        named = (
            "a new joint at the origin" if root == WORLD else f"{nodes.names[root] or 'a nameless node'!r} above them"
        )
        source.notes.append(f"{len(roots)} joints have no parent joint; {named} is the root")
        members.insert(0, root)
        above.update(dict.fromkeys(roots, root))
        above[root] = None
    members = _parents_first(nodes, members, above)
    index = {node: number for number, node in enumerate(members)}
    has_children = {parent for parent in above.values() if parent is not None}
    tips = [
        node not in has_children and above[node] is not None and node != WORLD and _looks_like_tip(nodes, node)
        for node in members
    ]
    parents = [-1 if (parent := above[node]) is None else index[parent] for node in members]
    outside = set(leaves)
    return GltfTree(
        tuple(members),
        np.array(parents, np.int32),
        np.array(tips, bool),
        np.array([node not in outside for node in members], bool),
    )


def _nearest_members(nodes: Nodes, members: list[int]) -> dict[int, int | None]:
    """Return for each member the nearest one above it."""
    chosen = set(members)
    nearest: dict[int, int | None] = {WORLD: None}
    above: dict[int, int | None] = {}
    for node in nodes.with_ancestors(members):
        above[node] = nearest[nodes.parents[node]]
        nearest[node] = node if node in chosen else above[node]
    return {node: above[node] for node in members}


def _parents_first(nodes: Nodes, members: list[int], above: dict[int, int | None]) -> list[int]:
    """Keep the file's order if parents come before children in it, else go level by level."""
    seen: set[int] = set()
    for node in members:
        parent = above[node]
        if parent is not None and parent not in seen:
            return sorted(members, key=lambda member: -1 if member == WORLD else nodes.rank[member])
        seen.add(node)
    return members


def _looks_like_tip(nodes: Nodes, node: int) -> bool:
    """Return whether a leaf is a tip, by our own mark or, in other files, by a name made of its bone's."""
    extras = nodes.specs[node].get("extras")
    ours = extras.get("gambol") if isinstance(extras, dict) else None
    if isinstance(ours, dict) and isinstance(ours.get("tip"), bool):
        return ours["tip"]
    parent = nodes.parents[node]
    return parent >= 0 and nodes.names[node] in (f"{nodes.names[parent]}_end", f"{nodes.names[parent]}_End")
