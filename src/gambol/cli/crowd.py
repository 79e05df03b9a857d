"""`gambol crowd`: a scene of a crowd, run, checked and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gambol.cli.options import JsonOption
from gambol.cli.performing import Request, perform_request
from gambol.cli.waiting import loading, tell_of_compiling
from gambol.deliver.registry import WriteOptions
from gambol.scenes.find import scene_path

if TYPE_CHECKING:
    from rich.console import Console

    from gambol.stages.performance import Performance

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
    ] = WriteOptions.table_rate_hz,
    check_only: Annotated[
        bool,
        typer.Option(
            "--check-only", rich_help_panel=_RESULT, help="Only read the scene and say what is wrong with it."
        ),
    ] = False,
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
        int | None,
        typer.Option(rich_help_panel=_RUN, help="The most look-ups in one planning frame, 1/30 s (2000)."),
    ] = None,
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
    scene_path(scene)  # a name that does not exist is an error before all that runs crowds is loaded
    with loading():
        from gambol.crowd.crowd import DEFAULT_BUDGET
        from gambol.stages.crowds import CrowdStage

    tell_of_compiling()

    def show(console: Console, performance: Performance) -> None:
        from gambol.cli.crowd_table import show_crowd

        show_crowd(console, performance)

    stage = CrowdStage(seconds, DEFAULT_BUDGET if budget is None else budget, threads, reservations, lanes)
    request = Request(
        kind="crowd",
        scene=scene,
        out=out,
        seed=seed,
        motions=motions,
        check=check,
        check_only=check_only,
        as_json=as_json,
        quiet=quiet,
        options=WriteOptions(only=tuple(who or ()), table_rate_hz=table_rate),
    )
    perform_request(request, lambda read, say: stage, show)
