"""What a bake leaves for people: tables, plots, failures; and what of it has times."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.support.bake_jobs import PLAN, TREE, bake_in, files_of, job_in, write_files

from gambol.bake.baking import Baked
from gambol.bake.kinds import registry
from gambol.bake.logs import read_history
from gambol.bake.report import page_text, write_outputs
from gambol.pictures import Group, Stint
from gambol.pictures.bake_plots import bake_plots

TABLES = PLAN.replace('"usda"', '"plan.json"') + TREE


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_files(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="module")
def baked(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Baked:
    """Four tasks, of which the second tree fails: at first twice, then for good."""
    folder = tmp_path_factory.mktemp("out")
    kind = registry.KINDS["tree"]

    def fails(task, inputs, place):
        if task.settings["nodes"] == 300:
            raise ValueError("no | leaves\non it")
        return kind.bake(task, inputs, place)

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.KINDS, "tree", kind._replace(bake=fails))
        baked = bake_in(folder, job_in(files, TABLES, name="mixed"), retries=1)
        write_outputs(baked)
    return baked


def test_the_page_counts_tasks_by_kind_and_settings(baked: Baked):
    text = (baked.store.folder / "mixed.md").read_text()
    assert "4 tasks: 3 done, 1 failed." in text
    assert "| yard | 2 | 2 | 0 | found 2 | 2 of 2 |" in text
    assert "| statue-nodes-100 | 1 | 1 | 0 | grown 1 | 1 of 1 | 100 |" in text
    assert "| statue-nodes-300 | 1 | 0 | 1 | – | – | – |" in text
    assert "## Failures" in text
    assert r"- **statue-nodes-300-seed-0**: ValueError: no \| leaves on it" in text
    assert "![How it went](mixed.png)" in text


def test_the_page_leads_to_every_file(baked: Baked):
    import re

    text = (baked.store.folder / "mixed.md").read_text()
    targets = re.findall(r"\]\(([^)]+)\)", text)
    assert len(targets) >= 7
    assert all((baked.store.folder / target).exists() for target in targets)


def test_the_table_has_every_task_with_its_settings_and_no_times(baked: Baked):
    rows = list(csv.DictReader((baked.store.folder / "mixed.csv").open()))
    assert [row["task"] for row in rows] == [task.label for task in baked.job.tasks]
    assert [row["outcome"] for row in rows] == ["found", "found", "grown", "failed"]
    assert [row["setting nodes"] for row in rows] == ["", "", "100", "300"]
    assert rows[3]["error"].startswith("ValueError: no | leaves")
    assert float(rows[0]["cost"]) > 0.0
    assert not any("second" in column or "time" in column for column in rows[0])


def test_times_are_in_log_and_report_alone(baked: Baked, files: Path, tmp_path: Path):
    good = job_in(files, TABLES, name="mixed")
    for name in ("first", "second"):
        write_outputs(bake_in(tmp_path / name, good))
    first, second = files_of(tmp_path / "first"), files_of(tmp_path / "second")
    assert first == second
    assert {"mixed.json", "mixed.csv"} < set(first)


def test_history_knows_who_did_what_when(baked: Baked):
    history = read_history(baked.store.folder / "logs", "mixed")
    assert history.runs == 1
    assert len(history.tries) == 5  # one was tried twice
    assert Counter(one.failed for one in history.tries) == {False: 3, True: 2}
    assert all(0.0 <= one.begun_s <= one.ended_s for one in history.tries)
    assert set(history.seconds) == {one.key for one in history.tries if not one.failed}


def test_a_bake_that_goes_on_keeps_what_it_knows(baked: Baked, files: Path):
    again = bake_in(baked.store.folder, job_in(files, TABLES, name="mixed"))
    assert (again.there, len(again.spent), again.complete) == (3, 1, True)
    write_outputs(again)
    history = read_history(baked.store.folder / "logs", "mixed")
    assert (history.runs, len(history.seconds), len(history.tries)) == (2, 4, 1)
    text = (baked.store.folder / "mixed.md").read_text()
    assert "4 tasks: 4 done, 0 failed." in text
    assert "## Failures" not in text


def test_logs_that_are_cut_or_others_are_passed_over(tmp_path: Path):
    begin = {"at": "2026-01-01T00:00:00+00:00", "event": "begin", "job": "a"}
    done = {"at": "2026-01-01T00:00:09+00:00", "event": "done", "key": "k", "seconds": 2.5, "worker": "w"}
    (tmp_path / "a-1.jsonl").write_text(f"{json.dumps(begin)}\n{json.dumps(done)}\n" + '{"at": "2026')
    (tmp_path / "a-2.jsonl").write_text(json.dumps({**begin, "job": "a-2"}) + "\n")
    (tmp_path / "a-3.jsonl").write_bytes(b"\xff\n")
    history = read_history(tmp_path, "a")
    assert (history.runs, history.seconds) == (1, {"k": 2.5})
    assert (history.tries[0].begun_s, history.tries[0].ended_s) == (6.5, 9.0)
    assert read_history(tmp_path / "none", "a").tries == ()


def test_a_report_without_a_log_says_what_it_can(baked: Baked, tmp_path: Path):
    history = read_history(tmp_path, "mixed")
    text = page_text(baked, [], history, tmp_path / "mixed.png")
    assert "0 tasks" in text


def test_plots_show_workers_outcomes_and_failures(tmp_path: Path):
    groups = [
        Group("yard", "plan", {"found": 3, "failed": 1}, (1.0, 1.2, 40.0)),
        Group("statue", "tree", {"grown": 1}, ()),
    ]
    stints = [Stint("plan", "a:1", 0.0, 1.0, False), Stint("plan", "b:2", 0.5, 2.0, True)]
    bake_plots(tmp_path / "all.png", stints, groups)
    bake_plots(tmp_path / "none.png", [], groups[1:])
    pixels = np.asarray(Image.open(tmp_path / "all.png").convert("RGB"), dtype=int)
    none = np.asarray(Image.open(tmp_path / "none.png").convert("RGB"), dtype=int)
    assert pixels.shape[0] > 3 * none.shape[0]  # outcomes alone, where no times are known
    vermilion = (np.abs(pixels - (213, 94, 0)).max(axis=-1) < 40).sum()
    assert vermilion > 200


def test_plots_of_many_groups_and_workers_stay_small(tmp_path: Path):
    groups = [Group(f"group {n} " + "x" * 80, "plan", {"found": 2}, (1.0, 2.0)) for n in range(200)]
    stints = [Stint("plan", f"node:{n % 200}", 0.001 * n, 0.001 * n + 0.2, False) for n in range(20_000)]
    bake_plots(tmp_path / "many.png", stints, groups)
    assert Image.open(tmp_path / "many.png").size[1] < 3500
    assert (tmp_path / "many.png").stat().st_size < 400_000
