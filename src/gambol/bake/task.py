"""What is baked: tasks, each known by a hash of everything that its result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gambol.bake.inputs import Inputs

FORMAT = 1  # of results; another number makes everything be baked anew
SOURCES = Path(__file__).resolve().parents[1]

Scalar = str | int | float | bool | None


@dataclass(frozen=True, eq=False)
class Task:
    """A piece of a job that is done as a whole or not at all.

    label: its name in the job, also that of its files; nothing depends on it.
    source: the file it is about, by its name among the inputs; or the name of something that ships.
    """

    kind: str
    label: str
    source: str
    settings: Mapping[str, Scalar]
    write: tuple[str, ...]  # suffixes of the files it makes
    inputs: Inputs

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))

    def __reduce__(self) -> tuple[Any, ...]:  # views of mappings are not pickled
        return Task, (self.kind, self.label, self.source, dict(self.settings), self.write, self.inputs)

    @property
    def facts(self) -> dict[str, Any]:
        """All that its result depends on, as plain values."""
        return {
            "kind": self.kind,
            "source": self.source,
            "settings": dict(self.settings),
            "write": list(self.write),
            "inputs": dict(self.inputs.digests),
        }

    @cached_property
    def key(self) -> str:
        """A hash of all that its result depends on, the program's code among it."""
        facts = {"format": FORMAT, "code": _code(), **self.facts}
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@cache
def _code() -> str:
    """Return a hash of the versions and of all code of the package."""
    digest = hashlib.sha256(f"{version('gambol')} {np.__version__}".encode())
    for source in sorted(SOURCES.rglob("*.py")):
        digest.update(source.relative_to(SOURCES).as_posix().encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()
