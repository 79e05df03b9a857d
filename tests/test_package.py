from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gambol
from gambol.errors import UnreadableFile
from gambol.files.disk import write_atomically

REPOSITORY = Path(__file__).parent.parent
PUBLIC = {
    "AStar", "Anytime", "Body", "Character", "CheckReport", "Climb", "Climber", "Contacts", "Crowd", "CrowdReport",
    "Errand", "Footprint", "GambolError", "Goal", "LookUp", "Motion", "Mover", "Obstacle", "Outcome", "Performance",
    "Performer", "Plan", "Problem", "Quality", "ReadOptions", "Reading", "Recording", "Scene", "SearchTree",
    "Skeleton", "Terrain", "Trajectory", "TreePlanner", "World", "check_motions",
    "detect_contacts", "grow_diverse", "judge", "load_character", "load_scene", "measure_quality", "mirror",
    "open_recording", "open_tree", "perform", "perform_crowd", "plan_group", "problems_of", "read_motion", "realize",
    "remove_foot_skate", "retarget", "save_recording", "save_tree", "shipped_scenes", "write_motion",
}  # fmt: skip


def test_the_public_surface_is_exactly_these_names():
    assert set(gambol.__all__) == PUBLIC
    assert all(hasattr(gambol, name) for name in PUBLIC)


def test_importing_does_not_wait_for_what_only_some_programs_need():
    program = "import sys, gambol; print([name for name in ('trimesh', 'matplotlib', 'pxr') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_works_where_no_cache_folder_can_be_written(tmp_path):
    package = tmp_path / "site" / "gambol"
    shutil.copytree(REPOSITORY / "src" / "gambol", package, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import numba.core.caching as caching\n"
        "for locator in caching.CacheImpl._locator_classes: locator.from_function = classmethod(lambda *a: None)\n"
        "import gambol, gambol.motion.motion as motion\n"
        "print(gambol.__file__)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) in done.stdout


def test_every_example_runs(tmp_path):
    examples = sorted((REPOSITORY / "examples").glob("[0-9]*.py"))
    assert examples
    for example in examples:
        done = subprocess.run([sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{example.name}: {done.stderr}"


def test_the_docs_quote_the_soak_results_as_they_are():
    subprocess.run([sys.executable, str(REPOSITORY / "tools" / "quote_soak.py"), "--check"], check=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX's")
def test_what_is_no_file_is_never_replaced_by_one(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="not a file that could be replaced"):
        write_atomically(tmp_path / "pipe", b"data")
    assert not (tmp_path / "pipe").is_file()
