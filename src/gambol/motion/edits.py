"""Edits: functions from motion to motion.

Frames are counted from 0 and ranges include both ends, as in files and editors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

MAX_FRAMES = 10_000_000  # the most frames of a resampled motion: a day at 115 a second


def cut(motion: Motion, first: int, last: int, *, margin: int = 0) -> Motion:
    """Keep frames `first` to `last`, and `margin` frames on either side for blending."""
    if not 0 <= first <= last < motion.frame_count:
        raise InvalidInput(f"cannot cut frames {first} to {last}: the motion has frames 0 to {motion.frame_count - 1}")
    if margin < 0 or first - margin < 0 or last + margin >= motion.frame_count:
        raise InvalidInput(
            f"a margin of {margin} frames around {first} to {last} needs frames {first - margin} to {last + margin}; "
            f"the motion has frames 0 to {motion.frame_count - 1}"
        )
    return take(motion, slice(first - margin, last + margin + 1))


def take(motion: Motion, frames: slice | NDArray[np.intp]) -> Motion:
    """Keep the frames of a slice or an index array."""
    translations = None if motion.translations is None else motion.translations[frames]
    return replace(
        motion,
        root_positions=motion.root_positions[frames],
        rotations=motion.rotations[frames],
        translations=translations,
    )


def sample(motion: Motion, frames: ArrayLike, *, rate_hz: float | None = None) -> Motion:
    """Read the motion at fractional frame numbers: slerp for rotations, straight lines for positions."""
    at = np.asarray(frames, dtype=np.float64)
    last = motion.frame_count - 1
    if at.ndim != 1 or len(at) == 0 or not np.all((at >= 0.0) & (at <= last)):
        raise InvalidInput(f"frame numbers to sample at must lie between 0 and {last}")
    before = np.minimum(at.astype(np.intp), max(last - 1, 0))
    after = np.minimum(before + 1, last)
    t = at - before

    def between(track: FloatArray) -> FloatArray:
        weight = t.reshape(-1, *[1] * (track.ndim - 1))
        return (1.0 - weight) * track[before] + weight * track[after]

    return replace(
        motion,
        rate_hz=motion.rate_hz if rate_hz is None else rate_hz,
        root_positions=between(motion.root_positions),
        rotations=quaternion.slerp(motion.rotations[before], motion.rotations[after], t[:, None]),
        translations=None if motion.translations is None else between(motion.translations),
    )


def resample(motion: Motion, rate_hz: float) -> Motion:
    """Change the rate and keep the timing; time after the last whole new frame is cut off."""
    if not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"a rate must be a positive number of frames a second, not {rate_hz}")
    if rate_hz == motion.rate_hz:
        return motion
    step = motion.rate_hz / rate_hz
    last = motion.frame_count - 1
    _check_length(last / step)
    count = int(np.floor(last / step * (1.0 + 1e-12) + 1e-9)) + 1
    return sample(motion, np.minimum(np.arange(count) * step, last), rate_hz=rate_hz)


def retime(motion: Motion, *, speed: float | None = None, duration_s: float | None = None) -> Motion:
    """Play faster or slower at the same rate, by a factor or to a duration.

    The result has a whole number of frames and keeps the first and last poses, so its speed is the nearest one that
    fits.
    """
    if (speed is None) == (duration_s is None):
        raise InvalidInput("retime takes either a speed or a duration")
    if duration_s is None:
        if speed is None or not (np.isfinite(speed) and speed > 0.0):
            raise InvalidInput(f"a speed must be a positive factor, not {speed}")
        duration_s = motion.duration_s / speed
    if not (np.isfinite(duration_s) and duration_s >= 0.0):
        raise InvalidInput(f"a duration must be a positive number of seconds, not {duration_s}")
    _check_length(duration_s * motion.rate_hz)
    last = max(round(duration_s * motion.rate_hz), 1)
    return sample(motion, np.linspace(0.0, motion.frame_count - 1, last + 1))


def _check_length(frames: float) -> None:
    if frames > MAX_FRAMES:
        raise InvalidInput(f"{frames:,.0f} frames are more than the {MAX_FRAMES:,} that a motion may have")


def move(motion: Motion, world_from_motion: ArrayLike) -> Motion:
    """Carry the whole motion by a planar pose (x, y, heading)."""
    pose = np.asarray(world_from_motion, dtype=np.float64)
    positions = np.array(motion.root_positions)
    positions[:, :2] = planar.apply(pose, positions[:, :2])
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quaternion.multiply(quaternion.from_heading(pose[2]), rotations[:, 0])
    return replace(motion, root_positions=positions, rotations=rotations)


def scale(motion: Motion, factor: float) -> Motion:
    """Make the figure and its path larger or smaller."""
    if not (np.isfinite(factor) and factor > 0.0):
        raise InvalidInput(f"a scale must be a positive factor, not {factor}")
    old = motion.skeleton
    return replace(
        motion,
        skeleton=Skeleton(old.names, old.parents, old.offsets * factor, old.tip_parents, old.tip_offsets * factor),
        root_positions=motion.root_positions * factor,
        translations=None if motion.translations is None else motion.translations * factor,
    )


def join(motions: Sequence[Motion], *, blend_s: float = 0.25) -> Motion:
    """Play motions one after another, each from where the one before ended, without a jump.

    The first frame of each motion falls on the last frame of the motion before.  Differences of height, tilt and joint
    angles fade over `blend_s` on either side, half on each.
    """
    if not motions:
        raise InvalidInput("nothing to join")
    if not (np.isfinite(blend_s) and blend_s >= 0.0):
        raise InvalidInput(f"a blend must last zero seconds or more, not {blend_s}")
    result = motions[0]
    for following in motions[1:]:
        result = _append(result, following, blend_s)
    return result


def _append(a: Motion, b: Motion, blend_s: float) -> Motion:
    if not a.skeleton.is_like(b.skeleton):
        raise InvalidInput("motions to join must have the same skeleton; retarget one of them first")
    if a.rate_hz != b.rate_hz:
        raise InvalidInput(f"motions to join must have the same rate, not {a.rate_hz:g} and {b.rate_hz:g} Hz")
    b = move(b, planar.compose(planar_pose(a, -1), planar.invert(planar_pose(b, 0))))
    window = round(blend_s * a.rate_hz)
    a = _lean(a, toward=b, at=-1, weights=0.5 * _ease(np.arange(a.frame_count)[::-1], min(window, a.frame_count - 1)))
    b = _lean(b, toward=a, at=0, weights=_ease(np.arange(b.frame_count), min(window, b.frame_count - 1)))
    translations = None
    if a.translations is not None or b.translations is not None:
        translations = np.concatenate((_all_translations(a), _all_translations(b)[1:]))
    return replace(
        a,
        root_positions=np.concatenate((a.root_positions, b.root_positions[1:])),
        rotations=np.concatenate((a.rotations, b.rotations[1:])),
        translations=translations,
    )


def _lean(motion: Motion, *, toward: Motion, at: int, weights: FloatArray) -> Motion:
    """Add to each frame a share, its weight, of the difference to another motion's adjoining pose."""
    other = 0 if at == -1 else -1
    difference = quaternion.log(
        quaternion.multiply(quaternion.conjugate(motion.rotations[at]), toward.rotations[other])
    )
    rotations = quaternion.multiply(motion.rotations, quaternion.exp(weights[:, None, None] * difference))
    lift = toward.root_positions[other] - motion.root_positions[at]
    translations = None
    if motion.translations is not None or toward.translations is not None:
        own = _all_translations(motion)
        translations = own + weights[:, None, None] * (_all_translations(toward)[other] - own[at])
    return replace(
        motion,
        root_positions=motion.root_positions + weights[:, None] * lift,
        rotations=rotations,
        translations=translations,
    )


