from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.support.statues import GOOD, write_course
from typer.testing import CliRunner

from gambol.cli.app import app, main
from gambol.files import read_motion

runner = CliRunner()


@pytest.fixture(scope="module")
def statue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A character file beside its motions."""
    return write_course(tmp_path_factory.mktemp("statue"))


def test_build_lists_what_came_out(statue: Path):
    result = runner.invoke(app, ["character", "build", str(statue)])
    assert result.exit_code == 0
    assert "roll" in result.stdout
    assert "statue: 6 behaviors, 6 clips, 20 transitions" in result.stdout


def test_build_writes_the_clips_as_motion_files(statue: Path, tmp_path: Path):
    result = runner.invoke(app, ["character", "build", str(statue), "-o", str(tmp_path), "--format", "glb", "--json"])
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert len(report["files"]) == 6
    motion = read_motion(tmp_path / "roll.glb").motion
    assert motion.frame_count == 61
    assert np.allclose(motion.root_positions[-1, 0] - motion.root_positions[0, 0], 1.0, atol=0.01)
    roll = report["behaviors"][0]
    assert roll["clips"][0]["ahead_m"] == pytest.approx(1.0, abs=0.01)
    assert report["subsets"] == {"moving": ["roll", "left", "right"]}


def test_check_of_a_good_character_ends_with_zero(statue: Path):
    result = runner.invoke(app, ["character", "check", str(statue)])
    assert result.exit_code == 0
    assert "0 errors, 0 warnings" in result.stdout


def test_check_of_a_broken_one_ends_with_one_and_says_what_to_do(statue: Path, tmp_path: Path):
    broken = tmp_path / "broken.toml"
    broken.write_text(GOOD.replace('begins = "standing"\nends = "standing"', 'begins = "standing"\nends = "stood"'))
    arguments = ["character", "check", str(broken), "--motions", str(statue.parent)]
    result = runner.invoke(app, arguments)
    assert result.exit_code == 1
    assert "no way to stop" in result.stdout
    assert "let 'stand' begin and end with the same label" in result.stdout
    report = json.loads(runner.invoke(app, [*arguments, "--json"]).stdout)
    assert report["errors"] == sum(finding["severity"] == "error" for finding in report["findings"])
    assert {"kind", "severity", "where", "what", "hint"} == set(report["findings"][0])


def test_check_looks_at_a_subset_alone(statue: Path):
    result = runner.invoke(app, ["character", "check", str(statue), "--subset", "moving"])
    assert result.exit_code == 1
    assert "no behavior stands and may follow itself" in result.stdout


def test_show_draws_the_states_the_ways_and_every_clip(statue: Path, tmp_path: Path):
    result = runner.invoke(app, ["character", "show", str(statue), "-o", str(tmp_path), "--json"])
    assert result.exit_code == 0
    files = [Path(name) for name in json.loads(result.stdout)["files"]]
    assert [file.name for file in files] == ["statue_states.png", "statue_ways.png", "statue_clips_1.png"]
    assert all(file.read_bytes().startswith(b"\x89PNG") for file in files)


@pytest.mark.parametrize("arguments", [["nosuch.toml"], ["humna"]])
def test_bad_input_ends_with_two(arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture):
    monkeypatch.setattr("sys.argv", ["gambol", "character", "check", *arguments, "--json"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert set(json.loads(capsys.readouterr().out)) == {"error", "where"}
