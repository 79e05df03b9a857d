"""Running crowds: never a touch, always the same, whatever the budget and the threads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from gambol.characters import Character, load_character
from gambol.crowd.crowd import Crowd
from gambol.crowd.errand import Errand
from gambol.crowd.invariant import assert_apart
from gambol.crowd.kernels.commit import set_box
from gambol.crowd.recording import Recording
from gambol.errors import GambolError, InvalidInput
from gambol.judges import judge_crowd
from gambol.world import Footprint, Mover, Obstacle, Trajectory, World

COLUMNS = ("kind", "first_step", "clip", "frame", "pose", "until", "arrivals")


@cache
def human() -> Character:
    return load_character("human").subset("crowd")


@cache
def horse() -> Character:
    return load_character("horse")


def room(size_m: float, *, pillars: int = 0, seed: int = 0) -> World:
    """Return a square room with pillars and a bench somewhere in it."""
    rng = np.random.default_rng(seed)
    pillar, bench = Footprint.disc(0.3), Footprint.box(1.5, 0.4)
    places = rng.uniform(0.25 * size_m, 0.75 * size_m, (pillars, 2))
    return World(
        (0.0, 0.0, size_m, size_m),
        tuple(
            Obstacle(f"thing {n}", bench if n % 3 == 2 else pillar, (x, y, float(n)), 0.0, 0.4 if n % 3 == 2 else 2.5)
            for n, (x, y) in enumerate(places.tolist())
        ),
    )


def fill(crowd: Crowd, count: int, *, seed: int = 0, kinds: Sequence[int] = (0,)) -> None:
    """Add so many who wander all over the world, wherever there is room for them."""
    rng = np.random.default_rng(seed)
    x0, y0, x1, y1 = crowd.world.bounds
    area = (x0 + 0.6, y0 + 0.6, x1 - 0.6, y1 - 0.6)
    for _ in range(10_000):
        if len(crowd) == count:
            return
        pose = (*rng.uniform(area[:2], area[2:]).tolist(), float(rng.uniform(-3.0, 3.0)))
        kind = kinds[len(crowd) % len(kinds)]
        if crowd.obstruction(kind, pose) is None:
            crowd.add(kind, pose, Errand.wander(area))
    raise AssertionError(f"there is no room for {count}")


def run(world: World, count: int, seconds: float, *, seed: int = 0, threads: int = 1, **options) -> Recording:
    crowd = Crowd(world, (human(),), seed=seed, threads=threads, **options)
    fill(crowd, count, seed=seed)
    crowd.run(seconds)
    return crowd.recording()


def same(one: Recording, other: Recording) -> bool:
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in COLUMNS)


def assert_clean(recording: Recording, world: World) -> None:
    report = judge_crowd(recording, world)
    assert report.touches == ()
    assert report.collisions == ()
    assert report.illegal_transitions == ()


def way_m(recording: Recording) -> np.ndarray:
    """Return how far each has gone, from clip to clip."""
    bounds = recording.first_step
    steps = [recording.pose[a:b, :2] for a, b in pairwise(bounds)]
    return np.array([np.linalg.norm(np.diff(one, axis=0), axis=1).sum() for one in steps])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size_m", "count", "pillars"),
    [(8.0, 20, 0), (10.0, 30, 5), (14.0, 60, 8)],
    ids=["20 in 8 m", "30 in 10 m with pillars", "60 in 14 m with pillars"],
)
def test_nobody_ever_touches_anybody_or_anything(size_m: float, count: int, pillars: int) -> None:
    world = room(size_m, pillars=pillars, seed=count)
    recording = run(world, count, 20.0, seed=count, debug=True)
    assert_clean(recording, world)
    assert np.median(way_m(recording)) > 2.0  # and not because all stand still


def test_kinds_of_any_size_keep_out_of_each_others_way() -> None:
    world = room(16.0, pillars=3, seed=2)
    crowd = Crowd(world, (human(), horse()), seed=4, debug=True)
    fill(crowd, 25, seed=3, kinds=(0, 0, 1, 0, 0))
    crowd.run(12.0)
    assert_clean(crowd.recording(), world)


def test_known_movers_meet_nobody() -> None:
    cart = Mover(
        "cart",
        Footprint.box(1.2, 0.8),
        Trajectory(
            np.array([4.0, 20.0]), np.array([[1.0, 6.0, 0.0], [11.0, 6.0, 0.0]]), np.array([[0.0, 1.0], [0.0, 1.0]])
        ),
    )
    world = World((0.0, 0.0, 12.0, 12.0), movers=(cart,))
    crowd = Crowd(world, (human(),), seed=5, debug=True)
    rng = np.random.default_rng(5)
    for side in (3.0, 9.0):  # on both sides of its way, each with a goal on the other
        for n in range(6):
            crowd.add(0, (1.5 + 1.8 * n, side, float(rng.uniform(-3, 3))), Errand.to(1.5 + 1.8 * n, 12.0 - side))
    crowd.run(20.0)
    assert_clean(crowd.recording(), world)
    assert crowd.statistics.arrivals > 6
    anew = Crowd(world, (human(),))
    with pytest.raises(InvalidInput, match="nobody can be put"):  # where it will come by
        anew.add(0, (7.0, 6.0, 0.0), Errand.to(7.0, 9.0))


def test_a_crowd_is_the_same_on_any_number_of_threads() -> None:
    world = room(10.0, pillars=4)
    runs = [run(world, 30, 8.0, seed=3, threads=threads) for threads in (1, 2)]
    assert same(*runs)


def test_a_seed_is_a_crowd() -> None:
    world = room(8.0)
    once, again, other = (run(world, 12, 5.0, seed=seed) for seed in (1, 1, 2))
    assert same(once, again)
    assert not same(once, other)


def test_the_seed_of_the_crowd_alone_makes_a_difference() -> None:
    recordings = []
    for seed in (1, 2):
        crowd = Crowd(room(8.0), (human(),), seed=seed)
        fill(crowd, 12, seed=0)
        crowd.run(5.0)
        recordings.append(crowd.recording())
    assert not same(*recordings)


@pytest.mark.slow
def test_a_crowd_that_may_hardly_plan_does_not_touch_either() -> None:
    world = room(12.0, pillars=4)
    crowd = Crowd(world, (human(),), seed=6, budget=3, debug=True)
    fill(crowd, 40, seed=6)
    crowd.run(15.0)
    assert crowd.statistics.most_look_ups == 3
    assert crowd.statistics.committed > 0
    assert_clean(crowd.recording(), world)


def test_nobody_is_put_where_nobody_can_stand() -> None:
    world = World((0.0, 0.0, 10.0, 10.0), (Obstacle("box", Footprint.box(1.0, 1.0), (5.0, 5.0, 0.0), 0.0, 0.2),))
    crowd = Crowd(world, (human(),), seed=0)
    first = crowd.add(0, (2.0, 2.0, 0.0), Errand.to(8.0, 2.0))
    for pose in [(5.0, 5.0, 0.0), (0.1, 5.0, 0.0), (-3.0, 5.0, 0.0), (2.3, 2.1, 1.0)]:
        with pytest.raises(InvalidInput, match="nobody can be put"):
            crowd.add(0, pose, Errand.to(8.0, 8.0))
    assert crowd.ids == [first]
    while not crowd._flock.count[0] > 1:
        crowd.step()
    on_the_way = crowd._flock.pose[0, 1, :3].tolist()  # it stands elsewhere, but will come by
    with pytest.raises(InvalidInput, match="comes by"):
        crowd.add(0, tuple(on_the_way), Errand.to(8.0, 8.0))


def test_a_crowd_says_what_it_expects():
    world, kind = World((0.0, 0.0, 10.0, 10.0)), human()
    crowd = Crowd(world, [kind], seed=0)
    with pytest.raises(InvalidInput, match="the kinds of a crowd are a list"):
        Crowd(world, kind)
    with pytest.raises(InvalidInput, match="an errand is an Errand"):
        crowd.add(kind, (2.0, 2.0, 0.0), (8.0, 2.0))
    with pytest.raises(InvalidInput, match="a pose is"):
        crowd.add(kind, (2.0, 2.0), Errand.to(8.0, 2.0))
    with pytest.raises(InvalidInput, match="another object"):
        crowd.add(load_character("human").subset("crowd"), (2.0, 2.0, 0.0), Errand.to(8.0, 2.0))
    assert crowd.ids == []


def test_who_is_removed_makes_room_at_once() -> None:
    world = room(8.0)
    crowd = Crowd(world, (human(),), seed=0, debug=True)
    pose = (4.0, 4.0, 0.0)
    first = crowd.add(0, pose, Errand.to(4.0, 4.0), name="first")
    crowd.run(2.0)
    assert crowd.obstruction(0, pose) is not None
    crowd.remove(first)
    assert crowd.obstruction(0, pose) is None
    second = crowd.add(0, pose, Errand.to(6.0, 4.0), name="second")
    assert (first, second) == (0, 1)
    assert crowd.ids == [1]
    crowd.run(4.0)
    recording = crowd.recording()
    assert recording.until.tolist() == [60, recording.frames]
    assert recording.frame[recording.first_step[1]] == 60
    assert_clean(recording, world)
    with pytest.raises(InvalidInput, match="nobody in this crowd"):
        crowd.remove(first)


def test_those_who_come_and_go_at_any_time_touch_nobody() -> None:
    world = room(9.0, pillars=2)
    crowd = Crowd(world, (human(),), seed=8, debug=True)
    fill(crowd, 15, seed=8)
    rng = np.random.default_rng(8)
    for _ in range(20):
        crowd.run(0.5)
        crowd.remove(int(rng.choice(crowd.ids)))
        fill(crowd, 15, seed=int(rng.integers(1000)))
    recording = crowd.recording()
    assert len(recording) == 35
    assert_clean(recording, world)


def test_more_than_there_were_places_for_at_first_find_theirs() -> None:
    """Arrays grow while a crowd runs, and what everyone holds moves with them."""
    world = room(20.0)
    crowd = Crowd(world, (human(),), seed=9, debug=True)
    fill(crowd, 60, seed=9)
    crowd.run(1.0)
    fill(crowd, 80, seed=10)
    crowd.run(2.0)
    assert_clean(crowd.recording(), world)


@pytest.mark.parametrize(
    "options",
    [{"budget": 0}, {"threads": 0}, {"reservations": "hopes"}],
    ids=["no budget", "no threads", "unknown reservations"],
)
def test_what_no_crowd_can_be_is_refused(options: dict) -> None:
    with pytest.raises(GambolError):
        Crowd(room(5.0), (human(),), **options)


@pytest.fixture(scope="module")
def dense() -> Crowd:
    crowd = Crowd(room(9.0), (human(),), seed=11)
    fill(crowd, 25, seed=11)
    crowd.run(3.0)
    return crowd


def test_the_invariant_holds_for_a_crowd_and_fails_for_one_that_was_tampered_with(dense: Crowd) -> None:
    assert_apart(dense)
    flock = dense._flock
    kept = [column.copy() for column in flock]
    moved = 0
    for who in range(25):
        for other in range(25):
            if who == other:
                continue
            # Someone is moved, with all that it holds, to where another will stand.
            shift = flock.end[other, :2] - flock.end[who, :2] + 0.2
            flock.pose[who, :, :2] += shift
            flock.end[who, :2] += shift
            set_box(dense._tables.clips, flock, np.int64(who))
            with pytest.raises(AssertionError, match=r"'human/crowd-\d+' meet at frame \d+.* -0\.\d+ m apart"):
                assert_apart(dense)
            for column, before in zip(flock, kept, strict=True):
                column[...] = before
            moved += 1
    assert moved == 600
    assert_apart(dense)


def test_the_invariant_fails_for_trajectories_with_a_gap(dense: Crowd) -> None:
    flock = dense._flock
    who = int(np.flatnonzero(flock.count[:25] > 1)[0])
    for column, where, change in [
        (flock.pose, (who, 1, 0), 1e-3), (flock.end, (who, 1), 1e-3), (flock.frame, (who, 1), 1),
        (flock.end_frame, who, -1), (flock.frame, (who, 0), 1000),
    ]:  # fmt: skip
        before = column[where]
        column[where] += change
        with pytest.raises(AssertionError, match="holds no trajectory"):
            assert_apart(dense)
        column[where] = before
    assert_apart(dense)


def test_discs_at_points_in_time_do_not_keep_bodies_apart() -> None:
    """The papers' own reservations let bodies touch, and the judge sees it; swept bodies never do."""
    world = room(12.0)
    discs = judge_crowd(run(world, 40, 10.0, seed=13, reservations="gridmap"), world)
    assert len(discs.touches) > 0
    assert discs.illegal_transitions == ()
    assert_clean(run(world, 40, 10.0, seed=13), world)
    with pytest.raises(AssertionError, match="meet at frame"):
        run(world, 40, 10.0, seed=13, reservations="gridmap", debug=True)
