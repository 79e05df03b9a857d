"""Trees that were grown before, kept per user, so that nobody waits twice."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np

from gambol import __version__
from gambol.characters.character import Character
from gambol.errors import GambolError, InvalidInput, UnknownName
from gambol.files.disk import unwatched_reads
from gambol.trees.builders import BUILDERS
from gambol.trees.file import VERSION, read_tree, write_tree
from gambol.trees.fit import edge_costs, tree_behaviors
from gambol.trees.region import Region
from gambol.trees.tree import SearchTree

MOST_KEPT_BYTES = 1 << 30  # of all trees together
SUFFIX = ".safetensors"
#: What decides how a tree grows.
SOURCES = Path(__file__).parent.parent
GROWING_SOURCES = ("trees", "search/moves.py", "characters/action_table.py", "core/_binding.py")

_NAME = re.compile(r"(?P<whose>.+)-(?P<content>[0-9a-f]{16})-(?P<code>[0-9a-f]{8})" + re.escape(SUFFIX))


def kept_tree(character: Character, builder: str, settings: Mapping[str, Any] | None = None) -> SearchTree:
    """Grow a tree, or open the one that the same code grew before from the same character with the same settings.

    settings: the builder's keywords, `begins`, `endings` and `seed` among them.  Where no cache can be written, the
    tree is simply grown; one that is damaged is grown again.
    """
    given = dict(settings or {})
    check_settings(builder, given)
    try:
        path = tree_folder() / tree_name(character, builder, given)
    except RuntimeError:  # a user without a home
        return grown_tree(character, builder, given)
    with contextlib.suppress(GambolError), unwatched_reads():
        tree = read_tree(path, verify=True)
        with contextlib.suppress(OSError):
            path.touch()  # the longest unused go first
        return tree
    tree = grown_tree(character, builder, given)
    with contextlib.suppress(GambolError, OSError):  # nothing is lost but time
        write_tree(path, tree)
        _remove_old(path)
    return tree


def grown_tree(character: Character, builder: str, settings: Mapping[str, Any]) -> SearchTree:
    """Grow a tree with a builder of this name."""
    check_settings(builder, settings)
    return BUILDERS[builder](character, **settings)


def check_settings(builder: str, settings: Mapping[str, Any]) -> None:
    """Raise unless there is such a builder, and it takes these keywords and needs no other."""
    if builder not in BUILDERS:
        raise UnknownName("builder", builder, tuple(BUILDERS))
    known = list(signature(BUILDERS[builder]).parameters.values())[1:]  # the first is the character
    for name in settings:
        if name not in [one.name for one in known]:
            raise UnknownName("setting", name, [one.name for one in known], place=f"of the {builder} tree")
    for one in known:
        if one.default is one.empty and one.name not in settings:
            problem = InvalidInput(f"the {builder} tree needs a setting {one.name!r}")
            problem.where = one.name
            raise problem


def tree_folder() -> Path:
    """Return where trees are kept: below GAMBOL_CACHE, or below the system's place for caches."""
    if given := os.environ.get("GAMBOL_CACHE"):
        return Path(given) / "trees"
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "gambol" / "trees"


def tree_name(character: Character, builder: str, settings: Mapping[str, Any]) -> str:
    """Return the name of the file that a tree is kept in: for people, then hashes of what it is made of and by."""
    stem = re.sub(r"[^\w.]+", "-", character.name).strip("-.") or "character"
    content = hashlib.sha256(_facts(character, builder, settings).encode())
    content.update(np.ascontiguousarray(edge_costs(character)).tobytes())
    return f"{stem[:60]}-{builder}-{content.hexdigest()[:16]}-{_code()}{SUFFIX}"


def _facts(character: Character, builder: str, settings: Mapping[str, Any]) -> str:
    """Return all that a tree depends on but for the costs, as text that differs whenever any of it does."""
    behaviors = [
        [known.name, known.clips, known.digest, one.label, one.kind, one.begins, one.ends, one.cost(character.cost_by)]
        for known, one in zip(tree_behaviors(character), character.behaviors, strict=True)
    ]
    facts = [character.name, character.planning_rate_hz, behaviors, builder, dict(settings)]
    try:
        return json.dumps(facts, sort_keys=True, default=_plain)
    except TypeError as error:
        raise InvalidInput(f"a builder's settings must be plain values or regions: {error}") from error


def _plain(value: Any) -> Any:
    if isinstance(value, Region):
        return value.facts()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    raise TypeError(f"not {type(value).__name__}")


@cache
def _code() -> str:
    """Return a hash of the versions and of the code that grows trees."""
    digest = hashlib.sha256(f"{__version__} {VERSION} {np.__version__}".encode())
    for name in GROWING_SOURCES:
        place = SOURCES / name
        for source in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(source.relative_to(SOURCES).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:8]


def _remove_old(path: Path) -> None:
    """Remove trees of this character and builder that other code grew, and of all others the longest unused."""
    others: list[tuple[float, int, Path]] = []
    mine = _NAME.fullmatch(path.name)
    assert mine is not None
    for other in path.parent.iterdir():
        found = _NAME.fullmatch(other.name)
        if found is None or other == path:
            continue
        with contextlib.suppress(OSError):
            if found["whose"] == mine["whose"] and found["code"] != mine["code"]:
                other.unlink(missing_ok=True)
            else:
                about = other.stat()
                others.append((about.st_mtime, about.st_size, other))
    room = MOST_KEPT_BYTES - path.stat().st_size
    for _, size, other in sorted(others, reverse=True):
        room -= size
        if room < 0:
            with contextlib.suppress(OSError):
                other.unlink(missing_ok=True)
