"""A plan: the steps chosen, what they cost, how it went and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Character
from gambol.characters.step import Step
from gambol.geometry.arrays import FloatArray
from gambol.notebook import mime_bundle

if TYPE_CHECKING:
    from gambol.search.problem import Problem
    from gambol.trees.question import Journey


class Outcome(StrEnum):
    """How a search ended."""

    FOUND = "found"
    PARTIAL = "partial"  # interrupted: the steps lead towards the goal
    UNREACHABLE = "unreachable"
    START_BLOCKED = "start_blocked"
    GOAL_BLOCKED = "goal_blocked"
    OUT_OF_BUDGET = "out_of_budget"  # the steps lead as near to the goal as the search came


@dataclass(frozen=True)
class SearchStatistics:
    """What a search did."""

    expansions: int = 0
    nodes: int = 0  # states stored: the size of the search tree
    generated: int = 0  # successors looked at, nodes of precomputed trees traced
    collision_samples: int = 0  # instants of clips looked up in the world
    time_s: float = 0.0  # wall clock of the search; not part of "the same output"
    setup_time_s: float = 0.0  # of compiling world, character and bound, where not done before
    bytes_used: int = 0
    look_ups: int = 0  # queries of search trees
    fell_back: bool = False  # the trees had no answer, and another planner went on


@dataclass(frozen=True, eq=False)
class SearchTrace:
    """The search tree, for looking at: every stored node."""

    poses: FloatArray  # (N, 3)
    parents: NDArray[np.int32]  # (N,) -1 at the root
    costs: FloatArray  # (N,) from the start
    behaviors: NDArray[np.int32]  # (N,) -1 at the root
    frames: NDArray[np.int32]  # (N,)
    expanded: NDArray[np.bool_]  # (N,)


@dataclass(frozen=True, eq=False)
class Plan:
    """What a planner hands back; failure is an answer too.

    `path_of(plan)` in `gambol.search.runs` returns its poses at every planning frame.
    """

    outcome: Outcome
    reason: str  # a sentence; empty when found
    character: Character
    steps: tuple[Step, ...] = ()
    cost: float = 0.0
    bound: float = np.inf  # the cost is at most this many times the best possible
    statistics: SearchStatistics = SearchStatistics()
    trace: SearchTrace | None = None
    journey: Journey | None = None  # of a plan by look-up
    problem: Problem | None = None  # what it solves; None: of a plan that was read from a file

    _repr_mimebundle_ = mime_bundle

    @property
    def found(self) -> bool:
        return self.outcome is Outcome.FOUND

    @property
    def behaviors(self) -> tuple[str, ...]:
        """Names of the behaviors played, in order."""
        return tuple(self.character.behaviors[step.behavior].name for step in self.steps)

    @property
    def frame_count(self) -> int:
        """Planning frames that the steps last."""
        return sum(self.character.behaviors[step.behavior].clips[step.clip].duration for step in self.steps)

    @property
    def duration_s(self) -> float:
        return self.frame_count / self.character.planning_rate_hz
