from __future__ import annotations

import doctest
import json
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.judged import random_piece, segment_distance, signed_distances
from tests.support.sequences import random_names

from gambol.animate import Blends, play
from gambol.body import Body
from gambol.characters import Character, Step, clip_of, load_character, place_steps
from gambol.errors import InvalidInput
from gambol.geometry import planar, quaternion
from gambol.judges import cast as check_cast
from gambol.judges import motions as check
from gambol.judges.motions import CheckReport, Performer, check_motions
from gambol.judges.tables import tabulate_things, trajectory_spans
from gambol.motion import Motion, Skeleton
from gambol.world import Footprint, Mover, Obstacle, Terrain, Trajectory, World

WIDE = (-100.0, -100.0, 100.0, 100.0)
RATE_HZ = 60.0
seeds = st.integers(0, 2**32 - 1)
RANDOM = settings(deadline=None, max_examples=40)


# Figures of a few capsules around one joint, and what they do.


def stick(*capsules: tuple) -> Body:
    """Return a body of capsules (start, end, radius) around one joint."""
    starts, ends, radii = (np.array(column, dtype=float) for column in zip(*capsules, strict=True))
    return Body(Skeleton(["Root"], [-1], np.zeros((1, 3))), np.zeros(len(radii), dtype=int), starts, ends, radii, radii)


def ball(radius: float) -> Body:
    return stick(((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), radius))


def moved(body: Body, positions: object, headings: object = 0.0, *, rate_hz: float = RATE_HZ) -> Motion:
    places = np.asarray(positions, dtype=float)
    turns = quaternion.from_heading(np.broadcast_to(np.asarray(headings, dtype=float), len(places)))
    return Motion(body.skeleton, rate_hz, places, turns[:, None])


def flying(radius: float, positions: object, *, name: str = "Ann", start_s: float = 0.0) -> Performer:
    body = ball(radius)
    return Performer(name, moved(body, positions), body, start_s)


def on_the_way(thing: str, *knots: tuple, shape: Footprint, repeat: str = "once", top: float = 3.0) -> Mover:
    """Return a mover with knots (time, x, y, heading)."""
    table = np.array(knots, dtype=float)
    heights = np.tile((0.0, top), (len(table), 1))
    return Mover(thing, shape, Trajectory(table[:, 0], table[:, 1:], heights, repeat))


# The oracle: shapely in plan, heights apart, dense samples of axes and times.


