"""What trees are asked, and what they answer: enough to ask the same again and to look at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol.characters.step import Step
from gambol.search.problem import Goal
from gambol.trees.look_up import Answer, LookUp
from gambol.world.world import Pose


@dataclass(frozen=True, eq=False)
class Question:
    """One look-up."""

    look_up: LookUp
    start: Pose
    frame: int
    goal: Goal
    first: NDArray[np.bool_] | None  # (B,) behaviors that may come first; None: all that the tree begins with
    last: NDArray[np.bool_]  # (B,) behaviors that may come last
    after: int | None = None  # behavior that is played before
    stays: bool = False

    def ask(self) -> Answer:
        return self.look_up.one(
            self.start, self.goal, frame=self.frame, first=self.first, last=self.last, after=self.after,
            stays=self.stays,
        )  # fmt: skip

    def steps(self, node: int) -> tuple[Step, ...]:
        """Return the steps to a node of the tree."""
        return self.look_up.steps(node, self.start, frame=self.frame)


class Way(NamedTuple):
    """Steps, their cost, and the look-up that they are from, of which they may be one step more."""

    cost: float
    steps: tuple[Step, ...]
    question: Question | None = None


@dataclass(frozen=True, eq=False)
class Look:
    """A look-up whose path, or its beginning, is a part of a trip."""

    begins: int  # after how many steps of the trip
    way: Way | None  # None: only time was let pass


@dataclass(frozen=True, eq=False)
class Journey:
    """What a plan was looked up by, for looking at."""

    looks: tuple[Look, ...]
    in_vain: Question | None = None  # where trees led no farther: the first that had no answer
