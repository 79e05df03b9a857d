"""One table of what can be written: kind of performance and suffix → the function that writes it.

Extras add their own rows when they are installed, through the entry point group `gambol.writers`: each entry names
a tuple of `Writer`.  So nothing here imports pictures, and other packages can join.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from gambol.errors import InvalidInput, UnknownName, UnreadableFile

if TYPE_CHECKING:
    from gambol.stages.performance import Progress


PLANE = "plane"
VIEWS = (PLANE, "side", "three-quarter")


@dataclass(frozen=True)
class WriteOptions:
    """How files are written.

    only: of a crowd, the names of the characters whose motions and rows are written; empty: everyone's.
    table_rate_hz: rows a second and character of tables; more than 0.
    instanced: whether USD files describe each kind of character of a crowd once; False for programs that cannot
    take instances.
    video_rate_hz: frames a second of videos of plans; more than 0.
    view: of videos of climbs: "plane" shows the planar figure among grasp points, "side" and "three-quarter" show
    the full body.
    """

    only: tuple[str, ...] = ()
    table_rate_hz: float = 10.0
    instanced: bool = True
    video_rate_hz: float = 30.0
    view: str = PLANE

    def __post_init__(self) -> None:
        if not self.table_rate_hz > 0.0:
            raise InvalidInput(f"a table needs more than 0 rows a second, not {self.table_rate_hz:g}")
        if not self.video_rate_hz > 0.0:
            raise InvalidInput(f"a video needs more than 0 frames a second, not {self.video_rate_hz:g}")
        if self.view not in VIEWS:
            raise UnknownName("view", self.view, VIEWS)


GROUP = "gambol.writers"  # group of entry points that add rows
_VARIANTS = "gambol.deliver.variants"
USD = (".usda", ".usdc", ".usd", ".usdz")


class Deliverable(Protocol):
    """What can be written: a performance of a scene, or variants."""

    @property
    def kind(self) -> str: ...

    @property
    def names(self) -> tuple[str, ...]: ...


class Write(Protocol):
    """A function that writes a performance to a path and returns the files that came of it."""

    def __call__(self, performance: Deliverable, path: Path, options: WriteOptions, say: Progress, /) -> Delivery: ...


class Writer(NamedTuple):
    """A row of the table.

    The first row wins whose suffix ends the name: a row for ".plan.json" stands before one for ".json".
    """

    kind: str  # kind of performance: "plan", "crowd", "climb", "variants"
    suffix: str  # ".glb", ".plan.json"
    place: str  # "module:function", a `Write`; imported when the first file is written
    most: int | None = None  # characters written to such files without being chosen by name; None: any number
    extra: str = ""  # the extra of the package that has to be installed for it; empty: none


@dataclass(frozen=True)
class Delivery:
    """Which files were written, and why others were not."""

    files: tuple[Path, ...] = ()
    skipped: tuple[str, ...] = ()

    @classmethod
    def of(cls, deliveries: Iterable[Delivery]) -> Delivery:
        """Return all that several deliveries wrote and skipped."""
        parts = list(deliveries)
        skipped = dict.fromkeys(words for part in parts for words in part.skipped)
        return cls(tuple(path for part in parts for path in part.files), tuple(skipped))


_MOTIONS, _RECORDS, _CROWDS = (f"gambol.deliver.{name}" for name in ("motions", "records", "crowds"))
OWN = (
    *(Writer(kind, ".bvh", f"{_MOTIONS}:write_each_bvh") for kind in ("plan", "climb")),
    *(Writer(kind, ".glb", f"{_MOTIONS}:write_glb") for kind in ("plan", "climb")),
    *(Writer(kind, suffix, f"{_MOTIONS}:write_usd", extra="usd") for kind in ("plan", "climb") for suffix in USD),
    Writer("plan", ".plan.json", f"{_RECORDS}:write_plan_file"),
    Writer("climb", ".climb.json", f"{_RECORDS}:write_climb_file"),
    Writer("climb", ".txt", f"{_RECORDS}:write_climb_text"),
    Writer("crowd", ".crowd", f"{_CROWDS}:write_recording_file"),
    Writer("crowd", ".csv", f"{_CROWDS}:write_rows"),
    Writer("crowd", ".parquet", f"{_CROWDS}:write_rows", extra="tables"),
    *(Writer("crowd", suffix, f"{_CROWDS}:write_usd", most=300, extra="usd") for suffix in USD),
    Writer("crowd", ".glb", f"{_CROWDS}:write_glb", most=100),
    Writer("crowd", ".bvh", f"{_CROWDS}:write_each_bvh", most=20),
    Writer("crowd", ".json", f"{_CROWDS}:write_report"),
    *(Writer("variants", suffix, f"{_VARIANTS}:write_each") for suffix in (".bvh", ".glb")),
    *(Writer("variants", suffix, f"{_VARIANTS}:write_each", extra="usd") for suffix in (".usda", ".usdc")),
    Writer("variants", ".json", f"{_VARIANTS}:write_json"),
    Writer("variants", ".txt", f"{_VARIANTS}:write_text"),
)


@cache
def writers(kind: str) -> dict[str, Writer]:
    """Return what a kind of performance can be written to, by suffix: the core's rows, then those of extras."""
    from importlib.metadata import entry_points  # slow to load and slow to ask

    added = tuple(row for entry in entry_points(group=GROUP) for row in entry.load())
    return {row.suffix: row for row in (*OWN, *added) if row.kind == kind}


