"""Names of joints: the common names, and maps from other programs' names, as data.

The common set is MotionBuilder's and CMU's (Hips, Spine, LeftUpLeg, LeftLeg, LeftFoot, ...).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from gambol.errors import UnknownName
from gambol.motion.skeleton import Skeleton

HIPS = "Hips"
HEAD = "Head"


class Limb(NamedTuple):
    """Joint indices of an arm or a leg; `toe` (or fingers) is -1 where a skeleton has none."""

    side: str  # "left" or "right"
    root: int  # hip or shoulder joint
    middle: int  # knee or elbow
    end: int  # ankle or wrist
    toe: int  # ball of the foot, or first finger joint


COMMON_NAMES = (
    "Hips", "Spine", "Spine1", "Spine2", "Neck", "Head",
    *(side + part for side in ("Left", "Right") for part in (
        "Shoulder", "Arm", "ForeArm", "Hand", "UpLeg", "Leg", "Foot", "ToeBase")),
)  # fmt: skip


def _both_sides(pairs: Mapping[str, str], sides: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {
        pattern.format(side=side): common.format(side=common_side)
        for pattern, common in pairs.items()
        for side, common_side in sides
    }


#: Other programs' joint names to ours, by program.
NAME_MAPS: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "mixamo": {f"mixamorig:{name}": name for name in COMMON_NAMES},
    "cmu": {  # ASF/AMC names
        "root": "Hips", "lowerback": "LowerBack", "upperback": "Spine", "thorax": "Spine1",
        "lowerneck": "Neck", "upperneck": "Neck1", "head": "Head",
        **_both_sides({
            "{side}hipjoint": "{side}HipJoint", "{side}femur": "{side}UpLeg", "{side}tibia": "{side}Leg",
            "{side}foot": "{side}Foot", "{side}toes": "{side}ToeBase", "{side}clavicle": "{side}Shoulder",
            "{side}humerus": "{side}Arm", "{side}radius": "{side}ForeArm", "{side}wrist": "{side}Wrist",
            "{side}hand": "{side}Hand", "{side}fingers": "{side}HandIndex1", "{side}thumb": "{side}HandThumb1",
        }, (("l", "Left"), ("r", "Right"))),
    },
    "unreal": {
        "pelvis": "Hips", "spine_01": "Spine", "spine_02": "Spine1", "spine_03": "Spine2",
        "neck_01": "Neck", "head": "Head",
        **_both_sides({
            "clavicle_{side}": "{side}Shoulder", "upperarm_{side}": "{side}Arm", "lowerarm_{side}": "{side}ForeArm",
            "hand_{side}": "{side}Hand", "thigh_{side}": "{side}UpLeg", "calf_{side}": "{side}Leg",
            "foot_{side}": "{side}Foot", "ball_{side}": "{side}ToeBase",
        }, (("l", "Left"), ("r", "Right"))),
    },
    "vrm": {
        "hips": "Hips", "spine": "Spine", "chest": "Spine1", "upperChest": "Spine2", "neck": "Neck", "head": "Head",
        **_both_sides({
            "{side}Shoulder": "{side}Shoulder", "{side}UpperArm": "{side}Arm", "{side}LowerArm": "{side}ForeArm",
            "{side}Hand": "{side}Hand", "{side}UpperLeg": "{side}UpLeg", "{side}LowerLeg": "{side}Leg",
            "{side}Foot": "{side}Foot", "{side}Toes": "{side}ToeBase",
        }, (("left", "Left"), ("right", "Right"))),
    },
})  # fmt: skip

_OTHER_NAMES = {other: common for names in NAME_MAPS.values() for other, common in names.items()}

#: Patterns that swap sides in a name: whole words, or a single l or r after a separator or in front of CMU's
#: lower-case bones and capitalised parts ("lfemur", "LHipJoint", "RThumb").
_SIDES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        *((word, other) for one, two in (("left", "right"), ("Left", "Right"), ("LEFT", "RIGHT"))
          for word, other in ((one, two), (two, one))),
        *((rf"(?<![A-Za-z]){letter}(?![a-z])", other)
          for letter, other in (("l", "r"), ("r", "l"), ("L", "R"), ("R", "L"))),
        (r"^l(?=[a-z]{3})", "r"), (r"^r(?=[a-z]{3})", "l"),
    )
)  # fmt: skip


def common_name(name: str) -> str:
    """Return our name for a joint of a known program, or the name itself."""
    bare = name.rsplit(":", 1)[-1]
    if bare in COMMON_NAMES:
        return bare
    return _OTHER_NAMES.get(name, _OTHER_NAMES.get(bare, name))


def name_map(program: str) -> Mapping[str, str]:
    """Return the map from a program's joint names to ours."""
    if program not in NAME_MAPS:
        raise UnknownName("name map", program, tuple(NAME_MAPS))
    return NAME_MAPS[program]


def rename(skeleton: Skeleton, names: Mapping[str, str]) -> Skeleton:
    """Return the skeleton with renamed joints; names that the map lacks stay."""
    new_names = tuple(names.get(name, name) for name in skeleton.names)
    return Skeleton(new_names, skeleton.parents, skeleton.offsets, skeleton.tip_parents, skeleton.tip_offsets)


def find(skeleton: Skeleton, name: str) -> int:
    """Return the joint whose common name is this, whatever the skeleton itself calls it, or -1."""
    for index, own in enumerate(skeleton.names):
        if common_name(own) == name:
            return index
    return -1


def legs(skeleton: Skeleton) -> tuple[Limb, ...]:
    """Return the legs whose hip, knee and ankle joints the skeleton has, left first."""
    return _limbs(skeleton, "UpLeg", "Leg", "Foot", "ToeBase")


def arms(skeleton: Skeleton) -> tuple[Limb, ...]:
    """Return the arms whose shoulder, elbow and wrist joints the skeleton has, left first."""
    return _limbs(skeleton, "Arm", "ForeArm", "Hand", "HandIndex1")


def _limbs(skeleton: Skeleton, *parts: str) -> tuple[Limb, ...]:
    found = []
    for side in ("Left", "Right"):
        root, middle, end, toe = (find(skeleton, side + part) for part in parts)
        if min(root, middle, end) >= 0:
            found.append(Limb(side.lower(), root, middle, end, toe))
    return tuple(found)


def mirrored_name(name: str) -> str:
    """Swap left and right in a joint's name; a name without a side is returned as it is."""
    for pattern, replacement in _SIDES:
        swapped, count = pattern.subn(replacement, name, count=1)
        if count:
            return swapped
    return name


def mirror_partners(skeleton: Skeleton) -> tuple[int, ...]:
    """Return for each joint its partner on the other side, or itself where there is none."""
    partners = []
    for index, name in enumerate(skeleton.names):
        other = mirrored_name(name)
        partners.append(skeleton.index(other) if other in skeleton else index)
    return tuple(partners)
