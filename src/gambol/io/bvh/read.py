"""BVH in: text to motion.

Position channels replace a joint's offset (as in Blender), rotations compose in the order of the
channels, and what the file leaves open (unit, true rate, a leading T-pose) is recognised, said
and can be overruled.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import FileProblem, InvalidInput, MalformedFile
from gambol.geometry import quaternion
from gambol.io import axes
from gambol.io.bvh.hierarchy import (
    MAX_VALUE,
    POSITION_CHANNELS,
    ROTATION_CHANNELS,
    Hierarchy,
    Token,
    parse_hierarchy,
    parse_number,
    shown,
)
from gambol.io.bvh.t_pose import starts_with_t_pose
from gambol.io.files import read_bytes
from gambol.io.reading import Reading, unique_names
from gambol.io.units import AUTO, guess_unit, metres_per_unit
from gambol.motion.edits import cut
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

FloatArray = NDArray[np.float64]
MAX_JOINT_FRAMES = 1 << 26  # joints times frames held in memory: about six hours of 24 joints at 120 Hz

_MOTION_LINE = re.compile(r"^[ \t]*MOTION[ \t]*$", re.IGNORECASE | re.MULTILINE)
_LINE_END = re.compile(r"\r\n|\r|\n")
_HEADER = re.compile(
    r"\s*Frames\s*:?\s*(?P<frames>\S*)\s+Frame\s+Time\s*:?[ \t]*(?P<time>\S*)[^\S\n]*\n?", re.IGNORECASE
)


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
    rate_hz: the true rate, where the file's Frame Time lies.
    t_pose: "auto" drops a T-pose inserted as first frame, "drop" drops the first frame, "keep" keeps it.
    """
    if t_pose not in ("auto", "drop", "keep"):
        raise InvalidInput(f't_pose must be "auto", "drop" or "keep", not {t_pose!r}')
    text, notes = _decode(data)
    text = _LINE_END.sub("\n", text)
    split = _MOTION_LINE.search(text)
    hierarchy = parse_hierarchy(text[: split.start()] if split else text)
    if split is None:
        raise MalformedFile("the file ends after the hierarchy; expected MOTION", line=text.count("\n") + 1)
    table = _parse_table(text, split.end(), hierarchy, rate_hz)
    notes += hierarchy.notes + table.notes

    names, renamed = unique_names(joint.name for joint in hierarchy.joints)
    unscaled = _skeleton(hierarchy, names, 1.0)
    if unit == AUTO:
        unit = guess_unit(unscaled)
        scale = metres_per_unit(unit)
        notes.append(f"unit guessed from body size: {unit} ({scale:.6g} m)")
    scale = metres_per_unit(unit)
    motion = _motion(hierarchy, _skeleton(hierarchy, names, scale), table, scale)
    notes += renamed + _drop_out_notes(hierarchy, table)
    if t_pose == "drop" or (t_pose == "auto" and starts_with_t_pose(motion)):
        if motion.frame_count > 1:
            motion = cut(motion, 1, motion.frame_count - 1)
            notes.append("the first frame is a T-pose and was dropped")
    return Reading(motion, tuple(notes))


def _decode(data: bytes | str) -> tuple[str, list[str]]:
    if isinstance(data, str):
        return data, []
    if not data.strip():
        raise MalformedFile("the file is empty; expected HIERARCHY", line=1)
    if b"\0" in data:
        raise MalformedFile("this is a binary file, not BVH text", line=data[: data.index(b"\0")].count(b"\n") + 1)
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        return data.decode("latin-1"), ["the text is not UTF-8; read as Latin-1"]


def _parse_table(text: str, start: int, hierarchy: Hierarchy, rate_hz: float | None) -> _Table:
    line = text.count("\n", 0, start) + 1
    header = _HEADER.match(text, start)
    if header is None:
        found = text[start : start + 200].split()
        raise MalformedFile(
            f"expected 'Frames: N' and 'Frame Time: S' after MOTION, found {shown(' '.join(found[:4]))}", line=line + 1
        )
    notes: list[str] = []
    frames_line = line + text.count("\n", start, header.start("frames"))
    time_line = line + text.count("\n", start, header.start("time"))
    if rate_hz is None:
        rate_hz = _rate(Token(header["time"], time_line))
    elif not (np.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"the true rate must be positive, not {rate_hz}")
    values = _parse_values(text, header.end(), hierarchy, header["frames"], frames_line, notes)
    return _Table(values, rate_hz, notes)


def _rate(token: Token) -> float:
    """Return the rate of a Frame Time, taking printed digits as rounded: .0083333 means 120 Hz."""
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


