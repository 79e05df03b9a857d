"""The judge finds out by itself: it knows what was delivered and the world, and nothing of how anybody planned."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import gambol.judges

FOLDER = Path(gambol.judges.__file__).parent
CORE = Path(__file__).parents[2] / "core" / "src"
#: Modules that the judge may know: values, geometry and playback.  Rooms without modules are open as a whole.
MAY_KNOW: dict[str, set[str]] = {
    "errors": set(),
    "geometry": set(),
    "judges": set(),
    "lazy": set(),
    "core": set(),  # of which only what is in files of the judge's own, see below
    "motion": set(),
    "body": {"capsules"},
    "animate": {"blends"},
    "characters": {"character", "clip", "motion_table", "step"},
    "world": {"environment", "footprint", "mover", "obstacle", "terrain", "world"},
    "climb": {"climb", "environment_table", "figure", "modes", "problem"},
    "crowd": {"edit", "edits", "recording"},
}
#: The quick look at a running crowd, which is no verdict on anything delivered.
RUNNING = ("present.py",)
FRONT = ("plans.py",)  # realizes a plan and hands it to the judge


def test_the_judge_shares_no_code_with_planners_and_their_grids():
    files = [path for path in FOLDER.rglob("*.py") if path.relative_to(FOLDER).as_posix() not in RUNNING + FRONT]
    assert len(files) >= 20
    for path in files:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gambol."):
                _, room, *module = (node.module or "").split(".")
                known = MAY_KNOW.get(room)
                assert known is not None, f"{path.name} imports {node.module}"
                assert not known or (module and module[0] in known), f"{path.name} imports {node.module}"


def test_the_judges_part_of_the_core_shares_no_file_with_the_rest_of_it():
    own = {path.name for path in CORE.glob("judge_*.[ch]")}
    assert len(own) >= 8
    for path in CORE.glob("*.[ch]"):
        included = set(re.findall(r'#include "([^"]+)"', path.read_text()))
        if path.name in own:
            assert included <= {name for name in own if name.endswith(".h")} | {"gambol.h"}, path.name
        else:
            assert not included & own, path.name


def test_the_judge_calls_only_its_part_of_the_core():
    for path in FOLDER.rglob("*.py"):
        called = re.findall(r"\blib\.(\w+)", path.read_text())
        assert all(name.lower().startswith("gb_check_") for name in called), path.name
