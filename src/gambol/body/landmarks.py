"""Where a skeleton has what a person has: hips, chest, head, legs, arms and their directions."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gambol.body.parts import POINT_M
from gambol.geometry.arrays import FloatArray
from gambol.motion.joint_names import HEAD, HIPS, Limb, arms, find, legs
from gambol.motion.skeleton import Skeleton

#: Hips, shoulders or a trunk smaller than this, in leg lengths, are no person's.
LEAST_BREADTH = 0.05
#: Legs shorter than this many trunks, from hip joints to shoulders, are a child's or a cartoon's; adults have 1.75.
LEGS_PER_TRUNK = 1.5


class Landmarks(NamedTuple):
    """Where a skeleton has what a person has."""

    skeleton: Skeleton
    unit: float  # metres, what proportions are in: thigh plus shin, or what suits the trunk where legs are short
    hips: int
    chest: int  # the last joint that both arms hang on
    head: int  # -1 where there is none
    legs: tuple[Limb, Limb]
    arms: tuple[Limb, Limb]
    hip_middle: FloatArray  # (3,) between the hip joints
    shoulder_middle: FloatArray  # (3,) between the shoulder joints
    left: FloatArray  # (3,) unit
    up: FloatArray  # (3,) unit
    forward: FloatArray  # (3,) unit


def find_landmarks(skeleton: Skeleton) -> Landmarks | None:
    """Return a person's landmarks, or None where names or proportions are not a person's."""
    hips = find(skeleton, HIPS)
    both_legs, both_arms = legs(skeleton), arms(skeleton)
    if hips < 0 or len(both_legs) != 2 or len(both_arms) != 2:
        return None
    chains = [(hips, limb.root, limb.middle, limb.end) for limb in (*both_legs, *both_arms)]
    if not all(path_down(skeleton, top, bottom) for chain in chains for top, bottom in pairwise(chain)):
        return None
    points = skeleton.rest_positions
    leg_length = np.mean([_path_length(points, limb) for limb in both_legs])
    across_hips = points[both_legs[0].root] - points[both_legs[1].root]
    across_shoulders = points[both_arms[0].root] - points[both_arms[1].root]
    hip_middle = points[both_legs[1].root] + 0.5 * across_hips
    shoulder_middle = points[both_arms[1].root] + 0.5 * across_shoulders
    left = across_hips / max(np.linalg.norm(across_hips), 1e-12)
    trunk = shoulder_middle - hip_middle
    upward = trunk - (trunk @ left) * left
    unit = float(max(leg_length, LEGS_PER_TRUNK * np.linalg.norm(trunk)))
    least = LEAST_BREADTH * unit
    if unit <= POINT_M or min(np.linalg.norm(v) for v in (across_hips, across_shoulders, upward)) <= least:
        return None
    up = upward / np.linalg.norm(upward)
    return Landmarks(
        skeleton, unit, hips, _common_ancestor(skeleton, both_arms[0].root, both_arms[1].root),
        find(skeleton, HEAD), (both_legs[0], both_legs[1]), (both_arms[0], both_arms[1]),
        hip_middle, shoulder_middle, left, up, np.cross(left, up),
    )  # fmt: skip


def _path_length(points: FloatArray, limb: Limb) -> float:
    upper, lower = points[limb.middle] - points[limb.root], points[limb.end] - points[limb.middle]
    return float(np.linalg.norm(upper) + np.linalg.norm(lower))


def path_down(skeleton: Skeleton, top: int, bottom: int) -> list[int]:
    """Return the joints from an ancestor to a joint below it, both included; empty where it is not below."""
    path = [bottom]
    while path[-1] != top:
        path.append(int(skeleton.parents[path[-1]]))
        if path[-1] < 0:
            return []
    return path[::-1]


def _common_ancestor(skeleton: Skeleton, a: int, b: int) -> int:
    # Parents come before children, so the later of two joints is never the other's ancestor.
    while a != b:
        a, b = (int(skeleton.parents[a]), b) if a > b else (a, int(skeleton.parents[b]))
    return a
