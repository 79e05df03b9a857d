from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.footprints import FOOTPRINTS
from tests.support.sequences import random_names
from tests.support.statues import write_course

from gambol.characters import ActionTable, Character, Step, clip_of, load_character, place_steps
from gambol.characters.action_table import action_table
from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.search.kernels.traffic import (
    BEYOND_HORIZON,
    NOTHING,
    body_blocking_thing,
    body_is_free_at,
    body_stays_free,
    disc_blocking_thing,
    disc_is_free_at,
    is_quiet,
)
from gambol.search.traffic import Traffic
from gambol.world import Footprint, Mover, Trajectory, World

RATE_HZ = 30.0
HORIZON = 150
EXACT_M = 1e-6  # nearer to touching than this, either answer will do


@pytest.fixture(scope="module")
def statue(tmp_path_factory: pytest.TempPathFactory) -> Character:
    return load_character(write_course(tmp_path_factory.mktemp("statue")))


def gap(footprint: Footprint, pose: np.ndarray, x: float, y: float) -> float:
    """Return the distance from a point to a footprint, by shapely."""
    return min(
        shapely.distance(shapely.convex_hull(shapely.MultiPoint(piece.corners)), shapely.Point(x, y)) - piece.radius_m
        for piece in footprint.placed(pose)
    )


def random_mover(rng: np.random.Generator, name: str = "mover", *, spread_m: float = 6.0) -> Mover:
    """Return a mover that travels, turns and rises at random."""
    count = int(rng.integers(1, 6))
    repeat = str(rng.choice(["once", "loop", "bounce"])) if count > 1 else "once"
    steps = rng.uniform(0.01, 1.2, count)
    if rng.random() < 0.3:
        steps = np.round(steps * 2.0 * RATE_HZ + 1.0) / (2.0 * RATE_HZ)  # keyframes on frames and between them
    poses = np.column_stack((rng.uniform(-spread_m, spread_m, (count, 2)), rng.uniform(-4.0, 4.0, count)))
    bottoms = rng.uniform(0.0, 1.0, count)
    heights = np.column_stack((bottoms, bottoms + rng.uniform(0.1, 1.0, count)))
    times = np.cumsum(steps) - rng.choice([steps[0], 2.0, 0.0])
    return Mover(name, FOOTPRINTS[rng.integers(len(FOOTPRINTS))], Trajectory(times, poses, heights, repeat))


seeds = st.integers(0, 2**32 - 1)


@pytest.mark.slow
@settings(deadline=None, max_examples=150)
@given(seeds)
def test_a_mover_never_enters_what_is_declared_free_within_half_a_frame(seed: int):
    rng = np.random.default_rng(seed)
    mover = random_mover(rng)
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_mover(mover)
    for _ in range(12):
        frame = int(rng.integers(0, HORIZON + 1))
        times = (frame + np.linspace(-0.5, 0.5, 41)) / RATE_HZ
        poses, heights = mover.trajectory.at(times)
        near = poses[rng.integers(41), :2] + rng.uniform(-2.5, 2.5, 2)
        radius, low = float(rng.uniform(0.05, 1.8)), float(rng.uniform(-0.2, 1.8))
        high = low + float(rng.uniform(0.05, 1.0))
        overlaps = (heights[:, 0] < high) & (heights[:, 1] > low)
        entered = any(gap(mover.footprint, pose, *near) < radius for pose in poses[overlaps])
        if entered:
            assert not disc_is_free_at(traffic.table, *near, radius, low, high, frame)