def capsule_ends(performer: Performer, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return starts and ends (T, C, 3) of a performer's axes, straight lines between its frames."""
    motion = performer.motion
    at = np.clip((times - performer.start_s) * motion.rate_hz, 0.0, motion.frame_count - 1.0)
    frame = np.minimum(at.astype(int), max(motion.frame_count - 2, 0))
    share = (at - frame)[:, None, None]
    following = np.minimum(frame + 1, motion.frame_count - 1)
    starts, ends = ((1.0 - share) * p[frame] + share * p[following] for p in performer.body.place(motion))
    return starts, ends


def sampled_depth(
    performer: Performer, mover: Mover, times: np.ndarray, *, samples: int = 31, terrain: Terrain | None = None
) -> float:
    """Return the greatest depth of any capsule in a mover at any of many times."""
    starts, ends = capsule_ends(performer, times)
    shares = np.linspace(0.0, 1.0, samples)[:, None]
    axes = starts[:, :, None] + shares * (ends - starts)[:, :, None]  # (T, C, S, 3)
    if terrain is not None:
        axes[..., 2] -= terrain.height(axes)
    poses, heights = mover.trajectory.at(times)
    local = planar.apply(planar.invert(poses)[:, None, None], axes[..., :2])
    points = np.concatenate((local, axes[..., 2:]), axis=-1)
    bottom, top = (np.broadcast_to(side[:, None, None], points.shape[:3]).ravel() for side in heights.T)
    radius = performer.body.radius[:, None]
    return max(
        float((radius - signed_distances(points.reshape(-1, 3), piece, bottom, top).reshape(points.shape[:3])).max())
        for piece in mover.footprint.pieces
    )


@RANDOM
@given(seed=seeds, repeat=st.sampled_from(("once", "loop", "bounce")))
def test_spans_of_time_say_where_a_trajectory_is(seed: int, repeat: str):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 6))
    times = rng.uniform(-3.0, 3.0) + np.cumsum(rng.uniform(0.05, 1.5, count))
    trajectory = Trajectory(
        times, rng.normal(size=(count, 3)), np.sort(rng.normal(size=(count, 2)), axis=1) + (0, 1), repeat
    )
    begin, end = np.sort(rng.uniform(-10.0, 20.0, 2))
    mover = Mover("cart", Footprint.disc(0.3), trajectory)
    prisms = tabulate_things(World(WIDE, movers=(mover,)), begin, end)
    spans = trajectory_spans(trajectory, begin, end)
    for time in rng.uniform(begin, end, 50):
        n = next(n for n, span in enumerate(spans) if span.from_s <= time <= span.to_s)
        share = (time - spans[n].from_s) / (spans[n].to_s - spans[n].from_s)
        pose, heights = trajectory.at(time)
        assert prisms.pose_from[n] + share * (prisms.pose_to[n] - prisms.pose_from[n]) == pytest.approx(pose, abs=1e-6)
        lifted = prisms.heights_from[n] + share * (prisms.heights_to[n] - prisms.heights_from[n])
        assert lifted == pytest.approx(heights, abs=1e-6)


@pytest.mark.slow
@settings(deadline=None, max_examples=25)
@given(seed=seeds, terrain=st.booleans())
def test_collisions_are_those_of_dense_sampling(seed: int, terrain: bool):
    rng = np.random.default_rng(seed)
    capsules = [(*(0.5 * rng.normal(size=(2, 3))), rng.uniform(0.02, 0.15)) for _ in range(3)]
    body = stick(*capsules)
    frames = int(rng.integers(2, 4))
    motion = moved(body, rng.normal(size=(frames, 3)), rng.uniform(-1.5, 1.5, frames), rate_hz=5.0)
    performer = Performer("Ann", motion, body, start_s=float(rng.uniform(-1.0, 1.0)))
    knots = [(time, *rng.normal(size=2), rng.uniform(-4.0, 4.0)) for time in (-2.0, 0.3, 0.9, 3.0)]
    shape = Footprint((random_piece(rng),))
    mover = on_the_way("cart", *knots, shape=shape, repeat=str(rng.choice(["once", "loop", "bounce"])), top=0.8)
    hills = Terrain((-3.0, -3.0), 0.5, 0.3 * rng.uniform(size=(13, 13))) if terrain else None
    times = np.linspace(performer.start_s, performer.end_s, 301)
    expected = sampled_depth(performer, mover, times, terrain=hills)
    report = check_motions(World(WIDE, movers=(mover,), terrain=hills), [performer])
    found = max((collision.depth_m for collision in report.collisions), default=-np.inf)
    tolerance = 0.002 if terrain else 5e-4  # of the ground's pieces, and of what lies between samples
    if expected > 0.01 + tolerance:
        assert found >= expected - tolerance
    if report.collisions:
        deepest = max(report.collisions, key=lambda collision: collision.depth_m)
        then = sampled_depth(performer, mover, np.array([deepest.time_s]), samples=8001, terrain=hills)
        assert found == pytest.approx(then, abs=tolerance)


