"""Baking: what handing out tasks costs beside the tasks themselves, and what workers take.

Tasks of one second sleep: they measure what is lost between them, whatever else the machine does, and more of them
than it has processors can run side by side.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from evidence.benchmarks.timing import Row
from gambol.bake import Engine, Gathered, Inputs, Job, Pool, RayEngine, Store, Task, bake

WORKERS = 3
ROUNDS = 20  # tasks of a second, one after the other, for each worker
SHORT = 200  # tasks of no time at all
WANTED = 0.9  # of the ideal throughput
MIB = 1 << 20


@dataclass(frozen=True)
class Measured:
    """What an engine takes."""

    start_s: float  # until every worker has done something
    throughput: float  # tasks of a second that each worker does in a second
    task_ms: float  # of driver and workers, for a task that does nothing
    memory: dict[str, float]  # MiB
    load: float  # of the machine, by all who use it


def nap(task: Task, inputs: Path, folder: Path) -> dict[str, Any]:
    """Sleep, and leave a small file."""
    time.sleep(float(task.settings["seconds"] or 0.0))
    (folder / "done.txt").write_text("done")
    return {}


def run() -> list[Row]:
    return [
        row for engine in (Pool, RayEngine) for row in _rows(engine.name, measure(partial(engine, workers=WORKERS)))
    ]


def measure(start: Callable[[Store, Gathered], Engine], *, rounds: int = ROUNDS, short: int = SHORT) -> Measured:
    gathered = Gathered()
    _, inputs, _ = gathered.read(lambda: None)
    with tempfile.TemporaryDirectory() as folder:
        store, begun = Store(folder), time.perf_counter()
        store.prepare()
        with closing(start(store, gathered)) as engine:
            slots = engine.slots

            def seconds(name: str, count: int, each_s: float) -> float:
                baked = bake(Job(name, _naps(name, inputs, count, each_s), gathered), store, engine)
                assert baked.complete, next(iter(baked.failures.values()))
                return baked.seconds

            seconds("first", slots, 0.5)
            start_s = time.perf_counter() - begun - 0.5
            seconds("warm-up", 5 * slots, 0.01)
            throughput = rounds / seconds("long", rounds * slots, 1.0)
            task_ms = 1000.0 * seconds("short", short, 0.0) / short
            return Measured(start_s, throughput, task_ms, memory_mib(), os.getloadavg()[0])


def _naps(name: str, inputs: Inputs, count: int, seconds: float) -> list[Task]:
    settings = [{"number": number, "of": name, "seconds": seconds} for number in range(count)]
    return [Task("benchmarks.baking:nap", f"{name}-{one['number']}", "", one, (), inputs) for one in settings]


def memory_mib() -> dict[str, float]:
    """Return what this process and all that it has started hold, each page shared out among those who have it."""
    found = {"driver": _held(os.getpid()), "workers": 0.0, "others": 0.0}
    for child in _descendants(os.getpid()):
        command = Path(f"/proc/{child}/cmdline").read_bytes()
        is_worker = b"spawn_main" in command or (command.startswith(b"ray::") and b"Agent" not in command)
        found["workers" if is_worker else "others"] += _held(child)
    return found


def _held(process: int) -> float:
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024 / MIB


def _descendants(process: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents.setdefault(int(path.read_text().rpartition(")")[2].split()[1]), []).append(int(path.parent.name))
        except OSError:
            continue
    found = list(parents.get(process, []))
    for child in found:
        found += parents.get(child, [])
    return found


def _rows(name: str, measured: Measured) -> list[Row]:
    memory, is_wanted = measured.memory, name == Pool.name
    return [
        Row(
            f"engine {name}, {WORKERS} workers: tasks that sleep for a second",
            f"{100.0 * measured.throughput:.1f} % of the ideal throughput",
            f"{100.0 * WANTED:.0f} % are wanted" if is_wanted else "",
            f"{measured.throughput / WANTED:.2f}" if is_wanted else "",
            f"{ROUNDS * WORKERS} tasks, with their results written and flushed; a task that does nothing takes "
            f"{measured.task_ms:.1f} ms; the machine's load was {measured.load:.0f} on {os.cpu_count()} processors",
        ),
        Row(
            f"engine {name}, {WORKERS} workers: start-up and memory",
            f"{measured.start_s:.1f} s, {sum(memory.values()):.0f} MiB",
            "",
            "",
            f"until all workers have done a task; driver {memory['driver']:.0f} MiB, workers together "
            f"{memory['workers']:.0f}, other processes {memory['others']:.0f}; shared pages counted once",
        ),
    ]


if __name__ == "__main__":
    for row in run():
        print(*row, sep=" | ", flush=True)
