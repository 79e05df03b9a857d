"""Write docs/reference: the public names of each room, as its `__init__` lists them; the site adds descriptions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from write_stubs import public_table

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
FOLDER = ROOT / "docs" / "reference"

#: Rooms in the order of the corridor, each with the guide that goes with it.
GUIDES = {
    "scenes": "scenes.md",
    "world": "worlds.md",
    "characters": "character.md",
    "stages": "planning.md",
    "search": "planning.md",
    "planners": "which_planner.md",
    "trees": "trees.md",
    "crowd": "crowd.md",
    "climb": "climbing.md",
    "animate": "character.md",
    "judges": "planning.md",
    "deliver": "files.md",
    "motion": "motion.md",
    "files": "files.md",
    "body": "motion.md",
    "variation": "variation.md",
    "bake": "baking.md",
    "view": "viewer.md",
    "pictures": "gallery.md",
    "geometry": "motion.md",
    "errors": "faq.md",
}


class Name(NamedTuple):
    """A public name: how a program writes it, the module that defines it, and its name there."""

    shown: str
    module: str
    last: str


def path_of(module: str) -> Path:
    path = SOURCE / (module.replace(".", "/") + ".py")
    return path if path.is_file() else path.with_suffix("") / "__init__.py"


def tree_of(module: str) -> ast.Module:
    return ast.parse(path_of(module).read_text(encoding="utf-8"))


def summary(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> str:
    """Return the first paragraph of a docstring, as a cell of a table."""
    text = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split())
    return text.replace("|", "\\|").replace("A*", "A\\*")


def definitions(module: str) -> dict[str, str]:
    """Return the public names that a module defines, but for constants, with their summaries."""
    found = {}
    for node in tree_of(module).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] = summary(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id: "" for target in targets if isinstance(target, ast.Name) and target.id[0].isupper()}
    return {name: text for name, text in found.items() if not name.startswith("_") and name.upper() != name}


def constants(module: str) -> dict[str, str]:
    """Return the constants of a module, with the comment behind each, or the one above it, whose first mark is `#:`."""
    lines = path_of(module).read_text(encoding="utf-8").splitlines()
    found = {}
    for node in tree_of(module).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        for target in targets:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            behind = lines[node.lineno - 1].partition("  # ")[2]
            above = list(takewhile(lambda line: line.startswith("#"), reversed(lines[: node.lineno - 1])))
            words = behind or " ".join(line.lstrip("#: ") for line in reversed(above))
            found |= {one.id: words.strip().replace("|", "\\|") for one in names if isinstance(one, ast.Name)}
    return {name: words for name, words in found.items() if name.upper() == name}


def defined_in(module: str, name: str) -> str:
    """Return the module that defines what another one hands on."""
    if name in definitions(module) or name in constants(module):
        return module
    if name in listed(module):
        return defined_in(listed(module)[name], name)
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ImportFrom) and name in [alias.asname or alias.name for alias in node.names]:
            return defined_in(node.module or "", name)
    raise LookupError(f"{module} has no {name}")


def listed(package: str) -> dict[str, str]:
    """Return the public names that a package's `__init__` lists, with the module that has each; a module lists none."""
    table = public_table(path_of(package)).items()
    return {name: package + module if module.startswith(".") else module for name, module in table}


def names_of(room: str) -> Iterator[Name]:
    """Yield the public names of a room; a module that is public as a whole hands on all its own."""
    package = f"gambol.{room}"
    for name, module in (listed(package) or dict.fromkeys(definitions(package), package)).items():
        if module == f"{package}.{name}":
            yield from (Name(f"{name}.{each}", module, each) for each in definitions(module))
        else:
            yield Name(name, defined_in(module, name), name)


def table(rows: list[tuple[Name, str]]) -> str:
    lines = [
        f"| [`{name.last}`](../../{path_of(name.module).relative_to(ROOT).as_posix()}) | `{package}` "
        f"| {(definitions(name.module) | constants(name.module))[name.last]} |"
        for name, package in rows
    ]
    return "\n".join(["| name | import from | |", "|---|---|---|", *lines])


def page(room: str) -> str:
    """Return the page of a room; a name is described on the page of the room that defines it."""
    names, package = list(names_of(room)), f"gambol.{room}"
    short = listed("gambol")
    rows = [(name, "gambol" if name.shown in short else f"{package}.{name.shown}".rpartition(".")[0]) for name in names]
    described = [name for name in names if name.last in definitions(name.module)]  # of a constant the table says all
    own = dict.fromkeys(f"{module}.{last}" for _, module, last in described if f"{module}.".startswith(f"{package}."))
    blocks = [f"<!-- reference: {full} -->" for full in own]
    about = f"{summary(tree_of(package))} Guide: [{GUIDES[room]}](../{GUIDES[room]})."
    return "\n\n".join([f"# gambol.{room}", about, table(rows), *blocks]) + "\n"


def start() -> str:
    """Return the first page: the names that most programs need, and the rooms."""
    short = [Name(name, defined_in(module, name), name) for name, module in listed("gambol").items()]
    rooms = [f"| [`gambol.{room}`]({room}.md) | {summary(tree_of(f'gambol.{room}'))} |" for room in GUIDES]
    parts = [
        "# Reference",
        "Most programs need only the names that `gambol` itself has. Each room of the package lists its own public "
        "names; all other names may change at any time. The site that `make docs` builds shows the signature, "
        "members and source of each name.",
        "\n".join(["| room | what it is for |", "|---|---|", *rooms]),
        "## gambol",
        table([(name, "gambol") for name in short]),
    ]
    return "\n\n".join(parts) + "\n"


def pages() -> dict[Path, str]:
    """Return all pages of the reference, by their files."""
    return {FOLDER / "README.md": start(), **{FOLDER / f"{room}.md": page(room) for room in GUIDES}}


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for path in set(FOLDER.glob("*.md")) - set(pages()):
        path.unlink()
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
