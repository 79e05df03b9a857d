"""The scene that is open: drafts, undo and redo, files inside of one folder."""

import os
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.errors import GambolError, InvalidEntries, InvalidInput
from gambol.scenes import load_scene, parse_scene
from gambol.scenes.find import FOLDER
from gambol.view import document as document_module
from gambol.view.document import Document
from gambol.view.edit.drawing import nodes
from gambol.view.edit.entries import spots, things
from gambol.view.edit.entry_changes import add_point, delete, duplicate, move, turn
from gambol.view.edit.entry_text import entry_text, with_entry_text
from gambol.view.edit.fields import scene_fields, thing_fields
from gambol.view.edit.knobs import knobs_of
from gambol.view.edit.outlines import region_of
from gambol.view.edit.sketch import Sketcher
from gambol.view.edit.templates import TEMPLATES, add, new_scene, templates_for
from gambol.view.edit.toml_edit import get, put
from gambol.view.folder import Folder
from gambol.view.named_files import named_files

TEXT = """\
# A room.
name = "room"  # its name

[world]
bounds = [0, 0, 20, 12]

[[obstacles]]
name = "crate"   # heavy
at = [7, 6]
size = [1.5, 4]

[[cast]]
name = "Ann"
start = [2, 6]
goal = [18, 6]

[extra]
note = { kept = true }  # as it is
"""


@pytest.fixture
def document(tmp_path):
    return Document(TEXT, beside=tmp_path, within=tmp_path)


def edited(document, change, **options):
    data = document.data
    document.edit(lambda text: change(text, data), **options)


def test_a_start_dragged_into_a_wall_is_kept_and_told_by_its_key(document):
    edited(document, lambda text, data: move(text, data, ("cast", 0, "start"), 7.0, 6.0))
    assert [problem.key for problem in document.problems] == ["cast[0].start"]
    assert "crate" in document.problems[0].message
    assert document.data["cast"][0]["start"] == [7.0, 6.0]
    assert document.scene.actor("Ann").start[:2] == (2.0, 6.0)  # the last that could be
    edited(document, lambda text, data: move(text, data, ("cast", 0, "start"), 4.0, 6.0))
    assert document.is_valid
    assert document.scene.actor("Ann").start[:2] == (4.0, 6.0)
    document.undo()
    assert not document.is_valid
    document.undo()
    assert document.text == TEXT
    assert document.is_valid


def test_two_of_one_name_are_kept_and_told(document):
    edited(
        document, lambda text, data: put(duplicate(text, data, ("obstacles", 0))[0], ("obstacles", 1, "name"), "crate")
    )
    assert [problem.key for problem in document.problems] == ["obstacles[1].name"]


def test_a_draft_is_not_saved(document, tmp_path):
    edited(document, lambda text, data: move(text, data, ("cast", 0, "start"), 7.0, 6.0))
    with pytest.raises(InvalidEntries, match="cannot stand here"):
        document.save(tmp_path / "room.toml")
    assert list(tmp_path.iterdir()) == []


def test_what_is_saved_is_what_planning_reads(document, tmp_path):
    edited(document, lambda text, data: move(text, data, ("cast", 0, "goal"), 17.0, 3.0))
    assert not document.is_saved
    document.save(tmp_path / "room.toml")
    assert document.is_saved
    assert (tmp_path / "room.toml").read_text() == document.text == TEXT.replace("[18, 6]", "[17, 3]")
    scene = load_scene(tmp_path / "room.toml")
    assert (scene.actor("Ann").goal.x, scene.actor("Ann").goal.y) == (17.0, 3.0)
    assert dict(scene.extra) == {"note": {"kept": True}}
    assert Document.open(tmp_path / "room.toml").text == document.text


