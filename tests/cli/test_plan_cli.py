from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.command_line import Run, runner
from tests.support.small_scenes import ALONE, TOGETHER, without_cas

from gambol.deliver import WriteOptions
from gambol.files import ReadOptions, read_motion
from gambol.judges import CheckReport, Collision
from gambol.scenes import load_scene, parse_scene, shipped_scenes
from gambol.search import Goal, Outcome
from gambol.stages import perform
from gambol.world import Footprint, Obstacle

CHARACTER_KEYS = {"name", "outcome", "reason", "cost", "bound", "duration_s", "plan_time_s", "expansions"}
CHECK_KEYS = {"collisions", "touches", "illegal_transitions", "frames"}


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


def test_scenes_lists_what_ships(gambol):
    code, out, _ = gambol("scenes", "--json")
    listed = json.loads(out)
    assert code == 0
    assert [entry["name"] for entry in listed] == [scene.name for scene in shipped_scenes()]
    assert all(entry.keys() == {"name", "kind", "summary"} and entry["summary"] for entry in listed)
    assert all(entry["kind"] in ("plan", "crowd", "climb") for entry in listed)
    code, out, _ = gambol("scenes")
    assert code == 0
    assert all(entry["name"] in out for entry in listed)


@pytest.mark.slow
def test_one_character_is_planned_checked_and_written_in_every_format(gambol, scene, tmp_path):
    folder = tmp_path / "made" / "on demand"
    targets = [folder / f"ann{suffix}" for suffix in (".bvh", ".glb", ".usda", ".usdc", ".plan.json", ".png")]
    code, out, _ = gambol("plan", scene(ALONE), "--json", *(part for path in targets for part in ("-o", path)))
    report = json.loads(out)
    assert code == 0
    assert report["outcome"] == "found"
    (ann,) = report["characters"]
    assert ann.keys() >= CHARACTER_KEYS
    assert (ann["name"], ann["outcome"], ann["reason"]) == ("Ann", "found", "")
    assert 9.0 < ann["cost"] < 20.0
    assert 1.0 <= ann["bound"] < 2.0
    assert report["check"].keys() >= CHECK_KEYS
    assert report["check"]["collisions"] == report["check"]["touches"] == report["check"]["illegal_transitions"] == 0
    assert report["files"] == [str(path) for path in targets]
    for path in targets[:4]:
        motion = read_motion(path).motion
        assert motion.duration_s == pytest.approx(ann["duration_s"])
        assert motion.frame_count == report["check"]["frames"]
        assert np.hypot(*(motion.root_positions[-1, :2] - (11, 4))) < 0.7
    assert targets[5].read_bytes().startswith(b"\x89PNG")
    assert sorted(folder.iterdir()) == sorted(targets), "nothing else is left"


@pytest.mark.slow
def test_several_characters_share_a_file_where_the_format_has_room(gambol, scene, tmp_path):
    targets = [tmp_path / f"all{suffix}" for suffix in (".bvh", ".glb", ".usdc")]
    code, out, _ = gambol("plan", scene(TOGETHER), "--json", *(part for path in targets for part in ("-o", path)))
    report = json.loads(out)
    assert code == 1, "one is shut in"
    assert report["outcome"] == "unreachable"
    assert [one["outcome"] for one in report["characters"]] == ["found", "found", "unreachable"]
    assert report["check"]["touches"] == report["check"]["collisions"] == 0
    own = [tmp_path / "all-Ann.bvh", tmp_path / "all-Bob_O_Neil.bvh"]
    assert report["files"] == [str(path) for path in (*own, *targets[1:])]
    lasts = [one["duration_s"] for one in report["characters"]]
    assert read_motion(own[0]).motion.duration_s == pytest.approx(lasts[0])
    bob = read_motion(own[1]).motion
    assert bob.duration_s == pytest.approx(1.0 + lasts[1]), "it begins with waiting"
    assert np.ptp(bob.root_positions[: round(bob.rate_hz)], axis=0).max() < 1e-6
    for path in targets[1:]:
        names = [one["name"] for one in report["characters"]]
        motions = [read_motion(path, ReadOptions(character=name)).motion for name in names]
        assert {motion.frame_count for motion in motions} == {bob.frame_count}, "who has arrived stays"
        ann, shut_in = motions[0], motions[2]
        arrived = round(lasts[0] * ann.rate_hz)
        assert np.ptp(ann.root_positions[arrived:], axis=0).max() < 1e-5
        assert np.ptp(shut_in.root_positions, axis=0).max() < 1e-5
        assert np.hypot(*(shut_in.root_positions[0, :2] - (8, 10))) < 0.3


