"""Trips and worlds that are told as numbers, and the script that times them."""

from __future__ import annotations

import math

import pytest
import shapely
from evidence.benchmarks.trips import ROOM_M, crowded, outline, trips, with_movers
from evidence.old.environment import ROOT, environment


def test_a_world_is_as_crowded_as_asked_and_the_same_each_time():
    world = crowded(0.17, 3)
    assert world == crowded(0.17, 3) != crowded(0.17, 4)
    covered = shapely.union_all([outline(box) for box in world["boxes"]]).area
    assert 0.17 <= covered / 40.0**2 < 0.18


def test_trips_have_room_at_both_ends_and_their_length():
    world = crowded(0.17, 1)
    whole = shapely.union_all([outline(box) for box in world["boxes"]])
    for trip in trips(world, 20, 5):
        assert 15.0 <= math.dist(trip["start"][:2], trip["goal"]) <= 40.0
        for place in (trip["start"][:2], trip["goal"]):
            assert whole.distance(shapely.Point(place)) >= ROOM_M


@pytest.mark.slow
def test_plans_are_timed_in_worlds_that_are_told():
    world = crowded(0.06, 1)
    queries = trips(world, 2, 1)
    with environment(str(ROOT)).worker("timing.py") as worker:
        worker.ask({"what": "world", "name": "one", "told": world})
        planner = {"kind": "A*", "weight": 1.5}
        found = worker.ask({"what": "solve", "world": "one", "queries": queries, "planner": planner})
        assert all(one["found"] and one["ms"] > 0.0 and one["cost"] > 10.0 for one in found)
        first = worker.ask({"what": "first plan", "told": world, "query": queries[0], "planner": planner})
        assert first["cost"] == found[0]["cost"]
        moved = with_movers(world, 20, 1)
        among = worker.ask({"what": "first plan", "told": moved, "query": queries[0], "planner": planner})
        assert among["ms"] > 0.0
        expanded = worker.ask({"what": "expand", "world": "one", "query": queries[0], "most": 500, "repeats": 1})
        assert 0 < expanded["expansions"] <= 500
