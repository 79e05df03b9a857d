"""What trees are asked, and what they answer: enough to ask the same again and to look at it."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, eq=False)
class Part:
    """A path of a tree, its beginning, or a single step: a part of a trip."""

    begins: int  # after this number of the trip's steps
    steps: tuple[Step, ...]
    start: Pose
    end: Pose
    look_up: LookUp | None  # of the tree; None: a single step
    question: Question | None  # which the path answers; None: it leads on to where the next part begins


@dataclass(frozen=True, eq=False)
class Journey:
    """What a plan by look-up is made of, for looking at."""

    parts: tuple[Part, ...]
    in_vain: Question | None = None  # where trees led no farther: what had no answer there
