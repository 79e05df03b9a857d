"""What a scene file may say, table by table.

The docstrings below each key are the descriptions in the published JSON Schema.  What a table
means, and whether it can be, is looked at where it is turned into a value.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from gambol.files.entries import Entry
from gambol.search.problem import DEFAULT_TOLERANCE_M

LARGEST_M = 1e5  # a coordinate or size beyond this is a mistake in units
LARGEST_WORLD_M = 1e4  # on a side
LARGEST_GROUP = 10_000

Coordinate = Annotated[float, Field(ge=-LARGEST_M, le=LARGEST_M)]
Point = Annotated[list[Coordinate], Field(min_length=2, max_length=2)]
Size = Annotated[float, Field(ge=0.001, le=LARGEST_M)]
Height = Annotated[float, Field(ge=0.0, le=LARGEST_M)]
Angle = Annotated[float, Field(ge=-1e6, le=1e6)]
Time = Annotated[float, Field(ge=0.0, le=1e6)]
Cost = Annotated[float, Field(ge=0.0, le=1e6)]
Name = Annotated[str, Field(min_length=1)]
Repeat = Literal["once", "loop", "bounce"]
UpAxis = Literal["y", "z"]


class BumpEntry(Entry):
    """A round hill with a smooth foot and top, or a hollow; where bumps overlap their heights add up."""

    at: Point
    """Of its middle."""
    radius_m: Size
    """Beyond it the ground is as without the bump."""
    height_m: float = Field(ge=-1e4, le=1e4)
    """Of its top; negative for a hollow."""
    flat_m: float = Field(default=0.0, ge=0.0, le=LARGEST_M)
    """Radius of a level top; the slope is between it and `radius_m`."""

    @model_validator(mode="after")
    def _slope_left(self) -> Self:
        if self.flat_m >= self.radius_m:
            raise ValueError(f"flat_m must be less than radius_m, not {self.flat_m} of {self.radius_m}")
        return self


class HeightImageEntry(Entry):
    """A grey picture, 8 or 16 bits, laid over the world's bounds: black is low, white is high."""

    file: Name
    """A PNG beside the scene."""
    heights_m: list[float] = Field(min_length=2, max_length=2)
    """Heights of black and of white."""


class GroundMeshEntry(Entry):
    """A mesh whose upper side is the ground."""

    file: Name
    """glTF, OBJ, STL or USD, beside the scene."""
    at: Point = Field(default=[0.0, 0.0])
    """Where the mesh's origin comes to lie."""
    heading_deg: Angle = 0.0
    scale: float = Field(default=1.0, gt=0.0, le=1e6)
    """Metres in a unit of the mesh, on top of what the file says."""
    up: UpAxis | None = None
    """The axis that points up, where the format does not say: OBJ and STL."""


