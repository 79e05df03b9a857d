"""Several browsers on one viewer: all see the same, and none harms another."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from evidence.soak.view_browsers import LEAST_VISITS, ViewBrowsersJob, ViewBrowsersSession, ViewerProcess
from playwright.sync_api import Browser, Page
from tests.support.browser import new_page, open_scene, set_slider, value_of, wait_for_text, wait_until, world_to_screen

from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow

SMALL = {"width": 800, "height": 500}
BUSY_MS = 3000


@pytest.fixture
def pages(chromium: Browser, viewer: Viewer) -> Iterator[tuple[Page, Page]]:
    """Two people's pages."""
    made = new_page(chromium, viewer, size=SMALL), new_page(chromium, viewer, size=SMALL)
    yield made
    for page in made:
        if not page.is_closed():
            page.context.close()


def test_all_browsers_see_the_same(viewer: Viewer, pages: tuple[Page, Page], chromium: Browser):
    one, other = pages
    open_scene(viewer, one, "first")
    wait_for_text(other, "One person walks round a few boxes")
    set_slider(one, "Weight", 2.5)
    wait_until(other, lambda: value_of(other, "Weight") == "2.5", "the weight to be shown to the other")
    late = new_page(chromium, viewer, size=SMALL)
    wait_for_text(late, "One person walks round a few boxes")
    late.context.close()


@pytest.mark.parametrize("size", [{"width": 1200, "height": 480}, {"width": 900, "height": 820}], ids=["wide", "tall"])
def test_who_comes_sees_the_whole_world_as_large_as_fits(viewer: Viewer, chromium: Browser, size: dict[str, int]):
    viewer.open("first")
    page = new_page(chromium, viewer, size=size)
    corners = [(x, y, 0.0) for x in (0.0, 20.0) for y in (0.0, 12.0)]

    def fits() -> bool:
        at = np.array([world_to_screen(page, viewer, corner) for corner in corners])
        free, (width, height) = 0.15 * size["height"], (size["width"], size["height"])
        is_seen = (at > 0.0).all() and (at[:, 0] < width - 0.40 * height).all() and (at[:, 1] < height).all()
        return bool(is_seen and (at[:, 0].min() < free or np.ptp(at[:, 1]) > height - 2.0 * free))

    wait_until(page, fits, "the world to fill the window beside the panel")
    page.context.close()


def test_who_leaves_harms_nobody(viewer: Viewer, pages: tuple[Page, Page]):
    one, other = pages
    open_scene(viewer, one, "first")
    one.mouse.move(200, 200)
    one.mouse.down()  # in the midst of something
    one.context.close()
    set_slider(other, "Weight", 2.5)
    wait_for_text(other, r"cost [\d.]+")
    wait_until(other, lambda: len(viewer.server.get_clients()) == 1, "the viewer to know that one has left")


def test_who_stands_still_in_a_debugger_harms_nobody(viewer: Viewer, pages: tuple[Page, Page]):
    stalled, other = pages
    open_scene(viewer, other, "first")
    debugger = stalled.context.new_cdp_session(stalled)
    paused: list[object] = []
    debugger.on("Debugger.paused", lambda event: paused.append(event))
    debugger.send("Debugger.enable")
    debugger.send("Debugger.pause")
    wait_until(other, lambda: bool(paused), "the page to stand still")
    open_scene(viewer, other, "gate")
    wait_for_text(other, "Boxes go back and forth")
    open_scene(viewer, other, "first")
    set_slider(other, "Weight", 2.5)
    wait_until(other, lambda: value_of(other, "Weight") == "2.5", "the weight to be set")
    debugger.send("Debugger.disable")
    wait_for_text(stalled, "One person walks round a few boxes")
    wait_until(stalled, lambda: value_of(stalled, "Weight") == "2.5", "who comes back to see what is now")


def test_who_is_busy_harms_nobody(viewer: Viewer, pages: tuple[Page, Page]):
    busy, other = pages
    busy.evaluate(
        f"setTimeout(() => {{ const ends = Date.now() + {BUSY_MS}; while (Date.now() < ends); window.over = 1; }}, 0)"
    )
    open_scene(viewer, other, "first")
    wait_for_text(other, r"cost [\d.]+")
    busy.wait_for_function("window.over === 1")
    wait_for_text(busy, "One person walks round a few boxes")


def test_coming_and_going_leaves_nothing_behind(chromium: Browser):
    job = ViewBrowsersJob(scene="first", minutes=0.1, warm_up_s=0.0, looks=1, stay_s=(0.1, 2.0))
    with ViewerProcess(job.scene) as viewer:
        tally = ViewBrowsersSession(job, viewer, chromium).run_chunk(0)
    assert tally.failures == []
    row = tally.rows["first"]
    assert row["visits"] >= 2 * LEAST_VISITS
    assert row["browsers"][-1] == 0
