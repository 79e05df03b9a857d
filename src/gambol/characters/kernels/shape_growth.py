"""Let swept shapes hold what blending makes of their clips."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.characters.kernels.blending import blend_pair
from gambol.characters.kernels.limb_bending import fixed_points, world_poses
from gambol.kernels.jit import kernel


class Spheres(NamedTuple):
    """Both ends of every segment of a body, fixed to joints: what holds them holds the body."""

    joint: np.ndarray  # (N,)
    offset: np.ndarray  # (N, 3) metres, in the joint's frame
    radius: np.ndarray  # (N,) metres
    part: np.ndarray  # (N,) the cylinder that must hold it


class ShapeTable(NamedTuple):
    """The cylinders of all clips, instant by instant; see `SweptShape`."""

    frames_per_step: int
    first: np.ndarray  # (C,) each clip's first instant
    path: np.ndarray  # (S, 3)
    offset: np.ndarray  # (S, 8, 2)
    radius: np.ndarray  # (S, 8)
    low: np.ndarray  # (S, 8)
    high: np.ndarray  # (S, 8)


@kernel
def hold(shapes, instant, spheres, points, f, cosine, sine, x, y):
    """Grow an instant's cylinders to hold the spheres of frame f, which a planar pose carries into its frame."""
    for n in range(points.shape[1]):
        part = spheres.part[n]
        ahead = x + cosine * points[f, n, 0] - sine * points[f, n, 1] - shapes.offset[instant, part, 0]
        left = y + sine * points[f, n, 0] + cosine * points[f, n, 1] - shapes.offset[instant, part, 1]
        away = math.sqrt(ahead * ahead + left * left)
        outside = away + spheres.radius[n] - shapes.radius[instant, part]
        if outside > 0.0:
            # The smallest circle around circle and sphere: half as much wider, the other half nearer.
            shapes.radius[instant, part] += 0.5 * outside
            shapes.offset[instant, part, 0] += 0.5 * outside * ahead / max(away, 1e-12)
            shapes.offset[instant, part, 1] += 0.5 * outside * left / max(away, 1e-12)
        shapes.low[instant, part] = min(shapes.low[instant, part], points[f, n, 2] - spheres.radius[n])
        shapes.high[instant, part] = max(shapes.high[instant, part], points[f, n, 2] + spheres.radius[n])


@kernel
def hold_frame(shapes, clips, clip, clip_frame, x, y, heading, spheres, points, f):
    """Grow the instants around a clip's frame to hold the spheres of frame f, given from a pose on the clip's path."""
    step = shapes.frames_per_step
    half = (step + 1) // 2
    for k in range(
        max((clip_frame - half) // step, 0), min((clip_frame + half) // step, clips.steps[clip] // step) + 1
    ):
        if abs(k * step - clip_frame) <= half:
            instant = shapes.first[clip] + k
            east, north = x - shapes.path[instant, 0], y - shapes.path[instant, 1]
            turn = shapes.path[instant, 2]
            cosine, sine = math.cos(turn), math.sin(turn)
            hold(
                shapes, instant, spheres, points, f, math.cos(heading - turn), math.sin(heading - turn),
                cosine * east + sine * north, cosine * north - sine * east,
            )  # fmt: skip


@kernel
def hold_blends(clips, limbs, pairs, spheres, shapes):
    """Grow the shapes of all clips to hold their frames as they are blended with each neighbour."""
    for n in range(pairs.shape[0]):
        a, b = pairs[n, 0], pairs[n, 1]
        mixed = blend_pair(clips, limbs, a, b, True)
        positions, rotations = world_poses(limbs.parents, mixed)
        points = fixed_points(spheres.joint, spheres.offset, positions, rotations)
        window = mixed.roots.shape[0] // 2
        x, y, heading = clips.end[a, 0], clips.end[a, 1], clips.end[a, 2]
        for f in range(2 * window + 1):
            if f <= window:
                hold_frame(shapes, clips, a, clips.steps[a] + f - window, x, y, heading, spheres, points, f)
            if f >= window:
                hold_frame(shapes, clips, b, f - window, 0.0, 0.0, 0.0, spheres, points, f)