class TerrainEntry(Entry):
    """Hills: bumps, an image or a mesh.  Obstacles and movers stand on the ground below them."""

    bumps: list[BumpEntry] = Field(default=[])
    image: HeightImageEntry | None = None
    mesh: GroundMeshEntry | None = None
    cell_m: float | None = Field(default=None, ge=0.02, le=100.0)
    """Distance between the points at which the height is kept; by default 0.1 m, or an image's pixels."""
    climb_cost: Cost = 0.0
    """What a metre of rise costs, added to the clips' costs, for all of the cast that say nothing else."""
    descend_cost: Cost = 0.0
    """What a metre of fall costs."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (len(self.bumps) > 0) + (self.image is not None) + (self.mesh is not None) > 1:
            raise ValueError("give only one of bumps, image and mesh")
        return self


class WorldEntry(Entry):
    """Where characters may be."""

    bounds: list[Coordinate] = Field(min_length=4, max_length=4)
    """Least x, least y, greatest x, greatest y; no body leaves them."""
    terrain: TerrainEntry | None = None
    """Left out, the ground is level."""

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        x0, y0, x1, y1 = self.bounds
        if x0 >= x1 or y0 >= y1:
            raise ValueError(f"bounds must be [least x, least y, greatest x, greatest y], not {self.bounds}")
        if max(x1 - x0, y1 - y0) > LARGEST_WORLD_M:
            raise ValueError(f"bounds must be at most {LARGEST_WORLD_M:g} metres on a side")
        return self


class SpecialEntry(Entry):
    """A hand annotation: only behaviors tagged with this kind get across, and only from nearby [LK05 3.2]."""

    kind: Name
    near_m: float = Field(gt=0.0, le=LARGEST_M)
    """A special behavior may begin at most this far from the footprint."""
    within_m: float = Field(default=0.0, ge=0.0, le=LARGEST_M)
    """At its event the root is at most this far from the footprint."""


class ShapeEntry(Entry):
    """A shape in plan view, told by its keys: `size`, `radius_m`, `corners`, or `line` and `thickness_m`."""

    size: Annotated[list[Size], Field(min_length=2, max_length=2)] | None = None
    """A box: length and width, around `at`."""
    radius_m: Size | None = None
    """A disc around `at`."""
    corners: Annotated[list[Point], Field(min_length=3, max_length=1000)] | None = None
    """A polygon, convex or not; relative to `at`."""
    line: Annotated[list[Point], Field(min_length=2, max_length=1000)] | None = None
    """A wall along a line of two or more points, with round ends; relative to `at`."""
    thickness_m: Size | None = None
    """Of the wall along `line`."""
    at: Point | None = None
    """Where it is; for corners and lines [0, 0] where left out."""
    heading_deg: Angle = 0.0
    """Turned counter-clockwise about `at`."""
    bottom_m: Height = 0.0
    """It fills the heights from here, above the ground below it,"""
    top_m: Height = 3.0
    """to here: a hurdle has a low top, a beam a high bottom."""

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        given = [key for key in ("size", "radius_m", "corners", "line") if getattr(self, key) is not None]
        if len(given) != 1:
            told = "none is given" if not given else "not " + " and ".join(given)
            raise ValueError(f"the shape is one of size (a box), radius_m (a disc), corners or line; {told}")
        if (self.thickness_m is None) != (self.line is None):
            raise ValueError("a line and its thickness_m belong together")
        if self.top_m <= self.bottom_m:
            raise ValueError(f"top_m must be above bottom_m, not {self.top_m} above {self.bottom_m}")
        return self


class ObstacleEntry(ShapeEntry):
    """Something that stands still: wall, hurdle, bar, beam or archway."""

    name: Name | None = None
    """By default `obstacle-0`, `obstacle-1` …, by its place in the file."""
    special: SpecialEntry | None = None

    @model_validator(mode="after")
    def _placed(self) -> Self:
        if self.at is None and (self.size is not None or self.radius_m is not None):
            raise ValueError("at is missing")
        return self


class MeshEntry(GroundMeshEntry):
    """A mesh turned into obstacles, and where its floor is not level into terrain, by its geometry."""

    name: Name | None = None
    """Its obstacles are called `name/0` …; by default the file's name without ending."""
    cell_m: float = Field(default=0.05, ge=0.01, le=1.0)
    """How finely it is cut up where it is no upright prism."""
    step_m: float = Field(default=0.25, ge=0.0, le=5.0)
    """What is lower than this and connected to the floor belongs to the ground."""


class PathEntry(Entry):
    """Where a mover is at a time; what is left out is as before."""

    time_s: float = Field(ge=-1e6, le=1e6)
    at: Point | None = None
    heading_deg: Angle | None = None
    """Not wrapped: from 0 to 360 is a whole turn."""
    bottom_m: Height | None = None
    top_m: Height | None = None


class BackAndForthEntry(Entry):
    """From `at` along an axis and back, for ever."""

    along: Literal["world-x", "world-y", "own-x", "own-y"]
    """Own axes are turned by `heading_deg`."""
    range_m: float = Field(ge=-LARGEST_M, le=LARGEST_M)
    """How far; negative: the other way."""
    speed_m_s: float = Field(gt=0.0, le=1000.0)
    start_s: Time = 0.0
    """Until then it stands at `at`."""

    @model_validator(mode="after")
    def _goes_somewhere(self) -> Self:
        if abs(self.range_m) < 0.001:
            raise ValueError("range_m must not be 0")
        return self


class SpinEntry(Entry):
    """Turning about `at` for ever."""

    deg_s: float = Field(ge=-3600.0, le=3600.0)
    """Degrees a second, counter-clockwise."""

    @model_validator(mode="after")
    def _turns(self) -> Self:
        if abs(self.deg_s) < 0.001:
            raise ValueError("deg_s must not be 0")
        return self


