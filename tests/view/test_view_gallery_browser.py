"""The first page, in a browser: scenes as maps, opened by a click."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.support.browser import click_button, new_page, panel_text, pixels, wait_for_text, wait_until

from gambol.scenes import shipped_scenes
from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow


@pytest.fixture
def gallery(viewer: Viewer, page: Page) -> Page:
    """The page with the scenes that ship, as `gambol view` shows it first."""
    viewer.choose()
    page.locator(".gambol-card").first.wait_for()
    return page


def test_every_shipped_scene_is_there_with_its_map_name_and_summary(gallery: Page):
    seen = {}
    for title in ("Plans", "Crowds", "Climbs"):
        gallery.get_by_text(title, exact=True).click()
        wall = gallery.locator(".gambol-wall:visible")
        expect(wall).to_have_count(1)
        expect(wall.locator("svg:empty")).to_have_count(0)  # all maps are drawn
        for card in wall.locator(".gambol-card").all():
            seen[card.locator("b").inner_text()] = (title, card.get_attribute("title"))
    titles = {"plan": "Plans", "crowd": "Crowds", "climb": "Climbs"}
    assert seen == {scene.name: (titles[scene.kind], scene.summary) for scene in shipped_scenes()}
    assert gallery.get_by_role("button", name="Scenes", exact=True).count() == 0


def test_a_click_opens_a_scene_and_a_button_leads_back(gallery: Page):
    before = pixels(gallery)
    gallery.locator(".gambol-card", has_text="maze").first.locator("svg").click()
    wait_for_text(gallery, "A maze with dead ends")
    expect(gallery.locator(".gambol-card")).to_have_count(0)
    wait_until(gallery, lambda: bool(np.any(pixels(gallery) != before)), "the maze to be drawn")
    click_button(gallery, "Scenes")
    gallery.locator(".gambol-card").first.wait_for()
    assert "A maze with dead ends" in panel_text(gallery)


def test_a_climb_is_opened_like_any_scene(gallery: Page, viewer: Viewer):
    gallery.get_by_text("Climbs", exact=True).click()
    gallery.locator(".gambol-card", has_text="climb-wall").first.locator("svg").click()
    expect(gallery.locator(".gambol-card")).to_have_count(0)
    wait_for_text(gallery, "A wall of 2.5 m with holds")
    assert viewer.document is not None
    assert viewer.document.scene.kind == "climb"


def test_a_scene_is_opened_from_the_keyboard(gallery: Page):
    card = gallery.locator(".gambol-card", has_text="first").first
    card.focus()
    card.press("Enter")
    wait_for_text(gallery, "One person walks round a few boxes")


def test_the_buttons_behind_the_cards_are_not_seen(gallery: Page):
    names = {scene.name for scene in shipped_scenes()}
    shown = gallery.locator("button:visible").all_inner_texts()
    assert not names.intersection(text.strip() for text in shown)


def test_a_notice_covers_no_tab(chromium: Browser, viewer: Viewer):
    viewer.choose()
    page = new_page(chromium, viewer, script="")
    notice = page.locator("#webgl-software-rendering")
    notice.wait_for()
    for title in ("Crowds", "Climbs", "Plans"):
        page.get_by_text(title, exact=True).click()  # refused where anything lies over it
    notice.get_by_role("button").click()
    expect(notice).to_have_count(0)
    page.context.close()