def writer_of(kind: str, path: Path) -> Writer:
    """Return the row for a path by its suffix; the core's own need no look at what is installed."""
    name = path.name.lower()
    for row in OWN:
        if row.kind == kind and name.endswith(row.suffix) and name != row.suffix:
            return row
    known = writers(kind)
    return known[suffix_of(path, tuple(known))]


def suffixes_of(kind: str) -> tuple[str, ...]:
    """Return the suffixes that a kind of performance can be written to."""
    return tuple(writers(kind))


def suffix_of(path: Path, known: Sequence[str]) -> str:
    """Return which of the known suffixes a path ends in; another one is an error that lists them."""
    name = path.name.lower()
    for suffix in known:
        if name.endswith(suffix) and name != suffix:
            return suffix
    if name in known or not path.suffix:
        raise InvalidInput(f"{path.name!r} has no suffix that tells what to write; there are: {', '.join(known)}")
    error = UnknownName("kind of output", path.suffix, known)
    error.where = str(path)
    raise error


def check_targets(kind: str, paths: Iterable[Path], *, characters: int = 0, chosen: bool = False) -> None:
    """Find what would keep files from being written, before any work is done for them.

    characters: the number of characters in the scene; chosen: whether some of them were chosen by name.
    """
    seen: set[Path] = set()
    for path in paths:
        row = writer_of(kind, path)
        if path.is_dir():
            raise UnreadableFile("this is a folder, cannot write a file here", path=path)
        if row.extra:
            from gambol.extras import check_extra

            check_extra(row.extra, f"a {row.suffix} file")
        if path.absolute() in seen:
            raise InvalidInput(f"{path} is to be written twice")
        seen.add(path.absolute())
        if row.most is not None and characters > row.most and not chosen:
            raise InvalidInput(
                f"{path.name}: {characters:,} characters, joint by joint, are more than the {row.most} that are "
                f"written to {row.suffix} unasked; name some with --who, or write a .crowd file, which has everyone"
            )


def deliver(performance: Deliverable, paths: Sequence[Path], options: WriteOptions, say: Progress) -> Delivery:
    """Write a performance to files, each by its suffix; every file is whole or not there.  Folders are made."""
    kind = performance.kind
    check_targets(kind, paths, characters=len(performance.names), chosen=bool(options.only))
    parts = []
    for path in paths:
        say(f"writing {path.name}", 0.0)
        module, _, name = writer_of(kind, path).place.partition(":")
        write: Write = getattr(import_module(module), name)
        parts.append(write(performance, path, options, say))
    return Delivery.of(parts)
