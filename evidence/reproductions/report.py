"""What an item found: tables with the published numbers beside ours, and a sentence on each difference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from evidence.reproductions.claim import Claim
from gambol.errors import InvalidInput

Value = float | int | str | None

ROUNDED_AWAY = 1e-10  # nothing that is measured is so small: what is left is rounding


@dataclass(frozen=True)
class Entry:
    """A number of ours and the one published, either of which may not exist.

    Made by `entry`, which takes what was published as a claim of a paper.
    """

    ours: Value = None
    published: Value = None
    claim: str = ""  # the key of the claim published; "": no number of a paper

    def __post_init__(self) -> None:
        if isinstance(self.ours, float) and not math.isfinite(self.ours):
            object.__setattr__(self, "ours", None)  # the mean of nothing is no number


@dataclass(frozen=True)
class Row:
    label: str
    entries: tuple[Entry, ...]
    note: str = ""  # a sentence on why ours differ from those published


@dataclass(frozen=True)
class Table:
    """Rows of as many entries as there are columns; the labels have no column of their own."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row.entries) != len(self.columns):
                raise InvalidInput(
                    f"table {self.title!r}: row {row.label!r} has {len(row.entries)} entries for "
                    f"{len(self.columns)} columns"
                )

    def entry(self, label: str, column: str) -> Entry:
        """Return one entry by the names of its row and column."""
        for row in self.rows:
            if row.label == label:
                return row.entries[self.columns.index(column)]
        raise InvalidInput(f"table {self.title!r} has no row {label!r}")


@dataclass(frozen=True)
class Report:
    """Everything said about an item; it can be written as JSON and read back."""

    item: str
    title: str
    quick: bool
    setting: tuple[str, ...]  # sentences: bodies, sizes, seeds
    tables: tuple[Table, ...]
    differences: tuple[str, ...]  # sentences
    pictures: tuple[str, ...] = ()  # names of files beside the report
    seconds: float = 0.0  # that it took
    machine: str = ""  # on which it was measured

    def table(self, title: str) -> Table:
        """Return a table by its title."""
        for table in self.tables:
            if table.title == title:
                return table
        raise InvalidInput(f"{self.item} has no table {title!r}")


def as_dict(report: Report) -> dict[str, Any]:
    """Return a report as plain values."""
    return asdict(report)


def from_dict(values: Mapping[str, Any]) -> Report:
    """Return the report that `as_dict` was given."""
    tables = tuple(
        Table(
            table["title"],
            tuple(table["columns"]),
            tuple(
                Row(row["label"], tuple(Entry(**entry) for entry in row["entries"]), row["note"])
                for row in table["rows"]
            ),
            table["note"],
        )
        for table in values["tables"]
    )
    return Report(
        item=values["item"],
        title=values["title"],
        quick=values["quick"],
        setting=tuple(values["setting"]),
        tables=tables,
        differences=tuple(values["differences"]),
        pictures=tuple(values["pictures"]),
        seconds=values["seconds"],
        machine=values["machine"],
    )


def entry(ours: Value, published: Claim | None = None) -> Entry:
    """Return a number of ours, beside the claim of a paper if there is one."""
    return Entry(ours) if published is None else Entry(ours, published.value, published.key)


def row(label: str, ours: Sequence[Value], published: Sequence[Claim | None] | None = None, *, note: str = "") -> Row:
    """Return a row of our numbers and, where there are any, the claims beside them.

    note: a sentence on why ours differ, or are worse.
    """
    beside = published if published is not None else [None] * len(ours)
    if len(beside) != len(ours):
        raise InvalidInput(f"row {label!r}: {len(ours)} numbers of ours beside {len(beside)} published")
    return Row(label, tuple(entry(mine, other) for mine, other in zip(ours, beside, strict=True)), note)


def shown(value: Value) -> str:
    """Return a number as people read it: three or four figures, thousands apart."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= 1000.0:
        return f"{value:,.0f}"
    if abs(value) < ROUNDED_AWAY:
        return "0"
    for least, digits in ((100.0, 1), (10.0, 2), (1.0, 2), (0.1, 3)):
        if abs(value) >= least:
            return f"{value:.{digits}f}"
    return f"{value:.{2 if abs(value) >= 1e-6 else 3}g}"  # so small is a probability


def shown_entry(entry: Entry) -> str:
    """Return a number of ours, the published one behind it in brackets."""
    if entry.published is None:
        return shown(entry.ours)
    return f"{shown(entry.ours)} ({shown(entry.published)})"
