"""The tables and keys of a character file.

The docstring below each key is its description in the published JSON Schema.
"""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from gambol.characters.character import DEFAULT_WEIGHTS
from gambol.files.entries import Entry
from gambol.files.units import AUTO, METRES

Kind = Literal["forward", "turn", "jump", "low", "change", "side", "wait"]
assert tuple(DEFAULT_WEIGHTS) == Kind.__args__  # pyright: ignore[reportAttributeAccessIssue]
Facing = Literal["travel", "hips", "way"]
Feet = Literal["clean", "keep", "board"]
LARGEST_COUNT = 10_000_000  # >= 1: the most that a clip's `count` may be


class ReadingEntry(Entry):
    """How to read motion files."""

    unit: str | float | None = None
    """Unit of BVH and ASF/AMC files: auto, m, cm, mm, inch, cmu, or metres as a number."""
    rate_hz: float | None = Field(default=None, gt=0.0)
    """The true rate, if files state a wrong one."""
    t_pose: Literal["auto", "keep", "drop"] = "auto"
    """Whether to leave out the first frame of a BVH file as a T-pose. Frames are counted as in the file either way."""
    ground_m: float | None = None
    """Height of the level ground; by default estimated from feet at rest."""

    @field_validator("unit")
    @classmethod
    def _known_unit(cls, unit: str | float | None) -> str | float | None:
        if isinstance(unit, str) and unit not in (AUTO, *METRES):
            raise ValueError(f"no unit {unit!r}; there are: {', '.join((AUTO, *METRES))}")
        return unit


class SkeletonEntry(Entry):
    """Where the character's skeleton comes from; by default from the first clip's file."""

    file: str | None = None
    """A motion file, in the folder of the motions."""
    builtin: Literal["human", "skateboarder", "horse"] | None = None
    """A character that ships with Gambol."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.file is None) == (self.builtin is None):
            raise ValueError("give either a file or a builtin")
        return self


class StepEntry(Entry):
    """Steps from a stand to the same stand elsewhere, foot after foot."""

    forward_m: float = Field(default=0.0, ge=-1.0, le=1.0)
    left_m: float = Field(default=0.0, ge=-1.0, le=1.0)
    turn_deg: float = Field(default=0.0, ge=-180.0, le=180.0)
    """Counter-clockwise."""
    footfalls: int | None = Field(default=None, ge=2, le=12, multiple_of=2)
    """Number of footfalls; by default as many as the distance and the turn need."""


class PieceEntry(Entry):
    """A piece that continues a clip; the differences where they meet fade away."""

    file: str = Field(min_length=1)
    """The motion file, in the folder of the motions."""
    first: int = Field(ge=0)
    """First frame of the piece: it coincides with the last frame before it."""
    last: int = Field(ge=1)
    mirrored: bool = False
    over_s: float = Field(default=0.4, gt=0.0, le=5.0)
    """How long the differences take to fade away."""

    @model_validator(mode="after")
    def _frames_in_order(self) -> Self:
        if self.last <= self.first:
            raise ValueError(f"last must be greater than first, not {self.last} after {self.first}")
        return self


class ClipEntry(Entry):
    """A piece cut out of a motion file."""

    file: str = Field(min_length=1)
    """The motion file, in the folder of the motions."""
    first: int = Field(ge=0)
    """First frame of the cut, counted as in the file, from 0."""
    last: int = Field(ge=1)
    """Last frame of the cut; it is the first frame of the next clip."""
    then: tuple[PieceEntry, ...] = Field(default=(), strict=False)
    """Pieces that continue the clip, for motions that no single file contains."""
    name: str | None = Field(default=None, min_length=1)
    """By default the behavior's name, numbered if the behavior has several clips."""
    mirrored: bool = False
    """Exchange left and right."""
    speed: float = Field(default=1.0, ge=0.1, le=10.0)
    """Play it faster (above 1) or slower."""
    bend_deg: float = Field(default=0.0, ge=-120.0, le=120.0)
    """Bend the path to the left (positive) or right, with the feet kept planted."""
    step: StepEntry | None = None
    """Make steps out of a stand."""
    event: int | None = Field(default=None, ge=0)
    """Frame of the most important moment (the top of a jump); by default it is found."""
    facing: Facing = "travel"
    """What gives the heading: travel is the direction of travel (standing, the hips), hips is for steps to the side
    and back, way is the direction of travel alone, for riding sideways on a board."""
    feet: Feet = "clean"
    """Planted feet are pinned to the ground (clean), kept as they are (keep), or stand on a moving board (board)."""
    cyclic: bool = False
    """Spread the gap between the last pose and the first over the cut, so that the clip can follow itself."""
    retarget: bool = False
    """Transfer the motion from another skeleton with the same joint names."""
    count: int = Field(default=1, ge=1, le=LARGEST_COUNT)
    """Number of times that the clip is listed, in place of that many similar clips."""

    @model_validator(mode="after")
    def _frames_in_order(self) -> Self:
        if self.last <= self.first:
            raise ValueError(f"last must be greater than first, not {self.last} after {self.first}")
        if self.event is not None and not self.first <= self.event <= self.last:
            raise ValueError(f"event must lie between first and last, not at {self.event}")
        if self.step is not None and self.bend_deg != 0.0:
            raise ValueError("a step out of a stand cannot be bent; use step.turn_deg")
        return self


