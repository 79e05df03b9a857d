"""A two-legged figure made up for tests, whose feet are where we put them and when."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gambol.files import read_bvh
from gambol.geometry import quaternion
from gambol.motion import Motion, Skeleton, legs, reach_targets

HIP_M, THIGH_M, SHANK_M, ANKLE_M = 0.80, 0.43, 0.43, 0.08
FOOT = (0.14, 0.0, -0.05)  # from ankle to ball, flat on the ground
STANCE_S, SWING_S = 0.60, 0.40


class Steps(NamedTuple):
    """A walk and the frames in which each foot was put down, lifted and how far it slid a second."""

    motion: Motion
    planted: np.ndarray  # (F, 2) left, right


def biped(*, toes: bool = True, in_between: bool = False) -> Skeleton:
    """Return hips with two legs, a spine and a head; with CMU's zero-length joints above the legs if asked."""
    names, parents, offsets = ["Hips", "Spine", "Head"], [-1, 0, 1], [(0, 0, 0.9), (0, 0, 0.3), (0, 0, 0.4)]

    def add(name: str, parent: int, offset: tuple[float, float, float]) -> int:
        names.append(name)
        parents.append(parent)
        offsets.append(offset)
        return len(names) - 1

    for side, left in (("Left", 1.0), ("Right", -1.0)):
        above = add(f"{side[0]}HipJoint", 0, (0, 0, 0)) if in_between else 0
        thigh = add(f"{side}UpLeg", above, (0, 0.1 * left, -0.04))
        shank = add(f"{side}Leg", thigh, (0, 0, -THIGH_M))
        foot = add(f"{side}Foot", shank, (0, 0, -SHANK_M))
        if toes:
            add(f"{side}ToeBase", foot, FOOT)
    return Skeleton(names, parents, offsets)


def stepping(
    *,
    slide_m_s: float = 0.0,
    rate_hz: float = 120.0,
    strides: int = 4,
    ground_m: float = 0.0,
    skeleton: Skeleton | None = None,
) -> Steps:
    """Walk along +X on flat feet that slide along +X at a known speed while they are planted."""
    skeleton = biped() if skeleton is None else skeleton
    stride_s, speed = STANCE_S + SWING_S, 1.0
    frames = round(strides * stride_s * rate_hz) + 1
    times = np.arange(frames) / rate_hz
    roots = np.column_stack((speed * times, np.zeros(frames), np.full(frames, HIP_M + 0.04 + ground_m)))
    motion = Motion(skeleton, rate_hz, roots, quaternion.identity(frames, skeleton.joint_count))
    planted = np.zeros((frames, 2), dtype=bool)
    for index, leg in enumerate(legs(skeleton)):
        phase = times / stride_s + 0.5 * index + 0.2
        cycle, local = np.floor(phase), (phase % 1.0) * stride_s
        planted[:, index] = local <= STANCE_S + 1e-9
        swing = np.clip((local - STANCE_S) / SWING_S, 0.0, 1.0)
        ease = swing**3 * (10.0 - 15.0 * swing + 6.0 * swing**2)
        slid = slide_m_s * np.minimum(local, STANCE_S)
        ankles = np.zeros((frames, 3))
        start = speed * stride_s * (cycle - 0.5 * index - 0.2) + 0.3
        ankles[:, 0] = start + slid + ease * (speed * stride_s - slide_m_s * STANCE_S)
        ankles[:, 1] = 0.1 if index == 0 else -0.1
        ankles[:, 2] = ANKLE_M + ground_m + 0.12 * np.sin(np.pi * swing) ** 2
        motion = reach_targets(motion, leg, ankles)
    return Steps(motion, planted)


@cache
def capture(folder: Path, name: str) -> Motion:
    """Read a CMU capture at its true rate, without the T-pose inserted before it."""
    with (folder / "INDEX.csv").open() as table:
        rate_hz = next(float(row["fps_true"]) for row in csv.DictReader(table) if row["file"] == name)
    return read_bvh(folder / name, unit="cmu", rate_hz=rate_hz, t_pose="drop").motion
