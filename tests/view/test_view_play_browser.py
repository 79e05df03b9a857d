"""Playing motions, in a browser."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.support.browser import (
    click_button,
    new_page,
    open_scene,
    panel_text,
    pixels,
    select_option,
    set_slider,
    value_of,
    wait_for_text,
    wait_until,
)
from tests.support.played import walk, write_crowd, write_walk

from gambol import view
from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def frame_shown(page: Page) -> int:
    return int(wait_for_text(page, r"frame (\d+) of")[1])


def mark_place(page: Page) -> float:
    """Return how far along the curves the mark stands, from 0 to 1, as it is seen."""
    curves, mark = page.locator(".gambol-curves").bounding_box(), page.locator(".gambol-mark").bounding_box()
    assert curves is not None
    assert mark is not None
    return (mark["x"] - curves["x"]) / curves["width"]


def test_a_motion_of_the_folder_is_played_without_a_scene(viewer: Viewer, page: Page, tmp_path: Path):
    click_button(page, "Play")
    wait_for_text(page, "Choose a motion")
    write_walk(tmp_path)
    click_button(page, "Look for files again")
    select_option(page, "File", "walk.bvh")
    wait_for_text(page, rf"1 character, {walk().duration_s:.2f} s")
    wait_for_text(page, "planted feet slide")
    began = frame_shown(page)
    wait_until(page, lambda: frame_shown(page) != began, "the motion to run")

    click_button(page, "Pause")
    wait_for_text(page, "Start")
    set_slider(page, "Time", 0.5)
    wait_for_text(page, "frame 15 of")
    share = 0.5 / walk().duration_s
    wait_until(page, lambda: abs(mark_place(page) - share) < 0.01, "the mark to be at half a second")
    early = pixels(page)
    set_slider(page, "Time", 2.5)
    wait_for_text(page, "frame 75 of")
    wait_until(page, lambda: (pixels(page)[:, :900] != early[:, :900]).any(), "the walker to be elsewhere")
    click_button(page, "Next")
    wait_for_text(page, "frame 76 of")
    click_button(page, "Back")
    wait_for_text(page, "frame 75 of")


def test_a_file_that_cannot_be_read_says_so_in_the_panel(viewer: Viewer, page: Page, tmp_path: Path):
    (tmp_path / "bad.bvh").write_text("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 x\n}")
    click_button(page, "Play")
    click_button(page, "Look for files again")
    select_option(page, "File", "bad.bvh")
    wait_until(page, lambda: "bad.bvh:4" in panel_text(page), "the panel to say where the mistake is")


def test_a_file_from_the_browser_is_played(viewer: Viewer, page: Page, tmp_path: Path):
    mine = tmp_path.parent / f"{tmp_path.name}-mine"
    mine.mkdir()
    click_button(page, "Play")
    with page.expect_file_chooser() as chooser:
        click_button(page, "Play a file of yours")
    chooser.value.set_files(write_crowd(mine))
    wait_for_text(page, r"5 characters, 4\.97 s")
    assert re.search("few.crowd", panel_text(page))
    wait_until(page, lambda: value_of(page, "Who") == "Ä0", "who is played")


NEW_TAB = """
from gambol.view.tab import Tab


class HelloTab(Tab):
    title = "Hello"
    order = 50

    def __init__(self, viewer):
        super().__init__(viewer)
        viewer.gui.add_markdown("A tab of one file")

    def accepts(self):
        return True

    def show(self):
        pass

    def hide(self):
        pass
"""


def test_a_tab_is_added_by_one_folder(chromium: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path / "hello"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "tab.py").write_text(NEW_TAB)
    monkeypatch.setattr(view, "__path__", [*view.__path__, str(tmp_path)])
    viewer = Viewer(port=0, folder=tmp_path)
    try:
        page = new_page(chromium, viewer)
        open_scene(viewer, page, "first")
        click_button(page, "Hello")
        wait_for_text(page, "A tab of one file")
        page.context.close()
    finally:
        viewer.close()
        for name in ("gambol.view.hello.tab", "gambol.view.hello"):
            sys.modules.pop(name, None)
