"""Find the pose in which a character's skin is bound."""

from __future__ import annotations

import numpy as np

from gambol.errors import MalformedFile
from gambol.files.gltf import fields
from gambol.files.gltf.placement import Placement, Placer
from gambol.files.gltf.rigs import Rig
from gambol.files.gltf.source import GltfSource
from gambol.files.gltf.tree import GltfTree
from gambol.geometry.arrays import FloatArray

STRETCH = 0.02  # share of a bone's length by which bind pose and nodes may differ
UPRIGHT = 0.5  # cosine of the most that the bind pose may lean from the nodes' pose


def rest_pose(source: GltfSource, rig: Rig, tree: GltfTree) -> Placement:
    """Return the members in the pose in which the skin is bound, or in the nodes' pose if that makes no sense."""
    standing = Placer(source.nodes, tree.members).at(np.zeros(1))
    inverse_binds = _inverse_binds(source, rig, tree)
    if len(inverse_binds) < 2:
        return standing
    world = _affine(standing)
    # The matrices from the mesh to the world: all equal if the nodes stand in the bind pose.
    world_from_mesh = world[list(inverse_binds)] @ np.array(list(inverse_binds.values()))
    if _all_alike(world_from_mesh, standing.position[0]):
        return standing
    mesh = _affine(Placer(source.nodes, [rig.mesh_node]).at(np.zeros(1)))[0]
    try:
        binds = {member: np.linalg.inv(inverse) for member, inverse in inverse_binds.items()}
        for candidate in (mesh, np.eye(4), world_from_mesh[0]):
            placed = {member: candidate @ bind for member, bind in binds.items()}
            if _same_body(tree, world, placed):
                return _complete(tree, world, placed)
    except np.linalg.LinAlgError:
        pass  # singular matrices do not give a pose
    source.notes.append("the inverse bind matrices do not fit the bones; the rest pose is that of the nodes")
    return standing


def _inverse_binds(source: GltfSource, rig: Rig, tree: GltfTree) -> dict[int, FloatArray]:
    """Return the inverse bind matrix (4, 4) of each member that has one, in the members' order."""
    if rig.skin < 0 or "inverseBindMatrices" not in source.json["skins"][rig.skin]:
        return {}
    skin, where = source.json["skins"][rig.skin], f"skins[{rig.skin}]"
    index = fields.integer(skin, "inverseBindMatrices", where, below=source.accessors.count)
    matrices = source.accessors.floats(index, "MAT4").reshape(-1, 4, 4).transpose(0, 2, 1)
    if len(matrices) < len(skin["joints"]):
        raise MalformedFile(f"{where} has {len(skin['joints'])} joints and {len(matrices)} inverse bind matrices")
    of_node = dict(zip(skin["joints"], matrices, strict=False))
    return {
        number: np.concatenate((of_node[node][:3], [[0.0, 0.0, 0.0, 1.0]]))
        for number, node in enumerate(tree.members)
        if node in of_node
    }


def _affine(placed: Placement) -> FloatArray:
    matrices = np.zeros((*placed.position.shape[1:2], 4, 4))
    matrices[:, :3, :3] = placed.linear[0]
    matrices[:, :3, 3] = placed.position[0]
    matrices[:, 3, 3] = 1.0
    return matrices


def _all_alike(matrices: FloatArray, positions: FloatArray) -> bool:
    size = max(float(np.ptp(positions, axis=0).max()), 1e-3)
    off = np.abs(matrices - matrices[0])
    return bool(off[:, :3, :3].max() <= 1e-3 * np.abs(matrices[0, :3, :3]).max() and off[:, :3, 3].max() <= 1e-3 * size)


def _same_body(tree: GltfTree, world: FloatArray, binds: dict[int, FloatArray]) -> bool:
    """Return whether a bind pose has the nodes' bone lengths and stands about as upright as they do."""
    bones = [(joint, int(tree.parents[joint])) for joint in binds if int(tree.parents[joint]) in binds]
    ratios = []
    for joint, parent in bones:
        length = float(np.linalg.norm(world[joint, :3, 3] - world[parent, :3, 3]))
        if length > 1e-6:
            ratios.append(float(np.linalg.norm(binds[joint][:3, 3] - binds[parent][:3, 3])) / length)
    if not ratios or abs(float(np.median(ratios)) - 1.0) > STRETCH:
        return False
    first = next(iter(binds))
    turn = world[first, :3, :3] @ np.linalg.pinv(binds[first][:3, :3])
    up = turn[:, 1]
    return bool(up[1] > UPRIGHT * np.linalg.norm(up))


def _complete(tree: GltfTree, world: FloatArray, binds: dict[int, FloatArray]) -> Placement:
    """Place members without a bind matrix relative to their parents as in the nodes' pose."""
    rest = world.copy()
    for member, parent in enumerate(tree.parents):
        if member in binds:
            rest[member] = binds[member]
        elif parent >= 0:
            rest[member] = rest[parent] @ np.linalg.pinv(world[parent]) @ world[member]
    return Placement(rest[None, :, :3, :3], rest[None, :, :3, 3])