def _ease(distance: NDArray[np.intp], window: int) -> FloatArray:
    """Fall smoothly from one at distance zero to zero at the window's end."""
    t = np.clip(1.0 - distance / max(window, 1), 0.0, 1.0)
    return t * t * (3.0 - 2.0 * t)


def _all_translations(motion: Motion) -> FloatArray:
    return np.broadcast_to(motion.local_offsets, (motion.frame_count, motion.skeleton.joint_count, 3))


def make_cyclic(motion: Motion) -> Motion:
    """Spread the gap between the last pose and the first over the cycle, so that it can repeat.

    Planar position and heading go on as they are; height, tilt and joint angles of the last frame
    become those of the first.
    """
    if motion.frame_count < 2:
        raise InvalidInput("a cycle needs at least two frames")
    headings = quaternion.from_heading(quaternion.heading(motion.rotations[:, 0]))
    rotations = np.array(motion.rotations)
    rotations[:, 0] = quaternion.multiply(quaternion.conjugate(headings), rotations[:, 0])
    gap = quaternion.log(quaternion.multiply(quaternion.conjugate(rotations[-1]), rotations[0]))
    ramp = np.linspace(-0.5, 0.5, motion.frame_count)
    rotations = quaternion.multiply(rotations, quaternion.exp(ramp[:, None, None] * gap))
    rotations[:, 0] = quaternion.multiply(headings, rotations[:, 0])
    positions = np.array(motion.root_positions)
    positions[:, 2] += ramp * (positions[0, 2] - positions[-1, 2])
    translations = motion.translations
    if translations is not None:
        translations = translations + ramp[:, None, None] * (translations[0] - translations[-1])
    return replace(motion, root_positions=positions, rotations=rotations, translations=translations)


def planar_pose(motion: Motion, frame: int) -> FloatArray:
    """Return the root's place in the ground plane and its heading: (x, y, heading)."""
    heading = quaternion.heading(motion.rotations[frame, 0])
    return np.array([*motion.root_positions[frame, :2], heading])
