"""AMC in: the motion of an Acclaim pair.

A bone's values refer to axes of its own.  With C the rotation from those axes to the world's at rest, a rotation R in
them is C R C^-1 in frames that are parallel to the world's at rest, as ours are.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gambol.errors import FileProblem, InvalidInput, MalformedFile
from gambol.files.asf_amc.asf import SHIFTS, STRETCH, TURNS, AcclaimSkeleton, parse_asf, turns_about_fixed_axes
from gambol.files.asf_amc.lines import Line, as_text, lines_of, numbers, unknown_bone
from gambol.files.bvh.hierarchy import shown
from gambol.files.disk import read_bytes
from gambol.files.reading import Reading
from gambol.files.units import AUTO
from gambol.geometry import quaternion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion

USUAL_RATE_HZ = 120.0  # frames a second of CMU's files; the format cannot say its rate
# The most joints times frames that are read: 37 minutes of CMU's 31 joints.  Frames may leave out bones, so the file's
# size is no bound.
MAX_JOINT_FRAMES = 1 << 23


class _Frame(NamedTuple):
    number: int
    line: int
    bones: list[Line]


def read_asf_amc(
    asf_path: Path | str, amc_path: Path | str, *, unit: str | float = AUTO, rate_hz: float | None = None
) -> Reading:
    """Read a skeleton file and a motion file; see `parse_asf` and `parse_amc` for the options."""
    try:
        asf = parse_asf(read_bytes(asf_path), unit=unit)
    except FileProblem as problem:
        raise problem.in_file(asf_path) from None
    try:
        return parse_amc(read_bytes(amc_path), asf, rate_hz=rate_hz)
    except FileProblem as problem:
        raise problem.in_file(amc_path) from None


def parse_amc(data: bytes | str, asf: AcclaimSkeleton, *, rate_hz: float | None = None) -> Reading:
    """Turn an AMC file's contents into a motion of the skeleton it was made for.

    rate_hz: frames a second, as the file cannot say it; None takes CMU's 120, with a note.
    """
    if rate_hz is not None and not (math.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"the rate must be positive, not {rate_hz}")
    text = as_text(data, expected="numbered frames")
    notes = list(asf.notes)
    if rate_hz is None:
        rate_hz = USUAL_RATE_HZ
        notes.append(f"AMC files do not say their rate: taken as {rate_hz:g} Hz")
    lines = lines_of(text)
    radians, first = _header(lines, asf.radians_per_unit, notes)
    values = _values(_frames(chain((first,), lines)), asf, notes)
    translations = _translations(values, asf)
    if any(STRETCH in asf.freedoms[joint] for joint in asf.skeleton.tip_parents):
        notes.append("a last bone may stretch: its tip keeps the length of the rest pose")
    moving = np.any(translations[:, 1:] != asf.skeleton.offsets[1:])
    motion = Motion(
        asf.skeleton,
        rate_hz,
        translations[:, 0],
        _rotations(values, asf, radians),
        translations if moving else None,
    )
    return Reading(motion, tuple(dict.fromkeys(notes)))


def _header(lines: Iterator[Line], radians: float, notes: list[str]) -> tuple[float, Line]:
    """Read keywords up to the first line of another kind; return the unit of angle and that line."""
    number = 1
    for number, words in lines:
        keyword = words[0].lower()
        if not keyword.startswith(":"):
            return radians, Line(number, words)
        if keyword == ":degrees":
            radians = math.radians(1.0)
        elif keyword == ":radians":
            radians = 1.0
        elif keyword != ":fully-specified":
            notes.append(f"line {number}: {shown(words[0])} is not known and was ignored")
    raise MalformedFile("the file ends without any frame", line=number)


def _frames(lines: Iterator[Line]) -> Iterator[_Frame]:
    frame: _Frame | None = None
    for line in lines:
        word = line.words[0]
        if len(line.words) == 1 and word.isdecimal():
            if len(word) > 9 or not word.isascii():
                raise MalformedFile(f"expected a frame number below 1e9, found {shown(word)}", line=line.number)
            if frame is not None:
                yield frame
            frame = _Frame(int(word), line.number, [])
        elif frame is None:
            raise MalformedFile(f"expected the number of the first frame, found {shown(word)}", line=line.number)
        else:
            frame.bones.append(line)
    if frame is not None:
        yield frame


def _values(frames: Iterator[_Frame], asf: AcclaimSkeleton, notes: list[str]) -> FloatArray:
    """Collect all degrees of freedom (F, D), joint by joint in the skeleton's order."""
    names, joints = asf.skeleton.names, asf.skeleton.joint_count
    ends = np.cumsum([len(freedoms) for freedoms in asf.freedoms]).tolist()
    slots = {name: slice(end - len(own), end) for name, own, end in zip(names, asf.freedoms, ends, strict=True)}
    still = array("d", bytes(8 * ends[-1]))
    values = array("d")
    count = skipped = before = 0
    given = dict.fromkeys(names, 0)
    for frame in frames:
        count += 1
        if count * joints > MAX_JOINT_FRAMES:
            raise MalformedFile(f"more than {count - 1:,} frames of {joints:,} joints are not read", line=frame.line)
        if count > 1 and frame.number <= before:
            raise MalformedFile(f"frame {frame.number} after frame {before}, expected a later one", line=frame.line)
        skipped += frame.number - before - 1 if count > 1 else 0
        before = frame.number
        row = still[:]
        for name in _fill(row, frame, slots):
            given[name] += 1
        values.extend(row)
    if skipped:
        notes.append(f"the frame numbers leave out {skipped:,} frames: those given follow each other at the full rate")
    missing = [
        f"{name} in {count - given[name]:,}"
        for name, own in zip(names, asf.freedoms, strict=True)
        if own and given[name] < count
    ]
    if missing:
        listed = ", ".join(missing[:8]) + (", …" if missing[8:] else "")
        notes.append(f"bones without values in some frames, taken as zero: {listed}")
    return np.array(values).reshape(count, ends[-1])


