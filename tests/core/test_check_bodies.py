"""What the core's judge finds where balls fly past pillars and each other, worked out with pen and paper."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambol.core import Struct, lib, pointer, struct
from gambol.geometry.arrays import FloatArray
from gambol.judges.cast import Cast, struct_of_cast
from gambol.judges.crowd_blocks import collisions_at, furnish, meetings, nearby, tabulate_setting, touches_at
from gambol.judges.crowd_figures import Figures, Steps, discs_around, struct_of_figures, struct_of_steps
from gambol.judges.motions import collisions_of, touches_of
from gambol.judges.rows import (
    CAPSULE,
    DEPTH,
    FIRST,
    LEAVES,
    MOMENT,
    OTHER_CAPSULE,
    PLACE,
    ROW_SIZE,
    SECOND,
    TIME,
    work_room,
)  # fmt: skip
from gambol.judges.tables import struct_of_surroundings, tabulate_surroundings
from gambol.world import Footprint, Mover, Obstacle, Trajectory, World

RANDOM = settings(deadline=None, max_examples=60)
seeds = st.integers(0, 2**32 - 1)
BOUNDS = (-5.0, -5.0, 5.0, 5.0)
PRECISION_M = 1.1e-4  # the deepest moment is found this exactly


def flying(*flights: FloatArray, radii: FloatArray, rate_hz: float = 1.0) -> Cast:
    """Return balls, one a body, that are at places (F, 3) at their frames."""
    counts = np.array([len(flight) for flight in flights])
    return Cast(
        start_s=np.zeros(len(flights)),
        rate_hz=np.full(len(flights), rate_hz),
        frame_count=counts,
        capsule_first=np.arange(len(flights) + 1),
        radius=np.asarray(radii, dtype=np.float64),
        frame_first=0 * counts,
        frame_last=counts - 1,
        row_first=np.concatenate(([0], np.cumsum(counts)[:-1])),
        axes=np.tile(np.concatenate(flights), 2),
    )


def surroundings(*things: Obstacle | Mover, until_s: float = 1.0, depth_m: float = 0.0) -> Struct:
    obstacles = tuple(thing for thing in things if isinstance(thing, Obstacle))
    movers = tuple(thing for thing in things if isinstance(thing, Mover))
    return struct_of_surroundings(tabulate_surroundings(World(BOUNDS, obstacles, movers), 0.0, until_s, depth_m))


def nearest_pass(start: FloatArray, end: FloatArray) -> tuple[float, float]:
    """Return when (0 to 1) something that flies straight is nearest to the origin, and how near."""
    way = end - start
    share = float(np.clip(-(start @ way) / (way @ way), 0.0, 1.0))
    return share, float(np.linalg.norm(start + share * way))


@RANDOM
@given(seed=seeds)
def test_a_ball_is_as_deep_in_a_pillar_as_its_path_passes_it_nearly(seed: int):
    rng = np.random.default_rng(seed)
    flight, radius, girth = rng.uniform(-2.0, 2.0, (2, 3)), rng.uniform(0.1, 0.8), rng.uniform(0.1, 0.8)
    place, speed = rng.uniform(-1.0, 1.0, 2), rng.uniform(-1.0, 1.0, 2)
    poses = np.array([(*place, 0.0), (*(place + speed), 2.0)])
    pillar = Mover("pillar", Footprint.disc(girth), Trajectory([0.0, 1.0], poses, np.tile((-9.0, 9.0), (2, 1))))
    rows = collisions_of(flying(flight, radii=[radius]), 0.0, 1.0, surroundings(pillar))
    when, apart = nearest_pass(*(flight[:, :2] - poses[:, :2]))
    depth = radius + girth - apart
    if abs(depth) > PRECISION_M:
        assert len(rows) == (depth > 0.0)
    for row in rows:
        assert depth - PRECISION_M <= row[DEPTH] <= depth + 1e-6
        assert (row[FIRST], row[SECOND], row[MOMENT], row[CAPSULE]) == (0, 0, 0, 0)
        at = flight[0] + row[TIME] * (flight[1] - flight[0])
        assert row[PLACE : PLACE + 3] == pytest.approx(at, abs=1e-9)
        if depth < 0.9 * (radius + girth):
            assert row[TIME] == pytest.approx(when, abs=0.1)


@RANDOM
@given(seed=seeds)
def test_two_balls_touch_as_deeply_as_their_paths_pass_each_other(seed: int):
    rng = np.random.default_rng(seed)
    flights, radii = rng.uniform(-1.0, 1.0, (2, 2, 3)), rng.uniform(0.1, 0.6, 2)
    rows = touches_of(flying(*flights, radii=radii), np.array([0.0, 1.0]), 7)
    _, apart = nearest_pass(*(flights[0] - flights[1]))
    depth = radii.sum() - apart
    if abs(depth) > PRECISION_M:
        assert len(rows) == (depth > 0.0)
    for row in rows:
        assert depth - PRECISION_M <= row[DEPTH] <= depth + 1e-9
        assert (row[FIRST], row[SECOND], row[MOMENT], row[OTHER_CAPSULE]) == (0, 1, 7, 0)
        one, two = flights[:, 0] + row[TIME] * (flights[:, 1] - flights[:, 0])
        assert row[PLACE : PLACE + 3] == pytest.approx(0.5 * (one + two), abs=1e-9)


@RANDOM
@given(seed=seeds)
def test_a_ball_leaves_the_bounds_in_each_frame_in_which_it_reaches_over_them(seed: int):
    rng = np.random.default_rng(seed)
    flight = rng.uniform(-6.0, 6.0, (8, 3))
    rows = collisions_of(flying(flight, radii=[0.3], rate_hz=2.0), 0.0, 3.5, surroundings(depth_m=0.1))
    out = np.abs(flight[:, :2]).max(axis=1) - 5.0 + 0.3
    assert rows[:, MOMENT].tolist() == np.flatnonzero(out > 0.1).tolist()
    assert rows[:, DEPTH] == pytest.approx(out[out > 0.1])
    assert rows[:, TIME] == pytest.approx(rows[:, MOMENT] / 2.0)
    assert np.all(rows[:, SECOND] == LEAVES)


def test_more_is_counted_than_there_is_room_for():
    cast, things = flying(np.full((5, 3), 9.0), radii=[0.1]), surroundings()
    whole = collisions_of(cast, 0.0, 4.0, things)
    some = np.zeros((2, ROW_SIZE))
    bodies, room = struct_of_cast(cast), work_room(1)
    count = lib.gb_check_collisions(
        bodies.c, 0.0, 4.0, things.c, room.c, struct("gb_check_rows", room=2, rows=some).c
    )  # fmt: skip
    assert count == len(whole) == 5
    assert np.array_equal(some[:, : CAPSULE + 1], whole[:2, : CAPSULE + 1])


@RANDOM
@given(seed=seeds)
def test_a_disc_is_around_the_middle_of_its_capsules_box_and_holds_them(seed: int):
    rng = np.random.default_rng(seed)
    axes, radius = rng.normal(size=(3, 4, 2, 3)).astype(np.float32), rng.uniform(0.0, 0.5, 4)
    discs = discs_around(axes.reshape(-1, 6), radius)
    for disc, ends in zip(discs, axes[..., :2].astype(np.float64), strict=True):
        low, high = (ends - radius[:, None, None]).min(axis=(0, 1)), (ends + radius[:, None, None]).max(axis=(0, 1))
        assert disc[:2] == pytest.approx(0.5 * (low + high))
        reach = (np.linalg.norm(ends - disc[:2], axis=-1) + radius[:, None]).max()
        assert reach < disc[2] < reach + 2e-5


def balls(starts: FloatArray, ends: FloatArray, radius: float) -> tuple[Figures, Steps]:
    """Return characters that are balls and play one clip of two frames each, from one place (x, y) to another."""
    count = len(starts)
    way = ends - starts
    headings, lengths = np.arctan2(way[:, 1], way[:, 0]), np.linalg.norm(way, axis=1)
    places = np.zeros((2 * count, 2, 3), dtype=np.float32)
    places[1::2, :, 0] = lengths[:, None]
    axes = places.reshape(-1, 6)
    figures = Figures(
        frames_per_step=np.array([1]),
        ticks_per_step=1,
        capsule_first=np.array([0, 1]),
        radius=np.array([radius]),
        kind_clip=np.array([0, count]),
        clip_first=2 * np.arange(count),
        clip_steps=np.ones(count, dtype=np.int64),
        clip_end=np.column_stack((lengths, np.zeros((count, 2)))),
        blend_first=np.empty(0, dtype=np.int64),
        blend_window=np.empty(0, dtype=np.int64),
        axis_first=np.arange(2 * count),
        axes=axes,
        disc=discs_around(axes, np.array([radius])),
    )
    steps = Steps(
        rate_hz=1.0,
        kind=np.zeros(count, dtype=np.int32),
        begin=np.zeros(count, dtype=np.int64),
        end=np.ones(count, dtype=np.int64),
        first_step=np.arange(count + 1),
        clip=np.arange(count, dtype=np.uint16),
        frame=np.zeros(count, dtype=np.int32),
        pose=np.column_stack((starts, headings)),
        join=np.full(count, -1, dtype=np.int32),
    )
    return figures, steps


@RANDOM
@given(seed=seeds)
def test_a_crowd_of_balls_meets_what_the_same_balls_alone_meet(seed: int):
    rng = np.random.default_rng(seed)
    starts, ends = rng.uniform(-5.5, 5.5, (2, 6, 2))
    obstacle = Obstacle("rock", Footprint.box(2.0, 1.0), (*rng.uniform(-3.0, 3.0, 2), 1.0))
    poses = rng.uniform(-3.0, 3.0, (2, 3))
    mover = Mover("cart", Footprint.box(1.0, 1.0), Trajectory([0.0, 1.0], poses, np.tile((-1.0, 2.0), (2, 1))))
    setting = tabulate_setting(World(BOUNDS, (obstacle,), (mover,)), 0, 1, 1.0, 0.0)
    figures, steps = balls(starts, ends, 0.4)
    tables = struct_of_figures(figures), struct_of_steps(steps)
    desk = furnish(figures, *tables, 6)
    lib.gb_check_lay_block(tables[0].c, tables[1].c, 0, 1, desk.table.c)
    placed = np.empty((6, 2, 6))
    for who in range(6):
        for column in range(2):
            lib.gb_check_place_frame(desk.crowd.c, who, column, pointer(placed[who, column], "double"))
    flights = np.stack((starts, ends), axis=1)
    assert placed[..., :2] == pytest.approx(flights, abs=1e-6)
    assert desk.block.disc[:, :2, :2] == pytest.approx(flights, abs=1e-6)

    alone = flying(*placed[..., :3], radii=np.full(6, 0.4))
    everybody = np.arange(6)
    near = nearby(setting, everybody, desk.block.box, 0.0, 1.0, 6)
    found, expected = collisions_at(desk, setting, near), collisions_of(alone, 0.0, 1.0, setting.table)
    assert found[:, : CAPSULE + 1] == pytest.approx(by_moment(expected, found)[:, : CAPSULE + 1], abs=1e-9)
    touched = touches_at(desk, meetings(everybody, desk.block.box))
    expected = touches_of(alone, np.array([0.0, 1.0]))
    assert len(touched) == len(expected)
    for row in touched:
        (same,) = expected[np.all(expected[:, :2] == row[:2], axis=1)]
        assert row == pytest.approx(same, abs=1e-9)


def by_moment(rows: FloatArray, like: FloatArray) -> FloatArray:
    """Return rows in the order of others: of each, the one with the same names and moment."""
    keys = [tuple(row[:3]) for row in rows]
    assert sorted(keys) == sorted(tuple(row[:3]) for row in like)
    return rows[[keys.index(tuple(row[:3])) for row in like]]
