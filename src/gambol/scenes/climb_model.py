"""The tables and keys of a scene file of the kind "climb"; see `file_model`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from gambol.files.entries import Entry
from gambol.scenes.world_model import Angle, Coordinate, Name, Point
from gambol.search.problem import DEFAULT_TOLERANCE_M
from gambol.world.scatter import CLEARANCE_M

LARGEST_PLANE_M = 1000.0  # m, > 0: the longest side of the plane
LARGEST_PLANE_M2 = 10_000.0  # m^2, > 0: the largest area of the plane; larger takes more memory
MOST_IN_ROW = 1000  # grasp points, >= 2: the most in one row

Kind = Literal["load-bearing", "pendent", "hybrid"]
ModeName = Literal["walk", "climb", "swing", "crawl"]
FigureName = Literal["adult", "tall", "short", "child"]
SurfaceName = Literal["floors", "walls", "ceilings"]
Box = Annotated[list[Coordinate], Field(min_length=4, max_length=4)]
Slope = Annotated[float, Field(ge=0.0, le=180.0)]
Share = Annotated[float, Field(ge=0.7, le=1.5)]


def _check_box(what: str, box: list[float] | None) -> None:
    if box is not None and (box[0] >= box[2] or box[1] >= box[3]):
        raise ValueError(f"{what} must be [least x, least z, greatest x, greatest z], not {box}")


class PlaneEntry(Entry):
    """The vertical plane in which climbers move: x to the right, z up."""

    bounds: Box
    """Least x, least z, greatest x, greatest z; climbers stay inside."""

    @model_validator(mode="after")
    def _bounds_in_order(self) -> Self:
        _check_box("bounds", self.bounds)
        width, height = self.bounds[2] - self.bounds[0], self.bounds[3] - self.bounds[1]
        if max(width, height) > LARGEST_PLANE_M or width * height > LARGEST_PLANE_M2:
            raise ValueError(
                f"bounds must be at most {LARGEST_PLANE_M:g} metres on a side, and {LARGEST_PLANE_M2:g} square metres"
            )
        return self


class PolygonEntry(Entry):
    """A solid thing, seen from the side; polygons may overlap."""

    name: Name | None = None
    """By default `polygon-0` …, numbered in the file's order."""
    corners: Annotated[list[Point], Field(min_length=3, max_length=1000)] | None = None
    """A polygon (x, z), convex or not."""
    box: Box | None = None
    """A rectangle: least x, least z, greatest x, greatest z."""

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        if (self.corners is None) == (self.box is None):
            raise ValueError("give one of corners and box")
        _check_box("box", self.box)
        return self


class GraspEntry(Entry):
    """One grasp point, or a row of them."""

    at: Point | None = None
    """One point (x, z): at most 2 cm from a surface, or for a bar anywhere in free space."""
    line: Annotated[list[Point], Field(min_length=2, max_length=2)] | None = None
    """The ends of a row, with `count` or `spacing_m`."""
    count: int | None = Field(default=None, ge=2, le=MOST_IN_ROW)
    """Number of points in the row."""
    spacing_m: float | None = Field(default=None, ge=0.01, le=100.0)
    """Distance between the row's points, from its first end on."""
    kind: Kind = "hybrid"
    """What the point is for: load-bearing to stand on, pendent to hang from, hybrid for both."""
    bar: bool = False
    """A bar across the plane, held from all sides; otherwise the point faces away from the nearest surface."""

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if (self.at is None) == (self.line is None):
            raise ValueError("give one of at and line")
        if self.line is None and (self.count is not None or self.spacing_m is not None):
            raise ValueError("count and spacing_m belong to line")
        if self.line is not None:
            if (self.count is None) == (self.spacing_m is None):
                raise ValueError("a line needs one of count and spacing_m")
            if self.line[0] == self.line[1]:
                raise ValueError("the ends of a line must differ")
        return self


def _several(value: object) -> object:
    return [value] if isinstance(value, str) else value


Surfaces = Annotated[
    Annotated[list[SurfaceName], Field(min_length=1, max_length=3)],
    BeforeValidator(_several, json_schema_input_type=SurfaceName | list[SurfaceName]),
]


class ScatterEntry(Entry):
    """Grasp points along surfaces, evenly spaced from corner to corner."""

    surfaces: Surfaces | None = None
    """Surfaces by slope: floors (up to 50 degrees), walls, ceilings (leaning over by 30 degrees or more)."""
    slope_deg: Annotated[list[Slope], Field(min_length=2, max_length=2)] | None = None
    """Instead of surfaces, least and greatest slope: 0 is a level floor, 90 an upright wall, 180 a level ceiling."""
    spacing_m: float = Field(ge=0.02, le=100.0)
    kind: Kind = "hybrid"
    noise_m: float = Field(default=0.0, ge=0.0, le=50.0)
    """Each point moves along the surface by a random distance up to this; at most half the spacing."""
    within: Box | None = None
    """Only in this box: least x, least z, greatest x, greatest z."""
    clearance_m: float = Field(default=CLEARANCE_M, ge=0.0, le=10.0)
    """Least distance from inner corners and free height over a point, so that feet fit."""

    @model_validator(mode="after")
    def _chosen(self) -> Self:
        if (self.surfaces is None) == (self.slope_deg is None):
            raise ValueError("give one of surfaces and slope_deg")
        if self.slope_deg is not None and self.slope_deg[0] > self.slope_deg[1]:
            raise ValueError(f"slope_deg must be [least, greatest], not {self.slope_deg}")
        if self.noise_m > 0.5 * self.spacing_m:
            raise ValueError(f"noise_m must be at most half of spacing_m, not {self.noise_m} of {self.spacing_m}")
        _check_box("within", self.within)
        return self


