"""`gambol crowd`, and running scenes of crowds."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from tests.support.command_line import Run, runner

from gambol.crowd import read_recording
from gambol.deliver import writers
from gambol.errors import InvalidInput
from gambol.files import read_motion
from gambol.judges import CrowdReport, CrowdTouch
from gambol.scenes import parse_scene
from gambol.search import Outcome
from gambol.stages import CrowdStage, perform

WORLD = 'name = "small"\nkind = "crowd"\nseed = 2\n[world]\nbounds = [0, 0, 30, 20]\n'
PILLAR = '[[obstacles]]\nname = "pillar"\nat = [15, 10]\nradius_m = 1\n'
WANDERING = f"""{WORLD}{PILLAR}
[[groups]]
name = "human"
count = 19
starts = {{ area = [1, 1, 29, 19] }}
spacing_m = 2
wander = {{}}
[[cast]]
name = "Ann O'Neil"
start = [2.2, 2.4]
follow = "human-3"
appears_at_s = 1
"""
#: One is there after a moment, one has far to go.
NEAR_AND_FAR = f"""{WORLD}
[[cast]]
name = "near"
start = [5, 5]
goal = [5.3, 5]
then = "leave"
[[cast]]
name = "far"
start = [5, 10]
goal = [28, 10]
"""
SEALED = f"""{WORLD}
[[obstacles]]
name = "cell"
line = [[20, 5], [28, 5], [28, 15], [20, 15], [20, 5]]
thickness_m = 0.4
[[cast]]
name = "outside"
start = [5, 10]
goal = [24, 10]
[[cast]]
name = "near"
start = [5, 5]
goal = [5.3, 5]
"""


@pytest.fixture
def gambol(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def scene(tmp_path: Path):
    """Return a function that writes a scene file in a folder of its own."""

    def write(text: str) -> Path:
        path = tmp_path / "scenes" / "scene.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        return path

    return write


@pytest.mark.slow
def test_a_crowd_is_run_checked_and_written_in_every_format(gambol, scene, tmp_path):
    folder = tmp_path / "made" / "on demand"
    targets = [folder / f"out{suffix}" for suffix in (".crowd", ".csv", ".parquet", ".json", ".usdc", ".glb", ".bvh")]
    options = ["--seconds", "5", "--who", "human-1", "--who", "Ann O'Neil", "--table-rate", "2", "--json"]
    code, out, _ = gambol("crowd", scene(WANDERING), *options, *(part for path in targets for part in ("-o", path)))
    told = json.loads(out)
    assert code == 0, told
    assert told["outcome"] == "found"
    assert told.keys() >= {"characters", "check", "files", "arrived", "ms_per_frame", "replans", "statistics"}
    assert len(told["characters"]) == 20
    assert told["characters"][0].keys() >= {"name", "outcome", "reason", "cost", "bound", "duration_s"}
    assert told["check"]["touches"] == told["check"]["collisions"] == told["check"]["illegal_transitions"] == 0
    assert told["check"]["frames"] > 20 * 100
    assert told["ms_per_frame"] > 0.0
    assert told["replans"] > 20
    assert told["statistics"]["mean_speed_m_s"] > 0.3
    recording = read_recording(targets[0])
    assert recording.names[-1] == "Ann O'Neil"
    assert recording.frame[recording.first_step[19]] == 30
    assert parse_scene(recording.scene).name == "small"
    rows = list(csv.DictReader(targets[1].open()))
    assert {row["name"] for row in rows} == {"human-1", "Ann O'Neil"}
    assert {round(2 * float(row["time_s"])) for row in rows} == set(range(11))
    written = json.loads(targets[3].read_text())
    assert written == {key: value for key, value in told.items() if key not in ("files", "skipped")}
    bvh = [folder / "out-human-1.bvh", folder / "out-Ann_O_Neil.bvh"]
    assert told["files"] == [str(path) for path in (*targets[:-1], *bvh)]
    assert sorted(folder.iterdir()) == sorted((*targets[:-1], *bvh)), "nothing else is left"
    motion = read_motion(bvh[0]).motion
    assert np.allclose(motion.root_positions, recording.motion(1).root_positions, atol=1e-3)


def test_the_report_for_people_says_what_the_one_for_machines_does(gambol, scene):
    code, out, _ = gambol("crowd", scene(WANDERING), "--seconds", "2", "--no-check")
    assert code == 0
    for words in ("20 characters", "goals reached", "longest", "taken up", "ms a frame", "m/s", "check: not made"):
        assert words in out


def test_the_same_seed_gives_the_same_crowd_on_any_threads_and_another_does_not(gambol, scene, tmp_path):
    texts = {}
    for name, options in {"a": [], "b": ["--threads", "2"], "c": ["--seed", "9"]}.items():
        path = tmp_path / f"{name}.crowd"
        code, _, _ = gambol("crowd", scene(WANDERING), "--seconds", "3", "--no-check", "-q", "-o", path, *options)
        assert code == 0
        texts[name] = path.read_bytes()
    assert texts["a"] == texts["b"] != texts["c"]


def test_who_has_not_arrived_is_named_and_makes_the_exit_code_1(gambol, scene):
    path = scene(NEAR_AND_FAR)
    code, _, err = gambol("crowd", path, "--seconds", "3", "--no-check", "-q")
    assert code == 1
    assert "1 have not arrived yet: far (0 of 1 goals reached so far)" in err
    code, out, _ = gambol("crowd", path, "--seconds", "20", "--json")
    told = json.loads(out)
    assert code == 0, told
    assert told["arrived"] == 2
    assert told["statistics"]["goals_reached"] == 2
    assert told["characters"][0]["duration_s"] < 5.0 < told["characters"][1]["duration_s"] < 20.0


def test_who_cannot_arrive_is_reported_and_no_failure(gambol, scene):
    code, out, _ = gambol("crowd", scene(SEALED), "--seconds", "6", "--json", "--no-check")
    told = json.loads(out)
    assert code == 0, told
    outcomes = {row["name"]: row["outcome"] for row in told["characters"]}
    assert outcomes == {"outside": "unreachable", "near": "found"}
    assert (told["outcome"], told["unreachable"], told["arrived"]) == ("found", 1, 1)


def test_a_touch_in_the_delivered_motions_makes_the_exit_code_1(gambol, scene, monkeypatch):
    touch = CrowdTouch("a", "b", 1.0, 0.02, (1.0, 1.0, 1.0), "Hips", "Hips", who=0, whom=1, begin_s=0.9, end_s=1.1)
    report = CrowdReport((), (touch,), (), 100, 0.0, 1.0)
    monkeypatch.setattr("gambol.stages.crowds.judge_crowd", lambda *_, **__: report)
    code, out, _ = gambol("crowd", scene(WANDERING), "--seconds", "1")
    assert code == 1
    assert "a touches b by 2.0 cm at 1.00 s" in out


def test_people_appear_one_after_another_where_there_is_room_and_leave():
    stream = f"""{WORLD}
