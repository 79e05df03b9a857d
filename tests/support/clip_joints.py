"""What tests of authored clips measure: how clips join, what a body clears, how limbs bend."""

from __future__ import annotations

import numpy as np
from tests.support.sequences import jump_inside, outside, random_names, velocity_jumps
from tools.authoring.authored import AuthoredClip

from gambol.animate import Blends, play, realized_contacts
from gambol.body import Body
from gambol.characters import Character, clip_of, place_steps
from gambol.geometry import planar
from gambol.motion import Motion, edits, slide_speeds


def label_poses(clips: tuple[AuthoredClip, ...], label: str) -> list[tuple[str, Motion]]:
    """Return what every clip does around a label, two frames to either side, seen from the path's pose there."""
    found = []
    for clip in clips:
        for name, frame in ((clip.begins, clip.margin), (clip.ends, clip.motion.frame_count - 1 - clip.margin)):
            if name == label:
                around = edits.take(clip.motion, slice(frame - 2, frame + 3))
                found.append((clip.name, edits.move(around, planar.invert(clip.path[frame]))))
    return found


def margins(clips: tuple[AuthoredClip, ...], label: str) -> tuple[list[Motion], list[Motion]]:
    """Return the margins before clips that begin, and after clips that end with a label, seen from the label's pose."""
    before = [edits.take(clip.motion, slice(0, clip.margin + 1)) for clip in clips if clip.begins == label]
    after = []
    for clip in clips:
        last = clip.motion.frame_count - 1 - clip.margin
        if clip.ends == label:
            margin = edits.take(clip.motion, slice(last, clip.motion.frame_count))
            after.append(edits.move(margin, planar.invert(clip.path[last])))
    return before, after


def bend(motion: Motion, joints: tuple[int, int, int]) -> np.ndarray:
    """Return by how much a limb of three joints is bent, radians (F,)."""
    root, middle, end = (motion.world_positions[:, joint] for joint in joints)
    upper, lower = middle - root, end - middle
    cosine = np.sum(upper * lower, axis=1) / (np.linalg.norm(upper, axis=1) * np.linalg.norm(lower, axis=1))
    return np.arccos(np.clip(cosine, -1.0, 1.0))


def lowest(motion: Motion, body: Body) -> np.ndarray:
    """Return the height of the body's lowest point by frame (F,)."""
    starts, ends = body.place(motion)
    return (np.minimum(starts[..., 2], ends[..., 2]) - body.radius).min(axis=1)


def highest(motion: Motion, body: Body) -> np.ndarray:
    """Return the height of the body's highest point by frame (F,)."""
    starts, ends = body.place(motion)
    return (np.maximum(starts[..., 2], ends[..., 2]) + body.radius).max(axis=1)


def clears(motion: Motion, body: Body, thickness_m: float) -> float:
    """Return the height of the highest bar across the x axis, where it suits best, that the body goes over."""
    starts, ends = body.place(motion)
    first = np.minimum(starts[..., 0], ends[..., 0]) - body.radius
    last = np.maximum(starts[..., 0], ends[..., 0]) + body.radius
    low = np.minimum(starts[..., 2], ends[..., 2]) - body.radius
    places = np.linspace(motion.root_positions[0, 0] + 1.0, motion.root_positions[-1, 0] - 1.0, 150)
    return max(
        float(np.where((first < x + thickness_m / 2) & (last > x - thickness_m / 2), low, np.inf).min()) for x in places
    )


def check_realized(character: Character, seeds: int) -> None:
    """Play random sequences: plants stand still, joints do not jump, bodies stay inside their swept shapes."""
    body, blends = Body.from_skeleton(character.skeleton), Blends.of(character)
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        steps = place_steps(character, random_names(character, rng, 6), seed=seed)
        motion = play(character, steps, blends=blends)
        slides = slide_speeds(motion, realized_contacts(character, steps, blends=blends))
        assert np.nanmax(slides, initial=0.0) < 0.01
        clips = [clip_of(character, step) for step in steps]
        assert velocity_jumps(motion).max() <= 1.2 * max(jump_inside(clip) for clip in clips)
        assert lowest(motion, body).min() > -0.01
        for step, clip in zip(steps, clips, strict=True):
            begin = (step.frame - steps[0].frame) * clip.frames_per_step
            frames = edits.cut(motion, begin, begin + clip.duration * clip.frames_per_step)
            assert outside(clip, edits.move(frames, planar.invert(step.pose)), body, samples=3) < 1e-3
