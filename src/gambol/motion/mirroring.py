"""Swap left and right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.motion import joint_names
from gambol.motion.motion import Motion
from gambol.motion.rest import retarget_rotations
from gambol.motion.skeleton import Skeleton

_REFLECT_VECTOR = np.array([1.0, -1.0, 1.0])  # factors that mirror x, y and z
_REFLECT_QUATERNION = np.array([1.0, -1.0, 1.0, -1.0])  # factors that mirror w, x, y and z


def mirror(motion: Motion) -> Motion:
    """Reflect a motion in the vertical plane through +X, and exchange left and right joints.

    The figure keeps its own skeleton: where that is not quite symmetric, bones take the mirrored directions instead of
    the mirrored rotations.
    """
    partners = np.array(joint_names.mirror_partners(motion.skeleton))
    reflected = motion.rotations[:, partners] * _REFLECT_QUATERNION
    rotations = retarget_rotations(reflected, mirror_skeleton(motion.skeleton), motion.skeleton)
    translations = motion.translations
    if translations is not None:
        translations = motion.skeleton.offsets + (
            (translations - motion.skeleton.offsets)[:, partners] * _REFLECT_VECTOR
        )
    return replace(
        motion,
        root_positions=motion.root_positions * _REFLECT_VECTOR,
        rotations=rotations,
        translations=translations,
    )


def mirror_skeleton(skeleton: Skeleton) -> Skeleton:
    """Return the figure's mirror image: each joint takes its partner's bone, reflected.

    Where partners hang on joints that are not partners themselves (a watch on one wrist), the bones stay on their side.
    """
    partners = np.array(joint_names.mirror_partners(skeleton))
    offsets = skeleton.offsets[partners] * _REFLECT_VECTOR
    return Skeleton(skeleton.names, skeleton.parents, offsets)
