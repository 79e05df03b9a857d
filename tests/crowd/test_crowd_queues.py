"""Queues before doors: who came first goes first, the others keep their distance and out of the way."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from shapely import LineString, Point
from test_crowd_core import human, same
from test_crowd_lanes import doors, laid

from gambol.crowd.arrays import ARRIVED, NO_DOOR, ON_THE_WAY, empty_flock
from gambol.crowd.crowd import Crowd
from gambol.crowd.doors import REACH_M, Door
from gambol.crowd.errand import Errand
from gambol.crowd.floor import Floor
from gambol.crowd.kernels.floor import KEPT_CLEAR
from gambol.crowd.kernels.manners import POLITE_FRAMES, QUEUEING_S
from gambol.crowd.kernels.propose import ONWARD
from gambol.crowd.kernels.queues import ASIDE_M, LEAVING, way_to_door
from gambol.crowd.queues import DENSITY, FRONT, KEEPING_FRAMES, Doors, Usher, distances_by_rank
from gambol.crowd.recording import Recording

STEPPING_M = 0.1  # who stands nearer to its door than it may comes nearer still by less than this


# --- how far to keep away -------------------------------------------------------------------------------------------


def standing_room(floor: Floor, door: Door) -> list[float]:
    """How far from a door the cells before it are in which one can queue, one by one."""
    found = []
    for row, column in np.argwhere(door.surroundings(floor)).tolist():
        x, y = floor.x0 + (column + 0.5) * floor.cell_m, floor.y0 + (row + 0.5) * floor.cell_m
        if floor.way[row, column] < 0:
            found.append(math.dist((x, y), door.place))
    return found


@pytest.mark.parametrize("name", ["door of 4 m", "door of 2.5 m", "two doors far apart"])
def test_nearer_than_where_one_waits_all_before_it_have_room(name: str) -> None:
    floor, lanes = laid(name)
    share = floor.cell_m**2 * DENSITY  # of a person, by cell
    for door in lanes.doors:
        distance_m = distances_by_rank(door, floor)
        away_m = np.array(standing_room(floor, door))
        assert np.all(distance_m[:FRONT] == 0.0)
        assert np.all(np.diff(distance_m) >= 0.0)
        assert distance_m[-1] <= away_m.max() + 1e-9 <= REACH_M + 0.5
        assert len(distance_m) == pytest.approx(FRONT + len(away_m) * share, abs=1.5)
        for rank in range(FRONT, len(distance_m)):
            assert np.count_nonzero(away_m < distance_m[rank] - 1e-9) * share <= rank - FRONT + share
            assert np.count_nonzero(away_m <= distance_m[rank] + 1e-9) * share >= rank - FRONT - 1e-9


def test_a_door_before_which_nobody_can_stand_keeps_nobody_away() -> None:
    floor, lanes = laid("door of 2.5 m")
    closed = floor._replace(room=np.zeros_like(floor.room))
    assert distances_by_rank(lanes.doors[0], closed).tolist() == [0.0]


# --- tickets --------------------------------------------------------------------------------------------------------


class Hall:
    """Some who stand before the west side of a door of 2.5 m in the middle of a wall, or of two doors."""

    def __init__(self, count: int, name: str = "door of 2.5 m") -> None:
        floor, lanes = laid(name)
        self.usher, self.count, self.frame = Usher(lanes.doors, floor), count, 1
        self.place = np.array([door.place for door in lanes.doors])
        self.west = [n for n, door in enumerate(lanes.doors) if door.out[0] < 0.0]
        self.distance_m = [distances_by_rank(door, floor) for door in lanes.doors]
        self.flock = empty_flock(count + 3)

    def stand(self, who: int, x: float, y: float, through_y: float = 15.0) -> None:
        """Put someone somewhere, with a way straight to a door and on."""
        flock = self.flock
        flock.taken[who], flock.condition[who] = True, ON_THE_WAY
        flock.pose[who, 0, :2] = x, y
        flock.way[who, :2, :2] = (20.0, through_y), (30.0, through_y)
        flock.way_at[who], flock.way_count[who] = 0, 2

    def keep(self) -> None:
        self.usher.keep(self.flock, self.count, self.frame)
        self.frame += KEEPING_FRAMES

    def away_m(self) -> np.ndarray:
        return np.linalg.norm(self.flock.pose[: self.count, 0, :2] - self.place[self.west[0]], axis=1)

    @property
    def holders(self) -> np.ndarray:
        return np.flatnonzero(self.flock.door[: self.count] != NO_DOOR)


def test_those_who_come_together_are_served_by_how_near_they_are() -> None:
    hall = Hall(40)
    rng = np.random.default_rng(0)
    for who in range(40):
        hall.stand(who, *rng.uniform((7.0, 8.0), (18.0, 22.0)))
    hall.keep()
    order = np.argsort(hall.away_m())
    flock, distance_m = hall.flock, hall.distance_m[hall.west[0]]
    assert np.all(flock.door[:40] == hall.west[0] + 1)
    assert np.array_equal(np.argsort(flock.ticket[:40]), order)
    assert np.array_equal(flock.keeps_m[order], distance_m[:40])
    assert np.all(flock.keeps_from[:40] == hall.place[hall.west[0]])
    assert not np.any(flock.door[40:])


def test_who_came_earlier_keeps_nearer_wherever_the_others_are() -> None:
    hall = Hall(30)
    rng = np.random.default_rng(1)
    early, late = np.split(rng.permutation(30), 2)
    for who in early:
        hall.stand(who, *rng.uniform((6.0, 10.0), (10.0, 20.0)))
    hall.keep()
    for who in late:  # nearer to the door
        hall.stand(who, *rng.uniform((14.0, 12.0), (18.0, 18.0)))
    hall.keep()
    keeps_m, ticket = hall.flock.keeps_m, hall.flock.ticket[:30].copy()
    assert hall.away_m()[early].min() > hall.away_m()[late].max()
    assert keeps_m[early].max() < keeps_m[late].min()
    assert np.array_equal(keeps_m[np.argsort(ticket)], hall.distance_m[hall.west[0]][:30])
    hall.flock.pose[:30, 0, :2] = rng.permutation(hall.flock.pose[:30, 0, :2])  # who pushes to the front gains nothing
    hall.keep()
    assert np.array_equal(hall.flock.ticket[:30], ticket)
    assert np.array_equal(keeps_m[np.argsort(ticket)], hall.distance_m[hall.west[0]][:30])


def test_as_those_in_front_go_through_the_others_step_up() -> None:
    hall = Hall(20)
    for who in range(20):
        hall.stand(who, 19.0 - 0.5 * who, 15.0)
    hall.keep()
    first = hall.flock.keeps_m[:20].copy()
    hall.flock.pose[:5, 0, 0], hall.flock.way_at[:5] = 22.0, 1
    hall.keep()
    assert np.array_equal(hall.flock.keeps_m[5:20], first[:15])
    assert not np.any(hall.flock.keeps_m[:5])
    assert np.array_equal(hall.holders, np.arange(5, 20))


def test_a_ticket_is_kept_while_there_is_no_route_for_the_moment() -> None:
    hall = Hall(12)
    for who in range(12):
        hall.stand(who, 18.0 - who, 15.0)
    hall.keep()
    ticket, keeps_m = hall.flock.ticket[:12].copy(), hall.flock.keeps_m[:12].copy()
    hall.flock.way_count[3] = 0
    hall.flock.condition[9] = ARRIVED
    hall.flock.way[11, :2, :2] = (10.0, 5.0)  # it goes round somebody, or is to come back
    hall.keep()
    assert np.array_equal(hall.holders, np.arange(12))
    assert not np.any(hall.flock.keeps_m[[3, 9, 11]])  # and is in nobody's way meanwhile
    hall.stand(3, 17.0, 15.0)
    hall.stand(9, 9.0, 15.0)
    hall.stand(11, 7.0, 15.0)
    hall.keep()
    assert np.array_equal(hall.flock.ticket[:12], ticket)
    assert np.array_equal(hall.flock.keeps_m[:12], keeps_m)


def test_a_ticket_is_lost_by_going_through_or_far_away_or_out_of_the_crowd() -> None:
    hall = Hall(6)
    for who in range(6):
        hall.stand(who, 18.0 - who, 15.0)
    hall.keep()
    flock = hall.flock
    last = flock.ticket[:6].max()
    flock.pose[0, 0, :2] = 20.6, 15.0  # through, with a way that goes on
    flock.way_at[0] = 1
    flock.taken[1] = False
    door_x = hall.place[hall.west[0], 0]
    flock.pose[2, 0, :2] = door_x - LEAVING * REACH_M - 0.1, 15.0
    flock.pose[3, 0, :2] = door_x - LEAVING * REACH_M + 0.1, 15.0  # not as far as that
    hall.keep()
    assert np.array_equal(hall.holders, [3, 4, 5])
    for who in range(4):
        hall.stand(who, 18.0 - who, 15.0)
    hall.keep()
    assert np.all(flock.ticket[:3] > last)  # at the end of the queue
    assert np.all(flock.ticket[3:6] <= last)


def test_who_chooses_another_door_takes_another_ticket() -> None:
    hall = Hall(4, "two doors far apart")
    for who in range(4):
        hall.stand(who, 17.0 - who, 15.0, 5.0)
    hall.keep()
    below, above = sorted(hall.west, key=lambda n: hall.place[n, 1])
    assert np.all(hall.flock.door[:4] == below + 1)
    last = hall.flock.ticket[:4].max()
    hall.stand(0, 17.0, 15.0, 25.0)
    hall.keep()
    assert hall.flock.door[:4].tolist() == [above + 1, *[below + 1] * 3]
    assert hall.flock.ticket[0] > last
    assert np.array_equal(hall.flock.keeps_from[0], hall.place[above])


def test_only_who_is_near_and_will_go_through_takes_a_ticket() -> None:
    hall = Hall(4)
    door_x = hall.place[hall.west[0], 0]
    hall.stand(0, door_x - REACH_M + 0.1, 15.0)
    hall.stand(1, door_x - REACH_M - 0.1, 15.0)
    hall.stand(2, 15.0, 15.0)
    hall.flock.way[2, :2, :2] = (15.0, 25.0)  # stays in its room
    hall.stand(3, 15.0, 15.0)
    hall.flock.condition[3] = ARRIVED
    hall.keep()
    assert np.array_equal(hall.holders, [0])


def test_queues_are_looked_after_now_and_then() -> None:
    hall = Hall(1)
    hall.stand(0, 15.0, 15.0)
    for hall.frame in range(2, KEEPING_FRAMES + 1):
        hall.usher.keep(hall.flock, 1, hall.frame)
        assert not len(hall.holders)
    hall.usher.keep(hall.flock, 1, KEEPING_FRAMES + 1)
    assert len(hall.holders) == 1


def test_the_way_to_a_door_ends_where_the_route_first_crosses_its_mouth_inward() -> None:
    rng = np.random.default_rng(2)
    through = past = 0
    for _ in range(600):
        angle, place, half_m = rng.uniform(-np.pi, np.pi), rng.uniform(-2.0, 2.0, 2), rng.uniform(0.5, 3.0)
        out, along = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        table = Doors(place[None], out[None], np.array([half_m]), REACH_M)
        points = rng.uniform(-6.0, 6.0, (int(rng.integers(2, 8)), 2))
        skipped = int(rng.integers(len(points) - 1))  # way-points that were passed already
        flock = empty_flock(1)
        flock.pose[0, 0, :2], flock.way[0, : len(points) - 1, :2] = points[0], points[1:]
        flock.way_at[0], flock.way_count[0] = skipped, len(points) - 1
        route = np.vstack((points[:1], points[1 + skipped :]))
        mouth = LineString([place - (half_m + ASIDE_M) * along, place + (half_m + ASIDE_M) * along])
        expected, gone_m = math.inf, 0.0
        for a, b in pairwise(route):
            met = LineString([a, b]).intersection(mouth)
            if not met.is_empty and (a - place) @ out > 0.0 and expected == math.inf:
                expected = gone_m + Point(a).distance(met)
            gone_m += math.dist(a, b)
        assert way_to_door(flock, np.int64(0), table, np.int64(0)) == pytest.approx(expected, abs=1e-9)
        through += expected < math.inf
        past += expected == math.inf
    assert min(through, past) > 100


@pytest.mark.parametrize(("first", "second"), [(5.0, 25.0), (25.0, 5.0)])
def test_of_two_doors_on_its_way_one_queues_for_the_first(first: float, second: float) -> None:
    hall = Hall(1, "two doors far apart")
    hall.stand(0, 15.0, 15.0)
    points = [
        (20.0, first),
        (25.0, first),
        (15.0, first),
        (15.0, second),
        (25.0, second),
    ]  # out, in, out
    hall.flock.way[0, :5, :2], hall.flock.way_count[0] = points, 5
    hall.keep()
    assert hall.place[hall.flock.door[0] - 1] == pytest.approx((20.0, first), abs=0.6)
    hall.flock.way_at[0] = 3
    hall.keep()
    assert hall.place[hall.flock.door[0] - 1] == pytest.approx((20.0, second), abs=0.6)


# --- a crowd at a door ----------------------------------------------------------------------------------------------


class Plans(NamedTuple):
    """What was taken up, P plans, and what was so when it was."""

    begin: np.ndarray  # (P, 2) where it begins
    end: np.ndarray  # (P, 3) the pose at which it comes to rest
    keeps_m: np.ndarray  # (P,)
    keeps_from: np.ndarray  # (P, 2)
    waited_s: np.ndarray  # (P,)
    onward: np.ndarray  # (P,) bool
    driven: np.ndarray  # (P,) bool: asked to make way, or has got nowhere for long
    has_ticket: np.ndarray  # (P,) bool
    at_goal: np.ndarray  # (P,) bool


class Run(NamedTuple):
    floor: Floor
    plans: Plans
    recording: Recording
    arrivals: int


def change_rooms(threads: int) -> Crowd:
    """Two streams of 20 who meet at a door of 2.5 m."""
    crowd = Crowd(doors(2.5, 15.0), (human(),), seed=3, threads=threads)
    for n in range(20):
        x, y = 12.5 - 1.4 * (n // 5), 9.0 + 3.0 * (n % 5)
        crowd.add(0, (x, y, 0.0), Errand.to(40.0 - x, y))
        crowd.add(0, (40.0 - x, y, np.pi), Errand.to(x, y))
    return crowd


def taken_up(crowd: Crowd) -> list[tuple]:
    """Let a frame pass and return the plans that were taken up in it."""
    asked, best, looked = crowd._flock.asked_frame.copy(), crowd._flock.best_frame.copy(), crowd.statistics.look_ups
    crowd.step()
    flock, proposals = crowd._flock, crowd._proposals
    found = []
    for number in range(crowd.statistics.look_ups - looked):
        who, count = proposals.who[number], proposals.count[number]
        clips = proposals.clip[number, :count]
        if not count or flock.count[who] != count + 1 or not np.array_equal(flock.clip[who, 1 : count + 1], clips):
            continue
        standing = crowd.frame - flock.anchor_frame[who]
        driven = 0 < crowd.frame - asked[who] < 60 and asked[who] > 0
        driven = driven or crowd.frame - best[who] > 240 or standing > 690
        at_goal = math.dist(flock.goal[who], flock.end[who, :2]) <= flock.tolerance[who]
        found.append(
            (
                *(flock.pose[who, 1, :2].copy(), flock.end[who, :3].copy(), flock.keeps_m[who]),
                *(flock.keeps_from[who].copy(), standing / 30.0, proposals.aim[number] == ONWARD, driven),
                *(flock.door[who] != NO_DOOR, at_goal),
            )
        )
    return found


@cache
def at_the_door() -> Run:
    crowd = change_rooms(1)
    found = [plan for _ in range(25 * 30) for plan in taken_up(crowd)]
    plans = Plans(*(np.array(column) for column in zip(*found, strict=True)))
    return Run(crowd.floor, plans, crowd.recording(), crowd.statistics.arrivals)


def cells_of(floor: Floor, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    column, row = np.floor((points[:, :2] - (floor.x0, floor.y0)) / floor.cell_m).astype(int).T
    return row, column


def test_nobody_comes_nearer_to_its_door_than_its_place_in_the_queue() -> None:
    floor, plans, _, _ = at_the_door()
    before_m = np.linalg.norm(plans.begin - plans.keeps_from, axis=1)
    after_m = np.linalg.norm(plans.end[:, :2] - plans.keeps_from, axis=1)
    bound = (plans.keeps_m > 0.0) & (plans.waited_s < QUEUEING_S)
    bound &= np.where(plans.onward, floor.way[cells_of(floor, plans.begin)] < 0, ~plans.driven)
    allowed_m = np.minimum(plans.keeps_m, before_m - STEPPING_M)
    assert np.all(after_m[bound] >= allowed_m[bound] - 1e-9)
    assert np.count_nonzero(bound) > 100
    assert np.count_nonzero(bound & (after_m < plans.keeps_m + 1.0)) > 20  # and some are as near as they may be
    free = plans.keeps_m == 0.0
    assert np.count_nonzero(free & plans.has_ticket & (after_m < 5.0)) > 20  # while the first go to the door


def test_nobody_stops_beside_the_lanes_before_a_door() -> None:
    floor, plans, _, _ = at_the_door()
    polite = ~plans.at_goal & (plans.waited_s < POLITE_FRAMES / 30.0)
    stops_in = floor.gate[cells_of(floor, plans.end)]
    assert np.count_nonzero(polite) > 300
    assert not np.any(polite & (stops_in == KEPT_CLEAR))


def test_who_stops_in_a_lane_faces_along_it() -> None:
    floor, plans, _, _ = at_the_door()
    way = floor.way[cells_of(floor, plans.end)]
    turn = np.abs((plans.end[:, 2] - way * np.pi / 8.0 + np.pi) % (2.0 * np.pi) - np.pi)
    in_lane = plans.has_ticket & ~plans.at_goal & (way >= 0)
    assert np.count_nonzero(in_lane) > 50
    assert np.degrees(turn[in_lane].max()) <= 50.0 + 1e-6


def test_queues_let_people_through() -> None:
    assert at_the_door().arrivals >= 5


def test_queues_are_the_same_on_any_number_of_threads() -> None:
    crowd = change_rooms(2)
    crowd.run(25.0)
    assert same(at_the_door().recording, crowd.recording())
