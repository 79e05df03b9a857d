"""The tables and keys of a scene file.

The docstring below each key is its description in the published JSON Schema.  Whether a table makes
sense is checked where it becomes a value.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from gambol.files.entries import Entry
from gambol.scenes.world_model import (
    LARGEST_GROUP,
    LARGEST_M,
    Angle,
    Coordinate,
    Cost,
    MeshEntry,
    MoverEntry,
    Name,
    ObstacleEntry,
    Point,
    Size,
    Time,
    WorldEntry,
)
from gambol.search.problem import DEFAULT_TOLERANCE_M


class GoalEntry(Entry):
    """A disc in which some clip must end; a list of two numbers is short for { at = [x, y] }."""

    at: Point
    tolerance_m: float = Field(default=DEFAULT_TOLERANCE_M, gt=0.0, le=LARGEST_M)
    """Radius of the disc."""
    heading_deg: Angle | None = None
    """Heading on arrival; by default any."""
    heading_tolerance_deg: float = Field(default=20.0, gt=0.0, le=180.0)
    behavior: Name | None = None
    """Name or label of the last behavior; by default any."""


def _long_form(value: object) -> object:
    return {"at": value} if isinstance(value, list) else value


Goal = Annotated[GoalEntry, BeforeValidator(_long_form, json_schema_input_type=GoalEntry | list[float])]


class WanderEntry(Entry):
    """Random places; a list of four numbers is short for { area = [x0, y0, x1, y1] }."""

    area: Annotated[list[Coordinate], Field(min_length=4, max_length=4)] | None = None
    """Least x, least y, greatest x, greatest y; by default the world's bounds."""
    count: int | None = Field(default=None, ge=1, le=10**6)
    """Number of places; by default the character goes on for ever."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _check_area(self.area)
        return self


class FollowEntry(Entry):
    """Another member of the cast to stay near; a name alone is short for { who = name }."""

    who: Name
    """Name of the member to follow."""
    distance_m: float = Field(default=2.0, ge=1.0, le=100.0)
    """Greatest distance to keep."""


def _wander_form(value: object) -> object:
    return {"area": value} if isinstance(value, list) else value


def _follow_form(value: object) -> object:
    return {"who": value} if isinstance(value, str) else value


def _check_area(area: list[float] | None) -> None:
    if area is not None and (area[0] >= area[2] or area[1] >= area[3]):
        raise ValueError(f"area must be [least x, least y, greatest x, greatest y], not {area}")


Wander = Annotated[WanderEntry, BeforeValidator(_wander_form, json_schema_input_type=WanderEntry | list[float])]
Follow = Annotated[FollowEntry, BeforeValidator(_follow_form, json_schema_input_type=FollowEntry | str)]


class PerformerEntry(Entry):
    """The character and preferences of one cast member or of a whole group."""

    character: Name = "human"
    """human, skateboarder, horse, or a character file beside the scene: a text (.toml) or a built one (.npz)."""
    subset: Name | None = None
    """Use only the behaviors of this named subset; in a crowd by default "crowd", if the character has it."""
    weights: dict[str, Annotated[float, Field(gt=0.0, le=1e6)]] = Field(default={})
    """Preferences: cost of a metre for a behavior's name, label or kind (forward, turn, jump …)."""
    special: dict[str, Name] = Field(default={})
    """Tags by hand: the kind of annotated obstacle for a behavior's name or label."""
    climb_cost: Cost | None = None
    """Cost of a metre of rise; replaces the terrain's own."""
    descend_cost: Cost | None = None
    starts_at_s: Time = 0.0
    """Time at which it sets off; before, it stands at its start."""
    max_expansions: int = Field(default=1_000_000, ge=1, le=10**12)
    """The most nodes that the search may expand."""
    horizon_s: float = Field(default=120.0, gt=0.0, le=1e6)
    """Latest time of arrival, in worlds with movers."""
    wander: Wander | None = None
    """In a crowd: go to random places."""
    follow: Follow | None = None
    """In a crowd: stay near another member of the cast."""
    then: Literal["stand", "leave", "repeat"] = "stand"
    """In a crowd, after the last goal: stand there, leave the world, or repeat all goals for ever."""
    appears_at_s: Time = 0.0
    """In a crowd: time at which it appears at its start, or later when there is room."""

    @model_validator(mode="after")
    def _something_follows(self) -> Self:
        if "then" in self.model_fields_set:
            if self.follow is not None:
                raise ValueError("a follower never arrives: leave out then")
            if self.wander is not None and self.wander.count is None:
                raise ValueError(
                    "a character that wanders for ever never arrives: leave out then, or give wander a count"
                )
            if self.wander is not None and self.then == "repeat":
                raise ValueError("to wander for ever, leave out the count and then = 'repeat'")
        return self


