"""`gambol plan`: every character of a scene, planned, animated, checked and written."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from gambol.cli.options import JsonOption
from gambol.cli.performing import Request, perform_request
from gambol.cli.waiting import loading, tell_of_compiling
from gambol.scenes.find import scene_path

if TYPE_CHECKING:
    from rich.console import Console

    from gambol.cli.waiting import Say
    from gambol.scenes.scene import Scene
    from gambol.stages.performance import Performance
    from gambol.stages.plans import PlanStage
    from gambol.trees.planner import TreePlanner
    from gambol.trees.tree import SearchTree

MOST_TRACED = 4  # characters whose search trees are drawn unless asked otherwise

_SEARCH = "Search"
_RESULT = "Result"


def plan(
    scene: Annotated[str, typer.Argument(metavar="SCENE", help="A scene file, or a name that `gambol scenes` lists.")],
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--out",
            rich_help_panel=_RESULT,
            metavar="FILE",
            help="Write by suffix: .bvh, .glb, .usda, .usdc, .usdz, .plan.json, .png, .mp4; may be repeated.  "
            "With several characters, each gets its own .bvh file, with its name inserted.  Missing folders are made.",
        ),
    ] = None,
    check_only: Annotated[
        bool,
        typer.Option("--check-only", rich_help_panel=_RESULT, help="Only read the scene and print its mistakes."),
    ] = False,
    planner: Annotated[
        str | None,
        typer.Option(
            rich_help_panel=_SEARCH,
            help="improved (by default for one character), weighted (for several), astar, truncated, anytime or tree.",
        ),
    ] = None,
    tree: Annotated[
        list[Path] | None,
        typer.Option(
            rich_help_panel=_SEARCH,
            metavar="FILE",
            help="A search tree for the planner tree; may be repeated.  By default each character has its own tree, "
            "grown once and kept.",
        ),
    ] = None,
    fallback: Annotated[
        bool | None,
        typer.Option(
            "--fallback/--no-fallback",
            rich_help_panel=_SEARCH,
            help="Search if the planner tree has no answer (by default), or not.",
        ),
    ] = None,
    weight: Annotated[
        float | None,
        typer.Option(
            rich_help_panel=_SEARCH,
            help="Weight of the estimated remaining cost, at least 1, for weighted (1.5) and truncated (1).",
        ),
    ] = None,
    keep: Annotated[
        int | None, typer.Option(rich_help_panel=_SEARCH, help="Number of open nodes that truncated keeps (5000).")
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            rich_help_panel=_SEARCH,
            help="The most expansions for each character; replaces the scene's.",
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
    seed: Annotated[
        int | None,
        typer.Option(rich_help_panel=_SEARCH, help="Seed of all random choices; replaces the scene's."),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=_SEARCH,
            metavar="NAME",
            help="Plan only for this member of the cast, without the others; may be repeated.",
        ),
    ] = None,
    motions: Annotated[
        Path | None, typer.Option(help="Folder of the motion files of the scene's character files.")
    ] = None,
    trace: Annotated[
        bool | None,
        typer.Option(
            "--trace/--no-trace",
            rich_help_panel=_RESULT,
            help="Draw the search trees into a .png (by default for up to four characters), or not.",
        ),
    ] = None,
    no_check: Annotated[
        bool, typer.Option("--no-check", rich_help_panel=_RESULT, help="Do not check the delivered motions.")
    ] = False,
    as_json: JsonOption = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only problems.")] = False,
) -> None:
    """Plan every character of a scene; animate, check and write.

    Exit code 0: all have a full plan, and the check of the delivered motions found nothing.
    1: a character has no full plan, or the check found something.  2: the input is wrong.
    """  # fmt: skip
    scene_path(scene)  # a name that does not exist is an error before all that plans is loaded
    with loading():
        from gambol.planners import default_planner, planner_named
        from gambol.stages.plans import PlanStage

    trees = _read_trees(tree)
    if planner is None and trees:
        planner = "tree"
    options: dict[str, Any] = {"weight": weight, "keep": keep, "time_limit_s": time_limit}
    options |= {"trees": trees, "fallback": fallback}
    planner_named(planner or "weighted", **options)  # mistakes are errors before anything is read
    draws = any(path.suffix.lower() == ".png" for path in out or ())

    def stage(read: Scene, say: Say) -> PlanStage:
        traced = draws and (len(read.cast) <= MOST_TRACED if trace is None else trace)
        by_default = default_planner(len(read.cast)) if weight is None else "weighted"
        chosen = planner_named(planner or by_default, **options, characters=len(read.cast), trace=traced)
        if (planner or by_default) == "tree":
            _prepare(cast("TreePlanner", chosen), read, say)
        return PlanStage(chosen, budget)

    def show(console: Console, performance: Performance) -> None:
        from gambol.cli.plan_table import show_plans

        show_plans(console, performance)

    request = Request(
        kind="plan",
        scene=scene,
        out=out,
        seed=seed,
        motions=motions,
        check=not no_check,
        check_only=check_only,
        as_json=as_json,
        quiet=quiet,
        only=only or [],
    )
    perform_request(request, stage, show)


def _read_trees(paths: list[Path] | None) -> list[SearchTree] | None:
    """Read the trees that the user names."""
    if not paths:
        return None
    from gambol.trees.file import read_tree  # slow to load

    return [read_tree(path, verify=True) for path in paths]


def _prepare(planner: TreePlanner, scene: Scene, say: Say) -> None:
    """Have trees at hand for everyone: growing them takes a while, once, and is no part of planning."""
    tell_of_compiling()
    characters = list({id(actor.character): actor.character for actor in scene.cast}.values())
    for number, character in enumerate(characters):
        say(f"growing trees for {character.name}", number / len(characters))
        planner.prepare(character)
