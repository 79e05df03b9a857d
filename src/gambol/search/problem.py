"""A problem: a character in a world, where it is and where it should get to."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from gambol.characters.character import Character
from gambol.errors import InvalidInput
from gambol.search.traffic import Traffic
from gambol.world.world import Pose, World

DEFAULT_TOLERANCE_M = 0.5
MOST_WAYPOINTS = 1000
LARGEST_COST = 1e6
DEFAULT_HEADING_TOLERANCE_RAD = float(np.radians(20.0))


@dataclass(frozen=True)
class Goal:
    """A disc to end a clip in; optionally facing a way, optionally with a certain behavior.

    Way-points are goals that are passed: some clip ends in each, in their order.
    """

    x: float
    y: float
    tolerance_m: float = DEFAULT_TOLERANCE_M
    heading_rad: float | None = None
    heading_tolerance_rad: float = DEFAULT_HEADING_TOLERANCE_RAD
    behavior: str | None = None  # name or label of the last behavior

    def __post_init__(self) -> None:
        if not (math.isfinite(self.x) and math.isfinite(self.y)):
            raise InvalidInput(f"a goal must be finite, not ({self.x}, {self.y})")
        if not (math.isfinite(self.tolerance_m) and self.tolerance_m > 0.0):
            raise InvalidInput(f"a goal's tolerance must be positive, not {self.tolerance_m}")
        if self.heading_rad is not None and not math.isfinite(self.heading_rad):
            raise InvalidInput("a goal's heading must be finite")
        if not self.heading_tolerance_rad > 0.0:
            raise InvalidInput("a goal's tolerance in heading must be positive")


@dataclass(frozen=True, eq=False)
class Problem:
    """Everything a planner needs to know; what it may spend is counted in expansions, never in seconds."""

    world: World
    character: Character  # with subset and preferences applied
    start: Pose
    goal: Goal
    waypoints: tuple[Goal, ...] = ()
    start_frame: int = 0  # planning frames since the world's time 0
    seed: int = 0  # decides which of a behavior's clips is played
    max_expansions: int = 1_000_000
    horizon_s: float = 120.0  # latest arrival where anything moves, after time 0
    climb_cost: float = 0.0  # per metre of rise, added to the clips' costs
    descend_cost: float = 0.0  # per metre of fall
    begins: str | None = None  # transition label before the first behavior; None: at rest if the character can be
    after: str | None = None  # behavior that was played just before: then it says what may come first
    traffic: Traffic | None = None  # what moves, others' bodies included; None: the world's own movers

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", tuple(float(value) for value in self.start))
        object.__setattr__(self, "waypoints", tuple(self.waypoints))
        if len(self.start) != 3 or not np.isfinite(self.start).all():
            raise InvalidInput(f"a start is (x, y, heading), all finite, not {self.start}")
        for goal in (self.goal, *self.waypoints):
            if not isinstance(goal, Goal):
                raise InvalidInput(f"a goal is a Goal, such as Goal(12, 0), not {goal!r}")
        if len(self.waypoints) > MOST_WAYPOINTS:
            raise InvalidInput(f"at most {MOST_WAYPOINTS} way-points, not {len(self.waypoints)}")
        if self.after is not None:
            self.character.index(self.after)
        for name, least in (("start_frame", 0), ("max_expansions", 1)):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < least:
                raise InvalidInput(f"{name} must be a whole number of at least {least}, not {value}")
        if not all(0.0 <= cost <= LARGEST_COST for cost in (self.climb_cost, self.descend_cost)):
            raise InvalidInput(f"costs of climbing and descending must lie between 0 and {LARGEST_COST:g} a metre")
        if not (np.isfinite(self.horizon_s) and self.horizon_s > 0.0):
            raise InvalidInput(f"a horizon must be positive, not {self.horizon_s}")

    def with_traffic(self, traffic: Traffic) -> Problem:
        return replace(self, traffic=traffic)
