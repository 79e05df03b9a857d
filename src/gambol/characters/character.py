"""A character: everything a body can do, as a finite-state machine of behaviors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np

from gambol.characters.clip import Clip
from gambol.errors import InvalidInput, UnknownName
from gambol.motion.skeleton import Skeleton

COST_BY = ("path", "chord")
LEAST_TRAVEL_M = 0.25  # m, > 0: a clip whose root stays closer to its start goes nowhere: its cost is its time
LEAST_TURN_RAD = np.radians(5.0)  # rad, > 0: a clip that turns by less goes straight on
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

    @property
    def can_be_held(self) -> bool:
        """Whether it stays in place: repeated, it lasts for any time."""
        distinct = {id(clip): clip for clip in self.clips}.values()
        return all(clip.reach_m < LEAST_TRAVEL_M and abs(clip.displacement[2]) < LEAST_TURN_RAD for clip in distinct)


def clip_cost(clip: Clip, by: str) -> float:
    """Return a clip's path length [L09 3.2] or chord [LK05 3.3] in metres; its seconds if it goes nowhere."""
    if by not in COST_BY:
        raise UnknownName("way to measure cost", by, COST_BY)
    distance = clip.path_length_m if by == "path" else clip.chord_m
    return distance if min(distance, clip.reach_m) >= LEAST_TRAVEL_M else clip.duration_s


@dataclass(frozen=True)
class Transition:
    """A permission to follow one behavior by another, at a cost of its own [C20]."""

    source: str
    target: str
    cost: float = 0.0  # >= 0: added to the target's cost; larger is used less


@dataclass(frozen=True, eq=False)
class Character:
    """Behaviors, the transitions between them, and named subsets of them.

    Behavior B may follow A if B's `begins` equals A's `ends`.  `transitions` adds permissions and costs;
    with `labels_connect=False` there are no others.
    """

    name: str
    skeleton: Skeleton
    planning_rate_hz: float  # Hz, > 0: planning frames a second
    behaviors: tuple[Behavior, ...]
    transitions: tuple[Transition, ...] = ()
    labels_connect: bool = True
    subsets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cost_by: str = "path"  # one of COST_BY: which length a clip's cost measures

    def __post_init__(self) -> None:
        object.__setattr__(self, "behaviors", tuple(self.behaviors))
        object.__setattr__(self, "transitions", tuple(self.transitions))
        subsets = {name: tuple(members) for name, members in self.subsets.items()}
        object.__setattr__(self, "subsets", MappingProxyType(subsets))
        names = [behavior.name for behavior in self.behaviors]
        if not names:
            raise InvalidInput(f"character {self.name!r} has no behaviors")
        if len(set(names)) != len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise InvalidInput(f"character {self.name!r}: behaviors must have unique names, not {', '.join(twice)}")
        if self.cost_by not in COST_BY:
            raise UnknownName("way to measure cost", self.cost_by, COST_BY)
        for transition in self.transitions:
            self.index(transition.source)
            self.index(transition.target)
            if not transition.cost >= 0.0:
                raise InvalidInput(
                    f"transition {transition.source} -> {transition.target}: a cost must not be negative"
                )
        for members in subsets.values():
            for member in members:
                self.index(member)
        self._check_clips()

    def _check_clips(self) -> None:
        for behavior in self.behaviors:
            for clip in behavior.clips[:1] if len(set(map(id, behavior.clips))) == 1 else behavior.clips:
                if not clip.motion.skeleton.is_like(self.skeleton):
                    raise InvalidInput(f"clip {clip.name!r} has another skeleton than character {self.name!r}")
                if abs(clip.planning_rate_hz - self.planning_rate_hz) > 1e-6:
                    raise InvalidInput(
                        f"clip {clip.name!r} is timed for {clip.planning_rate_hz:g} planning frames a second, "
                        f"character {self.name!r} plans at {self.planning_rate_hz:g}"
                    )

    def __repr__(self) -> str:
        return f"Character({self.name!r}, {len(self.behaviors)} behaviors)"

    @cached_property
    def _index_of(self) -> dict[str, int]:
        return {behavior.name: index for index, behavior in enumerate(self.behaviors)}

    def index(self, name: str) -> int:
        """Return a behavior's index; for an unknown name, raise an error that suggests a near one."""
        if name not in self._index_of:
            raise UnknownName("behavior", name, tuple(self._index_of))
        return self._index_of[name]

    def behavior(self, name: str) -> Behavior:
        return self.behaviors[self.index(name)]

    @cached_property
    def transition_costs(self) -> np.ndarray:
        """Costs of all transitions (B, B), from row to column; infinite if not allowed."""
        count = len(self.behaviors)
        costs = np.full((count, count), np.inf)
        if self.labels_connect:
            ends = np.array([behavior.ends for behavior in self.behaviors])
            begins = np.array([behavior.begins for behavior in self.behaviors])
            costs[ends[:, None] == begins[None, :]] = 0.0
        for transition in self.transitions:
            costs[self.index(transition.source), self.index(transition.target)] = transition.cost
        costs.flags.writeable = False
        return costs

    def successors(self, name: str) -> tuple[str, ...]:
        """Return the behaviors that may follow one."""
        allowed = np.flatnonzero(np.isfinite(self.transition_costs[self.index(name)]))
        return tuple(self.behaviors[index].name for index in allowed)

    def subset(self, name: str) -> Character:
        """Return the character with only the behaviors of a named subset."""
        if name not in self.subsets:
            raise UnknownName("subset", name, tuple(self.subsets), place=f"of character {self.name!r}")
        return self.only(self.subsets[name], name=f"{self.name}/{name}")

    def only(self, members: Sequence[str], *, name: str | None = None) -> Character:
        """Return the character with only the named behaviors, in this order, and the transitions between them."""
        kept = set(members)
        return replace(
            self,
            name=name or self.name,
            behaviors=tuple(self.behavior(member) for member in members),
            transitions=tuple(t for t in self.transitions if t.source in kept and t.target in kept),
            subsets={},
        )

    def with_weights(self, weights: Mapping[str, float]) -> Character:
        """Return the character with other weights for some behaviors, by name, label or kind.

        If several keys match a behavior, its name wins over its label, and its label over its kind.
        """
        ways = [(behavior.name, behavior.label, behavior.kind) for behavior in self.behaviors]
        known = {key for keys in ways for key in keys}
        for key in weights:
            if key not in known:
                raise UnknownName("behavior, label or kind", key, tuple(known))
        behaviors = tuple(
            replace(behavior, weight=next((weights[key] for key in keys if key in weights), behavior.weight))
            for behavior, keys in zip(self.behaviors, ways, strict=True)
        )
        return replace(self, behaviors=behaviors)
