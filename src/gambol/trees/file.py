"""Search trees as files: saved whole, opened by memory map in milliseconds, refused when they are not what they say.

What is in a file is told in docs/tree_files.md.  Opening looks at all that the core relies on: whatever is opened can
be looked up without reading outside an array or going round in circles.  Whether the numbers are those that were
saved, the checksum says; `ensure_verified` looks at it once, before a tree is first used.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np

from gambol import __version__
from gambol.errors import FileProblem, InvalidInput, MalformedFile
from gambol.files.safetensors_file import SafetensorsFile, open_safetensors, plain_json, strict_json, write_safetensors
from gambol.trees.structure import check_structure
from gambol.trees.tree import GoalGrid, SearchTree, TreeBehavior

FORMAT = "gambol search tree"
VERSION = 1
FASTEST_HZ = 1e6
NODE_ARRAYS = ("pose", "parent", "cost", "clip", "frame")
COST_ARRAYS = ("edge_cost", "first_cost")
GRID_ARRAYS = ("first_entry", "entries")  # in the file with "grid." before the name
GRID_SIZES = ("x0", "y0", "cell_m", "overlap_m")
GRID_COUNTS = ("rows", "columns", "groups")
TEXTS = (
    "format", "version", "gambol", "character", "planning_rate_hz", "begins", "builder", "settings", "behaviors",
    "notes", "grid", "checksum",
)  # fmt: skip

_VERIFIED: WeakSet[SafetensorsFile] = WeakSet()


def write_tree(path: Path | str, tree: SearchTree) -> None:
    """Write a tree; the same tree gives the same bytes."""
    check_structure(tree)
    arrays = {name: getattr(tree, name) for name in (*COST_ARRAYS, *NODE_ARRAYS)}
    arrays |= {f"grid.{name}": getattr(tree.grid, name) for name in GRID_ARRAYS}
    texts = {
        "format": FORMAT,
        "version": str(VERSION),
        "gambol": __version__,
        "character": tree.character,
        "planning_rate_hz": plain_json(tree.planning_rate_hz, "planning_rate_hz"),
        "begins": plain_json(tree.begins, "begins"),
        "builder": tree.builder,
        "settings": plain_json(tree.settings, "settings"),
        "behaviors": plain_json([[one.name, one.clips, one.digest] for one in tree.behaviors], "behaviors"),
        "notes": plain_json(tree.notes, "notes"),
        "grid": plain_json(
            {name: float(getattr(tree.grid, name)) for name in GRID_SIZES}
            | {name: int(getattr(tree.grid, name)) for name in GRID_COUNTS},
            "grid",
        ),
    }
    write_safetensors(path, arrays, texts)


def read_tree(path: Path | str, *, verify: bool = False) -> SearchTree:
    """Open a tree by memory map; a file that is cut, of another version or out of joint is refused with a reason.

    verify: look at the checksum at once, not only when the tree is first used.
    """
    try:
        tree = tree_from(open_safetensors(path))
        check_structure(tree)
    except FileProblem as problem:
        raise problem.in_file(path) from None
    except InvalidInput as problem:
        raise MalformedFile(str(problem), path=path) from None
    if verify:
        ensure_verified(tree)
    return tree


def ensure_verified(tree: SearchTree) -> None:
    """Raise if the file that a tree was opened from has been altered; looked at once for each opening.

    A tree that was grown is its own proof.
    """
    source = tree.source
    if source is None or source in _VERIFIED:
        return
    if not source.is_intact:
        raise MalformedFile("the checksum is wrong: the file was altered or damaged; grow it anew", path=source.path)
    _VERIFIED.add(source)


def tree_from(opened: SafetensorsFile) -> SearchTree:
    """Return the tree whose arrays and texts a container holds; what the core relies on is not checked yet."""
    texts, arrays = opened.metadata, opened.arrays
    if texts.get("format") != FORMAT:
        raise MalformedFile(f"this is a safetensors file, but not a search tree: no format {FORMAT!r}")
    if texts.get("version") != str(VERSION):
        raise MalformedFile(
            f"a search tree of version {texts.get('version', 'unknown')[:20]}, expected {VERSION}; grow it anew"
        )
    _check_names("texts", texts, TEXTS)
    _check_names("arrays", arrays, (*COST_ARRAYS, *NODE_ARRAYS, *(f"grid.{name}" for name in GRID_ARRAYS)))
    if arrays["parent"].ndim != 1:
        raise MalformedFile("parent must be a row of numbers, one for each node")
    rate = strict_json(texts["planning_rate_hz"], "planning_rate_hz")
    begins = strict_json(texts["begins"], "begins")
    if not (type(rate) in (float, int) and 0.0 < rate <= FASTEST_HZ):
        raise MalformedFile(f"planning_rate_hz must be a number above 0 and at most {FASTEST_HZ:g}")
    if not (begins is None or isinstance(begins, str)):
        raise MalformedFile("begins must be a text or null")
    return SearchTree(
        character=texts["character"],
        planning_rate_hz=float(rate),
        begins=begins,
        builder=texts["builder"],
        settings=_mapping(texts, "settings"),
        behaviors=_behaviors(texts["behaviors"]),
        **{name: arrays[name] for name in (*COST_ARRAYS, *NODE_ARRAYS)},
        grid=_grid(_mapping(texts, "grid"), arrays["grid.first_entry"], arrays["grid.entries"]),
        notes=_mapping(texts, "notes"),
        source=opened,
    )


def _check_names(what: str, found: Mapping[str, Any], expected: tuple[str, ...]) -> None:
    for name in expected:
        if name not in found:
            raise MalformedFile(f"among the {what} of the file there is no {name!r}")
    for name in found:
        if name not in expected:
            raise MalformedFile(f"the {what} of the file have {name[:40]!r}, which no search tree has")


def _mapping(texts: Mapping[str, str], name: str) -> dict[str, Any]:
    value = strict_json(texts[name], name)
    if not isinstance(value, dict):
        raise MalformedFile(f"{name} must be a JSON object")
    return value


def _behaviors(text: str) -> tuple[TreeBehavior, ...]:
    listed = strict_json(text, "behaviors")
    if not (isinstance(listed, list) and listed):
        raise MalformedFile("behaviors must be a list")
    for one in listed:
        if not (
            isinstance(one, list)
            and len(one) == 3
            and isinstance(one[0], str)
            and type(one[1]) is int
            and isinstance(one[2], str)
        ):
            raise MalformedFile("behaviors must be lists of a name, a number of clips and a digest")
    return tuple(TreeBehavior(*one) for one in listed)


def _grid(given: dict[str, Any], first_entry: np.ndarray, entries: np.ndarray) -> GoalGrid:
    if set(given) != {*GRID_SIZES, *GRID_COUNTS}:
        raise MalformedFile(f"grid must have {', '.join((*GRID_SIZES, *GRID_COUNTS))}, and nothing else")
    if not all(type(given[name]) is float for name in GRID_SIZES):
        raise MalformedFile(f"grid: {', '.join(GRID_SIZES)} must be numbers with a decimal point")
    if not all(type(given[name]) is int for name in GRID_COUNTS):
        raise MalformedFile(f"grid: {', '.join(GRID_COUNTS)} must be whole numbers")
    return GoalGrid(**given, first_entry=first_entry, entries=entries)
