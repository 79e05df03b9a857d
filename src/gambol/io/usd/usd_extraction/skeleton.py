"""Take one character's joint transforms out of a stage."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom, UsdSkel, UsdUtils

from .layers import PrivateLayers, Refusal

FloatArray = NDArray[np.float64]


class UnknownCharacter(Exception):
    """No character has the name asked for; the argument is the list of those there are."""


@dataclass
class Request:
    """What to read, and how much of it at most."""

    path: str
    character: str | None
    rate_hz: float | None
    max_bytes: int
    max_joint_frames: int


def extract(request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a report (text and numbers) and arrays: world matrices of all joints, frame by frame."""
    said = UsdUtils.CoalescingDiagnosticDelegate()  # keeps the library from printing
    where = os.path.realpath(request.path)
    layers = PrivateLayers(os.path.dirname(where), request.max_bytes)
    stage = Usd.Stage.Open(layers.load(where))
    notes = list(layers.notes)
    prim = choose_skeleton(stage, request.character, notes)
    joints, parents = read_topology(prim)
    poses = read_rest_poses(prim, parents)
    animation = find_animation(stage, prim, joints, notes)
    samples = animation.GetJointTransformTimeSamples() if animation else []
    times, rate_hz = frame_times(prim, samples, request, notes)
    if len(times) * len(joints) > request.max_joint_frames:
        raise Refusal(f"{len(times):,} frames of {len(joints):,} joints are more than can be read")
    local = read_local_transforms(animation, joints, poses, times)
    world_from_skeleton = read_placement(prim, times)
    arrays = {
        "parents": parents,
        "transforms": concatenated(local, parents, world_from_skeleton)[..., :3],
        "placement": np.broadcast_to(world_from_skeleton, (len(times), 4, 4))[..., :3],
    }
    for name, pose in poses.items():
        arrays[name] = concatenated(pose[None], parents, world_from_skeleton[:1])[0, ..., :3]
    notes += [f"the USD library says: {item.commentary.strip()}" for item in said.TakeUncoalescedDiagnostics()[:3]]
    return {
        "names": joint_names(prim, joints),
        "skeleton": prim.GetName(),
        "tips": marked_tips(prim, joints),
        "rate_hz": rate_hz,
        "metres_per_unit": UsdGeom.GetStageMetersPerUnit(stage),
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "notes": notes,
    }, arrays


def choose_skeleton(stage: Usd.Stage, character: str | None, notes: list[str]) -> Usd.Prim:
    """Return the skeleton of a character, by the name of its SkelRoot or by its path; else the first."""
    prims = [
        prim
        for prim in stage.Traverse(Usd.TraverseInstanceProxies(Usd.PrimDefaultPredicate))
        if prim.IsA(UsdSkel.Skeleton)
    ]
    if not prims:
        raise Refusal("there is no skeleton in this stage; expected a UsdSkel Skeleton")
    names = [character_name(prim) for prim in prims]
    labels = [name if names.count(name) == 1 else str(prim.GetPath()) for name, prim in zip(names, prims, strict=True)]
    if character is None:
        if len(prims) > 1:
            notes.append(f"read {labels[0]!r}, the first of {len(prims)} characters: {', '.join(labels[:12])}")
        return prims[0]
    for label, prim in zip(labels, prims, strict=True):
        if character in (label, str(prim.GetPath())):
            return prim
    raise UnknownCharacter(labels)


def character_name(skeleton: Usd.Prim) -> str:
    """Return the display name, or the name, of the SkelRoot above a skeleton, or else of the skeleton."""
    root = UsdSkel.Root.Find(skeleton)
    prim = root.GetPrim() if root else skeleton
    return prim.GetDisplayName() or prim.GetName()


