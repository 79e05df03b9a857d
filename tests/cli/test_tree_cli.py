from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.support.command_line import Run, runner
from tests.support.statues import write_course

from gambol.characters import load_character
from gambol.trees import audit_tree, read_tree, write_tree


@pytest.fixture(scope="module")
def statue(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A character file beside its motions."""
    return write_course(tmp_path_factory.mktemp("statue"))


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def grown(statue: Path, tmp_path: Path, run: Run) -> Path:
    """A small tree of the statue, grown by the command."""
    path = tmp_path / "trees" / "small.safetensors"
    code, _, err = run("tree", "grow", statue, "--nodes", 300, "--from", "rolling", "--reach", 8, "-o", path)
    assert (code, err) == (0, "")
    return path


def test_grow_writes_a_tree_that_is_the_characters(grown: Path, statue: Path):
    tree = read_tree(grown, verify=True)
    assert len(tree) == 300
    assert (tree.builder, tree.begins, tree.character) == ("diverse", "rolling", "statue")
    assert tree.settings["seed"] == 0
    assert np.hypot(tree.pose[:, 0], tree.pose[:, 1]).max() < 9.0
    assert audit_tree(tree, load_character(statue)) == []


@pytest.mark.parametrize("builder", ["exhaustive", "pruned"])
def test_grow_takes_another_builder_a_subset_and_a_depth(run: Run, statue: Path, tmp_path: Path, builder: str):
    path = tmp_path / "t.safetensors"
    arguments = ("--builder", builder, "--depth", 3, "--subset", "moving", "--seed", 7, "-o", path, "--json")
    code, out, _ = run("tree", "grow", statue, *arguments)
    assert code == 0
    about = json.loads(out)
    assert about["nodes"] == 1 + 3 + 9 + 27
    assert (about["depth"], about["builder"], about["character"]) == (3, builder, "statue/moving")
    assert about["settings"]["seed"] == 7
    assert about["files"] == [str(path)]
    assert about["seconds"] > 0.0
    assert len(read_tree(path)) == about["nodes"]


def test_a_size_in_megabytes_is_24_bytes_a_node(run: Run, statue: Path, tmp_path: Path):
    code, out, _ = run("tree", "grow", statue, "--size", 0.0048, "-o", tmp_path / "t", "--json")
    assert code == 0
    assert json.loads(out)["nodes"] == 200
    assert json.loads(out)["node_bytes"] == 4800


def test_the_same_command_gives_the_same_file(run: Run, statue: Path, grown: Path, tmp_path: Path):
    again = tmp_path / "again"
    run("tree", "grow", statue, "--nodes", 300, "--from", "rolling", "--reach", 8, "-o", again)
    assert again.read_bytes() == grown.read_bytes()


def test_info_says_what_a_tree_is(run: Run, grown: Path):
    code, out, _ = run("tree", "info", grown)
    assert code == 0
    assert "diverse tree of statue, from rolling" in out
    assert "300 nodes" in out
    code, out, _ = run("tree", "info", grown, "--json")
    about, tree = json.loads(out), read_tree(grown)
    assert about["nodes"] == 300
    assert about["bytes"] == tree.bytes_used
    assert about["node_bytes"] == 300 * 24
    assert about["depth"] == max(len(tree.path_to(node)) for node in range(300))
    assert about["reach_m"] == pytest.approx(max(np.hypot(x, y) for x, y, _ in tree.pose.tolist()))
    assert sum(one["nodes"] for one in about["behaviors"]) == 299
    assert about["grid"]["entries"] == len(tree.grid.entries)
    assert about["file"] == str(grown)


def test_info_draws_a_tree_of_the_character_given(run: Run, grown: Path, statue: Path, tmp_path: Path):
    picture = tmp_path / "pictures" / "t.png"
    code, out, _ = run("tree", "info", grown, "-o", picture, "--character", statue, "--panel", "fan", "--json")
    assert code == 0
    assert json.loads(out)["files"] == [str(picture)]
    assert picture.read_bytes().startswith(b"\x89PNG")
    code, _, err = run("tree", "info", grown, "-o", picture)
    assert code == 2
    assert "name its file with --character" in err
    code, _, err = run("tree", "info", grown, "-o", picture, "--character", statue, "--panel", "fun")
    assert (code, "did you mean 'fan'" in err) == (2, True)
    code, _, err = run("tree", "info", grown, "-o", tmp_path / "t.jpg", "--character", statue)
    assert (code, "a .png file" in err) == (2, True)


def test_check_of_a_good_tree_ends_with_zero(run: Run, grown: Path, statue: Path):
    assert run("tree", "check", grown)[0] == 0
    code, out, _ = run("tree", "check", grown, "--character", statue)
    assert code == 0
    assert "0 errors" in out
    code, out, _ = run("tree", "check", grown, "--character", statue, "--json")
    assert json.loads(out) == {"file": str(grown), "intact": True, "problems": []}


def test_check_of_an_altered_one_ends_with_one_and_says_why(run: Run, grown: Path):
    data = grown.read_bytes()
    grown.unlink()
    grown.write_bytes(data.replace(b'"builder":"diverse"', b'"builder":"reverse"'))
    code, out, _ = run("tree", "check", grown)
    assert code == 1
    assert "the checksum is wrong" in out
    code, out, _ = run("tree", "check", grown, "--json")
    assert code == 1
    assert json.loads(out)["intact"] is False
    assert len(json.loads(out)["problems"]) == 1
    code, _, err = run("tree", "info", grown)  # whoever uses it is told as well
    assert code == 2
    assert "the checksum is wrong" in err
    assert str(grown) in err.replace("\n", "")


def test_check_of_a_tree_of_another_character_ends_with_one(run: Run, grown: Path):
    code, out, _ = run("tree", "check", grown, "--character", "horse")
    assert code == 1
    assert "horse" in out


def test_check_finds_what_a_right_checksum_hides(run: Run, grown: Path, tmp_path: Path):
    from dataclasses import replace

    tree = read_tree(grown)
    cost = tree.cost.copy()
    cost[17] += 1
    write_tree(tmp_path / "wrong", replace(tree, cost=cost, source=None))
    code, out, _ = run("tree", "check", tmp_path / "wrong")
    assert code == 1
    assert "another cost" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("grow", "STATUE", "-o", "OUT", "--nodes", 5, "--size", 1), "leave out either"),
        (("grow", "STATUE", "-o", "OUT", "--depth", 3), "the diverse tree takes no --depth"),
        (("grow", "STATUE", "-o", "OUT", "--builder", "pruned", "--reach", 3), "the pruned tree takes no --reach"),
        (("grow", "STATUE", "-o", "OUT", "--builder", "exhaustive"), "needs --depth"),
        (("grow", "STATUE", "-o", "OUT", "--builder", "divers"), "did you mean 'diverse'"),
        (("grow", "STATUE", "-o", "OUT", "--from", "roling"), "there are: rolling, standing"),
        (("grow", "STATUE", "-o", "OUT", "--nodes", 0), "at least the root"),
        (("grow", "STATUE", "-o", "OUT", "--size", -1), "--size must lie between 0"),
        (("grow", "STATUE", "-o", "OUT", "--reach", 0), "must be positive"),
        (("grow", "STATUE", "-o", "OUT", "--seed", -1), "a seed is"),
        (("grow", "STATUE", "-o", "OUT", "--subset", "nosuch"), "nosuch"),
        (("grow", "nosuch.toml", "-o", "OUT"), "nosuch.toml"),
        (("info", "nosuch"), "nosuch"),
        (("check", "nosuch"), "nosuch"),
        (("check", "nosuch", "--character", "humna"), "did you mean 'human'"),
        (("info", "STATUE"), "no safetensors file"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_bad_input_ends_with_two(
    run: Run, statue: Path, tmp_path: Path, arguments: tuple[object, ...], words: str, as_json: bool
):
    places = {"STATUE": statue, "OUT": tmp_path / "out"}
    filled = [places.get(str(one), one) for one in arguments]
    code, out, err = run("tree", *filled, *(["--json"] if as_json else []))
    assert code == 2
    said = json.loads(out)["error"] if as_json else err
    assert words in " ".join(said.split())
    assert not (tmp_path / "out").exists()
