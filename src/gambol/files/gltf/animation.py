"""Animation channels of a glTF file, and their values at any time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gambol.errors import MalformedFile
from gambol.files.gltf import fields
from gambol.files.gltf.accessors import Accessors
from gambol.files.gltf.fields import Json
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray

PATHS = {"translation": "VEC3", "rotation": "VEC4", "scale": "VEC3"}  # paths of channels, and the types of their values
INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")


@dataclass(frozen=True, eq=False)
class Channel:
    """Keys of one property of one node."""

    path: str  # translation, rotation (xyzw) or scale
    interpolation: str
    times: FloatArray  # (K,) seconds, not decreasing
    values: FloatArray  # (K, C), or (3 K, C) for CUBICSPLINE: tangent in, value, tangent out


def animated_nodes(contents: Json, animation: int) -> set[int]:
    """Return the nodes whose place an animation changes."""
    return {node for node, _, _ in _targets(contents, animation)}


def read_channels(
    contents: Json, animation: int, accessors: Accessors, wanted: set[int]
) -> dict[tuple[int, str], Channel]:
    """Return the channels of the wanted nodes by node and path."""
    where = f"animations[{animation}]"
    samplers = fields.objects(contents["animations"][animation], "samplers", where)
    # Two channels for the same property are forbidden; the last one counts.
    chosen = {(node, path): spec for node, path, spec in _targets(contents, animation) if node in wanted}
    times_of: dict[int, FloatArray] = {}
    channels = {}
    for (node, path), spec in chosen.items():
        index = fields.integer(spec, "sampler", f"{where}.channels", below=len(samplers))
        at = f"{where}.samplers[{index}]"
        key_times = fields.integer(samplers[index], "input", at, below=accessors.count)
        if key_times not in times_of:
            times_of[key_times] = _key_times(accessors, key_times, at)
        channels[node, path] = _channel(samplers[index], at, accessors, path, times_of[key_times])
    return channels


def _targets(contents: Json, animation: int) -> list[tuple[int, str, Json]]:
    """Return node, path and channel, without channels of morph weights and of extensions, which move no node."""
    where, node_count = f"animations[{animation}]", len(contents["nodes"])
    targets = []
    for number, channel in enumerate(fields.objects(contents["animations"][animation], "channels", where)):
        target = fields.section(channel, "target", f"{where}.channels[{number}]")
        path = target.get("path")
        if isinstance(path, str) and path in PATHS and "node" in target:
            node = fields.integer(target, "node", f"{where}.channels[{number}].target", below=node_count)
            targets.append((node, path, channel))
    return targets


def _key_times(accessors: Accessors, index: int, where: str) -> FloatArray:
    times = accessors.floats(index, "SCALAR")[:, 0]
    if np.any(times[1:] < times[:-1]):
        raise MalformedFile(f"{where}: key times must increase")
    return times


def _channel(sampler: Json, where: str, accessors: Accessors, path: str, times: FloatArray) -> Channel:
    interpolation = sampler.get("interpolation", "LINEAR")
    if interpolation not in INTERPOLATIONS:
        raise MalformedFile(f"{where}.interpolation must be one of {INTERPOLATIONS}, not {fields.shown(interpolation)}")
    values = accessors.floats(fields.integer(sampler, "output", where, below=accessors.count), PATHS[path])
    expected = len(times) * (3 if interpolation == "CUBICSPLINE" else 1)
    if len(values) != expected:
        raise MalformedFile(f"{where} has {len(times)} key times, which need {expected} values, not {len(values)}")
    return Channel(path, interpolation, times, values)


def sample(channel: Channel, times: FloatArray) -> FloatArray:
    """Return a channel's values (F, C) at these times; before the first and after the last key they hold."""
    keys = channel.times
    before = np.clip(np.searchsorted(keys, times, side="right") - 1, 0, len(keys) - 1)
    after = np.minimum(before + 1, len(keys) - 1)
    gap = keys[after] - keys[before]
    part = np.clip((times - keys[before]) / np.where(gap > 0.0, gap, 1.0), 0.0, 1.0)
    if channel.interpolation == "CUBICSPLINE":
        return _hermite(channel.values, before, after, gap, part)
    first, second = channel.values[before], channel.values[after]
    if channel.interpolation == "STEP":
        return first
    if channel.path == "rotation":
        wxyz = [3, 0, 1, 2]
        first, second = quaternion.normalize(first[:, wxyz]), quaternion.normalize(second[:, wxyz])
        return quaternion.slerp(first, second, part)[:, [1, 2, 3, 0]]
    return first + part[:, None] * (second - first)


def _hermite(values: FloatArray, before: NDArray, after: NDArray, gap: FloatArray, part: FloatArray) -> FloatArray:
    t, gap = part[:, None], gap[:, None]
    start, leaving = values[3 * before + 1], values[3 * before + 2]
    arriving, end = values[3 * after], values[3 * after + 1]
    return (
        (2 * t**3 - 3 * t**2 + 1) * start
        + (t**3 - 2 * t**2 + t) * gap * leaving
        + (3 * t**2 - 2 * t**3) * end
        + (t**3 - t**2) * gap * arriving
    )