def read_topology(prim: Usd.Prim) -> tuple[list[str], NDArray[np.int32]]:
    """Return the joints' paths and the indices of their parents."""
    joints = list(UsdSkel.Skeleton(prim).GetJointsAttr().Get() or ())
    if not joints:
        raise Refusal(f"the skeleton {prim.GetPath()} has no joints")
    topology = UsdSkel.Topology(joints)
    valid, reason = topology.Validate()
    if not valid or len(set(joints)) != len(joints):
        raise Refusal(f"the skeleton {prim.GetPath()} is no tree of joints: {reason or 'a path occurs twice'}")
    return joints, np.array(topology.GetParentIndices(), dtype=np.int32)


def read_rest_poses(prim: Usd.Prim, parents: NDArray[np.int32]) -> dict[str, FloatArray]:
    """Return the poses a skeleton has without animation, as local matrices (J, 4, 4)."""
    skeleton = UsdSkel.Skeleton(prim)
    poses = {}
    for name, attribute in (("bind", skeleton.GetBindTransformsAttr()), ("rest", skeleton.GetRestTransformsAttr())):
        matrices = np.array(attribute.Get() or (), dtype=np.float64)
        if len(matrices) == 0:
            continue
        if matrices.shape != (len(parents), 4, 4):
            raise Refusal(f"{attribute.GetPath()} has {len(matrices)} matrices for {len(parents)} joints")
        poses[name] = matrices
    if "bind" in poses:  # the library's skinning takes them in the skeleton's space, whatever its docs say
        bind = poses["bind"]
        inverse = np.where(np.abs(np.linalg.det(bind))[:, None, None] > 1e-30, bind, np.eye(4))
        local = bind @ np.linalg.inv(inverse)[parents]
        poses["bind"] = np.where(parents[:, None, None] < 0, bind, local)
    return poses


def find_animation(
    stage: Usd.Stage, prim: Usd.Prim, joints: Sequence[str], notes: list[str]
) -> UsdSkel.AnimQuery | None:
    """Return the animation bound to a skeleton or above it, if it moves any of the joints."""
    source = UsdSkel.BindingAPI(prim).GetInheritedAnimationSource()
    animation = UsdSkel.Cache().GetAnimQuery(UsdSkel.Animation(source)) if source else None
    if not animation:
        loose = [str(p.GetPath()) for p in stage.Traverse() if p.IsA(UsdSkel.Animation)]
        hint = f" (no skeleton is bound to {loose[0]})" if loose else ""
        notes.append(f"the skeleton is not animated{hint}: its rest pose is one frame")
        return None
    if not set(animation.GetJointOrder()) & set(joints):
        notes.append("the animation moves no joint of the skeleton: its rest pose is one frame")
        return None
    return animation


def frame_times(
    prim: Usd.Prim, samples: Sequence[float], request: Request, notes: list[str]
) -> tuple[FloatArray, float]:
    """Return the time codes of the frames, and their rate.

    Frames are one time code apart, or as near to each other as the samples where these are denser.
    """
    codes_per_second = prim.GetStage().GetTimeCodesPerSecond()
    if not (np.isfinite(codes_per_second) and codes_per_second > 0.0):
        raise Refusal(f"timeCodesPerSecond must be a positive number, not {codes_per_second}")
    known = sorted({*samples, *placement_samples(prim)})
    sampled = np.array(known if known else [0.0])
    if not np.all(np.isfinite(sampled)):
        raise Refusal("a time sample is not at a finite time")
    spacing = float(np.median(np.diff(sampled))) if len(sampled) > 1 else 1.0
    own_rate = prim.GetCustomDataByKey("gambol:rateHz")
    rate_hz = request.rate_hz
    if rate_hz is None and isinstance(own_rate, float) and np.isfinite(own_rate) and own_rate > 0.0:
        rate_hz = own_rate
    if rate_hz is None:
        rate_hz = codes_per_second
        if 0.0 < spacing < 0.999:
            rate_hz = codes_per_second / spacing
            notes.append(f"samples are denser than time codes: read at {rate_hz:.6g} frames a second")
    step = codes_per_second / rate_hz
    steps = (sampled[-1] - sampled[0]) / step
    if not steps < request.max_joint_frames:
        raise Refusal(f"time samples from {sampled[0]:g} to {sampled[-1]:g} are more frames than can be read")
    count = int(np.floor(steps + 1e-6)) + 1
    times = sampled[0] + step * np.arange(count)
    if len(sampled) == count and np.allclose(times, sampled, rtol=0.0, atol=1e-6 * step):
        return sampled, rate_hz
    if len(samples) > 1:
        notes.append(f"{len(sampled)} uneven or sparse samples became {count} frames at {rate_hz:.6g} a second")
    return times, rate_hz