def test_slider_steps_that_follow_each_other_are_one_step_back(document, monkeypatch):
    now = 100.0
    monkeypatch.setattr(document_module.time, "monotonic", lambda: now)
    for top in (1.0, 2.0, 2.5):
        edited(document, lambda text, data, top=top: put(text, ("obstacles", 0, "top_m"), top), about="Top")
        now += 0.1
    now += 5.0
    edited(document, lambda text, data: put(text, ("obstacles", 0, "top_m"), 2.75), about="Top")
    document.undo()
    assert document.data["obstacles"][0]["top_m"] == 2.5
    document.undo()
    assert document.text == TEXT
    assert not document.can_undo


def test_a_change_after_an_undo_leaves_nothing_to_redo(document):
    edited(document, lambda text, data: put(text, ("obstacles", 0, "top_m"), 1.0))
    document.undo()
    assert document.can_redo
    edited(document, lambda text, data: put(text, ("obstacles", 0, "top_m"), 2.0))
    assert not document.can_redo


def test_a_change_that_changes_nothing_is_no_step(document):
    edited(document, lambda text, data: put(text, ("obstacles", 0, "at"), [7, 6]))
    assert not document.can_undo


def test_text_that_is_no_toml_is_never_kept(document):
    with pytest.raises(GambolError, match="not TOML"):
        document.edit(lambda text: text + "[[")
    assert document.text == TEXT


@pytest.mark.parametrize("name", [path.stem for path in sorted(FOLDER.glob("*.toml")) if path.stem != "square-10000"])
def test_every_shipped_scene_is_saved_elsewhere_with_its_files(name, tmp_path):
    document = Document.open(name)
    document.save(tmp_path / "copy.toml")
    assert (tmp_path / "copy.toml").read_bytes() == (FOLDER / f"{name}.toml").read_bytes()
    again = Document.open(tmp_path / "copy.toml", within=tmp_path)
    assert len(again.scene.cast) == len(document.scene.cast)
    document.edit(lambda text: put(text, ("summary",), "changed"))
    assert document.is_valid


def random_edit(draw, text, data):
    """Return the text after an edit such as people make."""
    known = things(data)
    what = draw(st.sampled_from(["add", "move", "turn", "copy", "delete", "point", "field", "scene"]))
    if what == "add" or not known:
        template = draw(st.sampled_from(sorted(TEMPLATES)))
        return add(text, data, template, draw(st.floats(-5, 25)), draw(st.floats(-5, 25)))[0]
    key = draw(st.sampled_from([thing.key for thing in known]))
    if what == "move":
        spot = draw(st.sampled_from(spots(data, key) or [None]))
        return text if spot is None else move(text, data, spot.key, draw(st.floats(-9, 30)), draw(st.floats(-9, 30)))
    if what == "turn" and key[0] in ("obstacles", "movers", "meshes"):
        return turn(text, data, key, draw(st.floats(-180, 180)))
    if what == "copy":
        return duplicate(text, data, key)[0]
    if what == "delete":
        return delete(text, data, key)
    if what == "point":
        return (add_point(text, data, key) or (text,))[0]
    field = draw(st.sampled_from(scene_fields(data) if what == "scene" else thing_fields(data, key)))
    value = {
        "number": st.floats(-3, 9), "slider": st.floats(-3, 9), "whole": st.integers(0, 9), "check": st.booleans(),
        "place": st.tuples(st.floats(-3, 30), st.floats(-3, 30)), "text": st.text(max_size=5),
        "choice": st.sampled_from(field.options or ("",)),
    }[field.kind]  # fmt: skip
    return field.apply(text, data, draw(value))


def draw_all(document):
    """Make all that is drawn and asked of a draft, whatever is wrong with it."""
    data = document.data
    sketch = Sketcher(Path()).sketch(data, (0.0, 0.0, 20.0, 12.0))
    assert all(np.isfinite(node.vertices).all() for _, node in nodes(data, sketch, set()))
    for thing in things(data):
        assert all(np.isfinite([knob.x, knob.y]).all() for knob in knobs_of(data, sketch, thing.key, 0.2))
        region_of(data, sketch, thing.key)
        thing_fields(data, thing.key)