class FallingEntry(Entry):
    """An upright log, as thick as `radius_m` says, that falls over about its foot and stays."""

    length_m: Size
    """From end to end; the ends are round."""
    heading_deg: Angle
    """Towards where it falls."""
    start_s: Time
    duration_s: float = Field(gt=0.0, le=1e6)


class MoverEntry(ShapeEntry):
    """Something that moves in a way known beforehand; it goes through everything."""

    name: Name | None = None
    """By default `mover-0` …; several movers made of one entry are called `name/0` … or `name/recorded name`."""
    path: Annotated[list[PathEntry], Field(min_length=1)] | None = None
    """Straight lines between places at times."""
    back_and_forth: BackAndForthEntry | None = None
    spin: SpinEntry | None = None
    falling: FallingEntry | None = None
    recording: Name | None = None
    """A CSV file beside the scene: time_s, name, x, y, heading_deg and, if heights change, bottom_m, top_m."""
    things: list[Name] = Field(default=["*"], min_length=1)
    """Which names of the recording have this shape; * stands for anything."""
    repeat: Repeat = "once"
    """After the last time of a path or recording: rest there, begin anew, or run back and forth."""

    @model_validator(mode="after")
    def _one_motion(self) -> Self:
        ways = ("path", "back_and_forth", "spin", "falling", "recording")
        given = [key for key in ways if getattr(self, key) is not None]
        if len(given) != 1:
            told = "none is given" if not given else "not " + " and ".join(given)
            raise ValueError(f"the motion is one of {', '.join(ways)}; {told}")
        if self.repeat != "once" and given[0] not in ("path", "recording"):
            raise ValueError(f"repeat belongs to path and recording; {given[0]} has its own way to go on")
        if "things" in self.model_fields_set and self.recording is None:
            raise ValueError("things belongs to recording")
        return self

    @model_validator(mode="after")
    def _placed(self) -> Self:
        if self.recording is not None and (self.at is not None or "heading_deg" in self.model_fields_set):
            raise ValueError("a recording says where things are: leave out at and heading_deg")
        anywhere = self.size is not None or self.radius_m is not None or self.falling is not None
        if self.at is None and self.recording is None and self.path is None and anywhere:
            raise ValueError("at is missing")
        if self.falling is not None:
            if self.radius_m is None:
                raise ValueError("what falls is a log: give its radius_m")
            if {"bottom_m", "top_m", "heading_deg"} & self.model_fields_set:
                raise ValueError("a falling log has its heights and heading from falling")
            if self.falling.length_m <= 2.0 * self.radius_m:
                raise ValueError(
                    f"a log must be longer than thick, not {self.falling.length_m} by {2.0 * self.radius_m}"
                )
        return self


class GoalEntry(Entry):
    """A disc in which a clip ends; a list of two numbers is short for { at = [x, y] }."""

    at: Point
    tolerance_m: float = Field(default=DEFAULT_TOLERANCE_M, gt=0.0, le=LARGEST_M)
    """Radius of the disc."""
    heading_deg: Angle | None = None
    """Which way to face there; by default any."""
    heading_tolerance_deg: float = Field(default=20.0, gt=0.0, le=180.0)
    behavior: Name | None = None
    """Name or label of the behavior with which to arrive; by default any."""


def _long_form(value: object) -> object:
    return {"at": value} if isinstance(value, list) else value


Goal = Annotated[GoalEntry, BeforeValidator(_long_form, json_schema_input_type=GoalEntry | list[float])]


