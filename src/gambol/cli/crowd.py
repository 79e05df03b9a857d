"""`gambol crowd`: a scene of a crowd, run, checked and written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.crowd_report import crowd_trouble, print_crowd_report
from gambol.cli.options import JsonOption
from gambol.cli.performance import print_delivery
from gambol.cli.progress import progress_bar
from gambol.crowd.crowd import DEFAULT_BUDGET
from gambol.crowd.table import DEFAULT_RATE_HZ
from gambol.deliver.crowds import CrowdResult, check_crowd_targets, deliver_crowd
from gambol.errors import InvalidInput
from gambol.scenes.file import load_scene
from gambol.stages.crowds import perform_crowd

NOT_ALL_WELL = 1  # exit code

_RUN = "Run"
_RESULT = "Result"


def crowd(
    scene: Annotated[
        str,
        typer.Argument(metavar="SCENE", help="A scene file of the kind crowd, or a name that `gambol scenes` lists."),
    ],
    seconds: Annotated[float, typer.Option(rich_help_panel=_RUN, metavar="SECONDS", help="How long it runs.")] = 60.0,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--out",
            rich_help_panel=_RESULT,
            metavar="FILE",
            help="Write by suffix: .crowd (a compact recording), .csv, .parquet (where everyone is, row by row), "
            ".usda, .usdc, .usdz, .glb, .bvh (motions), .json (the report), .png (a map of the end, with plots), "
            ".mp4 (a video of 10 s); may be repeated.  Of several characters each has its own .bvh file, with its name "
            "inserted.  Folders are made.",
        ),
    ] = None,
    who: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=_RESULT,
            metavar="NAME",
            help="Write only this one to all but .crowd, .json and .png; may be repeated.  A video goes behind the one "
            "that is named alone.",
        ),
    ] = None,
    table_rate: Annotated[
        float, typer.Option(rich_help_panel=_RESULT, metavar="HZ", help="Rows a second of .csv and .parquet.")
    ] = DEFAULT_RATE_HZ,
    check: Annotated[
        bool,
        typer.Option("--check/--no-check", rich_help_panel=_RESULT, help="Check the delivered motions (by default)."),
    ] = True,
    seed: Annotated[
        int | None,
        typer.Option(rich_help_panel=_RUN, help="In place of the scene's: decides places and all left to chance."),
    ] = None,
    threads: Annotated[
        int, typer.Option(rich_help_panel=_RUN, help="That plan side by side; the result is the same.")
    ] = 1,
    budget: Annotated[
        int, typer.Option(rich_help_panel=_RUN, help="Look-ups in a planning frame, of which there are 30 a second.")
    ] = DEFAULT_BUDGET,
    lanes: Annotated[
        bool,
        typer.Option(
            "--lanes/--no-lanes",
            rich_help_panel=_RUN,
            help="Lay one-way lanes at passages and crossings (by default).",
        ),
    ] = True,
    reservations: Annotated[
        str,
        typer.Option(
            rich_help_panel=_RUN,
            help="swept: by the clips' swept shapes, so that nobody touches anybody; gridmap: by discs here and there, "
            "as in L09, for comparison.",
        ),
    ] = "swept",
    motions: Annotated[
        Path | None, typer.Option(help="Folder of the motion files, for character files that the scene names.")
    ] = None,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what went wrong.")] = False,
) -> None:
    """Run a crowd for a time: everyone plans as they go; check and write.

    Exit code 0: all have arrived who could, and the check of the delivered motions found nothing; who wanders or goes
    round for ever need not arrive.  1: someone has not arrived, or the check found something.  2: the input is wrong.
    """  # fmt: skip
    targets, names = list(out or ()), list(who or ())
    check_crowd_targets(targets)
    if table_rate <= 0.0:
        raise InvalidInput(f"a table has a positive number of rows a second, not {table_rate:g}")
    with progress_bar(hidden=as_json or quiet) as say:
        say("reading the scene", 0.0)
        read = load_scene(scene, motions=motions, seed=seed)
        for name in names:
            read.actor(name)  # mistakes are told before anything is run
        check_crowd_targets(targets, characters=len(read.cast), named=bool(names))
        recording, report = perform_crowd(
            read, seconds, budget=budget, threads=threads, reservations=reservations, lanes=lanes, check=check,
            progress=say,
        )  # fmt: skip
        result = CrowdResult(read.world, recording, report, tuple(names), table_rate)
        delivery = deliver_crowd(result, targets, progress=say)
    if as_json:
        files = {"files": [str(path) for path in delivery.files], "skipped": list(delivery.skipped)}
        typer.echo(json.dumps({**report.to_json(), **files}, ensure_ascii=False))
    elif not quiet:
        print_crowd_report(report)
        print_delivery(delivery)
    else:
        for line in crowd_trouble(report):
            typer.echo(line, err=True)
    if not report.is_clean:
        raise typer.Exit(NOT_ALL_WELL)
