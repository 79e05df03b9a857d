"""The climbers of a scene, as a file states them; the planner makes problems of them."""

from __future__ import annotations

from dataclasses import dataclass

from gambol.characters.character import Character
from gambol.search.problem import Goal
from gambol.world.world import Pose


@dataclass(frozen=True)
class FigureWish:
    """The body of a climber: one of the named figures, or an adult with changed proportions."""

    name: str = "adult"  # name of a figure; "": the numbers below count
    stature_m: float = 1.75
    legs: float = 1.0  # > 0: length relative to an adult's of this stature; larger is longer
    arms: float = 1.0
    head: float = 1.0


@dataclass(frozen=True, eq=False)
class ClimbActor:
    """One climber: its body, its start and its goal."""

    name: str
    figure: FigureWish
    start: tuple[float, float]  # x, z of the ground below the climber, or of the bars it hangs from
    facing: int  # 1: towards +x, -1: towards -x
    mode: str  # how it moves at the start: walk, climb, swing or crawl
    goal: tuple[float, float]  # x, z of the centre of mass
    tolerance_m: float = 0.35
    goal_mode: str | None = None
    max_stances: int = 20_000
    character: Character | None = None  # for the ground; None: no approach and no onward
    approach: Pose | None = None  # pose on the ground before the climb's start
    onward: Goal | None = None  # goal on the ground after the climb's goal
