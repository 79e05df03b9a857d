"""Results, inputs and logs: whole, found when damaged, and a full disk is nobody's fault but its own."""

from __future__ import annotations

import errno
import json
import os
import pickle
from collections import namedtuple
from pathlib import Path

import pytest
from tests.support.bake_tasks import contents_of, gathered_files, leftovers, task_of

from gambol.bake import store as store_module
from gambol.bake.inputs import FILES, forget_old, lay_out
from gambol.bake.log import Log
from gambol.bake.store import RESULT, Store, StoreFull
from gambol.bake.task import Task


@pytest.fixture
def task(tmp_path: Path) -> Task:
    return task_of("write", 1, gathered_files(tmp_path / "files")[1], bytes=10, seconds=0.0)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store(tmp_path / "store")
    store.prepare()
    return store


def bake_one(store: Store, task: Task) -> None:
    with store.baking(task) as (folder, summary):
        (folder / "more").mkdir()
        (folder / "more" / "file").write_text("contents")
        summary["number"] = 1


def test_a_task_and_its_copy_in_another_process_have_one_key(task: Task):
    assert pickle.loads(pickle.dumps(task)).key == task.key
    other = task_of("write", 2, task.inputs, bytes=10, seconds=0.0)
    assert other.key != task.key


def test_a_result_says_what_it_is_and_is_kept_the_same_wherever_it_was_made(tmp_path: Path, store: Store, task: Task):
    bake_one(store, task)
    assert store.result(task.key)["summary"] == {"number": 1}
    assert list(store.files(task.key)) == ["more/file"]
    assert store.broken(task.key) == []
    away = Store(tmp_path / "away")
    place = store.place_of(task.key)
    away.keep(task, {name: (place / name).read_bytes() for name in ("more/file", RESULT)})
    assert contents_of(away.folder) == contents_of(store.folder)


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("more/file", "cont", "more/file"),
        ("more/file", None, "more/file"),
        (RESULT, "{", RESULT),
        (RESULT, None, RESULT),
        (RESULT, '{"format": "gambol-baked", "version": 1, "key": 3}', RESULT),
    ],
)
def test_damage_is_found_and_makes_room_for_a_result_anew(store: Store, task: Task, name: str, text: str, found: str):
    bake_one(store, task)
    path = store.place_of(task.key) / name
    if text is None:
        path.unlink()
    else:
        path.write_text(text)
    assert store.mend(task.key) == [found]
    assert not store.has(task.key)
    assert store.mend(task.key) == []
    bake_one(store, task)
    assert store.broken(task.key) == []
    assert leftovers(store.folder) == []


def test_other_contents_of_the_same_size_are_found_by_reading_all(store: Store, task: Task):
    bake_one(store, task)
    (store.place_of(task.key) / "more" / "file").write_text("Contents")
    assert store.mend(task.key) == []
    assert store.mend(task.key, contents=True) == ["more/file"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT])
def test_a_full_store_is_told_apart_from_a_task_that_fails(store: Store, task: Task, number: int):
    with pytest.raises(StoreFull, match=os.strerror(number)), store.baking(task):
        raise RuntimeError("a library's own words") from OSError(number, os.strerror(number))
    with pytest.raises(FileNotFoundError), store.baking(task):
        raise FileNotFoundError(errno.ENOENT, "the task's own")
    assert not store.has(task.key)
    assert leftovers(store.folder) == []


def test_what_was_written_onto_a_full_disk_is_not_believed(store: Store, task: Task, monkeypatch: pytest.MonkeyPatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(store_module.shutil, "disk_usage", lambda folder: usage(100, 100, 0))
    with pytest.raises(StoreFull, match="No space left"), store.baking(task) as (folder, _):
        (folder / "cut off").write_text("")
    with pytest.raises(StoreFull, match="No space left"), store.baking(task):
        raise RuntimeError("a library that does not say why")
    assert not store.has(task.key)


def test_files_of_the_same_content_are_laid_out_once_and_anew_where_damaged(tmp_path: Path):
    folder = tmp_path / "inputs"
    gathered, inputs = gathered_files(tmp_path / "one")
    _, more, _ = gathered.read(lambda: None, tmp_path / "one" / "a.txt")
    asked: list[str] = []

    def content(name: str) -> bytes:
        asked.append(name)
        return gathered.contents(inputs)[name]

    place, other = lay_out(folder, inputs, content), lay_out(folder, more, content)
    assert (place / "a.txt").samefile(other / "a.txt")
    assert asked == ["a.txt", "below/b.txt"]
    (place / "below" / "b.txt").write_text("damaged")
    assert lay_out(folder, inputs, content) == place
    assert (place / "below" / "b.txt").read_text() == "b.txt"
    assert asked == ["a.txt", "below/b.txt", "below/b.txt"]
    (other / "a.txt").unlink()
    assert (lay_out(folder, more, content) / "a.txt").read_text() == "a.txt"


def test_inputs_that_nobody_asks_for_are_forgotten(tmp_path: Path):
    gathered, inputs = gathered_files(tmp_path / "one")
    place = lay_out(tmp_path / "inputs", inputs, gathered.contents(inputs).__getitem__)
    forget_old(tmp_path / "inputs", days=1.0)
    assert place.is_dir()
    forget_old(tmp_path / "inputs", days=-1.0)
    assert not place.exists()
    assert list((tmp_path / "inputs" / FILES).iterdir()) == []


def test_a_log_has_whole_lines_and_stops_nobody(tmp_path: Path):
    with Log(tmp_path, "job") as log:
        log.say("begin", label="caf\u00e9")
        log.say("end")
    lines = [json.loads(line) for line in log.path.read_text(encoding="utf-8").splitlines()]
    assert [line["event"] for line in lines] == ["begin", "end"]
    with Log(tmp_path / "not there", "job") as log:
        log.say("begin")


def test_another_disk_that_is_full_is_not_the_stores_fault(store: Store, task: Task):
    with pytest.raises(OSError, match="No space left") as found, store.baking(task):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/somewhere/else")
    assert not isinstance(found.value, StoreFull)
