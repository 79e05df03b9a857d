"""The page of what was measured, docs/benchmarks.md."""

from __future__ import annotations

import platform
from pathlib import Path

from evidence.benchmarks.timing import Row

PAGE = Path(__file__).parent.parent.parent / "docs" / "benchmarks.md"


def with_section(page: str, name: str, rows: list[Row]) -> str:
    """Return the page with the rows of one benchmark in place of those it had; sections are in alphabetical order."""
    head, *parts = page.split("\n## ")
    sections = dict(part.rstrip("\n").split("\n", 1) for part in parts)
    sections[name] = "\n".join((
        "",
        f"Python {platform.python_version()} on {platform.machine()}, one core unless stated.",
        "",
        "| what | ours | other | ratio | note |",
        "|---|---|---|---|---|",
        *(f"| {row.what} | {row.ours} | {row.other} | {row.ratio} | {row.note} |" for row in rows),
    ))  # fmt: skip
    return "\n\n".join((head.rstrip("\n"), *(f"## {one}\n{sections[one]}" for one in sorted(sections)))) + "\n"
