"""The `gambol` command and what its subcommands share."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Annotated, cast

import typer
from rich.console import Console

from gambol.cli import character, study, tree
from gambol.cli.bake import bake_command
from gambol.cli.climb import climb
from gambol.cli.convert import convert
from gambol.cli.crowd import crowd
from gambol.cli.demo import demo
from gambol.cli.inspect import inspect
from gambol.cli.papers import papers
from gambol.cli.plan import plan
from gambol.cli.scenes import scenes
from gambol.cli.vary import vary
from gambol.cli.view import view
from gambol.errors import GambolError, InvalidInput

BAD_INPUT = 2  # exit code
_UsageError = cast(type[Exception], typer.BadParameter.__base__)  # any wrong option; typer does not hand it out

app = typer.Typer(
    name="gambol",
    help="Plan how characters move, and hand over the finished animation.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo)
app.command()(scenes)
app.command()(plan)
app.command()(crowd)
app.command()(climb)
app.command("bake")(bake_command)
app.command()(view)
app.command()(convert)
app.command()(inspect)
app.command()(vary)
app.command()(papers)
app.add_typer(character.app, name="character")
app.add_typer(tree.app, name="tree")
app.add_typer(study.app, name="study")


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"gambol {version('gambol')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Plan how characters move, and hand over the finished animation."""


def main() -> None:
    """Run the command line; bad input ends with a message and exit code 2."""
    as_json = "--json" in sys.argv
    try:
        code = app(standalone_mode=not as_json)
    except (GambolError, MemoryError) as error:
        if isinstance(error, MemoryError):
            error = InvalidInput(f"there is not enough memory for this: {error}")
        if as_json:
            _print_json(str(error), error.where)
        else:
            Console(stderr=True, highlight=False, soft_wrap=True).print(f"[bold red]error:[/] {_escaped(error)}")
        sys.exit(BAD_INPUT)
    except _UsageError as error:  # without --json typer says so itself
        _print_json(error.format_message(), "command line")  # pyright: ignore[reportAttributeAccessIssue]
        sys.exit(BAD_INPUT)
    sys.exit(code or 0)


def _print_json(message: str, where: str) -> None:
    typer.echo(json.dumps({"error": message, "where": where}, ensure_ascii=False))


def _escaped(error: GambolError) -> str:
    return str(error).replace("[", r"\[")
