"""Bakes that are disturbed in every way we know: nothing that is done is lost, and the results are the same."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidence.soak import bake_driver as driven
from evidence.soak.tally import Tally
from gambol.bake import load_job

NAME = "climbs"
FOLDER = Path(__file__).resolve().parent.parent.parent / "out" / "soak" / "bake-survival"
SIZES = ("64k", "256k", "1m", "4m")  # of disks that are too small
ALL_DONE, NOT_WRITABLE = 0, 2  # exit codes
ENDING_S = 120.0  # for all that a killed driver had started

_one_reference = threading.Lock()


@dataclass(frozen=True)
class BakeSurvivalJob:
    """One job baked in many ways; a chunk each."""

    name: str = "bake-survival"
    scene: str = "climb-flat"
    count: int = 500  # tasks of a bake that nobody disturbs
    disturbed: int = 100  # the first of them, of one that is
    few: int = 24  # where disks are small
    workers: int = 3
    kills: int = 20  # of the driver on the pool; a quarter of that on Ray
    worker_kills: int = 20
    seed: int = 1
    ways: tuple[str, ...] = (
        "pool", "ray", "workers killed on the pool", "workers killed on ray", "driver killed on the pool",
        "driver killed on ray", "two bakes at once", "disks that are full", "a disk that is read-only",
    )  # fmt: skip
    folder: Path = FOLDER

    @property
    def summary(self) -> str:
        return "bakes that are killed, full or not allowed to write lose nothing and give the same files"

    @property
    def chunk_count(self) -> int:
        return len(self.ways)

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name, "inputs_planned": len(self.ways), "scene": self.scene, "tasks": self.count,
            "disturbed": self.disturbed,
            "workers": self.workers, "kills": self.kills, "worker_kills": self.worker_kills, "seed": self.seed,
        }  # fmt: skip

    @contextmanager
    def session(self) -> Iterator[BakeSurvivalSession]:
        yield BakeSurvivalSession(self)


class BakeSurvivalSession:
    """Bakes in one way after the other, and compares with a bake that nobody disturbed."""

    def __init__(self, job: BakeSurvivalJob) -> None:
        self._job = job
        self._all, self._some, self._few = (
            driven.write_job(job.folder, NAME, job.scene, count) for count in (job.count, job.disturbed, job.few)
        )

    def run_chunk(self, chunk: int) -> Tally:
        way, begun = self._job.ways[chunk], time.monotonic()
        rng = random.Random(f"{self._job.seed} {way}")
        ways: dict[str, Callable[[random.Random, Path], tuple[dict[str, Any], list[str]]]] = {
            "pool": lambda rng, out: self._undisturbed(out, "pool"),
            "ray": lambda rng, out: self._undisturbed(out, "ray"),
            "workers killed on the pool": lambda rng, out: self._workers_killed(rng, out, "pool"),
            "workers killed on ray": lambda rng, out: self._workers_killed(rng, out, "ray"),
            "driver killed on the pool": lambda rng, out: self._driver_killed(rng, out, "pool", self._job.kills),
            "driver killed on ray": lambda rng, out: self._driver_killed(rng, out, "ray", -(-self._job.kills // 4)),
            "two bakes at once": lambda rng, out: self._two_at_once(out),
            "disks that are full": lambda rng, out: self._full(out),
            "a disk that is read-only": lambda rng, out: self._read_only(out),
        }
        out = self._job.folder / way.replace(" ", "-")
        if way != "pool":
            shutil.rmtree(out, ignore_errors=True)
        row, wrong = ways[way](rng, out)
        if way != "pool":
            shutil.rmtree(out, ignore_errors=True)
        took = time.monotonic() - begun
        failure = {"input": chunk, "error": "NotTheSame", "message": "; ".join(wrong)[:2000], "recipe": way}
        return Tally(
            inputs=1, accepted=0 if wrong else 1, failures=[failure] if wrong else [],
            slowest_s=took, slowest_input=chunk, seconds=took, rows={way: {**row, "seconds": round(took, 1)}},
        )  # fmt: skip

    def _expected(self, count: int) -> tuple[dict[str, dict[str, bytes]], list[Any]]:
        """Return the first results of a bake on the pool that nobody disturbed, and what its manifest says of them."""
        out = self._job.folder / "pool"
        with _one_reference:
            if _keys(out) != [task.key for task in load_job(self._all).tasks]:
                code, said = driven.ended(self._start(self._all, out, "pool"))
                if code != ALL_DONE:
                    raise RuntimeError(f"a bake that nobody disturbed ended with {code}: {said}")
        listed = _manifest(out)["tasks"][:count]
        found = driven.results_in(out)
        return {entry["key"]: found[entry["key"]] for entry in listed}, listed

    def _start(self, file: Path, out: Path, engine: str) -> subprocess.Popen[str]:
        return driven.start(file, out, "--engine", engine, "--workers", str(self._job.workers))

    def _wrong(self, out: Path, count: int) -> list[str]:
        """Return what differs from an undisturbed bake, in a folder where one has come to its end."""
        found, wrong = driven.results_in(out), driven.half_files(out) + driven.leftovers(out)
        expected, listed = self._expected(count)
        wrong += [f"{key} is lost" for key in expected if key not in found]
        wrong += [f"{key} is different" for key, files in found.items() if files != expected.get(key)]
        if _manifest(out)["tasks"] != listed:
            wrong.append("the manifest is different")
        return wrong

    def _undisturbed(self, out: Path, engine: str) -> tuple[dict[str, Any], list[str]]:
        with _one_reference if engine == "pool" else nullcontext():
            code, said = driven.ended(self._start(self._all, out, engine))
        wrong = self._wrong(out, self._job.count) + ([said] if code != ALL_DONE else [])
        found = driven.results_in(out)
        return {"tasks": len(found), "files": sum(len(files) for files in found.values()), "exit_code": code}, wrong

    def _workers_killed(self, rng: random.Random, out: Path, engine: str) -> tuple[dict[str, Any], list[str]]:
        """Kill workers, one at a time, each after some more tasks are done."""
        job, driver, killed = self._job, self._start(self._some, out, engine), 0
        moments = sorted(rng.randrange(1, max(2, job.disturbed - 10)) for _ in range(job.worker_kills))
        for moment in moments:
            self._until(driver, out, moment)
            workers = driven.workers_of(driver.pid)
            if driver.poll() is None and workers:
                with suppress(ProcessLookupError):
                    os.kill(rng.choice(workers), signal.SIGKILL)
                    killed += 1
        code, said = driven.ended(driver)
        wrong = self._wrong(out, job.disturbed) + ([said] if code != ALL_DONE else [])
        return {"tasks": job.disturbed, "workers_killed": killed, "exit_code": code}, wrong

    def _driver_killed(
        self, rng: random.Random, out: Path, engine: str, kills: int
    ) -> tuple[dict[str, Any], list[str]]:
        """Kill the driver at random moments, from its first second on, and let it go on each time."""
        wrong: list[str] = []
        done: dict[str, int] = {}
        kept, gone_s = [], 0.0
        for number in range(kills):
            driver = self._start(self._some, out, engine)
            if number % 4 != 3:  # else it is killed while it begins
                self._until(driver, out, len(done) + rng.randrange(1, max(2, self._job.disturbed // kills)))
            time.sleep(rng.uniform(0.0, 5.0 if number % 4 == 3 else 0.3))
            gone_s = max(gone_s, driven.kill(driver))
            found = driven.finished(out)
            wrong += [f"{key} was lost or done again" for key, times in done.items() if found.get(key) != times]
            wrong += driven.half_files(out)
            done = found
            kept.append(len(done))
        code, said = driven.ended(self._start(self._some, out, engine))
        found = driven.finished(out)
        wrong += [f"{key} was lost or done again" for key, times in done.items() if found.get(key) != times]
        wrong += self._wrong(out, self._job.disturbed) + ([said] if code != ALL_DONE else [])
        wrong += [f"processes outlived their driver by {gone_s:.0f} s"] if gone_s > ENDING_S else []
        return {
            "tasks": self._job.disturbed,
            "kills": kills,
            "done_at_kills": kept,
            "all_gone_after_s": round(gone_s, 2),
        }, wrong

    def _two_at_once(self, out: Path) -> tuple[dict[str, Any], list[str]]:
        both = [self._start(self._some, out, engine) for engine in ("pool", "ray")]
        ends = [driven.ended(driver) for driver in both]
        wrong = self._wrong(out, self._job.disturbed) + [said for code, said in ends if code != ALL_DONE]
        return {"exit_codes": [code for code, _ in ends]}, wrong

    def _full(self, out: Path) -> tuple[dict[str, Any], list[str]]:
        """Bake onto disks that are too small, then make room and go on."""
        wrong, row = [], {}
        expected, _ = self._expected(self._job.few)
        for size in SIZES:
            with driven.mounted(out / size, size) as is_mounted:
                if not is_mounted:
                    return {"skipped": "no file system can be mounted here"}, []
                store = out / size / "store"
                code, said = driven.ended(driven.start(self._few, store, "--workers", str(self._job.workers)))
                wrong += [] if code == NOT_WRITABLE and "No space left" in said else [f"{size}: {code}: {said}"]
                before = driven.finished(store)
                wrong += driven.half_files(store) + driven.leftovers(store)
                driven.remount(out / size, "size=64m")
                code, more = driven.ended(driven.start(self._few, store, "--workers", str(self._job.workers)))
                after = driven.finished(store)
                wrong += [more] if code != ALL_DONE or len(after) != self._job.few else []
                wrong += [f"{key} was lost or done again" for key, times in before.items() if after[key] != times]
                found = driven.results_in(store)
                wrong += [f"{key} is different" for key in found if found[key] != expected.get(key)]
                row[size] = {"done_when_full": len(before), "said": said.splitlines()[-1].replace(str(out), "")}
        return row, wrong

    def _read_only(self, out: Path) -> tuple[dict[str, Any], list[str]]:
        """Bake onto a disk that takes nothing, with a part of the job done."""
        with driven.mounted(out / "disk", "64m") as is_mounted:
            if not is_mounted:
                return {"skipped": "no file system can be mounted here"}, []
            store = out / "disk" / "store"
            driven.ended(driven.start(self._few, store, "--workers", "1"))
            before = driven.results_in(store)
            driven.remount(out / "disk", "ro")
            code, said = driven.ended(driven.start(self._all, store))
            wrong = [] if code == NOT_WRITABLE and "cannot write" in said else [f"{code}: {said}"]
            wrong += driven.half_files(store)
            wrong += [] if driven.results_in(store) == before and before else ["results are different"]
            return {"exit_code": code, "said": said.splitlines()[-1].replace(str(out), "")}, wrong

    def _until(self, driver: subprocess.Popen[str], out: Path, count: int) -> None:
        """Wait until so many tasks are done, or the driver has ended."""
        driven.wait_until(lambda: len(driven.finished(out)) >= count or driver.poll() is not None, driven.PATIENCE_S)


def _manifest(out: Path) -> dict[str, Any]:
    path = out / f"{NAME}.json"
    return json.loads(path.read_text()) if path.exists() else {"tasks": []}


def _keys(out: Path) -> list[str]:
    return [entry["key"] for entry in _manifest(out)["tasks"]]
