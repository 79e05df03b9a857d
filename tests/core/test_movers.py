"""A world's movers, placed when they are asked for, against the same movers laid out frame by frame."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from evidence.soak.planning_problems import random_figure
from tests.support.footprints import FOOTPRINTS

from gambol.characters import Character, place_steps
from gambol.characters.action_table import action_table, actions_struct
from gambol.core import lib
from gambol.search import Traffic
from gambol.search.mover_layout import lay_out
from gambol.search.traffic import traffic_of
from gambol.world import Footprint, Mover, Trajectory, World

RATE_HZ, HORIZON = 10.0, 150
BOUNDS = (-9.0, -9.0, 9.0, 9.0)


@pytest.fixture(scope="module")
def figure() -> Character:
    return random_figure(np.random.default_rng(5))


def random_path(rng: np.random.Generator) -> Trajectory:
    """Return one that goes, turns and rises at random, before, in or after the time that counts."""
    count = int(rng.integers(1, 6))
    repeat = str(rng.choice(["once", "loop", "bounce"])) if count > 1 else "once"
    places = rng.uniform(-20.0, 20.0, 2) + rng.uniform(-6.0, 6.0, (count, 2))
    poses = np.column_stack((places, rng.uniform(-4.0, 4.0, count)))
    if rng.random() < 0.15:
        poses[:] = poses[0]
    bottoms = rng.uniform(0.0, 1.0, count)
    steps = rng.uniform(0.02, 1.2, count) * rng.choice([0.05, 1.0, 1.0, 4.0])
    if rng.random() < 0.3:
        steps = np.ceil(steps * RATE_HZ) / RATE_HZ  # keys at whole frames
    times = np.cumsum(steps) + rng.choice([-steps[0], -3.0, 0.0, 0.5, HORIZON / RATE_HZ - 1.0, -40.0, 90.0])
    heights = np.column_stack((bottoms, bottoms + rng.uniform(0.1, 1.0, count)))
    return Trajectory(times, poses, heights, repeat)


def random_world(rng: np.random.Generator, count: int = 8) -> World:
    movers = [Mover(f"mover {n}", FOOTPRINTS[rng.integers(4)], random_path(rng)) for n in range(count)]
    if rng.random() < 0.3:
        path = Trajectory(np.zeros(1), np.array([[50.0, 0.0, 0.0]]), np.array([[1.9, 2.0]]))
        movers.insert(3, Mover("giant", Footprint.box(300.0, 0.2), path))
    return World(BOUNDS, movers=tuple(movers))


def both(world: World) -> tuple[Traffic, Traffic]:
    """Return the traffic of a world, and the same laid out, whose things are numbered alike."""
    asked, laid_out = (
        Traffic.of(world, rate_hz=RATE_HZ, horizon_s=HORIZON / RATE_HZ),
        Traffic(rate_hz=RATE_HZ, horizon_frames=HORIZON),
    )
    by_name = {mover.name: mover for mover in world.movers}
    for name in asked.names:
        laid_out.add_mover(by_name[name])
    return asked, laid_out


@pytest.mark.parametrize("seed", range(60))
def test_a_mover_is_placed_as_its_layout_says_at_every_frame(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = random_world(rng, 6)
    known = traffic_of(world, rate_hz=RATE_HZ, horizon_s=HORIZON / RATE_HZ)._movers
    assert known is not None
    assert len(known.movers) > 1
    for number, mover in enumerate(known.movers):
        layout = lay_out(mover.trajectory, reach_m=mover.footprint.reach_m, rate_hz=RATE_HZ, horizon=HORIZON)
        span = known.spans[number]
        assert (span["first"], span["last"]) == (layout.frames[0], layout.frames[-1])
        assert bool(span["is_endless"]) == layout.is_endless
        for frame in range(span["first"], span["last"] + 1):
            at = layout.frames == frame
            records = known.records(number, frame)
            assert np.array_equal(records[:, 5:7], layout.poses[at, :2])
            assert np.allclose(records[:, 7:9], np.stack([f(layout.poses[at, 2]) for f in (np.cos, np.sin)], axis=1))
            assert np.array_equal(records[:, 3:5], layout.heights[at])
            assert np.array_equal(records[:, 9], layout.growth[at])
            away = np.hypot(*(records[:, :2] - records[:, 5:7]).T) + records[:, 2]
            assert (away <= span["around"]).all()
            if span["is_still"] == 0 and mover.trajectory.repeat != "loop":
                instant = mover.trajectory.at(frame / RATE_HZ)[0][:2]
                centre = np.hypot(*(records[:, :2] - instant).T) + records[:, 2]
                assert (centre <= span["around"]).all()


@pytest.mark.parametrize("begin", [HORIZON + 1, 70, 0])
@pytest.mark.parametrize("seed", range(8))
def test_look_ups_find_what_those_among_laid_out_movers_find(figure: Character, seed: int, begin: int) -> None:
    rng = np.random.default_rng(seed)
    asked, laid_out = both(random_world(rng))
    actions, core, counts = action_table(figure), actions_struct(figure), np.zeros(4, int)
    steps = place_steps(figure, ["forward"] * 4, start=(1.0, 2.0, 0.3), frame=12)
    for traffic in (asked, laid_out):
        traffic.add_body(figure, steps, name="body")
        traffic.remove(1)
    asked.lay_out(begin, HORIZON)
    one, other = asked.struct, laid_out.struct
    assert (asked.is_endless, asked.last_change_frame) == (laid_out.is_endless, laid_out.last_change_frame)
    for _ in range(400):
        x, y = rng.uniform(-25.0, 25.0, 2)
        radius, low, frame = rng.uniform(0.05, 4.0), rng.uniform(-0.2, 2.0), int(rng.integers(HORIZON + 2))
        answers = [lib.gb_traffic_disc_blocker(c.c, x, y, radius, low, low + 0.6, frame) for c in (one, other)]
        assert min(answers[0], 0) == min(answers[1], 0)
        last = frame + int(rng.integers(0, 60))
        quiet = [lib.gb_traffic_is_quiet(c.c, x, y, radius, frame, last) for c in (one, other)]
        assert quiet[0] == quiet[1]
        sample, heading = int(rng.integers(len(actions.path))), rng.uniform(-3.0, 3.0)
        place = core.c, sample, x, y, np.cos(heading), np.sin(heading)
        met = [lib.gb_traffic_body_blocker(c.c, *place, frame, 0.1, 0.1, 0.1) for c in (one, other)]
        assert min(met[0], 0) == min(met[1], 0)
        for thing in met[: 2 * (met[0] >= 0)]:  # either may be named
            assert lib.gb_traffic_thing_meets(other.c, core.c, thing, *place[1:], frame, 0.1, 0.1, 0.1)
        stays = [lib.gb_traffic_body_stays_free(c.c, *place, frame, 0.1, 0.1, 0.1) for c in (one, other)]
        assert stays[0] == stays[1]
        thing = int(rng.integers(len(asked.names)))
        meets = [lib.gb_traffic_thing_meets(c.c, core.c, thing, *place[1:], frame, 0.1, 0.1, 0.1) for c in (one, other)]
        assert meets[0] == meets[1]
        counts += answers[0] >= 0, quiet[0], met[0] >= 0, stays[0]
    assert counts[[0, 2, 3]].min() > 0
    assert counts[1] > 0 or one.c.has_giants
    assert counts.max() < 400


def test_kernels_read_the_same_tables_as_of_movers_added_one_by_one() -> None:
    asked, laid_out = both(random_world(np.random.default_rng(3)))
    for traffic in (asked, laid_out):
        traffic.remove(0)
    one, other = asked.table, laid_out.table
    for thing in range(len(asked.names)):
        rows = [table.things[thing] for table in (one, other)]
        assert rows[0][[0, 1, 3]].tolist() in (rows[1][[0, 1, 3]].tolist(), [*rows[1][:2].tolist(), -1])
        for frame in range(rows[0][1] - rows[0][0] + 1):
            slots = [table.slots[row[2] + frame] for table, row in zip((one, other), rows, strict=True)]
            records = [table.records[slice(*slot)] for table, slot in zip((one, other), slots, strict=True)]
            assert np.array_equal(records[0], records[1])


def test_the_traffic_of_a_world_is_kept_for_those_who_ask_and_copied_for_those_who_add() -> None:
    world = random_world(np.random.default_rng(4))
    shared = traffic_of(world, rate_hz=RATE_HZ, horizon_s=15.0)
    assert traffic_of(world, rate_hz=RATE_HZ, horizon_s=15.0) is shared
    assert traffic_of(world, rate_hz=RATE_HZ, horizon_s=16.0) is not shared
    assert traffic_of(replace(world), rate_hz=RATE_HZ, horizon_s=15.0) is not shared
    own = Traffic.of(world, rate_hz=RATE_HZ, horizon_s=15.0)
    own.add_mover(Mover("more", Footprint.disc(0.4), random_path(np.random.default_rng(1))))
    own.remove(0)
    assert len(shared.names) == len(own.names) - 1 == len(world.movers)
    assert shared.nbytes > 0


def test_far_many_and_large_movers_have_cells_that_fit() -> None:
    rng = np.random.default_rng(6)
    paths = [
        Trajectory(np.array([0.0, 5.0]), np.array([[0.0, 0, 0], [x, y, 0.0]]), np.array([[0, 1.0]] * 2), "bounce")
        for x, y in rng.uniform(-4e3, 4e3, (5, 2))
    ]
    far = Trajectory(np.zeros(1), np.array([[3e7, -4e7, 0.0]]), np.array([[0.0, 1.0]]))
    movers = [Mover(str(n), FOOTPRINTS[n % 4], path) for n, path in enumerate([*paths, far])]
    asked, laid_out = both(World(BOUNDS, movers=tuple(movers)))
    asked.lay_out(0, HORIZON)
    for number, mover in enumerate(movers):
        for frame in (0, 30, 77, HORIZON):
            x, y, _ = mover.trajectory.at(frame / RATE_HZ)[0]
            for traffic in (asked, laid_out):
                met = lib.gb_traffic_disc_blocker(traffic.struct.c, x, y, 0.1, 0.0, 1.0, frame)
                assert met >= 0 or number % 4 == 3


def test_threads_that_ask_while_another_lays_out_get_the_same_answers() -> None:
    rng = np.random.default_rng(8)
    world = random_world(rng, 60)
    places = [(*rng.uniform(-25.0, 25.0, 2), int(rng.integers(HORIZON))) for _ in range(3000)]

    def answers(traffic: Traffic) -> list[bool]:
        table = traffic.struct.c
        return [lib.gb_traffic_disc_blocker(table, x, y, 0.4, 0.0, 2.0, frame) >= 0 for x, y, frame in places]

    expected = answers(both(world)[1])
    for _ in range(5):
        shared = traffic_of(replace(world), rate_hz=RATE_HZ, horizon_s=HORIZON / RATE_HZ)
        _ = shared.struct
        with ThreadPoolExecutor(4) as pool:
            found = [pool.submit(answers, shared) for _ in range(3)]
            for frame in range(0, HORIZON, 10):
                pool.submit(shared.lay_out, (7 * frame) % HORIZON, (7 * frame) % HORIZON + 20)
            assert all(one.result() == expected for one in found)
