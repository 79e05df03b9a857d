"""Skeletons of people and animals to wrap: the built-in human in other poses, a horse, a spider."""

from __future__ import annotations

import numpy as np
from tools.authoring.human_skeleton import human_skeleton

from gambol.motion import Skeleton

FINGERS = {"Index": 0.03, "Middle": 0.01, "Ring": -0.01, "Pinky": -0.03}


def person(*, arms_down_rad: float = 0.0, legs_apart_rad: float = 0.0, scale: float = 1.0) -> Skeleton:
    """Return the built-in human with other angles of arms and legs at rest."""
    human = human_skeleton()
    offsets = np.array(human.offsets)
    tips = np.array(human.tip_offsets)
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        arm = np.array([0.0, left * np.cos(arms_down_rad), -np.sin(arms_down_rad)])
        leg = np.array([0.0, left * np.sin(legs_apart_rad), -np.cos(legs_apart_rad)])
        for part, direction in (("ForeArm", arm), ("Hand", arm), ("Leg", leg), ("Foot", leg)):
            joint = human.index(side + part)
            offsets[joint] = np.linalg.norm(offsets[joint]) * direction
        tips[human.tip_parents == human.index(f"{side}Hand")] = 0.18 * arm
    return Skeleton(human.names, human.parents, scale * offsets, human.tip_parents, scale * tips)


def with_fingers(skeleton: Skeleton) -> Skeleton:
    """Add four fingers of two bones and a tip to each hand of a person in a T-pose."""
    names, parents = list(skeleton.names), skeleton.parents.tolist()
    offsets, tips = (
        skeleton.offsets.tolist(),
        dict(zip(skeleton.tip_parents.tolist(), skeleton.tip_offsets, strict=True)),
    )
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        hand = skeleton.index(f"{side}Hand")
        del tips[hand]
        for finger, ahead in FINGERS.items():
            parents += [hand, len(names)]
            names += [f"{side}Hand{finger}1", f"{side}Hand{finger}2"]
            offsets += [[ahead, 0.09 * left, 0.0], [0.0, 0.04 * left, 0.0]]
            tips[len(names) - 1] = np.array([0.0, 0.03 * left, 0.0])
    return Skeleton(names, parents, offsets, list(tips), list(tips.values()))


def horse() -> Skeleton:
    """Return a quadruped none of whose joints has a common name."""
    joints = [
        ("pelvis_bone", "", (-0.5, 0.0, 1.4)),
        ("loin", "pelvis_bone", (0.35, 0.0, 0.03)),
        ("back", "loin", (0.45, 0.0, -0.02)),
        ("withers", "back", (0.3, 0.0, 0.05)),
        ("crest", "withers", (0.3, 0.0, 0.2)),
        ("poll", "crest", (0.25, 0.0, 0.25)),
        ("muzzle", "poll", (0.4, 0.0, -0.3)),
        ("dock", "pelvis_bone", (-0.25, 0.0, -0.05)),
        ("tail", "dock", (-0.1, 0.0, -0.6)),
    ]
    for side, left in (("near", 1.0), ("off", -1.0)):
        joints += [
            (f"{side}_hip", "pelvis_bone", (0.05, 0.15 * left, -0.15)),
            (f"{side}_stifle", f"{side}_hip", (0.15, 0.0, -0.4)),
            (f"{side}_hock", f"{side}_stifle", (-0.25, 0.0, -0.3)),
            (f"{side}_hoof", f"{side}_hock", (0.05, 0.0, -0.5)),
            (f"{side}_shoulder", "withers", (0.05, 0.13 * left, -0.3)),
            (f"{side}_elbow", f"{side}_shoulder", (-0.1, 0.0, -0.25)),
            (f"{side}_knee", f"{side}_elbow", (0.0, 0.0, -0.4)),
            (f"{side}_foot", f"{side}_knee", (0.05, 0.0, -0.4)),
        ]
    names = [name for name, _, _ in joints]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in joints]
    return Skeleton(names, parents, [offset for _, _, offset in joints])


def chain(joints: int, *, bone: tuple[float, float, float] = (0.0, 0.0, 0.1)) -> Skeleton:
    """Return joints in a row."""
    return Skeleton([f"Joint{i}" for i in range(joints)], range(-1, joints - 1), [bone] * joints)


def mirrored(points: np.ndarray) -> np.ndarray:
    """Swap left and right."""
    return points * np.array([1.0, -1.0, 1.0])
