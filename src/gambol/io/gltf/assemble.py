"""From joints in the world of the file to a skeleton with parallel rest frames, and its motion."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.geometry import quaternion
from gambol.io import axes
from gambol.io.gltf.nodes import WORLD, Placement
from gambol.io.gltf.poses import Poses
from gambol.io.gltf.source import Source
from gambol.io.gltf.tree import Tree
from gambol.io.reading import unique_names
from gambol.io.units import longest_chain
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

FloatArray = NDArray[np.float64]
MOVES_M = 1e-5  # a joint that strays less from its place beside its parent is rigid
#: A leaf named like a tip that moves and turns less is one: tools that bake far from the origin jitter it.
TIP_MOVES_M = 1e-3
TIP_TURNS = 1e-3  # in a quaternion's components
LARGEST_BODY_M = 20.0  # along the bones to a tip; beyond it a file is hardly in metres


class _Local(NamedTuple):
    """Members relative to their parents, in our axes."""

    translations: FloatArray  # (F, M, 3)
    rotations: FloatArray  # (F, M, 4)
    places: FloatArray  # (M, 3) the middle of a member's translations
    strays_m: FloatArray  # (M,) how far it leaves that place


def assemble(source: Source, tree: Tree, rest: Placement, poses: Poses) -> Motion:
    """Return the motion, with the same joint positions as the file.

    A joint that keeps its place beside its parent has that place as its offset, even where the
    bind pose says another one, so that bones are as long as they are seen; translations remain for
    joints that do move.
    """
    local = _local(tree, poses)
    turns = np.ptp(local.rotations, axis=0).max(axis=-1)
    tips = tree.may_be_tip & (local.strays_m <= TIP_MOVES_M) & (turns <= TIP_TURNS)
    moves = (local.strays_m > MOVES_M) & ~tips
    joints = np.flatnonzero(tree.is_joint & ~tips)
    offsets = np.where(moves[:, None], _rest_offsets(tree, rest), local.places)
    offsets[0] = axes.vectors_from_y_up(rest.position[0, 0])

    renumbered = np.full(len(tree.members) + 1, -1, np.int32)  # the last entry is for the root's parent
    renumbered[joints] = np.arange(len(joints))
    names, renamed = unique_names(_names(source, tree, joints))
    source.notes.extend(renamed)
    ends = np.flatnonzero(tips)
    skeleton = Skeleton(
        names, renumbered[tree.parents[joints]], offsets[joints], renumbered[tree.parents[ends]], offsets[ends]
    )
    _note_size(source, skeleton)
    translations = None
    if np.any(moves[joints[1:]]):
        translations = np.where(moves[joints, None], local.translations[:, joints], offsets[joints])
    return Motion(skeleton, poses.rate_hz, local.translations[:, 0], local.rotations[:, joints], translations)


def _local(tree: Tree, poses: Poses) -> _Local:
    positions = axes.vectors_from_y_up(poses.positions)
    rotations = axes.quaternions_from_y_up(poses.rotations)
    parents = tree.parents[1:]
    unturned = quaternion.conjugate(rotations[:, parents])
    translations, turns = positions.copy(), rotations.copy()
    translations[:, 1:] = quaternion.rotate(unturned, positions[:, 1:] - positions[:, parents])
    turns[:, 1:] = quaternion.multiply(unturned, rotations[:, 1:])
    low, high = translations.min(axis=0), translations.max(axis=0)
    strays_m = 0.5 * np.linalg.norm(high - low, axis=-1)
    return _Local(translations, quaternion.continuous(turns), 0.5 * (low + high), strays_m)


def _rest_offsets(tree: Tree, rest: Placement) -> FloatArray:
    positions = axes.vectors_from_y_up(rest.position[0])
    offsets = positions.copy()
    offsets[1:] -= positions[tree.parents[1:]]
    return offsets


def _names(source: Source, tree: Tree, joints: NDArray[np.intp]) -> list[str]:
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


def _note_size(source: Source, skeleton: Skeleton) -> None:
    length = longest_chain(skeleton)
    if length > LARGEST_BODY_M:
        source.notes.append(f"glTF counts in metres, which makes this body {length:.0f} m long; perhaps they are cm")
