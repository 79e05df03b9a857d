"""Random skeletons and motions for property tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton

RATES = (24.0, 25.0, 29.97, 30.0, 50.0, 59.94, 60.0, 100.0, 120.0, 240.0, 23.7)
ODD_NAMES = ("Left Arm", "Hüfte", "骨", "1st", "a.b", "a/b", "x:y", "tail_end", "-", "名 前")


@st.composite
def skeletons(draw: st.DrawFn, *, max_joints: int = 12, plain_names: bool = False) -> Skeleton:
    """Draw a tree of joints with metre-sized bones, some of length zero, and some tips."""
    count = draw(st.integers(1, max_joints))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    parents = [-1] + [int(rng.integers(0, joint)) for joint in range(1, count)]
    names = [f"Joint{i}" for i in range(count)]
    if not plain_names:
        odd = draw(st.lists(st.sampled_from(ODD_NAMES), max_size=count, unique=True))
        names[: len(odd)] = odd
    offsets = rng.normal(scale=0.4, size=(count, 3))
    offsets[rng.random(count) < 0.15] = 0.0
    leaves = [joint for joint in range(count) if joint not in parents]
    tips = [joint for joint in leaves if rng.random() < 0.7]
    return Skeleton(names, parents, offsets, tips, rng.normal(scale=0.2, size=(len(tips), 3)))


@st.composite
def motions(
    draw: st.DrawFn, *, max_joints: int = 12, max_frames: int = 12, translations: bool = True, plain_names: bool = False
) -> Motion:
    """Draw any rotations at all (gimbal lock included), far roots and, at times, moving joints."""
    skeleton = draw(skeletons(max_joints=max_joints, plain_names=plain_names))
    frames = draw(st.integers(1, max_frames))
    rate_hz = draw(st.sampled_from(RATES))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rotations = quaternion.normalize(rng.normal(size=(frames, skeleton.joint_count, 4)))
    quarter = rng.integers(-2, 3, size=(frames, skeleton.joint_count, 3)) * (np.pi / 2)
    round_ones = rng.random((frames, skeleton.joint_count)) < 0.2
    rotations[round_ones] = quaternion.from_euler(quarter, "XZY")[round_ones]
    roots = rng.normal(scale=draw(st.sampled_from((1.0, 300.0))), size=(frames, 3))
    moved = None
    if translations and draw(st.booleans()):
        moved = np.tile(skeleton.offsets, (frames, 1, 1))
        chosen = rng.random(skeleton.joint_count) < 0.5
        moved[:, chosen] += rng.normal(scale=0.1, size=(frames, int(chosen.sum()), 3))
    return Motion(skeleton, rate_hz, roots, rotations, moved)