@pytest.mark.slow
@settings(deadline=None, max_examples=100)
@given(seeds)
def test_what_is_declared_blocked_is_nearly_met(seed: int):
    rng = np.random.default_rng(seed)
    mover = random_mover(rng)
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_mover(mover)
    for _ in range(12):
        frame = int(rng.integers(0, HORIZON + 1))
        times = (frame + np.linspace(-0.50001, 0.50001, 41)) / RATE_HZ  # an end belongs to both frames
        poses, _ = mover.trajectory.at(times)
        leaps = np.linalg.norm(np.diff(poses[:, :2], axis=0), axis=1)
        leaps += mover.footprint.reach_m * np.abs(np.diff(poses[:, 2]))
        if mover.trajectory.repeat == "loop":
            leaps = np.sort(leaps)[:-3]  # without jumps: what lies between is never passed
        near = poses[rng.integers(41), :2] + rng.uniform(-3.0, 3.0, 2)
        radius = float(rng.uniform(0.05, 1.8))
        if disc_is_free_at(traffic.table, *near, radius, 0.0, 3.0, frame):
            continue
        assert min(gap(mover.footprint, pose, *near) for pose in poses) <= radius + 1.2 * leaps.sum() + 0.01
        tops = mover.trajectory.heights_m[:, 1]
        rise_m_s = np.abs(np.diff(tops) / np.diff(mover.trajectory.times_s)).max(initial=0.0)
        around = (frame + np.linspace(-1.0, 1.0, 81)) / RATE_HZ  # ways between two frames are enclosed whole
        highest = mover.trajectory.at(around)[1][:, 1].max()
        low = float(highest + rise_m_s * (around[1] - around[0])) + EXACT_M  # the top, if between two times
        assert disc_is_free_at(traffic.table, *near, radius, low, low + 1.0, frame)


@settings(deadline=None, max_examples=60)
@given(seeds)
def test_a_thing_at_rest_is_looked_up_exactly(seed: int):
    rng = np.random.default_rng(seed)
    pose = rng.uniform(-3.0, 3.0, 3)
    footprint = FOOTPRINTS[rng.integers(len(FOOTPRINTS))]
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_mover(Mover("gate", footprint, Trajectory(np.zeros(1), pose[None], np.array([[0.5, 1.0]]))))
    for _ in range(10):
        x, y = rng.uniform(-6.0, 6.0, 2)
        room = gap(footprint, pose, x, y)
        for radius in (room - EXACT_M, room + EXACT_M):
            if radius > 0.0:
                frame = int(rng.integers(0, 2 * HORIZON))
                assert disc_is_free_at(traffic.table, x, y, radius, 0.0, 2.0, frame) == (radius < room)
                assert disc_is_free_at(traffic.table, x, y, radius, 1.001, 2.0, frame)
                assert disc_is_free_at(traffic.table, x, y, radius, 0.0, 0.499, frame)


def discs_of_body(character: Character, steps: tuple[Step, ...], frame: int) -> np.ndarray:
    """Return the cylinders x, y, radius, low, high (N, 5) of a body at a frame, straight from its clips."""
    first, last = steps[0].frame, steps[-1].frame + clip_of(character, steps[-1]).duration
    frame = min(max(frame, first), last)
    found = []
    for step in steps:
        clip = clip_of(character, step)
        instant = frame - step.frame
        if 0 <= instant <= clip.duration:
            shape = clip.shape
            pose = planar.compose(np.array(step.pose), clip.path[instant])
            centres = planar.apply(pose, shape.offset[instant])
            found.append(np.column_stack((centres, shape.radius[instant], shape.low[instant], shape.high[instant])))
    cylinders = np.concatenate(found)
    return cylinders[cylinders[:, 4] > cylinders[:, 3]]


def closeness(first: np.ndarray, second: np.ndarray) -> float:
    """Return the least gap between cylinders of two sets whose heights overlap; negative where they meet."""
    gaps = np.linalg.norm(first[:, None, :2] - second[None, :, :2], axis=-1) - first[:, None, 2] - second[None, :, 2]
    apart = np.maximum(first[:, None, 3] - second[None, :, 4], second[None, :, 3] - first[:, None, 4])
    return float(np.where(apart > 0.0, np.inf, gaps).min())


def random_body(statue: Character, rng: np.random.Generator, *, start_frame: int = 0) -> tuple[Step, ...]:
    start = (*rng.uniform(-5.0, 5.0, 2), rng.uniform(-3.0, 3.0))
    return place_steps(statue, random_names(statue, rng, 3), start=start, frame=start_frame)


def parts(table: ActionTable) -> tuple[np.ndarray, ...]:
    return table.part_offset, table.part_radius, table.part_low, table.part_high, table.outer_radius


