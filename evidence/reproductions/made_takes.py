"""Takes that need no captures: motions of the built-in human, done again and again a little differently."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tools.authoring.keyframes import keyed
from tools.authoring.walk import walk

from gambol.characters import load_character
from gambol.geometry import quaternion
from gambol.motion import Motion, edits, legs
from gambol.variation import Encoding, Example, cut_example, encoding_of
from gambol.variation.encoding import ROOT_COUNT
from gambol.variation.examples import RATE_HZ

FloatArray = NDArray[np.float64]
BEND, LEG_BEND = 0.25, 0.04  # of a number's own spread: how far a take is bent from the plain one
WARP, PACE = 0.015, 0.05  # of the time: the most that instants are shifted, and that a take is slower or faster
CHEER_S = 1.8
#: Where both arms are while cheering: share of the time; upper arm raised and bent forward, elbow bent, in radians.
CHEER = (
    (0.0, None), (0.30, (1.15, 0.2, 0.5)), (0.43, (0.75, 0.1, 1.1)), (0.57, (1.2, 0.2, 0.4)), (0.70, (0.8, 0.1, 1.0)),
    (1.0, None),
)  # fmt: skip


class Plain(NamedTuple):
    """A motion with what is before and after it."""

    motion: Motion
    first: int
    last: int


def made_takes(kind: str, count: int, *, seed: int = 0) -> list[Example]:
    """Return so many takes of a kind; each depends on its number and the seed alone."""
    plain = _plain(kind)
    return [_take(f"{kind} {number}", plain, np.random.default_rng((seed, number))) for number in range(count)]


def _take(name: str, plain: Plain, rng: np.random.Generator) -> Example:
    """Return a take that is bent smoothly, alike at both ends, and has a timing of its own."""
    inside = plain.last - plain.first
    frames = max(12, round(inside * rng.uniform(1.0 - PACE, 1.0 + PACE)))
    share = frames / inside
    before = int(plain.first * share)
    after = int((plain.motion.frame_count - 1 - plain.last) * share)
    phase = np.arange(-before, frames + after + 1) / frames
    shifted = phase + WARP * np.sin(2.0 * np.pi * phase + rng.uniform(0.0, 2.0 * np.pi))
    shifted -= np.interp(0.0, phase, shifted)
    at = np.clip(plain.first + inside * shifted, 0.0, plain.motion.frame_count - 1.0)
    motion = edits.sample(plain.motion, at, rate_hz=plain.motion.rate_hz)
    encoding = encoding_of([motion], root="travelling")
    waves = np.stack([np.ones_like(phase), np.sin(2.0 * np.pi * phase), np.cos(2.0 * np.pi * phase)], axis=1)
    bent = _bends(encoding) * encoding.spread * (waves @ rng.normal(0.0, 0.6, (3, encoding.count)))
    values = encoding.encode(motion)
    pose = edits.planar_pose(motion, 0)
    return cut_example(name, encoding.decode(values + bent, start=pose), before, before + frames, rate_hz=RATE_HZ)


def _bends(encoding: Encoding) -> FloatArray:
    """Return how far each number (D,) is bent: legs hardly, so that feet stay on the ground, the root not."""
    below = np.any([encoding.skeleton.is_below(leg.root) for leg in legs(encoding.skeleton)], axis=0)
    bends = np.where(below[encoding.joints], LEG_BEND, BEND)
    bends[:ROOT_COUNT] = 0.0
    return bends


@cache
def _plain(kind: str) -> Plain:
    return PLAIN[kind]()


def _walk() -> Plain:
    motion = walk(strides=3)
    stride = (motion.frame_count - 1) // 3
    return Plain(motion, stride, 2 * stride)


def _clip(behavior: str) -> Plain:
    clip = load_character("human").behavior(behavior).clips[0]
    return Plain(clip.motion, clip.margin, clip.motion.frame_count - 1 - clip.margin)


def _cheer() -> Plain:
    """Throw both arms up, wave twice and take them down, on the spot."""
    stand = _clip("stand").motion
    motion = edits.retime(stand, duration_s=CHEER_S)
    times = np.linspace(0.0, 1.0, motion.frame_count)
    rotations = np.array(motion.rotations)
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        for joint, of in ((f"{side}Arm", _upper_arm), (f"{side}ForeArm", _elbow)):
            index = motion.skeleton.index(joint)
            rest = quaternion.log(rotations[0, index])
            keys = [(when, rest if arm is None else of(arm, sign)) for when, arm in CHEER]
            rotations[:, index] = quaternion.exp(keyed(keys, times))
    return Plain(motion.with_rotations(rotations), 0, motion.frame_count - 1)


def _upper_arm(arm: tuple[float, float, float], sign: float) -> FloatArray:
    return np.array([sign * arm[0], 0.0, -sign * arm[1]])


def _elbow(arm: tuple[float, float, float], sign: float) -> FloatArray:
    return np.array([sign * arm[2], 0.0, 0.0])


PLAIN: dict[str, Callable[[], Plain]] = {
    "walk": _walk,
    "jog": lambda: _clip("jog"),
    "two-foot jump": lambda: _clip("jump-two-foot"),
    "cheer": _cheer,
}
