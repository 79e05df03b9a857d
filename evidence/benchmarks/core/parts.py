"""Run the parts, keep what each found, and say all of it in rows."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evidence.benchmarks.core import answered, known_worlds, look_ups, new_worlds, scenes, searches
from evidence.benchmarks.sides import Sides, both_sides
from evidence.benchmarks.timing import Row
from evidence.old.environment import OLD, ROOT, commit_of, environment

RESULTS = Path(__file__).parent.parent / "results" / "core.json"
WORLDS = 20  # a density
#: Folders whose files decide what is measured.
MEASURED = {
    "src/gambol": (".py", ".toml", ".npz"), "core": (".h", ".c"), "evidence/old": (".py",),
    "evidence/benchmarks/core": (".py",),
}  # fmt: skip
BUSY = 1.0  # load for each processor, from which on others were at work

Figures = dict[str, Any]


class Part(NamedTuple):
    """What is measured at a time, and how it is told."""

    measure: Callable[[Sides, int], Figures]  # of so many worlds
    rows: Callable[[Figures], list[Row]]


#: In the order of the page.
PARTS: dict[str, Part] = {
    **{
        f"trips, {share:.0%}": Part(lambda sides, worlds, share=share: known_worlds.measure(sides, worlds, share),
                                    lambda figures, share=share: known_worlds.rows(figures, share))
        for share in known_worlds.OCCUPIED
    },
    "batches": Part(known_worlds.measure_batches, known_worlds.batch_rows),
    "new worlds": Part(new_worlds.measure, new_worlds.rows),
    "look-ups": Part(look_ups.measure, look_ups.rows),
    "answered": Part(answered.measure, answered.rows),
    "A*": Part(searches.measure, searches.rows),
    "scenes": Part(scenes.measure, scenes.rows),
}  # fmt: skip


def run(*, worlds: int = WORLDS, parts: Sequence[str] = (), into: Path = RESULTS) -> list[Row]:
    """Measure the parts named, or all that these sources have not measured at this size; return the rows of all."""
    known = read(into)
    about = {"sources": digest_of_sources(), "old": environment(OLD).commit, "worlds": worlds}
    missing = parts or [name for name in PARTS if {key: known.get(name, {}).get(key) for key in about} != about]
    if missing:
        with both_sides() as sides:
            for name in missing:
                print(f"   {name}", flush=True)
                load, begun = os.getloadavg()[0], time.perf_counter()
                figures = PARTS[name].measure(sides, worlds)
                known[name] = {
                    **about, "new": commit_of("HEAD"), "python": platform.python_version(),
                    "machine": platform.machine(), "processors": os.cpu_count(),
                    "load": [round(load, 1), round(os.getloadavg()[0], 1)],
                    "seconds": round(time.perf_counter() - begun, 1), "figures": figures,
                }  # fmt: skip
                into.parent.mkdir(parents=True, exist_ok=True)
                into.write_text(json.dumps({one: known[one] for one in PARTS if one in known}, indent=1) + "\n")
    return rows(known)


def digest_of_sources() -> str:
    """Return a hash of all that decides what is measured: the package, the core, the questions."""
    paths = [
        path
        for folder, suffixes in MEASURED.items()
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in suffixes
    ]
    return hashlib.md5(b"".join(path.read_bytes() for path in paths)).hexdigest()[:16]


def read(into: Path = RESULTS) -> dict[str, Any]:
    """Return what is known of each part."""
    return json.loads(into.read_text()) if into.is_file() else {}


def rows(known: dict[str, Any]) -> list[Row]:
    return [row for name, part in PARTS.items() if name in known for row in part.rows(known[name]["figures"])]


def setting(into: Path = RESULTS) -> str:
    """Say on what all this was measured, and whether others were at work there."""
    known = read(into)
    if not known:
        return "Nothing was measured yet."
    one = next(iter(known.values()))
    load = max(load for part in known.values() for load in part["load"])
    is_busy = load > BUSY * one["processors"] + 1.0  # one of which is the benchmark
    minutes = sum(part["seconds"] for part in known.values()) / 60.0
    states = ", ".join(sorted({part["new"][:8] for part in known.values()}))
    return (
        f"Python {one['python']} on {one['machine']}, one core unless stated; commit {states} beside *old*, "
        f"{one['old'][:7]}, whose kernels were numba's, on the same questions in the same run. Times are processor "
        f"times from `solve()` on. {minutes:.0f} minutes; the load was {load:g} at most on {one['processors']} "
        f"processors, so the machine was {'busy with other things' if is_busy else 'not busy with other things'}. "
        "`python -m evidence.benchmarks.core` measures what these sources have not measured yet."
    )