def placement_samples(prim: Usd.Prim) -> list[float]:
    """Return the times at which the prims above a skeleton, or itself, are moved."""
    times: list[float] = []
    while prim and not prim.IsPseudoRoot():
        times += UsdGeom.Xformable(prim).GetTimeSamples() if prim.IsA(UsdGeom.Xformable) else []
        prim = prim.GetParent()
    return times


def read_placement(prim: Usd.Prim, times: FloatArray) -> FloatArray:
    """Return the matrices from the skeleton's space to the world's, (F, 4, 4) or, where it stands, (1, 4, 4)."""
    moving = bool(placement_samples(prim))
    cache = UsdGeom.XformCache()
    matrices = []
    for time in times if moving else times[:1]:
        cache.SetTime(Usd.TimeCode(time))
        matrices.append(np.array(cache.GetLocalToWorldTransform(prim)))
    return np.array(matrices)


def read_local_transforms(
    animation: UsdSkel.AnimQuery | None, joints: Sequence[str], poses: dict[str, FloatArray], times: FloatArray
) -> FloatArray:
    """Return local matrices (F, J, 4, 4): the animation's, and the rest pose where it has none."""
    pose = poses.get("rest", poses.get("bind"))
    order = list(animation.GetJointOrder()) if animation else []
    if pose is None and not set(joints) <= set(order):
        raise Refusal("the skeleton has no rest transforms, and not all its joints are animated")
    index = {joint: number for number, joint in enumerate(joints)}
    columns = [column for column, joint in enumerate(order) if joint in index]
    targets = [index[order[column]] for column in columns]
    local = np.empty((len(times), len(joints), 4, 4))
    if pose is not None:
        local[:] = pose
    for frame, time in enumerate(times if animation else ()):
        matrices = np.array(animation.ComputeJointLocalTransforms(Usd.TimeCode(time)) or ())
        if matrices.shape != (len(order), 4, 4):
            raise Refusal(
                f"{animation.GetPrim().GetPath()} has no translation, rotation and scale "
                f"for each of its {len(order)} joints at time {time:g}"
            )
        local[frame, targets] = matrices[columns]
    return local


def concatenated(local: FloatArray, parents: NDArray[np.int32], world_from_skeleton: FloatArray) -> FloatArray:
    """Return world matrices (F, J, 4, 4) of local ones; matrices act on row vectors."""
    world = np.empty_like(local)
    for joint, parent in enumerate(parents):
        world[:, joint] = local[:, joint] @ (world_from_skeleton if parent < 0 else world[:, parent])
    return world


def joint_names(prim: Usd.Prim, joints: Sequence[str]) -> list[str]:
    """Return jointNames where they fit, else the last parts of the joints' paths."""
    names = list(UsdSkel.Skeleton(prim).GetJointNamesAttr().Get() or ())
    return names if len(names) == len(joints) else [joint.rsplit("/", 1)[-1] for joint in joints]


def marked_tips(prim: Usd.Prim, joints: Sequence[str]) -> list[int]:
    """Return the joints that were written as ends of bones."""
    marked = prim.GetCustomDataByKey("gambol:tips")
    tips = {str(path) for path in marked} if marked is not None and hasattr(marked, "__iter__") else set()
    return [number for number, joint in enumerate(joints) if joint in tips]