@pytest.mark.slow
@RANDOM
@given(seed=seeds)
def test_touches_are_those_of_dense_sampling_whatever_the_rates_and_starts(seed: int):
    rng = np.random.default_rng(seed)
    cast = []
    for name in ("Ann", "Bob"):
        body = stick(*[(*(0.4 * rng.normal(size=(2, 3))), rng.uniform(0.02, 0.1)) for _ in range(3)])
        frames, rate = int(rng.integers(1, 6)), float(rng.choice([3.0, 5.0, 7.5]))
        motion = moved(body, 0.8 * rng.normal(size=(frames, 3)), rng.uniform(-1.5, 1.5, frames), rate_hz=rate)
        cast.append(Performer(name, motion, body, start_s=float(rng.uniform(0.0, 1.0))))
    report = check_motions(World(WIDE), cast)
    times = np.linspace(min(p.start_s for p in cast), max(p.end_s for p in cast), 6001)
    (a, b), (c, d) = (capsule_ends(performer, times) for performer in cast)
    expected = -np.inf
    for i in range(3):
        for j in range(3):
            radii = cast[0].body.radius[i] + cast[1].body.radius[j]
            apart = [
                segment_distance((a[t, i], b[t, i]), (c[t, j], d[t, j]))[0] for t in range(0, len(times), 10)
            ]  # tested above
            expected = max(expected, radii - min(apart))
    found = max((touch.depth_m for touch in report.touches), default=-np.inf)
    travel = max(float(np.linalg.norm(np.diff(ends, axis=0), axis=-1).max()) for ends in (a, b, c, d)) * 10
    if expected > 0.0 or found > -np.inf:
        assert expected - 1e-4 <= found <= expected + 2.0 * travel


# Planted violations.


def box_beside(gap_m: float, *, radius: float = 0.05) -> World:
    """A wall to the left of the x axis, so far that a ball of the radius that goes along it leaves the gap."""
    wall = Obstacle("wall", Footprint.box(1.0, 0.2), (0.0, 0.1 + radius + gap_m, 0.0))
    return World(WIDE, (wall,))


@pytest.mark.parametrize("depth", [0.015, 0.011])
def test_a_single_frame_too_deep_is_found(depth: float):
    places = np.zeros((31, 3)) + (0.0, 0.0, 1.0)
    places[17, 1] = 0.10 + depth
    report = check_motions(box_beside(0.10), [flying(0.05, places)])
    (collision,) = report.collisions
    assert (collision.performer, collision.thing, collision.part) == ("Ann", "wall", "Root")
    assert collision.depth_m == pytest.approx(depth, abs=1e-9)
    assert collision.time_s == pytest.approx(17 / RATE_HZ)
    assert collision.place == pytest.approx(places[17])
    assert not report.is_clean


@pytest.mark.parametrize("depth", [-0.02, 0.0, 0.005, 0.0099])
def test_less_than_a_centimetre_is_no_collision(depth: float):
    places = np.zeros((31, 3)) + (0.0, 0.0, 1.0)
    places[17, 1] = 0.10 + depth
    assert check_motions(box_beside(0.10), [flying(0.05, places)]).is_clean


def test_a_collision_that_lasts_is_one_and_two_visits_are_two():
    places = np.zeros((40, 3)) + (0.0, 0.0, 1.0)
    places[5:12, 1] = 0.12
    places[20:30, 1] = 0.13
    report = check_motions(box_beside(0.10), [flying(0.05, places)])
    assert [round(c.depth_m, 6) for c in report.collisions] == [0.02, 0.03]


def test_a_thin_mover_that_flies_past_between_two_frames_is_found():
    blade = Footprint.box(0.001, 0.5)  # crosses 60 m in a second: a metre between frames, 1 mm thin
    mover = on_the_way("blade", (0.0, -30.25, 0.0, 0.0), (1.0, 29.75, 0.0, 0.0), shape=blade)
    performer = flying(0.012, np.tile((0.0, 0.0, 1.0), (61, 1)))
    frames = np.arange(61) / RATE_HZ
    assert sampled_depth(performer, mover, frames) < -0.2  # no frame shows it
    (collision,) = check_motions(World(WIDE, movers=(mover,)), [performer]).collisions
    assert collision.time_s == pytest.approx(30.25 / 60.0, abs=1e-3)
    aside = on_the_way("blade", (0.0, -30.25, 0.257, 0.0), (1.0, 29.75, 0.257, 0.0), shape=blade)
    assert check_motions(World(WIDE, movers=(aside,)), [performer]).is_clean  # half a centimetre deep