@pytest.mark.parametrize("seed", range(6))
def test_bodies_are_free_of_one_another_exactly_where_their_cylinders_are(statue: Character, seed: int):
    rng = np.random.default_rng(seed)
    actions = action_table(statue)
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    bodies = [random_body(statue, rng, start_frame=int(rng.integers(0, 40))) for _ in range(6)]
    for number, steps in enumerate(bodies):
        assert traffic.add_body(statue, steps, name=f"body {number}") == number
    answers = {True: 0, False: 0}
    for _ in range(300):
        frame = int(rng.integers(0, traffic.last_change_frame + 40))
        clip = int(rng.integers(len(actions.duration)))
        instant = int(rng.integers(actions.duration[clip] + 1))
        sample = int(actions.clip_samples[clip]) + instant
        x, y = discs_of_body(statue, bodies[rng.integers(6)], frame)[0, :2] + rng.uniform(-0.8, 0.8, 2)
        heading, extra = float(rng.uniform(-3.0, 3.0)), float(rng.choice([0.0, 0.1]))
        shape = statue.behaviors[actions.clip_behavior[clip]].clips[0].shape
        centres = planar.apply(np.array([x, y, heading]), shape.offset[instant])
        low, high = shape.low[instant], shape.high[instant]
        mine = np.column_stack((centres, shape.radius[instant], low - extra, high + extra))[high > low]
        rooms = [closeness(mine, discs_of_body(statue, steps, frame)) for steps in bodies]
        if min(abs(room) for room in rooms) < EXACT_M:
            continue
        place = (x, y, np.cos(heading), np.sin(heading))
        free = body_is_free_at(traffic.table, *parts(actions), sample, *place, frame, 0.0, extra, extra)
        answers[free] += 1
        assert free == (min(rooms) > 0.0)
        thing = body_blocking_thing(traffic.table, *parts(actions), sample, *place, frame, 0.0, extra, extra)
        assert thing == NOTHING if free else rooms[thing] < 0.0
    assert min(answers.values()) > 30


def test_where_two_clips_meet_both_instants_count(statue: Character):
    steps = place_steps(statue, ["roll", "left"])
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_body(statue, steps, name="one")
    meeting = steps[1].frame
    expected = discs_of_body(statue, steps, meeting)
    assert len(expected) == 2 * len(discs_of_body(statue, steps, meeting + 1))
    for x, y, radius, low, high in expected:
        rim = radius + 0.01 - EXACT_M
        assert not disc_is_free_at(traffic.table, x + rim, y, 0.01, low, high, meeting)


def test_a_body_stands_before_its_first_step_and_stays_after_its_last(statue: Character):
    steps = place_steps(statue, ["roll", "roll"], frame=50)
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_body(statue, steps, name="one")
    assert not disc_is_free_at(traffic.table, 0.0, 0.0, 0.1, 0.0, 2.0, 0)
    assert disc_is_free_at(traffic.table, 2.0, 0.0, 0.1, 0.0, 2.0, 0)
    assert disc_is_free_at(traffic.table, 0.0, 0.0, 0.1, 0.0, 2.0, traffic.last_change_frame + 1)
    for late in (traffic.last_change_frame, traffic.last_change_frame + 1, 1_000_000):
        assert not disc_is_free_at(traffic.table, 2.0, 0.0, 0.1, 0.0, 2.0, late)


def crowd(rng: np.random.Generator, statue: Character) -> tuple[Traffic, list[Mover], list[tuple[Step, ...]]]:
    """Return a traffic of movers and bodies spread over a field, two of them too large for single cells."""
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    movers = [random_mover(rng, f"mover {number}", spread_m=15.0) for number in range(25)]
    sweep = Trajectory(
        np.array([0.0, 4.0]), np.array([[0.0, 300.0, 0.0], [0.0, -300.0, 0.0]]), np.array([[0, 1.0]] * 2)
    )
    movers.append(Mover("sweeping bar", Footprint.box(400.0, 0.5), sweep))
    parked = Trajectory(np.zeros(1), np.array([[9.0, 0.0, 0.0]]), np.array([[0.0, 1.0]]))
    movers.append(Mover("long wall", Footprint.box(0.2, 300.0), parked))
    bodies = [random_body(statue, rng, start_frame=int(rng.integers(0, 30))) for _ in range(5)]
    for mover in movers:
        traffic.add_mover(mover)
    for number, steps in enumerate(bodies):
        traffic.add_body(statue, steps, name=f"body {number}")
    return traffic, movers, bodies


