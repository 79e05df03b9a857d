"""Ways that look-ups found, and what of them is a part of a trip."""

from __future__ import annotations

from typing import NamedTuple

from gambol.characters import Step
from gambol.trees.question import Question


class Way(NamedTuple):
    """Steps, their cost, and the look-up that they are from, of which they may be one step more."""

    cost: float
    steps: tuple[Step, ...]
    question: Question | None = None


class Look(NamedTuple):
    """A look-up whose path, or its beginning, is a part of a trip."""

    begins: int  # after this number of the trip's steps
    way: Way | None  # None: only time was let pass
