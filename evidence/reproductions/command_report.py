"""What `python -m evidence.reproductions` says of its results."""

from __future__ import annotations

import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from evidence.reproductions.comparison import compare, verdicts
from evidence.reproductions.measure import Collection
from evidence.reproductions.report import Report, shown_entry

UNSEEN_WIDTH = 160  # columns where nobody's terminal says how many there are: enough for all tables


def summary_of(collection: Collection) -> dict[str, Any]:
    """Return what came of several items, as plain values."""
    compared = compare(collection.reports)
    return {
        "items": [report.item for report in collection.reports],
        "quick": collection.quick,
        "seconds": round(collection.seconds, 1),
        "compared": len(compared),
        "verdicts": {str(verdict): count for verdict, count in verdicts(compared.values()).most_common()},
        "failures": dict(collection.failures),
    }


def print_report(report: Report) -> None:
    """Print an item's tables and sentences."""
    width = None if sys.stdout.isatty() else UNSEEN_WIDTH
    console = Console(highlight=False, markup=False, width=width)
    console.print(report.title, style="bold")
    if report.quick:
        console.print("A quick run: it shows that all of it works, and says nothing about the paper.")
    for sentence in report.setting:
        console.print(sentence, style="dim")
    for one in report.tables:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column(one.title, no_wrap=True)
        for column in one.columns:
            table.add_column(column, justify="right", overflow="fold")
        for row in one.rows:
            table.add_row(row.label, *map(shown_entry, row.entries))
        console.print()
        console.print(table)
        for note in (one.note, *(f"{row.label}: {row.note}" for row in one.rows if row.note)):
            if note:
                console.print(note, style="dim")
    console.print()
    for sentence in report.differences:
        console.print(f"- {sentence}")
