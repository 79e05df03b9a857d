"""Items of papers at quick size, each run once a process, and what holds for every one of them.

Each file of tests has the items of its own paper, so that no item is run by two workers.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from evidence.reproductions.claim import Verdict, claims
from evidence.reproductions.comparison import compared_in
from evidence.reproductions.item import Result, say_nothing
from evidence.reproductions.items import item_named
from evidence.reproductions.markdown import read_report, write_result
from evidence.reproductions.measure import measure
from evidence.reproductions.report import Entry, Report, as_dict

WIDEST_PX = 2000


@lru_cache
def quick(name: str) -> Result:
    """Run an item at its size of seconds."""
    return measure(item_named(name), quick=True, say=say_nothing)


def entries(report: Report) -> list[Entry]:
    """Return all entries of all tables of a report."""
    return [entry for table in report.tables for one in table.rows for entry in one.entries]


def check_item(name: str, folder: Path) -> None:
    """Assert what holds for every item: it says what it measured, shows all its claims, and explains what is worse."""
    result = quick(name)
    report = result.report
    assert report.item == name
    assert report.quick
    assert report.differences
    assert any("seed" in sentence.lower() for sentence in report.setting)
    assert any(isinstance(entry.ours, (int, float)) for entry in entries(report))
    check_claims(report)
    check_files(result, folder)


def check_claims(report: Report) -> None:
    """Assert that a report shows every claim of its item, and says why where ours is worse."""
    shown = {one.claim.key: one for one in compared_in(report)}
    expected = {one.key for one in claims().values() if one.item == report.item}
    assert expected, "an item is there for a claim"
    assert not expected - set(shown), "claims that are not shown"
    for entry in entries(report):
        assert (entry.published is None) == (not entry.claim), "what was published is a claim"
    unexplained = [one for one in shown.values() if one.verdict in (Verdict.WORSE, Verdict.DIFFERS) and not one.why]
    assert not unexplained, "worse or different, and no sentence says why"


def check_files(result: Result, folder: Path) -> None:
    """Assert that a result can be written and read back, pictures and all."""
    report = result.report
    assert set(report.pictures) == set(result.pictures)
    for picture in result.pictures.values():
        assert picture.ndim == 3
        assert picture.shape[1] <= WIDEST_PX
        assert picture.std() > 1.0, "an empty picture"
    files = write_result(result, folder)
    assert {path.suffix for path in files} >= {".json", ".md"}
    assert all(path.stat().st_size > 0 for path in files)
    assert read_report(folder / f"{report.item}.json") == report
    json.dumps(as_dict(report), allow_nan=False)
