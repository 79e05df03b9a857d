"""`gambol demo`: plan, animate and draw two shipped scenes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.demo_job import SCENES, make_demo
from gambol.cli.options import JsonOption
from gambol.cli.performing import delivery_json, print_delivery, print_performance
from gambol.cli.plan_table import show_plans
from gambol.cli.waiting import progress_bar

NOT_ALL_WELL = 1  # exit code: a plan or the check failed


def demo(
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder to write to.")] = Path("out"),
    as_json: JsonOption = False,
) -> None:
    """Plan an obstacle course and a falling tree among three people; write motions, plans, pictures and videos.

    Exit code 1: a character has no full plan, or the check of the delivered motions found something.
    """
    if not as_json:
        typer.echo(f"== Planning, animating, drawing and filming {' and '.join(SCENES)} (half a minute)")
    with progress_bar(hidden=as_json) as say:
        made = make_demo(out, progress=say)
    if as_json:
        scenes = [performance.to_json() for performance in made.performances]
        typer.echo(json.dumps({"scenes": scenes, **delivery_json(made.delivery)}, ensure_ascii=False))
    else:
        for performance in made.performances:
            typer.echo(f"\n{performance.scene.name}: {performance.scene.summary}")
            print_performance(performance, show_plans)
        typer.echo()
        print_delivery(made.delivery)
    if not all(performance.is_clean for performance in made.performances):
        raise typer.Exit(NOT_ALL_WELL)
