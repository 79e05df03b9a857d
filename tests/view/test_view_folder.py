"""Nothing outside of the chosen folder is read or written, whatever files and browsers say."""

from __future__ import annotations

import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.support.played import crowd, walk, write_walk

from gambol.crowd import recording_file, write_recording
from gambol.errors import InvalidEntries, InvalidInput, MalformedFile
from gambol.files import write_motion
from gambol.view.document import Document
from gambol.view.edit.toml_edit import put
from gambol.view.folder import Folder
from gambol.view.named_files import way_out_of_character, ways_out
from gambol.view.play.recorded import read_recorded
from gambol.view.play.tab import PlayTab
from gambol.view.viewer import Viewer

WAIT_S = 60.0
SCENE = (
    'name = "x"\n[world]\nbounds = [0, 0, 20, 12]\n[[cast]]\nstart = [3, 3]\ngoal = [9, 9]\ncharacter = "own.toml"\n'
)
CHARACTER = 'name = "own"\nmotions = "{motions}"\n[[behaviors]]\nname = "walk"\n[[behaviors.clips]]\nfile = "{file}"\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """A folder with links that lead out of it, and motions within it and beside it."""
    inside = tmp_path / "inside"
    (inside / "below").mkdir(parents=True)
    (tmp_path / "motions").mkdir()
    for place in (inside, inside / "below", tmp_path, tmp_path / "motions"):
        (place / "walk.bvh").write_text("not read")
    (inside / "link.bvh").symlink_to(tmp_path / "walk.bvh")
    (inside / "linked").symlink_to(tmp_path / "motions", target_is_directory=True)
    monkeypatch.setenv("ELSEWHERE", str(tmp_path / "motions"))
    return Folder(inside)


def write_character(folder: Folder, motions: str, file: str = "walk.bvh") -> Path:
    (folder.path / "own.toml").write_text(CHARACTER.format(motions=motions, file=file))
    return folder.path / "own.toml"


OUT = [
    ("..", "walk.bvh"),
    ("{outside}/motions", "walk.bvh"),
    ("$ELSEWHERE", "walk.bvh"),
    ("${{ELSEWHERE}}", "walk.bvh"),
    ("linked", "walk.bvh"),
    (".", "../walk.bvh"),
    (".", "{outside}/walk.bvh"),
    (".", "link.bvh"),
    ("below", "../../walk.bvh"),
]


@pytest.mark.parametrize(("motions", "file"), OUT)
def test_no_character_takes_its_motions_from_outside(folder: Folder, motions: str, file: str):
    outside = folder.path.parent
    path = write_character(folder, motions.format(outside=outside), file.format(outside=outside))
    assert "outside of the folder" in way_out_of_character(path, folder.path)
    with pytest.raises(InvalidInput, match="outside of the folder"):
        folder.check_character(path)
    with pytest.raises(InvalidEntries, match=r"cast\[0\]\.character: .*outside of the folder"):
        Document(SCENE, beside=folder.path, within=folder.path)


@pytest.mark.parametrize(("motions", "file"), [(".", "walk.bvh"), ("below", "walk.bvh"), ("below", "../walk.bvh")])
def test_characters_take_their_motions_from_the_folder(folder: Folder, motions: str, file: str):
    folder.check_character(write_character(folder, motions, file))


def test_a_character_file_that_is_elsewhere_or_none_at_all(folder: Folder):
    path = write_character(folder, ".")
    elsewhere = folder.path.parent / "own.toml"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert "outside of the folder" in way_out_of_character(path, folder.path)
    for content in (b"\xff\xfe", b"= no TOML", b"motions = 3"):
        (folder.path / "bad.toml").write_bytes(content)
        assert way_out_of_character(folder.path / "bad.toml", folder.path) == ""  # who reads it will say so


def test_a_skeleton_that_lies_elsewhere_is_not_read_with_its_motion(folder: Folder):
    (folder.path.parent / "secret.asf").write_text("secret")
    (folder.path / "walk.amc").write_text(":FULLY-SPECIFIED\n")
    (folder.path / "walk.asf").symlink_to(folder.path.parent / "secret.asf")
    with pytest.raises(InvalidInput, match="outside of the folder"):
        read_recorded("walk.amc", folder)


