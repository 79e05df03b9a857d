"""The built-in human skeleton: an adult of 1.75 m in a T-pose, with the common joint names."""

from __future__ import annotations

from gambol.motion.skeleton import Skeleton

THIGH_M = 0.43
SHANK_M = 0.43
ANKLE_HEIGHT_M = 0.07
HIP_HEIGHT_M = THIGH_M + SHANK_M + ANKLE_HEIGHT_M  # standing with straight legs
HIPS_ABOVE_HIP_JOINTS_M = 0.03
HIP_HALF_WIDTH_M = 0.09
HEEL_BEHIND_ANKLE_M = 0.0455
BALL_AHEAD_M = 0.13  # of the ankle
BALL_HEIGHT_M = 0.026  # so that heels, as contacts find them, stand on the ground
TOE_LENGTH_M = 0.07


def human_skeleton() -> Skeleton:
    """Return 22 joints; segment lengths after Drillis and Contini, arms shortened to a span of 1.82 m."""
    joints: list[tuple[str, str, tuple[float, float, float]]] = [
        ("Hips", "", (0.0, 0.0, HIP_HEIGHT_M + HIPS_ABOVE_HIP_JOINTS_M)),
        ("Spine", "Hips", (0.0, 0.0, 0.10)),
        ("Spine1", "Spine", (0.0, 0.0, 0.12)),
        ("Spine2", "Spine1", (0.0, 0.0, 0.12)),
        ("Neck", "Spine2", (0.0, 0.0, 0.17)),
        ("Head", "Neck", (0.01, 0.0, 0.09)),
    ]
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        joints += [
            (f"{side}Shoulder", "Spine2", (0.0, 0.04 * left, 0.12)),
            (f"{side}Arm", f"{side}Shoulder", (0.0, 0.15 * left, 0.01)),
            (f"{side}ForeArm", f"{side}Arm", (0.0, 0.29 * left, 0.0)),
            (f"{side}Hand", f"{side}ForeArm", (0.0, 0.25 * left, 0.0)),
        ]
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        joints += [
            (f"{side}UpLeg", "Hips", (0.0, HIP_HALF_WIDTH_M * left, -HIPS_ABOVE_HIP_JOINTS_M)),
            (f"{side}Leg", f"{side}UpLeg", (0.0, 0.0, -THIGH_M)),
            (f"{side}Foot", f"{side}Leg", (0.0, 0.0, -SHANK_M)),
            (f"{side}ToeBase", f"{side}Foot", (BALL_AHEAD_M, 0.0, BALL_HEIGHT_M - ANKLE_HEIGHT_M)),
        ]
    names = [name for name, _, _ in joints]
    tips = {
        "Head": (0.0, 0.0, 0.19),
        "LeftHand": (0.0, 0.18, 0.0),
        "RightHand": (0.0, -0.18, 0.0),
        "LeftToeBase": (TOE_LENGTH_M, 0.0, 0.0),
        "RightToeBase": (TOE_LENGTH_M, 0.0, 0.0),
    }
    return Skeleton(
        names,
        [names.index(parent) if parent else -1 for _, parent, _ in joints],
        [offset for _, _, offset in joints],
        [names.index(name) for name in tips],
        list(tips.values()),
    )