def test_a_body_that_flies_through_a_thin_wall_between_two_frames_is_found():
    pane = Obstacle("pane", Footprint.box(0.001, 2.0), (0.0, 0.0, 0.0))
    performer = flying(0.02, [(-1.0, 0.0, 1.0), (1.0, 0.0, 1.0)])
    (collision,) = check_motions(World(WIDE, (pane,)), [performer]).collisions
    assert collision.time_s == pytest.approx(0.5 / RATE_HZ, abs=1e-3)


def test_a_bar_that_turns_hits_what_it_sweeps_between_frames():
    bar = Footprint.box(4.0, 0.02)
    mover = on_the_way("bar", (0.0, 0.0, 0.0, 0.3), (0.1, 0.0, 0.0, 0.3 + 3.0), shape=bar)  # half a radian a frame
    standing = [(1.9 * np.cos(angle), 1.9 * np.sin(angle), 1.0) for angle in np.arange(0.3, 3.3, 0.05)]
    cast = [flying(0.012, np.tile(place, (7, 1)), name=str(n)) for n, place in enumerate(standing)]
    report = check_motions(World(WIDE, movers=(mover,)), cast)
    assert {collision.performer for collision in report.collisions} == {p.name for p in cast}
    outside = [
        flying(0.012, np.tile((2.007 * np.cos(a), 2.007 * np.sin(a), 1.0), (7, 1)), name=str(a))
        for a in np.arange(0.3, 3.3, 0.05)
    ]
    assert check_motions(World(WIDE, movers=(mover,)), outside).is_clean


def test_a_mover_that_jumps_in_its_loop_hits_where_it_lands_but_not_on_the_way():
    lands, between, ends = ((x, 0.0, 1.0) for x in (0.0, 5.0, 10.0))
    mover = on_the_way("tram", (0.0, 0.0, 0.0, 0.0), (0.505, 0.3, 0.0, 0.0), shape=Footprint.disc(0.1), repeat="loop")
    far = replace(mover, trajectory=replace(mover.trajectory, poses=[(9.6, 0.0, 0.0), (9.9, 0.0, 0.0)]))
    cast = [flying(0.05, np.tile(place, (90, 1)), name=name) for place, name in ((lands, "A"), (between, "B"))]
    cast.append(flying(0.05, np.tile(ends, (90, 1)), name="C"))
    report = check_motions(World(WIDE, movers=(mover,)), cast)
    assert [c.performer for c in report.collisions] == ["A", "A", "A"]
    assert [c.time_s for c in report.collisions] == pytest.approx([0.0, 0.505, 1.01], abs=1e-6)
    report = check_motions(World(WIDE, movers=(far,)), cast)
    assert {c.performer for c in report.collisions} == {"C"}


def test_a_ceiling_that_comes_down_is_found_at_its_lowest():
    heights = [[2.0, 3.0], [1.035, 3.0], [2.0, 3.0]]
    press = Mover("press", Footprint.disc(1.0), Trajectory([0.0, 0.508, 1.0], np.zeros((3, 3)), heights))
    performer = flying(0.05, np.tile((0.0, 0.0, 1.0), (61, 1)))
    (collision,) = check_motions(World(WIDE, movers=(press,)), [performer]).collisions
    assert (collision.time_s, collision.depth_m) == pytest.approx((0.508, 0.015), abs=1e-4)


