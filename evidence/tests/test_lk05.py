"""LK05 and the first chapters of L09, measured again: what every item shows, and what must be true of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evidence.reproductions import falling_tree, lk05_figure_1, lk05_figure_8, lk05_optimality, lk05_scaling, played
from evidence.reproductions import lk05_figures_4_5 as searches
from evidence.reproductions.bodies import DISC_RADIUS_M
from evidence.reproductions.data_sizes import clips_of, count_of, data_frames, margin_of, span
from evidence.reproductions.every_way import Answer, cheapest_way
from evidence.reproductions.item import say_nothing
from evidence.reproductions.l09_figure_1_3 import exhaustive_nodes, levels
from evidence.reproductions.l09_figure_3_5 import ENOUGH
from evidence.reproductions.lk05_figure_7 import DIFFERENT, PREFERENCES
from evidence.reproductions.played import (
    ARRIVE,
    CHARACTERS,
    COLLISIONS,
    COST,
    DELIVERED,
    ILLEGAL,
    MOTION,
    TOTAL,
    TOUCHES,
)
from evidence.reproductions.report import Report
from evidence.reproductions.subjects import HUB, eight_joggers
from evidence.tests.quick_items import check_item, quick
from gambol.characters import load_character
from gambol.scenes import load_scene
from gambol.search import AStar, Outcome, Plan
from gambol.trees import grow_exhaustive
from gambol.world import Footprint, Obstacle, World

NAMES = (
    "lk05-figure-1", "lk05-figures-2-3", "lk05-figures-4-5", "lk05-figure-6", "lk05-figure-7", "lk05-scaling",
    "lk05-figure-8", "lk05-optimality", "l09-figure-1.3", "l09-figure-3.4", "l09-figure-3.5",
)  # fmt: skip
MOVING = ("lk05-figure-1", "lk05-figures-4-5", "lk05-figure-6", "lk05-figure-7", "lk05-figure-8", "l09-figure-3.5")


@pytest.mark.parametrize("name", NAMES)
def test_an_item_shows_all_its_claims_and_explains_what_is_worse(name: str, tmp_path: Path):
    check_item(name, tmp_path)


@pytest.mark.parametrize("name", MOVING)
def test_everybody_arrives_and_the_check_finds_nothing(name: str):
    table = quick(name).report.table(DELIVERED)
    for row in table.rows:
        assert table.entry(row.label, ARRIVE).ours == table.entry(row.label, CHARACTERS).ours
        assert [table.entry(row.label, column).ours for column in (COLLISIONS, TOUCHES, ILLEGAL)] == [0, 0, 0]
        total, each = (number(quick(name).report, DELIVERED, row.label, column) for column in (TOTAL, MOTION))
        assert total == pytest.approx(each * number(quick(name).report, DELIVERED, row.label, CHARACTERS))
        assert number(quick(name).report, DELIVERED, row.label, COST) > 0.0


def number(report: Report, table: str, label: str, column: str) -> float:
    value = report.table(table).entry(label, column).ours
    assert isinstance(value, (int, float))
    return value


# Searches


def test_trees_shrink_from_a_star_to_inflated_and_costs_do_not():
    report = quick("lk05-figures-4-5").report
    for title in (searches.SEARCHES, searches.COARSE, searches.GOING_AROUND):
        nodes = [number(report, title, name, searches.NODES) for name in searches.NAMES]
        costs = [number(report, title, name, searches.COSTS) for name in searches.NAMES]
        assert nodes == sorted(nodes, reverse=True)
        assert min(costs) == costs[0]
    fine, coarse = (number(report, title, "A*", searches.NODES) for title in (searches.SEARCHES, searches.COARSE))
    assert coarse < 0.2 * fine, "the table of states decides how large a tree is"


def test_a_thousand_times_the_same_clip_changes_neither_plan_nor_expansions():
    table = quick("lk05-scaling").report.table(lk05_scaling.SCALING)
    for column in ("expansions", "cost"):
        assert len({row.entries[table.columns.index(column)].ours for row in table.rows}) == 1
    human = load_character("human").subset("lk05")
    many = lk05_scaling.with_copies(human, 1_000)
    assert len(clips_of(many)) == len(human.behaviors) + 999
    assert data_frames(many).proper > 20 * data_frames(human).proper


# Going through all ways


def test_exact_search_finds_what_going_through_all_ways_finds():
    report = quick("lk05-optimality").report
    table = report.table(lk05_optimality.HELD)
    exact = {name: table.entry(lk05_optimality.EXACT, name).ours for name in table.columns}
    assert exact["solvable"] == exact["solved"] == exact["cheapest"]
    assert exact["without a way"] == exact["of them told"]
    assert isinstance(exact["solvable"], int)
    assert isinstance(exact["without a way"], int)
    assert exact["solvable"] > 5
    assert exact["without a way"] > 2
    for label in lk05_optimality.PLANNERS:
        assert table.entry(label, "wrong").ours == table.entry(label, "bounds exceeded").ours == 0


def test_all_ways_are_gone_through_with_the_world_in_mind():
    problem = lk05_optimality.random_problem(0)
    x0, y0, x1, y1 = problem.world.bounds
    free = replace(problem, world=World((x0, y0, x1, y1)))
    shut = Obstacle("wall", Footprint.box(0.2, 2.0 * (y1 - y0)), (0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.0))
    walled = replace(problem, world=World((x0, y0, x1, y1), (shut,)))
    open_way = cheapest_way(free, DISC_RADIUS_M, most_states=20_000)
    assert open_way.is_certain
    assert open_way.cost is not None
    assert open_way.cost >= np.hypot(free.goal.x - free.start[0], free.goal.y - free.start[1]) - free.goal.tolerance_m
    behind = cheapest_way(walled, DISC_RADIUS_M, most_states=20_000)
    assert behind.is_certain
    assert behind.cost is None
    assert not cheapest_way(free, DISC_RADIUS_M, most_states=2).is_certain


def test_a_tally_notices_plans_that_are_dearer_wrong_or_beyond_their_bound():
    character = lk05_optimality.subject()
    answers = [Answer(10.0, True, 1), Answer(10.0, True, 1), Answer(10.0, True, 1), Answer(None, True, 1)]

    def found(cost: float, bound: float) -> Plan:
        return Plan(Outcome.FOUND, "", character, cost=cost, bound=bound)

    plans = [found(10.0, 1.0), found(12.0, 1.1), found(9.0, 1.0), found(5.0, 1.0)]
    tally = lk05_optimality.tally(answers, plans)
    assert (tally.solvable, tally.solved, tally.unsolvable, tally.told) == (3, 3, 1, 0)
    assert tally.wrong == 2
    assert tally.broken_bounds == 1
    assert tally.worst_loss == pytest.approx(20.0)


# Scenes


def test_one_passes_before_the_tree_lies_and_two_jump():
    for name in ("lk05-figure-6", "l09-figure-3.4"):
        table = quick(name).report.table(falling_tree.WHO)
        assert [row.entries[0].ours for row in table.rows] == [1, 2]


def test_preferences_change_the_way():
    report = quick("lk05-figure-7").report
    (way, longer), (rise, flat), (jumps, none) = (
        [number(report, PREFERENCES, label, column) for label in ("normal costs", "high costs")]
        for column in ("way, m", "rise, m", "jumps")
    )
    assert way < longer
    assert rise > 0.5 > flat
    assert jumps > none == 0
    assert number(report, PREFERENCES, DIFFERENT, "way, m") == 2


def test_the_skateboarder_waits_and_then_jumps():
    scene = lk05_figure_8.with_papers_states(load_scene(lk05_figure_8.SKATE))
    character = scene.cast[0].character
    assert len(character.behaviors) == 11

    def playing(*names: str) -> Plan:
        plan = AStar().solve(scene.problem(scene.cast[0]))
        steps = tuple(replace(plan.steps[0], behavior=character.index(name)) for name in names)
        return replace(plan, steps=steps)

    assert lk05_figure_8.waits_and_jumps(playing("glide", "stop-and-wait", "jump-high"))
    assert not lk05_figure_8.waits_and_jumps(playing("jump-high", "stop-and-wait", "glide"))
    assert not lk05_figure_8.waits_and_jumps(playing("glide", "jump-high"))
    report = quick("lk05-figure-8").report
    assert report.table("who stops and waits").rows[0].entries[0].ours == 1


def test_a_widened_scene_has_longer_ways_for_the_same_people():
    scene = lk05_figure_1.crossing(20)
    wide = lk05_figure_1.widened(scene, 2.0)
    assert [one.name for one in wide.cast] == [one.name for one in scene.cast]
    for near, far in zip(scene.cast, wide.cast, strict=True):
        assert near.goal is not None
        assert far.goal is not None
        short = np.hypot(near.goal.x - near.start[0], near.goal.y - near.start[1])
        assert np.hypot(far.goal.x - far.start[0], far.goal.y - far.start[1]) == pytest.approx(2.0 * short)
    assert wide.world.bounds == (-35.0, -35.0, 105.0, 105.0)
    still = lk05_figure_1.without(scene, "stop-and-wait")
    assert len({id(one.character) for one in still.cast}) == len({id(one.character) for one in scene.cast})
    assert "stop-and-wait" not in [one.name for one in still.cast[0].character.behaviors]


def test_a_played_scene_counts_who_does_what_and_what_is_wrong():
    one = played.play("first", lambda: load_scene("falling-tree"), say_nothing)
    assert one.count("jump") == 2
    assert one.count("jump", "start") == 3
    assert one.count("fly") == 0
    assert one.faults == 0
    assert one.total_s == pytest.approx(3 * one.motion_s)


def test_few_ways_of_jogging_are_enough_among_spheres():
    value = quick("l09-figure-3.5").report.table(ENOUGH).rows[0].entries[0].ours
    assert value in (3, 5, 7)


# Data and trees


def test_data_is_counted_in_planning_frames_with_margins():
    human = load_character("human").subset("lk05")
    counted = data_frames(human)
    clips = clips_of(human)
    assert counted.with_margins - counted.proper == sum(2 * margin_of(clip) for clip in clips)
    assert all(margin_of(clip) * clip.frames_per_step == clip.margin for clip in clips)
    assert [count_of(human, "jog", side) for side in ("", "left", "right")] == [1, 3, 3]
    assert span([3, 3]) == 3
    assert span([4, 1, 2]) == "1..4"


def test_exhaustive_trees_are_counted_as_they_grow():
    character = eight_joggers()
    tree = grow_exhaustive(character, depth=3, begins=HUB)
    assert exhaustive_nodes(character, 3) == len(tree)
    assert np.bincount(levels(tree)).tolist() == [8**level for level in range(4)]
