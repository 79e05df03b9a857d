"""A report as Markdown, and as files in a folder."""

from __future__ import annotations

import json
from pathlib import Path

from evidence.reproductions.item import Result
from evidence.reproductions.report import Report, Table, as_dict, from_dict, shown_entry
from gambol.errors import MalformedFile
from gambol.files import read_bytes, write_atomically
from gambol.pictures import write_png

MOST_PICTURE_BYTES = 100_000  # of a picture that keeps all its colors: reports have dozens


def report_markdown(report: Report, *, pictures: str = "", level: int = 1) -> str:
    """Return a report as Markdown; pictures: folder of its pictures, as seen from the page; level: of its heading."""
    parts = [
        f"{'#' * level} {report.title}",
        f"`python -m evidence.reproductions {report.item}{' --quick' if report.quick else ''}`",
    ]
    if report.quick:
        parts.append("A quick run: it shows that all of it works, and says nothing about the paper.")
    parts.append(" ".join(report.setting))
    parts += [table_markdown(table) for table in report.tables]
    parts += [f"![{report.title}]({pictures}{name})" for name in report.pictures]
    if report.differences:
        parts.append("\n".join(f"- {sentence}" for sentence in report.differences))
    return "\n\n".join(parts) + "\n"


def table_markdown(table: Table) -> str:
    """Return a table: numbers of ours, those published behind them in brackets."""
    head = f"| {_plain(table.title)} | " + " | ".join(map(_plain, table.columns)) + " |"
    rule = "|---|" + "---:|" * len(table.columns)
    rows = [f"| {_plain(row.label)} | " + " | ".join(map(shown_entry, row.entries)) + " |" for row in table.rows]
    notes = [table.note, *(f"*{_plain(row.label)}*: {row.note}" for row in table.rows if row.note)]
    return "\n".join([head, rule, *rows, *(line for note in notes if note for line in ("", note))])


def _plain(label: str) -> str:
    """Return a label whose asterisks, as in A*, stay what they are."""
    return label.replace("*", "\\*")


def write_result(result: Result, folder: Path) -> list[Path]:
    """Write a result as JSON, Markdown and pictures; return the files."""
    report = result.report
    base = folder / report.item
    text = json.dumps(as_dict(report), indent=1, ensure_ascii=False) + "\n"
    files = {f"{base}.json": text.encode("utf-8"), f"{base}.md": report_markdown(report).encode("utf-8")}
    for path, data in files.items():
        write_atomically(path, data)
    for name, picture in result.pictures.items():
        write_png(picture, folder / name, most_bytes=MOST_PICTURE_BYTES)
    return [*map(Path, files), *(folder / name for name in result.pictures)]


def read_report(path: Path) -> Report:
    """Read a report from its JSON file."""
    try:
        return from_dict(json.loads(read_bytes(path)))
    except (ValueError, KeyError, TypeError) as error:
        raise MalformedFile(f"not a report of a published item: {error}", path=path) from error
