"""Characters in pictures of plans: name, color, plan, and the motion made from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gambol.characters.step import clip_of
from gambol.errors import InvalidInput
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.pictures.mesh import Color
from gambol.pictures.world_colors import character_color
from gambol.search.plan import Plan
from gambol.search.problem import Problem
from gambol.search.runs import Run, path_of, runs_of


@dataclass(frozen=True, eq=False)
class Shown:
    """A character's plan and the motion made from it."""

    name: str
    color: Color
    plan: Plan
    motion: Motion | None  # None: the plan has no steps
    problem: Problem | None  # gives the goal, if known

    def __post_init__(self) -> None:
        if (self.motion is None) != (len(self.plan.steps) == 0):
            raise InvalidInput(f"{self.name}: a plan with steps needs its motion, one without has none")

    @property
    def begins_s(self) -> float:
        """The world's time at which the motion begins."""
        return self.plan.steps[0].frame / self.plan.character.planning_rate_hz if self.plan.steps else 0.0

    @property
    def ends_s(self) -> float:
        """The world's time at which the motion ends."""
        return self.begins_s + (0.0 if self.motion is None else self.motion.duration_s)

    @cached_property
    def path(self) -> FloatArray:
        """Poses (K, 3) at every planning frame."""
        return path_of(self.plan)

    @cached_property
    def times_s(self) -> FloatArray:
        """The world's time (K,) at every pose of the path."""
        return self.begins_s + np.arange(len(self.path)) / self.plan.character.planning_rate_hz

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The behaviors played; equal ones in a row are one run."""
        return runs_of(self.plan)

    @property
    def start(self) -> FloatArray | None:
        """The pose (3,) of the start, if known."""
        if self.problem is not None:
            return np.array(self.problem.start)
        if self.plan.steps:
            return np.array(self.plan.steps[0].pose)
        return None if self.plan.trace is None else self.plan.trace.poses[0]

    def frame_at(self, time_s: float) -> int:
        """Return the motion's frame at a time of the world: before it the first, after it the last."""
        assert self.motion is not None
        frame = round((time_s - self.begins_s) * self.motion.rate_hz)
        return int(np.clip(frame, 0, self.motion.frame_count - 1))

    def behavior_at(self, time_s: float) -> str | None:
        """Return the behavior at a time of the world; None before and after the plan."""
        frame = time_s * self.plan.character.planning_rate_hz + 1e-6
        for step in self.plan.steps:
            if step.frame <= frame < step.frame + clip_of(self.plan.character, step).duration:
                return self.plan.character.behaviors[step.behavior].name
        return None


def show_all(
    plans: Sequence[Plan],
    motions: Sequence[Motion | None],
    problems: Sequence[Problem] | None,
    names: Sequence[str] | None,
) -> tuple[Shown, ...]:
    """Pair plans with motions, problems and names, and give each a color."""
    if len(motions) != len(plans):
        raise InvalidInput(f"{len(plans)} plans need as many motions (None where there is no plan), not {len(motions)}")
    for what, given in (("problems", problems), ("names", names)):
        if given is not None and len(given) != len(plans):
            raise InvalidInput(f"{len(plans)} plans need as many {what}, not {len(given)}")
    if not plans:
        raise InvalidInput("a picture of plans needs at least one plan")
    return tuple(
        Shown(
            _name(plan, index, len(plans)) if names is None else names[index],
            character_color(index),
            plan,
            motion,
            None if problems is None else problems[index],
        )
        for index, (plan, motion) in enumerate(zip(plans, motions, strict=True))
    )


def _name(plan: Plan, index: int, count: int) -> str:
    return plan.character.name if count == 1 else f"{plan.character.name} {index + 1}"
