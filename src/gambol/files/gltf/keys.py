"""Write a motion as a glTF animation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pygltflib
from numpy.typing import NDArray

from gambol.errors import InvalidInput
from gambol.files import axes
from gambol.files.gltf.buffer import BufferWriter
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion

Float32Array = NDArray[np.float32]
MAX_FRAMES = 1 << 23  # the most frames that are written: with more, neighbouring times may round to the same 24 bits
_IDENTITY = np.array([0.0, 0.0, 0.0, 1.0], np.float32)


def add_animation(buffer: BufferWriter, motion: Motion, *, name: str, root_node: int) -> pygltflib.Animation:
    """Append a motion's keys and return the animation of the nodes from `root_node` on.

    Properties that keep their node's value have no channel, constant ones have a single key, and the root's
    translation always has a key for each frame, which gives the motion its length.
    """
    animation = pygltflib.Animation(name=name, extras={"gambol": {"rate_hz": motion.rate_hz}})
    buffer.begin_view()
    times = _times(motion)
    inputs = {len(times): buffer.add(times, bounds=True)}

    def add(node: int, path: str, values: Float32Array, rest: Float32Array) -> None:
        if np.all(values == values[0]):
            if np.all(values[0] == rest):
                return
            values = values[:1]
        if len(values) not in inputs:
            inputs[len(values)] = buffer.add(times[: len(values)], bounds=True)
        _add_channel(animation, root_node + node, path, inputs[len(values)], buffer.add(values))

    _add_channel(animation, root_node, "translation", inputs[len(times)], buffer.add(_vectors(motion.root_positions)))
    rotations = axes.quaternions_to_y_up(motion.rotations)[..., [1, 2, 3, 0]].astype(np.float32)
    for joint in range(motion.skeleton.joint_count):
        add(joint, "rotation", rotations[:, joint], _IDENTITY)
        if joint > 0 and motion.translations is not None:
            rest = _vectors(motion.skeleton.offsets[joint])
            add(joint, "translation", _vectors(motion.translations[:, joint]), rest)
    return animation


def play_together(animations: Sequence[pygltflib.Animation], *, name: str) -> pygltflib.Animation:
    """Return an animation that plays several at once, with the same keys."""
    everyone = pygltflib.Animation(name=name, extras={"gambol": {"everyone": True}})
    for animation in animations:
        first = len(everyone.samplers)
        everyone.samplers += animation.samplers
        everyone.channels += [
            pygltflib.AnimationChannel(sampler=first + channel.sampler, target=channel.target)
            for channel in animation.channels
        ]
    return everyone


def _times(motion: Motion) -> Float32Array:
    if motion.frame_count > MAX_FRAMES:
        raise InvalidInput(
            f"{motion.frame_count:,} frames are more than the {MAX_FRAMES:,} that the 32-bit times of glTF tell apart"
        )
    return (np.arange(motion.frame_count) / motion.rate_hz).astype(np.float32)


def _vectors(values: FloatArray) -> Float32Array:
    return axes.vectors_to_y_up(values).astype(np.float32)


def _add_channel(animation: pygltflib.Animation, node: int, path: str, times: int, values: int) -> None:
    animation.samplers.append(pygltflib.AnimationSampler(input=times, output=values, interpolation="LINEAR"))
    target = pygltflib.AnimationChannelTarget(node=node, path=path)
    animation.channels.append(pygltflib.AnimationChannel(sampler=len(animation.samplers) - 1, target=target))
