"""Take one character's joint transforms out of a stage."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom, UsdSkel, UsdUtils, Vt

from .layers import PrivateLayers, Refusal

FloatArray = NDArray[np.float64]

# A few sparse samples must not become millions of frames: the larger of these two limits counts.
MOST_FILLED_IN = 1 << 16  # joints times frames that any file may become
MOST_PER_SAMPLE = 256  # frames for each time sample in the file
MOST_NOTES = 8  # the most notes of one kind
MEMORY_PER_TRANSFORM = 256  # bytes for a joint in a frame: a matrix, and a copy for the result


class UnknownCharacter(LookupError):
    """No character has the given name; the argument is the list of existing names."""


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
    path = Path(request.path).resolve()
    layers = PrivateLayers(path.parent, request.max_bytes)
    stage = Usd.Stage.Open(layers.load(str(path)))
    notes = shortened(layers.notes)
    prim = choose_skeleton(stage, request.character, notes)
    joints, parents = read_topology(prim)
    poses = read_rest_poses(prim, parents)
    animation = find_animation(stage, prim, joints, notes)
    times, rate_hz, sample_count = frame_times(prim, animation, request, notes)
    most = min(request.max_joint_frames, max(MOST_FILLED_IN, MOST_PER_SAMPLE * sample_count * len(joints)))
    if len(times) * len(joints) > most:
        raise Refusal(
            f"{len(times):,} frames of {len(joints):,} joints from {sample_count:,} samples are more than are read"
        )
    layers.limit_memory(len(times) * len(joints) * MEMORY_PER_TRANSFORM)
    local = read_local_transforms(animation, joints, poses, times)
    placement = read_placement(prim, times)
    arrays = {
        "parents": parents,
        "transforms": concatenate(local, parents, placement)[..., :3],
        "placement": np.broadcast_to(placement, (len(times), 4, 4))[..., :3],
    }
    for name, pose in poses.items():
        arrays[name] = concatenate(pose[None].copy(), parents, placement[:1])[0, ..., :3]
    notes += shortened([f"the USD library says: {item.commentary}" for item in said.TakeUncoalescedDiagnostics()])
    return {
        "names": joint_names(prim, joints),
        "skeleton": prim.GetName(),
        "tips": marked_tips(prim, joints),
        "rate_hz": rate_hz,
        "metres_per_unit": UsdGeom.GetStageMetersPerUnit(stage),
        "up": str(UsdGeom.GetStageUpAxis(stage)),
        "notes": notes,
    }, arrays


def shortened(notes: Sequence[str]) -> list[str]:
    """Return each note once, and only the first if there are many."""
    different = list(dict.fromkeys(notes))
    more = len(different) - MOST_NOTES
    return different if more <= 0 else [*different[:MOST_NOTES], f"and {more} more like the last"]


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
    counts = Counter(names)
    labels = [name if counts[name] == 1 else str(prim.GetPath()) for name, prim in zip(names, prims, strict=True)]
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
    joints = tokens(UsdSkel.Skeleton(prim).GetJointsAttr())
    if not joints:
        raise Refusal(f"the skeleton {prim.GetPath()} has no joints")
    topology = UsdSkel.Topology(joints)
    valid, reason = topology.Validate()
    if not valid or len(set(joints)) != len(joints):
        raise Refusal(f"the skeleton {prim.GetPath()} is no tree of joints: {reason or 'a path occurs twice'}")
    return joints, np.array(topology.GetParentIndices(), dtype=np.int32)


def read_rest_poses(prim: Usd.Prim, parents: NDArray[np.int32]) -> dict[str, FloatArray]:
    """Return a skeleton's poses without animation, as local matrices (J, 4, 4)."""
    skeleton = UsdSkel.Skeleton(prim)
    poses = {}
    for name, attribute in (("bind", skeleton.GetBindTransformsAttr()), ("rest", skeleton.GetRestTransformsAttr())):
        value = attribute.Get()
        if not value:
            continue
        if not isinstance(value, Vt.Matrix4dArray) or len(value) != len(parents):
            raise Refusal(f"{attribute.GetPath()} must be {len(parents)} matrices, one for each joint")
        poses[name] = np.array(value)
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
    prim: Usd.Prim, animation: UsdSkel.AnimQuery | None, request: Request, notes: list[str]
) -> tuple[FloatArray, float, int]:
    """Return the time codes of the frames, from the first sample to the last, their rate, and the number of samples."""
    codes_per_second = prim.GetStage().GetTimeCodesPerSecond()
    if not (np.isfinite(codes_per_second) and codes_per_second > 0.0):
        raise Refusal(f"timeCodesPerSecond must be a positive number, not {codes_per_second}")
    known = {*placement_samples(prim), *(animation.GetJointTransformTimeSamples() if animation else ())}
    samples = np.array(sorted(known)) if known else np.zeros(1)
    if not np.all(np.isfinite(samples)):
        raise Refusal("a time sample is not at a finite time")
    rate_hz = request.rate_hz if request.rate_hz is not None else natural_rate(prim, samples, codes_per_second)
    step = codes_per_second / rate_hz
    steps = (samples[-1] - samples[0]) / step
    if not steps < request.max_joint_frames:
        raise Refusal(f"time samples from {samples[0]:g} to {samples[-1]:g} are more frames than can be read")
    count = int(np.floor(steps + 1e-6)) + 1
    times = samples[0] + step * np.arange(count)
    if len(samples) == count and np.allclose(times, samples, rtol=0.0, atol=1e-6 * step):
        return samples, rate_hz, len(samples)
    notes.append(f"{len(samples)} time samples became {count} frames, {rate_hz:.6g} a second")
    return times, rate_hz, len(samples)


