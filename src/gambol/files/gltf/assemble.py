"""Turn poses into a skeleton and its motion."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gambol.files import axes
from gambol.files.gltf.nodes import WORLD
from gambol.files.gltf.placement import Placement
from gambol.files.gltf.poses import Poses
from gambol.files.gltf.source import GltfSource
from gambol.files.gltf.tree import GltfTree
from gambol.files.reading import unique_names
from gambol.files.units import longest_chain
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

MOVES_M = 1e-5  # metres: a joint that moves less against its parent is rigid
# A leaf with a tip's name that moves and turns less than this is a tip: tools that bake far from the origin jitter it.
TIP_MOVES_M = 1e-3  # metres
TIP_TURNS = 1e-3  # sine of half the angle
LARGEST_BODY_M = 20.0  # metres along the bones to a tip: the file of a larger body is hardly in metres, and gets a note


def assemble(source: GltfSource, tree: GltfTree, rest: Placement, poses: Poses) -> Motion:
    """Return the motion, with the same joint positions as the file.

    A joint that keeps its place beside its parent has that place as its offset, even where the bind pose says another
    one, so that bones are as long as in the animation; joints that do move have translations.
    """
    low, high = poses.translations.min(axis=0), poses.translations.max(axis=0)
    strays_m = 0.5 * np.linalg.norm(high - low, axis=-1)
    tips = tree.may_be_tip & (strays_m <= TIP_MOVES_M)
    tips[tips] = _turns(poses.rotations[:, tips]) <= TIP_TURNS
    joints, ends = np.flatnonzero(tree.is_joint & ~tips), np.flatnonzero(tips)
    moves = (strays_m > MOVES_M) & ~tips
    offsets = np.where(moves[:, None], _rest_offsets(tree, rest), 0.5 * (low + high))
    offsets[0] = axes.vectors_from_y_up(rest.position[0, 0])

    renumbered = np.full(len(tree.members) + 1, -1, np.int32)  # the last entry is for the root's parent, -1
    renumbered[joints] = np.arange(len(joints))
    names, renamed = unique_names(_names(source, tree, joints))
    source.notes.extend(renamed)
    skeleton = Skeleton(
        names, renumbered[tree.parents[joints]], offsets[joints], renumbered[tree.parents[ends]], offsets[ends]
    )
    _note_size(source, skeleton)
    translations = None
    if np.any(moves[joints[1:]]):
        translations = np.where(moves[joints, None], poses.translations[:, joints], offsets[joints])
    return Motion(skeleton, poses.rate_hz, poses.translations[:, 0], poses.rotations[:, joints], translations)


def _turns(rotations: FloatArray) -> FloatArray:
    """Return how far rotations (F, M, 4) leave the first, as the sine of half the angle (M,)."""
    cosines = np.abs(np.sum(rotations * rotations[:1], axis=-1)).min(axis=0)
    return np.sqrt(np.maximum(1.0 - cosines**2, 0.0))


def _rest_offsets(tree: GltfTree, rest: Placement) -> FloatArray:
    positions = axes.vectors_from_y_up(rest.position[0])
    offsets = positions.copy()
    offsets[1:] -= positions[tree.parents[1:]]
    return offsets


def _names(source: GltfSource, tree: GltfTree, joints: NDArray[np.intp]) -> list[str]:
    names = []
    nameless = 0
    for joint in joints:
        node = tree.members[joint]
        name = "root" if node == WORLD else source.nodes.names[node]
        nameless += not name
        names.append(name or f"joint {node}")
    if nameless:
        source.notes.append(f"{nameless} joints have no name; they are called after their nodes, as 'joint 7'")
    return names


def _note_size(source: GltfSource, skeleton: Skeleton) -> None:
    length = longest_chain(skeleton)
    if length > LARGEST_BODY_M:
        source.notes.append(f"glTF counts in metres, which makes this body {length:.0f} m long; perhaps they are cm")