def test_what_is_crossed_or_passed_below_is_no_collision():
    hurdle = Obstacle("hurdle", Footprint.box(0.1, 2.0), (0.0, 0.0, 0.0), 0.0, 0.5)
    beam = Obstacle("beam", Footprint.box(0.1, 2.0), (0.0, 0.0, 0.0), 0.65, 1.0)
    through = flying(0.05, np.column_stack((np.linspace(-1, 1, 30), np.zeros(30), np.full(30, 0.56))))
    assert check_motions(World(WIDE, (hurdle, beam)), [through]).is_clean
    higher = Obstacle("hurdle", Footprint.box(0.1, 2.0), (0.0, 0.0, 0.0), 0.0, 0.525)
    (collision,) = check_motions(World(WIDE, (higher, beam)), [through]).collisions
    assert (collision.thing, collision.depth_m) == ("hurdle", pytest.approx(0.015, abs=1e-4))


def test_heights_count_from_the_local_ground():
    slope = Terrain((-5.0, -5.0), 1.0, np.add.outer(np.zeros(11), 0.3 * np.arange(-5.0, 6.0)))
    hurdle = Obstacle("hurdle", Footprint.box(0.1, 2.0), (2.0, 0.0, 0.0), 0.0, 0.5)
    x = np.linspace(-1.0, 4.0, 60)
    for above, clear in ((0.56, True), (0.535, False)):
        performer = flying(0.05, np.column_stack((x, np.zeros(60), 0.3 * x + above)))
        assert check_motions(World(WIDE, (hurdle,), terrain=slope), [performer]).is_clean == clear


def test_leaving_the_bounds_by_more_than_a_centimetre_is_a_collision():
    world = World((-1.0, -1.0, 1.0, 1.0))
    for reach, clear in ((0.955, True), (0.965, False), (-0.955, True), (-0.965, False)):
        places = np.zeros((20, 3))
        places[7, 1] = reach
        report = check_motions(world, [flying(0.05, places)])
        assert report.is_clean == clear
        assert len(report.left_bounds) == (0 if clear else 1)
    (collision,) = report.left_bounds
    assert (collision.thing, collision.depth_m) == ("bounds", pytest.approx(0.015))
    assert collision.time_s == pytest.approx(7 / RATE_HZ)


@pytest.mark.parametrize(("gap", "touches"), [(-0.001, 1), (0.0, 1), (0.001, 0)])
def test_capsules_that_meet_touch_and_those_a_millimetre_apart_do_not(gap: float, touches: int):
    x = np.linspace(-2.0, 2.0, 9)  # half a metre a frame: they pass each other between frames
    ann = flying(0.05, np.column_stack((x - 0.07, np.zeros(9), np.ones(9))), name="Ann")
    bob = flying(0.07, np.column_stack((-x, np.full(9, 0.12 + gap), np.ones(9))), name="Bob")
    report = check_motions(World(WIDE), [ann, bob])
    assert len(report.touches) == touches
    for touch in report.touches:
        assert (touch.first, touch.second) == ("Ann", "Bob")
        assert touch.depth_m == pytest.approx(-gap, abs=1e-4)


def test_who_waits_or_has_arrived_can_be_touched():
    x = np.linspace(-2.0, 2.0, 121)
    passing = flying(0.05, np.column_stack((x, np.zeros(121), np.ones(121))), start_s=1.0)
    for start_s, name in ((-5.0, "arrived"), (9.0, "waiting")):
        standing = flying(0.05, np.zeros((31, 3)) + (0.0, 0.05, 1.0), name=name, start_s=start_s)
        (touch,) = check_motions(World(WIDE), [passing, standing]).touches
        assert {touch.first, touch.second} == {"Ann", name}
        assert touch.time_s == pytest.approx(2.0, abs=0.02)


