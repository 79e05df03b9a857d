"""Climb files: modes and grasps of climbs in their order, as JSON that is the same byte for byte whenever they are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from gambol.climb.figure import FREE, LIMBS, Figure
from gambol.climb.itinerary import FACINGS, Itinerary, Phase
from gambol.climb.modes import Mode
from gambol.errors import FileProblem, InvalidInput, MalformedFile, UnknownName
from gambol.files.disk import read_bytes, write_atomically
from gambol.files.entries import Entry, Problems, parse_json_file, validate
from gambol.search.plan import Outcome
from gambol.world.environment import GraspKind, GraspPoint

SUFFIX = ".climb.json"
FORMAT = "gambol climb"
VERSION = 1
MAX_BYTES = 200_000_000
TIME_S = 1e-3  # by which a time may differ from its frame's
_FACINGS = {name: facing for facing, name in FACINGS.items()}
Number = int | None


@dataclass(frozen=True)
class ClimbRecord:
    """One climber's way."""

    name: str
    figure: Figure
    core: str
    seed: int  # of the scene, with which it was found
    outcome: Outcome
    reason: str
    frames: int  # of the delivered motion, with ways over the ground before and after the climb
    expansions: int  # changes of grasp that the search tried
    itinerary: Itinerary | None  # None: it cannot even be at its start


@dataclass(frozen=True)
class ClimbLog:
    """What a climb file says."""

    scene: str | None
    climbs: tuple[ClimbRecord, ...]

    def climb(self, name: str) -> ClimbRecord:
        """Return one climber's; an unknown name is an error that suggests a near one."""
        for climb in self.climbs:
            if climb.name == name:
                return climb
        raise UnknownName("climb of", name, [climb.name for climb in self.climbs])


class FigureEntry(Entry):
    """A body."""

    name: str
    stature_m: float
    legs: float
    arms: float
    head: float


class PointEntry(Entry):
    """A grasp point that is held."""

    number: int = Field(ge=0)
    """In the scene."""
    at: list[float] = Field(min_length=2, max_length=2)
    kind: GraspKind
    normal: list[float] = Field(min_length=2, max_length=2)
    """Out of the surface; [0, 0] on a bar."""


class PhaseEntry(Entry):
    """Frames from one on in which mode, facing and grasps stay the same."""

    frame: int = Field(ge=0)
    time_s: float = Field(ge=0.0)
    mode: Literal["walk", "climb", "swing", "crawl"]
    facing: Literal["right", "left", "turning"]
    left_hand: Number
    """The number of a grasp point; null: it holds none.  So for the other limbs."""
    right_hand: Number
    left_foot: Number
    right_foot: Number


class ClimbEntry(Entry):
    """One climber's way."""

    name: str
    figure: FigureEntry
    core: Literal["stances", "paper"]
    seed: int
    outcome: Literal["found", "partial", "unreachable", "start_blocked", "goal_blocked", "out_of_budget"]
    reason: str
    expansions: int = Field(ge=0)
    rate_hz: float | None = Field(gt=0.0)
    """null: there is no motion.  So for the frame after this."""
    frames: int = Field(ge=0)
    """Of the delivered motion; the phases may begin after its first and end before its last."""
    last_frame: int | None
    """Of the last phase."""
    points: list[PointEntry]
    phases: list[PhaseEntry]


class LogEntry(Entry):
    """Climbs of one or more climbers."""

    format: Literal["gambol climb"]
    version: Literal[1]
    scene: str | None
    climbs: list[ClimbEntry]


def write_climb_file(path: Path | str, log: ClimbLog) -> None:
    """Write climbs; see `climbs_to_json`."""
    write_atomically(path, climbs_to_json(log).encode())


def climbs_to_json(log: ClimbLog) -> str:
    """Return climbs as JSON, a phase to a line.  The same climbs give the same text."""
    head = {"format": FORMAT, "version": VERSION, "scene": log.scene}
    listed = ",\n".join(_climb_text(climb) for climb in log.climbs)
    return f"{_opened(head)},\n  {_dumped('climbs')}: [\n{listed}\n  ]\n}}\n"


def climbs_to_text(log: ClimbLog) -> str:
    """Return climbs in plain words, a moment to a line."""
    return "\n".join(line for climb in log.climbs for line in (*_told(climb), "")).rstrip("\n") + "\n"


