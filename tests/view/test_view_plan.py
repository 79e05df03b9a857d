"""Planning by hand, without a browser: what is dragged is in the problem, in the text, and can be undone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gambol.animate import play
from gambol.characters import clip_of
from gambol.files import parse_toml
from gambol.scenes import load_scene, parse_scene
from gambol.search import AStar, Problem
from gambol.view.document import Document
from gambol.view.edit.entry_changes import move, turn
from gambol.view.edit.toml_edit import put
from gambol.view.plan.holding import OWN, Held, with_obstacle
from gambol.view.plan.marks import dragged, written
from gambol.view.plan.tab import PlanTab
from gambol.view.plan.way import clip_poses
from gambol.view.viewer import Viewer

TEXT = """# a yard
name = "yard"

[world]
bounds = [0, 0, 20, 12]

[[obstacles]]  # heavy
name = "crate"
at = [7, 6]  # in the middle
size = [1.5, 4]

[[obstacles]]
corners = [[12, 3], [14, 3], [13, 5]]

[[cast]]
start = [2, 6]
waypoints = [[9, 10]]
goal = { at = [18, 6], tolerance_m = 0.5 }  # far
"""


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    made = Viewer(port=0, folder=tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("what", ["goal", "start", "nose", "waypoint 0"])
def test_what_is_dragged_is_the_same_in_the_problem_and_in_the_text(what: str) -> None:
    problem = problem_of(TEXT)
    changed = dragged(problem, what, 5.123456, 8.5)
    text = written(changed, what, ("cast", 0))(TEXT, parse_toml(TEXT))
    again = problem_of(text)
    assert again.start == pytest.approx(changed.start, abs=1e-4)
    assert (again.goal, again.waypoints) == (changed.goal, changed.waypoints)
    assert "# far" in text
    assert "# in the middle" in text


def test_who_is_turned_faces_where_the_knob_is() -> None:
    problem = problem_of(TEXT)
    assert dragged(problem, "nose", 2.0, 9.0).start[2] == pytest.approx(math.pi / 2)


def test_an_obstacle_in_hand_is_changed_apart_and_put_back() -> None:
    held = Held(TEXT, ("obstacles", 0))
    moved = held.change(lambda text, data: move(text, data, OWN, 9.0, 4.5))
    assert moved is not None
    assert (moved.name, moved.pose[:2]) == ("crate", (9.0, 4.5))
    turned = held.change(lambda text, data: turn(text, data, OWN, 90.0))
    assert turned is not None
    assert turned.pose[2] == pytest.approx(math.pi / 2)
    raised = held.change(lambda text, data: put(text, (*OWN, "top_m"), 0.4))
    assert raised is not None
    assert raised.top_m == 0.4
    text = held.put_back(TEXT, parse_toml(TEXT))
    assert parse_scene(text, beside=Path()).world.obstacles[0].pose == pytest.approx(raised.pose)
    assert text.startswith("# a yard")
    for comment in ("# heavy", "# in the middle", "# far"):
        assert comment in text


def test_what_cannot_be_leaves_an_obstacle_in_hand_as_it_was() -> None:
    held = Held(TEXT, ("obstacles", 0))
    before = held.text
    assert held.change(lambda text, data: put(text, (*OWN, "top_m"), -1.0)) is None
    assert held.text == before


def test_entries_in_one_line_and_without_a_name_can_be_taken_in_hand() -> None:
    inline = 'obstacles = [{at = [1, 1], size = [1, 1]}, {name = "b", at = [3, 3], radius_m = 1}]\n'
    held = Held(inline, ("obstacles", 1))
    assert held.change(lambda text, data: put(text, (*OWN, "radius_m"), 2.0)) is not None
    assert parse_toml(held.put_back(inline, parse_toml(inline)))["obstacles"][1]["radius_m"] == 2.0
    nameless = Held(TEXT, ("obstacles", 1)).obstacle
    assert nameless is not None
    assert nameless.name == parse_scene(TEXT, beside=Path()).world.obstacles[1].name


def test_poses_from_clips_are_those_of_the_motion_but_for_blends() -> None:
    problem = load_scene("first").problem("Ann")
    plan = AStar(weight=1.5).solve(problem)
    motion = play(plan.character, plan.steps)
    frames = np.arange(0, sum(clip_of(plan.character, step).duration for step in plan.steps), 5)
    positions, rotations = clip_poses(plan, frames)
    expected = motion.world_positions[frames * round(motion.rate_hz / plan.character.planning_rate_hz)]
    away = np.linalg.norm(positions - expected, axis=-1)
    assert np.median(away) < 0.02
    assert away.max() < 0.35
    np.testing.assert_allclose(np.linalg.norm(rotations, axis=-1), 1.0)


def test_a_drag_of_many_messages_is_one_step_back(viewer: Viewer) -> None:
    tab = opened(viewer, TEXT)
    for number in range(5):
        tab._drag("goal", 17.0, 5.0 + 0.2 * number, number == 4)
        viewer.desk.wait()
    viewer.desk.leave(tab._edits.write)
    viewer.desk.wait()
    document = viewer.document
    assert document is not None
    assert problem_of(document.text).goal.y == pytest.approx(5.8)
    viewer.desk.leave(lambda: tab.step(True))
    viewer.desk.wait()
    assert document.text == TEXT
    assert tab._problem is not None
    assert tab._problem.goal.y == 6.0
    assert not document.can_undo


def test_obstacles_dragged_turned_and_raised_are_planned_around_and_written(viewer: Viewer) -> None:
    tab = opened(viewer, TEXT)
    first = tab._shown
    tab._drag_obstacle("crate", 7.0, 3.0, True)
    viewer.desk.wait()
    assert tab._problem is not None
    fresh = replace(tab._problem, world=with_obstacle(tab._problem.world, tab._problem.world.obstacles[0]))
    assert tab._shown is not None
    assert tab._shown is not first
    assert tab._shown.cost == pytest.approx(AStar(weight=1.5).solve(fresh).cost)
    viewer.desk.leave(tab._edits.write)
    viewer.desk.wait()
    assert viewer.document is not None
    assert viewer.document.scene.world.obstacles[0].pose[:2] == (7.0, 3.0)


def test_what_waits_to_be_written_is_written_when_another_tab_is_shown(viewer: Viewer) -> None:
    tab = opened(viewer, TEXT)
    tab._drag("start", 3.0, 9.0, False)  # the browser was closed before it was let go
    viewer.select("Edit")
    viewer.desk.wait()
    assert viewer.document is not None
    assert viewer.document.data["cast"][0]["start"] == [3.0, 9.0]


def test_a_goal_that_cannot_be_is_told_and_undone(viewer: Viewer) -> None:
    tab = opened(viewer, TEXT)
    tab._drag("goal", 7.0, 6.0, True)
    viewer.desk.wait()
    assert tab._shown is not None
    assert not tab._shown.found
    assert "goal_blocked" in tab._numbers.content
    viewer.desk.leave(lambda: tab.step(True))
    viewer.desk.wait()
    assert tab._shown is not None
    assert tab._shown.found


def problem_of(text: str) -> Problem:
    scene = parse_scene(text, beside=Path())
    return scene.problem(scene.cast[0].name)


def opened(viewer: Viewer, text: str) -> PlanTab:
    viewer.show(Document(text, beside=viewer.folder.path))
    viewer.desk.wait()
    assert isinstance(viewer.tab, PlanTab)
    return viewer.tab
