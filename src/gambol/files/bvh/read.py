"""BVH in: text to motion.

Position channels replace a joint's offset (as in Blender), and rotations compose in the order of the channels.  The
reader guesses what a file leaves open (unit, true rate, a leading T-pose) and notes its guesses; options overrule them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gambol.core import lib, pointer
from gambol.errors import FileProblem, InvalidInput, MalformedFile
from gambol.files import axes
from gambol.files.bvh.hierarchy import (
    MAX_VALUE,
    POSITION_CHANNELS,
    ROTATION_CHANNELS,
    Hierarchy,
    Token,
    parse_hierarchy,
    parse_number,
    shown,
)
from gambol.files.bvh.numbers import first_bad_word, nth_word, ragged_line, read_numbers
from gambol.files.bvh.t_pose import STEPS as T_POSE_STEPS
from gambol.files.bvh.t_pose import starts_with_t_pose
from gambol.files.disk import read_bytes
from gambol.files.reading import Reading, unique_names
from gambol.files.units import AUTO, guess_unit, metres_per_unit
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

MAX_JOINT_FRAMES = 1 << 26  # the most joints times frames that are read: about six hours of 24 joints at 120 Hz

# White space is bounded so that a hostile run of it cannot make the search quadratic.
_MOTION_HEADER = re.compile(
    rb"MOTION\s{1,99}Frames\s{0,99}:?\s{0,99}(?P<frames>[^\s:]\S*)"
    rb"\s{1,99}Frame\s{1,99}Time\s{0,99}:?\s{0,99}(?P<time>[^\s:]\S*)",
    re.IGNORECASE,
)
_MOTION_LINE = re.compile(rb"[\r\n}][ \t]{0,99}$")
_LINE_END = re.compile(rb"\r\n|\r|\n")


@dataclass(frozen=True)
class _Table:
    """The lower half of a BVH file."""

    values: FloatArray  # (F, channels) in file units and degrees
    rate_hz: float
    notes: list[str]


def read_bvh(
    path: Path | str,
    *,
    unit: str | float = AUTO,
    rate_hz: float | None = None,
    t_pose: str = "auto",
) -> Reading:
    """Read a BVH file; see `parse_bvh` for the options."""
    try:
        return parse_bvh(read_bytes(path), unit=unit, rate_hz=rate_hz, t_pose=t_pose)
    except FileProblem as problem:
        raise problem.in_file(path) from None


def parse_bvh(
    data: bytes | str,
    *,
    unit: str | float = AUTO,
    rate_hz: float | None = None,
    t_pose: str = "auto",
) -> Reading:
    """Turn a BVH file's contents into a motion.

    unit: a name (m, cm, mm, inch, cmu), the metres in one file unit, or "auto" to guess from body size.
    rate_hz: the true rate, where the file's Frame Time is wrong.
    t_pose: "auto" drops a T-pose inserted as first frame, "drop" drops the first frame, "keep" keeps it.
    """
    if t_pose not in ("auto", "drop", "keep"):
        raise InvalidInput(f't_pose must be "auto", "drop" or "keep", not {t_pose!r}')
    data = _as_text(data)
    end = _end_of_hierarchy(data)
    header = _MOTION_HEADER.match(data, end)
    hierarchy = parse_hierarchy(_decode(data[:end]))
    if header is None:
        raise _missing_header(data, end)
    notes: list[str] = []
    table = _parse_table(data, header, hierarchy, rate_hz)
    notes += hierarchy.notes + table.notes

    names, renamed = unique_names(joint.name for joint in hierarchy.joints)
    unscaled = _skeleton(hierarchy, names, 1.0)
    if unit == AUTO:
        unit = guess_unit(unscaled)
        scale = metres_per_unit(unit)
        notes.append(f"unit guessed from body size: {unit} ({scale:.6g} m)")
    scale = metres_per_unit(unit)
    skeleton = _skeleton(hierarchy, names, scale)
    notes += renamed + _drop_out_notes(hierarchy, table)
    beginning = replace(table, values=table.values[:T_POSE_STEPS])
    first_frame = 0
    if len(table.values) > 1 and (
        t_pose == "drop" or (t_pose == "auto" and starts_with_t_pose(_motion(hierarchy, skeleton, beginning, scale)))
    ):
        table, first_frame = replace(table, values=table.values[1:]), 1
        notes.append("the first frame is a T-pose and was dropped")
    return Reading(_motion(hierarchy, skeleton, table, scale), tuple(notes), first_frame)


def _as_text(data: bytes | str) -> bytes:
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if not data.strip():
        raise MalformedFile("the file is empty; expected HIERARCHY", line=1)
    if b"\0" in data:
        raise MalformedFile("this is a binary file, not BVH text", line=_line(data, data.index(b"\0")))
    return data


def _decode(data: bytes) -> str:
    """Decode the hierarchy, whose names may hold any letters: as UTF-8, or else as Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _line(data: bytes, position: int) -> int:
    return len(_LINE_END.findall(data, 0, position)) + 1


