"""What every engine does: one suite for processes on this machine and for a Ray cluster, and the same files by both."""

from __future__ import annotations

import functools
import json
import socket
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.support.bake_tasks import baked_on, contents_of, gathered_files, job_of, leftovers, task_of, writing_job

from gambol.bake import baking as bake_module
from gambol.bake.engine import DIED, Engine
from gambol.bake.inputs import Gathered
from gambol.bake.pool import Pool
from gambol.bake.ray_engine import RayEngine
from gambol.bake.store import Store
from gambol.errors import InvalidInput, MissingExtra

Start = Callable[[Store, Gathered], Engine]


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A cluster of three workers, started once."""
    pytest.importorskip("ray", reason="Ray is not installed")
    from gambol.crowd import started

    with started(3):
        yield


@pytest.fixture(params=["pool", "ray"])
def start(request: pytest.FixtureRequest) -> Start:
    if request.param == "pool":
        return functools.partial(Pool, workers=2)
    request.getfixturevalue("cluster")
    return functools.partial(RayEngine, workers=3)


def test_others_go_on_while_a_task_fails_and_one_is_tried_again(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(bake_module, "RETRIES_IF_DIED", 1)
    gathered, inputs = gathered_files(tmp_path / "files")
    tasks = [
        task_of("fail", 0, inputs),
        task_of("fail_once", 0, inputs, mark=str(tmp_path / "failed")),
        task_of("die_once", 0, inputs, mark=str(tmp_path / "died")),
        task_of("die", 0, inputs),
        *(task_of("write", number, inputs, bytes=1000, seconds=0.0) for number in range(6)),
    ]
    store = Store(tmp_path / "store")
    baked = baked_on(start(store, gathered), job_of(tasks, gathered), store, retries=1)
    errors = {task.label: baked.failures.get(task.key, "") for task in tasks}
    assert {label: error for label, error in errors.items() if error} == {
        "fail-0": "ValueError: no number in a.txt, nor in .",
        "die-0": DIED,
    }
    assert baked.retried == 4
    assert len(baked.spent) == 8
    assert sum(store.has(task.key) for task in tasks) == 8
    assert leftovers(store.folder) == []
    events = [json.loads(line)["event"] for line in Path(baked.log).read_text().splitlines()]
    assert (events[0], events.count("done"), events.count("failed"), events[-1]) == ("begin", 8, 6, "end")


def test_what_is_done_is_not_done_again_and_what_is_damaged_is(tmp_path: Path, start: Start):
    store, job = Store(tmp_path / "store"), writing_job(tmp_path / "files", 4)
    baked_on(start(store, job.gathered), job, store)
    before = contents_of(store.folder)
    damaged = store.place_of(job.tasks[2].key) / "data.bin"
    damaged.write_bytes(b"")
    again = baked_on(start(store, job.gathered), job, store)
    assert (again.there, list(again.spent)) == (3, [job.tasks[2].key])
    assert contents_of(store.folder) == before


def test_a_task_that_hangs_is_stopped(tmp_path: Path, start: Start):
    gathered, inputs = gathered_files(tmp_path / "files")
    job, store = job_of([task_of("hang", 0, inputs)], gathered), Store(tmp_path / "store")
    engine = start.func(store, gathered, workers=1, limit_s=0.5)  # pyright: ignore[reportFunctionMemberAccess]
    baked = baked_on(engine, job, store, retries=0)
    assert list(baked.failures.values()) == ["TooLong: it took longer than 0.5 s"]


def test_engines_give_the_same_files_byte_for_byte(tmp_path: Path, cluster: None):
    gathered, inputs = gathered_files(tmp_path / "files")
    tasks = [task_of("write", number, inputs, bytes=1000 * number, seconds=0.0) for number in range(12)]
    job = job_of([*tasks, task_of("fail", 0, inputs)], gathered)
    pool, ray = Store(tmp_path / "pool"), Store(tmp_path / "ray")
    baked_on(Pool(pool, gathered, 2), job, pool, retries=0)
    baked_on(RayEngine(ray, gathered, workers=3), job, ray, retries=0)
    assert contents_of(pool.folder) == contents_of(ray.folder)


def test_a_cluster_that_is_started_here_is_reached_from_this_machine_only(cluster: None):
    import ray

    assert ray.get_runtime_context().gcs_address.startswith("127.0.0.1:")
    assert [node["NodeManagerAddress"] for node in ray.nodes()] == ["127.0.0.1"]


@pytest.mark.slow
def test_an_address_without_a_cluster_is_told_in_seconds(tmp_path: Path):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    ray.shutdown()
    begun = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
    for address in (f"127.0.0.1:{port}", "no address"):
        with pytest.raises(InvalidInput, match="Ray cluster"):
            RayEngine(Store(tmp_path), Gathered(), address=address)
    assert time.monotonic() - begun < 20.0


def test_without_ray_its_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"gambol\[cluster\]"):
        RayEngine(Store(tmp_path), Gathered())


@pytest.mark.parametrize("options", [{"workers": 0}, {"limit_s": 0.0}])
def test_engines_say_what_they_cannot_be(tmp_path: Path, options: dict[str, float]):
    with pytest.raises(InvalidInput):
        Pool(Store(tmp_path), Gathered(), **options)  # pyright: ignore[reportArgumentType]
