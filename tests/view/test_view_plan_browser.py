"""One character in a real browser: drag its goal, its start, obstacles; choose planners; see why there is no way."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import pytest
from tests.support.browser import (
    click_button,
    drag,
    open_scene,
    panel_text,
    pixels,
    select_option,
    set_checkbox,
    set_slider,
    toggle_folder,
    value_of,
    wait_for_text,
    wait_until,
    world_to_screen,
)

from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow

NUMBERS = r"(\d+) behaviors, ([\d.]+) s, cost ([\d.]+), bound ([\d.–]+)"
GOAL, START, SHED = (18.0, 6.0), (2.0, 6.0), (14.0, 8.0)  # of the scene "first"
CRATE, CRATE_TOP_M = (7.0, 6.0), 3.0
PANEL_X = 900  # pixels left of it are not the panel


@pytest.fixture
def first(page, viewer: Viewer):
    """Return the page with the scene "first" planned."""
    open_scene(viewer, page, "first")
    wait_for_text(page, NUMBERS)
    return page


def steady(page):
    """Return what the page looks like when nothing of it changes any more."""
    looked = [pixels(page)]

    def is_steady() -> bool:
        looked.append(pixels(page))
        return bool((looked[-1] == looked[-2]).all())

    wait_until(page, is_steady, "nothing to change")
    return looked[-1]


def cost(page) -> float:
    found = re.search(NUMBERS, panel_text(page))
    return float(found[3]) if found is not None else float("nan")


def pull(page, viewer: Viewer, start: Sequence[float], end: Sequence[float], height_m: float = 0.02) -> None:
    """Drag what is at one place of the world to another."""
    drag(page, *(world_to_screen(page, viewer, (*place, height_m)) for place in (start, end)))


def test_goal_and_start_are_dragged_and_the_way_follows(first, viewer: Viewer) -> None:
    before, looked = cost(first), pixels(first)
    pull(first, viewer, GOAL, (16.0, 2.5))
    wait_for_text(first, r"\d+ ms from hand to way")
    wait_until(first, lambda: abs(cost(first) - before) > 0.5, "another cost")
    assert (pixels(first)[:, :PANEL_X] != looked[:, :PANEL_X]).any(axis=-1).mean() > 0.002
    wait_for_text(first, r"(?m)^first \*")  # let go, and written into the scene, which is not saved
    steady(first)
    moved = cost(first)
    pull(first, viewer, START, (2.5, 10.0))
    wait_until(first, lambda: abs(cost(first) - moved) > 0.5, "the way from another start")
    steady(first)
    for _ in range(2):
        click_button(first, "Undo")
    wait_until(first, lambda: abs(cost(first) - before) < 0.01, "the way of before")
    click_button(first, "Redo")
    wait_until(first, lambda: abs(cost(first) - moved) < 0.01, "the goal moved again")


def test_why_there_is_no_way_is_said_there_and_in_the_panel(first, viewer: Viewer) -> None:
    pull(first, viewer, GOAL, SHED)
    wait_for_text(first, "goal_blocked\\s+the goal .* lies where no body can be")
    told = steady(first)
    click_button(first, "Undo")
    wait_for_text(first, NUMBERS)
    x, y = (round(value) for value in world_to_screen(first, viewer, (*SHED, 2.6)))
    words = slice(y - 25, y + 10), slice(x - 60, x + 60)  # the label above the goal
    wait_until(first, lambda: (pixels(first)[words] != told[words]).any(axis=-1).mean() > 0.1, "nothing said there")
    pull(first, viewer, START, CRATE)
    wait_for_text(first, "start_blocked")


def test_an_obstacle_is_moved_turned_and_lowered(first, viewer: Viewer) -> None:
    before = cost(first)
    pull(first, viewer, CRATE, (7.0, 3.0), CRATE_TOP_M)
    wait_for_text(first, r"\d+ ms from hand to way")
    wait_until(first, lambda: abs(cost(first) - before) > 0.05, "a way around where it is now")
    wait_until(first, lambda: all_values(first, "At") == pytest.approx([7.0, 3.0], abs=0.1), "its place")
    set_slider(first, "Turn", 90)
    moved = cost(first)
    set_slider(first, "Top", 0.3)  # low enough to be jumped
    pull(first, viewer, (7.0, 3.0), CRATE, 0.3)
    wait_until(first, lambda: abs(cost(first) - moved) > 0.05, "another way")
    click_button(first, "Edit")
    wait_for_text(first, r"(?m)^first \*")
    select_option(first, "Chosen", "crate")
    wait_until(first, lambda: value_of(first, "Turn") == "90", "the turn to be written into the scene")
    wait_until(first, lambda: value_of(first, "Top") == "0.3", "the height to be written into the scene")
    assert all_values(first, "At")[1] > 4.5  # dragged back, by where it was taken hold of


def test_planners_weights_and_preferences(first) -> None:
    before = cost(first)
    toggle_folder(first, "Preferences")
    set_slider(first, "forward", 6.0)
    wait_until(first, lambda: cost(first) > before + 1.0, "a dearer way")
    set_slider(first, "forward", 1.0)
    wait_until(first, lambda: abs(cost(first) - before) < 0.01, "the usual way")
    select_option(first, "Planner", "astar")
    wait_until(first, lambda: cost(first) < before - 0.1, "a cheaper way")
    select_option(first, "Planner", "weighted")
    wait_until(first, lambda: abs(cost(first) - before) < 0.01, "the way of before")
    select_option(first, "Planner", "tree")
    wait_for_text(first, r"[\d,]+ look-ups")
    select_option(first, "Planner", "weighted")
    wait_for_text(first, r"[\d,]+ nodes")


def test_overlays_and_walking_are_seen(first) -> None:
    def differs(before: np.ndarray, share: float) -> bool:
        return (pixels(first)[:, :PANEL_X] != before[:, :PANEL_X]).any(axis=-1).mean() > share

    plain = steady(first)
    toggle_folder(first, "Overlays")
    set_checkbox(first, "Search tree", True)
    wait_until(first, lambda: differs(plain, 0.01), "the tree")
    wait_for_text(first, "Every state that the search stored")
    with_tree = steady(first)
    set_checkbox(first, "Search tree", False)
    wait_until(first, lambda: differs(with_tree, 0.01), "no tree")
    without = steady(first)
    set_checkbox(first, "Walk", True)
    wait_until(first, lambda: differs(without, 0.001), "who walks")


def all_values(page, label: str) -> list[float]:
    """Return the numbers in all boxes of a field."""
    rows = page.locator("label:visible").filter(has_text=re.compile(rf"^\s*{label}\s*$")).first
    return [float(box.input_value()) for box in rows.locator("xpath=../../..").locator("input:visible").all()]
