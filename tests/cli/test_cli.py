from __future__ import annotations

import json
import re

import pytest
from tests.support.command_line import Run, runner

from gambol.characters.builtin.walk import walk
from gambol.files.bvh import write_bvh
from gambol.files.formats import read_motion

INSPECT_KEYS = {"frames", "rate_hz", "foot_slide_mean_cm_s", "foot_slide_max_cm_s", "ground_penetration_cm", "contacts"}


@pytest.fixture
def gambol(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture(scope="module")
def walk_bvh(tmp_path_factory: pytest.TempPathFactory):
    path = tmp_path_factory.mktemp("walk") / "walk.bvh"
    write_bvh(path, walk(strides=1))
    return path


def test_help_and_version_are_there_for_every_command(gambol):
    assert gambol("--help")[0] == 0
    assert gambol("--version")[1].startswith("gambol ")
    for command in ("demo", "scenes", "plan", "crowd", "convert", "inspect"):
        code, out, _ = gambol(command, "--help")
        assert code == 0
        assert "--json" in out


@pytest.mark.parametrize("suffix", [".glb", ".usda", ".usdc", ".bvh"])
def test_convert_writes_what_the_suffix_says_and_reads_it_again(gambol, walk_bvh, tmp_path, suffix):
    target = tmp_path / f"walk{suffix}"
    code, out, _ = gambol("convert", walk_bvh, target, "--rate", "30", "--scale", "2", "--root", "ground")
    assert code == 0
    assert "frames at 30 Hz" in out
    motion = read_motion(target).motion
    assert motion.frame_count == 34
    assert motion.skeleton.names[:2] == ("Root", "Hips")


def test_convert_renames_joints_by_a_program_or_a_file(gambol, walk_bvh, tmp_path):
    mixamo = tmp_path / "mixamo.bvh"
    assert gambol("convert", walk_bvh, mixamo, "--names", "to-mixamo")[0] == 0
    assert "mixamorig:Hips" in read_motion(mixamo).motion.skeleton.names
    back = tmp_path / "back.bvh"
    assert gambol("convert", mixamo, back, "--names", "mixamo")[0] == 0
    assert read_motion(back).motion.skeleton.names == read_motion(walk_bvh).motion.skeleton.names
    (tmp_path / "names.json").write_text('{"Hips": "pelvis"}')
    assert gambol("convert", walk_bvh, back, "--names", tmp_path / "names.json")[0] == 0
    assert "pelvis" in read_motion(back).motion.skeleton.names


@pytest.mark.slow
def test_inspect_reports_in_text_json_and_as_a_picture(gambol, walk_bvh, tmp_path):
    code, out, _ = gambol("inspect", walk_bvh)
    assert code == 0
    assert "planted feet slide" in out
    picture = tmp_path / "report.png"
    code, out, _ = gambol("inspect", walk_bvh, "--json", "-o", picture)
    report = json.loads(out)
    assert code == 0
    assert report.keys() >= INSPECT_KEYS
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_inspect_counts_planted_frames_as_in_the_file_with_its_t_pose(gambol, walk_bvh, tmp_path):
    _, out, _ = gambol("inspect", walk_bvh)
    (first, last) = map(int, re.findall(r"^  left_toe (\d+)-(\d+)", out, re.MULTILINE)[0])
    head, frames = walk_bvh.read_text().split("Frames: ")
    count, rate, *rows = frames.splitlines()
    t_pose = " ".join(["0", "90", "0", *["0"] * (len(rows[0].split()) - 3)])
    taken = tmp_path / "take.bvh"
    taken.write_text("\n".join([f"{head}Frames: {int(count) + 1}", rate, t_pose, *rows, ""]))
    code, out, _ = gambol("inspect", taken)
    assert code == 0
    assert "its T-pose being frame 0" in out
    assert f"  left_toe {first + 1}-{last + 1}" in out
    assert json.loads(gambol("inspect", taken, "--json")[1])["first_frame"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inspect", "none.bvh"], "No such file"),
        (["convert", "WALK", "out.xyz"], "no motion format '.xyz'"),
        (["convert", "WALK", "out.glb", "--root", "ground-ish"], "did you mean 'ground'"),
        (["convert", "WALK", "out.glb", "--out-unit", "cm"], "always in metres"),
        (["convert", "WALK", "out.glb", "--unit", "furlong"], "no unit 'furlong'"),
        (["convert", "WALK", "out.glb", "--rate", "-3"], "positive"),
        (["convert", "WALK", "out.glb", "--scale", "0"], "positive"),
        (["convert", "WALK", "out.glb", "--names", "mixammo"], "did you mean 'mixamo'"),
        (["convert", "WALK", "out.glb", "--character", "Bob"], "without the option 'character'"),
    ],
)
def test_bad_input_ends_with_exit_code_2_and_says_what_was_expected(
    gambol, walk_bvh, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    arguments = [walk_bvh if argument == "WALK" else argument for argument in arguments]
    code, _, err = gambol(*arguments)
    assert code == 2
    assert message in err
    code, out, _ = gambol(*arguments, "--json")
    assert code == 2
    assert json.loads(out).keys() == {"error", "where"}
    assert not list(tmp_path.iterdir()), "nothing is left half-written"


def test_a_wrong_option_is_an_error_of_usage(gambol, walk_bvh):
    assert gambol("inspect", walk_bvh, "--fast")[0] == 2