def records_met(traffic: Traffic, x: float, y: float, radius: float, low: float, high: float, frame: int) -> set[int]:
    """Return the things any of whose records a cylinder meets, by going through all of them."""
    table, met = traffic.table, set()
    for thing, (first, last, first_slot, _) in enumerate(table.things):
        slot = first_slot + min(max(frame, first), last) - first
        for record in range(*table.slots[slot]):
            _, _, _, lowest, highest, origin_x, origin_y, cosine, sine, growth = table.records[record]
            pose = np.array([origin_x, origin_y, np.arctan2(sine, cosine)])
            for prism in range(*table.shape_prisms[table.record_shapes[record]]):
                rounding, bottom, top = table.prisms[prism]
                corners = slice(*table.prism_corners[prism])
                outline = planar.apply(pose, np.column_stack((table.corner_x[corners], table.corner_y[corners])))
                shape = shapely.convex_hull(shapely.MultiPoint(outline))
                near = shapely.distance(shape, shapely.Point(x, y)) <= radius + rounding + growth
                if near and low <= min(top, highest) and high >= max(bottom, lowest):
                    met.add(thing)
    return met


@pytest.mark.parametrize("seed", range(3))
def test_a_look_up_finds_what_going_through_all_records_finds(statue: Character, seed: int):
    rng = np.random.default_rng(seed)
    traffic, _, _ = crowd(rng, statue)
    answers = {True: 0, False: 0}
    for _ in range(100):
        x, y = rng.uniform(-16.0, 16.0, 2)
        radius, low, frame = float(rng.uniform(0.05, 4.0)), float(rng.uniform(-0.2, 2.0)), int(rng.integers(HORIZON))
        met = records_met(traffic, x, y, radius, low, low + 0.6, frame)
        free = disc_is_free_at(traffic.table, x, y, radius, low, low + 0.6, frame)
        answers[free] += 1
        assert free == (not met)
        thing = disc_blocking_thing(traffic.table, x, y, radius, low, low + 0.6, frame)
        assert thing in met if met else thing == NOTHING
    assert min(answers.values()) > 10


@pytest.mark.parametrize("seed", range(4))
def test_where_it_is_quiet_every_look_up_is_free(statue: Character, seed: int):
    rng = np.random.default_rng(seed)
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    for number in range(8):
        traffic.add_mover(random_mover(rng, f"mover {number}", spread_m=20.0))
    traffic.add_body(statue, random_body(statue, rng, start_frame=40), name="body")
    table = traffic.table
    quiet = 0
    for _ in range(300):
        x, y = rng.uniform(-30.0, 30.0, 2)
        radius, first = float(rng.uniform(0.2, 5.0)), int(rng.integers(0, HORIZON - 40))
        last = first + int(rng.integers(0, 40))
        if is_quiet(table, x, y, radius, first, last):
            quiet += 1
            for frame in range(first, last + 1):
                assert disc_is_free_at(table, x, y, radius, -1.0, 3.0, frame)
    assert quiet > 30
    assert not is_quiet(table, 0.0, 0.0, 100.0, 0, 10)


def test_it_is_quiet_until_a_body_arrives_and_again_after_it_has_left(statue: Character):
    steps = place_steps(statue, ["roll"] * 12, frame=40)
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_body(statue, steps, name="body")
    arrival = traffic.last_change_frame
    end = float(steps[-1].pose[0]) + 1.0
    assert is_quiet(traffic.table, end, 0.0, 0.5, 0, 39)
    assert not is_quiet(traffic.table, end, 0.0, 0.5, arrival + 500, arrival + 600)
    assert not is_quiet(traffic.table, 0.0, 0.0, 0.5, 0, 10)
    assert is_quiet(traffic.table, 0.0, 0.0, 0.5, arrival + 500, arrival + 600)