def test_movers_meet_who_rests_only_if_asked():
    mover = on_the_way("cart", (0.0, -5.0, 0.0, 0.0), (10.0, 5.0, 0.0, 0.0), shape=Footprint.disc(0.3))
    standing = flying(0.05, np.zeros((31, 3)) + (0.0, 0.0, 1.0))
    world = World(WIDE, movers=(mover,))
    assert check_motions(world, [standing], until_s=10.0).is_clean
    (collision,) = check_motions(world, [standing], until_s=10.0, resting=True).collisions
    assert collision.time_s == pytest.approx(5.0, abs=0.01)
    early = replace(standing, start_s=8.0)
    before = flying(0.05, np.zeros((2, 3)) + (0.0, 40.0, 1.0), name="Bob")
    assert check_motions(world, [early, before]).is_clean
    (collision,) = check_motions(world, [early, before], resting=True).collisions
    assert (collision.performer, collision.time_s) == ("Ann", pytest.approx(5.0, abs=0.01))
    assert check_motions(world, [early], resting=True).is_clean
    (collision,) = check_motions(world, [early], from_s=0.0, resting=True).collisions
    assert collision.time_s == pytest.approx(5.0, abs=0.01)
    with pytest.raises(InvalidInput, match="begin at a finite time"):
        check_motions(world, [early], from_s=np.nan)


def test_who_ends_in_an_obstacle_and_rests_there_has_one_collision():
    performer = flying(0.05, np.linspace((-1.0, 0.0, 1.0), (0.0, 0.0, 1.0), 31))
    world = World(WIDE, (Obstacle("box", Footprint.box(0.5, 0.5), (0.0, 0.0, 0.0)),))
    assert len(check_motions(world, [performer], until_s=5.0, resting=True).collisions) == 1


def test_a_capsule_thinner_than_a_centimetre_collides_when_its_axis_enters():
    for y, clear in ((0.1049, True), (0.1051, False)):
        performer = flying(0.005, np.tile((0.0, y, 1.0), (2, 1)))
        assert check_motions(box_beside(0.10, radius=0.005), [performer]).is_clean == clear


# Steps.


@cache
def blends() -> Blends:
    return Blends.of(load_character("human"))


def jogger(*names: str, start: tuple[float, float, float] = (0.5, -0.3, 0.7)) -> Performer:
    human = load_character("human")
    steps = place_steps(human, names or ("start", "jog", "jog-left-30", "stop"), start=start)
    motion = play(human, steps, blends=blends())
    return Performer("Ann", motion, Body.from_skeleton(human.skeleton), 0.0, steps, human)


def illegal(performer: Performer) -> list[tuple[int, str]]:
    found = check_motions(World(WIDE), [performer]).illegal_transitions
    return [(finding.step, finding.reason) for finding in found]


@pytest.mark.slow
def test_what_is_realized_from_legal_steps_is_legal():
    human = load_character("human")
    for seed in range(10):
        assert illegal(jogger(*random_names(human, np.random.default_rng(seed), 6))) == []


def test_steps_that_may_not_follow_each_other_are_found():
    performer = jogger("start", "jog", "jog", "stop")
    jog, crawl = performer.steps[2], load_character("human").index("crawl-cycle")
    steps = (*performer.steps[:2], replace(jog, behavior=crawl), performer.steps[3])
    found = illegal(replace(performer, steps=steps))
    assert (2, "'crawl-cycle' may not follow 'jog'") in found
    assert any(step == 3 and "may not follow 'crawl-cycle'" in reason for step, reason in found)


@pytest.mark.parametrize(
    "changes",
    [{"pose": (1.0, 0.0, 0.0)}, {"frame": 1000}, {"behavior": 10_000}, {"behavior": -1}, {"clip": 99}],
)
def test_steps_that_do_not_join_or_exist_are_found(changes: dict):
    performer = jogger()
    steps = list(performer.steps)
    steps[2] = replace(steps[2], **changes)
    assert 2 in [step for step, _ in illegal(replace(performer, steps=steps))]


@pytest.mark.parametrize(("away", "found"), [(0.03, True), (0.015, False)])
def test_a_root_that_strays_from_its_steps_for_one_frame_is_found(away: float, found: bool):
    performer = jogger()
    places = np.array(performer.motion.root_positions)
    places[41, 0] += away
    report = illegal(replace(performer, motion=replace(performer.motion, root_positions=places)))
    assert bool(report) == found
    assert all("the delivered root is up to 3" in reason for _, reason in report)


