"""`gambol bake` on the command line: what it says, writes and refuses."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from tests.support.bake_jobs import PLAN, TREE, Here, job_file, write_files
from tests.support.command_line import Run, runner

from gambol.bake.kinds import registry
from gambol.cli import bake as command

ROOT = Path(__file__).parent.parent.parent
SMALL_TREE = TREE.replace("[100, 300]", "100")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("files"))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command, with an engine that works in this process: others are tested elsewhere."""
    monkeypatch.setattr(command, "Pool", Here)
    return runner(monkeypatch, capsys)


def test_a_job_is_baked_and_told(run: Run, files: Path, tmp_path: Path):
    job = job_file(files, PLAN.replace("seeds = 2", "") + SMALL_TREE, name="cli")
    code, out, err = run("bake", job, "-o", tmp_path / "out")
    assert (code, err) == (0, "")
    assert re.match(r"cli: 2 tasks done in [\d.]+ s \([\d.]+ s of work\), 0 were done before, 0 failed", out)
    named = [Path(line) for line in out.splitlines()[1:]]
    assert [path.name for path in named] == ["cli.json", "cli.md", "cli.png", "cli.csv", "cli.usda"]
    assert all(path.is_file() for path in named)
    manifest = json.loads(named[0].read_text())
    assert [(task["label"], task["status"]) for task in manifest["tasks"]] == [
        ("yard-seed-0", "done"),
        ("statue-seed-0", "done"),
    ]
    code, out, _ = run("bake", job, "-o", tmp_path / "out")
    assert code == 0
    assert "0 tasks done" in out
    assert "2 were done before" in out


def test_json_is_for_machines(run: Run, files: Path, tmp_path: Path):
    job = job_file(files, SMALL_TREE, name="cli")
    code, out, err = run("bake", job, "-o", tmp_path / "out", "--json")
    assert (code, err) == (0, "")
    (told,) = json.loads(out)
    assert (told["name"], told["tasks"], told["done"], told["failed"]) == ("cli", 1, 1, {})
    assert Path(told["manifest"]).is_file()
    assert Path(told["log"]).is_file()
    assert [Path(path).suffix for path in told["files"]] == [".md", ".png", ".csv"]


def test_check_only_says_what_a_job_comes_to_and_writes_nothing(run: Run, files: Path, tmp_path: Path):
    one, two = job_file(files, TREE, name="one"), job_file(files, PLAN, name="two")
    code, out, _ = run("bake", one, two, "-o", tmp_path / "out", "--check-only")
    assert (code, out) == (0, "one: 2 tasks, 0 of them done\ntwo: 2 tasks, 0 of them done\n")
    code, out, _ = run("bake", one, "-o", tmp_path / "out", "--check-only", "--json")
    assert json.loads(out) == [{"name": "one", "tasks": 2, "done": 0}]
    assert not (tmp_path / "out").exists()


