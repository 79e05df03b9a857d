"""The result of a reader."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gambol.motion.motion import Motion


@dataclass(frozen=True, eq=False)
class Reading:
    """A motion, and notes about its file: guesses, oddities, repairs."""

    motion: Motion
    notes: tuple[str, ...] = ()
    first_frame: int = 0  # the motion's first frame, counted as in the file: 1 after a dropped T-pose


def unique_names(names: Iterable[str]) -> tuple[tuple[str, ...], list[str]]:
    """Number the repetitions of a name ("Hand", "Hand_2"), with a note for each renamed one."""
    taken = set(names := list(names))
    seen: set[str] = set()
    numbers: dict[str, int] = {}
    result, notes = [], []
    for name in names:
        free = name
        while free in seen or (free != name and free in taken):
            numbers[name] = numbers.get(name, 1) + 1
            free = f"{name}_{numbers[name]}"
        if free != name:
            notes.append(f"joint name {name!r} occurs more than once: one of them is now {free!r}")
        seen.add(free)
        result.append(free)
    return tuple(result), notes
