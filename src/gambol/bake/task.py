"""Tasks, each known by a hash of everything that its result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gambol.bake.inputs import Inputs

FORMAT = 1  # version of results; with another number everything is baked anew
SOURCES = Path(__file__).resolve().parents[1]  # folder of our code
#: Packages that results may depend on beside our own code.
PACKAGES = ("gambol", "numpy", "numba", "llvmlite", "scipy", "shapely", "trimesh", "usd-core", "pyarrow")

Scalar = str | int | float | bool | None


@dataclass(frozen=True, eq=False)
class Task:
    """A piece of a job that is done completely or not at all.

    kind: a name among KINDS; or, in tasks made in Python, a function that does it, as "module:function".
    label: its name in the job; the result does not depend on it.
    source: the file that it is about, by its name among the inputs; or the name of something that ships.
    """

    kind: str
    label: str
    source: str
    settings: Mapping[str, Scalar]
    write: tuple[str, ...]  # suffixes of the files that it makes
    inputs: Inputs

    def __post_init__(self) -> None:
        object.__setattr__(self, "settings", MappingProxyType(dict(self.settings)))

    def __reduce__(self) -> tuple[Any, ...]:  # views of mappings are not pickled
        return Task, (self.kind, self.label, self.source, dict(self.settings), self.write, self.inputs)

    @property
    def facts(self) -> dict[str, Any]:
        """Everything that the result depends on, as plain values."""
        return {
            "kind": self.kind,
            "source": self.source,
            "settings": dict(self.settings),
            "write": list(self.write),
            "inputs": dict(self.inputs.digests),
        }

    @cached_property
    def key(self) -> str:
        """A hash of everything that the result depends on, with the program's code."""
        facts = {"format": FORMAT, "code": code_of(self.kind), **self.facts}
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


@cache
def code_of(kind: str) -> str:
    """Return a hash of all packages' versions and of all code that a task of some kind runs."""
    digest = hashlib.sha256(" ".join(f"{name} {_version(name)}" for name in PACKAGES).encode())
    for source in sorted(SOURCES.rglob("*.py")):
        digest.update(source.relative_to(SOURCES).as_posix().encode())
        digest.update(source.read_bytes())
    module, colon, _ = kind.partition(":")
    if colon:
        spec = find_spec(module)
        digest.update(b"" if spec is None or spec.origin is None else Path(spec.origin).read_bytes())
    return digest.hexdigest()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
