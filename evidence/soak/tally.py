"""What a job has found so far, as a file that is whole at every moment."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import Any

from gambol.files import write_atomically

PACKAGES = ("gambol", "numpy", "numba", "usd-core")


@dataclass
class Tally:
    """Counts and extremes of some inputs; two of them add up."""

    inputs: int = 0
    accepted: int = 0
    rejected: Counter[str] = field(default_factory=Counter)  # by the error's class
    failures: list[dict[str, Any]] = field(default_factory=list)
    slowest_s: float = 0.0
    slowest_input: int | None = None
    peak_mb: float = 0.0
    seconds: float = 0.0
    worst: dict[str, float] = field(default_factory=dict)  # the largest value of each measure
    mean: dict[str, float] = field(default_factory=dict)  # over all inputs
    counts: Counter[str] = field(default_factory=Counter)  # of whatever a job counts, over all inputs
    rows: dict[str, dict[str, Any]] = field(default_factory=dict)  # figures of single inputs, by name

    def add(self, other: Tally) -> None:
        for name, value in other.mean.items():
            total = self.mean.get(name, 0.0) * self.inputs + value * other.inputs
            self.mean[name] = total / (self.inputs + other.inputs)
        self.inputs += other.inputs
        self.accepted += other.accepted
        self.rejected.update(other.rejected)
        self.counts.update(other.counts)
        self.rows.update(other.rows)
        self.failures = sorted(self.failures + other.failures, key=lambda failure: failure["input"])
        if other.slowest_s > self.slowest_s:
            self.slowest_s, self.slowest_input = other.slowest_s, other.slowest_input
        self.peak_mb = max(self.peak_mb, other.peak_mb)
        self.seconds += other.seconds
        for name, value in other.worst.items():
            self.worst[name] = max(value, self.worst.get(name, value))


@dataclass
class Record:
    """The state of one job: which chunks are done, and their tally."""

    path: Path
    facts: dict[str, Any]  # what the job is: name, seed, limits
    chunk_count: int
    done: set[int] = field(default_factory=set)
    tally: Tally = field(default_factory=Tally)

    @property
    def is_finished(self) -> bool:
        return len(self.done) == self.chunk_count

    def load(self) -> None:
        """Take up the state of an earlier run, if there is one of the same job."""
        if not self.path.is_file():
            return
        saved = json.loads(self.path.read_text())
        if any(saved.get(name) != value for name, value in self.facts.items()):
            return
        done = range(self.chunk_count) if saved["finished"] else saved["chunks_done"]
        self.done = set(done)
        known = {name: saved[name] for name in Tally.__dataclass_fields__ if name in saved}
        self.tally = Tally(**{**known, "rejected": Counter(known["rejected"]), "counts": Counter(known.get("counts"))})

    def add(self, chunk: int, tally: Tally) -> None:
        """Count a chunk in and save."""
        self.done.add(chunk)
        self.tally.add(tally)
        state = {**self.facts, "finished": self.is_finished}
        if not self.is_finished:
            state["chunks_done"] = sorted(self.done)
        measured = {name: getattr(self.tally, name) for name in Tally.__dataclass_fields__}
        rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in measured.items()}
        rounded["rejected"] = dict(sorted(self.tally.rejected.items()))
        for kind in ("worst", "mean", "counts"):
            rounded[kind] = {name: round(value, 6) for name, value in sorted(getattr(self.tally, kind).items())}
        rounded["rows"] = dict(sorted(self.tally.rows.items()))
        optional = ("worst", "mean", "counts", "rows")
        rounded = {name: value for name, value in rounded.items() if name not in optional or value}
        text = json.dumps({**state, **rounded, "versions": versions()}, indent=2, ensure_ascii=False)
        write_atomically(self.path, (text + "\n").encode())


def versions() -> dict[str, str]:
    """Return the versions of what took part."""
    found = {"python": python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "absent"
    return found
