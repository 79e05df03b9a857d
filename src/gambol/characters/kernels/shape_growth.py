"""Grow swept shapes until they contain their clips' frames after blending."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.characters.kernels.blending import blend_pair
from gambol.characters.kernels.limb_bending import fixed_points, world_poses
from gambol.kernels.jit import kernel

if TYPE_CHECKING:
    from gambol.characters.motion_table import LimbTable, MotionTable
    from gambol.geometry.arrays import FloatArray, Int64Array


class Spheres(NamedTuple):
    """The spheres at both ends of every segment of a body: cylinders that contain them contain the body."""

    joint: np.ndarray  # (N,) the joint to which the sphere is fixed
    offset: np.ndarray  # (N, 3) metres, in the joint's frame
    radius: np.ndarray  # (N,) metres
    part: np.ndarray  # (N,) the cylinder that must contain it


class ShapeTable(NamedTuple):
    """The cylinders of C clips with S instants in all; see `SweptShape`."""

    frames_per_step: int
    first: np.ndarray  # (C,) each clip's first instant
    path: np.ndarray  # (S, 3) x, y, heading
    offset: np.ndarray  # (S, 8, 2) metres
    radius: np.ndarray  # (S, 8) metres
    low: np.ndarray  # (S, 8) metres
    high: np.ndarray  # (S, 8) metres


@kernel
def hold(
    shapes: ShapeTable,
    instant: int,
    spheres: Spheres,
    points: FloatArray,
    f: int,
    cosine: float,
    sine: float,
    x: float,
    y: float,
):
    """Grow an instant's cylinders until they contain the spheres at points[f] (N, 3).

    The planar pose (x, y, heading by its cosine and sine) carries the points into the instant's frame.
    """
    for n in range(points.shape[1]):
        part = spheres.part[n]
        ahead = x + cosine * points[f, n, 0] - sine * points[f, n, 1] - shapes.offset[instant, part, 0]
        left = y + sine * points[f, n, 0] + cosine * points[f, n, 1] - shapes.offset[instant, part, 1]
        away = math.sqrt(ahead * ahead + left * left)
        outside = away + spheres.radius[n] - shapes.radius[instant, part]
        if outside > 0.0:
            # The smallest circle around circle and sphere: one half of the distance widens it, the other moves it.
            shapes.radius[instant, part] += 0.5 * outside
            shapes.offset[instant, part, 0] += 0.5 * outside * ahead / max(away, 1e-12)
            shapes.offset[instant, part, 1] += 0.5 * outside * left / max(away, 1e-12)
        shapes.low[instant, part] = min(shapes.low[instant, part], points[f, n, 2] - spheres.radius[n])
        shapes.high[instant, part] = max(shapes.high[instant, part], points[f, n, 2] + spheres.radius[n])


@kernel
def hold_frame(
    shapes: ShapeTable,
    clips: MotionTable,
    clip: int,
    clip_frame: int,
    x: float,
    y: float,
    heading: float,
    spheres: Spheres,
    points: FloatArray,
    f: int,
):
    """Grow the instants around a clip's frame until they contain the spheres at points[f] (N, 3).

    The points are seen from the planar pose (x, y, heading), which is relative to the clip's start.
    """
    step = shapes.frames_per_step
    half = (step + 1) // 2
    last = min((clip_frame + half) // step, clips.steps[clip] // step)
    for k in range(max((clip_frame - half) // step, 0), last + 1):
        if abs(k * step - clip_frame) <= half:
            instant = shapes.first[clip] + k
            east, north = x - shapes.path[instant, 0], y - shapes.path[instant, 1]
            turn = shapes.path[instant, 2]
            cosine, sine = math.cos(turn), math.sin(turn)
            ahead, left = cosine * east + sine * north, cosine * north - sine * east
            turned_cosine, turned_sine = math.cos(heading - turn), math.sin(heading - turn)
            hold(shapes, instant, spheres, points, f, turned_cosine, turned_sine, ahead, left)


@kernel
def hold_blends(clips: MotionTable, limbs: LimbTable, pairs: Int64Array, spheres: Spheres, shapes: ShapeTable):
    """Grow the shapes of all clips until they contain their frames after blending with each neighbour."""
    for n in range(pairs.shape[0]):
        a, b = pairs[n, 0], pairs[n, 1]
        mixed = blend_pair(clips, limbs, a, b, True)
        points = fixed_points(spheres.joint, spheres.offset, world_poses(limbs.parents, mixed))
        window = mixed.roots.shape[0] // 2
        x, y, heading = clips.end[a, 0], clips.end[a, 1], clips.end[a, 2]
        for f in range(2 * window + 1):
            if f <= window:
                hold_frame(shapes, clips, a, clips.steps[a] + f - window, x, y, heading, spheres, points, f)
            if f >= window:
                hold_frame(shapes, clips, b, f - window, 0.0, 0.0, 0.0, spheres, points, f)
