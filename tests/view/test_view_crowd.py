"""A crowd in the viewer, without a browser: what a user does to it, and what is said of it."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from gambol import Crowd, Errand, World, load_character
from gambol.body import Body
from gambol.crowd import LivePoses, glance_at, goals, way_of
from gambol.crowd.glance import queues
from gambol.errors import InvalidInput
from gambol.judges import look_now
from gambol.scenes import Scene, parse_scene
from gambol.view.crowd.bodies import MANY, NEAR, Palette, Troupe, far_ticks, nearest, stiff_body
from gambol.view.crowd.goal_hand import GoalHand
from gambol.view.crowd.mouse import Eye, in_rectangle, on_screen, pick
from gambol.view.crowd.numbers import chosen_html, counters_html, histogram_html
from gambol.view.crowd.overlays import lane_arrows, ring_mesh
from gambol.view.crowd.run import CART_NAME, MOST_BALLS, CrowdRun
from gambol.view.crowd.tab import CrowdTab
from gambol.view.crowd.things import BALL_M, CART_M_S, Cart, throw_at
from gambol.view.document import Document
from gambol.view.viewer import Viewer

SCENE = """
name = "yard"
kind = "crowd"
seed = 3
[world]
bounds = [0, 0, 24, 16]
[[obstacles]]
name = "crate"
at = [12, 8]
size = [2, 2]
[[groups]]
name = "walker"
count = 8
starts = { area = [1, 1, 23, 15] }
spacing_m = 1.6
wander = { area = [1, 1, 23, 15] }
"""


@pytest.fixture(scope="module")
def scene() -> Scene:
    return parse_scene(SCENE)


@pytest.fixture
def run(scene: Scene) -> CrowdRun:
    return CrowdRun(scene)


@pytest.fixture(scope="module")
def used(scene: Scene) -> CrowdRun:
    """One that other tests have used: who comes does not ask what was before."""
    return CrowdRun(scene)


def step(run: CrowdRun, frames: int) -> None:
    for _ in range(frames):
        run.step()


def test_a_tick_lets_as_many_frames_pass_as_the_speed_says(run: CrowdRun):
    assert [run.tick() for _ in range(3)] == [1, 1, 1]
    run.speed = 0.25
    assert sum(run.tick() for _ in range(8)) == 2
    run.is_running = False
    assert run.tick() == 0
    assert run.crowd.frame == 5


def test_slow_time_is_shown_between_two_frames(run: CrowdRun):
    run.step()
    run.speed = 0.25
    shown = []
    for _ in range(5):
        shown.append((run.time_s, run.poses()[0].positions.astype(np.float64)))
        run.tick()
    assert [time_s for time_s, _ in shown] == pytest.approx([(1.0 + 0.25 * n) / 30.0 for n in range(5)])
    away = [np.abs(after - before).max() for (_, before), (_, after) in itertools.pairwise(shown)]
    whole = np.abs(shown[4][1] - shown[0][1]).max()
    assert 0.0 < max(away) < 0.6 * whole


def test_a_slow_frame_leaves_out_what_is_due_rather_than_hold_everything_up(used: CrowdRun, monkeypatch):
    monkeypatch.setattr(used, "speed", 4.0)
    monkeypatch.setattr("gambol.view.crowd.run.MOST_S", -1.0)
    assert used.tick() == 1
    assert used.tick() == 1


def test_who_is_added_is_there_and_wanders(used: CrowdRun):
    before = len(used.crowd)
    assert used.add(0, 4.0, 12.0, count=5) == 5
    assert len(used.crowd) == before + 5
    assert used.crowd.errand(used.crowd.ids[-1]).is_endless
    step(used, 60)
    used.look()
    assert used.counts.unexplained == 0


def test_nobody_is_added_where_nobody_can_stand(used: CrowdRun):
    before = len(used.crowd)
    with pytest.raises(InvalidInput, match="obstacle or the bounds"):
        used.add(0, 12.0, 8.0)
    with pytest.raises(InvalidInput):
        used.add(0, -5.0, 8.0, count=3)
    assert len(used.crowd) == before


def test_who_is_removed_is_not_chosen_any_more(used: CrowdRun):
    first, second, *_ = used.crowd.ids
    used.choose([first, second])
    used.remove(first)
    assert used.chosen == [second]
    assert first not in used.crowd.ids


def test_choosing_again_takes_back_and_adds(used: CrowdRun):
    first, second, third, *_ = used.crowd.ids
    used.choose([first])
    used.choose([second], also=True)
    assert used.chosen == [first, second]
    used.choose([first], also=True)
    assert used.chosen == [second]
    used.choose([second, third], also=True)
    assert used.chosen == [second, third]
    used.choose([99])
    assert used.chosen == []


def test_those_who_are_chosen_go_where_they_are_sent_each_to_a_place_of_its_own(run: CrowdRun):
    run.choose(run.crowd.ids[:5])
    assert run.send_chosen(5.0, 5.0) == 5
    wanted = goals(run.crowd, run.chosen)
    away = np.linalg.norm(wanted[:, None] - wanted[None], axis=-1) + 10.0 * np.eye(5)
    assert away.min() > 0.9
    assert np.linalg.norm(wanted - [5.0, 5.0], axis=1).max() < 5.0
    step(run, 900)
    assert all(glance_at(run.crowd, who).condition == "arrived" for who in run.chosen)


def test_nobody_is_sent_into_an_obstacle(used: CrowdRun):
    who = used.crowd.ids[0]
    before = goals(used.crowd, [who])
    with pytest.raises(InvalidInput, match="no room"):
        used.send(who, 12.0, 8.0)
    assert np.array_equal(goals(used.crowd, [who]), before)
    with pytest.raises(InvalidInput, match="no character is chosen"):
        used.send_chosen(3.0, 3.0)


def test_an_obstacle_follows_the_hand_and_meets_nobody_for_long(run: CrowdRun):
    for n in range(120):
        run.drag("crate", 12.0 - 0.06 * n, 8.0)
        run.step()
    step(run, 150)
    assert run.waiting == {}
    (crate,) = run.crowd.world.obstacles
    assert crate.pose[:2] == pytest.approx((12.0 - 0.06 * 119, 8.0))
    run.look()
    assert run.counts.unexplained == 0


def test_an_obstacle_stays_within_the_bounds(used: CrowdRun):
    used.drag("crate", 500.0, -500.0)
    assert used.waiting == {"crate": (24.0, 0.0)}
    used.drag("crate", 12.0, 8.0)


def test_a_ball_comes_down_where_it_is_thrown_and_rolls_on_until_a_wall(used: CrowdRun):
    eye = np.array([-30.0, 8.0, 20.0])
    ball = throw_at("ball", eye, (6.0, 8.0), used.crowd.floor, 1.0)
    times = np.arange(1.0, ball.trajectory.times_s[-1], 0.02)
    poses, heights = ball.trajectory.at(times)
    assert heights[:, 0].min() >= -1e-9
    down = np.argmax(heights[:, 0] < 0.01)
    assert poses[down, :2] == pytest.approx((6.0, 8.0), abs=0.3)
    assert (np.diff(poses[:, 0]) >= -1e-9).all()
    assert poses[-1, 0] < 11.0
    assert heights[:, 1] - heights[:, 0] == pytest.approx(2.0 * BALL_M)


def test_a_ball_thrown_straight_down_is_no_error(used: CrowdRun):
    assert throw_at("ball", np.array([6.0, 8.0, 9.0]), (6.0, 8.0), used.crowd.floor, 0.0).trajectory.moves


def test_thrown_balls_are_gone_in_the_end_and_their_hits_are_counted(run: CrowdRun):
    for _ in range(MOST_BALLS):
        run.throw(np.array([0.0, 0.0, 10.0]), (6.0, 6.0))
    run.step()
    with pytest.raises(InvalidInput, match="balls already"):
        run.throw(np.array([0.0, 0.0, 10.0]), (6.0, 6.0))
    step(run, 300)
    assert run.crowd.world.movers == ()
    run.look()
    assert run.counts.unexplained == 0
    told = {(edit.number, who) for edit in run.crowd.edits for who in edit.hits}
    assert run.counts.hits == told


def test_the_cart_goes_while_it_is_pushed_and_stops_at_walls(used: CrowdRun):
    cart = Cart(3.0, 8.0)
    for n in range(300):
        cart.push(1.0, 0.0, n / 30.0)
        cart.go_on(1.0 / 30.0, n / 30.0, used.crowd.floor)
        assert cart.speed_m_s <= CART_M_S + 1e-9
    assert 8.0 < cart.x < 11.0
    assert cart.speed_m_s == pytest.approx(0.0, abs=0.21)


def test_a_push_ends_by_itself(used: CrowdRun):
    cart = Cart(3.0, 8.0)
    cart.push(0.0, 1.0, 0.0)
    for n in range(60):
        cart.go_on(1.0 / 30.0, n / 30.0, used.crowd.floor)
    assert cart.turning_rad_s == 0.0
    assert 0.3 < cart.heading < 1.5


def test_the_cart_comes_when_it_is_pushed_and_goes_when_it_is_taken(used: CrowdRun):
    used.push(1.0, 0.0)
    step(used, 30)
    assert [mover.name for mover in used.crowd.world.movers] == [CART_NAME]
    used.take_cart()
    step(used, 2)
    assert used.crowd.world.movers == ()
    assert used.cart is None


def test_two_who_are_put_into_each_other_are_seen_to_touch():
    human = load_character("human").subset("crowd")
    crowd = Crowd(World((0, 0, 20, 20)), [human], records=False)
    for n in range(4):
        crowd.add(human, (3.0 + 3.0 * n, 10.0, 0.0), Errand.to(3.0 + 3.0 * n, 10.0))
    poses, bodies = LivePoses(crowd, rotations=True), [Body.from_skeleton(human.skeleton)]
    crowd.run(0.5)
    assert look_now(crowd, poses.now(), bodies).touches == ()
    (figures,) = poses.now()
    figures.positions[1] += figures.positions[0, 0] - figures.positions[1, 0] + np.array([0.25, 0.0, 0.0])
    assert look_now(crowd, (figures,), bodies).touches == ((0, 1),)


def test_who_stands_in_something_is_seen_and_only_an_edit_explains_it(used: CrowdRun):
    step(used, 2)
    figures = used.poses()
    figures[0].positions[0] += np.array([12.0, 8.0, 0.0]) - figures[0].positions[0, 0] * [1.0, 1.0, 0.0]
    found = look_now(used.crowd, figures, used.bodies)
    assert found.entries == ((int(figures[0].ids[0]), "crate"),)
    assert not found.hits


def test_a_line_of_sight_means_the_first_body_it_meets():
    bodies = np.zeros((3, 2, 3), np.float32)
    bodies[:, :, 0] = np.array([8.0, 4.0, 4.0])[:, None]
    bodies[2, :, 1] = 3.0
    bodies[:, 1, 2] = 1.0
    assert pick((0.0, 0.0, 0.5), (1.0, 0.0, 0.1), bodies) == 1
    assert pick((0.0, 0.0, 0.5), (1.0, 0.0, 0.0), bodies) is None
    assert pick((0.0, -60.0, 0.0), (8.5, 60.0, 0.0), bodies) == 0
    assert pick((0.0, 0.0, 0.5), (-1.0, 0.0, 0.0), bodies) is None
    assert pick((0.0, 0.0, 0.5), (1.0, 0.0, 0.0), bodies[:0]) is None
    assert pick((0.0, 0.0, 5.0), (1.0, 0.0, 0.0), bodies) is None


def test_a_rectangle_means_those_who_are_seen_in_it():
    eye = Eye(np.array([0.0, -10.0, 0.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]), math.radians(90.0), 2.0)
    points = np.array([[0.0, 0.0, 0.0], [5.0, 0.0, 0.0], [0.0, 0.0, 5.0], [0.0, -20.0, 0.0]])
    seen = on_screen(eye, points)
    assert seen[0] == pytest.approx((0.5, 0.5))
    assert seen[1] == pytest.approx((0.625, 0.5))
    assert seen[2] == pytest.approx((0.5, 0.25))
    assert np.isnan(seen[3]).all()
    assert in_rectangle(eye, points, (0.4, 0.6), (0.7, 0.4)).tolist() == [0, 1]
    assert in_rectangle(eye, points, (0.0, 0.0), (1.0, 1.0)).tolist() == [0, 1, 2]


def test_a_stiff_body_is_the_body_at_rest(used: CrowdRun):
    body = used.bodies[0]
    stiff = stiff_body(body)
    assert len(np.unique(stiff.joint)) == 5
    assert np.allclose(stiff.rest_cones.start, body.rest_cones.start)
    assert np.allclose(stiff.rest_cones.end, body.rest_cones.end)


class Batch:
    """What a batch of bodies was told last."""

    def __init__(self, scene, name, body, colors, *, detail, pieces) -> None:
        self.positions = self.colors = np.zeros(0)
        self.painted = 0

    def place(self, positions, rotations) -> None:
        self.positions = positions.copy()

    def paint(self, colors) -> None:
        self.painted += 1
        self.colors = colors.copy()


def test_places_are_kept_and_given_to_others(used: CrowdRun, monkeypatch):
    monkeypatch.setattr("gambol.view.crowd.bodies.Bodies", Batch)
    troupe = Troupe(None, "", used.bodies[0], 4, lambda who: (who / 10.0, 0.0, 0.0))  # pyright: ignore[reportArgumentType]
    batch = cast(Batch, troupe._bodies)
    joints = used.bodies[0].skeleton.joint_count

    def place(*ids: int) -> dict[int, float]:
        positions = np.repeat(np.array(ids, np.float32), 3 * joints).reshape(len(ids), joints, 3)
        troupe.place(np.array(ids), positions, np.zeros((len(ids), joints, 4), np.float32))
        shown = batch.positions[:, 0]
        return {place: float(x) for place, (x, _, z) in enumerate(shown) if z > -1.0}

    first = place(5, 6, 7)
    assert sorted(first.values()) == [5.0, 6.0, 7.0]
    painted = batch.painted
    assert place(5, 6, 7) == first
    assert batch.painted == painted
    left = place(5, 7)
    assert left.items() <= first.items()
    assert batch.painted == painted
    assert left.items() <= place(5, 7, 8, 9).items()
    assert sorted(batch.colors[:, 0].tolist()) == pytest.approx([0.5, 0.7, 0.8, 0.9])


def test_of_many_those_near_to_somebodys_eye_are_shown_whole(used: CrowdRun):
    figures = used.poses()
    ids, roots = figures[0].ids, figures[0].positions[:, 0]
    who = int(np.argmax(roots[:, 0]))
    assert nearest(figures, np.array([[100.0, roots[who, 1], 1.0]]), 1) == [ids[who]]
    assert len(nearest(figures, np.zeros((0, 3)), 3)) == 3
    assert NEAR < MANY
    assert far_ticks(500) == 3
    assert far_ticks(10_000) == 13


def test_goals_of_all_who_are_chosen_are_dragged_alike(run: CrowdRun):
    ids = run.crowd.ids[:3]
    run.choose(ids)
    for who, x in zip(ids, (3.0, 5.0, 7.0), strict=True):
        run.send(who, x, 3.0)
    hand = GoalHand(run)
    hand.drag(ids[1], 5.5, 3.0, done=False)
    hand.drag(ids[1], 6.0, 5.0, done=True)
    assert goals(run.crowd, ids) == pytest.approx(np.array([[4.0, 5.0], [6.0, 5.0], [8.0, 5.0]]))
    with pytest.raises(InvalidInput, match="1 of 3 characters cannot stand there"):
        hand.drag(ids[1], 10.0, 8.0, done=True)
    assert goals(run.crowd, ids) == pytest.approx(np.array([[8.0, 8.0], [10.0, 8.0], [8.0, 5.0]]))
    run.choose(ids[:1])
    hand.drag(ids[1], 3.0, 12.0, done=True)
    assert goals(run.crowd, ids) == pytest.approx(np.array([[8.0, 8.0], [3.0, 12.0], [8.0, 5.0]]))
    hand.drag(999, 3.0, 12.0, done=True)


def test_it_is_known_when_everybody_planned_last(used: CrowdRun):
    used.choose(used.crowd.ids[:1])
    for _ in range(60):
        used.step()
    assert set(used.last_plans) == set(used.crowd.ids)
    assert all(0 < frame <= used.crowd.frame and plan_us > 0.0 for frame, plan_us in used.last_plans.values())
    assert re.search(r"last plan \d+ µs, \d\.\d s ago", chosen_html(used))


def test_a_large_crowd_is_looked_at_by_turns(used: CrowdRun, monkeypatch):
    monkeypatch.setattr("gambol.view.crowd.run.LOOKED", 3)
    figures = used.poses()
    seen = [set(used._next_looked(figures).tolist()) for _ in range(len(used.crowd))]
    assert {len(one) for one in seen} == {3}
    assert set().union(*seen) == set(used.crowd.ids)


def test_groups_have_shades_of_one_color_and_a_single_group_has_many():
    groups = Palette(["east-0", "east-1", "west-2"])
    assert groups.color(0, "east-0") != groups.color(1, "east-1")
    away = np.subtract(groups.color(0, "east-0"), groups.color(1, "east-1"))
    assert np.abs(away).max() < np.abs(np.subtract(groups.color(0, "east-0"), groups.color(2, "west-2"))).max()
    each = Palette(["walker-0", "walker-1"])
    assert each.color(0, "walker-0") != each.color(1, "walker-1")


def test_what_is_said_is_true_and_harmless(run: CrowdRun):
    run.crowd.names[0] = "<b>&"
    step(run, 75)
    run.choose([0])
    assert "&lt;b&gt;&amp;" in chosen_html(run)
    assert "<b><b>" not in chosen_html(run)
    text = counters_html(run)
    assert ">8<" in text
    assert "touches not by an edit" in text
    assert "2.5 s" in text
    assert histogram_html(run.plan_us).count("<rect") == 24
    assert "No plans" in histogram_html([])
    run.choose([])
    assert "No character" in chosen_html(run)


def test_a_way_leads_to_the_goal(used: CrowdRun):
    step(used, 30)
    for who in used.crowd.ids:
        way = way_of(used.crowd, who)
        assert way.shape[1] == 2
        assert np.array_equal(way[-1], goals(used.crowd, [who])[0])
        glance = glance_at(used.crowd, who)
        assert glance.condition == "on the way"
        assert glance.left_m is not None
        assert glance.left_m >= np.linalg.norm(way[-1] - way[0]) - 1e-9


def test_lanes_are_arrows_and_queues_are_in_order():
    door = """
