"""Forward kinematics, against the same in plain numpy, joint by joint over all frames."""

from __future__ import annotations

import numpy as np

from evidence.benchmarks.timing import Row, median_seconds
from gambol.geometry import quaternion
from gambol.motion import Skeleton, world_poses

FRAMES, JOINTS = 10_000, 24


def run() -> list[Row]:
    rng = np.random.default_rng(1)
    parents = [-1, *[max(0, joint - 1 - int(rng.integers(0, 3))) for joint in range(1, JOINTS)]]
    skeleton = Skeleton([f"joint{j}" for j in range(JOINTS)], parents, rng.normal(size=(JOINTS, 3)))
    roots = rng.normal(size=(FRAMES, 3))
    rotations = quaternion.normalize(rng.normal(size=(FRAMES, JOINTS, 4)))
    offsets = skeleton.offsets[None]
    ours = median_seconds(lambda: world_poses(skeleton.parents, offsets, roots, rotations), runs=21)
    other = median_seconds(lambda: _in_numpy(skeleton, roots, rotations), runs=5)
    positions, _ = world_poses(skeleton.parents, offsets, roots, rotations)
    assert np.allclose(_in_numpy(skeleton, roots, rotations), positions)
    return [
        Row(
            f"forward kinematics of {JOINTS} joints, {FRAMES:,} poses, one core",
            f"{ours / FRAMES * 1e6:.3f} µs a pose",
            f"{other / FRAMES * 1e6:.2f} µs a pose (numpy)",
            f"{other / ours:.1f}",
        )
    ]


def _in_numpy(skeleton: Skeleton, roots: np.ndarray, rotations: np.ndarray) -> np.ndarray:
    positions = np.empty((len(roots), skeleton.joint_count, 3))
    worlds = np.empty_like(rotations)
    positions[:, 0], worlds[:, 0] = roots, rotations[:, 0]
    for joint in range(1, skeleton.joint_count):
        parent = skeleton.parents[joint]
        positions[:, joint] = positions[:, parent] + quaternion.rotate(worlds[:, parent], skeleton.offsets[joint])
        worlds[:, joint] = quaternion.multiply(worlds[:, parent], rotations[:, joint])
    return positions
