"""`gambol papers`: published tables and figures, measured again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from gambol.cli.options import JsonOption
from gambol.cli.progress import progress_bar
from gambol.errors import InvalidInput
from gambol.papers.items import ITEMS, item_named
from gambol.papers.markdown import write_result
from gambol.papers.report import Report, as_dict, shown_entry


def papers(
    item: Annotated[str | None, typer.Argument(metavar="[ITEM]", help="One of those listed; without it, list.")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A size of seconds: shows that it works, says nothing about the paper.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("-o", "--out", metavar="FOLDER", help="Write the report there: JSON, Markdown, pictures."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure a published table or figure again, the published numbers beside ours."""
    if item is None:
        if quick or out is not None:
            raise InvalidInput("say which item is to be measured; `gambol papers` lists them")
        _list_items(as_json=as_json)
        return
    chosen = item_named(item)
    with progress_bar(hidden=as_json) as say:
        result = chosen.run(quick, say)
    files = [] if out is None else write_result(result, out)
    if as_json:
        typer.echo(json.dumps(as_dict(result.report) | {"files": [str(path) for path in files]}, ensure_ascii=False))
        return
    _print_report(result.report)
    for path in files:
        typer.echo(f"wrote {path}")


def _list_items(*, as_json: bool) -> None:
    if as_json:
        listed = [{"name": item.name, "summary": item.summary} for item in ITEMS]
        typer.echo(json.dumps(listed, ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("item", no_wrap=True)
    table.add_column("summary")
    for item in ITEMS:
        table.add_row(item.name, item.summary)
    Console(highlight=False).print(table)


def _print_report(report: Report) -> None:
    console = Console(highlight=False, markup=False)
    console.print(report.title, style="bold")
    if report.quick:
        console.print("A quick run: it shows that all of it works, and says nothing about the paper.")
    for sentence in report.setting:
        console.print(sentence, style="dim")
    for one in report.tables:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column(one.title, no_wrap=True)
        for column in one.columns:
            table.add_column(column, justify="right")
        for entries in one.rows:
            table.add_row(entries.label, *map(shown_entry, entries.entries))
        console.print()
        console.print(table)
        if one.note:
            console.print(one.note, style="dim")
    console.print()
    for sentence in report.differences:
        console.print(f"- {sentence}")