FIRSTS = {
    "room": TEXT,
    "room of Windows": TEXT.replace("\n", "\r\n"),
    "new": new_scene("new", "plan", 20.0, 12.0),
    "crowd": new_scene("new", "crowd", 30.0, 30.0),
    "course": (FOLDER / "course.toml").read_text(),
    "hills": (FOLDER / "hills.toml").read_text(),
    "mixed": (FOLDER / "mixed.toml").read_text(),
}


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_edits_are_undone_and_redone_to_the_byte(data):
    first = FIRSTS[data.draw(st.sampled_from(sorted(FIRSTS)))]
    document = Document(first, beside=Path())
    texts = [first]
    for _ in range(data.draw(st.integers(1, 8))):
        edited(document, lambda text, said: random_edit(data.draw, text, said))
        if document.text != texts[-1]:
            texts.append(document.text)
        for line in ("# A room.", "# its name", "# as it is"):
            assert (line in document.text) == (line in first)
        assert document.data.get("extra") == tomllib.loads(first).get("extra")
        draw_all(document)
    for text in reversed(texts[:-1]):
        document.undo()
        assert document.text == text
    assert document.text == first
    assert document.is_valid
    for text in texts[1:]:
        document.redo()
        assert document.text == text
    if document.is_valid:
        again = parse_scene(document.text)
        assert [actor.start for actor in again.cast] == [actor.start for actor in document.scene.cast]
        assert tomllib.loads(again.text) == document.data


@pytest.mark.parametrize("first", ["room", "room of Windows"])
def test_a_name_made_empty_leaves_the_comment_behind_it(first):
    document = Document(FIRSTS[first], beside=Path())
    for field in (scene_fields(document.data)[0], thing_fields(document.data, ("obstacles", 0))[0]):
        assert field.label == "Name"
        edited(document, lambda text, data, field=field: field.apply(text, data, " "))
    assert "name" not in document.data
    assert "name" not in document.data["obstacles"][0]
    for line in ("# A room.", "# its name", "# heavy", "# as it is"):
        assert line in document.text


@pytest.mark.parametrize("kind", ["plan", "crowd"])
def test_all_that_can_be_added_makes_a_valid_scene(kind, tmp_path):
    document = Document(new_scene("new", kind, 40.0, 30.0), beside=tmp_path, within=tmp_path)
    for template in templates_for(kind):
        edited(document, lambda text, data, template=template: add(text, data, template, 20.0, 15.0)[0])
        assert document.problems == (), template
    document.save(tmp_path / "all.toml")
    scene = load_scene(tmp_path / "all.toml")
    assert scene.kind == kind
    assert len(scene.world.obstacles) == 10
    assert (scene.world.terrain is not None) == (kind == "plan")


def test_every_field_shows_what_is_there_and_changes_it():
    document = Document(FIRSTS["course"], beside=Path())
    for thing in things(document.data):
        for field in thing_fields(document.data, thing.key):
            assert field.apply(document.text, document.data, field.value) == document.text or field.label in (
                "Turn", "Bottom", "Top", "Faces", "Character", "Starts at", "At", "Tolerance", "Faces the first goal",
            ), field  # fmt: skip


def test_the_text_of_a_thing_can_be_changed_by_hand():
    text = FIRSTS["course"]
    own = entry_text(text, ("obstacles", 1))
    assert own.startswith('[[obstacles]]\nname = "pillar 2"')
    changed = with_entry_text(text, ("obstacles", 1), own.replace("0.7", "0.9  # wider"))
    assert changed == text.replace("at = [8.5, 6.6]\nradius_m = 0.7", "at = [8.5, 6.6]\nradius_m = 0.9  # wider")
    for bad in ("", "[[cast]]\nstart = [1, 2]", own + "\n" + own, "[[obstacles]]\nat = [1, 2]", "name = 3", "[["):
        with pytest.raises(GambolError):
            with_entry_text(text, ("obstacles", 1), bad)


# What is inside of the folder, and what is not.

OUTSIDE = (
    "../secret.toml",
    "/etc/passwd",
    "a/../../secret.toml",
    "..",
    ".",
    "link.toml",
    "linked/secret.toml",
    "a\0b.toml",
)


