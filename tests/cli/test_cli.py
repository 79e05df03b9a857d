from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import pytest
from tests.support.command_line import Run, runner
from tools.authoring.walk import walk

from gambol.files import read_motion, write_bvh

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


@pytest.mark.parametrize(
    ("command", "text", "keys"),
    [
        (
            ("plan", "{}"),
            'name = "x"\nsede = 1\n[world]\nbounds = [0, 0, 9, 9]\n[[cast]]\nstart = [2, 2]\ngaol = [5, 5]\n',
            {"sede": 2, "cast[0].gaol": 7},
        ),
        (("character", "check", "{}"), 'name = 3\ncolour = "red"\nbehaviors = []\n', {"name": 1, "colour": 2}),
        (("bake", "{}", "-o", "{}.out"), 'nmae = "x"\n[[tasks]]\nkind = "plam"\n', {"nmae": 1, "tasks[0].kind": 3}),
    ],
)
def test_as_json_every_mistake_of_a_file_stands_on_its_own(gambol, tmp_path, command, text, keys):
    path = tmp_path / "wrong.toml"
    path.write_text(text, encoding="utf-8")
    code, out, _ = gambol(*(word.format(path) for word in command), "--json")
    told = json.loads(out)
    assert code == 2
    assert str(path) in told["where"]
    assert {one["key"]: one["line"] for one in told["errors"]}.items() >= keys.items()
    assert all(one["error"] and one["error"] in told["error"] for one in told["errors"])


def test_the_package_is_a_command_too():
    done = subprocess.run([sys.executable, "-m", "gambol", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("gambol ")


@pytest.mark.skipif(os.name == "nt", reason="Windows sends Ctrl-C to all programs of a console")
@pytest.mark.parametrize("after_s", [0.01, 0.1, 0.3, 0.6, 1.0, 1.5])
def test_ctrl_c_is_quiet_while_the_program_still_loads(after_s: float):
    program = (
        "import signal, sys; from gambol.__main__ import main; sys.argv = ['gambol', 'plan', 'first', '--check-only'];"
        "signal.signal(signal.SIGINT, signal.default_int_handler); print('begun', flush=True); main()"
    )
    begun = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert begun.stdout is not None
    assert begun.stdout.readline() == "begun\n"
    time.sleep(after_s)
    begun.send_signal(signal.SIGINT)
    _, err = begun.communicate(timeout=60.0)
    assert begun.returncode in (0, 130)  # 0: it had done all before
    assert "Traceback" not in err
    assert "Aborted" not in err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_told_how_to_complete_commands(shell: str, tmp_path):
    settings = {**os.environ, "HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
    command = [sys.executable, "-m", "gambol", "--install-completion", shell]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    written = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file())
    assert "_GAMBOL_COMPLETE" in written, done.stdout
    assert "-m" not in written
    variables = {"_GAMBOL_COMPLETE": f"complete_{shell}", "COMP_WORDS": "gambol sce", "COMP_CWORD": "1"}
    variables |= {"_TYPER_COMPLETE_ARGS": "gambol sce", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    program = "import sys; sys.argv = ['gambol']; from gambol.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env={**settings, **variables}, capture_output=True, text=True, check=False
    )
    assert "scenes" in done.stdout
