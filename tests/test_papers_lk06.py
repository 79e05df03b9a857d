"""LK06's items at a size of seconds: what holds for every one of them, and for each its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.quick_items import check_item, quick

from gambol.papers import lk06_figure_4
from gambol.papers.claim import claim
from gambol.papers.frequency_drawing import frequency_of
from gambol.papers.report import Table
from gambol.papers.subjects import HUB, lk06_character
from gambol.plan.tree.exhaustive import grow_exhaustive


@pytest.mark.parametrize("name", ["lk06-figure-4"])
def test_every_item_of_lk06_says_what_it_measured(name: str, tmp_path: Path):
    check_item(name, tmp_path)


def test_every_path_is_counted_once_and_in_its_own_cell():
    tree = grow_exhaustive(lk06_character(21), depth=2, begins=HUB)
    found = frequency_of(tree.pose[1:, :2], 0.28)
    assert found.count.sum() == len(tree) - 1
    corner, ahead = [(-0.3, -0.1), (-0.26, -0.2)], [(0.3, 0.6)] * 3
    small = frequency_of(corner + ahead, 0.25)
    assert (small.x0, small.y0) == (-0.5, -0.25)
    expected = np.zeros((4, 4), dtype=np.int64)  # rows are y, columns x
    expected[0, 0], expected[3, 3] = 2, 3
    assert (small.count == expected).all()
    assert (small.most, small.cells, small.above) == (3, 2, 0)


def numbers_of(table: Table, label: str) -> dict[str, float]:
    """Return the numbers of a row by their columns."""
    ours = {column: table.entry(label, column).ours for column in table.columns}
    return {column: float(value) for column, value in ours.items() if isinstance(value, (int, float))}


def test_the_pruned_tree_of_figure_4_covers_most_cells_of_the_exhaustive_one_with_fewer_paths():
    trees = quick("lk06-figure-4").report.table(lk06_figure_4.TREES)
    whole, pruned = numbers_of(trees, lk06_figure_4.EXHAUSTIVE), numbers_of(trees, lk06_figure_4.PRUNED)
    assert pruned["nodes"] < 0.3 * whole["nodes"]
    assert pruned["cells reached"] > 0.7 * whole["cells reached"]
    assert pruned["paths in the fullest cell"] < whole["paths in the fullest cell"]
    assert whole["% not behind"] > 90.0
    assert whole["MB with goal lists"] > whole["MB of nodes"] > 0.0


def test_figure_4_is_grown_to_the_papers_size():
    assert claim("lk06.fig4.depth").value == lk06_figure_4.FULL.depth
    assert claim("lk06.fig4.pruned.nodes").value == lk06_figure_4.FULL.nodes
