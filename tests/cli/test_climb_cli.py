"""`gambol climb`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.support.climb_scenes import ALONE, CROSSING, LOW, PIT, TOGETHER, WAYS
from tests.support.command_line import Run, runner

from gambol.climb import ClimbProblem, FoundPath, StancesCore, read_climb_file
from gambol.deliver import suffixes_of
from gambol.files import ReadOptions, read_motion
from gambol.scenes import parse_scene
from gambol.search import Outcome
from gambol.stages import CORES

WALL = """
name = "world"
[world]
bounds = [0, 0, 10, 10]
[[cast]]
name = "Ann"
start = [2, 2]
goal = [8, 8]
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
def test_climbs_are_found_checked_and_written_in_every_format(gambol, scene, tmp_path):
    folder = tmp_path / "made" / "on demand"
    targets = [
        folder / f"out{suffix}" for suffix in suffixes_of("climb") if suffix not in (".usdc", ".usd", ".usdz", ".mp4")
    ]
    options = [part for path in targets for part in ("-o", path)]
    code, out, _ = gambol("climb", scene(TOGETHER), *options, "--json", "--rate", "30")
    told = json.loads(out)
    assert code == 0, told
    assert told["outcome"] == "found"
    assert [row["name"] for row in told["characters"]] == ["Ann", "Bob / B."]
    keys = {"outcome", "reason", "cost", "bound", "duration_s", "plan_time_s", "expansions"}
    assert told["characters"][0].keys() >= keys | {"core", "seed", "modes", "grasps", "regrasps"}
    ann = told["characters"][0]
    assert (ann["core"], ann["seed"], ann["reason"]) == ("stances", 3, "")
    assert [row["mode"] for row in ann["modes"]] == ["walk"]
    assert ann["modes"][-1]["to_s"] == pytest.approx(ann["duration_s"])
    assert 2 <= ann["grasps"] <= ann["regrasps"] + 2
    check = told["check"]
    assert check["collisions"] == check["touches"] == check["illegal_transitions"] == 0
    assert check["gravity_share"] <= 0.01
    assert check["body_depth_cm"] <= 1.0
    each = [
        path.with_name(f"out-{name}{path.suffix}") if path.suffix in (".bvh", ".png") else path
        for path in targets
        for name in (("Ann", "Bob_B") if path.suffix in (".bvh", ".png") else ("",))
    ]
    assert told["files"] == [str(path) for path in each]
    assert sorted(folder.iterdir()) == sorted(each), "nothing else is left"
    motions = [read_motion(folder / f"out-{name}.bvh").motion for name in ("Ann", "Bob_B")]
    frames = [motion.frame_count for motion in motions]
    assert sum(frames) == check["frames"]
    assert [motion.rate_hz for motion in motions] == [30.0, 30.0]
    in_one = read_motion(folder / "out.glb", ReadOptions(character="Ann")).motion
    assert in_one.frame_count == max(frames), "who has arrived stays"
    joint = in_one.skeleton.index("LeftFoot")
    np.testing.assert_allclose(
        in_one.world_positions[: frames[0], joint],
        motions[0].world_positions[:, motions[0].skeleton.index("LeftFoot")],
        atol=1e-4,
    )


@pytest.mark.slow
def test_the_report_for_people_names_modes_and_check(gambol, scene):
    code, out, _ = gambol("climb", scene(WAYS))
    assert code == 0, out
    for words in ("Ann", "found", "regrasps", "approach", "walk", "onward", "check:", "0 collisions", "gravity"):
        assert words in out
    assert out.index("approach") < out.index("walk") < out.index("onward")
    code, out, _ = gambol("climb", scene(ALONE), "--no-check")
    assert code == 0
    assert "check: not made" in out


@pytest.mark.slow
def test_who_does_not_arrive_is_named_and_makes_the_exit_code_1(gambol, scene, tmp_path):
    code, _, err = gambol("climb", scene(PIT), "-q", "-o", tmp_path / "pit.txt", "-o", tmp_path / "pit.png")
    assert code == 1
    assert "Ann: unreachable: the grasp points do not lead to the goal" in " ".join(err.split())
    assert "unreachable" in (tmp_path / "pit.txt").read_text()
    code, out, _ = gambol("climb", scene(PIT), "--json")
    told = json.loads(out)
    assert code == 1
    assert (told["outcome"], told["characters"][0]["outcome"]) == ("unreachable", "unreachable")


def test_who_has_no_room_to_start_moves_in_no_file(gambol, scene, tmp_path):
    targets = [tmp_path / name for name in ("low.bvh", "low.glb", "low.climb.json", "low.png")]
    code, out, _ = gambol("climb", scene(LOW), "--json", *(part for path in targets for part in ("-o", path)))
    told = json.loads(out)
    assert code == 1
    assert told["outcome"] == "start_blocked"
    assert told["files"] == [str(path) for path in targets[2:]]
    assert len(told["skipped"]) == 2
    assert not targets[0].exists()
    assert read_climb_file(targets[2]).climb("Ann").itinerary is None