def _parse_values(
    text: str, start: int, hierarchy: Hierarchy, claim: str, claim_line: int, notes: list[str]
) -> FloatArray:
    """Read the numbers as rows of one frame each, and set the claimed number of frames beside them."""
    channels = hierarchy.channel_count
    claimed = int(parse_number(Token(claim, claim_line), "Frames"))
    if channels == 0:
        notes.append("no joint has channels; kept one frame of the rest pose")
        return np.zeros((1, 0))
    body = text[start:]
    values = _numbers(body)
    if values is None:
        raise _bad_number(text, start, hierarchy)
    if len(values) == 0:
        raise MalformedFile("the file holds no frames", line=text.count("\n") + 1)
    if len(values) != claimed * channels:
        rows = _checked_rows(body, text.count("\n", 0, start) + 1, channels)
        notes.append(f"the file claims {claim} frames and holds {rows}; kept those {rows}")
    if (len(values) // channels) * len(hierarchy.joints) > MAX_JOINT_FRAMES:
        raise MalformedFile(
            f"{len(values) // channels:,} frames of {len(hierarchy.joints):,} joints are more than is read",
            line=claim_line,
        )
    if not np.all(np.abs(values) <= MAX_VALUE):
        raise _bad_number(text, start, hierarchy)
    return values.reshape(-1, channels)


def _numbers(body: str) -> FloatArray | None:
    """Parse white-space separated numbers, or return None where one is malformed."""
    if not body.isascii():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(body, sep=" ") if body.strip() else np.empty(0)
        except (DeprecationWarning, ValueError):
            return None


def _checked_rows(body: str, first_line: int, channels: int) -> int:
    """Count the lines that hold one frame each; a line with another number of values is an error."""
    rows = 0
    for index, row in enumerate(body.split("\n")):
        count = len(row.split())
        if count == 0:
            continue
        if count != channels:
            last = row.split()[-1]
            raise MalformedFile(
                f"frame {rows} has {count} values, expected {channels}; the last is {shown(last)}",
                line=first_line + index,
            )
        rows += 1
    return rows


def _bad_number(text: str, start: int, hierarchy: Hierarchy) -> MalformedFile:
    """Find the first token that is no plausible number and describe it."""
    labels = [f"{joint.name} {channel}" for joint in hierarchy.joints for channel in joint.channels]
    line = text.count("\n", 0, start) + 1
    position = 0
    for row in text[start:].split("\n"):
        for word in row.split():
            what = f"frame {position // len(labels)}, {shown(labels[position % len(labels)])}"
            try:
                parse_number(Token(word, line), what)
            except MalformedFile as error:
                return error
            if not word.isascii() or "_" in word:
                return MalformedFile(f"expected a number for {what}, found {shown(word)}", line=line)
            position += 1
        line += 1
    return MalformedFile("the motion data cannot be read as numbers", line=line)


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
    rotations = quaternion.identity(frames, joints)
    translations = None
    by_order: dict[str, list[tuple[int, list[int]]]] = {}
    column = 0
    for index, joint in enumerate(hierarchy.joints):
        columns = dict(zip(joint.channels, range(column, column + len(joint.channels)), strict=True))
        column += len(joint.channels)
        turns = [channel for channel in columns if channel in ROTATION_CHANNELS]
        if turns:
            order = "".join(turn[0].upper() for turn in turns)
            by_order.setdefault(order, []).append((index, [columns[turn] for turn in turns]))
        for axis, channel in enumerate(POSITION_CHANNELS):
            if channel in columns:
                if translations is None:
                    translations = np.tile(skeleton.offsets, (frames, 1, 1))
                # File axis x, y, z is our axis y, z, x.
                translations[:, index, (axis + 1) % 3] = table.values[:, columns[channel]] * scale
    for order, members in by_order.items():
        chosen = [index for index, _ in members]
        degrees = table.values[:, [columns for _, columns in members]]
        rotations[:, chosen] = _turns(np.radians(degrees), order)
    if translations is None:
        translations = np.tile(skeleton.offsets, (frames, 1, 1))
    moving = np.any(translations[:, 1:] != skeleton.offsets[1:])
    return Motion(skeleton, table.rate_hz, translations[:, 0], rotations, translations if moving else None)


def _turns(angles: FloatArray, order: str) -> FloatArray:
    """Compose one to three turns about different file axes, in the order of the channels."""
    missing = "".join(letter for letter in "XYZ" if letter not in order)
    padded = np.zeros((*angles.shape[:-1], 3))
    padded[..., : len(order)] = angles
    return quaternion.from_euler(padded, axes.euler_order_from_y_up(order + missing))


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