def test_a_table_says_who_does_what_and_what_went_wrong(gambol, scene):
    code, out, _ = gambol("plan", scene(TOGETHER))
    assert code == 1
    for word in ("name", "outcome", "cost", "bound", "lasts", "plan time", "expansions", "Bob O'Neil", "2 found"):
        assert word in out
    assert "Cas: unreachable: obstacles that nobody crosses separate start and goal" in out
    assert "0 collisions, 0 touches, 0 illegal transitions" in out
    code, out, _ = gambol("plan", scene(ALONE), "--no-check")
    assert code == 0
    assert "check: not made" in out


def test_quiet_prints_only_what_went_wrong(gambol, scene):
    assert gambol("plan", scene(ALONE), "--quiet") == (0, "", "")
    code, out, err = gambol("plan", scene(TOGETHER), "-q")
    assert (code, out) == (1, "")
    assert err.startswith("Cas: unreachable")


def test_without_a_plan_there_are_reasons_and_a_picture_but_no_motion(gambol, scene, tmp_path):
    targets = [tmp_path / f"cas{suffix}" for suffix in (".bvh", ".glb", ".mp4", ".plan.json", ".png")]
    arguments = [part for path in targets for part in ("-o", path)]
    code, out, _ = gambol("plan", scene(TOGETHER), "--only", "Cas", "--json", *arguments)
    report = json.loads(out)
    assert code == 1
    assert [one["name"] for one in report["characters"]] == ["Cas"]
    assert report["characters"][0]["bound"] is None
    assert report["files"] == [str(path) for path in targets[3:]]
    assert len(report["skipped"]) == 3
    assert not any(path.exists() for path in targets[:3])


def test_what_the_check_finds_is_reported_and_ends_with_exit_code_1(gambol, scene, monkeypatch):
    found = Collision("Ann", "pillar", 1.5, 0.03, (6.0, 4.0, 1.0), "LeftHand")
    monkeypatch.setattr("gambol.stages.plans.check_motions", lambda *_, **__: CheckReport((found,), (), (), 100))
    code, out, _ = gambol("plan", scene(ALONE))
    assert code == 1
    assert "Ann enters pillar by 3.0 cm at 1.50 s (LeftHand)" in out
    code, out, _ = gambol("plan", scene(ALONE), "--json")
    assert code == 1
    assert json.loads(out)["check"]["collisions"] == 1
    assert gambol("plan", scene(ALONE), "--no-check")[0] == 0


def test_check_only_reads_and_says_all_that_is_wrong(gambol, scene):
    code, out, _ = gambol("plan", scene(TOGETHER), "--check-only")
    assert code == 0
    assert "3 characters, 4 obstacles, 0 movers, level ground" in out
    code, out, _ = gambol("plan", scene(TOGETHER), "--check-only", "--json")
    assert [one["name"] for one in json.loads(out)["characters"]] == ["Ann", "Bob O'Neil", "Cas"]
    wrong = TOGETHER.replace("goal = [8, 2]", "goal = [80, 2]").replace('"lk05"', '"lk50"', 1)
    code, _, err = gambol("plan", scene(wrong), "--check-only")
    assert code == 2
    assert "did you mean 'lk05'" in err
    assert "80" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--planner", "astar"),
        ("--planner", "weighted", "--weight", "2"),
        ("--planner", "truncated", "--keep", "500"),
        ("--planner", "anytime"),
        ("--time-limit", "60", "--budget", "5000"),
    ],
)
def test_every_planner_finds_a_way_within_its_bound(gambol, scene, arguments):
    code, out, _ = gambol("plan", scene(ALONE), "--json", "--no-check", *arguments)
    (found,) = json.loads(out)["characters"]
    (best,) = json.loads(gambol("plan", scene(ALONE), "--json", "--no-check", "--planner", "astar")[1])["characters"]
    assert code == 0
    assert found["cost"] <= found["bound"] * best["cost"] + 1e-6


