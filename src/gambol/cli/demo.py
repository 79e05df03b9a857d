"""`gambol demo`: the embedded default."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.options import JsonOption
from gambol.demo import make_demo


def demo(
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder to write to.")] = Path("out"),
    as_json: JsonOption = False,
) -> None:
    """Realize behaviors of the built-in human; write BVH, GLB, USD, pictures and a video; report on the motion."""
    made = make_demo(out, say=lambda text: typer.echo(f"== {text}", err=as_json))
    if as_json:
        report = {**made.quality.as_dict(), "files": [str(path) for path in made.files], "skipped": list(made.skipped)}
        typer.echo(json.dumps(report))
        return
    for reason in made.skipped:
        typer.echo(f"skipped: {reason}")
    typer.echo(f"\n{made.quality.describe()}\n")
    for path in made.files:
        typer.echo(f"{path}  {path.stat().st_size / 1024:.0f} kB")
