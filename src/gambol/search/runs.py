"""A plan as runs of behaviors, and as the path of the root."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

import numpy as np

from gambol.characters.character import Behavior
from gambol.characters.step import clip_of
from gambol.geometry.arrays import FloatArray
from gambol.search.plan import Plan


class Run(NamedTuple):
    """The same behavior played one or more times in a row; steps left and right ahead count as the same."""

    behavior: str
    kind: str
    times: int  # how often in a row
    first: int  # first row of the plan's path
    last: int  # last row

    @property
    def words(self) -> str:
        """What a label says."""
        return self.behavior if self.times == 1 else f"{self.behavior} ×{self.times}"


def path_of(plan: Plan) -> FloatArray:
    """Return the poses (K, 3) of a plan at every planning frame."""
    if not plan.steps:
        return np.empty((0, 3))
    placed = [clip_of(plan.character, step).place(np.array(step.pose)) for step in plan.steps]
    return np.concatenate((*(piece[:-1] for piece in placed), placed[-1][-1:]))


def runs_of(plan: Plan) -> tuple[Run, ...]:
    """Return the behaviors that a plan plays, those in a row taken together."""
    found, frame = [], 0
    character = plan.character
    for name, group in groupby(plan.steps, key=lambda step: _sideless(character.behaviors[step.behavior])):
        steps = list(group)
        own = {character.behaviors[step.behavior].name for step in steps}
        last = frame + sum(clip_of(character, step).duration for step in steps)
        kind = character.behaviors[steps[0].behavior].kind
        found.append(Run(own.pop() if len(own) == 1 else name, kind, len(steps), frame, last))
        frame = last
    return tuple(found)


def _sideless(behavior: Behavior) -> str:
    """Return a behavior's name; of one that leads ahead, without the foot that it begins with."""
    if behavior.kind != "forward":
        return behavior.name
    return "-".join(part for part in behavior.name.split("-") if part not in ("left", "right")) or behavior.name
