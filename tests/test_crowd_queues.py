"""Queues before doors: who came first goes first, the others keep their distance and out of the way."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest
from floors import random_floor
from scipy.sparse.csgraph import dijkstra
from shapely import LineString, Point
from test_crowd_core import human, same
from test_crowd_lanes import box, centers, doors, laid, moves
from test_crowd_routes import cells_crossed

from gambol.crowd.arrays import ARRIVED, NO_DOOR, ON_THE_WAY, empty_flock
from gambol.crowd.crowd import Crowd
from gambol.crowd.doors import DOOR_M, REACH_M, STANDING_ROOM_M, Door, find_doors
from gambol.crowd.errand import Errand
from gambol.crowd.floor import Floor, lay_floor, note_lanes
from gambol.crowd.kernels.floor import BLOCK, KEPT_CLEAR
from gambol.crowd.kernels.manners import POLITE_FRAMES, QUEUEING_S
from gambol.crowd.kernels.propose import ONWARD
from gambol.crowd.kernels.queues import ASIDE_M, LEAVING, way_to_door
from gambol.crowd.kernels.routes import AVOIDING, FOUND, NO_WAY, search_cells
from gambol.crowd.kernels.sight import visible
from gambol.crowd.lanes import lay_lanes
from gambol.crowd.queues import DENSITY, FRONT, KEEPING_FRAMES, Doors, Usher, distances_by_rank
from gambol.crowd.recording import Recording
from gambol.crowd.routes import find_routes, make_scratch
from gambol.world.world import World

RADIUS_M = 0.35
STEPPING_M = 0.1  # who stands nearer to its door than it may comes nearer still by less than this


# --- which mouths are doors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width_m", [4.0, 2.5, 1.2])
def test_a_door_between_two_rooms_is_queued_for_at_both_its_sides(width_m: float) -> None:
    _, lanes = laid(f"door of {width_m:g} m")
    west, east = sorted(lanes.doors, key=lambda door: door.place[0])
    assert west.end != east.end
    for door, side in ((west, -1.0), (east, 1.0)):
        assert door.passage == lanes.passages[0].number
        assert door.out == pytest.approx((side, 0.0), abs=0.05)
        assert door.place == pytest.approx((20.0, 15.0), abs=0.6)
        assert door.half_m == pytest.approx(0.5 * width_m, abs=0.1)


def test_each_of_two_doors_has_queues_of_its_own() -> None:
    _, lanes = laid("two doors far apart")
    found = sorted((float(np.sign(door.out[0])), round(float(door.place[1]))) for door in lanes.doors)
    assert found == [(-1.0, 5), (-1.0, 25), (1.0, 5), (1.0, 25)]


def into_corridors(name: str) -> list[Door]:
    """The doors of a world that open into its corridors: everywhere, or in the office into the one in its middle."""
    return [door for door in laid(name)[1].doors if name != "office" or (door.place[1] - 13.7) * door.out[1] < 0.0]


@pytest.mark.parametrize("name", ["maze", "office", "crossing", "narrow crossing", "tee", "wide tee", "bend"])
def test_corridors_and_streets_have_mouths_but_no_doors(name: str) -> None:
    assert len(laid(name)[1].passages) > 0
    assert into_corridors(name) == []


def test_a_mouth_at_a_junction_is_no_door() -> None:
    floor, lanes = laid("door of 2.5 m")
    passages = list(lanes.passages)
    for arms in ({(0, False)}, {(0, True)}, {(0, False), (0, True)}):
        found = find_doors(floor, passages, arms)
        assert {(door.passage, door.end) for door in found} == {(0, False), (0, True)} - arms


def test_there_is_a_door_only_to_where_there_is_room_for_a_queue() -> None:
    """Rooms of 20 m and of 5 m: half of the half disc of 16 m before the door is open in the one, not in the other."""
    walls = (box("below", 19.85, 0.0, 20.15, 13.75), box("above", 19.85, 16.25, 20.15, 30.0))
    lanes = lay_lanes(lay_floor(World((0.0, 0.0, 25.15, 30.0), walls)))
    (door,) = lanes.doors
    assert door.out[0] < 0.0


@pytest.mark.parametrize(
    "wall_m",
    [
        0.3,
        0.1,
    ],
)
def test_what_is_behind_a_wall_is_not_before_a_door(wall_m: float) -> None:
    walls = (
        *(box("left", 0.0, 19.85, 12.0, 20.15), box("right", 14.5, 19.85, 52.0, 20.15)),
        box("side", 26.0 - 0.5 * wall_m, 20.15, 26.0 + 0.5 * wall_m, 40.0),
    )
    floor = lay_floor(World((0.0, 0.0, 52.0, 40.0), walls))
    (door,) = (door for door in lay_lanes(floor).doors if door.out[1] > 0.0)
    x, _ = centers(floor)
    seen = door.surroundings(floor)
    assert np.count_nonzero(seen & (x > 25.0)) > 10
    assert not np.any(seen & (x > 26.0))


@pytest.mark.parametrize("name", ["door of 4 m", "door of 2.5 m", "two doors far apart"])
def test_in_a_room_without_corners_all_that_is_near_a_door_is_before_it(name: str) -> None:
    floor, lanes = laid(name)
    x, y = centers(floor)
    for door in lanes.doors:
        out_m = (x - door.place[0]) * door.out[0] + (y - door.place[1]) * door.out[1]
        near = (out_m > 0.5) & (np.hypot(x - door.place[0], y - door.place[1]) < REACH_M)
        differs = door.surroundings(floor) != (near & (floor.room > STANDING_ROOM_M))
        assert np.count_nonzero(differs) < 0.05 * np.count_nonzero(near)


def test_a_wide_opening_is_no_door() -> None:
    floor, lanes = laid("door of 4 m")
    for width_m, count in ((DOOR_M - 0.1, 2), (DOOR_M + 0.1, 0)):
        assert len(find_doors(floor, [replace(lanes.passages[0], width_m=width_m)], set())) == count


def test_right_before_a_door_all_but_the_lanes_is_kept_clear() -> None:
    floor, _ = laid("door of 2.5 m")
    x, y = centers(floor)
    away_m = np.hypot(np.abs(x - 20.0) - 0.15, y - 15.0)
    is_open, is_clear = floor.room > 0.0, floor.gate == KEPT_CLEAR
    assert np.all((is_clear | (floor.way >= 0))[is_open & (away_m < 4.5) & (np.abs(x - 20.0) > 0.5)])
    assert not np.any(is_clear & ((floor.way >= 0) | ~is_open | (away_m > 5.5)))
    assert np.count_nonzero(is_clear & (x < 20.0)) > 50
    assert np.count_nonzero(is_clear & (x > 20.0)) > 50


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


# --- places kept clear ----------------------------------------------------------------------------------------------


def with_clear_places(rng: np.random.Generator, size_m: float, obstacles: int, lanes: int, places: int) -> Floor:
    floor = random_floor(rng, size_m, obstacles, lanes)
    rows, columns = floor.room.shape
    for _ in range(places):
        row, column = rng.integers(rows), rng.integers(columns)
        floor.gate[row : row + rng.integers(4, 16), column : column + rng.integers(4, 16)] = KEPT_CLEAR
    note_lanes(floor)
    return floor


def is_clear_at(floor: Floor, x: float, y: float) -> bool:
    return floor.gate[int(y / floor.cell_m), int(x / floor.cell_m)] == KEPT_CLEAR


@pytest.mark.parametrize("seed", range(4))
def test_a_line_goes_through_a_place_kept_clear_only_where_it_begins_or_ends_in_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    floor = with_clear_places(rng, 20.0, 4, 2, 5)
    lifted = floor._replace(gate=np.full_like(floor.gate, -1))
    barred = allowed = 0
    for number in range(500):
        x0, y0 = rng.uniform(0.4, 19.6, 2)
        x1, y1 = rng.uniform(0.4, 19.6, 2) if number % 3 else (x0, y0) + rng.normal(0.0, 1.0, 2)
        if not (0.0 < x1 < 20.0 and 0.0 < y1 < 20.0) or math.hypot(x1 - x0, y1 - y0) < 0.5:
            continue
        line = (float(x0), float(y0), float(x1), float(y1))
        seen, seen_if_lifted = visible(floor, 0.3, *line), visible(lifted, 0.3, *line)
        within = is_clear_at(floor, x0, y0) or is_clear_at(floor, x1, y1)
        if within:
            assert seen == seen_if_lifted
            allowed += seen
            continue
        surely = np.any(floor.gate[cells_crossed(floor, *line, -1e-5)] == KEPT_CLEAR)
        perhaps = np.any(floor.gate[cells_crossed(floor, *line, 1e-5)] == KEPT_CLEAR)
        assert not (seen and surely)
        assert seen == seen_if_lifted or perhaps
        barred += seen_if_lifted and not seen
    assert min(barred, allowed) > 20


def least_costs(floor: Floor, start: int, goal: int) -> float:
    """The cost of the cheapest way, all moves written out: those into jams and places kept clear cost more."""
    columns = floor.room.shape[1]
    graph = moves(floor.way, floor.room >= RADIUS_M)
    begin, end = (np.stack(divmod(cells, columns)) for cells in graph.coords)
    base = np.where(np.abs(end - begin).sum(axis=0) == 2, 141, 100)
    room, avoided = floor.room[*end].astype(float), (floor.gate[*end] == KEPT_CLEAR) | floor.jam[*(end // BLOCK)]
    cost = np.floor(base * (1.0 + np.maximum(1.0 - room, 0.0) * (1.0 / (1.0 - RADIUS_M))))
    cost *= np.where(avoided, AVOIDING, 1)
    near_goal = np.abs(end - np.array(divmod(goal, columns))[:, None]).max(axis=0) <= 8
    graph.data = np.where(near_goal, base, cost).astype(float)
    return float(dijkstra(graph.tocsr(), indices=start)[goal])


@pytest.mark.parametrize("seed", range(4))
def test_the_cheapest_way_counts_moves_through_jams_and_places_kept_clear_more_often(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    floor = with_clear_places(rng, 10.0, 5, 2, 3)
    floor.jam[:] = rng.random(floor.jam.shape) < 0.3
    lifted = floor._replace(gate=np.full_like(floor.gate, -1), jam=np.zeros_like(floor.jam))
    scratch = make_scratch(floor)
    cells = np.flatnonzero(floor.room >= RADIUS_M)
    dearer = 0
    for start, goal in rng.choice(cells, (15, 2)):
        least = least_costs(floor, start, goal)
        outcome, cost, _ = search_cells(floor, RADIUS_M, start, goal, np.int64(256), np.int64(10**6), scratch)
        assert (outcome == NO_WAY) == math.isinf(least)
        if outcome == FOUND:
            assert cost == least
            dearer += cost > least_costs(lifted, start, goal)
    assert dearer > 2


def kept_clear(x0: float, y0: float, x1: float, y1: float) -> Floor:
    """An open floor of 20 by 20 m with one rectangle that is kept clear."""
    floor = lay_floor(World((0.0, 0.0, 20.0, 20.0)))
    floor.gate[int(4 * y0) : int(4 * y1), int(4 * x0) : int(4 * x1)] = KEPT_CLEAR
    note_lanes(floor)
    return floor


def crosses(floor: Floor, route: np.ndarray) -> bool:
    """Whether a way goes through a place kept clear."""
    met = [floor.gate[cells_crossed(floor, *map(float, (*a, *b)), -1e-5)] for a, b in pairwise(route)]
    return bool(np.any(np.concatenate(met) == KEPT_CLEAR))


def test_a_way_along_the_wall_leads_around_what_is_kept_clear_before_a_door() -> None:
    floor, _ = laid("door of 2.5 m")
    x = np.arange(15.5, 19.6, 0.5)
    starts, goals = np.column_stack((x, np.full_like(x, 5.0))), np.column_stack((x[::-1], np.full_like(x, 25.0)))
    for begin, end in ((starts, goals), (goals, starts)):
        routes = find_routes(floor, RADIUS_M, begin, end)
        assert np.all(routes.outcome == FOUND)
        for query, start in enumerate(begin):
            assert not crosses(floor, np.vstack((start, routes.points[query, : routes.count[query]])))


def test_ways_lead_around_places_kept_clear_that_are_far_from_all_obstacles() -> None:
    floor = kept_clear(8.0, 6.0, 12.0, 14.0)
    y = np.arange(5.0, 16.0)
    starts, goals = np.column_stack((np.full_like(y, 2.0), y)), np.column_stack((np.full_like(y, 18.0), 20.0 - y))
    routes = find_routes(floor, RADIUS_M, starts, goals)
    assert np.all(routes.outcome == FOUND)
    for query, start in enumerate(starts):
        assert not crosses(floor, np.vstack((start, routes.points[query, : routes.count[query]])))
    assert np.all(routes.count > 1)


def test_a_way_leads_through_a_place_kept_clear_where_there_is_none_around_it() -> None:
    floor = kept_clear(8.0, 0.0, 12.0, 20.0)
    routes = find_routes(floor, RADIUS_M, [(2.0, 10.0)], [(18.0, 10.0)])
    assert routes.outcome[0] == FOUND
    assert routes.points[0, routes.count[0] - 1].tolist() == [18.0, 10.0]
    length_m = routes.left[0, 0] + math.dist((2.0, 10.0), routes.points[0, 0])
    assert length_m == pytest.approx(16.0, rel=0.1)


def test_who_stands_in_a_place_kept_clear_or_has_its_goal_there_finds_its_way() -> None:
    floor = kept_clear(8.0, 6.0, 12.0, 14.0)
    outside, inside = (2.0, 10.0), (10.0, 10.0)
    routes = find_routes(floor, RADIUS_M, [outside, inside], [inside, outside])
    assert np.all(routes.outcome == FOUND)
    for query, goal in enumerate((inside, outside)):
        assert routes.points[query, routes.count[query] - 1].tolist() == list(goal)


def test_a_goal_right_beside_the_lanes_before_a_door_is_reached() -> None:
    crowd = Crowd(doors(2.5, 15.0), (human(),), seed=1)
    row, column = np.argwhere((crowd.floor.gate == KEPT_CLEAR) & (crowd.floor.room > 1.0))[0]
    goal = ((column + 0.5) * crowd.floor.cell_m, (row + 0.5) * crowd.floor.cell_m)
    crowd.add(0, (5.0, 15.0, 0.0), Errand.to(*goal))
    crowd.run(20.0)
    assert crowd.statistics.arrivals == 1
    assert math.dist(crowd._flock.end[0, :2], goal) <= 0.5
