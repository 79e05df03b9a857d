"""`python -m evidence.reproductions`: what was published, measured again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from evidence.reproductions.claim import claims
from evidence.reproductions.command_report import print_report, summary_of
from evidence.reproductions.html import write_page
from evidence.reproductions.item import Item
from evidence.reproductions.items import ITEMS, items_named
from evidence.reproductions.markdown import write_result
from evidence.reproductions.measure import Collection, collected, measure, measure_into
from evidence.reproductions.report import as_dict
from gambol.cli.options import JsonOption
from gambol.cli.waiting import progress_bar
from gambol.errors import InvalidInput
from gambol.files import check_writable

ALL_FOLDER = Path("out/papers")
NOT_ALL_WELL = 1  # exit code

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def reproductions(
    item: Annotated[
        str | None,
        typer.Argument(
            metavar="[ITEM]", help="One of those listed, a paper (lk05, lk06, kp00, l09, c20) or all; without it, list."
        ),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A size of seconds: shows that it works, says nothing about the paper.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--out",
            metavar="FOLDER",
            help=f"Write the report there: HTML, JSON, Markdown, pictures (several items: {ALL_FOLDER} by default).",
        ),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Of several items, measure also those that the folder has already.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Measure what was published again, the published numbers beside ours.

    Interrupted, a run of several items goes on where it was: the same command measures what the folder has not.
    """
    if item is None:
        if quick or again or out is not None:
            raise InvalidInput("say which item is to be measured; without arguments they are listed")
        _list_items(as_json=as_json)
        return
    chosen = items_named(item)
    if len(chosen) > 1:
        _measure_several(chosen, ALL_FOLDER if out is None else out, quick=quick, again=again, as_json=as_json)
    elif again:
        raise InvalidInput("one item is always measured again; --again is for several")
    else:
        _measure_one(next(iter(chosen)), out, quick=quick, as_json=as_json)


def _measure_one(item: Item, out: Path | None, *, quick: bool, as_json: bool) -> None:
    if out is not None:
        check_writable(out)
    with progress_bar(hidden=as_json) as say:
        result = measure(item, quick=quick, say=say)
    files = [] if out is None else write_result(result, out)
    if out is not None:
        files.append(write_page(collected(ITEMS, out, quick=quick), out))
    if as_json:
        typer.echo(json.dumps(as_dict(result.report) | {"files": [str(path) for path in files]}, ensure_ascii=False))
        return
    print_report(result.report)
    for path in files:
        typer.echo(f"wrote {path}")


def _measure_several(items: Sequence[Item], out: Path, *, quick: bool, again: bool, as_json: bool) -> None:
    check_writable(out)
    failures: dict[str, str] = {}
    with progress_bar(hidden=as_json) as say:
        for number, one in enumerate(measure_into(items, out, quick=quick, again=again, say=say), start=1):
            if one.failure:
                failures[one.item.name] = one.failure
            # After each, so that whoever stops it has a page of what is there.
            write_page(collected(ITEMS, out, quick=quick, failures=failures), out)
            if not as_json:
                seconds = "" if one.report is None else f"{one.report.seconds:6.0f} s"
                how = f"failed: {one.failure}" if one.failure else f"{seconds}{', kept' if one.kept else ''}"
                typer.echo(f"{number:2d} of {len(items)}  {one.item.name:<22} {how}")
    collection = collected(ITEMS, out, quick=quick, failures=failures)
    _tell_several(collection, write_page(collection, out), as_json=as_json)
    if failures:
        raise typer.Exit(NOT_ALL_WELL)


def _tell_several(collection: Collection, page: Path, *, as_json: bool) -> None:
    summary = summary_of(collection)
    if as_json:
        typer.echo(json.dumps(summary | {"files": [str(page)]}, ensure_ascii=False))
        return
    verdicts = ", ".join(f"{count} {verdict}" for verdict, count in summary["verdicts"].items())
    typer.echo(f"{summary['compared']} of {len(claims())} published numbers beside ours: {verdicts}")
    typer.echo(f"wrote {page}")


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
