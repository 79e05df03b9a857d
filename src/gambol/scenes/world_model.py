"""What a scene file may say of a world: bounds, terrain, obstacles, meshes, movers."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from gambol.files.entries import Entry

LARGEST_M = 1e5  # m, > 0: a larger coordinate or size is taken as a mistake in units
LARGEST_WORLD_M = 1e4  # m, > 0: the longest side of a world
LARGEST_GROUP = 10_000  # members, >= 1: the most in one group

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
    """A round hill with a smooth foot and top, or a hollow; the heights of overlapping bumps add up."""

    at: Point
    """Middle of the bump."""
    radius_m: Size
    """Radius of the foot; the ground outside does not change."""
    height_m: float = Field(ge=-1e4, le=1e4)
    """Height of the top; negative for a hollow."""
    flat_m: float = Field(default=0.0, ge=0.0, le=LARGEST_M)
    """Radius of the level top; the slope lies between it and `radius_m`."""

    @model_validator(mode="after")
    def _slope_left(self) -> Self:
        if self.flat_m >= self.radius_m:
            raise ValueError(f"flat_m must be less than radius_m, not {self.flat_m} of {self.radius_m}")
        return self


class HeightImageEntry(Entry):
    """A grey picture, 8 or 16 bits, stretched over the world's bounds; black and white stand for two heights."""

    file: Name
    """A PNG beside the scene."""
    heights_m: list[float] = Field(min_length=2, max_length=2)
    """Height of black, height of white."""


class GroundMeshEntry(Entry):
    """A mesh whose upper side is the ground."""

    file: Name
    """glTF, OBJ, STL or USD, beside the scene."""
    at: Point = Field(default=[0.0, 0.0])
    """Position of the mesh's origin."""
    heading_deg: Angle = 0.0
    scale: float = Field(default=1.0, gt=0.0, le=1e6)
    """Factor on the mesh's size, in addition to the file's own unit."""
    up: UpAxis | None = None
    """The axis that points up, for formats that do not state it: OBJ and STL."""


class TerrainEntry(Entry):
    """Hills: bumps, an image or a mesh.  Obstacles and movers stand on the ground below them."""

    bumps: list[BumpEntry] = Field(default=[])
    image: HeightImageEntry | None = None
    mesh: GroundMeshEntry | None = None
    cell_m: float | None = Field(default=None, ge=0.02, le=100.0)
    """Distance between the height samples; by default 0.1 m, or an image's pixels."""
    climb_cost: Cost = 0.0
    """Cost of a metre of rise, added to the clips' costs, for cast members without their own."""
    descend_cost: Cost = 0.0
    """Cost of a metre of fall, in the same way."""

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (len(self.bumps) > 0) + (self.image is not None) + (self.mesh is not None) > 1:
            raise ValueError("give only one of bumps, image and mesh")
        return self


class WorldEntry(Entry):
    """The ground that characters move on."""

    bounds: list[Coordinate] = Field(min_length=4, max_length=4)
    """Least x, least y, greatest x, greatest y; no body leaves them."""
    terrain: TerrainEntry | None = None
    """By default the ground is level."""

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        x0, y0, x1, y1 = self.bounds
        if x0 >= x1 or y0 >= y1:
            raise ValueError(f"bounds must be [least x, least y, greatest x, greatest y], not {self.bounds}")
        if max(x1 - x0, y1 - y0) > LARGEST_WORLD_M:
            raise ValueError(f"bounds must be at most {LARGEST_WORLD_M:g} metres on a side")
        return self


class SpecialEntry(Entry):
    """An annotation by hand: only behaviors tagged with this kind get across, from close by [LK05 3.2]."""

    kind: Name
    near_m: float = Field(gt=0.0, le=LARGEST_M)
    """A special behavior may begin at most this far from the footprint."""
    within_m: float = Field(default=0.0, ge=0.0, le=LARGEST_M)
    """At its event the root is at most this far from the footprint."""


class ShapeEntry(Entry):
    """A shape seen from above, given by `size`, `radius_m`, `corners`, or `line` and `thickness_m`."""

    size: Annotated[list[Size], Field(min_length=2, max_length=2)] | None = None
    """A box: length and width, around `at`."""
    radius_m: Size | None = None
    """A disc around `at`."""
    corners: Annotated[list[Point], Field(min_length=3, max_length=1000)] | None = None
    """A polygon, convex or not; relative to `at`."""
    line: Annotated[list[Point], Field(min_length=2, max_length=1000)] | None = None
    """A wall along a line of two or more points, with round ends; relative to `at`."""
    thickness_m: Size | None = None
    """Thickness of the wall along `line`."""
    at: Point | None = None
    """Position; for corners and lines [0, 0] by default."""
    heading_deg: Angle = 0.0
    """Turn about `at`, counter-clockwise."""
    bottom_m: Height = 0.0
    """Lower end of the filled heights, above the ground below it."""
    top_m: Height = 3.0
    """Upper end of the filled heights: a hurdle has a low top, a beam has a high bottom."""

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
    """A thing that stands still: wall, hurdle, bar, beam or archway."""

    name: Name | None = None
    """By default `obstacle-0`, `obstacle-1` …, numbered in the file's order."""
    special: SpecialEntry | None = None

    @model_validator(mode="after")
    def _placed(self) -> Self:
        if self.at is None and (self.size is not None or self.radius_m is not None):
            raise ValueError("at is missing")
        return self


