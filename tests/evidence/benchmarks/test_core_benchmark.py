"""The core's benchmark: parts that were measured are not measured again, and what is wanted is said beside them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from evidence.benchmarks.core import costs, known_worlds, parts
from evidence.benchmarks.core.wanted import at_least, at_most, wanted
from evidence.benchmarks.page import with_section
from evidence.benchmarks.timing import Row


def test_what_is_wanted_is_said_with_whether_it_is_met():
    assert at_least(7.0, "{:g} times").says(7.5) == "at least 7 times: met (7.5 times)"
    assert at_most(0.25).says(0.3) == "at most 0.25: not met (0.3)"
    assert at_most(5.0).says(None) == "at most 5: not measured"
    assert wanted("nobody wants this", 1.0) == ""


def test_rows_with_something_wanted_have_a_column_for_it():
    page = with_section("# Benchmarks\n", "core", [Row("a", "1", "2", "2.0", "note", "at least 1: met (2)")], "Loaded.")
    assert "Loaded.\n\n| what | ours | other | ratio | wanted | note |\n|---|---|---|---|---|---|\n" in page
    assert "| a | 1 | 2 | 2.0 | at least 1: met (2) | note |" in page


class Nobody:
    """Stands for both sides where no part asks them."""

    def __enter__(self) -> Nobody:
        return self

    def __exit__(self, *_: object) -> None: ...


def test_only_parts_that_these_sources_have_not_measured_are_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    def part(name: str) -> parts.Part:
        def measure(_sides: Any, worlds: int) -> dict[str, Any]:
            asked.append(name)
            return {"worlds": worlds}

        return parts.Part(measure, lambda figures: [Row(name, f"{figures['worlds']}", "", "")])

    monkeypatch.setattr(parts, "PARTS", {name: part(name) for name in ("first", "second")})
    monkeypatch.setattr(parts, "both_sides", Nobody)
    monkeypatch.setattr(parts, "digest_of_sources", lambda: "as they are")
    into = tmp_path / "core.json"
    assert [row.what for row in parts.run(worlds=2, parts=["second"], into=into)] == ["second"]
    assert [row.what for row in parts.run(worlds=2, into=into)] == ["first", "second"]
    assert asked == ["second", "first"]
    parts.run(worlds=2, into=into)
    assert asked == ["second", "first"], "nothing is measured twice"
    parts.run(worlds=3, into=into)
    assert asked == ["second", "first", "first", "second"], "another size is another measurement"
    assert "busy" in parts.setting(into)
    monkeypatch.setattr(parts, "digest_of_sources", lambda: "changed")
    parts.run(worlds=3, parts=["first"], into=into)
    assert json.loads(into.read_text())["first"]["sources"] == "changed"


def test_costs_of_long_searches_are_kept_until_the_human_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(costs, "COSTS", tmp_path / "costs.json")
    searched: list[list[int]] = []

    class Human:
        def __init__(self, digest: str) -> None:
            self.digest = digest

        def ask(self, _question: object) -> str:
            return self.digest

    def ask(queries: list[int]) -> list[costs.Cost]:
        searched.append(queries)
        return [10.0 * query if query else None for query in queries]

    assert costs.long_costs(Human("one"), "a world", [1, 2], ask) == [10.0, 20.0]  # pyright: ignore[reportArgumentType]
    assert costs.long_costs(Human("one"), "a world", [2, 0], ask) == [20.0, None]  # pyright: ignore[reportArgumentType]
    assert costs.long_costs(Human("other"), "a world", [1], ask) == [10.0]  # pyright: ignore[reportArgumentType]
    assert searched == [[1, 2], [0], [1]]


def test_trips_that_were_not_found_are_listed_and_cost_nothing():
    spent = {"ms": 1.0, "core_ms": 0.5, "fell_back": False}
    answers = [{**spent, "found": True, "cost": 12.0}, {**spent, "found": False, "cost": None}] * 20
    figures = known_worlds.summary(answers, [10.0, 10.0, *[None] * 38])
    assert figures["not_found"] == ["world 0, trip 1"]
    assert figures["cost"] == {"mean": 1.2, "worst": 1.2, "of": 1}
