"""Who climbs in a scene, as a file says it: plain values that the climber makes its problems of."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.characters.character import Character
from gambol.search.problem import Goal
from gambol.world.obstacle import Pose


@dataclass(frozen=True)
class FigureWish:
    """A body: one of those that have names, or an adult's proportions changed."""

    name: str = "adult"  # "": by the numbers
    stature_m: float = 1.75
    legs: float = 1.0
    arms: float = 1.0
    head: float = 1.0


@dataclass(frozen=True, eq=False)
class ClimbActor:
    """One of the cast of a climb: which body, from where, to where."""

    name: str
    figure: FigureWish
    start: tuple[float, float]  # x, z of the ground under it, or of the bars that it hangs from
    facing: int  # 1: towards +x, -1: towards -x
    mode: str  # at the start
    goal: tuple[float, float]  # x, z of the centre of mass
    tolerance_m: float = 0.35
    goal_mode: str | None = None
    max_stances: int = 20_000
    character: Character | None = None  # who goes over the ground; None: there is neither approach nor onward
    approach: Pose | None = None  # on the ground, from where it comes to the start
    onward: Goal | None = None  # on the ground, where it goes from the goal