def test_a_motion_that_is_longer_or_starts_at_another_time_than_its_steps_is_found():
    performer = jogger()
    motion = performer.motion
    longer = replace(
        motion,
        root_positions=np.concatenate((motion.root_positions, motion.root_positions[-1:])),
        rotations=np.concatenate((motion.rotations, motion.rotations[-1:])),
    )
    assert any("the steps last" in reason for _, reason in illegal(replace(performer, motion=longer)))
    assert any("the motion at 0.500 s" in reason for _, reason in illegal(replace(performer, start_s=0.5)))


# The built-in human.


def body_span(performer: Performer) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and greatest x, y, z of all capsules over all frames."""
    starts, ends = performer.body.place(performer.motion)
    radius = performer.body.radius[:, None]
    low, high = np.minimum(starts, ends) - radius, np.maximum(starts, ends) + radius
    return low.reshape(-1, 3).min(axis=0), high.reshape(-1, 3).max(axis=0)


def corridor(performer: Performer, gap_m: float) -> World:
    """Two walls and a ceiling along the x axis that leave the same gap to the widest and highest the body gets."""
    low, high = body_span(performer)
    long = Footprint.box(30.0, 1.0)
    return World(
        WIDE,
        (
            Obstacle("left", long, (0.0, high[1] + gap_m + 0.5, 0.0)),
            Obstacle("right", long, (0.0, low[1] - gap_m - 0.5, 0.0)),
            Obstacle("ceiling", Footprint.box(30.0, 5.0), (0.0, 0.0, 0.0), high[2] + gap_m, high[2] + 1.0),
        ),
    )


def test_a_jog_through_a_corridor_two_centimetres_too_wide_is_clear_and_too_narrow_is_not():
    performer = jogger("start", "jog", "jog", "jog", "stop", start=(0.0, 0.0, 0.0))
    assert check_motions(corridor(performer, 0.02), [performer]).is_clean
    assert check_motions(corridor(performer, -0.005), [performer]).is_clean
    report = check_motions(corridor(performer, -0.02), [performer])
    assert {collision.thing for collision in report.collisions} == {"left", "right", "ceiling"}
    for thing in ("left", "right", "ceiling"):
        depth = max(collision.depth_m for collision in report.collisions if collision.thing == thing)
        assert depth == pytest.approx(0.02, abs=1e-4)


def cylinders(character: Character, steps: tuple[Step, ...]) -> tuple[np.ndarray, ...]:
    """Return axes (N, 2), radii, lows and highs of all the cylinders that a planner would look at."""
    columns = []
    for step in steps:
        clip = clip_of(character, step)
        poses = planar.compose(step.pose, clip.path)
        axes = planar.apply(poses[:, None], clip.shape.offset)
        shape = clip.shape
        columns.append((axes.reshape(-1, 2), shape.radius.ravel(), shape.low.ravel(), shape.high.ravel()))
    return tuple(np.concatenate(column) for column in zip(*columns, strict=True))


def just_free(rng: np.random.Generator, axes: np.ndarray, radii: np.ndarray, low: np.ndarray, high: np.ndarray):
    """Return an obstacle that touches the cylinders from outside: pushed towards them until it does."""
    bottom = float(rng.choice([0.0, rng.uniform(0.2, 1.6)]))
    top = bottom + float(rng.uniform(0.1, 1.0))
    heading, toward = rng.uniform(-np.pi, np.pi, 2)
    near = (low < top) & (high > bottom) & (radii > 0.0)
    target = axes[rng.choice(np.flatnonzero(near))] if near.any() else axes[0]
    shape = Footprint.box(*rng.uniform(0.05, 1.0, 2))

    def gap(away: float) -> float:
        region = shape.region((*(target + away * np.array([np.cos(toward), np.sin(toward)])), heading))
        return float((shapely.distance(region, shapely.points(axes[near])) - radii[near]).min()) if near.any() else 1.0

    inside, outside = 0.0, 5.0 + float(np.ptp(axes, axis=0).sum())  # surely beyond all of them
    while outside - inside > 1e-7:
        middle = 0.5 * (inside + outside)
        inside, outside = (middle, outside) if gap(middle) < 0.0 else (inside, middle)
    place = target + outside * np.array([np.cos(toward), np.sin(toward)])
    return Obstacle("box", shape, (float(place[0]), float(place[1]), float(heading)), bottom, top)


@pytest.mark.slow
@settings(deadline=None, max_examples=12)
@given(seed=seeds)
def test_what_is_just_free_for_a_planner_is_free_in_the_check(seed: int):
    rng = np.random.default_rng(seed)
    human = load_character("human")
    performer = jogger(*random_names(human, rng, 4), start=tuple(rng.uniform(-2.0, 2.0, 3)))
    shapes = cylinders(human, performer.steps)
    boxes = tuple(replace(just_free(rng, *shapes), name=str(number)) for number in range(6))
    report = check_motions(World(WIDE, boxes), [performer], collision_depth_m=5e-5)
    assert report.is_clean, report.summary


# The report.


def scene() -> tuple[World, list[Performer]]:
    walls = corridor(jogger("jog", "jog", start=(0.0, 0.0, 0.0)), -0.03)
    mover = on_the_way("cart", (0.0, 3.0, 0.0, 0.0), (2.0, -3.0, 0.0, 4.0), shape=Footprint.box(0.5, 0.2))
    ann = jogger("jog", "jog", start=(0.0, 0.0, 0.0))
    bob = replace(jogger("jog", "jog", start=(3.0, 0.2, np.pi)), name="Bob", start_s=0.21)
    return World(WIDE, walls.obstacles, (mover,)), [ann, bob]


def facts(report: CheckReport) -> str:
    return json.dumps(report.to_json())


def test_the_report_does_not_depend_on_how_much_is_looked_at_at_a_time(monkeypatch: pytest.MonkeyPatch):
    world, cast = scene()
    whole = check_motions(world, cast)
    assert whole.collisions
    assert whole.touches
    assert facts(check_motions(world, cast)) == facts(whole)
    monkeypatch.setattr(check_cast, "MOST_CAPSULES", 1)
    shares: list[float] = []
    assert facts(check_motions(world, cast, progress=shares.append)) == facts(whole)
    assert len(shares) > 3
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_the_report_counts_and_tells():
    world, cast = scene()
    report = check_motions(world, cast)
    counts = report.to_json()
    assert counts["frames"] == sum(performer.motion.frame_count for performer in cast) == report.frames
    for key in ("collisions", "touches", "illegal_transitions"):
        assert counts[key] == len(getattr(report, key)) == len(counts["details"][key])
    assert len(report.illegal_transitions) == 1  # Bob starts late
    assert f"{len(report.touches)} touches" in report.summary
    assert any("Ann touches Bob" in line for line in report.findings)
    half = check_motions(world, cast, until_s=0.5)
    assert half.frames == 31 + 18
    nobody = check_motions(world, [])
    assert nobody.is_clean
    assert nobody.frames == 0


def test_wrong_input_is_refused():
    performer = jogger()
    with pytest.raises(InvalidInput, match="unique names"):
        check_motions(World(WIDE), [performer, performer])
    with pytest.raises(InvalidInput, match="must end after"):
        check_motions(World(WIDE), [performer], until_s=-1.0)
    with pytest.raises(InvalidInput, match="not be negative"):
        check_motions(World(WIDE), [performer], collision_depth_m=-0.01)
    with pytest.raises(InvalidInput, match="steps need their character"):
        replace(performer, character=None)


def test_the_example_in_the_docstring_is_true():
    assert doctest.testmod(check).failed == 0
