"""What is public, and who may import what: each room lists its public names, and others keep to these."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import pytest
from tools.write_stubs import public_table, stubs

import gambol

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "gambol"
LISTS = tomllib.loads((Path(__file__).parent / "rooms.toml").read_text(encoding="utf-8"))
ROOMS = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py") if public_table(path))
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)


class Imported(NamedTuple):
    file: str
    module: str
    name: str

    @property
    def room(self) -> str:
        return self.module.split(".")[1] if "." in self.module else ""

    @property
    def is_deep(self) -> bool:
        """Whether it is imported from a module of a room, not from the room."""
        return self.module.count(".") > 1 and self.room in ROOMS


def imports_of(text: str, file: str) -> Iterator[Imported]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").startswith("gambol"):
            yield from (Imported(file, str(node.module), alias.name) for alias in node.names)


def imports_in(folder: str) -> list[Imported]:
    """Return what the files of a folder import, but for those that run in earlier states of the sources."""
    paths = [path for path in sorted((ROOT / folder).rglob("*.py")) if "old/worker" not in path.as_posix()]
    return [one for path in paths for one in imports_of(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))]


def test_the_top_has_exactly_these_names():
    assert sorted(gambol.__all__) == sorted(LISTS["gambol"]["public"])
    assert len(gambol.__all__) <= 30


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_exactly_these_public_names(room):
    module = import_module(f"gambol.{room}")
    assert sorted(module.__all__) == sorted(LISTS[room]["public"])
    assert all(getattr(module, name) is not None and not name.startswith("_") for name in module.__all__)


def test_stubs_say_what_the_lists_say():
    assert [str(path) for path, text in stubs().items() if path.read_text(encoding="utf-8") != text] == []


def test_examples_and_docs_import_public_names_only():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    blocks = [
        (code, str(page.relative_to(ROOT)))
        for page in pages
        for code in CODE.findall(page.read_text(encoding="utf-8"))
        if "import" in code
    ]
    found = imports_in("examples") + [one for code, page in blocks for one in imports_of(code, page)]
    assert [one for one in found if one.is_deep] == []


def test_tests_and_evidence_import_public_names_and_what_is_listed_for_inspection():
    """Tests of a room itself may look at all of it; those of the core at the tables of all rooms."""
    tests = [one for one in imports_in("tests") if one.file.split("/")[1] not in (one.room, "core")]
    used: dict[str, set[str]] = {}
    for one in tests + imports_in("evidence"):
        if one.is_deep:
            used.setdefault(one.room, set()).add(f"{one.module.removeprefix(f'gambol.{one.room}.')}:{one.name}")
    listed = {room: set(LISTS[room].get("inspected", ())) for room in ROOMS}
    for room in ROOMS:
        assert used.get(room, set()) - listed[room] == set(), f"{room}: import it from the room, or list it"
        assert listed[room] - used.get(room, set()) == set(), f"{room}: nobody inspects this any more"


def test_no_private_name_is_used_across_rooms():
    found = [
        one
        for one in imports_in("src/gambol")
        if any(part.startswith("_") for part in (one.name, *one.module.split(".")))
    ]
    strangers = [one for one in found if one.file.split("/")[2] != one.room and one.name != "__version__"]
    assert strangers == []