def test_a_budget_that_ends_leaves_a_partial_plan_and_its_motion(gambol, scene, tmp_path):
    code, out, _ = gambol("plan", scene(ALONE), "--budget", "3", "--json", "-o", tmp_path / "part.bvh")
    report = json.loads(out)
    assert code == 1
    assert report["outcome"] == "out_of_budget"
    assert report["characters"][0]["expansions"] == 3
    assert "3 expansions ended the search" in report["characters"][0]["reason"]
    assert read_motion(tmp_path / "part.bvh").motion.duration_s == pytest.approx(report["characters"][0]["duration_s"])


def test_the_same_command_writes_the_same_bytes(gambol, scene, tmp_path):
    names = ("a.plan.json", "a.bvh", "a.glb")
    for folder in ("one", "two"):
        arguments = [part for name in names for part in ("-o", tmp_path / folder / name)]
        assert gambol("plan", scene(ALONE), "-q", *arguments)[0] == 0
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_seed_on_the_command_line_takes_the_place_of_the_scenes(gambol, scene):
    assert load_scene(scene(TOGETHER)).seed == 7
    assert load_scene(scene(TOGETHER), seed=3).seed == 3
    code, out, _ = gambol("plan", scene(ALONE), "--seed", "3", "--no-check", "--json")
    assert code == 0
    assert json.loads(out)["seed"] == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["firts"], "did you mean 'first'"),
        (["none.toml"], "No such file"),
        (["SCENE", "-o", "motion.fbx"], "no kind of output '.fbx'"),
        (["SCENE", "-o", "plan.json"], "did you mean '.plan.json'"),
        (["SCENE", "-o", "motion"], "no suffix"),
        (["SCENE", "-o", "a.bvh", "-o", "./a.bvh"], "written twice"),
        (["SCENE", "-o", "scenes.glb"], "this is a folder"),
        (["SCENE", "--planner", "astra"], "did you mean 'astar'"),
        (["SCENE", "--planner", "astar", "--weight", "2"], "a weight is for"),
        (["SCENE", "--keep", "20"], "open nodes to keep"),
        (["SCENE", "--weight", "0.5"], "at least 1"),
        (["SCENE", "--weight", "nan"], "at least 1"),
        (["SCENE", "--time-limit", "0"], "time limit must be positive"),
        (["SCENE", "--budget", "0"], "at least 1"),
        (["SCENE", "--seed", "-1"], "a seed is a whole number"),
        (["SCENE", "--only", "Anna"], "did you mean 'Ann'"),
        (["SCENE", "--check-only", "-o", "a.bvh"], "leave out either"),
        (["EMPTY"], "nobody to perform"),
        (["CROWD"], "of the kind 'crowd'"),
    ],
)
def test_bad_input_ends_with_exit_code_2_and_says_what_was_expected(
    gambol, scene, tmp_path, monkeypatch, arguments, message
):
    (tmp_path / "scenes.glb").mkdir()
    monkeypatch.chdir(tmp_path)
    texts = {"SCENE": ALONE, "EMPTY": ALONE[: ALONE.index("[[cast]]")], "CROWD": f'kind = "crowd"\n{ALONE}'}
    arguments = [scene(texts[argument]) if argument in texts else argument for argument in arguments]
    before = sorted(tmp_path.rglob("*"))
    code, _, err = gambol("plan", *arguments)
    assert code == 2
    assert message in " ".join(err.split())
    code, out, _ = gambol("plan", *arguments, "--json")
    assert code == 2
    assert json.loads(out).keys() == {"error", "where"}
    assert sorted(tmp_path.rglob("*")) == before, "nothing is written"


