"""The page of benchmarks: each has its section, and measuring one again leaves the others alone."""

from __future__ import annotations

from evidence.benchmarks.page import with_section
from evidence.benchmarks.timing import Row


def test_a_benchmark_has_its_own_section_in_place_of_the_one_before() -> None:
    page = with_section("# Benchmarks\n\nMade by hand.\n", "trees", [Row("look-up", "1 µs", "2 µs", "2.0")])
    page = with_section(page, "bvh", [Row("reading", "1 s", "3 s", "3.0")])
    assert page.index("## bvh") < page.index("## trees")
    again = with_section(page, "bvh", [Row("reading", "2 s", "3 s", "1.5")])
    assert "| reading | 2 s | 3 s | 1.5 |" in again
    assert "| 3.0 |" not in again
    assert again.partition("## trees")[2] == page.partition("## trees")[2]
