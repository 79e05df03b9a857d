"""`gambol scenes`: list the scenes that ship with the package."""

from __future__ import annotations

import json

import typer
from rich.console import Console
from rich.table import Table

from gambol.cli.options import JsonOption
from gambol.scenes.find import shipped_scenes


def scenes(as_json: JsonOption = False) -> None:
    """List the scenes that ship with the package, for `gambol plan`, `gambol crowd` and `gambol climb`."""
    listed = shipped_scenes()
    if as_json:
        typer.echo(json.dumps([scene._asdict() for scene in listed], ensure_ascii=False))
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "kind", "summary"):
        table.add_column(column, no_wrap=column != "summary")
    for scene in listed:
        table.add_row(*scene)
    Console(highlight=False).print(table)
