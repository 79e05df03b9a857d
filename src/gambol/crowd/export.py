"""A recording as files that other programs open: BVH, GLB and USD."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gambol.animate.blends import Blends
from gambol.crowd.recording import TIME_TOLERANCE, Recording
from gambol.errors import InvalidInput
from gambol.files.bvh import write_bvh
from gambol.files.gltf import write_cast_glb
from gambol.files.gltf.write import GlbActor
from gambol.files.reading import unique_names
from gambol.files.usd.write_crowd import CrowdMember, write_crowd_usd
from gambol.motion.edits import take
from gambol.motion.motion import Motion

Who = Sequence[int | str] | None


def write_recording_bvh(
    path: Path | str,
    recording: Recording,
    *,
    who: Who = None,
    from_s: float | None = None,
    until_s: float | None = None,
) -> tuple[Path, ...]:
    """Write one BVH file for each character, with its name inserted where there are several; return them.

    A file begins when its character comes, or at from_s, and ends when it leaves.
    who: numbers or names, by default everybody; those who are not there in this time are left out.
    """
    path = Path(path)
    members = _members(recording, who, from_s, until_s)
    names = [re.sub(r"[^\w.-]+", "_", member.name).strip("._") or "character" for member in members]
    if len({name.lower() for name in names}) < len(names):
        names = [f"{number}-{name}" for number, name in enumerate(names, start=1)]
    several = len(members) > 1
    paths = [path.with_name(f"{path.stem}-{name}{path.suffix}") if several else path for name in names]
    for target, member in zip(paths, members, strict=True):
        write_bvh(target, member.motion)
    return tuple(paths)


def write_recording_glb(
    path: Path | str,
    recording: Recording,
    *,
    who: Who = None,
    from_s: float | None = None,
    until_s: float | None = None,
) -> None:
    """Write characters into one GLB file, on one clock that begins at from_s.

    The format has no way to hide: who is not there yet stands in the first pose, who has left stays in the last.
    who: numbers or names, by default everybody; those who are not there in this time are left out.
    """
    begin_s, end_s = time_range(recording, from_s, until_s)
    members = _members(recording, who, from_s, until_s)
    write_cast_glb(path, [GlbActor(member.name, _held(member, begin_s, end_s)) for member in members])


def write_recording_usd(
    path: Path | str,
    recording: Recording,
    *,
    who: Who = None,
    from_s: float | None = None,
    until_s: float | None = None,
    instanced: bool = True,
) -> None:
    """Write characters into one USD stage on the recording's clock: a prototype for each kind, and instances.

    who: numbers or names, by default everybody; those who are not there in this time are left out.
    instanced: False for programs that cannot take instances; see `write_crowd_usd`.
    """
    begin_s, end_s = time_range(recording, from_s, until_s)
    members = _members(recording, who, from_s, until_s)
    write_crowd_usd(path, members, instanced=instanced, from_s=begin_s, until_s=end_s)


def chosen(recording: Recording, who: Who) -> list[int]:
    """Return numbers of characters given by number or name, each once and in order; by default all."""
    if who is None:
        return list(range(len(recording)))
    numbers = {recording.number(one) if isinstance(one, str) else int(one) for one in who}
    for number in numbers:
        if not 0 <= number < len(recording):
            raise InvalidInput(f"there is no character {number}; there are {len(recording)}, from 0 on")
    return sorted(numbers)


def time_range(recording: Recording, from_s: float | None, until_s: float | None) -> tuple[float, float]:
    """Return the part of a recording's time that is asked for; one that it does not have is an error."""
    begin_s = 0.0 if from_s is None else max(float(from_s), 0.0)
    end_s = recording.duration_s if until_s is None else min(float(until_s), recording.duration_s)
    if not begin_s <= end_s:
        raise InvalidInput(f"the recording has nothing from {begin_s:g} s to {end_s:g} s")
    return begin_s, end_s


def _members(recording: Recording, who: Who, from_s: float | None, until_s: float | None) -> list[CrowdMember]:
    begin_s, end_s = time_range(recording, from_s, until_s)
    numbers = [n for n in chosen(recording, who) if _is_there(recording, n, begin_s, end_s)]
    if not numbers:
        raise InvalidInput("nobody is there in this time of the recording")
    kinds, _ = unique_names(character.name for character in recording.characters)
    blends = {kind: Blends.of(recording.characters[kind]) for kind in {int(recording.kind[n]) for n in numbers}}
    return [
        CrowdMember(
            recording.names[n],
            kinds[recording.kind[n]],
            recording.motion(n, begin_s, end_s, blends=blends[int(recording.kind[n])]),
            recording.motion_start_s(n, begin_s),
        )
        for n in numbers
    ]


def _is_there(recording: Recording, n: int, begin_s: float, end_s: float) -> bool:
    first, last = recording.presence(n)
    return first <= last and first / recording.rate_hz <= end_s and begin_s <= last / recording.rate_hz


def _held(member: CrowdMember, begin_s: float, end_s: float) -> Motion:
    """Return a motion that lasts all the time: it waits in its first pose and stays in its last."""
    motion = member.motion
    before = round((member.start_s - begin_s) * motion.rate_hz)
    count = int((end_s - begin_s) * motion.rate_hz + TIME_TOLERANCE) + 1
    frames = np.clip(np.arange(count) - before, 0, motion.frame_count - 1)
    return take(motion, frames)
