"""The page of what was measured, docs/benchmarks.md."""

from __future__ import annotations

import platform
from pathlib import Path

from evidence.benchmarks.timing import Row

PAGE = Path(__file__).parent.parent.parent / "docs" / "benchmarks.md"


def with_section(page: str, name: str, rows: list[Row], setting: str = "") -> str:
    """Return the page with the rows of one benchmark in place of those it had; sections are in alphabetical order.

    setting: a sentence above the table; by default this Python and this machine.
    """
    head, *parts = page.split("\n## ")
    sections = dict(part.rstrip("\n").split("\n", 1) for part in parts)
    setting = setting or f"Python {platform.python_version()} on {platform.machine()}, one core unless stated."
    headings = ["what", "ours", "other", "ratio", *(["wanted"] if any(row.wanted for row in rows) else []), "note"]
    cells = [
        [row.what, row.ours, row.other, row.ratio, *([row.wanted] if "wanted" in headings else []), row.note]
        for row in rows
    ]
    head_line, *lines = (f"| {' | '.join(line)} |" for line in (headings, *cells))
    sections[name] = "\n".join(("", setting, "", head_line, f"|{'---|' * len(headings)}", *lines))
    return "\n\n".join((head.rstrip("\n"), *(f"## {one}\n{sections[one]}" for one in sorted(sections)))) + "\n"
