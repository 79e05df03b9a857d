"""Convert a motion from one file to another."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from gambol.errors import MalformedFile
from gambol.files.disk import read_bytes
from gambol.files.formats import ReadOptions, read_motion, write_motion
from gambol.files.reading import Reading
from gambol.motion import edits, joint_names
from gambol.motion.root_modes import set_root_mode


@dataclass(frozen=True)
class Conversion:
    """The changes to make between reading and writing."""

    scale: float = 1.0  # > 0: factor on the figure and its path
    rate_hz: float | None = None  # frames a second to write; None keeps the rate
    root: str = "hips"  # one of gambol.motion.root_modes.ROOT_MODES
    names: Mapping[str, str] | None = None  # new names of joints by their old ones
    out_unit: str | float | None = None  # unit of a BVH file that is written


def convert_motion(
    source: Path, target: Path, conversion: Conversion | None = None, options: ReadOptions | None = None
) -> Reading:
    """Read a motion, change it and write it; return the written motion, with the reader's notes."""
    conversion = conversion or Conversion()
    reading = read_motion(source, options)
    motion = reading.motion
    notes = list(reading.notes)
    if conversion.names is not None:
        kept = [name for name in motion.skeleton.names if name not in conversion.names]
        if kept:
            notes.append(f"{len(kept)} joints keep their names, as the map has none for them: {', '.join(kept)}")
        motion = replace(motion, skeleton=joint_names.rename(motion.skeleton, conversion.names))
    if conversion.scale != 1.0:
        motion = edits.scale(motion, conversion.scale)
    if conversion.rate_hz is not None:
        motion = edits.resample(motion, conversion.rate_hz)
    motion = set_root_mode(motion, conversion.root)
    write_motion(target, motion, unit=conversion.out_unit)
    return Reading(motion, tuple(notes))


def parse_name_map(text: str) -> Mapping[str, str]:
    """Return a map by the name of a program ("mixamo"), its inverse ("to-mixamo"), or from a JSON file."""
    if not text.lower().endswith(".json"):
        inverse = text.startswith("to-")
        names = joint_names.name_map(text.removeprefix("to-"))
        return {ours: other for other, ours in names.items()} if inverse else names
    data = read_bytes(text, max_bytes=1 << 20)
    try:
        names = json.loads(data)
    except ValueError as error:
        raise MalformedFile(f"not JSON: {error}", path=text) from None
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise MalformedFile('expected an object of joint names, {"old": "new", …}', path=text)
    return names