def natural_rate(prim: Usd.Prim, samples: FloatArray, codes_per_second: float) -> float:
    """Return the rate we wrote, or one frame a time code, or one a sample where samples are denser."""
    written = prim.GetCustomDataByKey("gambol:rateHz")
    if isinstance(written, float) and np.isfinite(written) and written > 0.0:
        return written
    spacing = float(np.median(np.diff(samples))) if len(samples) > 1 else 1.0
    return codes_per_second / spacing if 0.0 < spacing < 0.999 else codes_per_second


def placement_samples(prim: Usd.Prim) -> list[float]:
    """Return the times at which a skeleton, or a prim above it, moves."""
    times: list[float] = []
    while prim and not prim.IsPseudoRoot():
        times += UsdGeom.Xformable(prim).GetTimeSamples() if prim.IsA(UsdGeom.Xformable) else []
        prim = prim.GetParent()
    return times


def read_placement(prim: Usd.Prim, times: FloatArray) -> FloatArray:
    """Return the matrices from the skeleton's space to the world's, (F, 4, 4), or (1, 4, 4) if it does not move."""
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
    if not animation:
        return local
    for frame, time in enumerate(times):
        matrices = np.array(animation.ComputeJointLocalTransforms(Usd.TimeCode(time)) or ())
        if matrices.shape != (len(order), 4, 4):
            raise Refusal(
                f"{animation.GetPrim().GetPath()} has no translation, rotation and scale "
                f"for each of its {len(order)} joints at time {time:g}"
            )
        local[frame, targets] = matrices[columns]
    return local


def concatenate(local: FloatArray, parents: NDArray[np.int32], world_from_skeleton: FloatArray) -> FloatArray:
    """Turn local matrices (F, J, 4, 4) into world ones, in place; they act on row vectors."""
    world = local
    for joint, parent in enumerate(parents):  # a parent comes before its children
        world[:, joint] = local[:, joint] @ (world_from_skeleton if parent < 0 else world[:, parent])
    return world


def tokens(attribute: Usd.Attribute) -> list[str]:
    """Return an attribute's tokens, none where it has none."""
    value = attribute.Get()
    return list(value) if isinstance(value, Vt.TokenArray) else []


def joint_names(prim: Usd.Prim, joints: Sequence[str]) -> list[str]:
    """Return jointNames where they fit, else the last parts of the joints' paths."""
    names = tokens(UsdSkel.Skeleton(prim).GetJointNamesAttr())
    return names if len(names) == len(joints) else [joint.rsplit("/", 1)[-1] for joint in joints]


def marked_tips(prim: Usd.Prim, joints: Sequence[str]) -> list[int]:
    """Return the joints that our writer marked as ends of bones."""
    marked = prim.GetCustomDataByKey("gambol:tips")
    tips = set(marked) if isinstance(marked, Vt.TokenArray) else set()
    return [number for number, joint in enumerate(joints) if joint in tips]
