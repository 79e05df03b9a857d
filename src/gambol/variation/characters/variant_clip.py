"""Make clips of new motions: variants of a character's own, with way, timing, shape and contacts of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import scipy
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.characters.check_joins import Ends, clip_ends, compared_joints
from gambol.characters.clip import Clip
from gambol.characters.make_clip import FACINGS, ClipSettings, facing_headings, finish_clip, make_clip
from gambol.geometry import planar, quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.variation.characters.clip_joins import Allowance, eased
from gambol.variation.constraints.limits import limits_of_values
from gambol.variation.encoding import ROOT_COUNT, Encoding, rotation_vectors
from gambol.variation.examples import Example
from gambol.variation.model import VariationModel

Ease = Callable[[float, float], Clip]  # returns the clip with shares of its variation at its first and last frames
CLOSER = 0.8  # 0 to 1: factor on the variation of an end that is still too far off, in each try
MOST_TRIES = 40  # the most tries; after them the ends do not vary
LEAST_SHARE = 0.3  # 0 to 1: the least share of the drawn change in a variant; larger: variants differ more
SLOW_S = 0.05  # seconds: standard deviation of the smoothing of changes; faster structure stays the clip's
SEARCH_S = 0.15  # seconds around the expected ends in which the ends of a new motion are searched for


def example_of(clip: Clip) -> Example:
    """Return a clip as an example to learn from, its margins included."""
    return Example(clip.motion, clip.contacts, clip.name)


def partial_variant(
    clip: Clip,
    model: VariationModel,
    *,
    name: str,
    held: Sequence[str],
    seed: int,
    amount: float,
    allowed: tuple[Allowance, Allowance],
    body: Body | None = None,
) -> Clip:
    """Return a variant in which some joints vary with those that are held [L09 chapter 6].

    Feet and root are held as a rule, so the way, its timing and all contacts stay.  The others move, by a random share,
    toward what the model's examples would do with these feet; the fast structure of the clip stays.
    model: learned from other clips; one that learned from the clip itself gives it back.
    allowed: how far its ends may be from the clip's.
    """
    encoding = model.examples.encoding
    mask = encoding.of_joints(held)
    values = encoding.encode(clip.motion)
    rng = np.random.default_rng(seed)
    share = amount * rng.uniform(LEAST_SHARE, 1.0)
    drawn = model.sampler.given(values, mask, rng, amount=amount)
    limits = limits_of_values(encoding, [values, *model.examples.values])
    change = limits.brought_back(values + share * (drawn.values - values)) - values
    change = scipy.ndimage.gaussian_filter1d(change, SLOW_S * clip.motion.rate_hz, axis=0, mode="nearest")
    change[:, mask] = 0.0
    change[:, :ROOT_COUNT] = 0.0
    body = body or Body.from_skeleton(clip.motion.skeleton)

    def with_shares(first: float, last: float) -> Clip:
        weights = eased(clip.motion.frame_count, clip.margin, clip.motion.rate_hz, first, last)
        return replace(clip, name=name, motion=changed(clip.motion, encoding, weights[:, None] * change))

    return _finished(_near_enough(with_shares, [clip], allowed), body, like=clip)


def whole_variant(
    clips: Sequence[Clip],
    model: VariationModel,
    *,
    name: str,
    seed: int,
    amount: float,
    allowed: tuple[Allowance, Allowance],
    body: Body | None = None,
) -> Clip:
    """Return a new clip like several others, with a way and a timing of its own.

    model: learned from these clips, margins included.
    allowed: how far its ends may be from the nearest of the clips' ends.
    """
    variant = model.sample(seed, amount=amount)
    example = clips[0]
    margin = example.margin // example.frames_per_step
    settings = ClipSettings(example.planning_rate_hz, example.frames_per_step, margin, facing_of(example))
    first, last = _ends_found(variant.motion, clips)
    body = body or Body.from_skeleton(example.motion.skeleton)

    def cut(motion: Motion) -> Clip:
        return make_clip(name, motion, first, last, settings=settings, contacts=variant.contacts, body=body)

    plain = cut(variant.motion)
    targets = [_nearest(plain, clips, at_last=at_last) for at_last in (False, True)]
    pulls = [_pull(variant.motion, frame, targets[end], end == 1) for end, frame in enumerate((first, last))]

    def with_shares(first_share: float, last_share: float) -> Clip:
        frames = variant.motion.frame_count
        rotations = np.array(variant.motion.rotations)
        heights = np.array(variant.motion.root_positions)
        span = max(1.0, 0.5 * (last - first))
        for (turn, rise), frame, share, sign in zip(
            pulls, (first, last), (first_share, last_share), (1.0, -1.0), strict=True
        ):
            gone = np.clip(sign * (np.arange(frames) - frame) / span, 0.0, 1.0)
            weight = (1.0 - share) * (1.0 - gone**3 * (10.0 - 15.0 * gone + 6.0 * gone**2))
            rotations = quaternion.multiply(rotations, quaternion.exp(weight[:, None, None] * turn))
            heights[:, 2] += weight * rise
        return cut(replace(variant.motion, rotations=rotations, root_positions=heights))

    return _near_enough(with_shares, clips, allowed)


def facing_of(clip: Clip) -> str:
    """Return the way of measuring headings that gives a clip's headings again."""
    inside = slice(clip.margin, clip.motion.frame_count - clip.margin, clip.frames_per_step)

    def off(facing: str) -> float:
        headings = facing_headings(clip.motion, facing)[inside]
        return float(np.abs(planar.wrap_angle(headings - headings[0] - clip.path[:, 2])).max())

    return min(FACINGS, key=off)


