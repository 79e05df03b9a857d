"""Published tables on trees, measured again: numbers quoted, queries, answers, reports and the command."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from evidence.reproductions import (
    command,
    l09_figure_4_10,
    l09_table_4_1,
    l09_table_4_2,
    l09_table_4_3,
    lk06_tables,
    published,
)
from evidence.reproductions.asking import BUDGET, Forward, InTree
from evidence.reproductions.bodies import DISC_RADIUS_M, with_disc
from evidence.reproductions.c_shape import GOAL_M, c_shape
from evidence.reproductions.claim import claim
from evidence.reproductions.item import say_nothing
from evidence.reproductions.items import ITEMS, item_named
from evidence.reproductions.judge import fault
from evidence.reproductions.l09_tree_settings import fullest_goal_cell
from evidence.reproductions.markdown import read_report, report_markdown
from evidence.reproductions.published import number
from evidence.reproductions.report import Report, Table, as_dict, from_dict, row, shown
from evidence.reproductions.subjects import HUB, eight_joggers, eleven_joggers
from evidence.reproductions.tally import ask_all, percent_of, solved_by_all
from evidence.reproductions.tree_against_search import gains
from tests.support.command_line import runner

from gambol.animate import play
from gambol.body import Body
from gambol.characters import Step
from gambol.errors import InvalidInput, MalformedFile, UnknownName
from gambol.judges import Performer, check_motions
from gambol.search import AStar
from gambol.trees import Clutter, Query, QuerySet, SearchTree, grow_diverse, grow_exhaustive, square_region
from gambol.trees.queries import START
from gambol.world import at_resolution, compile_world

ROOT = Path(__file__).parent.parent.parent.parent
REGION = square_region(20.0)
CLUTTERED = Clutter(least=6, most=14, shortest_m=0.5, longest_m=3.0)
QUERIES = QuerySet(REGION, CLUTTERED, 12, 5, DISC_RADIUS_M)


@lru_cache
def small_tree() -> SearchTree:
    return grow_diverse(eleven_joggers(), nodes=8_000, region=REGION, begins=HUB)


# What was published


def test_numbers_of_lk06_agree_with_each_other():
    for which in (1, 2):
        table = published.lk06_table(which)
        for column in (table.tree, table.search):
            runtime, output, speed_up, frame = (number(one) for one in column[:4])
            assert output / runtime == pytest.approx(speed_up, rel=0.005)
            assert runtime / (output * 30e-6) == pytest.approx(frame, rel=0.005)
        for slow, fast, times in (
            (table.search.runtime, table.tree.runtime, table.times_faster),
            (table.case.search[0], table.case.tree[0], table.case.times_faster),
        ):
            assert number(slow) / number(fast) == pytest.approx(number(times), rel=0.005)
    assert [published.lk06_table(which).case.name for which in (1, 2)] == [published.TRIVIAL, published.WORST]


def test_figure_13_halves_again_and_again():
    sizes = [number(one) for one in published.lk06_figure_13_mb()]
    assert sizes[0] / 2 ** (len(sizes) - 1) == pytest.approx(sizes[-1], abs=0.2)
    assert all(0.47 <= after / before <= 0.51 for before, after in pairwise(sizes))


def test_table_4_1_is_complete_and_ranks_as_the_thesis_says():
    ranking = ("diverse", "Green and Kelly", "inner product", "pruned", "inclusion-exclusion")
    table = published.l09_table_4_1()
    assert set(table) == set(ranking)
    for method in table.values():
        assert len(method.success) == len(method.seconds) == len(published.L09_SIZES_KB) == 6
        assert len(method.density) == len(published.L09_DENSITY_SIZES_KB) == 4
        for by_size in (method.success, method.seconds, method.density):
            values = [number(one) for one in by_size.values()]
            assert values == sorted(values, reverse=True), "all fall with the size"
    for kb in published.L09_SIZES_KB:
        values = [number(table[name].success[kb]) for name in ranking]
        assert values == sorted(values, reverse=True), "true for all memory sizes"


def test_tables_4_2_and_4_3_agree_on_the_tree_of_25_mb():
    tree, search = published.l09_search("tree25mb"), published.l09_search("search")
    assert published.l09_grid("tree", 270).success.value == tree.success.value
    for cells in published.L09_CELLS:
        assert published.l09_grid("search", cells).success.value == search.success.value
    assert 100.0 / number(tree.runtime) > number(claim("l09.t4.2.times_faster"))  # said in the text
    shape = published.l09_shape("tree25mb").cost, published.l09_shape("search").cost
    assert number(shape[0]) / number(shape[1]) == pytest.approx(1.125, abs=0.001)


def test_full_sizes_are_those_of_the_papers():
    assert claim("l09.t4.1.queries").value == l09_table_4_1.FULL.queries
    assert claim("l09.t4.2.queries").value == l09_table_4_2.FULL.queries
    assert claim("l09.t4.3.queries").value == l09_table_4_3.FULL.queries
    assert claim("l09.fig4.10.nodes").value == l09_figure_4_10.NODES
    for table in (lk06_tables.TABLE_1, lk06_tables.TABLE_2):
        assert table.states == table.published.states.value
        assert lk06_tables.FULL.trips >= number(table.published.executions)


def test_the_exhaustive_tree_of_eight_behaviors_has_as_many_nodes_as_the_thesis_stored():
    tree = grow_exhaustive(eight_joggers(), depth=5, begins=HUB)
    assert len(tree) == sum(8**level for level in range(6))
    megabytes = len(tree) * published.L09_BYTES_A_NODE / 2**20
    assert megabytes == pytest.approx(number(claim("l09.t4.1.exhaustive.mb")), abs=0.01)


# Queries


def test_queries_depend_on_their_number_alone():
    first, second = list(QUERIES), list(replace(QUERIES, count=5))
    for one, other in zip(first, second, strict=False):
        assert one.number == other.number
        assert one.goal == other.goal
        assert [thing.pose for thing in one.world.obstacles] == [thing.pose for thing in other.world.obstacles]
    assert len({query.goal for query in first}) == QUERIES.count
    assert next(iter(replace(QUERIES, seed=6))).goal != first[0].goal


def test_starts_and_goals_of_queries_are_free_and_every_obstacle_overlaps_the_region():
    around = shapely.box(-10.0, -10.0, 10.0, 10.0)
    for query in QUERIES:
        assert CLUTTERED.least <= len(query.world.obstacles) <= CLUTTERED.most
        assert abs(query.goal.x) <= 10.0
        assert abs(query.goal.y) <= 10.0
        for obstacle in query.world.obstacles:
            shape = obstacle.footprint.region(obstacle.pose)
            assert shape.intersects(around)
            for x, y in (START[:2], (query.goal.x, query.goal.y)):
                assert shape.distance(shapely.Point(x, y)) >= DISC_RADIUS_M


def test_queries_that_are_left_out_have_a_blocked_start_or_goal():
    kept = {query.number for query in QUERIES}
    left_out = [number for number in range(max(kept)) if number not in kept]
    assert left_out
    certain = replace(QUERIES, clear_m=-1.0)
    for left in left_out:
        query = certain.draw(left)
        assert query is not None
        ends = (shapely.Point(START[:2]), shapely.Point(query.goal.x, query.goal.y))
        assert min(query.blocked.distance(end) for end in ends) < DISC_RADIUS_M


@pytest.mark.parametrize("opens_to_start", [True, False])
def test_a_c_shape_shuts_the_straight_way_and_is_open_to_where_a_search_begins(opens_to_start: bool):
    query = c_shape((-20.0, -20.0, 20.0, 20.0), opens_to_start=opens_to_start)
    ends = ((0.0, 0.0), (GOAL_M, 0.0))
    assert shapely.LineString(ends).intersects(query.blocked)
    inside = (0.5 * GOAL_M, 0.0)
    sees = [not shapely.LineString((inside, end)).intersects(query.blocked) for end in ends]
    assert sees == [opens_to_start, not opens_to_start]
    plan = Forward("A*", AStar(weight=2.0), with_disc(eleven_joggers()), HUB).ask(query, np.empty((0, 2)))
    assert plan.found
    assert plan.cost > 1.3 * GOAL_M


# Answers


def test_a_tree_answers_only_what_a_star_answers_and_plain_geometry_accepts():
    disc = with_disc(eleven_joggers())
    methods = [Forward("A*", AStar(around=False), disc, HUB, BUDGET), InTree("tree", small_tree(), disc)]
    columns = ask_all(QUERIES, methods, say_nothing, judged=disc, radius_m=DISC_RADIUS_M)
    search, tree = columns["A*"], columns["tree"]
    assert 0 < tree.found.sum() <= search.found.sum()
    assert not (tree.found & ~search.found).any()
    assert not search.faults
    assert not tree.faults
    assert sum(tree.causes.values()) == (~tree.found).sum()
    shares = percent_of(tree.cost, search.cost, solved_by_all(columns.values()))
    assert shares.mean() >= 100.0


def test_answers_of_a_tree_for_the_real_body_are_clean_at_full_rate():
    character = eleven_joggers()
    look = InTree("tree", small_tree(), character)
    body, found = Body.from_skeleton(character.skeleton), 0
    for query in QUERIES:
        answer = look.ask(query, np.empty((0, 2)))
        if not answer.found:
            continue
        found += 1
        motion = play(character, answer.steps)
        report = check_motions(query.world, [Performer("one", motion, body, 0.0, answer.steps, character)])
        assert report.is_clean, report
    assert found >= 3


def solved_query() -> tuple[Query, tuple[Step, ...]]:
    look = InTree("tree", small_tree(), with_disc(eleven_joggers()))
    for query in QUERIES:
        answer = look.ask(query, np.empty((0, 2)))
        if answer.found and len(answer.steps) > 3:
            return query, answer.steps
    raise AssertionError("no query of this set is answered")


def test_the_judge_refuses_what_collides_or_breaks_off_or_ends_elsewhere():
    character = eleven_joggers()
    query, steps = solved_query()
    assert fault(query, character, steps, DISC_RADIUS_M) == ""
    x, y, _ = steps[2].pose
    walled = replace(query, blocked=shapely.Point(x, y).buffer(0.1))
    assert "enters an obstacle" in fault(walled, character, steps, DISC_RADIUS_M)
    assert "may not follow" in fault(query, character, left_foot_twice(), DISC_RADIUS_M)
    assert "does not begin" in fault(query, character, (steps[0], *steps[2:]), DISC_RADIUS_M)
    elsewhere = replace(query, goal=replace(query.goal, x=query.goal.x + 5.0))
    assert "does not end" in fault(elsewhere, character, steps, DISC_RADIUS_M)
    assert fault(query, character, (), DISC_RADIUS_M)


def left_foot_twice() -> tuple[Step, ...]:
    """Return two steps that fit in place, of which the second may not follow the first."""
    character = eleven_joggers()
    left = character.index("step-left")
    x, y, heading = (float(value) for value in character.behaviors[left].clips[0].displacement)
    return (Step(left, 0, START, 0), Step(left, 0, (x, y, heading), 11))


def test_a_world_of_another_resolution_has_the_same_answers():
    disc = with_disc(eleven_joggers())
    query, _ = solved_query()
    answers = []
    for cell_m in (0.05, 0.3):
        world = at_resolution(query.world, cell_m)
        assert compile_world(world).cell_m == pytest.approx(cell_m)
        answers.append(InTree("tree", small_tree(), disc).ask(replace(query, world=world), np.empty((0, 2))))
    assert answers[0].found
    assert answers[0].cost == answers[1].cost
    assert compile_world(query.world).cell_m == pytest.approx(0.1)


def test_an_unknown_item_is_an_error_that_suggests_one():
    with pytest.raises(UnknownName, match=r"l09-table-4\.1"):
        item_named("l09-table-41")


# Reports


def test_a_report_survives_json_and_shows_published_numbers_in_brackets():
    table = Table(
        "things",
        ("one", "two"),
        (
            row("mine", [1.5, None], [claim("l09.t4.2.weight"), claim("l09.t4.2.dearer")], note="So it is."),
            row("yours", [float("nan"), 3]),
        ),
    )
    report = Report("item", "Title", False, ("Seed 1.",), (table,), ("They differ.",), ("item.png",))
    assert from_dict(json.loads(json.dumps(as_dict(report)))) == report
    text = report_markdown(report, pictures="results/")
    assert "| mine | 1.50 (2) | – (10..15) |" in text
    assert "*mine*: So it is." in text
    assert table.entry("mine", "one").claim == "l09.t4.2.weight"
    assert "| yours | – | 3 |" in text
    assert "![Title](results/item.png)" in text
    with pytest.raises(InvalidInput, match="columns"):
        Table("things", ("one",), (row("mine", [1, 2]),))
    with pytest.raises(InvalidInput):
        row("mine", [1, 2], [None])


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567.0, "1,234,567"), (12345, "12,345"), (3.14159, "3.14"), (0.0123, "0.012"), (0.0, "0"), (None, "–")],
)
def test_numbers_are_shown_as_people_read_them(value: float | None, text: str):
    assert shown(value) == text


def test_what_is_no_report_is_refused(tmp_path: Path):
    path = tmp_path / "other.json"
    path.write_text('{"item": 1}')
    with pytest.raises(MalformedFile):
        read_report(path)


# The command


def test_the_command_lists_and_runs_items(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    run = runner(monkeypatch, capsys, command.app)
    code, out, _ = run("--json")
    assert code == 0
    assert [one["name"] for one in json.loads(out)] == [item.name for item in ITEMS]
    code, out, _ = run("l09-figure-4.10", "--quick", "-o", tmp_path, "--json")
    assert code == 0
    said = json.loads(out)
    assert said["item"] == "l09-figure-4.10"
    assert sorted(Path(path).name for path in said["files"]) == sorted(path.name for path in tmp_path.iterdir())
    code, out, _ = run("l09-figure-4.10", "--quick")
    assert code == 0
    assert "Green and Kelly" in out
    assert run("no-such-item")[0] == 2
    assert run("--quick")[0] == 2


# Sentences that go by the numbers


def test_why_ratios_differ_goes_by_which_of_both_is_how_much_faster():
    assert "ratio of both is smaller here" in gains(1e-3, 1e-4, 1.0, 1e-3)  # 1000 and 10 times as fast
    assert "ratio of both is no smaller here" in gains(0.1, 1e-6, 1.0, 1e-3)
    assert "answered nothing" in gains(float("nan"), 1e-6, 1.0, 1e-3)


def test_the_fullest_goal_cell_counts_all_groups():
    tree = grow_exhaustive(eight_joggers(), depth=2, begins=HUB)
    grid = tree.grid
    cells = [
        sum(grid.first_entry[cell * grid.groups + group + 1] - grid.first_entry[cell * grid.groups + group]
            for group in range(grid.groups))
        for cell in range(grid.rows * grid.columns)
    ]  # fmt: skip
    assert fullest_goal_cell(tree) == max(cells)
