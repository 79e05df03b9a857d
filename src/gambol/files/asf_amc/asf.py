"""ASF in: the skeleton of an Acclaim pair.

The file gives bones at rest in the world, by direction and length; a bone starts where its parent ends.  Our joint
named after a bone is the point where the bone starts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gambol.errors import MalformedFile
from gambol.files import axes
from gambol.files.asf_amc.lines import Line, Section, as_text, blocks, entries_of, lines_of, numbers, unknown_bone
from gambol.files.bvh.hierarchy import MAX_JOINTS, shown
from gambol.files.units import AUTO, METRES, metres_per_unit
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray, frozen_array
from gambol.motion.skeleton import Skeleton

ROOT = "root"  # name of the root joint
TURNS = ("rx", "ry", "rz")  # degrees of freedom that turn a joint
SHIFTS = ("tx", "ty", "tz")  # degrees of freedom that move a joint
STRETCH = "l"  # degree of freedom that makes a bone longer
MAX_NAME = 200  # the most characters of a name
MAX_LINES = 50 * MAX_JOINTS  # the most lines that are read; a bone takes about ten
_SECTIONS = ("version", "name", "units", "documentation", "root", "bonedata", "hierarchy")
_REQUIRED_SECTIONS = ("root", "bonedata", "hierarchy")
# The number of words after a keyword; None is any number.
_UNIT_ENTRIES = {"mass": 1, "length": 1, "angle": 1}
_ROOT_ENTRIES = {"order": None, "axis": 1, "position": 3, "orientation": 3}
_BONE_ENTRIES = {"id": 1, "name": 1, "direction": 3, "length": 1}
_BONE_ENTRIES |= dict.fromkeys(("axis", "dof", "limits", "bodymass", "cofmass"))


@dataclass(frozen=True, eq=False)
class AcclaimSkeleton:
    """A skeleton in our units and axes, and the data for reading motions made for it."""

    skeleton: Skeleton
    freedoms: tuple[tuple[str, ...], ...]  # the numbers that a frame gives for each joint, of rx ry rz tx ty tz l
    joint_axes: FloatArray  # (J, 4) rotation at rest from the axes of a joint's values to the world's
    directions: FloatArray  # (J, 3) directions of the bones at rest, unit or zero
    root_rotation: FloatArray  # (4,) rotation of the skeleton before any motion
    metres_per_unit: float
    radians_per_unit: float  # unit of angles in a motion that does not itself say degrees or radians
    notes: tuple[str, ...] = ()


class _Root(NamedTuple):
    freedoms: tuple[str, ...]
    position: FloatArray  # in our axes and file units
    rotation: FloatArray


class _Bone(NamedTuple):
    name: str
    line: int
    direction: FloatArray  # in our axes
    length: float  # in file units
    axes: FloatArray
    freedoms: tuple[str, ...]


def parse_asf(data: bytes | str, *, unit: str | float = AUTO) -> AcclaimSkeleton:
    """Turn an ASF file's contents into a skeleton.

    unit: a name (m, cm, mm, inch, cmu), the metres in one file unit, or "auto" to trust the file: its lengths, divided
    by the length under :units (0.45 in CMU's files), are inches.
    """
    notes: list[str] = []
    sections = _sections(as_text(data, expected="sections such as :units and :bonedata"), notes)
    length, radians = _units(sections.get("units"), notes)
    metres = METRES["inch"] / length if unit == AUTO else metres_per_unit(unit)
    root = _root(sections["root"], radians, notes)
    bones = _bones(sections["bonedata"], radians, notes)
    parent_of = _parents(sections["hierarchy"], bones)
    names = _depth_first(parent_of, bones, sections["hierarchy"].number)
    placed = [bones[name] for name in names[1:]]
    return AcclaimSkeleton(
        _skeleton(names, parent_of, placed, root.position, metres),
        (root.freedoms, *(bone.freedoms for bone in placed)),
        frozen_array([quaternion.IDENTITY, *(bone.axes for bone in placed)]),
        frozen_array([np.zeros(3), *(bone.direction for bone in placed)]),
        frozen_array(root.rotation),
        metres,
        radians,
        tuple(dict.fromkeys(notes)),
    )


def turns_about_fixed_axes(angles: FloatArray, letters: str) -> FloatArray:
    """Compose turns (..., n) about n different axes of the file, in the order of the letters."""
    padded = np.zeros((*np.shape(angles)[:-1], 3))
    padded[..., : len(letters)] = angles
    order = letters + "".join(letter for letter in "XYZ" if letter not in letters)
    # Turns about fixed axes are turns about moving axes in reverse order.
    return quaternion.from_euler(padded[..., ::-1], axes.euler_order_from_y_up(order[::-1]))


def _sections(text: str, notes: list[str]) -> dict[str, Section]:
    sections: dict[str, Section] = {}
    current: list[Line] | None = None
    number = 1
    for number, words in lines_of(text):
        if number > MAX_LINES:
            raise MalformedFile(f"more than {MAX_LINES:,} lines; no skeleton has as many", line=number)
        if not words[0].startswith(":"):
            if current is None:
                raise MalformedFile(f"expected a section such as :units, found {shown(words[0])}", line=number)
            current.append(Line(number, words))
            continue
        name = words[0][1:].lower()
        if name in sections:
            raise MalformedFile(f"a second section {shown(words[0])}", line=number)
        if name not in _SECTIONS:
            notes.append(f"line {number}: section {shown(words[0])} is not known and was ignored")
        current = [Line(number, words[1:])] if len(words) > 1 else []
        sections[name] = Section(number, current)
    for name in _REQUIRED_SECTIONS:
        if name not in sections:
            raise MalformedFile(f"the file ends without a section :{name}", line=number)
    return sections


def _units(section: Section | None, notes: list[str]) -> tuple[float, float]:
    """Return the divisor of lengths and the radians in one unit of angle."""
    entries = entries_of(section.lines, _UNIT_ENTRIES, ":units", notes) if section else {}
    length, radians = 1.0, math.radians(1.0)
    if "length" in entries:
        (length,) = _numbers(entries["length"], "the unit of length")
        if length < 1e-9:
            raise MalformedFile(f"the unit of length is {length}, expected more than 0", line=entries["length"].number)
    else:
        notes.append("the skeleton does not say its unit of length: taken as inches")
    if "angle" in entries:
        number, (angle,) = entries["angle"]
        if angle.lower()[:3] not in ("deg", "rad"):
            raise MalformedFile(f"expected deg or rad as the unit of angle, found {shown(angle)}", line=number)
        radians = 1.0 if angle.lower().startswith("rad") else radians
    return length, radians


def _root(section: Section, radians: float, notes: list[str]) -> _Root:
    entries = entries_of(section.lines, _ROOT_ENTRIES, ":root", notes)
    if "order" not in entries:
        raise MalformedFile("the root has no line such as: order TX TY TZ RX RY RZ", line=section.number)
    freedoms = _freedoms(entries["order"], (*SHIFTS, *TURNS))
    zero = Line(section.number, ["0", "0", "0"])
    position = _numbers(entries.get("position", zero), "the root's position")
    orientation = _numbers(entries.get("orientation", zero), "the root's orientation")
    if any(orientation):
        notes.append("the root has an orientation of its own: applied before the motion's turns")
    letters = _axis_letters(entries["axis"].words[0], entries["axis"].number) if "axis" in entries else "XYZ"
    rotation = turns_about_fixed_axes(np.array(orientation) * radians, letters)
    return _Root(freedoms, axes.vectors_from_y_up(position), rotation)


def _bones(section: Section, radians: float, notes: list[str]) -> dict[str, _Bone]:
    bones: dict[str, _Bone] = {}
    for block in blocks(section):
        bone = _bone(block, radians, notes)
        if bone.name == ROOT or bone.name in bones:
            raise MalformedFile(f"a second bone {shown(bone.name)}", line=bone.line)
        if len(bones) + 1 == MAX_JOINTS:
            raise MalformedFile(f"more than {MAX_JOINTS - 1:,} bones, at {shown(bone.name)}", line=bone.line)
        bones[bone.name] = bone
    return bones


def _bone(block: Section, radians: float, notes: list[str]) -> _Bone:
    entries = entries_of(block.lines, _BONE_ENTRIES, "a bone", notes)
    for required in ("name", "direction", "length"):
        if required not in entries:
            raise MalformedFile(f"a bone without {required}", line=block.number)
    number, (name,) = entries["name"]
    if len(name) > MAX_NAME:
        raise MalformedFile(f"a name of {len(name):,} characters, expected at most {MAX_NAME}", line=number)
    direction = axes.vectors_from_y_up(_numbers(entries["direction"], "a direction"))
    (length,) = _numbers(entries["length"], "a length")
    size = float(np.linalg.norm(direction))
    if length < 0.0 or (length > 0.0 and size < 1e-9):
        raise MalformedFile(f"bone {name!r} has a length of {length} along a direction of {size}", line=block.number)
    freedoms = _freedoms(entries["dof"], (*TURNS, *SHIFTS, STRETCH)) if "dof" in entries else ()
    # Limits are for posing the skeleton by hand; a recorded motion may pass them.
    if "limits" in entries and len(entries["limits"].words) != 2 * len(freedoms):
        notes.append(f"line {entries['limits'].number}: the limits of bone {name!r} do not fit its dof")
    bone_axes = _bone_axes(entries["axis"], radians) if "axis" in entries else quaternion.IDENTITY
    return _Bone(name, number, direction / size if size >= 1e-9 else np.zeros(3), length, bone_axes, freedoms)


def _bone_axes(entry: Line, radians: float) -> FloatArray:
    number, words = entry
    if len(words) not in (3, 4):
        raise MalformedFile(f"expected three angles and an order after axis, found {len(words)} words", line=number)
    letters = _axis_letters(words[3], number) if len(words) == 4 else "XYZ"
    return turns_about_fixed_axes(np.array(numbers(words[:3], "an axis", number)) * radians, letters)


def _parents(section: Section, bones: Mapping[str, _Bone]) -> dict[str, str]:
    """Return the parent of each bone, in the order of the file."""
    parent_of: dict[str, str] = {}
    known = (ROOT, *bones)
    for block in blocks(section):
        for number, (parent, *children) in block.lines:
            for name in (parent, *children):
                if name != ROOT and name not in bones:
                    raise unknown_bone(name, known, number)
            for child in children:
                if child == ROOT or child in parent_of:
                    raise MalformedFile(f"{shown(child)} cannot hang on {shown(parent)} as well", line=number)
                parent_of[child] = parent
    return parent_of


def _depth_first(parent_of: Mapping[str, str], bones: Mapping[str, _Bone], line: int) -> list[str]:
    children: dict[str, list[str]] = {}
    for child, parent in parent_of.items():
        children.setdefault(parent, []).append(child)
    names: list[str] = []
    waiting = [ROOT]
    while waiting:
        names.append(waiting.pop())
        waiting += reversed(children.get(names[-1], ()))
    if len(names) <= len(bones):
        hanging = set(names)
        loose = next(name for name in bones if name not in hanging)
        raise MalformedFile(f"bone {loose!r} does not hang on the root, directly or through others", line=line)
    return names


def _skeleton(
    names: Sequence[str], parent_of: Mapping[str, str], bones: Sequence[_Bone], position: FloatArray, metres: float
) -> Skeleton:
    index = {name: joint for joint, name in enumerate(names)}
    parents = [-1, *(index[parent_of[bone.name]] for bone in bones)]
    ends = np.array([np.zeros(3), *(bone.direction * bone.length for bone in bones)]) * metres
    offsets = ends[parents]
    offsets[0] = position * metres
    is_tip = np.linalg.norm(ends, axis=1) > 0.0
    is_tip[parents[1:]] = False
    return Skeleton(names, parents, offsets, np.flatnonzero(is_tip).tolist(), ends[is_tip])


def _numbers(entry: Line, what: str) -> list[float]:
    return numbers(entry.words, what, entry.number)


def _freedoms(entry: Line, allowed: Sequence[str]) -> tuple[str, ...]:
    found = tuple(word.lower() for word in entry.words)
    for position, word in enumerate(found):
        if word not in allowed or word in found[:position]:
            raise MalformedFile(
                f"expected each of {' '.join(allowed)} at most once, found {shown(entry.words[position])}",
                line=entry.number,
            )
    return found


def _axis_letters(word: str, line: int) -> str:
    if word.upper() not in quaternion.EULER_ORDERS:
        raise MalformedFile(f"expected an order of axes such as XYZ, found {shown(word)}", line=line)
    return word.upper()
