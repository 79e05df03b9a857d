"""The soak's jobs at a size of seconds."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from gambol.errors import MalformedFile

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # `soak` lies beside `tests`, not in the package

from soak import misbehaving
from soak.fuzz_formats import TARGETS, Target
from soak.fuzzing import FuzzJob
from soak.run import main, run_job
from soak.tally import Record, Tally

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the soak limits processes as POSIX does")
SMALL = {"bvh": 400, "glb": 300, "asf": 300, "amc": 300, "usda": 12}


def target(name: str) -> Target:
    if name == "usda" and find_spec("pxr") is None:
        pytest.skip("usd-core is not installed")
    return TARGETS[name]


@pytest.mark.parametrize("name", SMALL)
def test_every_damaged_file_gives_a_motion_or_an_error_of_ours(name: str, tmp_path: Path):
    job = FuzzJob(target(name), SMALL[name], chunk_size=100, failures_folder=tmp_path)
    tally = run_job(job, tmp_path).tally
    assert tally.failures == []
    assert tally.inputs == SMALL[name]
    assert tally.accepted + sum(tally.rejected.values()) == tally.inputs


@pytest.mark.parametrize("name", ["bvh", "glb", "asf", "amc"])
def test_damage_leaves_some_files_readable_and_breaks_others(name: str):
    chosen = target(name)
    accepted = 0
    for number in range(200):
        try:
            chosen.parse(chosen.make_input(number).data)
            accepted += 1
        except MalformedFile:
            pass
    assert 20 <= accepted <= 180


@pytest.mark.parametrize("name", SMALL)
def test_an_inputs_number_is_all_it_takes_to_make_it_again(name: str):
    chosen = target(name)
    once = [chosen.make_input(number) for number in range(20)]
    assert [chosen.make_input(number) for number in reversed(range(20))] == once[::-1]
    assert len({made.data for made in once}) > 15


class TestARunThatIsInterrupted:
    """A job counts the same whether it runs at once or in pieces."""

    def job(self, folder: Path) -> FuzzJob:
        return FuzzJob(TARGETS["amc"], 60, chunk_size=20, failures_folder=folder)

    def counts(self, path: Path) -> dict[str, object]:
        saved = json.loads(path.read_text())
        return {name: saved[name] for name in ("finished", "inputs", "accepted", "rejected", "failures")}

    def test_is_taken_up_where_it_stopped(self, tmp_path: Path):
        run_job(self.job(tmp_path), tmp_path / "whole")
        job = self.job(tmp_path)
        partial = Record(tmp_path / "pieces" / f"{job.name}.json", job.facts, job.chunk_count)
        with job.session() as session:
            partial.add(1, session.run_chunk(1))
        assert json.loads(partial.path.read_text())["chunks_done"] == [1]
        run_job(job, tmp_path / "pieces")
        name = f"{job.name}.json"
        assert self.counts(tmp_path / "pieces" / name) == self.counts(tmp_path / "whole" / name)
        assert "chunks_done" not in json.loads((tmp_path / "whole" / name).read_text())

    def test_starts_anew_where_the_job_has_changed(self, tmp_path: Path):
        job = self.job(tmp_path)
        record = Record(tmp_path / "r.json", job.facts, job.chunk_count)
        record.add(0, Tally(inputs=20))
        other = Record(tmp_path / "r.json", {**job.facts, "inputs_planned": 61}, job.chunk_count)
        other.load()
        assert not other.done


@pytest.mark.parametrize(
    ("misbehaviour", "error"),
    [
        ("raises", "KeyError"),
        ("hangs", "TooSlow"),
        ("crashes", "Crash"),
        ("hoards", "TooMuchMemory"),
        ("babbles", "LongMessage"),
    ],
)
def test_a_reader_that_misbehaves_is_caught_with_its_input(misbehaviour: str, error: str, tmp_path: Path):
    chosen = misbehaving.TARGETS[misbehaviour]
    bad = next(number for number in range(100) if chosen.make_input(number).data == misbehaving.BAD)
    job = FuzzJob(chosen, bad + 1, module="soak.misbehaving", failures_folder=tmp_path)
    failures = run_job(job, tmp_path).tally.failures
    assert [(failure["input"], failure["error"]) for failure in failures] == [(bad, error)]
    assert (tmp_path / f"{job.name}-{bad}.txt").read_bytes() == misbehaving.BAD


def test_the_command_lists_its_jobs_and_refuses_unknown_ones(capsys: pytest.CaptureFixture[str]):
    assert main(["--list"]) == 0
    assert "mutated-bvh" in capsys.readouterr().out
    assert main(["--only", "nothing"]) == 2
    assert "mutated-glb" in capsys.readouterr().out
