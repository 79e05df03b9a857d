"""Build a UsdSkel stage in memory and encode it.  Imports pxr: import this module only where it is needed."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Kind, Sdf, Usd, UsdGeom, UsdSkel, Vt

from gambol.body.skin import Skin
from gambol.errors import InvalidInput, UnreadableFile
from gambol.files.usd.mesh import define_mesh
from gambol.files.usd.names import JointTokens, joint_tokens, legal_names
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

WORLD = "/World"  # path of the prim above all others
#: Date of files in packages, 1980-01-02 UTC: fixed, so that the same stage gives the same bytes, and in 1980 in every
#: time zone, as zip archives know no earlier year.
PACKAGE_TIME_S = 315_532_800 + 86_400


def build_layer(cast: Mapping[str, Motion], skins: Sequence[Skin]) -> Sdf.Layer:
    """Return a layer with one SkelRoot for each character, in their order."""
    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.customLayerData = {"creator": "Gambol"}
    stage = Usd.Stage.Open(layer)
    rate_hz = next(iter(cast.values())).rate_hz
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    stage.SetTimeCodesPerSecond(rate_hz)
    stage.SetFramesPerSecond(rate_hz)
    stage.SetStartTimeCode(0.0)
    stage.SetEndTimeCode(max(float(time_codes(motion, rate_hz)[-1]) for motion in cast.values()))
    world = UsdGeom.Xform.Define(stage, WORLD).GetPrim()
    Usd.ModelAPI(world).SetKind(Kind.Tokens.group)
    stage.SetDefaultPrim(world)
    for (name, motion), legal, skin in zip(cast.items(), legal_names(list(cast)), skins, strict=True):
        root = _define_character(stage, f"{WORLD}/{legal}", motion, skin)
        if legal != name:
            root.SetDisplayName(name)
    return layer


def export(layer: Sdf.Layer, path: Path) -> None:
    """Encode a layer at a path by its suffix; .usdz puts a crate into an uncompressed archive."""
    encoded = path.with_suffix(".usdc") if path.suffix.lower() == ".usdz" else path
    if not layer.Export(str(encoded)):
        raise UnreadableFile("cannot write: the USD library refused", path=path)
    if encoded == path:
        return
    os.utime(encoded, (PACKAGE_TIME_S, PACKAGE_TIME_S))
    archives = Sdf if hasattr(Sdf, "ZipFileWriter") else Usd  # it moved after 24.11
    with archives.ZipFileWriter.CreateNew(str(path)) as package:
        package.AddFile(str(encoded), encoded.name)


def _define_character(stage: Usd.Stage, path: str, motion: Motion, skin: Skin) -> Usd.Prim:
    root = UsdSkel.Root.Define(stage, path)
    Usd.ModelAPI(root.GetPrim()).SetKind(Kind.Tokens.component)
    tokens = joint_tokens(motion.skeleton)
    times = time_codes(motion, stage.GetTimeCodesPerSecond())
    skeleton = define_skeleton(stage, f"{path}/Skeleton", motion, tokens)
    skeleton.CreateBindTransformsAttr(bind_transforms(skin.skeleton, motion.skeleton))
    animation = define_animation(stage, f"{path}/Skeleton/Animation", motion, tokens, times)
    binding = UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
    binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    mesh = define_mesh(stage, path, skin)
    UsdSkel.BindingAPI(mesh).CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    extents = root.CreateExtentAttr()
    for time, extent in zip(times, skin_extents(motion, skin), strict=True):
        extents.Set(Vt.Vec3fArray.FromNumpy(extent), time)
    return root.GetPrim()


def time_codes(motion: Motion, codes_per_second: float) -> FloatArray:
    return np.arange(motion.frame_count, dtype=np.float64) * (codes_per_second / motion.rate_hz)


def define_skeleton(stage: Usd.Stage, path: str, motion: Motion, tokens: JointTokens) -> UsdSkel.Skeleton:
    source = motion.skeleton
    skeleton = UsdSkel.Skeleton.Define(stage, path)
    skeleton.CreateJointsAttr(tokens.paths)
    skeleton.CreateJointNamesAttr(tokens.names)
    skeleton.CreateRestTransformsAttr(_shifts(np.concatenate((source.offsets, source.tip_offsets))))
    # UsdSkel has no words for two things: joints that are only ends of bones, and a rate other than the stage's.
    ours: dict[str, object] = {"tips": Vt.TokenArray(tokens.tips)}
    if motion.rate_hz != stage.GetTimeCodesPerSecond():
        ours["rateHz"] = motion.rate_hz
    skeleton.GetPrim().SetCustomDataByKey("gambol", ours)
    return skeleton


def bind_transforms(drawn: Skeleton, moved: Skeleton) -> Vt.Matrix4dArray:
    """Return the places of joints and tips in the pose of the skin, whose skeleton may have other proportions."""
    joints = drawn.rest_positions
    return _shifts(np.concatenate((joints, joints[moved.tip_parents] + moved.tip_offsets)))


def define_animation(
    stage: Usd.Stage, path: str, motion: Motion, tokens: JointTokens, times: FloatArray
) -> UsdSkel.Animation:
    frames, tips = motion.frame_count, len(tokens.tips)
    joints = motion.skeleton.joint_count
    translations = np.empty((frames, joints + tips, 3), dtype=np.float32)
    with np.errstate(over="ignore"):
        translations[:, :joints] = motion.local_offsets
        translations[:, 0] = motion.root_positions
        translations[:, joints:] = motion.skeleton.tip_offsets
    if not np.all(np.isfinite(translations)):
        raise InvalidInput("a position is too large for USD's 32-bit numbers")
    rotations = np.zeros((frames, joints + tips, 4), dtype=np.float32)  # x, y, z, w: USD's order in memory
    rotations[..., 3] = 1.0
    rotations[:, :joints] = motion.rotations[..., [1, 2, 3, 0]]

    animation = UsdSkel.Animation.Define(stage, path)
    animation.CreateJointsAttr(tokens.paths)
    animation.CreateScalesAttr(Vt.Vec3hArray(joints + tips, Gf.Vec3h(1.0)))
    translation, rotation = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
    for frame, time in enumerate(times):
        translation.Set(Vt.Vec3fArray.FromNumpy(translations[frame]), time)
        rotation.Set(Vt.QuatfArray.FromNumpy(rotations[frame]), time)
    return animation


def skin_extents(motion: Motion, skin: Skin) -> NDArray[np.float32]:
    """Return boxes (F, 2, 3) that hold the skinned mesh.

    A skinned vertex is a mean of points that keep their distance from their joints, so it lies among balls around
    these joints, each as large as the distance of the farthest vertex that the joint moves.
    """
    moved = np.unique(skin.joints[skin.weights > 0.0])
    reach = np.zeros(motion.skeleton.joint_count)
    distances = np.linalg.norm(skin.vertices[:, None] - skin.skeleton.rest_positions[skin.joints], axis=-1)
    np.maximum.at(reach, skin.joints, np.where(skin.weights > 0.0, distances, 0.0))
    if len(moved) == 0:
        moved = np.arange(motion.skeleton.joint_count)
    centres, radii = motion.world_positions[:, moved], reach[moved, None]
    boxes = np.stack(((centres - radii).min(axis=1), (centres + radii).max(axis=1)), axis=1)
    return boxes.astype(np.float32)


def _shifts(vectors: FloatArray) -> Vt.Matrix4dArray:
    """Return matrices that only shift; USD's act on row vectors."""
    matrices = np.tile(np.eye(4), (len(vectors), 1, 1))
    matrices[:, 3, :3] = vectors
    return Vt.Matrix4dArray.FromNumpy(matrices)
