"""Walks that are known to fit, others that fit, and some made unlike them, for the items on screening [L09 5.7]."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from evidence.reproductions.unlike_motions import turned, with_arms_raised, with_arms_swung
from evidence.reproductions.variation_inputs import FOUR, inputs_of
from gambol.motion import edits
from gambol.variation import Example, Screening, cut_example, screen

KNOWN = 8
RAISED_DEG, SWUNG, BENT_DEG, SLOWER = 20.0, 2.0, 20.0, 0.75
UNLIKE = (
    f"arms raised by {RAISED_DEG:g}° and swinging {SWUNG:g} times as far", f"a bend of {BENT_DEG:g}° to the right",
    f"{1.0 / SLOWER:.2f} times as long a cycle",
)  # fmt: skip
BY_PARTS, PRINTED = "by parts", "as printed"


class Walks(NamedTuple):
    """Walk cycles, none in two groups."""

    known: list[Example]  # eight
    similar: list[Example]  # four


def sound_walks() -> Walks:
    """Return walks that are known to fit and four that are not told to."""
    walks = inputs_of("walk")
    every = [*walks.others, *walks.four]
    return Walks(every[:KNOWN], every[-FOUR:])


def high_arms(example: Example) -> Example:
    """Return a walk whose arms are raised and swing farther."""
    made = with_arms_swung(with_arms_raised(example, RAISED_DEG), SWUNG)
    return made._replace(name=f"{example.name}, high arms")


def veering(example: Example) -> Example:
    """Return a walk that turns to the right."""
    return turned(example, -BENT_DEG)


def slower(example: Example) -> Example:
    """Return a walk that takes longer for the same steps."""
    motion = edits.retime(example.motion, speed=SLOWER)
    contacts = cut_example(example.name, motion).contacts
    return Example(motion, replace(contacts, points=example.contacts.points), f"{example.name}, slower")


def judged(known: list[Example], new: list[Example], *, by_parts: bool, quick: bool) -> Screening:
    """Return what a screening says; all splits, or one round of them."""
    return screen(known, new, by_parts=by_parts, rounds=1 if quick else None, cyclic=True)
