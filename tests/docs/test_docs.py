"""What the documentation says is run and measured: commands, heights, the list of scenes (code: test_docs_code.py)."""

from __future__ import annotations

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gambol.characters import highest_hurdle, load_character, lowest_beam
from gambol.cli.app import app
from gambol.scenes import shipped_scenes
from gambol.scenes.find import FOLDER

ROOT = Path(__file__).parent.parent.parent
PLANNING = (ROOT / "docs" / "planning.md").read_text(encoding="utf-8")
TREES = (ROOT / "docs" / "trees.md").read_text(encoding="utf-8")
CROWD = (ROOT / "docs" / "crowd.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(page: str) -> list[str]:
    """Return the commands in a page that plan or list scenes, without what is said beside them."""
    lines = [line.split("  #")[0].strip() for line in page.splitlines()]
    return list(dict.fromkeys(line for line in lines if line.startswith(("gambol plan ", "gambol scenes"))))


@pytest.mark.slow
@pytest.mark.parametrize("command", commands(PLANNING + README))
def test_the_commands_of_the_docs_run(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_scene.toml").write_text((FOLDER / "first.toml").read_text())
    done = CliRunner().invoke(app, shlex.split(command)[1:])
    assert done.exit_code == 0, done.output
    if "--json" in command:
        assert json.loads(done.output)


@pytest.mark.slow
def test_the_commands_on_trees_run_one_after_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    lines = [line.split("  #")[0].strip() for line in TREES.splitlines() if line.startswith("gambol ")]
    assert len(lines) >= 6
    for line in lines:
        done = CliRunner().invoke(app, shlex.split(line)[1:])
        assert done.exit_code == 0, f"{line}: {done.output}"


@pytest.mark.slow
@pytest.mark.parametrize("command", dict.fromkeys(re.findall(r"^gambol crowd [^#\n]*", CROWD + README, re.MULTILINE)))
def test_the_commands_on_crowds_run_for_a_second(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(re.sub(r" --seconds \S+| -o \S+\.mp4", "", command))[1:]  # a film is in test_crowd_pictures.py
    done = CliRunner().invoke(app, [*words, "--seconds", "1"])
    assert done.exit_code in (0, 1), done.output  # 1: not everybody arrives in a second
    written = [tmp_path / name for option, name in pairwise(words) if option == "-o"]
    assert all(path.stat().st_size > 0 for path in written)


def test_the_heights_in_the_docs_are_what_the_clips_clear():
    rows = re.findall(r"^\| (\w+) `([\w-]+)` \| (?:([\d.]+) m )?\| (?:([\d.]+) m )?\|$", PLANNING, re.MULTILINE)
    assert len(rows) >= 10
    for name, behavior, hurdle, beam in rows:
        clip = load_character(name).behavior(behavior).clips[0]
        assert hurdle or beam
        if hurdle:
            assert 0.0 <= highest_hurdle(clip).height_m - float(hurdle) < 0.01, f"{name} {behavior}"
        if beam:
            assert 0.0 <= float(beam) - lowest_beam(clip).height_m < 0.01, f"{name} {behavior}"


def test_the_gallery_shows_every_scene_that_ships():
    page = (ROOT / "docs" / "scene_gallery.md").read_text(encoding="utf-8")
    for scene in shipped_scenes():
        assert f"## {scene.name}\n\n{scene.summary}\n" in page, f"run tools/draw_scenes.py {scene.name}"
        assert (ROOT / "docs" / "pictures" / "scenes" / f"{scene.name}.jpg").is_file()


def test_links_between_pages_lead_somewhere():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[\w-]+)?\)", page.read_text(encoding="utf-8")):
            if not target.startswith(("http:", "https:")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"