def _end_of_hierarchy(data: bytes) -> int:
    """Return the place of the word MOTION at the start of a line or after a brace, or the data's end."""
    for spelled in (bytes, bytes.upper):  # nearly always it is in capitals: convert the text only where it is not
        text = spelled(data)
        at = text.find(b"MOTION")
        while at > 0 and not _MOTION_LINE.search(data, max(0, at - 100), at):
            at = text.find(b"MOTION", at + 1)
        if at > 0:
            return at
    return len(data)


def _missing_header(data: bytes, end: int) -> MalformedFile:
    if end == len(data):
        return MalformedFile("the file ends after the hierarchy; expected MOTION", line=_line(data, end))
    found = " ".join(_decode(data[end + len("MOTION") : end + 200]).split()[:4])
    return MalformedFile(
        f"expected 'Frames: N' and 'Frame Time: S' after MOTION, found {shown(found)}", line=_line(data, end)
    )


def _parse_table(data: bytes, header: re.Match[bytes], hierarchy: Hierarchy, rate_hz: float | None) -> _Table:
    if rate_hz is None:
        rate_hz = _rate(_header_token(data, header, "time"))
    elif not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"the true rate must be positive, not {rate_hz}")
    notes: list[str] = []
    values = _parse_values(data, header, hierarchy, notes)
    return _Table(values, rate_hz, notes)


def _header_token(data: bytes, header: re.Match[bytes], group: str) -> Token:
    return Token(_decode(header[group]), _line(data, header.start(group)))


def _rate(token: Token) -> float:
    """Return the rate of a Frame Time, whose digits are rounded: .0083333 means 120 Hz."""
    seconds = parse_number(token, "Frame Time")
    if seconds <= 1.0 / MAX_VALUE:
        raise MalformedFile(f"Frame Time is {shown(token.text)}, expected seconds above zero", line=token.line)
    rate = 1.0 / seconds
    mantissa, _, exponent = token.text.lower().partition("e")
    last_digit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2].rstrip()))
    for candidate in (round(rate), round(rate * 1.001) / 1.001):
        if candidate > 0 and abs(1.0 / candidate - seconds) <= last_digit:
            return float(candidate)
    return rate


def _parse_values(data: bytes, header: re.Match[bytes], hierarchy: Hierarchy, notes: list[str]) -> FloatArray:
    """Read the numbers as rows of one frame each, and compare them with the claimed number of frames."""
    claim = _header_token(data, header, "frames")
    claimed = parse_number(claim, "Frames")
    channels = hierarchy.channel_count
    if channels == 0:
        notes.append("no joint has channels; kept one frame of the rest pose")
        return np.zeros((1, 0))
    start = header.end()
    try:
        values = read_numbers(data, start)
    except ValueError:
        raise _bad_value(data, start, first_bad_word(data, start), hierarchy) from None
    count = len(values)
    if count == 0:
        raise MalformedFile("the file holds no frames", line=_line(data, len(data)))
    frames = count // channels
    if count != claimed * channels:
        ragged = ragged_line(data, start, channels)
        if ragged is not None:
            raise _bad_line(*ragged, channels, first_line=_line(data, start))
        notes.append(f"the file claims {claim.text} frames and holds {frames}; kept those {frames}")
    if frames * len(hierarchy.joints) > MAX_JOINT_FRAMES:
        raise MalformedFile(
            f"{frames:,} frames of {len(hierarchy.joints):,} joints are more than is read", line=claim.line
        )
    if not -MAX_VALUE <= values.min() <= values.max() <= MAX_VALUE:
        raise _bad_value(data, start, int(np.argmax(~(np.abs(values) <= MAX_VALUE))), hierarchy)
    return values.reshape(frames, channels)


