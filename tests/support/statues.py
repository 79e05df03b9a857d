"""A figure that is carried about without moving a limb, so that all of a character is known beforehand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.support.steppers import ANKLE_M, HIP_M, biped

from gambol.files import write_bvh
from gambol.geometry import quaternion
from gambol.motion import Motion, legs, reach_targets

RATE_HZ = 60.0
SPEED_M_S = 1.0
TURN_DEG = 40.0

#: A course of its phases: name, seconds, speed at the end, turn in degrees.
COURSE = (
    ("straight", 2.0, 1.0, 0.0),
    ("left", 1.0, 1.0, TURN_DEG),
    ("after left", 2.0, 1.0, 0.0),
    ("right", 1.0, 1.0, -TURN_DEG),
    ("after right", 2.0, 1.0, 0.0),
    ("stop", 1.0, 0.0, 0.0),
    ("stand", 3.0, 0.0, 0.0),
    ("go", 1.0, 1.0, 0.0),
    ("away", 2.0, 1.0, 0.0),
)

#: The course as a character that passes its check.
GOOD = """
name = "statue"
motions = "."

[reading]
unit = "cm"
ground_m = 0.0

[[behaviors]]
name = "roll"
begins = "rolling"
ends = "rolling"
clips = [{ file = "course.bvh", first = 30, last = 90 }]

[[behaviors]]
name = "left"
kind = "turn"
begins = "rolling"
ends = "rolling"
clips = [{ file = "course.bvh", first = 90, last = 210 }]

[[behaviors]]
name = "right"
kind = "turn"
begins = "rolling"
ends = "rolling"
clips = [{ file = "course.bvh", first = 270, last = 390 }]

[[behaviors]]
name = "stop"
kind = "wait"
begins = "rolling"
ends = "standing"
clips = [{ file = "course.bvh", first = 440, last = 560 }]

[[behaviors]]
name = "stand"
kind = "wait"
begins = "standing"
ends = "standing"
clips = [{ file = "course.bvh", first = 580, last = 640 }]

[[behaviors]]
name = "go"
begins = "standing"
ends = "rolling"
clips = [{ file = "course.bvh", first = 700, last = 820 }]

[subsets]
moving = ["roll", "left", "right"]
"""


def course(*, crouch_until: int = -60) -> Motion:
    """Return the figure on its course, crouching up to a frame and rising in the second after it."""
    speeds, turns = [np.array([SPEED_M_S])], [np.zeros(1)]
    for _, seconds, speed, turn in COURSE:
        frames = round(seconds * RATE_HZ)
        share = _ease(np.arange(1, frames + 1) / frames)
        speeds.append(speeds[-1][-1] + (speed - speeds[-1][-1]) * share)
        turns.append(turns[-1][-1] + np.radians(turn) * share)
    speed, heading = np.concatenate(speeds), np.concatenate(turns)
    steps = speed[:, None] / RATE_HZ * np.column_stack((np.cos(heading), np.sin(heading)))
    ground = np.cumsum(steps, axis=0) - steps[0]
    bent = _ease(np.clip(1.0 - (np.arange(len(speed)) - crouch_until) / RATE_HZ, 0.0, 1.0))
    return _statue(ground, heading, sink_m=0.25 * bent)


def creep(*, speed_m_s: float = 0.12, seconds: float = 3.0) -> Motion:
    """Return the figure carried along so slowly that its feet seem to stand."""
    frames = round(seconds * RATE_HZ) + 1
    ground = np.column_stack((np.arange(frames) * speed_m_s / RATE_HZ, np.zeros(frames)))
    return _statue(ground, np.zeros(frames), sink_m=np.full(frames, 0.05))


def write_course(folder: Path) -> Path:
    """Write the course's motion and its character file into a folder; return the latter."""
    write_bvh(folder / "course.bvh", course(), unit="cm")
    path = folder / "statue.toml"
    path.write_text(GOOD)
    return path


def _statue(ground: np.ndarray, heading: np.ndarray, *, sink_m: np.ndarray) -> Motion:
    skeleton = biped()
    frames = len(ground)
    rotations = quaternion.identity(frames, skeleton.joint_count)
    rotations[:, 0] = quaternion.from_heading(heading)
    roots = np.column_stack((ground, HIP_M + 0.04 - 0.03 - sink_m))
    motion = Motion(skeleton, RATE_HZ, roots, rotations)
    for side, leg in zip((1.0, -1.0), legs(skeleton), strict=True):
        beside = 0.1 * side * np.column_stack((-np.sin(heading), np.cos(heading)))
        ankles = np.column_stack((ground + beside, np.full(frames, ANKLE_M)))
        motion = reach_targets(motion, leg, ankles, end_rotations=rotations[:, 0])
    return motion


def _ease(share: np.ndarray) -> np.ndarray:
    return share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
