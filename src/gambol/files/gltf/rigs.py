"""Find the nodes of a glTF file that make up a character."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.errors import MalformedFile, UnknownName
from gambol.files.gltf import fields
from gambol.files.gltf.nodes import WORLD, Nodes
from gambol.files.gltf.source import GltfSource

MAX_JOINTS = 2048  # the most joints of one character that are read, with the nodes above them


@dataclass(frozen=True)
class Rig:
    """One character: the nodes that are its joints, and its skin."""

    names: tuple[str, ...]  # names by which it can be chosen; messages show the first
    joints: tuple[int, ...]  # nodes in the order of the file
    skin: int = -1  # the skin with the most joints, whose bind pose counts; -1 if there is none
    mesh_node: int = WORLD  # a node that wears it


def choose_rig(source: GltfSource, moving: set[int], character: str | None) -> Rig:
    """Return the character of this name, or, for None, the first that an animation moves.

    moving: all nodes that any animation moves.
    """
    rigs = _skinned_rigs(source) or _node_rigs(source.nodes, moving)
    if character is not None:
        chosen = next((rig for rig in rigs if character in rig.names), None)
        if chosen is None:
            raise UnknownName("character", character, [rig.names[0] for rig in rigs])
    else:
        worn = [rig for rig in rigs if rig.mesh_node != WORLD] or rigs
        carried = set(source.nodes.with_descendants(moving))
        chosen = next((rig for rig in worn if not carried.isdisjoint(rig.joints)), worn[0])
        if len(rigs) > 1:
            source.notes.append(f"took {chosen.names[0]!r}, one of {len(rigs)} characters")
    count = len(source.nodes.with_ancestors(chosen.joints))
    if count > MAX_JOINTS:
        raise MalformedFile(f"{count:,} nodes carry {chosen.names[0]!r}, more than the {MAX_JOINTS:,} that are read")
    return chosen


def _skinned_rigs(source: GltfSource) -> list[Rig]:
    """Return a rig for each group of skins that share joints or hang on one another.

    Exporters write a skin for each mesh (body, clothes, eyes), often with only the joints of that mesh.
    """
    nodes, skins = source.nodes, fields.objects(source.json, "skins")
    joints = [
        fields.indices(skin, "joints", f"skins[{index}]", below=len(nodes.specs)) for index, skin in enumerate(skins)
    ]
    group_of = _groups(joints, nodes)
    wearers: dict[int, int] = {}
    for node, spec in enumerate(nodes.specs):
        if "skin" in spec:
            wearers.setdefault(fields.integer(spec, "skin", f"nodes[{node}]", below=len(skins)), node)
    groups: dict[int, list[int]] = {}
    for skin in range(len(skins)):
        if joints[skin]:
            groups.setdefault(group_of[skin], []).append(skin)
    rigs = []
    for members in groups.values():
        names = [fields.text(skins[skin], "name") for skin in members]
        names += [nodes.names[wearers[skin]] for skin in members if skin in wearers]
        names = [name for name in names if name] or [f"skin {members[0]}"]
        main = max(members, key=lambda skin: len(joints[skin]))
        worn = next((wearers[skin] for skin in (main, *members) if skin in wearers), WORLD)
        united = dict.fromkeys(joint for skin in (main, *members) for joint in joints[skin])
        rigs.append(Rig(tuple(names), tuple(united), main, worn))
    return rigs


def _groups(joints: list[list[int]], nodes: Nodes) -> list[int]:
    """Number the skins so that those of one character have the same number."""
    leader = list(range(len(joints)))

    def find(skin: int) -> int:
        while leader[skin] != skin:
            leader[skin] = leader[leader[skin]]
            skin = leader[skin]
        return skin

    skin_at = [-1] * len(nodes.specs)  # a skin with this node, or else with its nearest ancestor, as a joint
    for skin, members in enumerate(joints):
        for joint in members:
            if skin_at[joint] >= 0:
                leader[find(skin)] = find(skin_at[joint])
            skin_at[joint] = skin
    for node in nodes.order:
        above = skin_at[nodes.parents[node]] if nodes.parents[node] >= 0 else -1
        if skin_at[node] < 0:
            skin_at[node] = above
        elif above >= 0:
            leader[find(skin_at[node])] = find(above)
    return [find(skin) for skin in range(len(joints))]


def _node_rigs(nodes: Nodes, moving: set[int]) -> list[Rig]:
    """Return a rig for each tree with a node that moves (or for each tree if none does), the largest first."""
    top = [-1] * len(nodes.specs)
    for node in nodes.order:
        top[node] = node if nodes.parents[node] < 0 else top[nodes.parents[node]]
    trees: dict[int, list[int]] = {}
    for node in nodes.with_descendants(moving) if moving else nodes.order:
        trees.setdefault(top[node], []).append(node)
    rigs = []
    for members in sorted(trees.values(), key=len, reverse=True):
        root = nodes.common_ancestor(members)
        above = set(nodes.with_ancestors([root])) - {root}
        joints = tuple(node for node in nodes.with_ancestors(members) if node not in above)
        rigs.append(Rig((nodes.names[root] or nodes.names[top[root]] or f"node {root}",), joints))
    return rigs
