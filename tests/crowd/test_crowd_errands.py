"""Errands: everyone gets where it is sent, in the order it was told, and does there what it was told."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from gambol.characters import Character, load_character
from gambol.crowd.crowd import Crowd
from gambol.crowd.errand import Errand
from gambol.crowd.kernels.commit import PASSING_M
from gambol.crowd.kernels.reservations import root_at
from gambol.errors import InvalidInput, UnknownName
from gambol.world import Footprint, Obstacle, World

WALL = Obstacle("wall", Footprint.box(0.4, 8.0), (8.0, 8.0, 0.0), 0.0, 2.0)
WORLD = World((0.0, 0.0, 16.0, 16.0), (WALL,))
BESIDE_M = 0.05  # between frames
LONGEST_CLIP = 100  # frames
STRIDE_M = 2.5  # of the clip with which a place is passed


@cache
def human() -> Character:
    return load_character("human").subset("crowd")


def crowd_of(*errands: Errand, seed: int = 0) -> Crowd:
    """Return a crowd that stands along the left wall, one for each errand, two metres from one to the next."""
    crowd = Crowd(WORLD, (human(),), seed=seed)
    for number, errand in enumerate(errands):
        crowd.add(0, (2.0, 2.0 + 2.0 * number, 0.0), errand)
    return crowd


def roots(crowd: Crowd, seconds: float) -> np.ndarray:
    """Let time pass; return where everyone is, frame by frame (F, N, 2); nan for those who are gone."""
    frames = round(seconds * crowd.rate_hz)
    found = np.full((frames, len(crowd.names), 2), np.nan)
    for frame in range(frames):
        crowd.step()
        for who in crowd.ids:
            found[frame, who] = root_at(
                crowd._tables.clips, crowd._flock, np.int64(crowd._place[who]), np.int64(crowd.frame)
            )
    return found


def arrivals(crowd: Crowd, who: int) -> list[int]:
    """Return the frames in which someone came to a goal."""
    return [int(frame) for number, frame in crowd.recording().arrivals if number == who]


def away(places: np.ndarray, point: tuple[float, float]) -> np.ndarray:
    return np.linalg.norm(places - np.array(point), axis=-1)


def test_who_is_sent_to_a_point_comes_to_rest_there() -> None:
    crowd = crowd_of(Errand.to(14.0, 8.0), Errand.to(5.0, 12.0, tolerance_m=0.3))
    places = roots(crowd, 25.0)
    for who, (point, tolerance) in enumerate([((14.0, 8.0), 0.5), ((5.0, 12.0), 0.3)]):
        (frame,) = arrivals(crowd, who)
        assert (away(places[frame:, who], point) <= tolerance + BESIDE_M).all()
        assert (away(places[: frame - 60, who], point) > tolerance).any()


def test_points_are_passed_in_their_order_and_the_last_is_where_one_stays() -> None:
    points = [(6.0, 2.0), (6.0, 13.0), (13.0, 13.0)]
    crowd = crowd_of(Errand.along(points))
    places = roots(crowd, 30.0)[:, 0]
    frames = arrivals(crowd, 0)
    assert len(frames) == 3
    began = 0
    for frame, point in zip(frames[:-1], points[:-1], strict=True):
        assert away(places[began : frame + LONGEST_CLIP], point).min() <= PASSING_M + BESIDE_M
        began = frame - 1
    assert (away(places[frames[-1] :], points[-1]) <= 0.5 + BESIDE_M).all()


def test_a_round_begins_anew() -> None:
    points = [(5.0, 3.0), (5.0, 7.0), (3.0, 5.0)]
    crowd = crowd_of(Errand.around(points))
    places = roots(crowd, 40.0)[:, 0]
    frames = arrivals(crowd, 0)
    assert len(frames) >= 6
    began = 0
    for number, frame in enumerate(frames):
        # It is noted when the clip begins that passes a place: nothing can keep one from it then.
        assert away(places[began : frame + LONGEST_CLIP], points[number % 3]).min() <= PASSING_M + BESIDE_M
        began = frame - 1


def test_who_wanders_goes_to_so_many_places_in_its_area_and_stays_at_the_last() -> None:
    area = (9.0, 2.0, 15.0, 14.0)
    crowd = crowd_of(Errand.wander(area, count=3))
    places = roots(crowd, 45.0)[:, 0]
    frames = arrivals(crowd, 0)
    assert len(frames) == 3
    for frame, slack in zip(frames, (PASSING_M, PASSING_M, 0.5), strict=True):
        assert (places[frame - 1] >= np.array(area[:2]) - slack - STRIDE_M).all()
        assert (places[frame - 1] <= np.array(area[2:]) + slack + STRIDE_M).all()
    assert np.linalg.norm(places[-1] - places[frames[-1]]) < BESIDE_M
    assert (places[-1] >= np.array(area[:2]) - 0.5).all()


def test_who_wanders_for_ever_never_stays() -> None:
    crowd = crowd_of(Errand.wander((1.0, 1.0, 7.0, 15.0)))
    crowd.run(40.0)
    frames = arrivals(crowd, 0)
    assert len(frames) >= 4
    assert frames[-1] > 20 * 30


def test_who_follows_stays_near_its_leader() -> None:
    crowd = Crowd(World(WORLD.bounds), (human(),), seed=2)
    crowd.add(0, (3.0, 2.0, 0.0), Errand.along([(13.0, 2.0), (13.0, 13.0)]), name="leader")
    crowd.add(0, (1.5, 2.0, 0.0), Errand.follow("leader", distance_m=2.0))
    crowd.add(0, (1.5, 3.5, 0.0), Errand.follow(0, distance_m=3.0))
    places = roots(crowd, 30.0)
    for who, distance in ((1, 2.0), (2, 3.0)):
        apart = np.linalg.norm(places[:, who] - places[:, 0], axis=-1)
        assert apart.max() < 7.0  # it goes where the leader will stop, which may be some metres ahead
        assert apart[-1] <= distance + 1.0
    assert away(places[-1, 0], (13.0, 13.0)) <= 0.6


def test_who_has_lost_its_leader_says_so_and_goes_on_living() -> None:
    crowd = Crowd(WORLD, (human(),), seed=2)
    leader = crowd.add(0, (4.0, 2.0, 0.0), Errand.to(13.0, 2.0), name="leader")
    follower = crowd.add(0, (2.0, 2.0, 0.0), Errand.follow("leader"))
    crowd.run(2.0)
    crowd.remove(leader)
    crowd.run(8.0)
    events = crowd.recording().events
    assert [(event.kind, event.who, event.what) for event in events] == [("lost its leader", follower, "leader")]


@pytest.mark.parametrize("leader", ["nobody", 7, 1])
def test_who_cannot_follow_anybody_does_not_come_in(leader: int | str) -> None:
    crowd = crowd_of(Errand.to(6.0, 2.0))
    with pytest.raises((InvalidInput, UnknownName), match="follow"):
        crowd.add(0, (2.0, 4.0, 0.0), Errand.follow(leader))
    assert crowd.ids == [0]
    assert tuple(crowd.names) == crowd.recording().names
    with pytest.raises(InvalidInput, match="cannot follow number 0"):
        crowd.give(0, Errand.follow(0))
    assert crowd.errand(0) == Errand.to(6.0, 2.0)
    crowd.run(1.0)


def test_who_is_to_leave_is_gone_when_it_arrives() -> None:
    crowd = crowd_of(Errand.to(6.0, 2.0, then="leave"), Errand.to(6.0, 4.0))
    crowd.run(15.0)
    assert crowd.ids == [1]
    recording = crowd.recording()
    (frame,) = arrivals(crowd, 0)
    assert recording.until.tolist() == [frame, recording.frames]


def test_a_new_errand_takes_the_place_of_the_old() -> None:
    crowd = crowd_of(Errand.to(14.0, 2.0))
    crowd.run(2.0)
    crowd.give(0, Errand.to(2.0, 12.0))
    places = roots(crowd, 20.0)
    assert away(places[-1, 0], (2.0, 12.0)) <= 0.5 + BESIDE_M


def test_a_group_stays_together() -> None:
    """Those who set out some metres ahead wait for the others, and do not without a group."""
    spreads = []
    for group in ("friends", None):
        crowd = Crowd(World((0.0, 0.0, 44.0, 10.0)), (human(),), seed=3)
        for x, y in [(2.0, 4.0), (2.0, 6.0), (9.0, 4.0), (9.0, 6.0)]:
            crowd.add(0, (x, y, 0.0), Errand.to(40.0 + 0.1 * x, y), group=group)
        places = roots(crowd, 14.0)[240:, :, 0]
        spreads.append(float((places.max(axis=1) - places.min(axis=1)).max()))
    together, alone = spreads
    assert together < 4.0
    assert alone > 6.0


def test_where_there_is_no_way_it_is_said() -> None:
    shut = tuple(
        Obstacle(f"side {n}", Footprint.box(3.2, 0.2), (12.0 + 1.5 * dx, 12.0 + 1.5 * dy, turn), 0.0, 2.0)
        for n, (dx, dy, turn) in enumerate([(1, 0, np.pi / 2), (-1, 0, np.pi / 2), (0, 1, 0.0), (0, -1, 0.0)])
    )
    crowd = Crowd(World((0.0, 0.0, 16.0, 16.0), shut), (human(),), seed=0)
    crowd.add(0, (3.0, 3.0, 0.0), Errand.to(12.0, 12.0))
    crowd.run(2.0)
    (event,) = crowd.recording().events
    assert (event.kind, event.who) == ("no way", 0)
    crowd.give(0, Errand.to(6.0, 3.0))
    assert away(roots(crowd, 10.0)[-1, 0], (6.0, 3.0)) <= 0.5 + BESIDE_M


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Errand(),
        lambda: Errand(points=((1.0, 1.0),), leader=3),
        lambda: Errand.to(1.0, float("nan")),
        lambda: Errand.to(1.0, 1.0, tolerance_m=0.0),
        lambda: Errand.along([]),
        lambda: Errand.wander((3.0, 0.0, 1.0, 1.0)),
        lambda: Errand.wander((0.0, 0.0, 1.0)),
        lambda: Errand.wander((0.0, 0.0, 1.0, 1.0), count=0),
        lambda: Errand.follow("Ann", distance_m=-1.0),
        lambda: Errand.to(1.0, 1.0, then="dance"),
    ],
)
def test_errands_that_are_none_are_refused(wrong) -> None:
    with pytest.raises(InvalidInput):
        wrong()


def test_nobody_follows_a_stranger_or_itself() -> None:
    crowd = crowd_of(Errand.to(3.0, 2.0))
    with pytest.raises(UnknownName):
        crowd.give(0, Errand.follow("Ann"))
    with pytest.raises(InvalidInput):
        crowd.give(0, Errand.follow(0))
