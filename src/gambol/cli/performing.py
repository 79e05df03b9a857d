"""What `gambol plan`, `crowd` and `climb` share: read the scene, perform it, write files, say how it went."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gambol.cli.waiting import Say, loading, progress_bar
from gambol.deliver.registry import Delivery, WriteOptions, check_targets
from gambol.errors import InvalidInput

if TYPE_CHECKING:
    from rich.console import Console

    from gambol.scenes.scene import Scene
    from gambol.stages.performance import Performance, Stage

NOT_ALL_WELL = 1  # exit code


@dataclass(frozen=True)
class Request:
    """What a user asks of a scene, whatever its kind."""

    kind: str
    scene: str  # a file, or the name of a shipped scene
    out: list[Path] | None
    seed: int | None
    motions: Path | None
    check: bool
    check_only: bool
    as_json: bool
    quiet: bool
    only: list[str] = field(default_factory=list)  # the characters that are performed; empty: all
    options: WriteOptions = field(default_factory=WriteOptions)


def perform_request(
    request: Request, stage: Callable[[Scene, Say], Stage[Performance]], show: Callable[[Console, Performance], None]
) -> None:
    """Do what is asked; exit code 1 if a character does not arrive or the judge found something.

    stage: returns how to perform the scene that was read.  show: prints a table of the characters.
    """
    with loading():  # what takes long is loaded when the command line is in order
        from gambol.scenes.file import load_scene
        from gambol.stages.performance import check_kind, perform

    targets = list(request.out or ())
    if request.check_only and targets:
        raise InvalidInput("--check-only writes no files; leave out either it or -o")
    check_targets(request.kind, targets)
    with progress_bar(hidden=request.as_json or request.quiet) as say:
        say("reading the scene", 0.0)
        scene = load_scene(request.scene, motions=request.motions, seed=request.seed).with_only(request.only)
        if request.kind != "plan" or not request.check_only:  # `gambol plan --check-only` reads scenes of all kinds
            check_kind(scene, request.kind)
        if request.check_only:
            from gambol.cli.scene_summary import print_scene

            print_scene(scene, as_json=request.as_json, quiet=request.quiet)
            return
        for name in request.options.only:
            scene.actor(name)  # an unknown name is an error before anything runs
        check_targets(request.kind, targets, characters=len(scene.cast), chosen=bool(request.options.only))
        performance = perform(scene, stage(scene, say), check=request.check, progress=say)
        delivery = performance.save(*targets, options=request.options, progress=say)
    if request.as_json:
        typer.echo(json.dumps(performance.to_json() | delivery_json(delivery), ensure_ascii=False))
    elif request.quiet:
        for line in performance.trouble:
            typer.echo(line, err=True)
    else:
        print_performance(performance, show)
        print_delivery(delivery)
    if not performance.is_clean:
        raise typer.Exit(NOT_ALL_WELL)


def print_performance(performance: Performance, show: Callable[[Console, Performance], None]) -> None:
    """Print the characters, what went wrong, and what the judge says."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, soft_wrap=True)
    show(console, performance)
    for line in performance.trouble:
        console.print(escape(line))
    if performance.report is None:
        console.print("check: not made")
    elif performance.report.is_clean:
        console.print(f"check: {performance.report.summary}")


def print_delivery(delivery: Delivery) -> None:
    """Print what was written and what was not."""
    from rich.console import Console
    from rich.markup import escape

    console = Console(highlight=False, soft_wrap=True)
    for reason in delivery.skipped:
        console.print(escape(f"not written: {reason}"))
    for path in delivery.files:
        console.print(escape(f"{path}  {_size(path.stat().st_size)}"))


def delivery_json(delivery: Delivery) -> dict[str, list[str]]:
    """Return the files as `--json` prints them."""
    return {"files": [str(path) for path in delivery.files], "skipped": list(delivery.skipped)}


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
