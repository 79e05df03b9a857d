"""Plan files: what planners found, as JSON that is the same byte for byte whenever the plans are."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field

from gambol.characters.character import Character
from gambol.characters.step import Step, check_steps
from gambol.errors import FileProblem, InvalidInput, MalformedFile, UnknownName
from gambol.files.disk import read_bytes, write_atomically
from gambol.files.entries import Entry, Problems, parse_json_file, validate
from gambol.search.plan import Outcome, Plan, SearchStatistics

SUFFIX = ".plan.json"
FORMAT = "gambol plan"
VERSION = 1
MAX_BYTES = 200_000_000
TIMINGS = ("time_s", "setup_time_s")  # those of the statistics that differ from run to run


class StepEntry(Entry):
    """A clip of a behavior, placed."""

    behavior: str
    clip: int = Field(ge=0)
    pose: list[float] = Field(min_length=3, max_length=3)
    """x and y in metres, heading in radians, where the clip begins."""
    frame: int
    """Planning frame at which it begins."""


class StatisticsEntry(Entry):
    """What the search did."""

    expansions: int = Field(ge=0)
    nodes: int = Field(ge=0)
    generated: int = Field(ge=0)
    collision_samples: int = Field(ge=0)
    bytes_used: int = Field(ge=0)
    look_ups: int = Field(default=0, ge=0)
    fell_back: bool = False


class TimingsEntry(Entry):
    """How long it took, by the clock."""

    time_s: float = Field(ge=0.0)
    setup_time_s: float = Field(ge=0.0)


class PlanEntry(Entry):
    """One character's plan."""

    name: str
    character: str
    planning_rate_hz: float = Field(gt=0.0)
    outcome: Literal["found", "partial", "unreachable", "start_blocked", "goal_blocked", "out_of_budget"]
    reason: str
    cost: float
    bound: float | None
    """null: none is known."""
    statistics: StatisticsEntry
    timings: TimingsEntry | None = None
    steps: list[StepEntry]


class PlanFile(Entry):
    """Plans of one or more characters."""

    format: Literal["gambol plan"]
    version: Literal[1]
    scene: str | None
    seed: int | None
    plans: list[PlanEntry]


def write_plans(
    path: Path | str,
    plans: Mapping[str, Plan],
    *,
    scene: str | None = None,
    seed: int | None = None,
    timings: bool = False,
) -> None:
    """Write plans by their characters' names; see `plans_to_json`."""
    write_atomically(path, plans_to_json(plans, scene=scene, seed=seed, timings=timings).encode())


def plans_to_json(
    plans: Mapping[str, Plan], *, scene: str | None = None, seed: int | None = None, timings: bool = False
) -> str:
    """Return plans as JSON, a step to a line.  The same plans give the same text, unless timings are asked for."""
    head = {"format": FORMAT, "version": VERSION, "scene": scene, "seed": seed}
    listed = ",\n".join(_plan_text(name, plan, timings) for name, plan in plans.items())
    return f"{_opened(head)},\n  {_dumped('plans')}: [\n{listed}\n  ]\n}}\n"


def read_plan(path: Path | str, character: Character, *, name: str | None = None) -> Plan:
    """Read one plan back, for the character it was made for; without the search tree.

    name: whose plan, where the file holds several.
    """
    try:
        data = read_bytes(path, max_bytes=MAX_BYTES).decode("utf-8-sig")
        return plan_from_entry(_chosen(parse_plans(data), name), character)
    except UnicodeDecodeError as error:
        raise MalformedFile(f"this is not text in UTF-8: {error.reason}", path=path) from None
    except FileProblem as problem:
        raise problem if problem.path is not None else problem.in_file(path) from None


def parse_plans(text: str) -> PlanFile:
    """Return what a plan file says, without asking whether any character can do it."""
    data = parse_json_file(text, "plan", FORMAT, VERSION)
    problems = Problems("")
    file = validate(PlanFile, data, problems)
    problems.raise_if_any()
    assert file is not None
    return file


def plan_from_entry(entry: PlanEntry, character: Character) -> Plan:
    """Return the plan that an entry describes; steps that the character cannot do are an error."""
    try:
        if abs(entry.planning_rate_hz - character.planning_rate_hz) > 1e-6:
            raise InvalidInput(
                f"these frames are {entry.planning_rate_hz:g} a second, "
                f"character {character.name!r} plans at {character.planning_rate_hz:g}"
            )
        steps = tuple(_step(step, character) for step in entry.steps)
        if steps:
            check_steps(character, steps)
    except InvalidInput as error:
        raise MalformedFile(f"the plan of {entry.name!r} for {entry.character!r}: {error}") from None
    timings = {} if entry.timings is None else entry.timings.model_dump()
    return Plan(
        outcome=Outcome(entry.outcome),
        reason=entry.reason,
        character=character,
        steps=steps,
        cost=float(entry.cost),
        bound=np.inf if entry.bound is None else float(entry.bound),
        statistics=SearchStatistics(**entry.statistics.model_dump(), **timings),
    )


def _chosen(file: PlanFile, name: str | None) -> PlanEntry:
    names = [entry.name for entry in file.plans]
    if name is None:
        if len(file.plans) != 1:
            raise InvalidInput(f"whose plan? The file holds those of: {', '.join(names) or 'nobody'}")
        return file.plans[0]
    if name not in names:
        raise UnknownName("plan for", name, names)
    return file.plans[names.index(name)]


def _step(entry: StepEntry, character: Character) -> Step:
    x, y, heading = entry.pose
    return Step(character.index(entry.behavior), entry.clip, (float(x), float(y), float(heading)), entry.frame)


def _plan_text(name: str, plan: Plan, timings: bool) -> str:
    character = plan.character
    counted = {field.name: getattr(plan.statistics, field.name) for field in fields(SearchStatistics)}
    head: dict[str, Any] = {
        "name": name,
        "character": character.name,
        "planning_rate_hz": character.planning_rate_hz,
        "outcome": plan.outcome.value,
        "reason": plan.reason,
        "cost": float(plan.cost),
        "bound": float(plan.bound) if np.isfinite(plan.bound) else None,
        "statistics": {key: value for key, value in counted.items() if key not in TIMINGS},
    }
    if timings:
        head["timings"] = {key: counted[key] for key in TIMINGS}
    steps = [
        _dumped(
            {
                "behavior": character.behaviors[step.behavior].name,
                "clip": step.clip,
                "pose": list(step.pose),
                "frame": step.frame,
            }
        )
        for step in plan.steps
    ]
    listed = "[]" if not steps else "[\n" + ",\n".join(f"        {step}" for step in steps) + "\n      ]"
    return f"{_opened(head, indent=4)},\n      {_dumped('steps')}: {listed}\n    }}"


def _opened(entries: Mapping[str, Any], *, indent: int = 0) -> str:
    """Return an object with an entry to a line, without its end."""
    lines = ",\n".join(f"{'':{indent + 2}}{_dumped(key)}: {_dumped(value)}" for key, value in entries.items())
    return f"{'':{indent}}{{\n{lines}"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
