"""Motions as numbers that a page can draw: one skin, and the joints that move it, frame by frame."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.body import Body, Skin, build_skin
from gambol.motion import Motion, edits
from gambol.motion.travel import smooth_path
from gambol.pictures import Camera, direction_of
from gambol.variation.encoding import NOISY

FINE_HZ, COARSE_HZ = 60.0, 30.0
LONG_S = 5.0  # what lasts longer is told at the coarse rate
PLACE_M = 0.0002  # the unit of joints' places: they are at most 6.5 m from what the camera looks at
VERTEX_M = 0.0001
UNIT = 32_767  # of parts of quaternions
ASPECT = 16.0 / 9.0
MARGIN = 0.06
FOLLOWING_S = 0.6  # by which the camera's way is smoothed
SHOWN = 12  # poses of each motion that the camera has to show


def with_plain_hands(motion: Motion) -> Motion:
    """Return a motion whose fingers rest: captures have them shaking, and variants still."""
    rotations = motion.rotations.copy()
    for joint, name in enumerate(motion.skeleton.names):
        if joint and NOISY.search(name):
            rotations[:, joint] = (1.0, 0.0, 0.0, 0.0)
    return replace(motion, rotations=rotations)


def figures(motions: Mapping[str, Motion]) -> dict[str, Any]:
    """Return what a page needs to draw motions of one skeleton, as plain values."""
    is_long = max(motion.duration_s for motion in motions.values()) > LONG_S
    rate_hz = COARSE_HZ if is_long else FINE_HZ
    plain = {name: with_plain_hands(edits.resample(motion, rate_hz)) for name, motion in motions.items()}
    skin = build_skin(Body.from_skeleton(next(iter(plain.values())).skeleton))
    used = np.unique(skin.joints[skin.weights > 0.0])
    camera = _camera(plain, skin)
    return {
        "rate_hz": rate_hz,
        "eye": [round(value, 4) for value in camera.eye],
        "target": [round(value, 4) for value in camera.target],
        "field_of_view_rad": round(camera.field_of_view_rad, 6),
        "place_m": PLACE_M,
        "vertex_m": VERTEX_M,
        "skin": _skin(skin, used),
        "motions": {name: _poses(motion, used) for name, motion in plain.items()},
    }


def _camera(motions: Mapping[str, Motion], skin: Skin) -> Camera:
    """Return one camera for all motions, around the place that it follows."""
    points = [np.zeros((1, 3))]
    for motion in motions.values():
        frames = np.linspace(0, motion.frame_count - 1, SHOWN).astype(np.intp)
        ways = np.pad(_followed(motion)[frames], ((0, 0), (0, 1)))
        points.append((skin.deform(motion, frames) - ways[:, None]).reshape(-1, 3))
    return Camera.framing(np.concatenate(points), direction_of("three-quarter"), aspect=ASPECT, margin=MARGIN)


def _followed(motion: Motion) -> NDArray[np.float64]:
    """Return the places on the ground (F, 2) that the camera goes along."""
    return smooth_path(motion, smoothing_s=FOLLOWING_S)[:, :2]


def _skin(skin: Skin, used: NDArray[np.integer]) -> dict[str, Any]:
    own = np.zeros(skin.skeleton.joint_count, dtype=np.uint16)
    own[used] = np.arange(len(used))
    return {
        "vertices": _packed(np.rint(skin.vertices / VERTEX_M), np.int16),
        "normals": _packed(np.rint(127.0 * skin.normals), np.int8),
        "joints": _packed(own[skin.joints], np.uint16),
        "weights": _packed(np.rint(255.0 * skin.weights), np.uint8),
        "triangles": _packed(skin.triangles, np.uint16),
        "rest": np.round(skin.skeleton.rest_positions[used], 5).tolist(),
    }


def _poses(motion: Motion, used: NDArray[np.integer]) -> dict[str, Any]:
    """Return the way that the camera goes, and joints as seen from it; differences from frame to frame pack better."""
    way = _followed(motion)
    places = motion.world_positions[:, used] - np.pad(way, ((0, 0), (0, 1)))[:, None]
    turns = motion.world_rotations[:, used].copy()
    for frame in range(1, len(turns)):
        turns[frame] *= np.where((turns[frame] * turns[frame - 1]).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
    numbers = np.concatenate((np.rint(places / PLACE_M), np.rint(UNIT * turns)), axis=-1).reshape(len(way), -1)
    steps = np.diff(np.clip(numbers, -UNIT, UNIT), axis=0, prepend=0.0)  # may wrap around, and back when added up
    return {
        "frames": len(way),
        "way": np.round(way, 4).tolist(),
        "poses": _packed(steps.astype(np.int64).astype(np.uint16), np.uint16),
    }


def _packed(values: NDArray[Any], kind: type) -> str:
    """Return numbers, least byte first, as text."""
    little = np.ascontiguousarray(values).astype(np.dtype(kind).newbyteorder("<"))
    return base64.b64encode(zlib.compress(little.tobytes(), 9)).decode()
