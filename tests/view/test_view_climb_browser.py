"""A climb in a real browser: it plays, is planned anew with another seed, and says why a goal is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tests.support.browser import (
    click_button,
    drag,
    open_scene,
    panel_text,
    pixels,
    set_slider,
    type_into,
    value_of,
    wait_for_text,
    wait_until,
    world_to_screen,
)

from gambol.view.climb.marks import BEFORE_M
from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

GOAL = (7.0, 0.98)  # of the scene "climb-flat"
BESIDE_PANEL = 900  # columns
CLIMBED = r"found\s+([\d.]+) s, (\d+) frames, \d+ changes of grasp"
PATIENCE_S = 240.0  # with the first climb, for which kernels may have to be compiled


def frame(page: Page) -> int:
    found = re.search(r"frame (\d+) of", panel_text(page))
    return -1 if found is None else int(found[1])


def pull_goal(page: Page, viewer: Viewer, x: float, z: float) -> None:
    drag(page, *(world_to_screen(page, viewer, (at_x, BEFORE_M, at_z)) for at_x, at_z in (GOAL, (x, z))))


def test_a_climb_plays_is_planned_anew_and_says_why_a_goal_is_none(viewer: Viewer, page: Page):
    open_scene(viewer, page, "climb-flat")
    wait_for_text(page, CLIMBED, within_s=PATIENCE_S)
    wait_for_text(page, "Figure: ")
    before = frame(page)
    wait_until(page, lambda: frame(page) != before, "another frame")
    click_button(page, "Pause")
    page.get_by_role("button", name="Start", exact=True).wait_for()
    set_slider(page, "Time", 2.0)
    wait_for_text(page, r"walk, frame 120 of")
    wait_for_text(page, r"(left|right) foot\s+hybrid at \([\d.]+, 0\.00\)")
    there = pixels(page)
    page.locator(".gambol-row", has_text="walk").first.click()  # the mode's beginning
    wait_for_text(page, "walk, frame 0 of")
    wait_until(
        page,
        lambda: (pixels(page)[:, :BESIDE_PANEL] != there[:, :BESIDE_PANEL]).any(axis=-1).sum() > 500,
        "the body to be elsewhere",
    )

    type_into(page, "Seed", "5")
    tab = viewer.tab
    wait_until(page, lambda: tab.played is not None and tab.played.climbed.seed == 5, "another seed")  # pyright: ignore
    wait_for_text(page, CLIMBED)
    assert value_of(page, "Seed") == "5"

    pull_goal(page, viewer, 5.0, 0.98)
    wait_for_text(page, r"(?m)^climb-flat \*")
    assert viewer.document is not None
    assert np.allclose(viewer.document.scene.climbs[0].goal, (5.0, 0.98), atol=0.1)
    click_button(page, "Undo")
    wait_for_text(page, r"(?m)^climb-flat$")
    wait_for_text(page, CLIMBED)
    pull_goal(page, viewer, 6.5, -0.35)
    wait_for_text(page, r"cannot be climbed[\s\S]*lies inside something solid")
