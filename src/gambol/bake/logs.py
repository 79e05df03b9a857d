"""What the logs of a job say: the time of each task, and which worker did it when."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple


class Try(NamedTuple):
    """A try of a task, on the clock of its run."""

    key: str
    worker: str
    begun_s: float
    ended_s: float
    failed: bool


class History(NamedTuple):
    """All runs of a job in a folder."""

    seconds: Mapping[str, float]  # times of tasks by their keys
    runs: int
    tries: tuple[Try, ...]  # all tries of the latest run that tried any task


def read_history(folder: Path, name: str) -> History:
    """Read the logs of a job, oldest first; bad lines are passed over."""
    seconds: dict[str, float] = {}
    tries: tuple[Try, ...] = ()
    runs = 0
    for path in sorted(folder.glob("*.jsonl")):
        if not path.name.startswith(f"{name}-"):
            continue
        lines = list(_lines(path))
        if not lines or lines[0].get("job") != name:
            continue
        runs += 1
        begun = datetime.fromisoformat(lines[0]["at"])
        found = tuple(_try(line, begun) for line in lines if line["event"] in ("done", "failed"))
        seconds |= {line["key"]: line["seconds"] for line in lines if line["event"] == "done"}
        tries = found or tries
    return History(seconds, runs, tries)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the events of a log, from its event "begin" on."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    begun = False
    for line in text.splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            continue
        begun = begun or said.get("event") == "begin"
        if begun:
            yield said


def _try(line: Mapping[str, Any], begun: datetime) -> Try:
    ended_s = (datetime.fromisoformat(line["at"]) - begun).total_seconds()
    begun_s = max(0.0, ended_s - line["seconds"])
    return Try(line["key"], line["worker"] or "?", begun_s, ended_s, line["event"] == "failed")
