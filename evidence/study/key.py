"""Keys and answers, as files that are checked before anything is concluded from them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evidence.study.experiments import EXPERIMENTS, HIGHEST, LOWEST
from gambol.errors import EntryProblem, InvalidEntries, MalformedFile
from gambol.files import read_bytes

KEY_FORMAT = "python -m evidence.study key"
VERSION = 1
MOST_BYTES = 20_000_000


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


class KeyClip(_Part):
    """What a motion of a page is."""

    condition: str
    source: str
    seconds: float


class Key(_Part):
    """What the page of a study does not say."""

    format: Literal["python -m evidence.study key"]
    version: Literal[1]
    gambol: str
    study: str
    experiment: Literal["natural", "repetitive"]
    seed: int
    clips: dict[str, KeyClip]
    orders: list[list[str]]


class Answer(_Part):
    """What a person said of a motion."""

    clip: str
    score: Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
    plays: Annotated[int, Field(ge=1)]
    seconds: Annotated[float, Field(ge=0)]


class Answers(_Part):
    """What a person said, in the order in which it was asked."""

    gambol_study: Literal[1]
    study: str
    experiment: str
    participant: int
    began: str
    ended: str
    answers: list[Answer]


Part = TypeVar("Part", bound=_Part)


def read_key(path: Path) -> Key:
    """Read a key."""
    key = _read(path, Key)
    known = EXPERIMENTS[key.experiment].conditions
    for name, clip in key.clips.items():
        if clip.condition not in known:
            raise MalformedFile(
                f"clips.{name}: no condition {clip.condition!r}; there are {' and '.join(known)}", path=path
            )
    for number, order in enumerate(key.orders):
        if sorted(order) != sorted(key.clips):
            raise MalformedFile(f"orders.{number}: each of {len(key.clips)} clips once expected", path=path)
    return key


def read_answers(paths: Sequence[Path], key: Key) -> list[Answers]:
    """Read answers to one study; all that does not fit is told at once."""
    found: dict[int, Path] = {}
    everything, problems = [], []
    for path in paths:
        try:
            answers = _read(path, Answers)
        except InvalidEntries as error:
            problems += [problem._replace(key=f"{path.name}: {problem.key}") for problem in error.problems]
            continue
        except MalformedFile as error:
            problems.append(EntryProblem(path.name, error.message))
            continue
        wrong = _misfit(answers, key)
        if wrong is None and answers.participant in found:
            wrong = f"participant {answers.participant} has answered in {found[answers.participant].name} already"
        if wrong is not None:
            problems.append(EntryProblem(path.name, wrong))
            continue
        found[answers.participant] = path
        everything.append(answers)
    if problems:
        raise InvalidEntries(problems)
    return sorted(everything, key=lambda answers: answers.participant)


def _misfit(answers: Answers, key: Key) -> str | None:
    """Say what is wrong with answers, given the key."""
    if answers.study != key.study or answers.experiment != key.experiment:
        return f"answers to another study, {answers.study[:40]!r}; the key is of {key.study!r}"
    if not 1 <= answers.participant <= len(key.orders):
        return f"participant {answers.participant}; the study has {len(key.orders)}"
    expected = key.orders[answers.participant - 1]
    if len(answers.answers) != len(expected):
        return f"{len(answers.answers)} answers; {len(expected)} expected"
    if [answer.clip for answer in answers.answers] != expected:
        return f"not the motions that participant {answers.participant} is shown, in their order"
    return None


def _read(path: Path, kind: type[Part]) -> Part:
    try:
        data = json.loads(read_bytes(path, max_bytes=MOST_BYTES))
    except (ValueError, RecursionError) as error:
        raise MalformedFile(f"this is not JSON: {error}", path=path) from None
    try:
        return kind.model_validate(data)
    except ValidationError as error:
        problems = [
            EntryProblem(".".join(str(part) for part in details["loc"]), details["msg"])
            for details in error.errors(include_url=False)
        ]
        raise InvalidEntries(problems, path=path) from None
