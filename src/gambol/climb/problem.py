"""What a climber is asked: from where, to where, as whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from gambol.climb.figure import Figure
from gambol.climb.modes import Mode
from gambol.errors import InvalidInput
from gambol.world.environment import Environment


@dataclass(frozen=True)
class ClimbStart:
    """Where the figure is at first: standing on, or hanging from, the grasp points nearest to a place."""

    x: float
    z: float  # of the ground under it; of the bars above it, if it hangs
    facing: int = 1  # 1: towards +x, -1: towards -x
    mode: Mode = Mode.WALK

    def __post_init__(self) -> None:
        if self.facing not in (-1, 1):
            raise InvalidInput(f"a figure faces 1 or -1, not {self.facing}")


@dataclass(frozen=True)
class ClimbGoal:
    """Where its centre of mass is to arrive; with a mode, in that mode only."""

    x: float
    z: float
    tolerance_m: float = 0.35
    mode: Mode | None = None

    def __post_init__(self) -> None:
        if not self.tolerance_m > 0.0:
            raise InvalidInput(f"a tolerance must be positive, not {self.tolerance_m:g}")


@dataclass(frozen=True, eq=False)
class ClimbProblem:
    """Everything a climber needs."""

    environment: Environment
    start: ClimbStart
    goal: ClimbGoal
    figure: Figure = field(default_factory=Figure)
    seed: int = 0
    max_stances: int = 20_000  # stances looked at, by the search over stances
    time_limit_s: float | None = None  # what is found then depends on the machine