class ActorEntry(PerformerEntry):
    """One member of the cast."""

    name: Name | None = None
    """By default the character's name, numbered."""
    start: Point
    heading_deg: Angle | None = None
    """Heading at first; by default towards its goal or its first way-point."""
    begins: Name | None = None
    """Transition label before the first behavior; by default at rest."""
    goal: Goal | None = None
    waypoints: list[Goal] = Field(default=[])
    """Discs to pass on the way, in this order: some clip ends in each."""
    goals: Annotated[list[Goal], Field(min_length=1, max_length=1000)] | None = None
    """In a crowd: goals to visit, one after another."""

    @model_validator(mode="after")
    def _repeats_several(self) -> Self:
        if self.then == "repeat" and len(self.goals or (*self.waypoints, self.goal)) < 2:
            raise ValueError("then = 'repeat' needs goals, two or more")
        return self


class CircleEntry(Entry):
    at: Point
    radius_m: Size


class PlacesEntry(Entry):
    """Places for all members of a group: one of `area`, `line` and `circle`."""

    area: Annotated[list[Coordinate], Field(min_length=4, max_length=4)] | None = None
    """Least x, least y, greatest x, greatest y: random places of a grid; blocked places are left out."""
    line: Annotated[list[Point], Field(min_length=2, max_length=2)] | None = None
    """Places evenly from one end to the other."""
    circle: CircleEntry | None = None
    """Places evenly around the circle."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.area is not None) + (self.line is not None) + (self.circle is not None) != 1:
            raise ValueError("give one of area, line and circle")
        _check_area(self.area)
        return self


def _several_places(value: object) -> object:
    return [value] if isinstance(value, dict) else value


ManyPlaces = Annotated[
    Annotated[list[PlacesEntry], Field(min_length=1, max_length=1000)],
    BeforeValidator(_several_places, json_schema_input_type=PlacesEntry | list[PlacesEntry]),
]


class GroupEntry(PerformerEntry):
    """Many cast members at once, called `name-0`, `name-1` …"""

    name: Name
    count: int = Field(ge=1, le=LARGEST_GROUP)
    starts: PlacesEntry
    goals: ManyPlaces | None = None
    """For starts on a circle, by default opposite.  In a crowd also a list: each member visits one place of each."""
    spacing_m: float = Field(default=1.2, gt=0.0, le=LARGEST_M)
    """Least distance between neighbours, before jitter."""
    jitter_m: float = Field(default=0.0, ge=0.0, le=LARGEST_M)
    """Each start moves by a random distance up to this, in x and in y."""
    mixed: bool = False
    """Goals are shuffled; otherwise they have the order of the starts."""
    heading_deg: Angle | None = None
    """Heading at first; by default each member faces its goal."""
    tolerance_m: float = Field(default=DEFAULT_TOLERANCE_M, gt=0.0, le=LARGEST_M)
    behavior: Name | None = None
    """Name or label of the last behavior."""

    interval_s: float = Field(default=0.0, ge=0.0, le=1e6)
    """In a crowd: members appear one after another at this interval; then they may share starts."""
    together: bool = False
    """In a crowd: members wait for each other and stay together."""

    @model_validator(mode="after")
    def _goals_given(self) -> Self:
        elsewhere = self.wander is not None or self.follow is not None
        if self.goals is None and self.starts.circle is None and not elsewhere:
            raise ValueError("goals is missing")
        if self.then == "repeat" and len(self.goals or ()) < 2:
            raise ValueError("then = 'repeat' needs a list of goals, two or more")
        return self


class SceneFile(Entry):
    """A scene on the ground: a world and its cast."""

    name: Name
    summary: str = ""
    """A line for people."""
    kind: Literal["plan", "crowd", "climb"] = Field(default="plan", json_schema_extra={"enum": ["plan", "crowd"]})
    """What to do with the scene; scenes of the kind "climb" have other tables."""
    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    """Seed of all random choices."""
    world: WorldEntry
    obstacles: list[ObstacleEntry] = Field(default=[])
    meshes: list[MeshEntry] = Field(default=[])
    movers: list[MoverEntry] = Field(default=[])
    cast: list[ActorEntry] = Field(default=[])
    groups: list[GroupEntry] = Field(default=[])
    extra: dict[str, Any] = Field(default={})
    """Kept unchanged: room for notes and for other programs."""