def test_failures_are_told_and_the_rest_is_done(run: Run, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    kind = registry.KINDS["tree"]

    def fails(task, inputs, place):
        if task.settings["nodes"] == 100:
            raise ValueError("no [bold] leaves")
        return kind.bake(task, inputs, place)

    monkeypatch.setitem(registry.KINDS, "tree", kind._replace(bake=fails))
    job = job_file(files, TREE, name="cli")
    code, out, err = run("bake", job, "-o", tmp_path / "out", "--retries", 1, "--quiet")
    assert (code, out) == (1, "")
    assert err == "statue-nodes-100-seed-0: ValueError: no [bold] leaves\n"
    assert "no \\[bold\\] leaves" in (tmp_path / "out" / "cli.md").read_text()
    code, out, _ = run("bake", job, "-o", tmp_path / "out", "--json")
    (told,) = json.loads(out)
    assert (code, told["done_before"], told["retried"]) == (1, 1, 2)
    assert told["failed"] == {"statue-nodes-100-seed-0": "ValueError: no [bold] leaves"}


def test_wrong_jobs_are_refused_before_anything_is_done(run: Run, files: Path, tmp_path: Path):
    good, out = job_file(files, SMALL_TREE, name="good"), tmp_path / "out"
    wrong = job_file(files, PLAN.replace("yard.toml", "nowhere.toml"), name="wrong")
    code, _, err = run("bake", good, wrong, "-o", out)
    assert code == 2
    assert f"{wrong}:" in err
    assert "tasks[0].scenes[0]" in err
    assert "nowhere.toml" in err
    assert not out.exists()
    code, told, _ = run("bake", wrong, "-o", out, "--json")
    assert code == 2
    assert json.loads(told)["where"].startswith(str(wrong))
    code, _, err = run("bake", files / "none.toml", "-o", out)
    assert code == 2
    assert "none.toml" in err
    code, _, err = run("bake", files, "-o", out)
    assert code == 2
    assert "folder" in err


def test_two_jobs_of_one_name_are_refused(run: Run, files: Path, tmp_path: Path):
    job = job_file(files, SMALL_TREE, name="same")
    code, _, err = run("bake", job, job, "-o", tmp_path / "out")
    assert code == 2
    assert "two jobs are called 'same'" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--engine", "rey"), "did you mean 'ray'?"),
        (("--address", "auto"), "an address is for --engine ray"),
        (("--retries", "-1"), "retries"),
        (("--workers", "many"), "workers"),
    ],
)
def test_wrong_options_are_refused(run: Run, files: Path, tmp_path: Path, options: tuple[str, str], said: str):
    job = job_file(files, SMALL_TREE, name="cli")
    code, _, err = run("bake", job, "-o", tmp_path / "out", *options)
    assert code == 2
    assert said in err


def test_folders_that_take_nothing_are_told_at_once(run: Run, files: Path, tmp_path: Path):
    job = job_file(files, SMALL_TREE, name="cli")
    (tmp_path / "file").write_text("")
    code, _, err = run("bake", job, "-o", tmp_path / "file")
    assert code == 2
    assert "is a file" in err
    if os.geteuid() != 0:  # nothing is forbidden to the administrator
        (tmp_path / "shut").mkdir(mode=0o500)
        code, _, err = run("bake", job, "-o", tmp_path / "shut" / "out")
        assert code == 2
        assert "not allowed" in err
    code, _, err = run("bake", job)
    assert code == 2
    assert "--out" in err


def test_the_jobs_of_the_docs_and_examples_are_read(run: Run, files: Path, tmp_path: Path):
    (tmp_path / "walks").symlink_to(files / "walks")
    grow = 'characters = ["human"]\nsubset = "lk06-13"\nnodes = 50'
    job = job_file(tmp_path, f'[[tasks]]\nkind = "tree"\nbegins = "jog-left"\n{grow}', name="grown")
    assert run("bake", job, "-o", tmp_path / "trees")[0] == 0
    blocks = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "baking.md").read_text(encoding="utf-8"), re.DOTALL)
    blocks.append((ROOT / "examples" / "11_bake.toml").read_text(encoding="utf-8"))
    blocks[2] = blocks[2].replace("trees/*.tree", "trees/results/*/*/*.tree")
    told = []
    for block in blocks:
        (tmp_path / "block.toml").write_text(block)
        code, out, err = run("bake", tmp_path / "block.toml", "-o", tmp_path / "out", "--check-only", "--json")
        assert (code, err) == (0, ""), out
        told += [(row["name"], row["tasks"]) for row in json.loads(out)]
    assert told == [("shots", 16), ("trees", 6), ("compared", 24), ("example", 4)]


def test_help_names_engines_and_exit_codes(run: Run):
    code, out, _ = run("bake", "--help")
    assert code == 0
    for word in ("--engine", "--address", "--workers", "--retries", "--check-only", "--json", "Exit code"):
        assert word in out
