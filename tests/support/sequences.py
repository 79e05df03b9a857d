"""Characters to play in tests, random sequences of what they can do, and how to measure what comes out."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

import numpy as np

from gambol.body import Body
from gambol.characters import Behavior, Character, Clip
from gambol.characters.make_clip import make_clip
from gambol.files import read_bvh
from gambol.geometry import planar
from gambol.motion import Motion, legs, mirror, point_positions, sole_points

OTHER_SIDE = {"left": "right", "right": "left"}


@cache
def captured(mocap: Path) -> Character:
    """Subject 108 jogging, jumping, ducking and crawling from left contact to left contact, and mirrored."""
    behaviors: list[Behavior] = []
    with (mocap / "CUTS.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if "/108_" in row["file"] and "walk" not in row["label"]]
    for row in rows:
        take = read_bvh(mocap / row["file"]).motion
        first, last = int(row["start_frame"]) - 1, int(row["end_frame"]) - 1  # without the T-pose
        begins = "left" if "starts at left" in row["kind"] else "right"
        name = row["label"]
        behaviors.append(Behavior(name, name, (make_clip(name, take, first, last),), begins, "left"))
        clip = make_clip(f"{name} mirrored", mirror(take), first, last)
        behaviors.append(Behavior(clip.name, name, (clip,), OTHER_SIDE[begins], "right"))
    skeleton = behaviors[0].clips[0].motion.skeleton
    return Character("108", skeleton, 30.0, tuple(behaviors))


def random_names(character: Character, rng: np.random.Generator, count: int) -> list[str]:
    """Walk through a character's transitions at random."""
    names = [str(rng.choice([behavior.name for behavior in character.behaviors]))]
    while len(names) < count:
        names.append(str(rng.choice(character.successors(names[-1]))))
    return names


def velocity_jumps(motion: Motion) -> np.ndarray:
    """Return by how much each joint's world velocity changes from frame to frame, metres a second (F - 2, J)."""
    velocities = np.diff(motion.world_positions, axis=0) * motion.rate_hz
    return np.linalg.norm(np.diff(velocities, axis=0), axis=-1)


def jump_inside(clip: Clip) -> float:
    """Return the largest jump of any joint's velocity within a clip proper."""
    return float(velocity_jumps(clip.motion)[clip.margin : -clip.margin].max())


def lowest_sole(motion: Motion) -> float:
    """Return the height of the lowest point of any foot in any frame."""
    return min(
        float(point_positions(motion, sole_points(motion.skeleton, leg))[..., 2].min()) for leg in legs(motion.skeleton)
    )


def outside(clip: Clip, frames: Motion, body: Body, *, samples: int = 5) -> float:
    """Return by how much a body leaves a clip's swept shape, in metres, at the worst moment.

    frames: the clip's own time, as delivered, seen from where it begins.  Spheres are put along every
    capsule; each must lie in one cylinder of every instant that stands for its frame.
    """
    shares = np.linspace(0.0, 1.0, samples)[:, None]
    starts, ends = body.place(frames)
    spheres = (starts[:, :, None] + shares * (ends - starts)[:, :, None]).reshape(frames.frame_count, -1, 3)
    radii = np.repeat(body.radius, samples)
    worst = -np.inf
    for instant, pose in enumerate(clip.path):
        centre = instant * clip.frames_per_step
        around = spheres[max(centre - 1, 0) : centre + 2]
        ground = planar.apply(planar.invert(pose), around[..., :2])
        shape = clip.shape
        away = np.linalg.norm(ground[..., None, :] - shape.offset[instant], axis=-1)
        sides = away + radii[:, None] - shape.radius[instant]
        above = around[..., 2, None] + radii[:, None] - shape.high[instant]
        below = shape.low[instant] - (around[..., 2, None] - radii[:, None])
        worst = max(worst, float(np.maximum(sides, np.maximum(above, below)).min(axis=-1).max()))
    return worst