[[groups]]
name = "stream"
count = 5
starts = {{ line = [[4, 10], [4, 10.5]] }}
goals = {{ line = [[12, 9], [12, 11]] }}
then = "leave"
interval_s = 0.5
[[cast]]
name = "guide"
start = [4.4, 10]
goal = [4.5, 16]
appears_at_s = 9
"""
    performance = perform(parse_scene(stream), CrowdStage(30.0))
    recording = performance.recording
    assert performance.is_clean, performance.trouble
    begins = [recording.presence(n)[0] for n in range(6)]
    assert begins[0] == 0
    assert all(later >= 15 * n for n, later in enumerate(begins[:5]))
    assert begins[1] > 15, "the first is still in the way when it is the second's time"
    assert recording.names[5] == "guide"
    assert begins[5] >= 270
    assert (recording.until[:5] < recording.frames).all()
    arrived = dict(recording.arrivals.tolist())
    assert all(recording.until[n] == arrived[n] for n in range(5))


def test_who_follows_appears_with_or_after_its_leader():
    text = f"""{WORLD}
[[cast]]
name = "third"
start = [2, 8]
heading_deg = 0
follow = "second"
[[cast]]
name = "second"
start = [4, 8]
heading_deg = 0
follow = "first"
[[cast]]
name = "first"
start = [6, 8]
goal = [26, 8]
appears_at_s = 1
"""
    performance = perform(parse_scene(text), CrowdStage(16.0))
    recording = performance.recording
    assert performance.is_clean
    begins = {name: recording.presence(n)[0] for n, name in enumerate(recording.names)}
    assert begins["first"] == 30
    assert begins["second"] >= 30
    assert begins["third"] >= begins["second"]
    ends = {name: recording.motion(n).root_positions[-1, :2] for n, name in enumerate(recording.names)}
    assert np.hypot(*(ends["first"] - ends["second"])) < 5.0
    assert np.hypot(*(ends["first"] - ends["third"])) < 8.0


def test_scenes_that_are_no_crowds_are_refused():
    with pytest.raises(InvalidInput, match="`gambol plan` performs it"):
        perform(parse_scene(NEAR_AND_FAR.replace('kind = "crowd"', "").replace('then = "leave"', "")), CrowdStage(1.0))
    with pytest.raises(InvalidInput, match="nobody to perform"):
        perform(parse_scene(WORLD), CrowdStage(1.0))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["SCENE", "--seconds", "0"], "more than 0 and at most 36000 seconds"),
        (["SCENE", "--seconds", "nan"], "more than 0 and at most 36000 seconds"),
        (["SCENE", "-o", "a.crowds"], "did you mean '.crowd'"),
        (["SCENE", "-o", "crowd"], "no suffix"),
        (["SCENE", "-o", "a.csv", "-o", "a.csv"], "written twice"),
        (["SCENE", "-o", "folder.csv"], "this is a folder"),
        (["SCENE", "--who", "human-33", "-o", "a.bvh"], "did you mean 'human-3'"),
        (["SCENE", "--threads", "0"], "at least 1"),
        (["SCENE", "--budget", "0"], "at least 1"),
        (["SCENE", "--seed", "-1"], "a seed is a whole number"),
        (["SCENE", "--reservations", "sweep"], "did you mean 'swept'"),
        (["SCENE", "--table-rate", "0"], "more than 0 rows"),
        (["first"], "`gambol plan` performs it"),
        (["plasa"], "did you mean 'plaza'"),
        (["doorway-4", "-o", "a.bvh"], "name some with --who"),
        (["plaza", "-o", "a.usdc"], "1,000 characters, joint by joint, are more than the 300"),
    ],
)
def test_bad_input_ends_with_exit_code_2_and_says_what_was_expected(
    gambol, scene, tmp_path, monkeypatch, arguments, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.csv").mkdir()
    arguments = [scene(WANDERING) if argument == "SCENE" else argument for argument in arguments]
    before = sorted(tmp_path.rglob("*"))
    code, _, err = gambol("crowd", *arguments)
    assert code == 2
    assert message in " ".join(err.split())
    code, out, _ = gambol("crowd", *arguments, "--json")
    assert code == 2
    assert json.loads(out).keys() == {"error", "where"}
    assert sorted(tmp_path.rglob("*")) == before, "nothing is written"


def test_plan_refuses_crowds_and_says_what_runs_them(gambol, scene):
    code, _, err = gambol("plan", scene(NEAR_AND_FAR))
    assert code == 2
    assert "`gambol crowd` performs it" in " ".join(err.split())


def test_formats_with_every_joint_have_limits():
    limited = {suffix for suffix, row in writers("crowd").items() if row.most is not None}
    assert limited == set(writers("crowd")) - {".crowd", ".csv", ".parquet", ".json", ".png", ".mp4"}


def test_what_has_not_appeared_is_not_written_and_said(gambol, scene, tmp_path):
    target = tmp_path / "ann.bvh"
    late = WANDERING.replace("appears_at_s = 1", "appears_at_s = 8")
    options = ["--seconds", "1", "--no-check", "--json", "--who", "Ann O'Neil", "-o", target]
    code, out, _ = gambol("crowd", scene(late), *options)
    told = json.loads(out)
    assert code == 1
    assert told["outcome"] == Outcome.PARTIAL.value
    assert told["files"] == []
    assert any("has not appeared" in line for line in told["skipped"])
    assert not target.exists()
