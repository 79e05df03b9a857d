"""A character's joints in the world, frame by frame."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.errors import MalformedFile
from gambol.files import axes
from gambol.files.gltf.placement import Channels, Placement, Placer
from gambol.files.gltf.source import GltfSource
from gambol.files.gltf.timing import Frames, choose_frames, merge
from gambol.files.gltf.tree import GltfTree
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray

# The most node poses that are computed for a file depend on its number of keys.
FREE_POSES = 1_000_000  # poses for any file
POSES_PER_KEY = 16  # further poses for each key
MAX_POSES = 1 << 25  # the most poses for any number of keys: three hours of 24 joints at 120 Hz
POSES_AT_ONCE = 100_000  # poses computed at a time; larger: more memory
MAX_POLAR_STEPS = 64  # the most steps of Newton's iteration


class Poses(NamedTuple):
    """Members relative to their parents (the root to the world) in our axes, with parallel rest frames."""

    rate_hz: float
    translations: FloatArray  # (F, M, 3)
    rotations: FloatArray  # (F, M, 4) wxyz


def sample_poses(
    source: GltfSource,
    tree: GltfTree,
    rest: Placement,
    channels: Channels,
    *,
    rate_hz: float | None,
    hint_hz: float | None,
) -> Poses:
    """Pose all members at the frames of a fixed rate."""
    keys_of_channels = list({id(channel.times): channel.times for channel in channels.values()}.values())
    if not channels:
        source.notes.append("no animation moves this character; kept one frame of the pose that the nodes have")
        keys_of_channels = [np.zeros(1)]
    frames = choose_frames(keys_of_channels, rate_hz=rate_hz, hint_hz=hint_hz)
    keys = merge(keys_of_channels)
    if not frames.even and rate_hz is None:
        source.notes.append(f"key times are uneven; sampled at {frames.rate_hz:g} Hz")
    placer = Placer(source.nodes, tree.members, channels)
    _check_effort(frames, placer.node_count, channels)

    translations = np.empty((frames.count, len(tree.members), 3))
    rotations = np.empty((frames.count, len(tree.members), 4))
    unrest = _adjugate(rest.linear) * np.sign(np.linalg.det(rest.linear))[..., None, None]
    at_once = max(1, POSES_AT_ONCE // placer.node_count)
    for first in range(0, frames.count, at_once):
        last = min(first + at_once, frames.count)
        placed = placer.at(frames.times(first, last, keys))
        turned = quaternion.from_matrix(nearest_rotation(placed.linear @ unrest))
        translations[first:last], rotations[first:last] = _relative(tree, placed.position, turned)
    return Poses(frames.rate_hz, translations, rotations)


def _relative(tree: GltfTree, positions: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Express members, given in the world of the file, relative to their parents and in our axes."""
    translations, turns = axes.vectors_from_y_up(positions), axes.quaternions_from_y_up(rotations)
    parents = tree.parents[1:]
    away = translations[:, 1:] - translations[:, parents]
    unturned = quaternion.conjugate(turns[:, parents])
    translations[:, 1:] = quaternion.rotate(unturned, away)
    turns[:, 1:] = quaternion.multiply(unturned, turns[:, 1:])
    return translations, turns


def _check_effort(frames: Frames, node_count: int, channels: Channels) -> None:
    """Refuse, before anything is allocated, numbers of frames that only a damaged or malicious file demands."""
    held = {id(channel.values): len(channel.values) for channel in channels.values()}
    if frames.count * node_count > MAX_POSES:
        raise MalformedFile(f"{frames.count:,} frames of {node_count:,} nodes are more than is read")
    if frames.count * node_count > FREE_POSES + POSES_PER_KEY * sum(held.values()):
        raise MalformedFile(
            f"{frames.count:,} frames at {frames.rate_hz:g} Hz for {node_count:,} nodes are more than "
            f"{sum(held.values()):,} keys are worth; ask for a lower rate"
        )


def nearest_rotation(matrices: FloatArray) -> FloatArray:
    """Return the rotations (..., 3, 3) nearest to matrices that may also scale and shear.

    This is Newton's iteration for the polar decomposition: each step averages a matrix with its inverse transpose.
    A joint whose scale is zero has no rotation, and gets the identity.
    """
    size = np.abs(matrices).max(axis=(-2, -1), keepdims=True)
    current = matrices / np.where(size > 0.0, size, 1.0)
    current = np.where(np.linalg.det(current)[..., None, None] > 1e-12, current, np.eye(3))
    for _ in range(MAX_POLAR_STEPS):
        cofactors = np.swapaxes(_adjugate(current), -1, -2)
        determinant = np.sum(current[..., 0, :] * cofactors[..., 0, :], axis=-1)[..., None, None]
        following = 0.5 * (current + cofactors / determinant)
        change = np.abs(following - current).max()
        current = following
        if change < 1e-14:
            break
    return current


def _adjugate(matrices: FloatArray) -> FloatArray:
    """Return determinant times inverse, which exists for singular matrices too."""
    rows = [matrices[..., row, :] for row in range(3)]
    return np.stack((np.cross(rows[1], rows[2]), np.cross(rows[2], rows[0]), np.cross(rows[0], rows[1])), axis=-1)
