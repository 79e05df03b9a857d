"""The `gambol` command: its subcommands and what they share.

A subcommand's module is imported when it is called, so that `--help`, `--version` and a misspelt name answer at once.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, NamedTuple, cast

import typer
from typer.core import TyperCommand, TyperGroup

import gambol
from gambol.cli.waiting import INTERRUPTED, loading
from gambol.errors import GambolError, InvalidEntries, InvalidInput

BAD_INPUT = 2  # exit code: the input is wrong
_UsageError = cast(type[Exception], typer.BadParameter.__base__)  # any wrong option; typer does not export it


class Subcommand(NamedTuple):
    """Where a subcommand is, and its line in the list of subcommands."""

    place: str  # module:function, or module:app for a group of subcommands
    summary: str  # the first sentence of its help


SUBCOMMANDS = {
    "demo": Subcommand(
        "gambol.cli.demo:demo", "Plan and animate the shipped demo scenes; write files, a picture and a video."
    ),
    "scenes": Subcommand("gambol.cli.scenes:scenes", "List the scenes that ship with the package."),
    "plan": Subcommand("gambol.cli.plan:plan", "Plan every character of a scene; animate, check and write."),
    "crowd": Subcommand("gambol.cli.crowd:crowd", "Run a crowd for a time; check and write."),
    "climb": Subcommand("gambol.cli.climb:climb", "Walk, climb, swing and crawl over the grasp points of a scene."),
    "bake": Subcommand("gambol.cli.bake:bake_command", "Bake jobs: many scenes, seeds and settings."),
    "view": Subcommand("gambol.cli.view:view", "Look at scenes, plans, crowds and motions in a browser."),
    "convert": Subcommand("gambol.cli.convert:convert", "Convert a motion between BVH, glTF and USD."),
    "inspect": Subcommand("gambol.cli.inspect:inspect", "Measure the quality of a motion."),
    "vary": Subcommand("gambol.cli.vary:vary", "Learn how a few similar motions vary, and make new ones."),
    "character": Subcommand(
        "gambol.cli.character:app", "Build a character from motion files, check it, draw it, vary it."
    ),
    "tree": Subcommand("gambol.cli.tree:app", "Grow a character's search tree, show it, check it."),
}


class LazyGroup(TyperGroup):
    """A group that imports a subcommand only when it is called, and lists all without importing any."""

    def __init__(self, **settings: Any) -> None:
        summaries = {name: TyperCommand(name, help=subcommand.summary) for name, subcommand in SUBCOMMANDS.items()}
        super().__init__(**{**settings, "commands": summaries})
        self._listing = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if self._listing or cmd_name not in SUBCOMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, name = SUBCOMMANDS[cmd_name].place.partition(":")
        with loading():
            target = getattr(import_module(module), name)
        return command_of(target, cmd_name)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        self._listing = True  # listed subcommands are not called
        super().format_help(ctx, formatter)
        self._listing = False


def command_of(target: typer.Typer | Callable[..., None], name: str) -> Any:
    """Return a function with typer's annotations, or a group of such functions, as a command."""
    if isinstance(target, typer.Typer):
        command = typer.main.get_group(target)
    else:
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False, context_settings=HELP)
        alone.command()(target)
        command = typer.main.get_command(alone)
    command.name = name
    return command


HELP = {"help_option_names": ["-h", "--help"]}
app = typer.Typer(
    name="gambol",
    cls=LazyGroup,
    help="Plan how characters move, and hand over the finished animation.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
    context_settings=HELP,
)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"gambol {gambol.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Plan how characters move, and hand over the finished animation."""


def main(command: Callable[..., Any] = app) -> None:
    """Run the command line; bad input ends with a message and exit code 2."""
    as_json = "--json" in sys.argv
    try:
        # `python -m gambol` calls itself gambol too: completion is for that name.
        code = command(standalone_mode=not as_json, prog_name="gambol" if command is app else None)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except (GambolError, MemoryError) as error:
        if isinstance(error, MemoryError):
            error = InvalidInput(f"there is not enough memory for this: {error}")
        if as_json:
            _print_json(error)
        else:
            from rich.console import Console

            Console(stderr=True, highlight=False, soft_wrap=True).print(f"[bold red]error:[/] {_escaped(error)}")
        sys.exit(BAD_INPUT)
    except _UsageError as error:  # without --json, typer prints these itself
        message = error.format_message()  # pyright: ignore[reportAttributeAccessIssue]
        typer.echo(json.dumps({"error": message, "where": "command line"}, ensure_ascii=False))
        sys.exit(BAD_INPUT)
    sys.exit(code or 0)


def _print_json(error: GambolError) -> None:
    """Print an error as JSON: message and place, and each mistake of a file with several."""
    told: dict[str, Any] = {"error": str(error), "where": error.where}
    if isinstance(error, InvalidEntries):
        told["errors"] = [
            {"error": problem.message, "key": problem.key, "line": problem.line} for problem in error.problems
        ]
    typer.echo(json.dumps(told, ensure_ascii=False))


def _escaped(error: GambolError) -> str:
    return str(error).replace("[", r"\[")