@pytest.mark.parametrize(("motions", "file"), [("..", "walk.bvh"), (".", "link.bvh")])
def test_a_recording_whose_characters_lead_elsewhere_is_refused(
    folder: Folder, motions: str, file: str, monkeypatch: pytest.MonkeyPatch
):
    write_character(folder, motions, file)
    write_recording(folder.path / "few.crowd", replace(crowd(), sources=("own.toml",)))
    monkeypatch.setattr(recording_file, "load_character", lambda *_, **__: pytest.fail("it is read"))
    with pytest.raises(MalformedFile, match="outside of the folder"):
        read_recorded("few.crowd", folder)


def test_built_characters_elsewhere_are_refused_like_others(folder: Folder):
    (named,) = ways_out({"cast": [{"character": "../own.npz"}]}, beside=folder.path, within=folder.path)
    assert "outside of the folder" in named.message
    assert ways_out({"cast": [{"character": "own.npz"}]}, beside=folder.path, within=folder.path) == []


@pytest.mark.skipif(find_spec("pxr") is None, reason="usd-core is not installed")
def test_a_motion_that_refers_to_another_elsewhere_is_read_without_it(folder: Folder):
    write_motion(folder.path.parent / "secret.usda", walk())
    (folder.path / "way.usda").write_text("#usda 1.0\n(\n    subLayers = [@../secret.usda@]\n)\n")
    with pytest.raises(MalformedFile):  # there is nothing else in it
        read_recorded("way.usda", folder)


def test_drafts_are_drawn_without_what_they_name_elsewhere(folder: Folder):
    document = Document('name = "x"\n[world]\nbounds = [0, 0, 9, 9]\n', beside=folder.path, within=folder.path)
    document.edit(lambda text: text + '[[meshes]]\nfile = "../secret.glb"\n[[movers]]\nrecording = "../secret.csv"\n')
    assert not document.is_valid
    assert "secret" not in repr(document.readable_data)
    assert "secret" in document.text


def test_what_is_opened_by_the_command_may_name_files_elsewhere_and_changes_may_not(viewer: Viewer, tmp_path: Path):
    """The viewer's folder is another than that of the scene."""
    outside = tmp_path.parent / f"{tmp_path.name}-scenes"
    outside.mkdir()
    for name in ("ball", "secret"):
        (outside / f"{name}.csv").write_text("time_s,name,x,y,heading_deg\n0,ball,2.5,7,0\n")
    plain = SCENE.replace("own.toml", "human")
    (outside / "one.toml").write_text(f'{plain}[[movers]]\nrecording = "ball.csv"\nradius_m = 0.4\n')
    viewer.open(outside / "one.toml")
    document = viewer.document
    assert document is not None
    document.edit(lambda text: put(text, ("summary",), "changed"))
    assert document.is_valid
    document.edit(lambda text: put(text, ("movers", 0, "recording"), "secret.csv"))
    assert "outside of the folder" in document.problems[0].message


NO_FILES = ["x" * 300 + ".toml", "below.toml", "pipe.toml", "loop.toml", "\n.toml\0"]


@pytest.mark.parametrize("name", NO_FILES)
def test_what_is_no_file_is_refused(folder: Folder, name: str):
    (folder.path / "below.toml").mkdir()
    os.mkfifo(folder.path / "pipe.toml")  # who reads one waits for ever
    (folder.path / "loop.toml").symlink_to(folder.path / "loop.toml")
    with pytest.raises(InvalidInput):
        folder.file(name, ".toml")
    assert folder.names(".toml") == []


ODD_NAMES = ["..", ".bvh", "x" * 5000 + ".bvh", "a\nb.bvh", "<b>.bvh", "con.bvh", "../../walk.bvh", "C:\\walk.bvh"]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_uploads_of_odd_names_harm_nobody(viewer: Viewer, tmp_path: Path, name: str):
    content = write_walk(tmp_path, "mine.bvh").read_bytes()
    before = set(tmp_path.parent.rglob("*"))
    tab = next(tab for tab in viewer.tabs if isinstance(tab, PlayTab))
    viewer.desk.leave(lambda: tab._open_uploaded(name, content))
    assert viewer.desk.wait(WAIT_S)
    assert (viewer.recording is not None) == (name not in ("..", ".bvh"))
    assert "<b>" not in tab._words.content
    assert set(tmp_path.parent.rglob("*")) == before
