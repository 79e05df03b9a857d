"""`gambol tree`: grow a character's search tree, show it, check it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from gambol.characters.character import Character
from gambol.characters.store import load_character
from gambol.cli.character import CharacterArgument, MotionsOption, SubsetOption
from gambol.cli.options import JsonOption
from gambol.cli.waiting import progress_bar
from gambol.errors import InvalidInput, MalformedFile
from gambol.extras import check_extra
from gambol.trees.audit import audit_tree
from gambol.trees.builders import BUILDERS
from gambol.trees.cache import check_settings, grown_tree
from gambol.trees.describe import describe_tree, summarize_tree
from gambol.trees.file import read_tree, write_tree
from gambol.trees.region import Region
from gambol.trees.tree import SearchTree

FOUND_SOMETHING = 1  # exit code: the check found errors
BYTES_IN_MB = 1_000_000
_OPTIONS = {"nodes": "--nodes", "bytes_": "--size", "depth": "--depth", "region": "--reach"}

app = typer.Typer(help="Grow a character's search tree, show it, check it.", no_args_is_help=True)

TreeArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A search tree that `gambol tree grow` wrote.")]
OfCharacterOption = Annotated[
    str | None, typer.Option("--character", metavar="FILE|NAME", help="The character from which the tree was grown.")
]


@app.command()
def grow(
    character: CharacterArgument,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="Write the tree to this file.")],
    builder: Annotated[str, typer.Option(help=f"How to choose the nodes to keep: {', '.join(BUILDERS)}.")] = "diverse",
    nodes: Annotated[int | None, typer.Option(help="The most nodes.")] = None,
    size: Annotated[
        float | None, typer.Option(metavar="MB", help="The most megabytes of nodes; a node takes 24 bytes.")
    ] = None,
    depth: Annotated[
        int | None, typer.Option(help="The most clips in a row, except for diverse, surviving and cheapest.")
    ] = None,
    reach: Annotated[
        float | None,
        typer.Option(metavar="METRES", help="Greatest distance from the root, for diverse, surviving and cheapest."),
    ] = None,
    begins: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="LABEL", help="Transition label of the root; by default any behavior may come first."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of all random choices.")] = 0,
    motions: MotionsOption = None,
    subset: SubsetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Grow a search tree from a character alone; plans for any start, goal and world are then looked up in it."""
    settings = _settings(builder, nodes=nodes, size_mb=size, depth=depth, reach_m=reach)
    with progress_bar(hidden=as_json) as say:
        say("reading the character", 0.0)
        grower = load_character(character, motions=motions)
        grower = grower if subset is None else grower.subset(subset)
        say("growing", 0.0)
        start = time.perf_counter()
        tree = grown_tree(grower, builder, settings | {"begins": begins, "seed": seed})
        seconds = time.perf_counter() - start
        say("writing", 0.0)
        write_tree(out, tree)
    if as_json:
        typer.echo(json.dumps({**summarize_tree(tree), "seconds": seconds, "files": [str(out)]}, ensure_ascii=False))
        return
    typer.echo(describe_tree(tree))
    typer.echo(f"grown in {seconds:.1f} s\n{out}")


@app.command()
def info(
    file: TreeArgument,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="PNG", help="Draw the tree into this file.")
    ] = None,
    panel: Annotated[
        list[str] | None,
        typer.Option(
            help="What to draw: frequency (number of paths that reach each cell), fan (the paths), survival (share of "
            "random worlds in which a path gets to each cell); by default the first two."
        ),
    ] = None,
    character: OfCharacterOption = None,
    motions: MotionsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the facts about a tree; with -o also draw it."""
    if out is not None and out.suffix.lower() != ".png":
        raise InvalidInput(f"{out}: a picture of a tree is a .png file")
    if out is None and panel:
        raise InvalidInput("--panel says what to draw; say where with -o")
    tree = read_tree(file, verify=True)
    if out is not None:
        check_extra("pictures", "drawing a tree")
        from gambol.pictures.tree_picture import USUAL, tree_picture

        with progress_bar(hidden=as_json) as say:
            say("reading the character", 0.0)
            whose = _character_of(tree, character, motions)
            say("drawing", 0.0)
            tree_picture(out, tree, whose, panels=panel or USUAL)
    if as_json:
        files = [] if out is None else [str(out)]
        about = {"file": str(file), **summarize_tree(tree), "files": files}
        typer.echo(json.dumps(about, ensure_ascii=False))
        return
    typer.echo(describe_tree(tree))
    if out is not None:
        typer.echo(str(out))


@app.command()
def check(
    file: TreeArgument,
    character: OfCharacterOption = None,
    motions: MotionsOption = None,
    subset: SubsetOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check a tree: checksum, transitions, costs and goal lists; with a character also all places.

    Exit code 0: nothing is wrong.  1: there are errors, or it is another character's tree.  2: there is no such file.
    """  # fmt: skip
    if character is None and (subset is not None or motions is not None):
        raise InvalidInput("--subset and --motions say more about a --character; name it")
    with progress_bar(hidden=as_json) as say:
        whose = None
        if character is not None:
            say("reading the character", 0.0)
            whose = load_character(character, motions=motions)
            whose = whose if subset is None else whose.subset(subset)
        say("checking", 0.0)
        try:
            tree = read_tree(file, verify=True)
            problems = audit_tree(tree, whose)
        except MalformedFile as problem:
            problems = [problem.message]
    if as_json:
        typer.echo(json.dumps({"file": str(file), "intact": not problems, "problems": problems}, ensure_ascii=False))
    else:
        for problem in problems:
            typer.echo(f"error: {problem}")
        typer.echo(f"{file}: {len(problems)} error{'' if len(problems) == 1 else 's'}")
    if problems:
        raise typer.Exit(FOUND_SOMETHING)


def _settings(
    builder: str, *, nodes: int | None, size_mb: float | None, depth: int | None, reach_m: float | None
) -> dict[str, Any]:
    """Return a builder's settings; mistakes are raised before anything is read, with the names of the options."""
    if nodes is not None and size_mb is not None:
        raise InvalidInput("--nodes and --size both say how large the tree may be; leave out either")
    given: dict[str, Any] = {
        "nodes": nodes,
        "bytes_": None if size_mb is None else _bytes(size_mb),
        "depth": depth,
    }
    if reach_m is not None:
        given |= {"reach_m": reach_m} if builder == "cheapest" else {"region": Region.disc(reach_m)}
    settings = {name: value for name, value in given.items() if value is not None}
    try:
        check_settings(builder, settings)
    except InvalidInput as problem:
        for name, option in _OPTIONS.items():
            if problem.where == name:
                verb = "takes no" if name in settings else "needs"
                raise InvalidInput(f"the {builder} tree {verb} {option}") from None
        raise
    return settings


def _bytes(size_mb: float) -> int:
    if not 0.0 < size_mb < 1e6:
        raise InvalidInput(f"--size must lie between 0 and a million megabytes, not be {size_mb:g}")
    return int(size_mb * BYTES_IN_MB)


def _character_of(tree: SearchTree, given: str | None, motions: Path | None) -> Character:
    """Return the character to draw a tree with: the given one, or the built-in one that the tree names."""
    name = given or tree.character.partition("/")[0]
    try:
        return load_character(name, motions=motions)
    except InvalidInput:
        if given is not None:
            raise
        raise InvalidInput(f"to draw a tree of {tree.character!r}, name its file with --character") from None