class WanderEntry(Entry):
    """Places taken by chance; a list of four numbers is short for { area = [x0, y0, x1, y1] }."""

    area: Annotated[list[Coordinate], Field(min_length=4, max_length=4)] | None = None
    """Least x, least y, greatest x, greatest y; by default the world's bounds."""
    count: int | None = Field(default=None, ge=1, le=10**6)
    """How many places; by default for ever."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        _check_area(self.area)
        return self


class FollowEntry(Entry):
    """Another of the cast to stay near; a name alone is short for { who = name }."""

    who: Name
    distance_m: float = Field(default=2.0, ge=1.0, le=100.0)
    """How near is near enough."""


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
    """Who moves, and what it likes to do: of one of the cast or of a whole group."""

    character: Name = "human"
    """human, skateboarder, horse, or a character file beside the scene: of cuts (.toml), or built and saved (.npz)."""
    subset: Name | None = None
    """Only the behaviors of this named subset; in a crowd by default "crowd", if the character has it."""
    weights: dict[str, Annotated[float, Field(gt=0.0, le=1e6)]] = Field(default={})
    """Preferences: the cost of a metre by name of a behavior, by label or by kind (forward, turn, jump …)."""
    special: dict[str, Name] = Field(default={})
    """Tags behaviors by hand: kind of annotated obstacle by name or label of a behavior."""
    climb_cost: Cost | None = None
    """What a metre of rise costs, in place of the terrain's own."""
    descend_cost: Cost | None = None
    starts_at_s: Time = 0.0
    """Until then it stands at its start."""
    max_expansions: int = Field(default=1_000_000, ge=1, le=10**12)
    """What the search may spend."""
    horizon_s: float = Field(default=120.0, gt=0.0, le=1e6)
    """Latest arrival where anything moves."""
    wander: Wander | None = None
    """In a crowd: go to places taken by chance."""
    follow: Follow | None = None
    """In a crowd: stay near another of the cast."""
    then: Literal["stand", "leave", "repeat"] = "stand"
    """In a crowd, after the last goal: stand there, leave the world, or repeat all goals, for ever."""
    appears_at_s: Time = 0.0
    """In a crowd: until then it is not in the world; then it appears at its start, once there is room."""

    @model_validator(mode="after")
    def _something_follows(self) -> Self:
        if "then" in self.model_fields_set:
            if self.follow is not None:
                raise ValueError("who follows another never arrives: leave out then")
            if self.wander is not None and self.wander.count is None:
                raise ValueError("who wanders for ever never arrives: leave out then, or give the wandering a count")
            if self.wander is not None and self.then == "repeat":
                raise ValueError("leave out the count of places to wander for ever, not then = 'repeat'")
        return self


class ActorEntry(PerformerEntry):
    """One of the cast."""

    name: Name | None = None
    """By default the character's, numbered."""
    start: Point
    heading_deg: Angle | None = None
    """Which way it faces at first; by default towards its goal, or the first way-point."""
    begins: Name | None = None
    """Transition label before the first behavior; by default at rest."""
    goal: Goal | None = None
    waypoints: list[Goal] = Field(default=[])
    """Discs to pass on the way: some clip ends in each, in their order."""
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
    """Places for many: one of `area`, `line` and `circle`."""

    area: Annotated[list[Coordinate], Field(min_length=4, max_length=4)] | None = None
    """Least x, least y, greatest x, greatest y: places on a grid, taken by chance; blocked ones are left out."""
    line: Annotated[list[Point], Field(min_length=2, max_length=2)] | None = None
    """Evenly from one end to the other."""
    circle: CircleEntry | None = None
    """Evenly around."""

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
    """Many of the cast at once, called `name-0`, `name-1` …"""

    name: Name
    count: int = Field(ge=1, le=LARGEST_GROUP)
    starts: PlacesEntry
    goals: ManyPlaces | None = None
    """By default, for starts on a circle, opposite.  In a crowd also a list: everyone visits one place of each."""
    spacing_m: float = Field(default=1.2, gt=0.0, le=LARGEST_M)
    """Least distance between neighbours, before jitter."""
    jitter_m: float = Field(default=0.0, ge=0.0, le=LARGEST_M)
    """Starts are moved by up to this in x and in y, by chance."""
    mixed: bool = False
    """Goals are dealt by chance; otherwise the order of the starts is kept."""
    heading_deg: Angle | None = None
    """By default everyone faces their goal."""
    tolerance_m: float = Field(default=DEFAULT_TOLERANCE_M, gt=0.0, le=LARGEST_M)
    behavior: Name | None = None
    """Name or label of the behavior with which to arrive."""

    interval_s: float = Field(default=0.0, ge=0.0, le=1e6)
    """In a crowd: members appear one after another, so much later each; then they may share starts."""
    together: bool = False
    """In a crowd: members wait for each other, so as to stay together."""

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
    """What is to be done with it; those of the kind "climb" have tables of their own."""
    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    """Decides all that is left to chance."""
    world: WorldEntry
    obstacles: list[ObstacleEntry] = Field(default=[])
    meshes: list[MeshEntry] = Field(default=[])
    movers: list[MoverEntry] = Field(default=[])
    cast: list[ActorEntry] = Field(default=[])
    groups: list[GroupEntry] = Field(default=[])
    extra: dict[str, Any] = Field(default={})
    """Kept as it is: room for notes and for other programs."""