class MeshEntry(GroundMeshEntry):
    """A mesh that becomes obstacles, and terrain if its floor is not level."""

    name: Name | None = None
    """Its obstacles are called `name/0` …; by default the file's name without suffix."""
    cell_m: float = Field(default=0.05, ge=0.01, le=1.0)
    """Size of the pieces into which parts are cut that are no upright prisms; smaller is finer."""
    step_m: float = Field(default=0.25, ge=0.0, le=5.0)
    """Parts lower than this that touch the floor belong to the ground."""


class PathEntry(Entry):
    """Place of a mover at a time; keys left out keep their last value."""

    time_s: float = Field(ge=-1e6, le=1e6)
    at: Point | None = None
    heading_deg: Angle | None = None
    """Angles are not wrapped: from 0 to 360 is a whole turn."""
    bottom_m: Height | None = None
    top_m: Height | None = None


class BackAndForthEntry(Entry):
    """Motion from `at` along an axis and back, for ever."""

    along: Literal["world-x", "world-y", "own-x", "own-y"]
    """Own axes are turned by `heading_deg`."""
    range_m: float = Field(ge=-LARGEST_M, le=LARGEST_M)
    """Distance; negative in the opposite direction."""
    speed_m_s: float = Field(gt=0.0, le=1000.0)
    start_s: Time = 0.0
    """Start of the motion; before, the mover stands at `at`."""

    @model_validator(mode="after")
    def _goes_somewhere(self) -> Self:
        if abs(self.range_m) < 0.001:
            raise ValueError("range_m must not be 0")
        return self


class SpinEntry(Entry):
    """Turning motion about `at`, for ever."""

    deg_s: float = Field(ge=-3600.0, le=3600.0)
    """Degrees a second, counter-clockwise."""

    @model_validator(mode="after")
    def _turns(self) -> Self:
        if abs(self.deg_s) < 0.001:
            raise ValueError("deg_s must not be 0")
        return self


class FallingEntry(Entry):
    """An upright log of radius `radius_m` that falls over about its foot and stays."""

    length_m: Size
    """From end to end; the ends are round."""
    heading_deg: Angle
    """Direction in which it falls."""
    start_s: Time
    duration_s: float = Field(gt=0.0, le=1e6)


class MoverEntry(ShapeEntry):
    """A thing with a motion known beforehand; it moves through all others."""

    name: Name | None = None
    """By default `mover-0` …; several movers from one entry are called `name/0` … or `name/recorded name`."""
    path: Annotated[list[PathEntry], Field(min_length=1)] | None = None
    """Places at times, with straight lines between them."""
    back_and_forth: BackAndForthEntry | None = None
    spin: SpinEntry | None = None
    falling: FallingEntry | None = None
    recording: Name | None = None
    """A CSV file beside the scene: time_s, name, x, y, heading_deg and, for changing heights, bottom_m, top_m."""
    things: list[Name] = Field(default=["*"], min_length=1)
    """Names of the recording that have this shape; * stands for anything."""
    repeat: Repeat = "once"
    """After the last time of a path or recording: rest there (once), begin again (loop), or run back (bounce)."""

    @model_validator(mode="after")
    def _one_motion(self) -> Self:
        ways = ("path", "back_and_forth", "spin", "falling", "recording")
        given = [key for key in ways if getattr(self, key) is not None]
        if len(given) != 1:
            told = "none is given" if not given else "not " + " and ".join(given)
            raise ValueError(f"the motion is one of {', '.join(ways)}; {told}")
        if self.repeat != "once" and given[0] not in ("path", "recording"):
            raise ValueError(f"repeat belongs to path and recording; leave it out with {given[0]}")
        if "things" in self.model_fields_set and self.recording is None:
            raise ValueError("things belongs to recording")
        return self

    @model_validator(mode="after")
    def _placed(self) -> Self:
        if self.recording is not None and (self.at is not None or "heading_deg" in self.model_fields_set):
            raise ValueError("a recording contains the places: leave out at and heading_deg")
        anywhere = self.size is not None or self.radius_m is not None or self.falling is not None
        if self.at is None and self.recording is None and self.path is None and anywhere:
            raise ValueError("at is missing")
        if self.falling is not None:
            if self.radius_m is None:
                raise ValueError("a falling thing is a log: give its radius_m")
            if {"bottom_m", "top_m", "heading_deg"} & self.model_fields_set:
                raise ValueError("the heights and heading of a falling log follow from falling: leave them out")
            if self.falling.length_m <= 2.0 * self.radius_m:
                raise ValueError(
                    f"a log must be longer than it is thick, not {self.falling.length_m} by {2.0 * self.radius_m}"
                )
        return self
