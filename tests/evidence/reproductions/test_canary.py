"""One piece of each paper at a size of seconds; `make evidence-quick` measures every published item."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from evidence.reproductions import c20_scenes, lk06_figure_15
from evidence.reproductions.asking import InRasterizedTree, InTree
from evidence.reproductions.bodies import DISC_RADIUS_M, with_disc
from evidence.reproductions.climb_runs import problem_in
from evidence.reproductions.falling_tree import WHO
from evidence.reproductions.item import say_nothing
from evidence.reproductions.l09_table_4_2 import CLUTTER, RASTER_CELL_M, SIDE_M
from evidence.reproductions.played import ARRIVE, COLLISIONS, DELIVERED, ILLEGAL, TOUCHES
from evidence.reproductions.subjects import HUB, eleven_joggers
from evidence.reproductions.tally import ask_all, percent_of, solved_by_all
from evidence.tests.quick_items import check_item, quick
from tests.support.variation_walks import walk_examples

from gambol.climb import PaperCore
from gambol.search import Outcome
from gambol.trees import QuerySet, grow_diverse, square_region
from gambol.variation import learn, repetition, shape

pytestmark = pytest.mark.slow

ITEMS = ("lk05-figure-6", "lk06-table-1", "lk06-figure-15", "l09-table-4.2", "c20-scenes")


@pytest.mark.parametrize("name", ITEMS)
def test_an_item_shows_all_its_claims_and_explains_what_is_worse(name: str, tmp_path: Path):
    check_item(name, tmp_path)


@pytest.mark.parametrize("name", ["lk05-figure-6", c20_scenes.NAME])
def test_everybody_arrives_and_the_check_finds_nothing(name: str):
    table = quick(name).report.table(DELIVERED)
    for row in table.rows:
        assert table.entry(row.label, ARRIVE).ours
        faults = [table.entry(row.label, column).ours for column in (COLLISIONS, TOUCHES, ILLEGAL)]
        assert faults == [0, 0, 0], row.label


def test_one_passes_before_the_tree_of_lk05_lies_and_two_jump():
    assert [row.entries[0].ours for row in quick("lk05-figure-6").report.table(WHO).rows] == [1, 2]


def test_the_shots_of_lk06_hit_fewer_than_they_would_and_nobody_touches_another():
    safe = {one.label: one.entries[0].ours for one in quick("lk06-figure-15").report.table(lk06_figure_15.SAFE).rows}
    hit, would = safe[lk06_figure_15.HITS], safe[lk06_figure_15.AVOIDED]
    assert isinstance(hit, int)
    assert isinstance(would, int)
    assert safe[lk06_figure_15.FOUND] == 0
    assert hit < would


def test_ours_looks_up_what_the_gridmaps_of_lk06_do_and_only_ours_is_sound():
    disc, region = with_disc(eleven_joggers()), square_region(SIDE_M)
    tree = grow_diverse(eleven_joggers(), nodes=10_000, region=region, begins=HUB)
    ways = [InTree("ours", tree, disc), InRasterizedTree("gridmaps", tree, disc, DISC_RADIUS_M, RASTER_CELL_M)]
    queries = QuerySet(region, CLUTTER, 60, 5, DISC_RADIUS_M)
    columns = ask_all(queries, ways, say_nothing, judged=disc, radius_m=DISC_RADIUS_M)
    ours, theirs = columns["ours"], columns["gridmaps"]
    assert not ours.faults
    both = solved_by_all(columns.values())
    assert both.sum() >= 0.8 * max(ours.found.sum(), theirs.found.sum()) > 20
    assert 90.0 < percent_of(ours.cost, theirs.cost, both).mean() < 110.0


def test_the_core_of_kp00_walks():
    found = PaperCore(max_steps=200).search(problem_in("climb-flat"))
    assert found.outcome == Outcome.FOUND


def test_the_core_of_kp00_says_where_it_is_stuck():
    stuck = PaperCore(max_steps=10).search(replace(problem_in("climb-flat"), seed=1))
    assert stuck.outcome != Outcome.FOUND


def test_the_network_of_l09_makes_walks_that_are_no_copies():
    examples = walk_examples()
    model = learn(examples, preset="paper")
    made = [model.sample(seed).motion for seed in range(3)]
    assert repetition([shape(one) for one in [*made, *(item.motion for item in examples.items)]]).repeats == 0
