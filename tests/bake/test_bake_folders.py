"""Folders and files are whole or not there, whoever is killed or sweeps when."""

from __future__ import annotations

import errno
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gambol.errors import UnreadableFile
from gambol.files import file_into_place, into_place, lent, out_of_place, sweep

KILLED = """
import os, signal, sys
from pathlib import Path
from gambol.files.folders import into_place
with into_place(Path(sys.argv[1]) / "place") as folder:
    (folder / "half").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def leave_half(folder: Path, error: Exception) -> None:
    (folder / "half").write_text("half")
    raise error


def test_a_folder_takes_its_place_as_a_whole(tmp_path: Path):
    with into_place(tmp_path / "deep" / "place", scratch=tmp_path / "scratch") as folder:
        (folder / "below").mkdir()
        (folder / "below" / "file").write_text("all")
        assert not (tmp_path / "deep").exists()
    assert names(tmp_path) == ["deep", "deep/place", "deep/place/below", "deep/place/below/file", "scratch"]


def test_what_is_there_stays(tmp_path: Path):
    for text in ("first", "second"):
        with into_place(tmp_path / "place") as folder:
            (folder / "file").write_text(text)
    assert (tmp_path / "place" / "file").read_text() == "first"
    assert names(tmp_path) == ["place", "place/file"]


def test_after_an_error_nothing_is_there_and_the_error_is_as_it_was(tmp_path: Path):
    error = FileNotFoundError(errno.ENOENT, "a task's own")
    with pytest.raises(FileNotFoundError) as found, into_place(tmp_path / "place") as folder:
        leave_half(folder, error)
    assert found.value is error
    assert names(tmp_path) == []


def test_where_nothing_can_be_written_that_is_told(tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UnreadableFile, match="cannot write"), into_place(tmp_path / "file" / "place"):
        pass


def test_what_a_killed_process_left_is_swept_and_what_a_living_one_makes_is_not(tmp_path: Path):
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert any(name.endswith("/half") for name in names(tmp_path))
    with lent(tmp_path) as living:
        assert sweep(tmp_path) == 1
        assert living.is_dir()
    assert names(tmp_path) == []


def test_sweeping_all_the_time_harms_nobody(tmp_path: Path):
    over = threading.Event()

    def sweeping() -> None:
        while not over.is_set():
            sweep(tmp_path / "scratch")

    threads = [threading.Thread(target=sweeping) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for number in range(100):
            with into_place(tmp_path / "results" / str(number), scratch=tmp_path / "scratch") as folder:
                (folder / "file").write_text(str(number))
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert sorted(int(path.read_text()) for path in tmp_path.glob("results/*/file")) == list(range(100))
    assert names(tmp_path / "scratch") == []


def test_a_file_is_replaced_as_a_whole_and_left_alone_if_it_is_the_same(tmp_path: Path):
    path, scratch = tmp_path / "file", tmp_path / "scratch"
    file_into_place(path, b"first", scratch=scratch)
    before = path.stat()
    file_into_place(path, b"first", scratch=scratch)
    assert path.stat().st_ino == before.st_ino
    file_into_place(path, b"second", scratch=scratch)
    assert path.read_bytes() == b"second"
    assert names(scratch) == []


def test_a_folder_is_removed_as_a_whole_by_whoever_is_first(tmp_path: Path):
    (tmp_path / "place").mkdir()
    for _ in range(2):
        out_of_place(tmp_path / "place", scratch=tmp_path / "scratch")
    assert names(tmp_path) == ["scratch"]
