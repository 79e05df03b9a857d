"""Bakes that are killed, run out of disk or out of permission lose nothing that is done, and end in the same result."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.support.bake_tasks import baked_on, contents_of, leftovers, writing_job

from gambol.bake.baking import Standing
from gambol.bake.job import Job
from gambol.bake.pool import Pool
from gambol.bake.store import Store, StoreFull

ROOT = Path(__file__).parent.parent.parent
COUNT = 60


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def job(files: Path) -> Job:
    return writing_job(files, COUNT, seconds=0.02)


@pytest.fixture(scope="module")
def expected(files: Path, job: Job) -> dict[str, bytes]:
    """What an undisturbed bake gives."""
    store = Store(files / "expected")
    baked_on(Pool(store, job.gathered, 2), job, store)
    return contents_of(store.folder)


def test_killed_again_and_again_a_bake_loses_and_repeats_nothing(
    tmp_path: Path, files: Path, expected: dict[str, bytes]
):
    store = Store(tmp_path / "store")
    command = [sys.executable, "-m", "tests.support.bake_tasks", str(store.folder), str(files), str(COUNT), "0.02"]
    done: dict[str, int] = {}
    for more in (1, 12):
        kill_when_done(subprocess.Popen(command, cwd=ROOT), store, len(done) + more)
        found = finished(store)
        assert all(found[key] == times for key, times in done.items())
        assert all(store.broken(key) == [] for key in found)
        done = found
    subprocess.run(command, cwd=ROOT, check=True)
    assert all(finished(store)[key] == times for key, times in done.items())
    assert contents_of(store.folder) == expected
    assert leftovers(store.folder) == []


def test_workers_that_are_killed_are_replaced(tmp_path: Path, job: Job, expected: dict[str, bytes]):
    store = Store(tmp_path / "store")

    def kill_some(standing: Standing) -> None:
        if standing.done in (10, 25):
            os.kill(children_of(os.getpid())[-1], signal.SIGKILL)

    baked = baked_on(Pool(store, job.gathered, 2), job, store, progress=kill_some)
    assert baked.complete
    assert contents_of(store.folder) == expected


def test_two_bakes_in_one_folder_share_the_work(tmp_path: Path, job: Job, expected: dict[str, bytes]):
    store, found = Store(tmp_path / "store"), []

    def run() -> None:
        found.append(baked_on(Pool(store, job.gathered, 1), job, store))

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [baked.complete for baked in found] == [True, True]
    assert contents_of(store.folder) == expected
    assert leftovers(store.folder) == []


def test_a_disk_that_fills_up_ends_a_bake_which_goes_on_when_there_is_room(tmp_path: Path):
    job = writing_job(tmp_path / "files", 12, size=200_000)
    with mounted(tmp_path / "disk", "size=1m"):
        store = Store(tmp_path / "disk" / "store")
        with pytest.raises(StoreFull, match=r"No space left on device; .* the same command goes on"):
            baked_on(Pool(store, job.gathered, 2), job, store)
        done = finished(store)
        assert done
        assert all(store.broken(key) == [] for key in done)
        assert leftovers(store.folder) == []
        subprocess.run(["mount", "-o", "remount,size=8m", str(tmp_path / "disk")], check=True)
        baked = baked_on(Pool(store, job.gathered, 2), job, store)
        assert (baked.there, baked.complete) == (len(done), True)


def test_a_disk_that_has_become_read_only_is_told_and_keeps_what_is_done(tmp_path: Path):
    some, all_of_it = (writing_job(tmp_path / "files", count) for count in (3, 4))
    with mounted(tmp_path / "disk", "size=8m"):
        store = Store(tmp_path / "disk" / "store")
        baked_on(Pool(store, some.gathered, 1), some, store)
        before = contents_of(store.folder)
        subprocess.run(["mount", "-o", "remount,ro", str(tmp_path / "disk")], check=True)
        for job in (some, all_of_it):
            is_done = job is some  # then nothing needs to be written
            with contextlib.nullcontext() if is_done else pytest.raises(StoreFull, match="Read-only file system"):
                baked_on(Pool(store, job.gathered, 1), job, store)
        assert contents_of(store.folder) == before


def kill_when_done(driver: subprocess.Popen[bytes], store: Store, count: int) -> None:
    """Kill a driver when some tasks are done; its workers must end with it."""
    wait_until(lambda: len(finished(store)) >= count or driver.poll() is not None)
    workers = children_of(driver.pid)
    driver.kill()
    driver.wait()
    assert workers
    wait_until(lambda: not any(is_alive(worker) for worker in workers))


def finished(store: Store) -> dict[str, int]:
    """Return when each result was put there."""
    return {path.parent.name: path.stat().st_mtime_ns for path in store.results.glob("*/*/result.json")}


def wait_until(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    ends = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < ends, "waited in vain"
        time.sleep(0.01)


def children_of(process: int) -> list[int]:
    """Return the workers of a driver."""
    found = subprocess.run(
        ["ps", "-ww", "-o", "pid=", "-o", "args=", "--ppid", str(process)], capture_output=True, text=True
    )
    return [int(line.split()[0]) for line in found.stdout.splitlines() if "spawn_main" in line]


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def mounted(folder: Path, options: str) -> Iterator[None]:
    """Have a small file system in memory, where that is allowed."""
    folder.mkdir()
    tried = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True)
    if tried.returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
