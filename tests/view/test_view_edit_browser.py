"""Editing scenes in a real browser: what the page shows, and what then is in the file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.support.browser import (
    PANEL,
    click_button,
    drag,
    field,
    open_scene,
    panel_text,
    pixels,
    select_option,
    toggle_folder,
    type_into,
    value_of,
    wait_for_text,
    wait_until,
    world_to_screen,
)

from gambol.scenes import load_scene
from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOM = """\
# A room.
name = "room"

[world]
bounds = [0, 0, 16, 12]

[[obstacles]]
name = "crate"  # heavy
at = [8, 4]
size = [2, 2]
top_m = 1

[[cast]]
name = "Ann"
start = [3, 8]
goal = [13, 8]

[extra]
note = { kept = true }  # as it is
"""
CRATE_TOP = (8.0, 4.0, 1.0)
ANN = (3.0, 8.0, 1.0)


@pytest.fixture
def room(viewer: Viewer, page: Page, tmp_path: Path) -> Page:
    """A page that edits a room with a crate and Ann."""
    (tmp_path / "room.toml").write_text(ROOM)
    open_scene(viewer, page, str(tmp_path / "room.toml"))
    click_button(page, "Edit")
    wait_for_text(page, "Changes")
    return page


def place_of(page: Page, label: str) -> tuple[float, float]:
    """Return the two numbers in a field."""
    x, y = (box.input_value() for box in field(page, label).locator("input:visible").all())
    return float(x), float(y)


def choose(page: Page, name: str) -> None:
    select_option(page, "Chosen", name)
    wait_until(page, lambda: value_of(page, "Name") == name, f"{name} to be chosen")


def click_on(page: Page, viewer: Viewer, point: tuple[float, float, float], name: str) -> None:
    """Click at a thing until it is chosen: before the page has drawn it, there is nothing to click at."""

    def clicked() -> bool:
        page.mouse.click(*world_to_screen(page, viewer, point))
        page.wait_for_timeout(200.0)
        return value_of(page, "Chosen") == name

    wait_until(page, clicked, f"{name} to be chosen")


def put_file(page: Page, name: str, text: str) -> None:
    """Upload a file."""
    given = {"name": name, "mimeType": "application/toml", "buffer": text.encode()}
    for box in page.locator("input[type=file]").all():
        box.set_input_files(given)  # pyright: ignore[reportArgumentType]


def test_a_click_chooses_a_drag_moves_and_undo_moves_back(room: Page, viewer: Viewer) -> None:
    click_on(room, viewer, CRATE_TOP, "crate")
    assert place_of(room, "At") == (8.0, 4.0)
    drag(room, world_to_screen(room, viewer, CRATE_TOP), world_to_screen(room, viewer, (11.0, 5.0, 1.0)))
    wait_until(room, lambda: np.allclose(place_of(room, "At"), (11.0, 5.0), atol=0.15), "the crate to be moved")
    wait_for_text(room, r"(?m)^room \*")
    click_button(room, "Undo")
    wait_until(room, lambda: place_of(room, "At") == (8.0, 4.0), "the crate to be moved back")
    room.keyboard.press("Control+Shift+Z")
    wait_until(room, lambda: np.allclose(place_of(room, "At"), (11.0, 5.0), atol=0.15), "the crate to be moved again")
    room.keyboard.press("Control+Z")
    wait_until(room, lambda: place_of(room, "At") == (8.0, 4.0), "the crate to be moved back once more")


def is_red(page: Page, viewer: Viewer, point: tuple[float, float, float]) -> bool:
    """Tell whether what is seen at a point is drawn as a mistake."""
    x, y = (round(value) for value in world_to_screen(page, viewer, point))
    red, green, blue = np.median(pixels(page)[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3), axis=0)
    return bool(red > 1.8 * max(green, blue))


def test_mistakes_are_told_on_the_things_and_a_draft_is_not_saved(room: Page, viewer: Viewer, tmp_path: Path) -> None:
    click_on(room, viewer, ANN, "Ann")
    drag(room, world_to_screen(room, viewer, ANN), world_to_screen(room, viewer, (8.0, 4.0, 1.0)))
    wait_for_text(
        room, r"One mistake.*\n(.*\n)*.*cast\[0\]\.start: 'Ann' cannot stand here: the body meets obstacle 'crate'"
    )
    start = place_of(room, "Start")
    assert np.allclose(start, (8.0, 4.0), atol=0.15)
    wait_until(room, lambda: is_red(room, viewer, (*start, 1.5)), "Ann to be red")
    click_button(room, "Save")
    wait_for_text(room, "This does not work")
    assert (tmp_path / "room.toml").read_text() == ROOM
    choose(room, "crate")
    type_into(room, "Name", "Ann")
    click_button(room, "Undo")  # the name again
    wait_until(room, lambda: value_of(room, "Chosen") == "crate", "the crate to have its name")
    click_button(room, "Choose what is wrong")
    wait_until(room, lambda: value_of(room, "Chosen") == "Ann", "who is wrong to be chosen")
    click_button(room, "Undo")
    wait_until(room, lambda: "mistake" not in panel_text(room), "the mistake to be gone")
    wait_until(room, lambda: not is_red(room, viewer, (3.0, 8.0, 1.5)), "Ann to have her own color")


def test_things_are_added_shaped_deleted_saved_and_read_again(room: Page, viewer: Viewer, tmp_path: Path) -> None:
    select_option(room, "Add", "Beam")
    click_button(room, "Add it")
    wait_until(room, lambda: value_of(room, "Chosen") == "beam", "the beam to be chosen")
    type_into(room, "Name", "low beam")
    wait_until(room, lambda: value_of(room, "Chosen") == "low beam", "the beam to have another name")
    type_into(room, "Bottom", "1.4")
    type_into(room, "Width", "2.5")
    choose(room, "crate")
    click_button(room, "Duplicate")
    wait_until(room, lambda: value_of(room, "Chosen") == "crate 2", "a copy of the crate")
    click_button(room, "Delete")
    wait_until(room, lambda: value_of(room, "Chosen") == "–", "the copy to be gone")
    toggle_folder(room, "Files")
    type_into(room, "Save as", "../other")
    click_button(room, "Save")
    wait_for_text(room, r"'../other\.toml' is outside of the folder")
    assert not (tmp_path.parent / "other.toml").exists()
    type_into(room, "Save as", "other")
    click_button(room, "Save")
    wait_for_text(room, r"Saved as other\.toml")
    saved = (tmp_path / "other.toml").read_text()
    scene = load_scene(tmp_path / "other.toml")
    beam = next(one for one in scene.world.obstacles if one.name == "low beam")
    assert (beam.bottom_m, beam.top_m) == (1.4, 1.6)
    assert [one.name for one in scene.world.obstacles] == ["crate", "low beam"]
    assert dict(scene.extra) == {"note": {"kept": True}}
    assert saved.startswith(ROOM[: ROOM.index("[[cast]]")])
    assert saved.endswith(ROOM[ROOM.index("[[cast]]") :])  # with its comments
    open_scene(viewer, room, "first")
    click_button(room, "Edit")
    toggle_folder(room, "Files")
    select_option(room, "File", "other.toml")
    click_button(room, "Open")
    wait_for_text(room, r"(?m)^room$")
    choose(room, "low beam")
    assert [value_of(room, label) for label in ("Bottom", "Top", "Width")] == ["1.4", "1.6", "2.5"]
    toggle_folder(room, "As text")
    wait_until(room, lambda: value_of(room, "Text") in saved, "its text to be that of the file")


def test_what_is_bad_is_refused_with_all_its_mistakes_and_what_is_open_stays(room: Page) -> None:
    toggle_folder(room, "Files")
    put_file(room, "bad.toml", ROOM.replace("[3, 8]", "[8, 4]").replace("top_m = 1", "top = 1").replace("room", "bad"))
    wait_for_text(room, r"bad\.toml is refused")
    said = panel_text(room)
    assert "obstacles[0].top" in said
    assert "cast[0].start" in said
    assert re.search(r"(?m)^room$", said)
    put_file(room, "way.toml", f'{ROOM}\n[[movers]]\nrecording = "../secret.csv"\nradius_m = 1\n')
    wait_for_text(room, "is outside of the folder")
    put_file(room, "good.toml", ROOM.replace('"room"', '"better"'))
    wait_for_text(room, r"(?m)^better$")
    assert "refused" not in panel_text(room)
    choose(room, "crate")
    toggle_folder(room, "As text")
    wait_until(room, lambda: "# heavy" in value_of(room, "Text"), "the text of the crate")
    bad = '[[obstacles]]\nname = "crate"\nat = [8, 4]\nsize = [2, "x"]'
    type_into(room, "Text", bad)
    click_button(room, "Use this text")
    wait_for_text(room, r"size\[1\]: must be a valid number")
    assert value_of(room, "Text") == bad  # to be mended
    type_into(room, "Text", bad.replace('"x"]', "2.5]  # wide"))
    click_button(room, "Use this text")
    wait_until(room, lambda: value_of(room, "Width") == "2.5", "the text to be used")
    assert "Not used" not in panel_text(room)


def test_a_new_scene_is_made_filled_and_offered_for_planning(page: Page, viewer: Viewer) -> None:
    click_button(page, "Edit")
    click_button(page, "Make a new scene")
    wait_for_text(page, r"(?m)^new$")
    assert page.locator(PANEL).get_by_role("button", name="Plan", exact=True).count() == 0
    select_option(page, "Add", "Person")
    click_button(page, "Add it")
    wait_until(page, lambda: value_of(page, "Chosen") == "Ann", "Ann to be there")
    page.locator(PANEL).get_by_role("button", name="Plan", exact=True).wait_for()
    select_option(page, "Add", "Mover, along a path")
    click_button(page, "Add it")
    wait_until(page, lambda: value_of(page, "Chosen") == "cart", "a cart to be there")
    click_button(page, "Add a place")
    wait_for_text(page, "cart, place 3")
    place = place_of(page, "Place 3")
    there = (place[0] - 1.0, place[1] - 3.0)

    def dragged() -> bool:
        drag(page, world_to_screen(page, viewer, (*place, 0.1)), world_to_screen(page, viewer, (*there, 0.1)))
        page.wait_for_timeout(200.0)
        return np.allclose(place_of(page, "Place 3"), there, atol=0.3)

    wait_until(page, dragged, "the place to be dragged")
    click_button(page, "Delete")
    wait_until(page, lambda: "cart, place 3" not in panel_text(page), "the place to be gone")
    assert value_of(page, "Chosen") == "cart"


def test_what_is_left_without_saving_is_not_lost(room: Page, viewer: Viewer) -> None:
    choose(room, "crate")
    click_button(room, "Delete")
    wait_for_text(room, r"(?m)^room \*")
    open_scene(viewer, room, "first")
    click_button(room, "Edit")
    toggle_folder(room, "Files")
    click_button(room, "Back to room, not saved")
    wait_for_text(room, r"(?m)^room \*")
    wait_until(room, lambda: "Back to" not in panel_text(room), "nothing else to go back to")
    click_button(room, "Undo")
    wait_for_text(room, r"(?m)^room$")
