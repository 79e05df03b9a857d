"""Continue one motion with another: the differences in pose and speed at the seam fade away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion import edits
from gambol.motion.motion import Motion

OVER_S = 0.4  # s, > 0: how long the difference takes to fade; larger is smoother and changes more frames
LEAST_FRAMES = 2  # frames: the fewest that show a speed


def splice(a: Motion, b: Motion, *, b_from_seam: FloatArray, a_from_seam: FloatArray, over_s: float = OVER_S) -> Motion:
    """Play a to its last frame and continue with b; b's first frame coincides with that frame.

    The seam is one planar pose (x, y, heading), given in the frame of each motion.  After the seam, the
    difference in position, height, rotation and their speeds is added to b and fades along quintic curves,
    as in inertialisation: nothing jumps, and after `over_s` b is unchanged.
    """
    if a.skeleton.names != b.skeleton.names or a.rate_hz != b.rate_hz:
        raise InvalidInput("motions to splice must have the same joints and the same rate")
    if a.translations is not None or b.translations is not None:
        raise InvalidInput("only motions with rigid bones can be spliced")
    if min(a.frame_count, b.frame_count) < LEAST_FRAMES:
        raise InvalidInput(f"motions to splice need at least {LEAST_FRAMES} frames each")
    b = edits.move(b, planar.compose(a_from_seam, planar.invert(b_from_seam)))
    shape, drift = fading(b.frame_count, over_s * b.rate_hz)

    step_a, step_b = (np.diff(m.root_positions[at], axis=0)[0] for m, at in ((a, [-2, -1]), (b, [0, 1])))
    gap = a.root_positions[-1] - b.root_positions[0]
    roots = b.root_positions + shape[:, None] * gap + drift[:, None] * (step_a - step_b)

    turn = quaternion.log(_relative(b.rotations[0], a.rotations[-1]))
    faster = quaternion.log(_step(a, b))
    offsets = shape[:, None, None] * turn + drift[:, None, None] * faster
    rotations = quaternion.multiply(b.rotations, quaternion.exp(offsets))
    return replace(
        a,
        root_positions=np.concatenate((a.root_positions, roots[1:])),
        rotations=np.concatenate((a.rotations, rotations[1:])),
    )


def fading(frames: int, over: float) -> tuple[FloatArray, FloatArray]:
    """Return two curves (F,) that end at 0 and at rest: one starts at 1, the other at 0 with a slope of 1 a frame."""
    t = np.clip(np.arange(frames) / max(over, 1.0), 0.0, 1.0)
    falling = 1.0 - t**3 * (10.0 - 15.0 * t + 6.0 * t**2)
    leaving = max(over, 1.0) * t * (1.0 - t) ** 3 * (1.0 + 3.0 * t)
    return falling, leaving


def _relative(a: FloatArray, b: FloatArray) -> FloatArray:
    return quaternion.multiply(quaternion.conjugate(a), b)


def _step(a: Motion, b: Motion) -> FloatArray:
    """Return how much more a turned in its last frame than b turns in its first (J, 4)."""
    last = _relative(a.rotations[-2], a.rotations[-1])
    first = _relative(b.rotations[0], b.rotations[1])
    return quaternion.multiply(last, quaternion.conjugate(first))
