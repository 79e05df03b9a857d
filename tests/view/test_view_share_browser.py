"""Sharing what is shown, in a browser: the files are those that it downloads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from test_view_share import frame_count, frame_size
from tests.support.browser import (
    NO_CARD,
    PATIENCE_S,
    SIZE,
    click_button,
    new_page,
    pixels,
    select_option,
    set_checkbox,
    set_slider,
    toggle_folder,
    wait_for_text,
    wait_until,
)
from tests.support.played import write_walk

from gambol.view import sharing
from gambol.view.play.tab import PlayTab
from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LEFT = 900  # columns that the panel does not cover
BAR = 60  # rows at the bottom in which a page has its timeline
NOISE = 12  # levels by which two drawings of the same may differ at edges


@pytest.fixture
def playing(viewer: Viewer, chromium: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page with a walker who stands still at one second, and with open drawers.

    The page comes when all stands still: one that is drawn without a graphics card has enough to do as it is.
    """
    (tmp_path / "in").mkdir()
    viewer.open(write_walk(tmp_path / "in"))
    viewer.desk.leave(lambda: stand_still(viewer, 1.0))
    assert viewer.desk.wait(PATIENCE_S)
    page = new_page(chromium, viewer)
    wait_for_text(page, "frame 30 of")
    toggle_folder(page, "Share")
    yield page
    page.context.close()


def stand_still(viewer: Viewer, time_s: float) -> None:
    tab = viewer.tab
    assert isinstance(tab, PlayTab)
    tab.clock.runs = False
    tab.timeline.go_to(time_s)


@pytest.fixture
def alone(chromium: Browser) -> Iterator[Page]:
    """A page without a network."""
    context = chromium.new_context(viewport=SIZE, offline=True)  # pyright: ignore[reportArgumentType]
    context.set_default_timeout(1000.0 * PATIENCE_S)
    page = context.new_page()
    page.add_init_script(NO_CARD)
    yield page
    context.close()


def open_alone(page: Page, path: Path) -> None:
    """Open a file, and wait until its scene, which fades in with every frame, is all there."""
    page.goto(path.as_uri())
    canvas = page.locator("canvas").last
    wait_until(
        page, lambda: float(canvas.evaluate("one => getComputedStyle(one).opacity")) > 0.99, "the page to fade in"
    )


def download(page: Page, button: str, folder: Path) -> Path:
    with page.expect_download() as asked:
        click_button(page, button)
    path = folder / f"got-{asked.value.suggested_filename}"
    asked.value.save_as(path)
    return path


def share_alike(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> float:
    """Return the share of what is drawn in either picture that is drawn alike in both."""
    drawn = np.any(np.minimum(one, other) < 250, axis=2)
    alike = np.all(np.abs(one.astype(int) - other.astype(int)) <= NOISE, axis=2)
    return float(alike[drawn].mean()) if drawn.any() else 0.0


def test_a_page_shows_the_same_by_itself(playing: Page, alone: Page, tmp_path: Path):
    set_checkbox(playing, "Moving", False)
    path = download(playing, "Page (HTML)", tmp_path)
    asked: list[str] = []
    alone.on("request", lambda request: asked.append(request.url))
    open_alone(alone, path)
    shown = pixels(playing)[:-BAR, :LEFT]
    wait_until(alone, lambda: share_alike(pixels(alone)[:-BAR, :LEFT], shown) > 0.98, "the page to show the same")
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []


def test_a_page_shows_what_is_played_as_it_moves(playing: Page, alone: Page, tmp_path: Path):
    set_slider(playing, "Seconds", 2.0)
    path = download(playing, "Page (HTML)", tmp_path)
    playing.close()  # so that the other is drawn more quickly
    alone.set_viewport_size({"width": 480, "height": 320})
    open_alone(alone, path)
    first = pixels(alone)[:-BAR]
    wait_until(alone, lambda: share_alike(pixels(alone)[:-BAR], first) < 0.999, "the walker to move")
    program = alone.locator("script[type=module]").text_content() or ""
    assert program.count(".useEnvironment;") == 1  # the light stays when the film begins anew


def test_a_picture_is_of_the_chosen_size_and_shows_the_same(playing: Page, tmp_path: Path):
    select_option(playing, "Size", "640 x 360")
    set_checkbox(playing, "Save in folder", True)
    path = download(playing, "Picture (PNG)", tmp_path)
    drawn = np.asarray(Image.open(path).convert("RGB"))
    assert drawn.shape == (360, 640, 3)
    assert 0.02 < (drawn < 250).any(axis=2).mean() < 0.98
    wait_for_text(playing, r"saved as gambol\.png")
    assert (tmp_path / "gambol.png").read_bytes() == path.read_bytes()


def test_a_film_is_made_of_what_the_browser_shows(playing: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sharing, "FILM_RATE_HZ", 6.0)  # some pictures are enough
    select_option(playing, "Size", "640 x 360")
    set_slider(playing, "Seconds", 1.0)
    path = download(playing, "Film (MP4)", tmp_path)
    assert frame_count(path) == 7
    assert frame_size(path) == (640, 360)
    wait_for_text(playing, "frame 30 of")


def test_a_name_that_leads_out_of_the_folder_is_refused(playing: Page, tmp_path: Path):
    playing.get_by_label("File name").or_(playing.locator("input[value=gambol]")).first.fill("../out")
    set_checkbox(playing, "Save in folder", True)
    click_button(playing, "Page (HTML)")
    wait_for_text(playing, "outside of the folder")
    assert not (tmp_path.parent / "out.html").exists()
