"""A crowd in a real browser: time, clicks on people and on the ground, goals and obstacles that are dragged."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.support.browser import (
    click_button,
    drag,
    new_page,
    open_scene,
    panel_text,
    pixels,
    select_option,
    set_checkbox,
    set_slider,
    toggle_folder,
    wait_for_text,
    wait_until,
    world_to_screen,
)

from gambol.view.viewer import Viewer

pytestmark = pytest.mark.slow

SCENE = """
name = "yard"
kind = "crowd"
[world]
bounds = [0, 0, 12, 9]
[[obstacles]]
name = "crate"
at = [6, 7]
size = [1, 1]
top_m = 1
[[cast]]
name = "Ann"
start = [3, 3]
goal = [3, 3]
[[cast]]
name = "Bob"
start = [5, 3]
goal = [5, 3]
[[cast]]
name = "Cas"
start = [9, 3]
goal = [9, 3]
"""
STREET = """
name = "street"
kind = "crowd"
[world]
bounds = [0, 0, 24, 10]
[[obstacles]]
name = "crate"
at = [12, 9]
size = [1, 3]
top_m = 1
[[cast]]
name = "Ann"
start = [2, 5]
goal = [22, 5]
"""
WAIST_M = 0.95
PANEL_PX = 930  # from the left: where the panel begins
STRAIGHT = 9.0  # pixels: what is drawn along a straight way, and the ring at its end, are nearer to a line than this


@pytest.fixture
def yard(page, viewer: Viewer, tmp_path: Path):
    """Return the page with three who stand where they are."""
    path = tmp_path / "yard.toml"
    path.write_text(SCENE)
    open_scene(viewer, page, str(path))
    wait_for_text(page, r"characters\s+3")
    return page


def counter(page, name: str) -> float:
    found = re.search(rf"{name}\s+([\d.]+)", panel_text(page))
    assert found is not None, panel_text(page)
    return float(found[1])


def click_at(page, viewer: Viewer, x: float, y: float, z: float = 0.0, *, shift: bool = False) -> None:
    if shift:
        page.keyboard.down("Shift")
    page.mouse.click(*world_to_screen(page, viewer, (x, y, z)))
    if shift:
        page.keyboard.up("Shift")


def where(page, is_meant: Callable[[NDArray, NDArray, NDArray], NDArray]) -> NDArray:
    """Return the pixels (N, 2), beside the panel, whose red, green and blue are as asked for."""
    shown = pixels(page)[:, :PANEL_PX].astype(int)
    return np.argwhere(is_meant(*np.moveaxis(shown, -1, 0)))


def orange(page) -> NDArray:
    """Return where a ball is seen."""
    return where(page, lambda red, green, blue: (red - blue > 120) & (red - green > 60))


def blue(page) -> NDArray:
    """Return where the cart is seen."""
    return where(page, lambda red, green, blue: blue - red > 70)


def golden(page) -> NDArray:
    """Return where someone is marked, and its way."""
    return where(page, lambda red, green, blue: (red - blue > 125) & (red - green < 45))


def bend(points: NDArray) -> float:
    """Return how far points (N, 2) are from a line at most, but for some."""
    if len(points) < 3:
        return 0.0
    middle = points - points.mean(axis=0)
    across = np.linalg.svd(middle, full_matrices=False)[2][1]
    return float(np.quantile(np.abs(middle @ across), 0.95))


def test_time_runs_stops_and_goes_step_by_step(yard) -> None:
    wait_until(yard, lambda: counter(yard, "time") > 0.3, "time to pass")
    click_button(yard, "Pause")
    wait_for_text(yard, r"paused")
    stood = counter(yard, "time")
    click_button(yard, "Step")
    wait_until(yard, lambda: counter(yard, "time") >= stood, "a step")
    assert counter(yard, "time") <= stood + 0.11
    click_button(yard, "Run")
    wait_until(yard, lambda: counter(yard, "time") > stood + 0.5, "time to pass again")
    click_button(yard, "Start over")
    wait_until(yard, lambda: counter(yard, "time") < stood + 0.4, "time to begin anew")
    assert counter(yard, "touches not by an edit") == 0


def test_people_are_chosen_by_clicks_and_by_a_rectangle(yard, viewer: Viewer) -> None:
    click_at(yard, viewer, 3.0, 3.0, WAIST_M)
    wait_for_text(yard, r"Ann · ")
    click_at(yard, viewer, 9.0, 3.0, WAIST_M, shift=True)
    wait_for_text(yard, r"(?s)Ann · .*Cas · ")
    yard.keyboard.down("Shift")
    drag(yard, world_to_screen(yard, viewer, (2.0, 2.0, 0.0)), world_to_screen(yard, viewer, (6.2, 4.0, 1.0)))
    yard.keyboard.up("Shift")
    wait_for_text(yard, r"(?s)Ann · .*Bob · ")
    assert "Cas · " not in panel_text(yard)
    wait_until(yard, lambda: len(golden(yard)) > 200, "marks around them")
    drag(yard, *(world_to_screen(yard, viewer, (*at, 0.09)) for at in ((2.75, 2.75), (2.75, 4.75))))
    wait_for_text(yard, r"(?s)Ann · .*goal \((2\.[89]|3\.[012]), (4\.[89]|5\.[012])\).*Bob")
    wait_for_text(yard, r"(?s)Bob · .*goal \((4\.[89]|5\.[012]), (4\.[89]|5\.[012])\)")
    click_at(yard, viewer, 10.5, 7.5)
    wait_for_text(yard, r"No character\. Click one")


def test_a_goal_is_dragged_and_its_owner_goes_there(yard, viewer: Viewer) -> None:
    click_at(yard, viewer, 3.0, 3.0, WAIST_M)
    wait_for_text(yard, r"arrived, goal \(3\.0, 3\.0\)")
    wait_until(yard, lambda: len(orange(yard)) > 200, "the disc of the goal")
    start, end = (world_to_screen(yard, viewer, (*at, 0.09)) for at in ((2.75, 2.75), (2.75, 5.75)))
    drag(yard, start, end)
    wait_for_text(yard, r"on the way, goal \([\d., ]+\), [\d.]+ m to go")
    set_slider(yard, "Speed", 4.0)
    goal = wait_for_text(yard, r"arrived, goal \(([\d.]+), (5\.[5-9]|6\.\d)\)")
    assert abs(float(goal[1]) - 3.0) < 0.4
    assert counter(yard, "touches not by an edit") == 0


def test_a_goal_without_room_is_refused_and_said(yard, viewer: Viewer) -> None:
    click_at(yard, viewer, 3.0, 3.0, WAIST_M)
    wait_until(yard, lambda: len(orange(yard)) > 200, "the disc of the goal")
    drag(yard, *(world_to_screen(yard, viewer, (*at, 0.09)) for at in ((2.75, 2.75), (5.75, 6.75))))
    wait_for_text(yard, r"Ann cannot stand at")


def test_people_come_go_and_are_sent_by_clicks(yard, viewer: Viewer) -> None:
    select_option(yard, "A click", "add")
    set_slider(yard, "How many", 3)
    click_at(yard, viewer, 9.0, 6.5)
    wait_for_text(yard, r"characters\s+6")
    set_slider(yard, "How many", 1)
    click_at(yard, viewer, 6.0, 7.0)
    wait_for_text(yard, r"no character can be put at")
    click_button(yard, "Start over")
    wait_for_text(yard, r"characters\s+3")
    select_option(yard, "A click", "remove")
    click_at(yard, viewer, 5.0, 3.0, WAIST_M)
    wait_for_text(yard, r"characters\s+2")
    select_option(yard, "A click", "choose")
    click_at(yard, viewer, 9.0, 3.0, WAIST_M)
    wait_for_text(yard, r"Cas · ")
    select_option(yard, "A click", "send those chosen")
    click_at(yard, viewer, 10.0, 5.0)
    wait_for_text(yard, r"goal \((9\.9|10\.[01]), (4\.9|5\.[01])\)")


def test_an_obstacle_is_dragged_through_people_and_nobody_touches_anybody(yard, viewer: Viewer) -> None:
    before = pixels(yard)
    drag(yard, world_to_screen(yard, viewer, (6.0, 7.0, 1.0)), world_to_screen(yard, viewer, (5.0, 3.0, 1.0)))
    wait_until(yard, lambda: (pixels(yard) != before).any(axis=-1).mean() > 0.002, "the crate elsewhere")
    click_at(yard, viewer, 9.0, 3.0, WAIST_M)
    wait_for_text(yard, r"Cas · ")
    wait_until(yard, lambda: "waits until all" not in panel_text(yard), "the crate to be there")
    assert counter(yard, "touches not by an edit") == 0


def test_a_thing_dragged_into_somebodys_way_changes_it_and_nobody_is_touched(
    page, viewer: Viewer, tmp_path: Path
) -> None:
    path = tmp_path / "street.toml"
    path.write_text(STREET)
    open_scene(viewer, page, str(path))
    set_slider(page, "Speed", 0.25)
    click_button(page, "Start over")
    click_button(page, "Pause")
    wait_for_text(page, r"paused")
    page.keyboard.down("Shift")
    drag(page, (20, 20), (900, 780))
    page.keyboard.up("Shift")
    wait_for_text(page, r"Ann · ")
    wait_until(page, lambda: len(golden(page)) > 500, "the way to be drawn")
    assert bend(golden(page)) < STRAIGHT
    drag(page, world_to_screen(page, viewer, (12.0, 9.0, 1.0)), world_to_screen(page, viewer, (12.0, 5.0, 1.0)))
    wait_for_text(page, r"crate waits until all are out of its way")
    click_button(page, "Run")
    wait_until(page, lambda: bend(golden(page)) > 2.0 * STRAIGHT, "a way around")
    wait_until(page, lambda: "waits until all" not in panel_text(page), "the crate to be there")
    set_slider(page, "Speed", 4.0)
    wait_for_text(page, r"arrivals\s+1")
    assert counter(page, "touches not by an edit") == 0
    assert counter(page, "hits by edits") == 0


def test_a_ball_is_thrown_and_the_cart_is_driven(yard) -> None:
    for folder in ("On the ground", "Things"):
        toggle_folder(yard, folder)
    click_button(yard, "Pause")
    wait_for_text(yard, r"paused")
    assert len(orange(yard)) == len(blue(yard)) == 0
    click_button(yard, "Throw a ball (T)")
    seen: list[NDArray] = []  # where the ball was, after steps

    def flies_on() -> bool:
        for _ in range(3):
            click_button(yard, "Step")
        found = orange(yard)
        if len(found) > 100:
            seen.append(found.mean(axis=0))
        return len(seen) > 0 and bool(np.linalg.norm(seen[-1] - seen[0]) > 10.0)

    wait_until(yard, flies_on, "a ball to be seen that flies")
    set_slider(yard, "Speed", 4.0)
    click_button(yard, "Run")
    yard.mouse.click(300, 760)  # keys belong to the page, not to a field
    yard.keyboard.press("i")
    wait_until(yard, lambda: len(blue(yard)) > 100, "a cart to be seen")
    place = blue(yard).mean(axis=0)

    def goes_ahead() -> bool:
        yard.keyboard.press("i")
        return bool(np.linalg.norm(blue(yard).mean(axis=0) - place) > 10.0)

    wait_until(yard, goes_ahead, "the cart to go ahead")
    for label in ("Goals", "Routes", "Lanes, queues"):
        set_checkbox(yard, label, True)
    wait_until(yard, lambda: len(orange(yard)) == 0, "the ball to be gone")
    wait_for_text(yard, r"touches not by an edit\s+0")


def test_plan_times_and_the_budget(page, viewer: Viewer) -> None:
    open_scene(viewer, page, "crowd-maze")
    set_slider(page, "Budget", 3)
    toggle_folder(page, "Plan times")
    wait_for_text(page, r"one plan: half within \d+ µs, 99% within \d+ µs")
    assert page.locator("svg rect").count() > 10

    def plans() -> int:
        return int(wait_for_text(page, r"ms, (\d+) plans")[1])

    wait_until(page, lambda: plans() <= 3, "no more plans in a frame than are allowed")
    assert max(plans() for _ in range(5)) <= 3


def test_a_browser_that_goes_harms_nobody(yard, chromium, viewer: Viewer) -> None:
    set_checkbox(yard, "Follow", True)
    click_at(yard, viewer, 3.0, 3.0, WAIST_M)  # while there is one page: where things are seen is asked of the last
    wait_for_text(yard, r"Ann · ")
    other = new_page(chromium, viewer)
    wait_for_text(other, r"characters\s+3")
    other.context.close()
    stood = counter(yard, "time")
    wait_until(yard, lambda: counter(yard, "time") > stood + 1.0, "time to pass")
    assert "This does not work" not in yard.locator("body").inner_text()
