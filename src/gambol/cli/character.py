"""`gambol character`: build a character from motion files, check it, draw it and vary it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from gambol.characters.character import Character
from gambol.characters.check import check_character
from gambol.characters.describe import describe_character, summarize_character
from gambol.characters.export import write_clips
from gambol.characters.finding import Finding
from gambol.characters.store import BUILT_SUFFIX, load_character, write_character
from gambol.cli.options import JsonOption
from gambol.cli.waiting import progress_bar
from gambol.errors import InvalidInput
from gambol.extras import check_extra
from gambol.files.disk import check_writable
from gambol.variation.model import DEFAULT_PRESET, PRESETS

FOUND_SOMETHING = 1  # exit code: the check found errors
MOST_SHOWN = 20  # findings of one kind, >= 1: the most to print

app = typer.Typer(help="Build a character from motion files, check it, draw it, vary it.", no_args_is_help=True)

FileArgument = Annotated[Path, typer.Argument(help="A character file (.toml).")]
CharacterArgument = Annotated[
    str, typer.Argument(metavar="FILE|NAME", help="A character file (.toml, .npz), or human, skateboarder or horse.")
]
MotionsOption = Annotated[
    Path | None, typer.Option(help="Folder of the motion files; replaces the one in the character file.")
]
SubsetOption = Annotated[str | None, typer.Option(help="Use only the behaviors of this named subset.")]


@app.command()
def build(
    file: FileArgument,
    out: Annotated[Path | None, typer.Option("-o", "--out", help="Write each clip into this folder.")] = None,
    form: Annotated[str, typer.Option("--format", help="Format of the written clips: bvh, glb, usda, usdc.")] = "bvh",
    motions: MotionsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Cut, place and measure the clips of a character file, and list the result."""
    with _saying(as_json) as say:
        character = load_character(str(file), motions=motions, say=say)
        files = () if out is None else write_clips(character, out, suffix=f".{form.lstrip('.')}", say=say)
    if as_json:
        typer.echo(json.dumps({**summarize_character(character), "files": [str(path) for path in files]}))
        return
    typer.echo(describe_character(character))
    for path in files:
        typer.echo(str(path))


@app.command()
def check(
    character: CharacterArgument,
    motions: MotionsOption = None,
    subset: SubsetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Look for errors that would spoil motions or plans, and suggest what to do; exit code 1 if there are any."""
    with _saying(as_json) as say:
        checked = _opened(character, motions, subset, say)
        findings = check_character(checked)
    errors = [finding for finding in findings if finding.severity == "error"]
    if as_json:
        report = {
            "name": checked.name, "errors": len(errors), "warnings": len(findings) - len(errors),
            "findings": [finding.as_dict() for finding in findings],
        }  # fmt: skip
        typer.echo(json.dumps(report))
    else:
        _print_findings(checked, findings)
    if errors:
        raise typer.Exit(FOUND_SOMETHING)


@app.command()
def show(
    character: CharacterArgument,
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder to write to.")] = Path("out"),
    motions: MotionsOption = None,
    subset: SubsetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw the state machine, the fan of ways and a contact sheet of every clip."""
    check_extra("pictures", "drawing a character")
    from gambol.pictures.character_pictures import character_pictures

    with _saying(as_json) as say:
        shown = _opened(character, motions, subset, say)
        files = character_pictures(shown, out, say=say)
    if as_json:
        typer.echo(json.dumps({"name": shown.name, "files": [str(path) for path in files]}))
        return
    for path in files:
        typer.echo(str(path))


@app.command()
def vary(
    character: CharacterArgument,
    count: Annotated[int, typer.Option("-n", "--count", min=1, help="Number of variants for each behavior.")] = 5,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="PATTERN", help="Only behaviors whose names match this pattern (jog-*); may be repeated."),
    ] = None,
    out: Annotated[
        Path,
        typer.Option("-o", "--out", metavar="FILE", help="File for the built character (.npz); scenes may name it."),
    ] = Path("out/varied.npz"),
    amount: Annotated[float, typer.Option(help="Amount of variation: 1 varies as much as the clips do.")] = 1.0,
    preset: Annotated[str, typer.Option(help=f"How to vary: {', '.join(PRESETS)}.")] = DEFAULT_PRESET,
    held: Annotated[
        list[str] | None, typer.Option(metavar="JOINT", help="A joint that keeps its motion; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of all random choices.")] = 0,
    motions: MotionsOption = None,
    subset: SubsetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fill behaviors with variants of their clips, so that characters move differently; check and save the result.

    Behaviors with several clips get new clips with other paths and timing.  Behaviors with one clip get variants of
    the upper body with the same feet, learned from all clips that begin and end alike.  Exit code 1: the check found
    errors.
    """
    from gambol.cli.varied_table import print_varied
    from gambol.variation.characters.varied import vary_character

    if out.suffix.lower() != BUILT_SUFFIX:
        raise InvalidInput(f"{out}: a built character is a {BUILT_SUFFIX} file")
    check_writable(out.parent)
    with progress_bar(hidden=as_json) as say:
        say("reading", 0.0)
        given = _opened(character, motions, subset, lambda what: say(what, 0.0))
        varied = vary_character(
            given,
            count,
            patterns=only or ["*"],
            amount=amount,
            preset=preset,
            held=held or None,
            seed=seed,
            progress=say,
        )
        findings = check_character(varied.character)
    write_character(out, varied.character)
    errors = [finding for finding in findings if finding.severity == "error"]
    if as_json:
        typer.echo(json.dumps({**varied.to_json(), "file": str(out), "errors": len(errors)}))
    else:
        print_varied(varied)
        _print_findings(varied.character, findings)
        typer.echo(str(out))
    if errors:
        raise typer.Exit(FOUND_SOMETHING)


def _opened(source: str, motions: Path | None, subset: str | None, say: Callable[[str], None]) -> Character:
    character = load_character(source, motions=motions, say=say)
    return character if subset is None else character.subset(subset)


@contextmanager
def _saying(as_json: bool) -> Iterator[Callable[[str], None]]:
    """Show the current work on one line of the terminal, if there is a terminal."""
    console = Console(stderr=True, quiet=as_json)
    with console.status("reading") as status:
        yield lambda what: status.update(what)


def _print_findings(character: Character, findings: list[Finding]) -> None:
    shown: dict[str, int] = {}
    hinted: set[tuple[str, str]] = set()  # one wrong cut spoils many transitions: its hint is printed once
    for finding in findings:
        shown[finding.kind] = shown.get(finding.kind, 0) + 1
        if shown[finding.kind] <= MOST_SHOWN:
            typer.echo(f"{finding.severity}: {finding.kind}: {finding.where}: {finding.what}")
            if (finding.kind, finding.hint) not in hinted:
                typer.echo(f"    {finding.hint}")
            hinted.add((finding.kind, finding.hint))
    for kind, count in shown.items():
        if count > MOST_SHOWN:
            typer.echo(f"… and {count - MOST_SHOWN} more of {kind}; --json lists all")
    errors = sum(finding.severity == "error" for finding in findings)
    count = f"{len(character.behaviors)} behaviors"
    typer.echo(f"{character.name}: {count}, {errors} errors, {len(findings) - errors} warnings")
