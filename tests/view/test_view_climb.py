"""The tab "Climb" without a browser: what is shown when, what dragging changes, and what is said."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from gambol.climb import FREE, Mode
from gambol.files import parse_toml
from gambol.judges import Worst
from gambol.scenes import load_scene, parse_scene
from gambol.view.climb.diorama import DEPTH_M, HOLD_COLORS, Diorama
from gambol.view.climb.marks import dragged, written
from gambol.view.climb.played import Played, Stretch, climb_alone
from gambol.view.climb.tab import ClimbTab
from gambol.view.climb.words import band_html, judged_html, moment_html, outcome_html
from gambol.view.document import Document
from gambol.view.drag import UPRIGHT, on_plane
from gambol.view.stage import LAPTOP
from gambol.view.viewer import Viewer
from gambol.view.words import RED

WAIT_S = 120.0
TEXT = """# from the right to the left
name = "low"
kind = "climb"

[plane]
bounds = [0, -0.5, 6, 3]

[[polygons]]
box = [0, -0.5, 6, 0]

[[scatter]]
surfaces = "floors"
spacing_m = 0.2
kind = "load-bearing"

[[cast]]
name = "Ann"
start = { at = [4, 0], mode = "walk" }  # there
goal = [2, 0.98]
"""


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    made = Viewer(port=0, folder=tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def played() -> Played:
    """A short walk."""
    scene = parse_scene(TEXT)
    return climb_alone(scene, scene.climbs[0], core="stances", seed=0, time_limit_s=60.0, progress=lambda *_: None)


def do(viewer: Viewer, job: Callable[[], object]) -> None:
    """Have something done on the desk, and wait for it and for what it leaves there."""
    viewer.desk.do(job)
    assert viewer.desk.wait(WAIT_S)


def the_tab(viewer: Viewer) -> ClimbTab:
    return next(tab for tab in viewer.tabs if isinstance(tab, ClimbTab))


def until(holds: Callable[[], bool]) -> None:
    ends = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def other_than(tab: ClimbTab, before: Played | None) -> Callable[[], bool]:
    return lambda: tab.played is not None and tab.played is not before


# What is shown when


def test_frames_modes_and_holds_are_those_of_the_climb(played: Played):
    motion = played.climbed.climb.motion
    assert motion is not None
    for frame in range(0, len(motion.path), 17):
        time_s = frame / motion.rate_hz
        assert played.frame(time_s) == played.climb_frame(time_s) == frame
        assert played.mode(time_s) == Mode(int(motion.path.modes[frame]))
        assert played.holds(time_s) == tuple(motion.path.grasps[frame].tolist())
    assert played.frame(1e9) == len(motion.path) - 1
    assert played.stretches() == [Stretch(Mode.WALK, 0.0, motion.duration_s)]


def test_ways_over_the_ground_are_stretches_without_mode_and_holds(played: Played):
    climbed = played.climbed
    assert climbed.motion is not None
    assert climbed.climb.motion is not None
    count, first = len(climbed.climb.motion.path), 30
    rows = np.clip(np.arange(count + 2 * first) - first, 0, count - 1)
    longer = replace(
        climbed.motion, root_positions=climbed.motion.root_positions[rows], rotations=climbed.motion.rotations[rows]
    )
    joined = Played(replace(climbed, motion=longer, first_frame=first), played.check)
    rate_hz = longer.rate_hz
    assert [(one.label, round(one.start_s * rate_hz), round(one.end_s * rate_hz)) for one in joined.stretches()] == [
        ("on the ground", 0, first),
        ("walk", first, first + count - 1),
        ("on the ground", first + count - 1, len(rows) - 1),
    ]
    assert joined.holds(0.0) == (FREE,) * 4
    assert joined.mode(first / rate_hz) is Mode.WALK
    assert joined.mode((first + count + 1) / rate_hz) is None


def test_texts_say_outcome_verdicts_and_what_each_limb_holds(played: Played):
    assert "<b>found</b>" in outcome_html(played, 1.0)
    assert played.check is not None
    judged = judged_html(played)
    for line in (f"<b>Figure: {played.check.plane.lines()[0]}</b>", f"<b>Body: {played.check.body.lines()[0]}</b>"):
        assert line in judged
    bad = replace(played.check, plane=replace(played.check.plane, entry_mm=Worst(5.0, what="head")))
    assert judged_html(replace(played, check=bad)).count(RED) == 1 + (not played.check.body.is_clean)
    said = moment_html(played, 0.0)
    x = played.climbed.climb.problem.environment.grasp_points[played.holds(0.0)[2]].x
    assert f"left foot&ensp;</td><td>load-bearing at ({x:.2f}, 0.00)" in said
    assert "left hand&ensp;</td><td>–" in said


def test_the_band_has_a_label_for_each_button_and_hides_all_buttons():
    stretches = [Stretch(Mode.WALK, 0.0, 1.0), Stretch(Mode.CLIMB, 1.0, 4.0)]
    band = band_html(stretches, ["a", "b", "c"])
    assert band.count('for="a"') == band.count('for="b"') == 2  # in the band, and in the list
    assert 'for="c"' not in band
    assert '[id="c"]' in band
    assert "1.0 – 4.0 s" in band


# The environment in the round


def test_polygons_are_drawn_out_to_their_area_and_depth():
    scene = load_scene("climb-bars")
    assert scene.environment is not None
    diorama = Diorama.of(scene)
    solid = shapely.unary_union([shapely.Polygon(one) for one in scene.environment.polygons])
    front = 0.0
    for mesh in diorama.meshes:
        corners = mesh.vertices[mesh.triangles]
        assert set(np.round(corners[..., 1].ravel(), 9)) <= set(DEPTH_M)
        near = (corners[..., 1] == DEPTH_M[0]).all(axis=1)
        first, second, third = np.moveaxis(corners[near], 1, 0)
        front += 0.5 * float(np.linalg.norm(np.cross(second - first, third - first), axis=1).sum())
    assert front == pytest.approx(solid.area)
    points = scene.environment.grasp_points
    assert [tuple(color) for color in diorama.colors.tolist()] == [HOLD_COLORS[point.kind] for point in points]


def test_the_ground_of_ways_to_a_climb_and_from_it_is_there():
    scene = load_scene("climb-jog")
    climb = scene.climbs[0]
    assert climb.onward is not None
    tops = [mesh.vertices.max(axis=0) for mesh in Diorama.of(scene).meshes[-2:]]
    assert [round(float(top[2]), 1) for top in tops] == [0.0, 2.2]
    assert tops[1][0] > climb.onward.x


def test_one_looks_from_the_side_and_sees_all(viewer: Viewer):
    viewer.open("climb-flat")
    eye, at = viewer.stage._view_of_all(LAPTOP)
    assert at[1] == pytest.approx(0.0, abs=1e-9)
    way = at - eye
    assert way[1] > 0.9 * np.linalg.norm(way)
    assert viewer.tab is the_tab(viewer)  # what is opened leads to the tab
    viewer.open("first")
    assert not the_tab(viewer).accepts()
    assert abs(viewer.stage._view_of_all(LAPTOP)[1][2]) < 1e-9  # on the ground, as ever


# Dragging


def test_the_line_of_sight_is_followed_to_an_upright_plane():
    assert on_plane(np.array([1.0, -10.0, 2.0]), np.array([2.0, -5.0, 1.0]), UPRIGHT, 0.0) == pytest.approx((3.0, 0.0))
    assert on_plane(np.array([1.0, -10.0, 2.0]), np.array([1.0, -11.0, 2.0]), UPRIGHT, 0.0) is None


@pytest.mark.parametrize("what", ["start", "goal"])
def test_what_is_dragged_is_the_same_for_the_climber_and_in_the_text(what: str):
    actor = dragged(parse_scene(TEXT).climbs[0], what, 3.123456, 0.9012)
    text = written(TEXT, parse_toml(TEXT), ("cast", 0), what, 3.123456, 0.9012)
    assert getattr(actor, what) == (3.12, 0.9)
    place = parse_toml(text)["cast"][0][what]
    assert (place["at"] if what == "start" else place) == [3.12, 0.9]
    assert "# there" in text
    assert 'mode = "walk"' in text


# The tab


def test_it_climbs_follows_what_is_dragged_and_says_what_is_wrong(viewer: Viewer, tmp_path: Path):
    viewer.present(Document(TEXT, beside=tmp_path))
    tab = the_tab(viewer)
    assert viewer.tab is tab
    until(other_than(tab, None))
    assert viewer.desk.wait(WAIT_S)
    first = tab.played
    assert first is not None
    assert tab.clock.runs
    assert first.climbed.climb.problem.start.facing == -1
    film = tab.film()
    assert film is not None
    assert film.duration_s == first.duration_s

    tab._drag("goal", 5.0, 0.98, True)  # let go on the other side
    until(other_than(tab, first))
    assert viewer.desk.wait(WAIT_S)
    second = tab.played
    assert second is not None
    assert second.climbed.climb.problem.start.facing == 1
    assert viewer.document is not None
    assert viewer.document.scene.climbs[0].goal == (5.0, 0.98)

    tab._drag("goal", 5.0, -0.3, True)
    assert viewer.desk.wait(WAIT_S)
    assert "inside something solid" in tab._mistakes.content
    assert not viewer.document.is_valid
    do(viewer, lambda: tab.step(True))
    until(other_than(tab, second))
    assert tab._mistakes.content == ""
    viewer.select("Play")
    assert tab.played is None
    assert not tab.clock.runs


def test_a_goal_that_cannot_be_reached_says_why(viewer: Viewer, tmp_path: Path):
    viewer.present(Document(TEXT.replace("[2, 0.98]", "[2, 2.9]"), beside=tmp_path))
    tab = the_tab(viewer)
    until(other_than(tab, None))
    assert viewer.desk.wait(WAIT_S)
    assert tab.played is not None
    climbed = tab.played.climbed
    assert not climbed.found
    assert climbed.reason
    assert climbed.reason[1:20] in tab._words.content


def test_another_seed_is_another_search(viewer: Viewer, tmp_path: Path):
    viewer.present(Document(TEXT.replace("kind =", "seed = 7\nkind =", 1), beside=tmp_path))
    tab = the_tab(viewer)
    until(other_than(tab, None))
    first = tab.played
    assert first is not None
    assert first.climbed.seed == 7
    do(viewer, tab._climb_again)
    until(other_than(tab, first))
    assert tab.played is not None
    assert tab.played.climbed.seed == tab._seed.value == 8
