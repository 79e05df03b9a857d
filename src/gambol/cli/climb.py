"""`gambol climb`: every climber of a scene, planned, animated, checked and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gambol.cli.options import JsonOption
from gambol.cli.performing import Request, perform_request
from gambol.cli.waiting import loading, tell_of_compiling
from gambol.deliver.registry import PLANE, WriteOptions
from gambol.scenes.find import scene_path

if TYPE_CHECKING:
    from rich.console import Console

    from gambol.stages.performance import Performance

_SEARCH = "Search"
_RESULT = "Result"


def climb(
    scene: Annotated[
        str,
        typer.Argument(metavar="SCENE", help="A scene file of the kind climb, or a name that `gambol scenes` lists."),
    ],
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--out",
            rich_help_panel=_RESULT,
            metavar="FILE",
            help="Write by suffix: .bvh, .glb, .usda, .usdc, .usdz (the full body), .climb.json, .txt (modes and "
            "grasps), .png, .mp4; may be repeated.  With several climbers, each gets its own .bvh, .png and .mp4 file, "
            "with its name inserted.  Missing folders are made.",
        ),
    ] = None,
    check_only: Annotated[
        bool,
        typer.Option("--check-only", rich_help_panel=_RESULT, help="Only read the scene and print its mistakes."),
    ] = False,
    core: Annotated[
        str,
        typer.Option(
            rich_help_panel=_SEARCH,
            help="stances: best-first search over what hands and feet hold; paper: state machine, descent and random "
            "walks, as in KP00.",
        ),
    ] = "stances",
    seed: Annotated[
        int | None,
        typer.Option(rich_help_panel=_SEARCH, help="Seed of all random choices; replaces the scene's."),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option(
            rich_help_panel=_SEARCH,
            help="Number of seeds to try, from the scene's on; the lowest that succeeds is used.",
        ),
    ] = 1,
    processes: Annotated[
        int, typer.Option(rich_help_panel=_SEARCH, help="Number of processes that try seeds; the result is the same.")
    ] = 1,
    budget: Annotated[
        int | None,
        typer.Option(
            rich_help_panel=_SEARCH,
            metavar="STANCES",
            help="The most changes of grasp to try for each climber; replaces the scene's.",
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(
            rich_help_panel=_SEARCH,
            metavar="SECONDS",
            help="End each search after this time; then the result depends on the machine.",
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(rich_help_panel=_SEARCH, metavar="NAME", help="Only this member of the cast; may be repeated."),
    ] = None,
    rate: Annotated[float, typer.Option(rich_help_panel=_RESULT, metavar="HZ", help="Frames a second.")] = 60.0,
    smoothing: Annotated[
        bool,
        typer.Option(
            "--smoothing/--no-smoothing",
            rich_help_panel=_RESULT,
            help="Smooth the found climb (by default), or only time it.",
        ),
    ] = True,
    view: Annotated[
        str,
        typer.Option(
            rich_help_panel=_RESULT,
            help="View of an .mp4: plane (the planar figure and its grasps), side or three-quarter (the full body).",
        ),
    ] = PLANE,
    check: Annotated[
        bool,
        typer.Option(
            "--check/--no-check", rich_help_panel=_RESULT, help="Check the delivered motions (by default), or not."
        ),
    ] = True,
    motions: Annotated[
        Path | None, typer.Option(help="Folder of the motion files of the scene's character files.")
    ] = None,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only problems.")] = False,
) -> None:
    """Walk, climb, swing and crawl over the grasp points of a scene; check and write.

    Exit code 0: all arrive, and the check of the delivered motions found nothing.
    1: a climber does not arrive, or the check found something.  2: the input is wrong.
    """  # fmt: skip
    scene_path(scene)  # a name that does not exist is an error before all that climbs is loaded
    with loading():
        from gambol.stages.climber import Climber
        from gambol.stages.climbs import ClimbStage

    tell_of_compiling()

    def show(console: Console, performance: Performance) -> None:
        from gambol.cli.climb_table import show_climbs

        show_climbs(console, performance)

    climber = Climber(core, seeds=seeds, processes=processes, rate_hz=rate, smoothing=smoothing)
    stage = ClimbStage(climber, budget, time_limit)
    request = Request(
        kind="climb",
        scene=scene,
        out=out,
        seed=seed,
        motions=motions,
        check=check,
        check_only=check_only,
        as_json=as_json,
        quiet=quiet,
        only=only or [],
        options=WriteOptions(view=view),
    )
    perform_request(request, lambda read, say: stage, show)