@pytest.mark.parametrize("arguments", [("plan",), ("plan", "first", "--fast"), ("plan", "first", "--weight", "heavy")])
def test_mistakes_on_the_command_line_are_json_too(gambol, arguments):
    code, out, _ = gambol(*arguments, "--json")
    assert code == 2
    assert json.loads(out)["where"] == "command line"


@pytest.mark.slow
def test_a_short_video_is_made_and_its_progress_told(tmp_path):
    told = []
    performance = perform(parse_scene(ALONE.replace("goal = [11, 4]", "goal = [5, 3]")), progress=lambda *_: None)
    path = tmp_path / "short.mp4"
    options = WriteOptions(video_rate_hz=4.0)
    delivery = performance.save(path, options=options, progress=lambda *now: told.append(now))
    assert delivery.files == (path,)
    assert path.read_bytes()[4:8] == b"ftyp"
    assert told[-1] == ("filming short.mp4", 1.0)


def test_who_has_no_plan_is_checked_standing_at_the_start(monkeypatch):
    given = []
    monkeypatch.setattr(
        "gambol.stages.plans.check_motions",
        lambda world, performers, **_: given.extend(performers) or CheckReport((), (), (), 1),
    )
    performance = perform(parse_scene(TOGETHER))
    assert [performer.name for performer in given] == ["Ann", "Bob O'Neil", "Cas"]
    assert given[1].start_s == 1.0
    assert given[2].motion.frame_count == 1
    assert performance.realized[2] is None
    assert not performance.is_clean


def test_a_group_of_two_who_change_sides_do_not_touch():
    performance = perform(parse_scene(without_cas(TOGETHER)))
    assert performance.is_clean
    assert performance.report is not None
    assert performance.report.frames > 500


RUN_OVER = """
name = "run over"
[world]
bounds = [-10, -4, 10, 4]
[[movers]]
name = "cart"
size = [1, 1]
path = [{ time_s = 0, at = [-8, 0] }, { time_s = 4, at = [8, 0] }]
[[cast]]
name = "Ann"
subset = "crowd"
start = [0, 0]
goal = [6, 2]
starts_at_s = 6
"""


def test_a_mover_that_runs_into_who_waits_blocks_its_start():
    performance = perform(parse_scene(RUN_OVER))
    assert performance.outcome is Outcome.START_BLOCKED
    assert "'cart' runs into it" in performance.plans[0].reason
    assert performance.motions == {}
    assert not performance.is_clean
    aside = perform(parse_scene(RUN_OVER.replace("start = [0, 0]", "start = [0, 2]")))
    assert aside.is_clean


def test_a_mover_that_runs_over_who_has_no_plan_is_a_collision():
    scene = parse_scene(RUN_OVER.replace("starts_at_s = 6", ""))
    block = Obstacle("block", Footprint.box(2.0, 2.0), (6.0, 2.0, 0.0))
    ann = scene.cast[0]
    cast = (
        replace(ann, goal=Goal(6.0, 2.0, 0.3)),
        replace(ann, name="Bob", start=(-9.0, 3.0, 0.0), goal=Goal(8.0, 3.0)),
    )
    performance = perform(replace(scene, world=replace(scene.world, obstacles=(block,)), cast=cast))
    assert [plan.found for plan in performance.plans] == [False, True]
    assert performance.report is not None
    assert {(one.performer, one.thing) for one in performance.report.collisions} == {("Ann", "cart")}


def test_what_is_judged_is_what_is_delivered_waiting_included(monkeypatch):
    """A planner that overlooks who waits is found out."""
    monkeypatch.setattr("gambol.search.astar.blocked_start", lambda setting: None)
    performance = perform(parse_scene(RUN_OVER))
    assert performance.plans[0].found
    assert performance.report is not None
    (collision,) = performance.report.collisions
    assert collision.time_s == pytest.approx(2.0, abs=0.3)
