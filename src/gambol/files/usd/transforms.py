"""Turn the world matrices of joints in a stage into a motion whose rest frames are parallel to the world's."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gambol.errors import InvalidInput
from gambol.files.reading import unique_names
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray, Int32Array
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

STILL_M = 1e-5  # metres: a joint that moves less against its parent does not translate
MAX_VALUE = 1e9  # stage units: larger lengths are refused
SKEW = 1e-5  # cosine between two axes: axes with a smaller one are a rotation's, apart from rounding
SCALED = 0.01  # share of a joint's scale: larger changes of scale get a note


class Frames(NamedTuple):
    """The places, rotations and scales of joints."""

    positions: FloatArray  # (..., J, 3) metres, our axes
    turns: FloatArray  # (..., J, 3, 3) orthogonal, acting on column vectors, our axes
    sizes: FloatArray  # (..., J, 3) scale along each axis


class Pose(NamedTuple):
    """An animation relative to a rest pose."""

    offsets: FloatArray  # (J, 3) between joints at rest
    rotations: FloatArray  # (F, J, 4) local, the identity at rest
    shifts: FloatArray  # (F, J, 3) local, the offsets at rest
    rest: Frames

    @property
    def stretch(self) -> float:
        """The farthest that any joint except the root moves from its offset, in metres."""
        return float(np.abs(self.shifts - self.offsets)[:, 1:].max(initial=0.0))


def motion_from_transforms(report: dict[str, Any], arrays: dict[str, FloatArray]) -> tuple[Motion, list[str]]:
    """Return the motion of extracted matrices, and notes about it."""
    names, notes = unique_names(report["names"])
    parents = arrays["parents"].astype(np.int32)
    if np.count_nonzero(parents < 0) > 1:
        names, parents, arrays = _with_one_root(report["skeleton"], names, parents, arrays)
        report = {**report, "tips": [tip + 1 for tip in report["tips"]]}
        notes.append(f"the skeleton has several roots: they now hang on one, {names[0]!r}")
    frames = _frames(arrays["transforms"], report)
    pose = _best_pose(parents, frames, [_frames(arrays[kind], report) for kind in ("bind", "rest") if kind in arrays])
    if "bind" not in arrays and "rest" not in arrays:
        notes.append("the skeleton has no rest pose: its first frame stands for it")
    if np.abs(frames.sizes / np.maximum(pose.rest.sizes, 1e-12) - 1.0).max() > SCALED:
        notes.append("joints change their scale: joint positions are kept, scales are not")
    return _motion(names, parents, report, frames, pose), notes


def _best_pose(parents: Int32Array, frames: Frames, rests: list[Frames]) -> Pose:
    """Express an animation relative to the first rest pose whose bones are as long, or to the best one.

    The bind pose comes first: some programs write the pose they happen to be in as "rest".
    """
    best = None
    for rest in rests or [Frames(*(values[0] for values in frames))]:
        pose = _pose(parents, frames, rest)
        if best is None or pose.stretch < best.stretch - STILL_M:
            best = pose
        if best.stretch <= STILL_M:
            break
    assert best is not None
    return best


def _with_one_root(
    name: str, names: tuple[str, ...], parents: Int32Array, arrays: dict[str, FloatArray]
) -> tuple[tuple[str, ...], Int32Array, dict[str, FloatArray]]:
    """Hang all roots on a new root at the place of the skeleton's prim."""
    placement = arrays["placement"][:, None]
    wider = {"transforms": np.concatenate((placement, arrays["transforms"]), axis=1)}
    for kind in ("bind", "rest"):
        if kind in arrays:
            wider[kind] = np.concatenate((placement[0], arrays[kind]))
    return unique_names((name, *names))[0], np.concatenate(([-1], parents + 1)).astype(np.int32), wider