@pytest.fixture
def folder(tmp_path):
    """A folder with links that lead out of it, and a secret beside it."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "secret.toml").write_text(TEXT)
    (tmp_path / "secret.csv").write_text("time_s,name,x,y,heading_deg\n0,ball,2.5,7,0\n")
    (inside / "link.toml").symlink_to(tmp_path / "secret.toml")
    (inside / "linked").symlink_to(tmp_path, target_is_directory=True)
    (inside / "link.csv").symlink_to(tmp_path / "secret.csv")
    return Folder(inside)


@pytest.mark.parametrize("name", OUTSIDE)
def test_no_name_leads_out_of_the_folder(name, folder):
    with pytest.raises(InvalidInput):
        folder.file(name, ".toml")


NAMING = (
    '[[movers]]\nrecording = "{}"\nradius_m = 0.4',
    '[[meshes]]\nfile = "{}"',
    '[world.terrain]\nimage = {{ file = "{}", heights_m = [0, 4] }}',
    '[world.terrain]\nmesh = {{ file = "{}" }}',
    '[[cast]]\nstart = [3, 3]\ngoal = [9, 9]\ncharacter = "{}"',
    '[[groups]]\nname = "all"\ncount = 2\nstarts = {{ area = [1, 1, 5, 5] }}\n'
    'goals = {{ area = [5, 5, 9, 9] }}\ncharacter = "{}"',
)


@pytest.mark.parametrize("naming", NAMING)
@pytest.mark.parametrize("name", ["../secret.toml", "link.toml", "linked/secret.toml", "{outside}/secret.toml"])
def test_no_scene_reads_a_file_outside_of_the_folder(naming, name, folder):
    named = name.replace("{outside}", str(folder.path.parent))
    text = f'name = "x"\n[world]\nbounds = [0, 0, 20, 12]\n{naming.format(named)}\n'
    assert [file for _, file in named_files(tomllib.loads(text))] == [named]
    with pytest.raises(InvalidEntries, match="outside of the folder"):
        Document(text, beside=folder.path, within=folder.path)
    (folder.path / "scene.toml").write_text(text)
    with pytest.raises(InvalidEntries, match="outside of the folder"):
        Document.open(folder.path / "scene.toml", within=folder.path)


def test_an_edit_that_names_a_file_outside_is_told_and_the_file_not_looked_at(document, tmp_path):
    document.edit(lambda text: put(text, ("cast", 0, "character"), "../secret.toml"))
    assert "outside of the folder" in document.problems[0].message
    assert document.problems[0].key == "cast[0].character"


def test_a_scene_from_the_command_line_may_go_on_naming_what_it_named(tmp_path):
    (tmp_path / "shared").mkdir()
    (tmp_path / "scenes").mkdir()
    (tmp_path / "shared" / "ball.csv").write_text("time_s,name,x,y,heading_deg\n0,ball,2.5,7,0\n")
    path = tmp_path / "scenes" / "one.toml"
    path.write_text(TEXT + '\n[[movers]]\nrecording = "../shared/ball.csv"\nradius_m = 0.4\n')
    document = Document.open(path)
    document.edit(lambda text: put(text, ("summary",), "changed"))
    assert document.is_valid
    document.edit(lambda text: put(text, ("movers", 0, "recording"), "../shared/other.csv"))
    assert "outside of the folder" in document.problems[0].message


def test_a_file_of_another_content_is_not_replaced_by_one_that_comes_along(tmp_path):
    (tmp_path / "horses.csv").write_text("mine")
    with pytest.raises(InvalidInput, match="there is another horses"):
        Document.open("horses").save(tmp_path / "copy.toml")
    assert (tmp_path / "horses.csv").read_text() == "mine"
    assert sorted(os.listdir(tmp_path)) == ["horses.csv"]  # noqa: PTH208


def test_keys_that_are_not_there_are_found_as_such():
    assert get({"a": [1]}, ("a", 5), "no") == "no"
