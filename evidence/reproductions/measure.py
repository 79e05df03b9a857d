"""Measuring items, one or all, into a folder: what is there already is kept, so that a long run can go on."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType

from evidence.reproductions.claim import claims
from evidence.reproductions.comparison import compared_in
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.markdown import read_report, write_result
from evidence.reproductions.report import Report
from gambol.errors import GambolError


@dataclass(frozen=True)
class Measured:
    """One item of a run: its report, or why there is none."""

    item: Item
    report: Report | None
    files: tuple[Path, ...] = ()
    failure: str = ""
    kept: bool = False  # from an earlier run


@dataclass(frozen=True)
class Collection:
    """What there is of items, in their order: reports, and by name why one failed."""

    items: tuple[Item, ...]
    reports: tuple[Report, ...]
    failures: Mapping[str, str] = field(default_factory=dict)

    @property
    def quick(self) -> bool:
        return any(report.quick for report in self.reports)

    @property
    def seconds(self) -> float:
        return sum(report.seconds for report in self.reports)


def measure(item: Item, *, quick: bool, say: Say) -> Result:
    """Run an item, and note how long it took and on what."""
    machine, begun = this_machine(), time.perf_counter()
    result = item.run(quick, say)
    seconds = round(time.perf_counter() - begun, 1)
    return Result(replace(result.report, seconds=seconds, machine=machine), result.pictures)


def measure_into(
    items: Sequence[Item], folder: Path, *, quick: bool, again: bool = False, say: Say
) -> Iterator[Measured]:
    """Measure items one after another into a folder, and hand over each as it is there.

    An item that the folder has at this size is kept, unless `again`.  One that fails says why; the others go on.
    """
    for item in items:
        kept = None if again else kept_report(item, folder, quick=quick)
        if kept is not None:
            yield Measured(item, kept, files_of(kept, folder), kept=True)
            continue
        try:
            result = measure(item, quick=quick, say=say)
        except (GambolError, MemoryError) as error:
            yield Measured(item, None, failure=f"{type(error).__name__}: {error}")
            continue
        yield Measured(item, result.report, tuple(write_result(result, folder)))


def kept_report(item: Item, folder: Path, *, quick: bool) -> Report | None:
    """Return what an earlier run of this size has left of an item, if all of it is there, with every claim of today."""
    path = folder / f"{item.name}.json"
    if not path.is_file():
        return None
    try:
        report = read_report(path)
    except GambolError:
        return None  # of another version, or damaged: measured anew
    shown = {one.claim.key for one in compared_in(report)}
    whole = (
        report.quick == quick
        and all(file.is_file() for file in files_of(report, folder))
        and all(one.key in shown for one in claims().values() if one.item == item.name)
    )
    return report if whole else None


def files_of(report: Report, folder: Path) -> tuple[Path, ...]:
    """Return the files of a report in a folder."""
    return tuple(folder / name for name in (f"{report.item}.json", f"{report.item}.md", *report.pictures))


def this_machine() -> str:
    """Return what numbers of time depend on: processors, load, versions."""
    load = f", load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else ""
    return (
        f"{os.cpu_count()} processors ({platform.machine()}){load}; Python {platform.python_version()}, "
        f"gambol {version('gambol')}"
    )


def collected(
    items: Sequence[Item], folder: Path, *, quick: bool, failures: Mapping[str, str] = MappingProxyType({})
) -> Collection:
    """Return all that a folder has of items at one size, and what failed of the rest."""
    kept = (kept_report(item, folder, quick=quick) for item in items)
    return Collection(tuple(items), tuple(report for report in kept if report is not None), failures)
