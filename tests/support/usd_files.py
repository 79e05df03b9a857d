"""USD files made by hand, in the ways of other programs, and the library's own word on where joints are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pxr import Gf, Usd, UsdGeom, UsdSkel

from gambol.body import Skin
from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton

FloatArray = NDArray[np.float64]


def two_joints(*, frames: int = 3, rate_hz: float = 30.0, names: tuple[str, str] = ("Hips", "Spine")) -> Motion:
    turns = quaternion.from_heading(np.linspace(0.0, 1.0, 2 * frames).reshape(frames, 2))
    skeleton = Skeleton(names, [-1, 0], [[0, 0, 1], [0, 0, 0.5]], [1], [[0.1, 0, 0.2]])
    return Motion(skeleton, rate_hz, np.linspace(0, 1, 3 * frames).reshape(frames, 3), turns)


def octahedra(skeleton: Skeleton) -> Skin:
    """Return a small skin: an octahedron around each joint, moved by it and, a little, by its parent."""
    corners = np.concatenate((np.eye(3), -np.eye(3)))
    faces = np.array([(0, 1, 2), (1, 3, 2), (3, 4, 2), (4, 0, 2), (1, 0, 5), (3, 1, 5), (4, 3, 5), (0, 4, 5)])
    count = skeleton.joint_count
    own = np.repeat(np.arange(count), 6)
    joints = np.zeros((6 * count, 4), dtype=np.int32)
    joints[:, 0], joints[:, 1] = own, np.maximum(skeleton.parents, 0)[own]
    return Skin(
        skeleton,
        vertices=skeleton.rest_positions[own] + 0.05 * np.tile(corners, (count, 1)),
        normals=np.tile(corners, (count, 1)),
        triangles=(faces[None] + 6 * np.arange(count)[:, None, None]).reshape(-1, 3),
        joints=joints,
        weights=np.tile((0.75, 0.25, 0.0, 0.0), (6 * count, 1)),
    )


def matrix(shift: ArrayLike = (0, 0, 0), axis: ArrayLike = (0, 0, 1), degrees: float = 0.0, scale: ArrayLike = 1.0):
    """Return a matrix for row vectors: scale, then turn, then shift."""
    turn = Gf.Matrix4d().SetRotate(Gf.Rotation(Gf.Vec3d(*np.asarray(axis, float).tolist()), degrees))
    size = Gf.Matrix4d().SetScale(Gf.Vec3d(*np.broadcast_to(np.asarray(scale, float), 3).tolist()))
    return size * turn * Gf.Matrix4d().SetTranslate(Gf.Vec3d(*np.asarray(shift, float).tolist()))


class SkelFile:
    """A stage under construction: one SkelRoot with a skeleton and an animation."""

    def __init__(self, path: Path, *, up: str = "Y", metres: float = 0.01, codes_per_second: float = 24.0) -> None:
        self.path = path
        self.stage = Usd.Stage.CreateNew(str(path))
        UsdGeom.SetStageUpAxis(self.stage, up)
        UsdGeom.SetStageMetersPerUnit(self.stage, metres)
        self.stage.SetTimeCodesPerSecond(codes_per_second)

    def skeleton(
        self,
        joints: Sequence[str],
        *,
        rest: Sequence[Gf.Matrix4d] | None = None,
        bind: Sequence[Gf.Matrix4d] | None = None,
        root: str = "/Group/Model",
        kind: str = "SkelRoot",
    ) -> UsdSkel.Skeleton:
        UsdGeom.Xform.Define(self.stage, root.rsplit("/", 1)[0] or "/Group")
        self.stage.DefinePrim(root, kind)
        skeleton = UsdSkel.Skeleton.Define(self.stage, f"{root}/Skel")
        skeleton.CreateJointsAttr(list(joints))
        if rest is not None:
            skeleton.CreateRestTransformsAttr(rest)
        if bind is not None:
            skeleton.CreateBindTransformsAttr(bind)
        return skeleton

    def animation(
        self, path: str, joints: Sequence[str], samples: Mapping[float, Sequence[Gf.Matrix4d]]
    ) -> UsdSkel.Animation:
        animation = UsdSkel.Animation.Define(self.stage, path)
        animation.CreateJointsAttr(list(joints))
        for time, matrices in samples.items():
            animation.SetTransforms(list(matrices), Usd.TimeCode(time))
        return animation

    def bind(self, prim_path: str, animation: UsdSkel.Animation) -> None:
        binding = UsdSkel.BindingAPI.Apply(self.stage.GetPrimAtPath(prim_path))
        binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])

    def save(self) -> Path:
        self.stage.GetRootLayer().Save()
        return self.path


def library_positions(path: Path, skeleton_path: str, times: Sequence[float]) -> FloatArray:
    """Return joint positions (F, J, 3) in metres and our axes, as UsdSkel itself computes them."""
    stage = Usd.Stage.Open(str(path))
    skeleton = UsdSkel.Skeleton(stage.GetPrimAtPath(skeleton_path))
    cache = UsdSkel.Cache()
    cache.Populate(UsdSkel.Root.Find(skeleton.GetPrim()), Usd.TraverseInstanceProxies())
    query = cache.GetSkelQuery(skeleton)
    positions = []
    for time in times:
        world = query.ComputeJointWorldTransforms(UsdGeom.XformCache(time))
        positions.append(np.array(world)[:, 3, :3])
    metres = np.array(positions) * UsdGeom.GetStageMetersPerUnit(stage)
    return metres[..., [2, 0, 1]] if UsdGeom.GetStageUpAxis(stage) == "Y" else metres


def far_apart(a: Motion, b: Motion) -> float:
    """Return the largest distance in metres between the joints and tips of two motions."""
    assert a.skeleton.names == b.skeleton.names
    joints = np.linalg.norm(a.world_positions - b.world_positions, axis=-1).max()
    tips = np.linalg.norm(a.tip_positions - b.tip_positions, axis=-1).max(initial=0.0)
    return float(max(joints, tips))
