"""One character in a real browser: drag its goal, its start, an obstacle; choose planners; see why there is no way."""

from __future__ import annotations

import re

import pytest
from tests.browser import (
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

NUMBERS = r"(\d+) behaviors, ([\d.]+) s, cost ([\d.]+), bound ([\d.–]+)"
GOAL, START = (18.0, 6.0), (2.0, 6.0)  # of the scene "first"


@pytest.fixture
def first(page, viewer: Viewer):
    """Return the page with the scene "first" planned."""
    open_scene(viewer, page, "first")
    wait_for_text(page, NUMBERS)
    return page


def cost(page) -> float:
    found = re.search(NUMBERS, panel_text(page))
    assert found is not None, panel_text(page)
    return float(found[3])


def test_dragging_the_goal_brings_a_new_plan(first, viewer: Viewer) -> None:
    before, looked = cost(first), pixels(first)
    x, y = scene_goal(viewer)
    drag(first, world_to_screen(first, viewer, (x, y, 0.02)), world_to_screen(first, viewer, (x - 4.0, y + 2.0, 0.02)))
    wait_for_text(first, r"\d+ ms from hand to way")
    wait_until(first, lambda: abs(cost(first) - before) > 0.5, "another cost")
    assert (pixels(first) != looked).any(axis=-1).mean() > 0.002


def test_a_goal_in_an_obstacle_is_said_there(first, viewer: Viewer) -> None:
    obstacle = viewer.document.scene.world.obstacles[0]
    x, y = scene_goal(viewer)
    drag(
        first, world_to_screen(first, viewer, (x, y, 0.02)), world_to_screen(first, viewer, (*obstacle.pose[:2], 0.02))
    )  # fmt: skip
    wait_for_text(first, "goal_blocked")


def test_another_planner_and_its_weight(first) -> None:
    select_option(first, "Planner", "astar")
    wait_for_text(first, r"bound 1\.00")
    best = cost(first)
    select_option(first, "Planner", "weighted")
    set_slider(first, "Weight", 3.0)
    wait_until(first, lambda: not panel_text(first).count("bound 1.00"), "a looser bound")
    assert cost(first) >= best - 1e-6
    assert value_of(first, "Planner") == "weighted"


def test_overlays_are_drawn_and_taken_away(first) -> None:
    before = pixels(first)
    toggle_folder(first, "Overlays")
    set_checkbox(first, "Search tree", True)
    wait_until(first, lambda: (pixels(first)[:, :900] != before[:, :900]).any(axis=-1).mean() > 0.01, "the tree")
    set_checkbox(first, "Search tree", False)
    wait_until(first, lambda: (pixels(first)[:, :900] != before[:, :900]).any(axis=-1).mean() < 0.01, "no tree")


def test_preferences_change_the_way(first) -> None:
    before = cost(first)
    toggle_folder(first, "Preferences")
    set_slider(first, "forward", 3.0)
    wait_until(first, lambda: cost(first) > before + 1.0, "a dearer way")


def scene_goal(viewer: Viewer) -> tuple[float, float]:
    assert viewer.document is not None
    goal = viewer.document.scene.cast[0].goal
    assert goal is not None
    return goal.x, goal.y