def _frames(matrices: FloatArray, report: dict[str, Any]) -> Frames:
    """Split matrices (..., J, 4, 3), whose rows are a joint's axes and its position."""
    if not np.all(np.abs(matrices) <= MAX_VALUE):  # also catches NaN
        raise InvalidInput(f"a joint's transform has a number that is not within ±{MAX_VALUE:.0e}")
    metres = report["metres_per_unit"]
    if not (np.isfinite(metres) and 0.0 < metres <= MAX_VALUE):
        raise InvalidInput(f"metersPerUnit must be a positive number, not {metres}")
    positions = matrices[..., 3, :] * metres
    axes = matrices[..., :3, :]
    turns = np.swapaxes(_orthogonal(axes), -1, -2)
    if report["up"] == "Y":
        ours = [2, 0, 1]
        positions, turns = positions[..., ours], turns[..., ours, :][..., ours]
    return Frames(positions, turns, np.linalg.norm(axes, axis=-1))


def _orthogonal(axes: FloatArray) -> FloatArray:
    """Return the orthogonal matrices nearest to some (..., 3, 3); mirrored ones stay mirrored."""
    lengths = np.linalg.norm(axes, axis=-1, keepdims=True)
    unit = axes / np.where(lengths > 0.0, lengths, 1.0)
    skew = np.abs(unit @ np.swapaxes(unit, -1, -2) - np.eye(3)).max(axis=(-1, -2)) > SKEW
    if np.any(skew):
        u, _, vt = np.linalg.svd(axes[skew])
        unit[skew] = u @ vt
    return unit


def _pose(parents: Int32Array, frames: Frames, rest: Frames) -> Pose:
    # world_ours = world_file * inverse(rest_file): positions stay, frames become parallel at rest.
    world = frames.turns @ np.swapaxes(rest.turns, -1, -2)
    # A joint mirrored by a negative scale has no rotation; its opposite is as good as any.
    world = quaternion.from_matrix(np.where(np.linalg.det(world)[..., None, None] < 0.0, -world, world))
    above = np.maximum(parents, 0)
    undo = quaternion.conjugate(world[:, above])
    rotations = quaternion.multiply(undo, world)
    rotations[:, 0] = world[:, 0]
    shifts = quaternion.rotate(undo, frames.positions - frames.positions[:, above])
    shifts[:, 0] = frames.positions[:, 0]
    offsets = rest.positions - rest.positions[above]
    offsets[0] = rest.positions[0]
    return Pose(offsets, rotations, shifts, rest)


def _motion(names: tuple[str, ...], parents: Int32Array, report: dict[str, Any], frames: Frames, pose: Pose) -> Motion:
    leaves = set(range(1, len(parents))) - {int(parent) for parent in parents}
    tips = [tip for tip in report["tips"] if tip in leaves]
    joints = np.array([joint for joint in range(len(parents)) if joint not in set(tips)])
    number = np.full(len(parents) + 1, -1, dtype=np.int32)  # the last entry stands for "no parent"
    number[joints] = np.arange(len(joints))
    # A joint that keeps its place beside its parent has that place as its offset, even where the rest pose says
    # another one: bones are as long as in the animation.
    low, high = pose.shifts.min(axis=0), pose.shifts.max(axis=0)
    moving = (high - low).max(axis=1) > 2.0 * STILL_M
    near_rest = np.abs(pose.shifts - pose.offsets).max(axis=(0, 2)) <= STILL_M
    offsets = np.where((moving | near_rest)[:, None], pose.offsets, 0.5 * (low + high))
    offsets[0], moving[0] = pose.offsets[0], False
    skeleton = Skeleton(
        [names[joint] for joint in joints],
        number[parents[joints]],
        offsets[joints],
        number[parents[tips]],
        offsets[tips],
    )
    translations = np.where(moving[:, None], pose.shifts, offsets)[:, joints] if np.any(moving[joints]) else None
    return Motion(skeleton, report["rate_hz"], frames.positions[:, 0], pose.rotations[:, joints], translations)
