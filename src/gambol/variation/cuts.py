"""Read examples from motion files, whole or cut: `walk.bvh`, or `walk.bvh@58-193,193-328`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gambol.errors import InvalidInput
from gambol.files.bvh.t_pose import starts_with_t_pose
from gambol.files.formats import ReadOptions, read_motion
from gambol.geometry import planar, quaternion
from gambol.motion import edits
from gambol.motion.contacts import detect_contacts
from gambol.motion.motion import Motion
from gambol.variation.examples import RATE_HZ, Example, cut_example

_RANGES = re.compile(r"\d+-\d+(,\d+-\d+)*")
#: Share of the joints' mean distance from their mean place: examples whose joints end nearer than this to where they
#: began are cycles.  Captured walks, strokes and jumping jacks have 0.25 to 0.5, jumps 0.75.
CYCLIC_SHARE = 0.6


class Cut(NamedTuple):
    """A motion file, and the ranges of frames to take from it."""

    path: Path
    ranges: tuple[tuple[int, int], ...] = ()  # first and last frames, counted as in the file; none: the whole file

    @property
    def names(self) -> list[str]:
        """Return the names of its examples."""
        return [f"{self.path.stem} {first}-{last}" for first, last in self.ranges] or [self.path.stem]


class ReadExamples(NamedTuple):
    """Examples from files, and notes about the files."""

    items: tuple[Example, ...]
    notes: tuple[str, ...]


def parse_cut(text: str) -> Cut:
    """Parse `FILE`, `FILE@first-last` or `FILE@first-last,first-last`."""
    path, at, ranges = text.rpartition("@")
    if not at or Path(text).exists():
        return Cut(Path(text))
    if not _RANGES.fullmatch(ranges):
        raise InvalidInput(f"{text!r}: a cut is FILE@first-last, or FILE@first-last,first-last with frames of the file")
    pairs = tuple((int(first), int(last)) for first, _, last in (part.partition("-") for part in ranges.split(",")))
    for first, last in pairs:
        if first >= last:
            raise InvalidInput(f"{text!r}: frame {first} is not before frame {last}")
    return Cut(Path(path), pairs)


def read_examples(
    cuts: Sequence[Cut],
    *,
    options: ReadOptions | None = None,
    rate_hz: float = RATE_HZ,
    say: Callable[[str, float], None] | None = None,
) -> ReadExamples:
    """Read files and cut them; contacts and the ground are detected in the whole file, before it is cut."""
    items: list[Example] = []
    notes: list[tuple[str, str]] = []  # a note, and the file's name
    for number, cut in enumerate(cuts):
        if say is not None:
            say(f"reading {cut.path.name}", number / len(cuts))
        take, left_out, said = _read(cut.path, options or ReadOptions())
        notes += [(note, cut.path.name) for note in said]
        contacts = detect_contacts(take)
        last_frame = take.frame_count - 1
        for name, (first, last) in zip(cut.names, cut.ranges or ((left_out, left_out + last_frame),), strict=True):
            if not left_out <= first < last <= last_frame + left_out:
                raise InvalidInput(
                    f"{cut.path}: no frames {first} to {last}; the file has {left_out} to {last_frame + left_out}"
                    + (", after its T-pose" if left_out else "")
                )
            items.append(cut_example(name, take, first - left_out, last - left_out, rate_hz=rate_hz, contacts=contacts))
    files = {note: dict.fromkeys(file for other, file in notes if other == note) for note, _ in notes}
    return ReadExamples(
        tuple(_with_own_names(items)), tuple(f"{', '.join(names)}: {note}" for note, names in files.items())
    )


def are_cyclic(items: Sequence[Example]) -> bool:
    """Return whether examples look like cycles: most end as they began."""
    shares = []
    for item in items:
        joints = _joints_from_root(item.motion)
        reach = np.linalg.norm(joints - joints.mean(axis=0), axis=-1).mean()
        gap = np.linalg.norm(joints[-1] - joints[0], axis=-1).mean()
        shares.append(gap / max(float(reach), 1e-9))
    return float(np.median(shares)) < CYCLIC_SHARE


def _joints_from_root(motion: Motion) -> np.ndarray:
    """Return joints (F, J, 3) from the ground below the root, turned so that the root faces +X."""
    joints = motion.world_positions - motion.root_positions[:, None] * np.array([1.0, 1.0, 0.0])
    headings = quaternion.heading(motion.rotations[:, 0])[:, None]
    return np.concatenate((planar.rotate(-headings, joints[..., :2]), joints[..., 2:]), axis=-1)


def _read(path: Path, options: ReadOptions) -> tuple[Motion, int, tuple[str, ...]]:
    """Return a motion, how many frames of its file were left out before it, and notes."""
    if path.suffix.lower() != ".bvh":
        reading = read_motion(path, options)
        return reading.motion, 0, reading.notes
    # The reader does not say whether it dropped a T-pose, and frames count as in the file.
    t_pose = options.t_pose or "auto"
    if t_pose not in ("auto", "drop", "keep"):
        raise InvalidInput(f't_pose must be "auto", "drop" or "keep", not {t_pose!r}')
    reading = read_motion(path, replace(options, t_pose="keep"))
    drops = t_pose == "drop" or (t_pose == "auto" and starts_with_t_pose(reading.motion))
    if drops and reading.motion.frame_count > 1:
        note = "the first frame is a T-pose and left out; frames are counted with it"
        return edits.cut(reading.motion, 1, reading.motion.frame_count - 1), 1, (*reading.notes, note)
    return reading.motion, 0, reading.notes


def _with_own_names(items: Sequence[Example]) -> list[Example]:
    """Number examples of the same name: they come from files of the same name in several folders."""
    seen: dict[str, int] = {}
    named = []
    for item in items:
        seen[item.name] = seen.get(item.name, 0) + 1
        named.append(item if seen[item.name] == 1 else item._replace(name=f"{item.name} ({seen[item.name]})"))
    return named
