"""Small motions of different shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton

if TYPE_CHECKING:
    from gambol.body import Skin

BIPED_PARENTS = {
    "Hips": "", "Spine": "Hips", "Neck": "Spine", "Head": "Neck",
    "LeftArm": "Spine", "LeftForeArm": "LeftArm", "LeftHand": "LeftForeArm",
    "RightArm": "Spine", "RightForeArm": "RightArm", "RightHand": "RightForeArm",
    "LeftUpLeg": "Hips", "LeftLeg": "LeftUpLeg", "LeftFoot": "LeftLeg",
    "RightUpLeg": "Hips", "RightLeg": "RightUpLeg", "RightFoot": "RightLeg",
}  # fmt: skip


def small_motions() -> Mapping[str, Motion]:
    """Return motions by a word on their shape; always the same ones."""
    rng = np.random.default_rng(7)
    single = Skeleton(["Root"], [-1], [[0.0, 0.0, 1.0]])
    chain = Skeleton([f"Bone_{i}" for i in range(6)], range(-1, 5), [[0.1, 0.0, 0.3]] * 6, [5], [[0.0, 0.0, 0.2]])
    names = list(BIPED_PARENTS)
    parents = [names.index(parent) if parent else -1 for parent in BIPED_PARENTS.values()]
    leaves = [joint for joint in range(len(names)) if joint not in parents]
    biped = Skeleton(
        names, parents, rng.normal(0.0, 0.3, (len(names), 3)), leaves, rng.normal(0, 0.1, (len(leaves), 3))
    )
    stretched = random_motion(chain, frames=4, rng=rng)
    translations = chain.offsets + rng.normal(0.0, 0.02, (4, 6, 3))
    return {
        "single joint, one frame": random_motion(single, frames=1, rng=rng),
        "chain": random_motion(chain, frames=5, rng=rng),
        "biped": random_motion(biped, frames=8, rng=rng),
        "stretching chain": Motion(
            chain, 60.0, stretched.root_positions, stretched.rotations, translations=translations
        ),
    }


def random_motion(skeleton: Skeleton, *, frames: int, rng: np.random.Generator) -> Motion:
    turns = quaternion.exp(rng.normal(0.0, 0.5, (frames, skeleton.joint_count, 3)))
    return Motion(skeleton, 30.0, rng.normal(0.0, 1.0, (frames, 3)), turns)


def tiny_skin(skeleton: Skeleton) -> Skin:
    """Return a tetrahedron that hangs on the root: mutations should meet more than vertices."""
    from gambol.body import Skin

    vertices = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]])
    centred = vertices - vertices.mean(axis=0)
    normals = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    triangles = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (4, 1))
    return Skin(skeleton, vertices, normals, triangles, np.zeros((4, 4), dtype=np.int32), weights)