def test_bodies_that_meet_make_the_exit_code_1(gambol, scene):
    code, out, _ = gambol("climb", scene(CROSSING), "--json")
    told = json.loads(out)
    assert code == 1
    assert told["outcome"] == "found"
    assert told["check"]["touches"] > 0
    assert not told["check"]["clean"]
    code, _, err = gambol("climb", scene(CROSSING), "-q")
    assert code == 1
    assert "Ann touches Bob" in err
    code, out, _ = gambol("climb", scene(CROSSING), "--only", "Bob", "--json")
    told = json.loads(out)
    assert code == 0, told
    assert [row["name"] for row in told["characters"]] == ["Bob"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["climb-fla"], "did you mean 'climb-flat'"),
        (["climb-flat", "--core", "stance"], "did you mean 'stances'"),
        (["climb-flat", "--only", "Anna"], "did you mean 'Ann'"),
        (["climb-flat", "--view", "front"], "no view 'front'"),
        (["climb-flat", "--seeds", "0"], "1 or more"),
        (["climb-flat", "--rate", "0"], "1 to 1000 frames a second"),
        (["climb-flat", "--budget", "0"], "1 stance or more"),
        (["climb-flat", "--time-limit", "-1"], "positive"),
        (["climb-flat", "-o", "out.crowd"], "no kind of output '.crowd'"),
        (["climb-flat", "-o", "out.png", "--check-only"], "--check-only writes no files"),
        (["first"], "`gambol plan` performs it"),
        (["plaza"], "`gambol crowd` performs it"),
        (["first", "--check-only"], "`gambol plan` performs it"),
    ],
)
def test_wrong_input_is_told_at_once(gambol, arguments, said):
    code, _, err = gambol("climb", *arguments)
    assert code == 2
    assert said in " ".join(err.split())


def test_a_scene_may_only_be_checked(gambol, scene):
    code, out, _ = gambol("climb", scene(TOGETHER), "--check-only")
    assert code == 0
    assert "small: nothing is wrong; 2 climbers, 1 polygon, " in out
    code, out, _ = gambol("climb", "climb-course", "--check-only", "--json")
    assert (code, json.loads(out)["climbers"]) == (0, ["Ann"])


def test_other_commands_point_here_and_climbs_are_listed(gambol):
    for command in ("plan", "crowd"):
        code, _, err = gambol(command, "climb-flat")
        assert code == 2
        assert "`gambol climb` performs it" in " ".join(err.split())
    _, out, _ = gambol("scenes", "--json")
    assert {row["name"] for row in json.loads(out) if row["kind"] == "climb"} >= {"climb-flat", "climb-course"}
    _, out, _ = gambol("--help")
    assert out.index("crowd") < out.index("climb") < out.index("view")


class Choosy:
    """A core that finds a way with one seed only."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.tried: list[int] = []

    def search(self, problem: ClimbProblem) -> FoundPath:
        self.tried.append(problem.seed)
        if problem.seed == self.seed:
            return StancesCore().search(problem)
        return FoundPath(Outcome.OUT_OF_BUDGET, "not with this seed", None)


def test_of_several_seeds_the_lowest_that_succeeds_is_used_as_if_it_had_been_asked_for(
    gambol, scene, tmp_path, monkeypatch
):
    read = parse_scene(ALONE)
    own = [parse_scene(ALONE.replace("seed = 3", f"seed = {seed}")).seed_of("Ann") for seed in (3, 4, 5, 6)]
    assert read.seed_of("Ann") == own[0]
    choosy = Choosy(own[2])
    monkeypatch.setitem(CORES, "stances", lambda: choosy)
    several, one, few = (tmp_path / f"{name}.climb.json" for name in ("several", "one", "few"))
    code, out, _ = gambol("climb", scene(ALONE), "--seeds", "4", "--json", "-o", several)
    assert (code, json.loads(out)["characters"][0]["seed"]) == (0, 5)
    assert choosy.tried == own[:3]
    code, _, _ = gambol("climb", scene(ALONE), "--seed", "5", "-q", "-o", one)
    assert code == 0
    assert several.read_bytes() == one.read_bytes()
    code, out, _ = gambol("climb", scene(ALONE), "--seeds", "2", "--json", "-o", few)
    told = json.loads(out)
    assert (code, told["outcome"], told["characters"][0]["seed"]) == (1, "out_of_budget", 3)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_files_on_any_processes_and_another_does_not(gambol, scene, tmp_path):
    texts = {}
    for name, options in {"a": [], "b": ["--seeds", "2", "--processes", "2"], "c": ["--seed", "9"]}.items():
        paths = [tmp_path / f"{name}{suffix}" for suffix in (".climb.json", ".bvh")]
        code, _, _ = gambol("climb", scene(ALONE), "--no-check", "-q", "-o", paths[0], "-o", paths[1], *options)
        assert code == 0
        texts[name] = [path.read_bytes() for path in paths]
    assert texts["a"] == texts["b"]
    assert texts["a"] != texts["c"]


@pytest.mark.slow
def test_the_budget_holds_for_both_cores(gambol, scene):
    for core in ("stances", "paper"):
        code, out, _ = gambol("climb", scene(ALONE), "--core", core, "--budget", "1", "--json", "--no-check")
        told = json.loads(out)["characters"][0]
        assert (code, told["outcome"], told["core"]) == (1, "out_of_budget", core)
        assert told["expansions"] == 1