def _bad_value(data: bytes, start: int, index: int, hierarchy: Hierarchy) -> MalformedFile:
    """Describe the index-th word of the table, which is no plausible number."""
    labels = [f"{joint.name} {channel}" for joint in hierarchy.joints for channel in joint.channels]
    word = nth_word(data, start, index)
    return MalformedFile(
        f"expected a number within ±{MAX_VALUE:.0e} for frame {index // len(labels)}, "
        f"{shown(labels[index % len(labels)])}; found {shown(_decode(word.group()))}",
        line=_line(data, word.start()),
    )


def _bad_line(lines_before: int, words: list[bytes], channels: int, *, first_line: int) -> MalformedFile:
    return MalformedFile(
        f"this line has {len(words)} values, expected {channels} in each frame; "
        f"the last is {shown(_decode(words[-1]))}",
        line=first_line + lines_before,
    )


def _skeleton(hierarchy: Hierarchy, names: tuple[str, ...], scale: float) -> Skeleton:
    return Skeleton(
        names,
        [joint.parent for joint in hierarchy.joints],
        axes.vectors_from_y_up([joint.offset for joint in hierarchy.joints]) * scale,
        [joint for joint, _ in hierarchy.tips],
        axes.vectors_from_y_up(np.reshape([offset for _, offset in hierarchy.tips], (-1, 3))) * scale,
    )


def _motion(hierarchy: Hierarchy, skeleton: Skeleton, table: _Table, scale: float) -> Motion:
    frames, joints = len(table.values), skeleton.joint_count
    columns, turn_axes = np.full((joints, 3), -1), np.zeros((joints, 3), dtype=np.int64)
    roots = np.tile(skeleton.offsets[0], (frames, 1))
    translations = None
    column = 0
    for index, joint in enumerate(hierarchy.joints):
        turns = 0
        for channel in joint.channels:
            # File axis x, y, z is our axis y, z, x.
            axis = ("xyz".index(channel[0]) + 1) % 3
            if channel in ROTATION_CHANNELS:
                columns[index, turns], turn_axes[index, turns] = column, axis
                turns += 1
            elif index == 0:
                roots[:, axis] = table.values[:, column] * scale
            else:
                if translations is None:
                    translations = np.tile(skeleton.offsets, (frames, 1, 1))
                translations[:, index, axis] = table.values[:, column] * scale
            column += 1
    rotations = np.empty((frames, joints, 4))
    values = np.ascontiguousarray(table.values)
    lib.gb_rotation_from_channels(
        pointer(values, "double"), frames, values.shape[1], pointer(columns, "int64_t"), pointer(turn_axes, "int64_t"),
        joints, pointer(rotations, "double"),
    )  # fmt: skip
    if translations is not None and not np.any(translations[:, 1:] != skeleton.offsets[1:]):
        translations = None
    return Motion(skeleton, table.rate_hz, roots, rotations, translations)


def _drop_out_notes(hierarchy: Hierarchy, table: _Table) -> list[str]:
    """Report frames whose root is at exactly zero among others that are not: capture drop-outs."""
    columns = [i for i, channel in enumerate(hierarchy.joints[0].channels) if channel in POSITION_CHANNELS]
    if not columns:
        return []
    zero = np.flatnonzero(np.all(table.values[:, columns] == 0.0, axis=1))
    if len(zero) in (0, len(table.values)):
        return []
    listed = ", ".join(map(str, zero[:8])) + (", …" if len(zero) > 8 else "")
    return [f"the root is at exactly zero in {len(zero)} frames (capture drop-outs): {listed}"]
