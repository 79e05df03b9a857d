"""Which planner when: the page quotes what was measured, and planners' pages have the same parts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from evidence.benchmarks.which_planner import queries
from evidence.benchmarks.which_planner_page import PAGE, RESULTS, TABLES, quoted

from gambol.planners import PLANNERS
from gambol.scenes import load_scene

PAGES = sorted((PAGE.parent / "planners").glob("*.md"))


def test_the_page_quotes_the_results_as_they_are():
    page = PAGE.read_text(encoding="utf-8")
    assert set(re.findall(r"<!-- which planner: (\S+) -->", page)) == set(TABLES)
    assert quoted(page, json.loads(RESULTS.read_text())) == page, "run python -m evidence.benchmarks.which_planner_page"


def test_other_results_would_make_another_page():
    results = json.loads(RESULTS.read_text())
    results["planners"]["A*"]["found"] = 12_345
    assert "12345 of" in quoted(PAGE.read_text(encoding="utf-8"), results)


def test_what_pages_quote_of_the_comparison_was_measured():
    results = json.loads(RESULTS.read_text())
    of, alone = results["planners"], results["alone"]
    pages = {path.stem: path.read_text(encoding="utf-8") for path in PAGES}
    more, most = of["weighted A*, 1.5"], of["weighted A*, 2"]
    assert (
        f"{100 * (more['cost_mean'] - 1):.0f} % more than A*'s on average and {100 * (more['cost_worst'] - 1):.0f} % "
        f"at most, with 2 {100 * (most['cost_mean'] - 1):.0f} % and {100 * (most['cost_worst'] - 1):.0f} %"
    ) in " ".join(pages["variants"].split())
    assert f"it solves {of['truncated A*, 5,000 kept']['found']} of the {of['A*']['of']}" in pages["variants"]
    trees, default = pages["trees"], of["default trees (cheapest and diverse)"]
    assert f"pruned trees solve {of['pruned trees']['found']}, diverse ones {of['diverse trees']['found']}" in trees
    assert f"{default['cost_mean']:.2f} times A*'s on average there, {default['cost_worst']:.2f} times at most" in trees
    assert f"{alone['found']} of {alone['of']} arrive" in pages["crowd"]


def test_queries_are_the_same_each_time():
    first, second = ([query.problem.start for query in queries(load_scene("maze"))] for _ in range(2))
    assert len(first) > 1
    assert first == second


def test_every_planner_that_has_a_name_is_on_a_page():
    pages = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    for name in PLANNERS:
        assert f"`{name}`" in pages, name


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_planners_page_has_its_parts(path: Path):
    page = path.read_text(encoding="utf-8")
    if path.stem == "index":
        return
    for part in ("## The idea", "## Example", "## Settings", "## Guarantees", "## Limits", "## Read on"):
        assert f"\n{part}\n" in page, part
    assert re.search(r"!\[.+\]\(\.\./pictures/planners/\w+\.png\)", page)
    assert page.count("```python\n") == 1