class AnnotationEntry(Entry):
    """Tags by hand that replace what follows from the clip's shape [LK05 3.2]."""

    special: str | None = None
    """Type of obstacle: the behavior is allowed only near one."""
    radius_m: float | None = Field(default=None, gt=0.0)
    """One fixed radius that replaces the swept shape."""


class BehaviorEntry(Entry):
    """A state of the character: similar clips with one cost, and labels that say which behaviors it may follow."""

    name: str = Field(min_length=1)
    """Unique in the character."""
    label: str | None = None
    """What a person would call it; by default its name. Several behaviors may share a label."""
    kind: Kind = "forward"
    """Kind of movement; it sets the default weight."""
    weight: float | None = Field(default=None, gt=0.0)
    """Cost of a metre, or of a second if the behavior goes nowhere."""
    begins: str = Field(min_length=1)
    """Transition label of the first pose."""
    ends: str = Field(min_length=1)
    """Transition label of the last pose: behaviors that begin with it may follow."""
    slopes: list[float] = Field(default=[-0.3, 0.3], min_length=2, max_length=2)
    """Least and greatest rise of the ground per metre at which the behavior may be used."""
    annotation: AnnotationEntry = AnnotationEntry()
    mirrored_as: str | None = Field(default=None, min_length=1)
    """Name of a second behavior to make: the mirror image, with left and right exchanged in label, begins and ends."""
    speeds: list[float] = Field(default=[])
    """Further behaviors to make, played faster or slower: 0.5 makes "name-x0.5"."""
    bends_deg: list[float] = Field(default=[])
    """Further behaviors to make, bent to the left (positive) or right: 30 makes "name-left-30"."""
    clips: list[ClipEntry] = Field(min_length=1)

    @field_validator("slopes")
    @classmethod
    def _slopes_in_order(cls, slopes: list[float]) -> list[float]:
        if slopes[0] > slopes[1]:
            raise ValueError(f"must be [least, greatest], not {slopes}")
        return slopes

    @field_validator("speeds")
    @classmethod
    def _positive_speeds(cls, speeds: list[float]) -> list[float]:
        if any(not 0.1 <= speed <= 10.0 for speed in speeds):
            raise ValueError(f"each must be between 0.1 and 10, not {speeds}")
        return speeds

    @field_validator("bends_deg")
    @classmethod
    def _possible_bends(cls, bends: list[float]) -> list[float]:
        if any(not -120.0 <= bend <= 120.0 for bend in bends):
            raise ValueError(f"each must be between -120 and 120 degrees, not {bends}")
        return bends


class EdgeEntry(Entry):
    """A permission to follow one behavior by another, at a cost of its own."""

    source: str
    target: str
    cost: float = Field(default=0.0, ge=0.0)
    """Added to the target's cost [C20]."""


class CharacterFile(Entry):
    """A character: everything that a body can do, cut out of motion files."""

    name: str = Field(min_length=1)
    about: str = ""
    """A line for people."""
    motions: str = "."
    """Folder of the motion files, relative to this file; $NAME at its start stands for an environment variable."""
    reading: ReadingEntry = ReadingEntry()
    """How to read all motion files."""
    takes: dict[str, ReadingEntry] = Field(default={})
    """How to read single files, by file; keys left out are as in `reading`."""
    skeleton: SkeletonEntry | None = None
    planning_rate_hz: float = Field(default=30.0, gt=0.0, le=1000.0)
    """Planning frames a second; clips are retimed to whole ones."""
    frames_per_step: int = Field(default=2, ge=1, le=100)
    """Frames of delivered motion in a planning frame."""
    margin: int = Field(default=8, ge=0, le=1000)
    """Planning frames kept on either side of each clip, for blending."""
    cost_by: Literal["path", "chord"] = "path"
    """Distance along the way [L09 3.2] or straight from start to end [LK05 3.3]."""
    labels_connect: bool = True
    """Whether equal labels connect behaviors; otherwise only edges do."""
    labels: list[str] | None = None
    """All transition labels; if given, any other label is a mistake."""
    behaviors: list[BehaviorEntry] = Field(min_length=1)
    edges: list[EdgeEntry] = Field(default=[])
    subsets: dict[str, list[str]] = Field(default={})
    """Named subsets of the behaviors; * in a name stands for anything."""
    extra: dict[str, Any] = Field(default={})
    """Kept unchanged: room for notes and for other programs."""
