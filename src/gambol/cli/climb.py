"""`gambol climb`: every climber of a scene, planned, animated, checked and written."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.climb_report import climb_as_dict, climb_trouble, print_climbs
from gambol.cli.options import JsonOption
from gambol.cli.performance import print_delivery
from gambol.cli.progress import progress_bar
from gambol.cli.scene_summary import print_scene
from gambol.climb.scene import problems_of
from gambol.deliver.climbs import PLANE, check_climb_targets, deliver_climb
from gambol.errors import InvalidInput, UnknownName
from gambol.scenes.file import load_scene
from gambol.scenes.scene import Scene
from gambol.stages.climber import Climber
from gambol.stages.climbs import perform_climb

NOT_ALL_WELL = 1  # exit code

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
    targets = list(out or ())
    if check_only and targets:
        raise InvalidInput("--check-only writes no files; leave out either it or -o")
    check_climb_targets(targets, view=view)
    climber = Climber(core, seeds=seeds, processes=processes, rate_hz=rate, smoothing=smoothing)
    with progress_bar(hidden=as_json or quiet) as say:
        say("reading the scene", 0.0)
        read = _with_climbers(load_scene(scene, motions=motions, seed=seed), only or [])
        if check_only:
            problems_of(read)
            print_scene(read, as_json=as_json, quiet=quiet)
            return
        performance = perform_climb(
            read, climber, max_stances=budget, time_limit_s=time_limit, check=check, progress=say
        )  # fmt: skip
        delivery = deliver_climb(performance, targets, view=view, progress=say)
    if as_json:
        typer.echo(json.dumps(climb_as_dict(performance, delivery), ensure_ascii=False))
    elif not quiet:
        print_climbs(performance)
        print_delivery(delivery)
    else:
        for line in climb_trouble(performance):
            typer.echo(line, err=True)
    if not performance.is_clean:
        raise typer.Exit(NOT_ALL_WELL)


def _with_climbers(scene: Scene, names: list[str]) -> Scene:
    """Return a scene with only these of its climbers, in its order; all, if none are named."""
    known = [climb.name for climb in scene.climbs]
    if scene.kind == "climb":
        for name in names:
            if name not in known:
                raise UnknownName(f"climber in scene {scene.name!r}", name, known)
    return replace(scene, climbs=tuple(one for one in scene.climbs if one.name in names)) if names else scene