name = "door"
kind = "crowd"
[world]
bounds = [0, 0, 30, 16]
[[obstacles]]
name = "south"
corners = [[15, 0], [15.3, 0], [15.3, 6], [15, 6]]
[[obstacles]]
name = "north"
corners = [[15, 10], [15.3, 10], [15.3, 16], [15, 16]]
[[groups]]
name = "walker"
count = 10
starts = { area = [1, 1, 9, 15] }
goals = { area = [20, 1, 29, 15] }
spacing_m = 1.6
"""
    run = CrowdRun(parse_scene(door))
    arrows = lane_arrows(run.crowd.floor)
    assert len(arrows) > 0
    assert len(arrows) % 3 == 0
    assert np.linalg.norm(arrows[: len(arrows) // 3, 0] - arrows[: len(arrows) // 3, 1], axis=1) == pytest.approx(0.6)
    step(run, 20)
    waiting = queues(run.crowd)
    assert waiting
    for queue in waiting:
        assert [glance_at(run.crowd, who).before for who in queue] == list(range(len(queue)))


def test_a_ring_is_flat_and_faces_up():
    vertices, triangles = ring_mesh(0.4, 0.5)
    a, b, c = vertices[triangles[:, 0]], vertices[triangles[:, 1]], vertices[triangles[:, 2]]
    normals = np.cross(b - a, c - a)
    assert (normals[:, 2] > 0.0).all()
    assert 0.5 * normals[:, 2].sum() == pytest.approx(math.pi * (0.25 - 0.16), rel=0.02)


def test_while_a_crowd_is_prepared_the_panel_says_so_and_its_people_stand_at_their_starts(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    viewer, roots, said = Viewer(port=0, folder=tmp_path), [], []
    tab = next(tab for tab in viewer.tabs if isinstance(tab, CrowdTab))

    def prepared(_: Scene) -> CrowdRun:
        said.append(tab._panel.counters.content)
        raise InvalidInput("this is enough")

    monkeypatch.setattr("gambol.view.crowd.tab.CrowdRun", prepared)
    monkeypatch.setattr(
        "gambol.view.crowd.starts.Bodies.place", lambda _, positions, rotations: roots.append(positions[:, 0])
    )
    try:
        with pytest.raises(InvalidInput, match="enough"):
            viewer.show(Document(SCENE, beside=tmp_path))
    finally:
        viewer.close()
    assert "Preparing the crowd" in said[0]
    assert np.allclose(roots[0][:, :2], [actor.start[:2] for actor in scene.cast], atol=0.1)