class FigureEntry(Entry):
    """A body: a named figure, or an adult with changed proportions; a name alone is short for { name = … }."""

    name: FigureName | None = None
    """adult (1.75 m), tall (1.95 m), short (1.55 m) or child (1.2 m); it replaces all other keys."""
    stature_m: float = Field(default=1.75, ge=0.8, le=2.5)
    legs: Share = 1.0
    """Length relative to an adult's of this stature; 1.1 is a tenth longer."""
    arms: Share = 1.0
    head: Share = 1.0

    @model_validator(mode="after")
    def _named_or_told(self) -> Self:
        if self.name is not None and len(self.model_fields_set) > 1:
            raise ValueError("give a name, or stature_m, legs, arms and head")
        return self


def _figure_form(value: object) -> object:
    return {"name": value} if isinstance(value, str) else value


FigureForm = Annotated[FigureEntry, BeforeValidator(_figure_form, json_schema_input_type=FigureEntry | FigureName)]


def _at_form(value: object) -> object:
    return {"at": value} if isinstance(value, list) else value


class ClimbStartEntry(Entry):
    """Where a climber starts; a list of two numbers is short for { at = [x, z] }."""

    at: Point
    """(x, z) of the ground it stands on, or of the bars it hangs from."""
    facing: Literal["right", "left"] | None = None
    """By default towards the goal."""
    mode: ModeName = "walk"


class ClimbGoalEntry(Entry):
    """Where a climber's centre of mass must arrive; a list of two numbers is short for { at = [x, z] }."""

    at: Point
    """(x, z): a standing adult's centre of mass is 0.98 m above ground."""
    tolerance_m: float = Field(default=0.35, ge=0.05, le=10.0)
    mode: ModeName | None = None
    """The mode of arrival; by default any."""


class ApproachEntry(Entry):
    """A way over level ground to the climb's start, planned as in scenes of the kind "plan"."""

    start: Point
    """(x, y) on the ground: x as in the plane, y to the left of it, away from the viewer."""
    heading_deg: Angle | None = None
    """Heading at first; by default towards the climb's start."""


class OnwardEntry(Entry):
    """A way over level ground after the climb's goal; a list of two numbers is short for { goal = [x, y] }."""

    goal: Point
    """(x, y) on the ground at the goal's height: x as in the plane, y to the left of it."""
    tolerance_m: float = Field(default=DEFAULT_TOLERANCE_M, gt=0.0, le=100.0)


def _approach_form(value: object) -> object:
    return {"start": value} if isinstance(value, list) else value


def _onward_form(value: object) -> object:
    return {"goal": value} if isinstance(value, list) else value


Start = Annotated[ClimbStartEntry, BeforeValidator(_at_form, json_schema_input_type=ClimbStartEntry | list[float])]
Goal = Annotated[ClimbGoalEntry, BeforeValidator(_at_form, json_schema_input_type=ClimbGoalEntry | list[float])]
Approach = Annotated[ApproachEntry, BeforeValidator(_approach_form, json_schema_input_type=ApproachEntry | list[float])]
Onward = Annotated[OnwardEntry, BeforeValidator(_onward_form, json_schema_input_type=OnwardEntry | list[float])]


class ClimberEntry(Entry):
    """One climber."""

    name: Name | None = None
    """By default `climber-0` …, numbered in the file's order."""
    figure: FigureForm = Field(default=FigureEntry(name="adult"))
    """The body that climbs."""
    start: Start
    goal: Goal
    max_stances: int = Field(default=20_000, ge=1, le=10**9)
    """The most changes of grasp that the search may try."""
    character: Name = "human"
    """The character of `approach` and `onward`: a built-in character or a character file."""
    approach: Approach | None = None
    """A way over the ground to the start of the climb."""
    onward: Onward | None = None
    """A way over the ground after the climb."""

    @model_validator(mode="after")
    def _on_foot(self) -> Self:
        if self.approach is not None and self.start.mode != "walk":
            raise ValueError(f"a climber with an approach starts on foot: mode = 'walk', not {self.start.mode!r}")
        if self.onward is not None and self.goal.mode not in (None, "walk"):
            raise ValueError(f"a climber that goes onward arrives on foot: mode = 'walk', not {self.goal.mode!r}")
        if "character" in self.model_fields_set and self.approach is None and self.onward is None:
            raise ValueError("character belongs to approach and onward; the body that climbs is figure")
        return self


class ClimbFile(Entry):
    """A scene of climbers: solid polygons and grasp points in a vertical plane, and the climbers."""

    name: Name
    summary: str = ""
    """A line for people."""
    kind: Literal["climb"]
    seed: int = Field(default=0, ge=0, le=2**63 - 1)
    """Seed of all random choices."""
    plane: PlaneEntry
    polygons: list[PolygonEntry] = Field(default=[], max_length=1000)
    grasps: list[GraspEntry] = Field(default=[])
    scatter: list[ScatterEntry] = Field(default=[])
    cast: list[ClimberEntry] = Field(default=[])
    extra: dict[str, Any] = Field(default={})
    """Kept unchanged: room for notes and for other programs."""