def test_a_body_stays_free_exactly_if_it_is_free_at_every_later_frame(statue: Character):
    actions = action_table(statue)
    answers = {True: 0, False: 0}
    for seed in range(4):
        rng = np.random.default_rng(seed)
        traffic, _, _ = crowd(rng, statue)
        if seed % 2 == 0:  # also where everything comes to rest
            traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
            for number in range(5):
                traffic.add_body(statue, random_body(statue, rng), name=f"body {number}")
        for _ in range(25):
            first, sample = int(rng.integers(0, HORIZON)), int(rng.integers(len(actions.outer_radius)))
            place = (*rng.uniform(-12.0, 12.0, 2), 1.0, 0.0)
            until = HORIZON if traffic.is_endless else traffic.last_change_frame + 100
            each = [
                body_is_free_at(traffic.table, *parts(actions), sample, *place, frame, 0.0, 0.0, 0.0)
                for frame in range(first, until + 1)
            ]
            stays = body_stays_free(traffic.table, *parts(actions), sample, *place, first, 0.0, 0.0, 0.0)
            answers[stays] += 1
            assert stays == all(each)
    assert min(answers.values()) > 5


def test_a_loop_that_jumps_blocks_where_it_leaves_and_lands_but_not_between():
    trajectory = Trajectory(
        np.array([0.0, 1.0]), np.array([[0.0, 0, 0], [20.0, 0, 0]]), np.array([[0, 1.0]] * 2), "loop"
    )
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_mover(Mover("train", Footprint.disc(0.5), trajectory))
    for jump in (30, 60, 90):
        assert not disc_is_free_at(traffic.table, 0.0, 0.0, 0.3, 0.0, 1.0, jump)
        assert not disc_is_free_at(traffic.table, 20.0, 0.0, 0.3, 0.0, 1.0, jump)
        assert disc_is_free_at(traffic.table, 10.0, 0.0, 0.3, 0.0, 1.0, jump)


def test_beyond_the_horizon_nothing_is_free_if_something_never_stops(statue: Character):
    back_and_forth = Trajectory(
        np.array([0.0, 2.0]), np.array([[0.0, 0, 0], [4.0, 0, 0]]), np.array([[0, 1.0]] * 2), "bounce"
    )
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_body(statue, place_steps(statue, ["roll"]), name="body")
    assert disc_is_free_at(traffic.table, 50.0, 50.0, 0.1, 0.0, 1.0, HORIZON + 1)
    assert traffic.last_change_frame < HORIZON
    traffic.add_mover(Mover("shuttle", Footprint.disc(0.5), back_and_forth))
    assert traffic.is_endless
    assert traffic.last_change_frame == HORIZON
    assert disc_is_free_at(traffic.table, 50.0, 50.0, 0.1, 0.0, 1.0, HORIZON)
    assert disc_blocking_thing(traffic.table, 50.0, 50.0, 0.1, 0.0, 1.0, HORIZON + 1) == BEYOND_HORIZON
    assert not is_quiet(traffic.table, 50.0, 50.0, 0.1, HORIZON - 5, HORIZON + 1)


@pytest.mark.parametrize(("begins_s", "ends_s"), [(-9.0, -8.0), (4.9, 5.1), (100.0, 101.0)])
def test_a_mover_that_moves_before_at_or_after_the_laid_out_time_is_where_it_should_be(begins_s: float, ends_s: float):
    times, ends = np.array([begins_s, ends_s]), np.array([[0.0, 0, 0], [8.0, 0, 0]])
    mover = Mover("late", Footprint.disc(0.5), Trajectory(times, ends, np.array([[0, 1.0]] * 2)))
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_mover(mover)
    assert traffic.is_endless == (ends_s * RATE_HZ >= HORIZON - 1)
    for frame in (0, 1, 60, HORIZON - 10):
        x = float(mover.trajectory.at(frame / RATE_HZ)[0][0])
        assert not disc_is_free_at(traffic.table, x, 0.0, 0.1, 0.0, 1.0, frame)
        assert disc_is_free_at(traffic.table, 8.0 - x, 0.0, 0.1, 0.0, 1.0, frame)


