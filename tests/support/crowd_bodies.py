"""Bodies of a crowd, laid out plainly: every part in every frame, none skipped.  The oracle of its reservations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.crowd import Clips, Flock, empty_flock
from gambol.crowd.arrays import SEGMENTS
from gambol.crowd.kernels import commit
from gambol.geometry import planar

FloatArray = NDArray[np.float64]


class Bodies(NamedTuple):
    """Bodies at frames; a body at rest is there from its frame on."""

    frame: NDArray[np.int64]  # (F,)
    cylinders: FloatArray  # (F, 8, 5) x, y, radius, low, high
    rests: bool = False


def sample_bodies(clips: Clips, samples: NDArray[np.int64], poses: FloatArray) -> FloatArray:
    """Return the cylinders (F, 8, 5) of samples at poses (F, 3) of their roots."""
    parts = clips.parts[samples]
    cosine, sine = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
    x = poses[:, :1] + cosine * parts[..., 0] - sine * parts[..., 1]
    y = poses[:, 1:2] + sine * parts[..., 0] + cosine * parts[..., 1]
    return np.stack((x, y, parts[..., 2], parts[..., 3], parts[..., 4]), axis=-1)


def clip_bodies(clips: Clips, clip: int, pose: FloatArray, frame: int) -> Bodies:
    """Return the bodies of a clip begun at a pose and a frame."""
    samples = clips.first_sample[clip] + np.arange(clips.duration[clip] + 1)
    x, y, cosine, sine = clips.samples[samples, :4].T
    path = np.column_stack((x, y, np.arctan2(sine, cosine)))
    poses = planar.compose(np.broadcast_to(pose, path.shape), path)
    return Bodies(frame + np.arange(len(samples)), sample_bodies(clips, samples, poses))


def rest_bodies(clips: Clips, kind: int, pose: FloatArray, frame: int) -> Bodies:
    """Return the body of who stands at a pose from a frame on."""
    return Bodies(
        np.array([frame]), sample_bodies(clips, clips.rest_sample[kind : kind + 1], np.asarray(pose)[None]), rests=True
    )


def trajectory_bodies(clips: Clips, flock: Flock, who: int) -> list[Bodies]:
    """Return the bodies of all that someone holds."""
    found = [
        clip_bodies(clips, int(flock.clip[who, n]), flock.pose[who, n, :3], int(flock.frame[who, n]))
        for n in range(flock.count[who])
    ]
    return [*found, rest_bodies(clips, int(flock.kind[who]), flock.end[who, :3], int(flock.end_frame[who]))]


def bodies_meet(one: Bodies, other: Bodies) -> bool:
    """Tell whether any part of the one meets any of the other at any frame."""
    if one.rests and other.rests:
        return cylinders_meet(one.cylinders, other.cylinders)
    if other.rests:
        one, other = other, one
    if one.rests:
        return cylinders_meet(one.cylinders, other.cylinders[other.frame >= one.frame[0]])
    _, mine, others = np.intersect1d(one.frame, other.frame, return_indices=True)
    return cylinders_meet(one.cylinders[mine], other.cylinders[others])


def cylinders_meet(one: FloatArray, other: FloatArray) -> bool:
    """Tell whether cylinders (F, 8, 5) of one and another meet in a row of both."""
    a, b = one[:, :, None], other[:, None, :]
    near = np.hypot(a[..., 0] - b[..., 0], a[..., 1] - b[..., 1]) <= a[..., 2] + b[..., 2]
    level = np.maximum(a[..., 3], b[..., 3]) <= np.minimum(a[..., 4], b[..., 4])
    return bool((near & level & (a[..., 4] > a[..., 3]) & (b[..., 4] > b[..., 3])).any())


def random_flock(
    clips: Clips,
    count: int,
    rng: np.random.Generator,
    *,
    size_m: float,
    kind_of: NDArray[np.int32] | None = None,
    jump_m: float = 0.0,
) -> Flock:
    """Return so many who each hold some clips of their kind in a square around the origin, begun near frame 0.

    jump_m: how far from the end of its last clip one stands at most, as no trajectory has it: so that those two differ.
    """
    flock = empty_flock(count)
    for who in range(count):
        kind = int(rng.integers(len(clips.rest_sample))) if kind_of is None else int(kind_of[who])
        flock.taken[who], flock.kind[who], flock.count[who] = True, kind, rng.integers(1, SEGMENTS + 1)
        pose = np.array([*rng.uniform(-size_m / 2, size_m / 2, 2), rng.uniform(-4.0, 4.0)])
        frame = int(rng.integers(-20, 20))
        for segment in range(flock.count[who]):
            clip = int(rng.integers(clips.first_clip[kind], clips.first_clip[kind + 1]))
            flock.clip[who, segment], flock.frame[who, segment] = clip, frame
            flock.pose[who, segment] = *pose, np.cos(pose[2]), np.sin(pose[2])
            pose = planar.compose(pose[None], clips.displacement[clip : clip + 1, :3])[0]
            frame += int(clips.duration[clip])
        pose = pose + (*rng.uniform(-jump_m, jump_m, 2), 0.0)
        flock.end[who], flock.end_frame[who] = (*pose, np.cos(pose[2]), np.sin(pose[2])), frame
        commit.set_box(clips, flock, np.int64(who))
    return flock