def read_climb_file(path: Path | str) -> ClimbLog:
    """Read climbs back; what is wrong with a file is told with its key."""
    try:
        return parse_climbs(read_bytes(path, max_bytes=MAX_BYTES).decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise MalformedFile(f"this is not text in UTF-8: {error.reason}", path=path) from None
    except FileProblem as problem:
        raise problem if problem.path is not None else problem.in_file(path) from None


def parse_climbs(text: str) -> ClimbLog:
    """Return what a climb file says."""
    data = parse_json_file(text, "climb", FORMAT, VERSION)
    problems = Problems("")
    file = validate(LogEntry, data, problems)
    problems.raise_if_any()
    assert file is not None
    records = tuple(_record(entry, number, problems) for number, entry in enumerate(file.climbs))
    problems.raise_if_any()
    return ClimbLog(file.scene, tuple(record for record in records if record is not None))


def _record(entry: ClimbEntry, number: int, problems: Problems) -> ClimbRecord | None:
    """Return a climb, or None after adding what is wrong with it."""
    try:
        return ClimbRecord(
            name=entry.name,
            figure=Figure(**entry.figure.model_dump()),
            core=entry.core,
            seed=entry.seed,
            outcome=Outcome(entry.outcome),
            reason=entry.reason,
            frames=entry.frames,
            expansions=entry.expansions,
            itinerary=_itinerary(entry),
        )
    except InvalidInput as error:
        problems.add(("climbs", number), str(error))
        return None


def _itinerary(entry: ClimbEntry) -> Itinerary | None:
    if not entry.phases:
        return None
    if entry.rate_hz is None or entry.last_frame is None:
        raise InvalidInput("phases need a rate_hz and a last_frame")
    if entry.last_frame >= entry.frames:
        raise InvalidInput(f"last_frame {entry.last_frame} is beyond the {entry.frames} frames")
    points = {point.number: _point(point) for point in entry.points}
    if len(points) < len(entry.points):
        raise InvalidInput("points must have unique numbers")
    phases = tuple(_phase(phase, number, entry.rate_hz) for number, phase in enumerate(entry.phases))
    return Itinerary(float(entry.rate_hz), phases, entry.last_frame, points)


def _point(entry: PointEntry) -> GraspPoint:
    (x, z), (normal_x, normal_z) = entry.at, entry.normal
    return GraspPoint(float(x), float(z), entry.kind, (float(normal_x), float(normal_z)))


def _phase(entry: PhaseEntry, number: int, rate_hz: float) -> Phase:
    if abs(entry.time_s - entry.frame / rate_hz) > TIME_S:
        raise InvalidInput(
            f"phases[{number}]: frame {entry.frame} at {rate_hz:g} Hz is at {entry.frame / rate_hz:.4f} s, "
            f"not at {entry.time_s:g} s"
        )
    left_hand, right_hand, left_foot, right_foot = (
        FREE if grasp is None else grasp
        for grasp in (entry.left_hand, entry.right_hand, entry.left_foot, entry.right_foot)
    )
    grasps = (left_hand, right_hand, left_foot, right_foot)
    return Phase(entry.frame, Mode[entry.mode.upper()], _FACINGS[entry.facing], grasps)


def _climb_text(climb: ClimbRecord) -> str:
    way = climb.itinerary
    head: dict[str, Any] = {
        "name": climb.name,
        "figure": asdict(climb.figure),
        "core": climb.core,
        "seed": climb.seed,
        "outcome": climb.outcome.value,
        "reason": climb.reason,
        "expansions": climb.expansions,
        "rate_hz": None if way is None else way.rate_hz,
        "frames": climb.frames,
        "last_frame": None if way is None else way.last_frame,
    }
    points = [] if way is None else [_point_row(*item) for item in way.points.items()]
    phases = [] if way is None else [_phase_row(phase, way) for phase in way.phases]
    return f"{_opened(head, indent=4)},\n{_listed('points', points)},\n{_listed('phases', phases)}\n    }}"


def _point_row(number: int, point: GraspPoint) -> dict[str, Any]:
    return {"number": number, "at": [point.x, point.z], "kind": point.kind, "normal": list(point.normal)}


def _phase_row(phase: Phase, way: Itinerary) -> dict[str, Any]:
    grasps = {limb: None if grasp == FREE else grasp for limb, grasp in zip(LIMBS, phase.grasps, strict=True)}
    time_s = round(way.seconds(phase.frame), 4)
    facing = FACINGS[phase.facing]
    return {"frame": phase.frame, "time_s": time_s, "mode": phase.mode.label, "facing": facing, **grasps}


def _told(climb: ClimbRecord) -> list[str]:
    how = climb.outcome.value if climb.outcome is Outcome.FOUND else f"{climb.outcome.value}: {climb.reason}"
    head = f"{climb.name}: {how}"
    way = climb.itinerary
    if way is None:
        return [head]
    lasts = way.seconds(way.last_frame - way.first_frame)
    return [
        head,
        f"{climb.figure.name}, {climb.figure.stature_m:g} m; core {climb.core}, seed {climb.seed}; {lasts:.2f} s, "
        f"{way.regrasps} regrasps of {len(way.points)} points",
        *way.lines(),
    ]


def _listed(key: str, rows: list[dict[str, Any]]) -> str:
    shown = "[]" if not rows else "[\n" + ",\n".join(f"        {_dumped(row)}" for row in rows) + "\n      ]"
    return f"      {_dumped(key)}: {shown}"


def _opened(entries: Mapping[str, Any], *, indent: int = 0) -> str:
    """Return an object with an entry to a line, without its end."""
    lines = ",\n".join(f"{'':{indent + 2}}{_dumped(key)}: {_dumped(value)}" for key, value in entries.items())
    return f"{'':{indent}}{{\n{lines}"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