def test_a_loop_shorter_than_a_frame_blocks_all_of_its_way():
    trajectory = Trajectory(
        np.array([0.0, 1e-6]), np.array([[0.0, 0, 0], [1.0, 0, 0]]), np.array([[0, 1.0]] * 2), "loop"
    )
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_mover(Mover("saw", Footprint.disc(0.1), trajectory))
    assert not any(disc_is_free_at(traffic.table, x, 0.0, 0.01, 0.0, 1.0, 70) for x in (0.0, 0.5, 1.0))
    assert disc_is_free_at(traffic.table, 3.0, 0.0, 0.1, 0.0, 1.0, 70)


def test_what_is_very_far_away_is_found_too():
    far = np.array([[3e7, -4e7, 0.0]])
    traffic = Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON)
    traffic.add_mover(Mover("moon", Footprint.disc(5.0), Trajectory(np.zeros(1), far, np.array([[0.0, 1.0]]))))
    assert not disc_is_free_at(traffic.table, 3e7 + 5.0, -4e7, 1.0, 0.0, 1.0, 3)
    assert disc_is_free_at(traffic.table, 3e7 + 7.0, -4e7, 1.0, 0.0, 1.0, 3)
    assert not is_quiet(traffic.table, 3e7, -4e7, 1.0, 3, 4)


def test_a_copy_grows_on_its_own(statue: Character):
    rng = np.random.default_rng(3)
    traffic, _, _ = crowd(rng, statue)
    places = [(*rng.uniform(-15.0, 15.0, 2), int(rng.integers(HORIZON))) for _ in range(200)]

    def answers(of: Traffic) -> list[bool]:
        return [disc_is_free_at(of.table, x, y, 0.5, 0.0, 2.0, frame) for x, y, frame in places]

    before, twin = answers(traffic), traffic.copy()
    assert answers(twin) == before
    for number in range(10):
        twin.add_mover(random_mover(rng, f"more {number}", spread_m=15.0))
    assert answers(traffic) == before != answers(twin)
    assert len(twin.names) == len(traffic.names) + 10


def test_the_traffic_of_a_world_is_its_movers():
    rng = np.random.default_rng(5)
    movers = tuple(random_mover(rng, name) for name in ("cart", "door"))
    assert Traffic.of(World((-9.0, -9.0, 9.0, 9.0), movers=movers)).names == ["cart", "door"]
    empty = Traffic.of(World((-9.0, -9.0, 9.0, 9.0)))
    assert empty.is_empty
    assert empty.last_change_frame == 0
    assert disc_is_free_at(empty.table, 0.0, 0.0, 1.0, 0.0, 1.0, 10**7)
    assert is_quiet(empty.table, 0.0, 0.0, 1.0, 0, 10**7)


def test_bodies_that_do_not_fit_are_refused(statue: Character):
    steps = place_steps(statue, ["roll"])
    with pytest.raises(InvalidInput, match="25 planning frames"):
        Traffic(rate_hz=25.0, horizon_frames=10).add_body(statue, steps, name="one")
    with pytest.raises(InvalidInput, match="frame 0 or later"):
        Traffic(rate_hz=RATE_HZ, horizon_frames=10).add_body(
            statue, place_steps(statue, ["roll"], frame=-3), name="one"
        )
    with pytest.raises(InvalidInput, match="at least one behavior"):
        Traffic(rate_hz=RATE_HZ, horizon_frames=10).add_body(statue, (), name="one")
    with pytest.raises(InvalidInput, match="rate"):
        Traffic(rate_hz=0.0, horizon_frames=10)


def test_a_character_is_compiled_once_and_let_go_with_it(statue: Character):
    twin = statue.subset("moving")
    assert action_table(twin) is action_table(twin)
    gone = weakref.ref(twin)
    del twin
    gc.collect()
    assert gone() is None
