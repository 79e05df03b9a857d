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
    seconds: Annotated[float, typer.Option(rich_help_panel=_RUN, metavar="SECONDS", help="Time to simulate.")] = 60.0,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--out",
            rich_help_panel=_RESULT,
            metavar="FILE",
            help="Write by suffix: .crowd (a compact recording), .csv, .parquet (everyone's place, row by row), "
            ".usda, .usdc, .usdz, .glb, .bvh (motions), .json (the report), .png (a map of the end, with plots), "
            ".mp4 (a video of 10 s); may be repeated.  With several characters, each gets its own .bvh file, with its "
            "name inserted.  Missing folders are made.",
        ),
    ] = None,
    who: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=_RESULT,
            metavar="NAME",
            help="Write only this character, except to .crowd, .json and .png; may be repeated.  With one name, a "
            "video follows this character.",
        ),
    ] = None,
    table_rate: Annotated[
        float, typer.Option(rich_help_panel=_RESULT, metavar="HZ", help="Rows a second of .csv and .parquet.")
    ] = DEFAULT_RATE_HZ,
    check: Annotated[
        bool,
        typer.Option(
            "--check/--no-check", rich_help_panel=_RESULT, help="Check the delivered motions (by default), or not."
        ),
    ] = True,
    seed: Annotated[
        int | None,
        typer.Option(rich_help_panel=_RUN, help="Seed of all random choices, also of places; replaces the scene's."),
    ] = None,
    threads: Annotated[
        int, typer.Option(rich_help_panel=_RUN, help="Number of threads that plan; the result is the same.")
    ] = 1,
    budget: Annotated[
        int, typer.Option(rich_help_panel=_RUN, help="The most look-ups in one planning frame (1/30 s).")
    ] = DEFAULT_BUDGET,
    lanes: Annotated[
        bool,
        typer.Option(
            "--lanes/--no-lanes",
            rich_help_panel=_RUN,
            help="Use one-way lanes at passages and crossings (by default), or not.",
        ),
    ] = True,
    reservations: Annotated[
        str,
        typer.Option(
            rich_help_panel=_RUN,
            help="swept: reserve the clips' swept shapes, so that no two characters touch; gridmap: reserve discs on a "
            "grid, as in L09, for comparison.",
        ),
    ] = "swept",
    motions: Annotated[
        Path | None, typer.Option(help="Folder of the motion files of the scene's character files.")
    ] = None,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only problems.")] = False,
) -> None:
    """Run a crowd for a time; characters plan while they move; check and write.

    Exit code 0: all characters that could have arrived, and the check of the delivered motions found nothing;
    characters that wander or repeat their goals for ever need not arrive.  1: a character has not arrived, or the
    check found something.  2: the input is wrong.
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