def _fill(row: array[float], frame: _Frame, slots: dict[str, slice]) -> set[str]:
    """Write a frame's values into their places in a row; return the bones it names."""
    seen: set[str] = set()
    for line, (name, *words) in frame.bones:
        slot = slots.get(name)
        if slot is None:
            raise unknown_bone(name, tuple(slots), line)
        if name in seen:
            raise MalformedFile(f"{shown(name)} is given twice in frame {frame.number}", line=line)
        if len(words) != slot.stop - slot.start:
            raise MalformedFile(
                f"{shown(name)} has {len(words)} values in frame {frame.number}, "
                f"expected {slot.stop - slot.start} as the skeleton says",
                line=line,
            )
        row[slot] = array("d", numbers(words, f"{name} in frame {frame.number}", line))
        seen.add(name)
    return seen


def _columns(asf: AcclaimSkeleton, kinds: Sequence[str]) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield the joints that have degrees of freedom of these kinds, and the column of each in the file's order."""
    column = 0
    for joint, freedoms in enumerate(asf.freedoms):
        chosen = {freedom: column + place for place, freedom in enumerate(freedoms) if freedom in kinds}
        column += len(freedoms)
        if chosen:
            yield joint, chosen


def _rotations(values: FloatArray, asf: AcclaimSkeleton, radians: float) -> FloatArray:
    """Return local rotations (F, J, 4) among frames parallel to the world's at rest."""
    by_letters: dict[str, tuple[list[int], list[list[int]]]] = {}
    for joint, columns in _columns(asf, TURNS):
        letters = "".join(turn[1].upper() for turn in columns)
        joints, chosen = by_letters.setdefault(letters, ([], []))
        joints.append(joint)
        chosen.append(list(columns.values()))
    rotations = quaternion.identity(len(values), asf.skeleton.joint_count)
    for letters, (joints, chosen) in by_letters.items():
        turns = turns_about_fixed_axes(values[:, chosen] * radians, letters)
        own_axes = asf.joint_axes[joints]
        rotations[:, joints] = quaternion.multiply(quaternion.multiply(own_axes, turns), quaternion.conjugate(own_axes))
    rotations[:, 0] = quaternion.multiply(rotations[:, 0], asf.root_rotation)
    return rotations


def _translations(values: FloatArray, asf: AcclaimSkeleton) -> FloatArray:
    """Return offsets from the parents (F, J, 3); the root's are its positions."""
    translations = np.tile(asf.skeleton.offsets, (len(values), 1, 1))
    for joint, columns in _columns(asf, SHIFTS):
        shifts = np.zeros((len(values), 3))
        for shift, column in columns.items():
            # File axis x, y, z is our axis y, z, x.
            shifts[:, (SHIFTS.index(shift) + 1) % 3] = values[:, column] * asf.metres_per_unit
        translations[:, joint] += quaternion.rotate(asf.joint_axes[joint], shifts)
    for joint, columns in _columns(asf, (STRETCH,)):
        # A bone that grows longer carries all that hangs on its end.
        longer = values[:, columns[STRETCH], None] * asf.metres_per_unit * asf.directions[joint]
        translations[:, asf.skeleton.children(joint)] += longer[:, None]
    return translations
