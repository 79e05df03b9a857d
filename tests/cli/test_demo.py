from __future__ import annotations

import json

import pytest
from tests.support.command_line import runner

from gambol.cli import demo_job as demo
from gambol.cli.demo_job import make_demo
from gambol.files import ReadOptions, read_motion

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory):
    """Make the demo, without the videos, which take longest and are tested elsewhere."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo, "SUFFIXES", tuple(suffix for suffix in demo.SUFFIXES if suffix != ".mp4"))
        return folder, make_demo(folder, progress=lambda what, share: None)


def test_everyone_arrives_and_the_check_finds_nothing(made):
    _, result = made
    assert [performance.scene.name for performance in result.performances] == ["course", "falling-tree"]
    assert all(performance.is_clean and performance.report is not None for performance in result.performances)


def test_the_course_is_jumped_and_crawled(made):
    course = made[1].performances[0]
    kinds = {course.plans[0].character.behaviors[step.behavior].kind for step in course.plans[0].steps}
    assert {"jump", "low"} <= kinds


def test_the_first_passes_before_the_tree_falls_and_two_jump_over_it(made):
    ann, bea, cas = made[1].performances[1].plans
    kinds = [[plan.character.behavior(name).kind for name in plan.behaviors] for plan in (ann, bea, cas)]
    assert [("jump" in played) for played in kinds] == [False, True, True]


def test_files_open_and_numbers_are_there(made):
    folder, result = made
    assert all(path.parent == folder and path.stat().st_size > 100 for path in result.delivery.files)
    assert not result.delivery.skipped
    course = result.performances[0].realized[0]
    assert course is not None
    for suffix in (".bvh", ".glb", ".usda"):
        assert read_motion(folder / f"course{suffix}").motion.frame_count == course.frame_count
    for name in ("Ann", "Bea", "Cas"):
        assert (folder / f"falling-tree-{name}.bvh").exists()
        read_motion(folder / "falling-tree.glb", ReadOptions(character=name))
    numbers = (folder / "numbers.md").read_text()
    assert numbers.count("| found |") == 4
    assert "0 collisions, 0 touches, 0 illegal transitions" in numbers


def test_the_command_prints_what_was_made(made, monkeypatch, capsys):
    monkeypatch.setattr("gambol.cli.demo.make_demo", lambda folder, *, progress: made[1])
    gambol = runner(monkeypatch, capsys)
    code, out, _ = gambol("demo")
    assert code == 0
    assert "falling-tree" in out
    assert "numbers.md" in out
    code, out, _ = gambol("demo", "--json")
    report = json.loads(out)
    assert [scene["outcome"] for scene in report["scenes"]] == ["found", "found"]
    assert len(report["files"]) == len(made[1].delivery.files)
