"""A behavior: one state of a character's finite-state machine."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gambol.characters.clip import Clip
from gambol.errors import InvalidInput, UnknownName

COST_BY = ("path", "chord")
LEAST_TRAVEL_M = 0.25  # m, > 0: a clip whose root stays closer to its start goes nowhere: its cost is its time
#: Weights by kind, > 0: what a metre costs; larger is used less.  Their order is that of LK05 3.3: forward, turns,
#: jumps, waiting.  A change (start, stop, another gait) costs more, so that plans contain few of them.
DEFAULT_WEIGHTS = {"forward": 1.0, "turn": 1.1, "jump": 1.5, "low": 1.6, "change": 1.8, "side": 2.0, "wait": 2.5}


@dataclass(frozen=True)
class Annotation:
    """Tags that the papers give by hand [LK05 3.2]; by default the swept shape decides what a clip may cross."""

    special: str | None = None  # type of obstacle: the behavior is allowed only near one
    radius_m: float | None = None  # one fixed radius that replaces the swept shape


@dataclass(frozen=True, eq=False)
class Behavior:
    """A named state with similar clips, one cost, and labels that say which behaviors it may follow.

    `name` is unique in a character.  `label` is what a person would call it: several states that differ
    in their transitions may all be labelled "jog left".
    """

    name: str
    label: str
    clips: tuple[Clip, ...]
    begins: str  # transition label of the first frames
    ends: str  # transition label of the last frames
    weight: float = 1.0  # > 0: what a metre costs; larger is used less
    kind: str = "forward"  # key of DEFAULT_WEIGHTS: sets which behaviors a planner prefers
    slopes: tuple[float, float] = (-0.3, 0.3)  # rise per metre: lowest and highest at which it may be used
    annotation: Annotation = field(default_factory=Annotation)

    def __post_init__(self) -> None:
        object.__setattr__(self, "clips", tuple(self.clips))
        if not self.clips:
            raise InvalidInput(f"behavior {self.name!r} has no clips")
        if not (np.isfinite(self.weight) and self.weight > 0.0):
            raise InvalidInput(f"behavior {self.name!r}: a weight must be positive, not {self.weight}")
        if not self.slopes[0] <= self.slopes[1]:
            raise InvalidInput(f"behavior {self.name!r}: slopes must be (lowest, highest), not {self.slopes}")
        if self.kind not in DEFAULT_WEIGHTS:
            raise UnknownName(f"kind of behavior (in {self.name!r})", self.kind, tuple(DEFAULT_WEIGHTS))

    def cost(self, by: str) -> float:
        """Return the mean cost of the clips: distance times weight, or seconds times weight if they go nowhere."""
        return float(np.mean([clip_cost(clip, by) for clip in self.clips])) * self.weight


def clip_cost(clip: Clip, by: str) -> float:
    """Return a clip's path length [L09 3.2] or chord [LK05 3.3] in metres; its seconds if it goes nowhere."""
    if by not in COST_BY:
        raise UnknownName("way to measure cost", by, COST_BY)
    distance = clip.path_length_m if by == "path" else clip.chord_m
    return distance if min(distance, clip.reach_m) >= LEAST_TRAVEL_M else clip.duration_s
