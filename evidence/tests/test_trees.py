"""Tables of LK06 and L09 on trees, measured again: what every item shows, and what must be true of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence.tests.quick_items import check_item, quick

TREES = (
    "lk06-table-1", "lk06-table-2", "lk06-figure-13", "l09-table-4.1", "l09-figure-4.10", "l09-table-4.2",
    "l09-table-4.3",
)  # fmt: skip


@pytest.mark.parametrize("name", TREES)
def test_an_item_shows_all_its_claims_and_explains_what_is_worse(name: str, tmp_path: Path):
    check_item(name, tmp_path)


def test_items_find_no_fault_in_sound_answers():
    for name in ("l09-table-4.1", "l09-table-4.2"):
        for one in quick(name).report.table("failures").rows:
            if "rasterised" not in one.label and not one.label.startswith("body"):
                assert one.entries[1].ours == "none", f"{name}: {one.label}"


def test_the_published_numbers_stand_beside_ours():
    table = quick("l09-table-4.1").report.table("% success, equal nodes")
    assert table.entry("diverse", "50 KB").published == 69.48
    assert table.entry("inclusion-exclusion", "5 KB").published == 4.72
    assert table.entry("survivor", "5 KB").published is None
    for one in table.rows:
        assert all(isinstance(entry.ours, float) and 0.0 <= entry.ours <= 100.0 for entry in one.entries)


def test_small_trees_answer_no_more_than_the_exhaustive_tree_they_are_chosen_from():
    table = quick("l09-table-4.1").report.table("% success, equal nodes")
    whole = table.entry("exhaustive", "50 KB").ours
    assert isinstance(whole, float)
    for one in table.rows:
        if one.label not in ("diverse", "exhaustive"):
            assert all(isinstance(entry.ours, float) and entry.ours <= whole for entry in one.entries), one.label