def changed(motion: Motion, encoding: Encoding, change: FloatArray) -> Motion:
    """Return a motion with a change (F, D) of its joints' numbers; joints that do not change stay as they are."""
    joints = np.unique(encoding.columns[np.any(change[:, ROOT_COUNT:] != 0.0, axis=0)] // 3)
    vectors = rotation_vectors(motion.rotations, encoding.means).reshape(motion.frame_count, -1)
    vectors[:, encoding.columns] += change[:, ROOT_COUNT:]
    rotations = np.array(motion.rotations)
    turned = quaternion.multiply(encoding.means, quaternion.exp(vectors.reshape(*rotations.shape[:2], 3)))
    rotations[:, joints] = turned[:, joints]
    return replace(motion, rotations=quaternion.continuous(rotations))


def _near_enough(with_shares: Ease, clips: Sequence[Clip], allowed: tuple[Allowance, Allowance]) -> Clip:
    """Return a clip with as much variation at its ends as allowed."""
    joints = compared_joints(clips[0].motion.skeleton)
    shares = [1.0, 1.0]
    for attempt in range(MOST_TRIES):
        clip = with_shares(*shares)
        fits = True
        for end, allowance in enumerate(allowed):
            mine = clip_ends(clip, joints, at_last=end == 1)
            share = max(allowance.share(clip_ends(one, joints, at_last=end == 1), mine) for one in clips)
            if share < 1.0:
                fits = False
                shares[end] *= share if attempt == 0 else min(share, CLOSER)
        if fits:
            return clip
    return with_shares(0.0, 0.0)


def _finished(clip: Clip, body: Body, *, like: Clip) -> Clip:
    """Measure the swept shape of a clip whose joints changed but whose way did not."""
    instants = np.arange(like.margin, like.motion.frame_count - like.margin, like.frames_per_step)
    headings = np.interp(np.arange(like.motion.frame_count), instants, like.path[:, 2])
    poses = np.column_stack((clip.motion.root_positions[:, :2], headings))
    poses[instants] = like.path
    made = finish_clip(
        clip.name,
        clip.motion,
        poses,
        like.contacts,
        margin=like.margin,
        frames_per_step=like.frames_per_step,
        body=body,
        event=like.event,
        recorded=like.recorded,
    )
    return replace(made, riding=like.riding)


def _ends_found(motion: Motion, clips: Sequence[Clip]) -> tuple[int, int]:
    """Return the frames of a new motion that are most like the clips' first frames, and like their last frames."""
    joints = compared_joints(motion.skeleton)
    margin, last = clips[0].margin, motion.frame_count - 1
    reach = max(1, round(SEARCH_S * motion.rate_hz))
    found = []
    for expected, at_last in ((margin, False), (last - margin, True)):
        frames = np.arange(max(0, expected - reach), min(last, expected + reach) + 1)
        poses = _local(motion, frames, joints)
        originals = [_local(c.motion, np.array([_end_frame(c, at_last)]), joints)[0] for c in clips]
        distances = np.min([np.linalg.norm(poses - one, axis=-1).mean(axis=1) for one in originals], axis=0)
        found.append(int(frames[np.argmin(distances)]))
    return found[0], max(found[1], found[0] + 2 * margin)


def _local(motion: Motion, frames: NDArray[np.intp], joints: NDArray[np.intp]) -> FloatArray:
    """Return joints (N, J, 3) in the frame of the root's place and heading; heights above the ground."""
    places = np.array(motion.world_positions[frames][:, joints])
    places[..., :2] -= motion.root_positions[frames, None, :2]
    turn = quaternion.from_heading(-quaternion.heading(motion.rotations[frames, 0]))
    return quaternion.rotate(turn[:, None], places)


def _end_frame(clip: Clip, at_last: bool) -> int:
    return clip.motion.frame_count - 1 - clip.margin if at_last else clip.margin


def _nearest(clip: Clip, clips: Sequence[Clip], *, at_last: bool) -> Clip:
    """Return the clip whose end is nearest to another's."""
    joints = compared_joints(clip.motion.skeleton)
    mine: Ends = clip_ends(clip, joints, at_last=at_last)
    ends = [clip_ends(one, joints, at_last=at_last) for one in clips]
    return clips[int(np.argmin([np.linalg.norm(end.positions - mine.positions, axis=-1).mean() for end in ends]))]


def _pull(motion: Motion, frame: int, clip: Clip, at_last: bool) -> tuple[FloatArray, float]:
    """Return how joints must turn (J, 3) and the root rise so that a frame is a clip's first or last pose.

    The root's heading stays.
    """
    own, target = motion.rotations[frame], np.array(clip.motion.rotations[_end_frame(clip, at_last)])
    turn = quaternion.heading(own[0]) - quaternion.heading(target[0])
    target[0] = quaternion.multiply(quaternion.from_heading(turn), target[0])
    rise = clip.motion.root_positions[_end_frame(clip, at_last), 2] - motion.root_positions[frame, 2]
    vectors = quaternion.log(quaternion.multiply(quaternion.conjugate(own), target))
    return vectors, float(rise)
