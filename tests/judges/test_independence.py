"""The judge finds out by itself: it knows what was delivered and the world, and nothing of how anybody planned."""

from __future__ import annotations

import ast
from pathlib import Path

import gambol.judges

FOLDER = Path(gambol.judges.__file__).parent
#: Modules that the judge may know: values, geometry and playback.  Rooms without modules are open as a whole.
MAY_KNOW: dict[str, set[str]] = {
    "errors": set(),
    "geometry": set(),
    "judges": set(),
    "lazy": set(),
    "kernels": set(),
    "motion": set(),
    "body": {"capsules"},
    "animate": {"blends"},
    "characters": {"blend", "character", "clip", "step"},
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
