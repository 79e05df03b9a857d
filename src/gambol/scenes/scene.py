"""A scene: a world and its cast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gambol.characters.character import Character
from gambol.errors import InvalidInput, UnknownName
from gambol.scenes.aims import Aim
from gambol.search.problem import Goal, Problem
from gambol.world.world import Pose, World

if TYPE_CHECKING:
    from gambol.scenes.climb_actor import ClimbActor
    from gambol.world.environment import Environment

KINDS = ("plan", "crowd", "climb")


@dataclass(frozen=True, eq=False)
class Actor:
    """One member of the cast: a character with start, goal and budget."""

    name: str
    character: Character  # subset, preferences and tags are applied; actors with equal ones share the object
    start: Pose
    goal: Goal | None  # None: in a crowd, its aim has no last place
    waypoints: tuple[Goal, ...] = ()
    start_s: float = 0.0  # seconds: it sets off then, and stands at its start before
    begins: str | None = None  # transition label before the first behavior; None: at rest
    climb_cost: float = 0.0  # >= 0: cost of a metre of rise
    descend_cost: float = 0.0  # >= 0: cost of a metre of fall
    max_expansions: int = 1_000_000  # >= 1: the most nodes that the search may expand
    horizon_s: float = 120.0  # seconds, > 0: latest arrival, in worlds with movers
    aim: Aim | None = None  # in a crowd: what it does
    appears_s: float = 0.0  # in a crowd: seconds at which it appears, or later when there is room at its start
    company: str | None = None  # in a crowd: the group with which it stays together
    source: str = ""  # file of its character, as the scene names it; "": none

    @property
    def start_frame(self) -> int:
        """The planning frame at which the actor sets off."""
        return round(self.start_s * self.character.planning_rate_hz)


@dataclass(frozen=True, eq=False)
class Scene:
    """A world and its cast."""

    name: str
    world: World
    cast: tuple[Actor, ...] = ()
    summary: str = ""
    kind: str = "plan"  # one of KINDS
    seed: int = 0
    extra: Mapping[str, Any] = field(default_factory=dict)  # the file's [extra]
    text: str = ""  # the file's text
    environment: Environment | None = None  # of a climb; the world is the level ground around it
    climbs: tuple[ClimbActor, ...] = ()  # of a climb; the cast is empty

    def __post_init__(self) -> None:
        object.__setattr__(self, "cast", tuple(self.cast))
        object.__setattr__(self, "climbs", tuple(self.climbs))
        object.__setattr__(self, "extra", MappingProxyType(dict(self.extra)))
        if self.kind not in KINDS:
            raise UnknownName("kind of scene", self.kind, KINDS)
        if (self.environment is not None) != (self.kind == "climb"):
            raise InvalidInput(f"scene {self.name!r}: an environment of polygons belongs to scenes of the kind 'climb'")
        names = [actor.name for actor in (*self.cast, *self.climbs)]
        if len(set(names)) != len(names):
            twice = sorted({name for name in names if names.count(name) > 1})
            raise InvalidInput(f"scene {self.name!r}: the cast must have unique names, not {', '.join(twice)}")

    def actor(self, name: str) -> Actor:
        """Return a cast member; for an unknown name, raise an error that suggests a near one."""
        for actor in self.cast:
            if actor.name == name:
                return actor
        known = tuple(actor.name for actor in self.cast)
        raise UnknownName("character", name, known, place=f"in scene {self.name!r}")

    def with_only(self, names: Sequence[str]) -> Scene:
        """Return the scene with only these characters, in its order; with all, if none are named."""
        if not names:
            return self
        everyone = (*self.cast, *self.climbs)
        known = tuple(one.name for one in everyone)
        for name in names:
            if name not in known:
                raise UnknownName("character", name, known, place=f"in scene {self.name!r}")
        cast = tuple(one for one in self.cast if one.name in names)
        return replace(self, cast=cast, climbs=tuple(one for one in self.climbs if one.name in names))

    def seed_of(self, name: str) -> int:
        """Return an actor's own seed, made from the scene's and its name: adding actors does not change it."""
        return _seed(self.seed, name)

    def problem(self, actor: Actor | str) -> Problem:
        """Return the planning problem of one actor, as if it were alone in the world."""
        one = self.actor(actor) if isinstance(actor, str) else actor
        if one.goal is None:
            raise InvalidInput(f"{one.name!r} of scene {self.name!r} has no goal to plan for")
        return Problem(
            world=self.world,
            character=one.character,
            start=one.start,
            goal=one.goal,
            waypoints=one.waypoints,
            start_frame=one.start_frame,
            seed=self.seed_of(one.name),
            max_expansions=one.max_expansions,
            horizon_s=one.horizon_s,
            climb_cost=one.climb_cost,
            descend_cost=one.descend_cost,
            begins=one.begins,
        )


def _seed(seed: int, name: str) -> int:
    """Return a number below 2^63 for a name."""
    digest = blake2b(f"{seed}/{name}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1
